"""The first game of a session: from some position, or one that was cut off and goes on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

from boardfw.game.course import Course
from boardfw.game.phase import GamePhase
from boardfw.game.setup.game_start import is_poor, poor
from boardfw.game.setup.resuming import Unfinished
from boardfw.game.timekeeper import ClockUse
from boardfw.rules import Piece, Position
from boardfw.rules.faults import Problem
from boardfw.squares import Occupancy, Square, turned_occupancy


class KnownSetup(NamedTuple):
    """What is known of a board that another game, or a lesson, has used until now."""

    pieces: Mapping[Square, Piece] = MappingProxyType({})
    """The piece on each switch, where that is known."""
    orientation: int = 0
    """Which way round the board lies, as of ``Hypothesis``."""
    stuck: Occupancy = 0
    """Switches that have told nothing."""


@dataclass(frozen=True, slots=True)
class PlannedGame:
    """How the first game of a session begins."""

    start: Position = field(default_factory=Position.start)
    unfinished: Unfinished | None = None
    """The game that is to go on instead."""
    clock: ClockUse | None = None
    problems: tuple[Problem, ...] = ()
    """Why no game can begin as planned; then ``start`` is a substitute."""
    stood: KnownSetup = field(default_factory=KnownSetup)

    def course(
        self,
        t_us: int,
        standing: Occupancy,
        phase: GamePhase,
        *,
        orientation: int | None = None,
        known: Occupancy = 0,
    ) -> Course:
        """The game as it begins or goes on now, the switches ``standing`` closed.

        ``orientation``: which way round the board lies; None: as before. ``known``: switches known
        to be stuck; where play begins, those with poor contacts are counted among them.
        """
        unfinished, start = self.unfinished, self.start
        if orientation is None:
            orientation = unfinished.orientation if unfinished else self.stood.orientation
        before = unfinished.record.positions()[-1] if unfinished else start
        dead = (
            known
            if phase is GamePhase.SETUP
            else known | _poor(before, standing, orientation, known)
        )
        if unfinished:
            return unfinished.course(t_us, standing, phase, dead, orientation=orientation)
        course = Course.new(
            t_us, start, standing, phase=phase, orientation=orientation, dead=dead, clock=self.clock
        )
        if self.stood.pieces and course.placing:
            course.placing.know(self.stood.pieces)
        return course

    @property
    def may_be_given_up(self) -> bool:
        """Whether pieces set up for a new game begin one."""
        return self.unfinished is not None and not self.unfinished.is_ruled

    def begins_with(self, standing: Occupancy) -> bool:
        """Whether play begins at once with these switches, allowing a poor contact or two."""
        pieces, orientation, stuck = self.stood
        wanted = turned_occupancy(self.start.occupied) if orientation else self.start.occupied
        wanted, standing = wanted & ~stuck, standing & ~stuck
        stands = wanted == standing or poor(wanted, standing) != 0
        strange = any(
            self.start.piece_at(s ^ orientation) not in (piece, None) for s, piece in pieces.items()
        )
        return self.unfinished is None and stands and not strange

    def counted(
        self, t_us: int, standing: Occupancy, *, orientation: int, known: Occupancy
    ) -> Course | None:
        """The game if what stands counts: a ply was made unseen, or contacts are poor.

        None if neither explains it.
        """
        if self.unfinished is not None:
            course = self.unfinished.played_on(t_us, standing, known)
            if course is not None:
                return course
        differing = self.course(
            t_us, standing, GamePhase.SETUP, orientation=orientation
        ).hypothesis.wrong(standing)
        if differing & ~known and not is_poor(standing, differing & ~known):
            return None
        return self.course(
            t_us, standing, GamePhase.PLAY, orientation=orientation, known=known | differing
        )


def _poor(position: Position, standing: Occupancy, orientation: int, known: Occupancy) -> Occupancy:
    """Switches that tell nothing from the start."""
    wanted = turned_occupancy(position.occupied) if orientation else position.occupied
    return poor(wanted & ~known, standing & ~known)
