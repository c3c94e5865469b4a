"""The scribe: writes down what the best line says, and says aloud what changed in the record."""

from __future__ import annotations

from boardfw.game.events import Action, Amended, Checked, Finalised, Moved, TakenBack
from boardfw.game.record import Record
from boardfw.inference.choice import open_until_us
from boardfw.inference.line import Line
from boardfw.inference.tracker import Tracker
from boardfw.notation.san import format_san
from boardfw.rules import Move

FINAL_US = 1_500_000
"""How long a ply must stand, unrivalled and undisturbed, before what cannot be unsent is sent."""
REPLY_US = 300_000
"""The same once the opponent has lifted a man: a slide goes on sooner than this."""
RIVAL = 2.0
"""Lines whose credit comes as near as this to the best one's are rivals, not mere memories."""


class Scribe:
    """Keeps one game's record in step with the tracker."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.final = 0
        """Plies that only a take-back can undo."""
        self._changed_us = record.started_us

    def follow(self, t_us: int, tracker: Tracker) -> list[Action]:
        """Let the record be what the best line says; the difference, in words."""
        line, old = tracker.best, self.record.moves
        if line.moves == old:
            return []
        kept = self.record.change(t_us, line.moves)
        self._changed_us = t_us
        said: list[Action] = []
        if len(line.moves) < len(old) or kept < self.final:
            said.append(TakenBack(t_us, len(old) - kept))
            self.final = min(self.final, kept)
            old = old[:kept]
        provisional = contested(tracker)
        for ply, before in _steps_of(line, kept):
            move = line.moves[ply]
            san = format_san(before.position, move)
            if ply >= len(old):
                said.append(Moved(t_us, ply + 1, move.uci(), san, provisional))
            elif old[ply] != move:
                said.append(Amended(t_us, ply + 1, move.uci(), san))
        if len(line.moves) > kept and line.position.is_check():
            said.append(Checked(t_us, line.position.king(line.position.turn)))
        return said

    def finalise(self, t_us: int, tracker: Tracker, waited_us: int = 0) -> list[Action]:
        """Plies that have become final by ``t_us``, or would in ``waited_us`` more."""
        moves = self.record.moves
        stood_us = t_us + waited_us - self._changed_us
        if _is_over(tracker, t_us + waited_us, stood_us):
            agreed = len(moves)
        else:
            agreed = min(_alike(line.moves, moves) for line in tracker.lines)
        return self._finalise(t_us, agreed)

    def conclude(self, t_us: int) -> list[Action]:
        """The game has been decided: all of its plies are final."""
        return self._finalise(t_us, len(self.record.moves))

    def _finalise(self, t_us: int, plies: int) -> list[Action]:
        moves = self.record.moves
        said: list[Action] = [
            Finalised(t_us, ply + 1, moves[ply].uci()) for ply in range(self.final, plies)
        ]
        self.final = max(self.final, plies)
        return said

    def deadlines_us(self) -> list[int]:
        """When the last ply may become final by standing."""
        if self.final == len(self.record.moves):
            return []
        return [self._changed_us + REPLY_US, self._changed_us + FINAL_US]


def rivals(tracker: Tracker) -> list[Line]:
    """Lines that tell the plies so far otherwise and are nearly as credible as the best."""
    best = tracker.best
    least = tracker.credit(best) - RIVAL
    return [
        line
        for line in tracker.lines
        if line is not best
        and line.moves[: len(best.moves)] != best.moves
        and tracker.credit(line) >= least
    ]


def contested(tracker: Tracker) -> bool:
    """Whether the best line has a rival."""
    return bool(rivals(tracker))


def _is_over(tracker: Tracker, t_us: int, stood_us: int) -> bool:
    """Whether the wait for the last ply is over: it has stood, or the opponent has lifted."""
    line, settled = tracker.best, tracker.trace.now
    own = line.switches(line.position.men(line.position.turn))
    lifted = line.expected & ~settled
    if settled & ~line.expected or lifted & ~own or contested(tracker):
        return False
    choosing_us = open_until_us(line, tracker.trace)
    if choosing_us is not None and choosing_us > t_us:
        return False
    return stood_us >= (REPLY_US if lifted else FINAL_US)


def _alike(one: tuple[Move, ...], other: tuple[Move, ...]) -> int:
    """Plies at the beginning of two games in which hands did the same, whatever a pawn became."""
    alike = 0
    for mine, theirs in zip(one, other, strict=False):
        if mine is not theirs and (mine.steps(), mine.victim) != (theirs.steps(), theirs.victim):
            break
        alike += 1
    return alike


def _steps_of(line: Line, since: int) -> list[tuple[int, Line]]:
    """(ply index, line before that ply) of the plies from index ``since`` on, oldest first."""
    steps = []
    ply = len(line.moves)
    while ply > since and line.parent is not None:
        ply -= 1
        line = line.parent
        steps.append((ply, line))
    return steps[::-1]
