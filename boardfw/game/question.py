"""When several games explain the board equally well, the board asks instead of guessing."""

from __future__ import annotations

from boardfw.game.events import Action, Asked
from boardfw.game.record import common
from boardfw.game.rivals import near
from boardfw.inference.finding import Reason
from boardfw.inference.line import Line
from boardfw.inference.tracker import Tracker
from boardfw.inference.weights import EQUAL
from boardfw.rules import Move
from boardfw.sensing.debounce import Blip, Edge
from boardfw.squares import Square, occupancy_of


class Question:
    """What is being asked at the moment."""

    def __init__(self) -> None:
        self.candidates: tuple[Move, ...] = ()
        """The moves among which the players are asked to choose; empty: nothing is asked."""
        self._ply = 0
        """Which ply is asked about, 0 = the first."""
        self._asked_us = 0
        self._touched: set[Square] = set()
        """Switches that have answered: a man fidgeted with answers once."""

    def watch(self, t_us: int, tracker: Tracker, final: int) -> list[Action]:
        """The board is at rest: ask, if there is something to ask that has not been asked.

        The first ``final`` plies are not asked about any more.
        """
        if self._is_being_answered(tracker):
            return []
        games = _equals(tracker)
        self._ply = min((common(games[0].moves, game.moves) for game in games[1:]), default=0)
        is_open = len(games) > 1 and self._ply >= final
        moves = {game.moves[self._ply] for game in games} if is_open else set()
        candidates = tuple(sorted(moves, key=lambda move: move.uci()))
        if candidates == self.candidates:
            return []
        self.candidates, self._asked_us = candidates, t_us
        self._touched.clear()
        return [Asked(t_us, tuple(move.uci() for move in candidates))] if candidates else []

    def _is_being_answered(self, tracker: Tracker) -> bool:
        """Whether a lit square's man is in a hand: he may be put back, or be moved."""
        lit = occupancy_of(tracker.best.switch(move.target) for move in self.candidates)
        return bool(lit & tracker.best.wrong(tracker.trace.now))

    def answer(self, number: int, tracker: Tracker) -> None:
        """Button ``number`` (1 = the first candidate) was pressed."""
        if 0 < number <= len(self.candidates):
            chosen = self.candidates[number - 1]
            games = [line for line in tracker.lines if self._move_of(line) == chosen]
            if games:
                tracker.keep(games)
            self.candidates = ()

    def touch(self, known: Edge | Blip, tracker: Tracker) -> None:
        """A switch has done something: who lifts a man on a lit square and puts him back answers.

        A man who does not come back was no answer: he has been moved.
        """
        if not isinstance(known, Edge) or not known.closed or known.square in self._touched:
            return
        answered = [line for line in tracker.lines if self._is_touched(line, known)]
        for line in answered:
            line.ledger.note(Reason.ANSWERED, known.square, known.t_us)
        if answered:
            self._touched.add(known.square)
            tracker.weigh()

    def _is_touched(self, line: Line, known: Edge) -> bool:
        """Whether this edge has put back a man where a line has a candidate end."""
        move, put_back = self._move_of(line), line.ledger.adjusted.get(known.square)
        if put_back is None or move is None or move not in self.candidates:
            return False
        now = put_back.stood_us == known.t_us and put_back.lifted_us > self._asked_us
        return now and line.switch(move.target) == known.square

    def _move_of(self, line: Line) -> Move | None:
        return line.moves[self._ply] if self._ply < len(line.moves) else None


def _equals(tracker: Tracker) -> list[Line]:
    """The best game and those of the same length that are as credible."""
    best = tracker.best
    others = [
        line
        for line in near(tracker, EQUAL)
        if not line.owed and len(line.moves) == len(best.moves) and line.moves != best.moves
    ]
    return [best, *others]
