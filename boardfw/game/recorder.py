"""The recorder: the one writer of a game's record.

It records what is read and announces what has changed; for all else others ask it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from operator import eq

from boardfw.game.clock import TimeControl
from boardfw.game.events import Action, Amended, Checked, Finalised, Moved, TakenBack
from boardfw.game.record import ClockSet, PlyTime, Record, Ruled, Undone
from boardfw.inference import Interpretation
from boardfw.notation.pgn import Game
from boardfw.notation.san import format_san
from boardfw.rules import Move, Outcome
from boardfw.rules.move import common


class Recorder:
    """Writes one game's record, and keeps it in step with what is read."""

    def __init__(self, record: Record, final: int = 0) -> None:
        self.record = record
        self.final = final
        """Plies that only a take-back can undo."""

    # --- what others ask for

    def change(self, t_us: int, moves: tuple[Move, ...], times_us: tuple[int, ...] = ()) -> int:
        """Let the game be these moves from now on; return how many plies stayed as they were.

        ``times_us``: when each became known; empty: those that are new are known now.
        """
        record = self.record
        kept = common(record.moves, moves)
        if kept < len(record.moves) and not _goes_on(record.moves[kept], moves[kept : kept + 1]):
            self._undo(t_us, kept, moves)
        stays = map(eq, record.moves[kept:], moves[kept:])
        times = [t if s else t_us for s, t in zip(stays, record.times_us[kept:], strict=False)]
        times += [t_us] * (len(moves) - kept - len(times))
        record.times_us = times_us or (*record.times_us[:kept], *times)
        record.moves = moves
        return kept

    def _undo(self, t_us: int, kept: int, moves: tuple[Move, ...]) -> None:
        """Keep plies taken back one after the other, with none played in between, as one entry."""
        record = self.record
        undone, plies = _replaced(record.moves, moves, kept), len(record.moves)
        if record.history and record.history[-1].ply == plies == kept + len(undone):
            undone += record.history.pop().moves
        record.history.append(Undone(t_us, kept, undone))

    def take_back(self, t_us: int) -> None:
        """Take the last ply back, and the end that it may have brought."""
        self.change(t_us, self.record.moves[:-1])
        self.end(None)
        self.forget_presses(min(len(self.record.moves), len(self.record.ply_times)))

    def rule(
        self,
        ruled: Ruled,
        moves: tuple[Move, ...],
        times_us: tuple[int, ...],
        illegal: Iterable[int],
    ) -> None:
        """Let the game be what an arbiter has decided; ``illegal``: the plies that stand so."""
        record = self.record
        record.rulings.append(ruled)
        record.moves, record.times_us = moves, times_us
        record.let_stand |= {moves[: ply + 1] for ply in illegal}

    def end(self, outcome: Outcome | None) -> None:
        """Let the game have ended like this; None: it goes on."""
        self.record.outcome = outcome

    def use_clock(self, control: TimeControl | None) -> None:
        """Let the game be played with this time control, before its first ply."""
        self.record.control = control
        self.note_clock((), ())

    def note_clock(self, ply_times: Iterable[PlyTime], sets: Iterable[ClockSet]) -> None:
        """Let this be what the clock has said of the plies, and how arbiters have set it."""
        self.record.ply_times, self.record.clock_sets = tuple(ply_times), tuple(sets)

    def annotate(self, annotations: Game) -> None:
        """Keep what a file says about the moves of its game."""
        self.record.annotations = annotations

    def set_clock(self, kept: int, last: ClockSet) -> None:
        """An arbiter has set the clock, after a change of its presses behind the first ``kept``."""
        sets = self.record.clock_sets
        before = (one for one in sets if one.presses <= kept and one.presses < last.presses)
        self.record.clock_sets = (*before, last)

    def forget_presses(self, kept: int) -> None:
        """Forget what the clock has said after its first ``kept`` presses, and how it was set."""
        record = self.record
        sets = (one for one in record.clock_sets if one.presses <= kept)
        self.note_clock(record.ply_times[:kept], sets)

    def shift(self, by_us: int) -> None:
        """Let all times count from another instant."""
        record = self.record
        record.started_us += by_us
        record.times_us = tuple(t_us + by_us for t_us in record.times_us)
        record.history = [replace(one, t_us=one.t_us + by_us) for one in record.history]
        record.rulings = [replace(one, t_us=one.t_us + by_us) for one in record.rulings]

    # --- what is read

    def follow(self, t_us: int, read: Interpretation) -> list[Action]:
        """Let the record be the plies that were read; return the difference as actions."""
        game, old = read.game, self.record.moves
        if read.moves is old:
            return []  # nearly always
        kept = self.change(t_us, game.moves)
        said: list[Action] = []
        if len(game.moves) < len(old) or kept < self.final:
            said.append(TakenBack(t_us, len(old) - kept))
            self.final = min(self.final, kept)
            old = old[:kept]
        for before, after in reversed([*game.plies_since(kept)]):
            ply, move = len(before.moves), after.moves[-1]
            san = format_san(before.position, move)
            if ply >= len(old):
                said.append(Moved(t_us, ply + 1, move.uci(), san, bool(read.rivals)))
            elif old[ply].uci() != move.uci():  # en passant or not, it is written alike
                said.append(Amended(t_us, ply + 1, move.uci(), san))
        if len(game.moves) > kept and game.position.is_check():
            said.append(Checked(t_us, game.position.king(game.position.turn)))
        return said

    def finalise(self, t_us: int, plies: int) -> list[Action]:
        """Take note that so many plies are final; return what is to be said."""
        moves = self.record.moves
        said: list[Action] = [
            Finalised(t_us, ply + 1, moves[ply].uci()) for ply in range(self.final, plies)
        ]
        self.final = max(self.final, plies)
        return said


def _goes_on(old: Move, new: tuple[Move, ...]) -> bool:
    """Whether the hand only went on: slid further, captured after all, or moved a second piece."""
    return any(
        {step[0] for step in old.steps()} <= {step[0] for step in move.steps()} for move in new
    )


def _replaced(old: tuple[Move, ...], new: tuple[Move, ...], kept: int) -> tuple[Move, ...]:
    """The plies that are no longer played, from ply ``kept`` to the next on which both agree."""
    agree = (ply for ply in range(kept + 1, min(len(old), len(new))) if old[ply] == new[ply])
    return old[kept : next(agree, len(old))]
