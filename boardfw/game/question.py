"""When several games explain the board equally well, the board asks instead of guessing."""

from __future__ import annotations

from boardfw.game.events import Action, Asked
from boardfw.game.record import common
from boardfw.inference.line import Line
from boardfw.inference.tracker import Tracker
from boardfw.rules import Move

EQUAL = 0.25
"""Credits that differ by less than this are equal: no single edge speaks for either game."""


class Question:
    """What is being asked at the moment."""

    def __init__(self) -> None:
        self.candidates: tuple[Move, ...] = ()
        """The moves among which the players are asked to choose; empty: nothing is asked."""
        self._games: list[Line] = []

    def watch(self, t_us: int, tracker: Tracker) -> list[Action]:
        """The board is at rest: ask, if there is something to ask that has not been asked."""
        self._games = _equals(tracker)
        candidates = _choices(self._games)
        if candidates == self.candidates:
            return []
        self.candidates = candidates
        if not candidates:
            return []
        return [Asked(t_us, tuple(move.uci() for move in candidates))]

    def answer(self, number: int, tracker: Tracker) -> None:
        """Button ``number`` (1 = the first candidate) was pressed."""
        if 0 < number <= len(self.candidates):
            chosen = self.candidates[number - 1]
            ply = _first_difference(self._games)
            for line in self._games:
                if line.moves[ply] == chosen:
                    tracker.decide(line)
            self.candidates = ()


def _equals(tracker: Tracker) -> list[Line]:
    best = tracker.best
    least = tracker.credit(best) - EQUAL
    return [
        line
        for line in tracker.lines
        if line is best
        or (
            not line.owed
            and len(line.moves) == len(best.moves)
            and line.moves != best.moves
            and tracker.credit(line) >= least
        )
    ]


def _choices(games: list[Line]) -> tuple[Move, ...]:
    if len(games) < 2:
        return ()
    ply = _first_difference(games)
    choices = sorted({line.moves[ply].uci(): line.moves[ply] for line in games}.items())
    return tuple(move for _, move in choices)


def _first_difference(games: list[Line]) -> int:
    return min(common(games[0].moves, line.moves) for line in games[1:])
