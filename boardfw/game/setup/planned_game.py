"""The game for which pieces are set up: from some position, or one that was cut off and goes on.

The plies of a game that goes on are final, but for one that was asked about. While nobody watched,
pieces may have been moved by accident or as the next ply, and switches cannot tell which. So the
lights lead the pieces back, unless a player says that what stands counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import NamedTuple

from boardfw.game.clock import ClockUse
from boardfw.game.opponent import Chosen, Replied
from boardfw.game.record import Record
from boardfw.game.setup.placing import is_poor, poor
from boardfw.inference import StartingGames
from boardfw.rules import Move, Piece, Position
from boardfw.rules.faults import Problem
from boardfw.squares import NO_SWITCHES, Occupancy, Orientation, Switch


class KnownSetup(NamedTuple):
    """What is known of a board that another game, or a lesson, has used until now."""

    pieces: Mapping[Switch, Piece] = MappingProxyType({})
    """The piece on each switch, where that is known."""
    orientation: Orientation = Orientation.AS_WIRED
    """Which way round the board lies."""
    stuck: Occupancy = NO_SWITCHES
    """Switches that have told nothing."""


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A game that was cut off. Times of its record are before the session's 0."""

    record: Record
    orientation: Orientation = Orientation.AS_WIRED
    """Which way round the board stood."""
    asked: tuple[Move, ...] = ()
    """The choices for the last ply that the players were asked for and had not answered."""
    took_us: tuple[int, ...] = ()
    """How long each ply took that was pressed on the clock."""
    clock: ClockUse | None = None
    """The clock that goes on."""
    tags: Mapping[str, str] = field(default_factory=dict)
    """As in PGN: its tags when it began."""
    opponent: Chosen | None = None
    """The player who is not at the board; None if both were."""
    replied: Replied | None = None
    """That player's last move; None if there was none."""
    is_ruled: bool = False
    """Whether an arbiter resumed it while the board was watched: it has not been turned round, and
    pieces at the start are on their path, not a new game."""

    def with_clock(self, use: ClockUse | None) -> Unfinished:
        """The same, its clock pressed as ``use`` says; its control is the one agreed on."""
        control = self.record.control
        if control is None:
            return self
        pressed = ClockUse(control) if use is None else replace(use, control=control)
        return replace(self, clock=pressed)

    def starting_games(self, t_us: int, orientation: Orientation, dead: Occupancy) -> StartingGames:
        """The game as it was, at an instant; with each of the plies in question."""
        start, moves = self.record.start, self.record.moves
        lasts = sorted(self.asked, key=lambda move: move != moves[-1])
        games = [(*moves[:-1], last) for last in lasts] or [moves]
        return StartingGames.known(start, games, t_us, orientation, dead)


@dataclass(frozen=True, slots=True)
class PlannedGame:
    """A game that begins, or goes on, as soon as its pieces stand."""

    start: Position = field(default_factory=Position.start)
    unfinished: Unfinished | None = None
    """The game that is to go on instead."""
    problems: tuple[Problem, ...] = ()
    """Why no game can begin as planned; then ``start`` is a substitute."""
    stood: KnownSetup = field(default_factory=KnownSetup)

    @property
    def orientation(self) -> Orientation:
        """Which way round the board lay before."""
        return self.unfinished.orientation if self.unfinished else self.stood.orientation

    @property
    def is_ruled(self) -> bool:
        """Whether it goes on as an arbiter, or a button, has decided."""
        return self.unfinished is not None and self.unfinished.is_ruled

    def starting_games(
        self, t_us: int, orientation: Orientation, dead: Occupancy = NO_SWITCHES
    ) -> StartingGames:
        """The game as it begins or goes on.

        ``orientation``: which way round the board lies. ``dead``: switches known to be stuck.
        """
        if self.unfinished:
            return self.unfinished.starting_games(t_us, orientation, dead)
        return StartingGames.new(self.start, t_us, orientation, dead)

    def begun(
        self, t_us: int, standing: Occupancy, orientation: Orientation, stuck: Occupancy
    ) -> StartingGames:
        """The same where play begins: switches with poor contacts are counted among the stuck."""
        record = self.unfinished.record if self.unfinished else None
        position = record.positions()[-1] if record else self.start
        wanted = orientation.switches(position.occupied)
        dead = stuck | poor(wanted & ~stuck, standing & ~stuck)
        return self.starting_games(t_us, orientation, dead)

    def begins_with(self, standing: Occupancy) -> bool:
        """Whether play begins at once with these switches, allowing a poor contact or two."""
        pieces, orientation, stuck = self.stood
        wanted = orientation.switches(self.start.occupied)
        wanted, standing = wanted & ~stuck, standing & ~stuck
        stands = wanted == standing or bool(poor(wanted, standing))
        strange = any(
            self.start.piece_at(orientation.square(s)) not in (piece, None)
            for s, piece in pieces.items()
        )
        return self.unfinished is None and stands and not strange

    def counted(
        self, t_us: int, standing: Occupancy, orientation: Orientation, stuck: Occupancy
    ) -> StartingGames | None:
        """The games if what stands counts: a ply was made unseen, or contacts are poor.

        None if neither explains it.
        """
        if self.unfinished:
            known = self.unfinished.starting_games(t_us, self.unfinished.orientation, stuck)
            if shown := known.one_ply_on(standing):
                return shown
        differing = self.starting_games(t_us, orientation).differing(t_us, standing)
        if differing & ~stuck and not is_poor(standing, differing & ~stuck):
            return None
        return self.begun(t_us, standing, orientation, stuck | differing)
