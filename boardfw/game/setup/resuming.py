"""A game that is resumed after a time without watching: the power or the program was off.

Its plies are final, but for one that was asked about. Pieces may have been moved meanwhile, by
accident or as the next ply, and switches cannot tell which. So the lights lead the pieces back,
unless a player says that what stands counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from boardfw.game.course import Course
from boardfw.game.phase import GamePhase
from boardfw.game.record import Record
from boardfw.game.timekeeper import ClockUse
from boardfw.inference.hypothesis import Hypothesis
from boardfw.inference.tracker import Tracker
from boardfw.rules import Move
from boardfw.sensing.trace import Trace
from boardfw.squares import Occupancy


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A game that was cut off. Times of its record are before the session's 0."""

    record: Record
    orientation: int = 0
    """As of ``Hypothesis``: which way round the board stood."""
    asked: tuple[Move, ...] = ()
    """The choices for the last ply that the players were asked for and had not answered."""
    took_us: tuple[int, ...] = ()
    """How long each ply took that was pressed on the clock."""
    clock: ClockUse | None = None
    """The clock that goes on."""
    tags: Mapping[str, str] = field(default_factory=dict)
    """As in PGN: its tags when it began."""
    is_ruled: bool = False
    """Whether an arbiter resumed it while the board was watched: it has not been turned round, and
    pieces at the start are on their path, not a new game."""

    def hypotheses(
        self, t_us: int, dead: Occupancy = 0, orientation: int | None = None
    ) -> list[Hypothesis]:
        """The game as it was, at an instant; with each of the plies in question."""
        record, orientation = self.record, self.orientation if orientation is None else orientation
        if not self.asked:
            return [
                Hypothesis.told(
                    record.start, record.moves, t_us, orientation=orientation, dead=dead
                )
            ]
        before = record.moves[:-1]
        lasts = sorted(self.asked, key=lambda move: move != record.moves[-1])
        games = [(*before, last) for last in lasts]
        return [
            Hypothesis.told(record.start, game, t_us, orientation=orientation, dead=dead)
            for game in games
        ]

    def with_clock(self, use: ClockUse | None) -> Unfinished:
        """The same, its clock pressed as ``use`` says; its control is the one agreed on."""
        control = self.record.control
        if control is None:
            return self
        pressed = ClockUse(control) if use is None else replace(use, control=control)
        return replace(self, clock=pressed)

    def course(
        self,
        t_us: int,
        standing: Occupancy,
        phase: GamePhase,
        dead: Occupancy = 0,
        *,
        orientation: int | None = None,
    ) -> Course:
        """The game as it goes on, the switches ``standing`` closed.

        ``orientation``: which way round the board lies now; None: as before.
        """
        return self._course(t_us, self.hypotheses(t_us, dead, orientation), standing, phase)

    def played_on(self, t_us: int, standing: Occupancy, dead: Occupancy = 0) -> Course | None:
        """The game with the ply that was made unseen; None if no legal one shows what stands.

        It may have another last ply than the one recorded, or lack it: it may have been in
        progress. Where several games show what stands they are rivals, and the board asks.
        """
        hypothesis = self.hypotheses(t_us, dead)[0]
        for before in (hypothesis, hypothesis.parent):
            games = [] if before is None else [before, *_one_ply_on(before)]
            shown = [game for game in games if not game.wrong(standing)]
            if shown:
                return self._course(t_us, shown, standing, GamePhase.PLAY)
        return None

    def _course(
        self, t_us: int, hypotheses: list[Hypothesis], standing: Occupancy, phase: GamePhase
    ) -> Course:
        final = len(self.record.moves) - bool(self.asked)
        tracker = Tracker(hypotheses, Trace(t_us, standing))
        return Course(
            self.record,
            tracker,
            phase,
            final=final,
            clock=self.clock,
            took_us=self.took_us,
            may_reorient=not self.is_ruled,
        )


def _one_ply_on(hypothesis: Hypothesis) -> list[Hypothesis]:
    return [
        hypothesis.played(move, hypothesis.state.copy())
        for move in hypothesis.position.legal_moves()
    ]
