"""The recorder: the one writer of a game's record.

It records what the best hypothesis says and announces what has changed; for all else others ask it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from operator import eq

from boardfw.game.clock import TimeControl
from boardfw.game.events import Action, Amended, Checked, Finalised, Moved, TakenBack
from boardfw.game.final import (
    HELD_US,
    Standing,
    is_clear,
    is_lesser,
    left_together,
    made,
    standing,
    wait_us,
)
from boardfw.game.question import contested, is_chosen, is_guessed, rivals_at_last, told_alike
from boardfw.game.record import ClockSet, PlyTime, Record, Ruled, Undone
from boardfw.inference.choice import is_loose, open_until_us
from boardfw.inference.evidence import PATIENCE_US, REST_US
from boardfw.inference.hypothesis import Hypothesis
from boardfw.inference.kings_result import is_kings_step
from boardfw.inference.tracker import Tracker
from boardfw.notation.pgn import Game
from boardfw.notation.san import format_san
from boardfw.rules import Move, Outcome
from boardfw.rules.move import alike, common
from boardfw.sensing.trace import Trace

OPPOSED_US = 500_000
"""The evidence against a final ply must last this long: a hand may touch a piece in passing."""

UNCLEAR_US = 3_000_000
"""The same while something stands otherwise than that evidence says."""

AT_ONCE = 2
"""More plies than this that become known at once may be no play: what follows decides."""

IDLE_US = 60_000_000
"""A new piece hardly stands idle for longer."""
CONFIRM = 2
"""Plies that confirm what replaces a final ply, or an unseen capture."""


class Recorder:
    """Writes one game's record, and keeps it in step with the tracker."""

    def __init__(self, record: Record, final: int = 0) -> None:
        self.record = record
        self.final = final
        """Plies that only a take-back can undo."""
        self.doubted_until_us = 0
        """Before this the last ply is not final: it may yet be taken back for good reason."""
        self._retold = 0
        """How many plies there were when final ones among them last changed,"""
        self._retold_until_us = 0
        """and until when that is doubted without a reply."""
        self._changed_us = record.started_us
        self._due_us: int | None = None
        self._opposed_us: int | None = None
        """Since when the best hypothesis has contradicted a final ply."""
        self._unopposed = 0
        """How many final plies it leaves as they are."""
        self._overturn_us = 0
        self._hypothesis: Hypothesis | None = None
        self._made = Standing()
        self._undisputed: tuple[Move, ...] | None = None
        """The plies before which no rival as long parts from the game; None: all of them."""

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

    # --- what the best hypothesis says

    def follow(self, t_us: int, tracker: Tracker, *, setting_up: bool = False) -> list[Action]:
        """Let the record be what the best hypothesis says; return the difference as actions.

        ``setting_up``: pieces may be being set up, so no final ply is undone before a hypothesis
        explains all that stands on the board.
        """
        hypothesis, old = tracker.best, self.record.moves
        if alike(hypothesis.moves, old):
            self._opposed_us = None
            return []
        if self._opposes_too_early(t_us, tracker, setting_up=setting_up):
            return []
        self._opposed_us = None
        if self._is_surprising(tracker):
            self._retold, self._retold_until_us = len(hypothesis.moves), t_us + HELD_US
        kept = self.change(t_us, hypothesis.moves)
        self._changed_us = t_us
        said: list[Action] = []
        if len(hypothesis.moves) < len(old) or kept < self.final:
            said.append(TakenBack(t_us, len(old) - kept))
            self.final = min(self.final, kept)
            tracker.trust(old[: self.final])
            old = old[:kept]
        provisional = contested(tracker)
        for before, after in reversed([*hypothesis.plies_since(kept)]):
            ply, move = len(before.moves), after.moves[-1]
            san = format_san(before.position, move)
            if ply >= len(old):
                said.append(Moved(t_us, ply + 1, move.uci(), san, provisional))
            elif old[ply].uci() != move.uci():  # en passant or not, it is written alike
                said.append(Amended(t_us, ply + 1, move.uci(), san))
        if len(hypothesis.moves) > kept and hypothesis.position.is_check():
            said.append(Checked(t_us, hypothesis.position.king(hypothesis.position.turn)))
        return said

    def _is_surprising(self, tracker: Tracker) -> bool:
        """Whether what the best hypothesis says needs further plies to confirm it.

        Many plies become known at once, or plies change that were not undone by hand: final ones by
        a new ply or by a king that comes to the centre, where it may show the result, or one whose
        piece has stood untouched since the hands last rested.
        """
        hypothesis, trace, old = tracker.best, tracker.trace, self.record.moves
        kept = common(old, hypothesis.moves)
        if kept == len(old):
            return len(hypothesis.moves) - kept > AT_ONCE
        if any(is_chosen(ply) for _, ply in hypothesis.plies_since(kept)):
            return False  # the players have said so
        if kept < self.final and (
            len(hypothesis.moves) > len(old) or is_kings_step(hypothesis, has_stood=True)
        ):
            return True
        if kept == len(hypothesis.moves) or set(old[kept].steps()) <= set(
            hypothesis.moves[kept].steps()
        ):
            return False  # plies were undone, a pawn became another piece, a rook has castled
        rested_us = tracker.now_us - REST_US
        ends = [target for _, target in hypothesis.steps(old[kept])]
        return all(
            trace.is_closed(end) and (trace.last_edge_us(end) or 0) <= rested_us for end in ends
        )

    def _opposes_too_early(self, t_us: int, tracker: Tracker, *, setting_up: bool) -> bool:
        """Whether a passing touch, or no play at all, would undo a final ply."""
        hypothesis = tracker.best
        kept = common(self.record.moves, hypothesis.moves)
        if kept >= self.final:
            return False
        if self._opposed_us is None or kept < self._unopposed:
            self._opposed_us, self._unopposed = t_us, kept
        standing = tracker.trace.now
        # A switch believed dead shows nothing either.
        unclear = bool(hypothesis.expected ^ standing)
        self._overturn_us = self._opposed_us + (UNCLEAR_US if unclear else OPPOSED_US)
        return t_us < self._overturn_us or (setting_up and bool(hypothesis.wrong(standing)))

    def finalise(self, t_us: int, tracker: Tracker, waited_us: int = 0) -> list[Action]:
        """Plies that have become final by ``t_us``, or would in ``waited_us`` more."""
        moves = self.record.moves
        if self.final >= len(moves) or self._opposed_us is not None or tracker.is_disturbed:
            return []
        self._undisputed = self._agreed_by_rivals(tracker)
        if tracker.trace.clouded_us is not None:
            self._due_us = None
            return []  # what was not seen stays open, however long it stands
        if tracker.best.state.before & tracker.best.wrong(tracker.trace.now):
            self._due_us = None
            return []  # something has stood wrong since before the last ply
        said = self._finalise(t_us, self._agreed(t_us, t_us + waited_us, tracker))
        tracker.trust(moves[: self.final])
        return said

    def _agreed_by_rivals(self, tracker: Tracker) -> tuple[Move, ...] | None:
        """The plies on which all rivals agree that are as long as the game; None: all plies."""
        told = self.record.moves
        parting = [common(told, one.moves) for one in rivals_at_last(tracker)]
        return told[: min(parting)] if parting else None

    def _agreed(self, t_us: int, until_us: int, tracker: Tracker) -> int:
        """How many plies are final at ``until_us``, if nothing happens."""
        self._due_us = self._final_us(tracker)
        plies = len(self.record.moves)
        if self._is_retold(t_us, tracker.best):
            if self._due_us is not None:
                self._due_us = max(self._due_us, self._retold_until_us)
            return self.final
        if self._due_us is not None and self._due_us <= until_us:
            return plies
        if min(len(hypothesis.moves) for hypothesis in tracker.hypotheses) <= self.final:
            return self.final  # nearly always: the game without the last ply is still alive
        alike = told_alike(tracker, self.record.moves, self.final)
        # The last ply is final by standing alone.
        return min(alike, self._meant(t_us, tracker), plies - 1)

    def _meant(self, t_us: int, tracker: Tracker) -> int:
        """How many plies come before one that was perhaps not meant, and before two whose pieces
        were lifted together."""
        unmeant = [len(ply.moves) - 1 for ply, held_us in self._unmeant(tracker) if held_us > t_us]
        hypothesis = tracker.best
        return min([len(hypothesis.moves) - 2 * left_together(hypothesis), *unmeant])

    def _unmeant(self, tracker: Tracker) -> Iterator[tuple[Hypothesis, int]]:
        """Plies that were perhaps not meant, and until when: a pawn became a lesser piece, or a
        capture was not seen and further plies have not confirmed it."""
        hypothesis = tracker.best
        for _, node in hypothesis.plies_since(self.final):
            is_confirmed = len(hypothesis.moves) >= len(node.moves) + CONFIRM
            if _may_be_loose(node, tracker):
                # An opponent that is not at the board is told in the end.
                yield node, node.state.landed_us + (HELD_US if node.is_told else IDLE_US)
            elif is_lesser(node) or (is_guessed(node) and not is_confirmed):
                # An opponent that is not at the board confirms nothing before it is told.
                held_us = PATIENCE_US if node.is_told and is_guessed(node) else HELD_US
                yield node, node.state.landed_us + held_us

    def _is_retold(self, t_us: int, hypothesis: Hypothesis) -> bool:
        """Whether final plies have changed and no two clear plies have confirmed that yet."""
        if t_us >= self._retold_until_us:
            return False  # nearly always
        confirming = [ply for _, ply in hypothesis.plies_since(self._retold) if is_clear(ply)]
        return len(confirming) < CONFIRM

    def _final_us(self, tracker: Tracker) -> int | None:
        """When the last ply is final, if everything stays as it is; None if it will not be."""
        hypothesis = tracker.best
        if hypothesis is not self._hypothesis:
            self._hypothesis, self._made = hypothesis, made(hypothesis)
        wait = wait_us(standing(self._made, tracker))
        if wait is None:
            self._changed_us = max(self._changed_us, tracker.now_us)  # it has not stood like this
        stood_us = self._stood_us(tracker)
        return None if wait is None else max(stood_us + wait, self._open_until_us(tracker))

    def _open_until_us(self, tracker: Tracker) -> int:
        """Until when the last ply may still be chosen otherwise, or doubted."""
        held_us = [
            until_us
            for ply, until_us in self._unmeant(tracker)
            # A ply after it stands in any case, but where a lost contact may have chosen.
            if ply is tracker.best or not is_lesser(ply) or _may_be_loose(ply, tracker)
        ]
        return max(
            [open_until_us(tracker.best, tracker.trace) or 0, self.doubted_until_us, *held_us]
        )

    def _stood_us(self, tracker: Tracker) -> int:
        """Since when the last ply is known and its pieces stand."""
        hypothesis = tracker.best
        edges = map(tracker.trace.last_edge_us, hypothesis.targets())
        return max([self._changed_us, *(t_us for t_us in edges if t_us is not None)])

    def conclude(self, t_us: int, hypothesis: Hypothesis, trace: Trace) -> list[Action]:
        """Finalise the plies of a decided game, as ``hypothesis`` tells them.

        Not those from a doubtful unseen capture on, nor from where a rival parted from the game
        when the board last showed both, and none if they were guessed.
        """
        if trace.clouded_us is not None:
            return []
        plies = hypothesis.plies_since(self.final)
        doubtful = [len(before.moves) for before, after in plies if made(after).unshown]
        if self._undisputed is not None:
            doubtful.append(common(self.record.moves, self._undisputed))
        return self._finalise(t_us, min([len(self.record.moves), *doubtful]))

    def _finalise(self, t_us: int, plies: int) -> list[Action]:
        moves = self.record.moves
        said: list[Action] = [
            Finalised(t_us, ply + 1, moves[ply].uci()) for ply in range(self.final, plies)
        ]
        self.final = max(self.final, plies)
        return said

    @property
    def deadline_us(self) -> int | None:
        """When the last ply becomes final by standing, or a final one is undone."""
        if self._opposed_us is not None:
            return self._overturn_us
        return None if self.final == len(self.record.moves) else self._due_us


def _goes_on(old: Move, new: tuple[Move, ...]) -> bool:
    """Whether the hand only went on: slid further, captured after all, or moved a second piece."""
    return any(
        {step[0] for step in old.steps()} <= {step[0] for step in move.steps()} for move in new
    )


def _replaced(old: tuple[Move, ...], new: tuple[Move, ...], kept: int) -> tuple[Move, ...]:
    """The plies that are no longer played, from ply ``kept`` to the next on which both agree."""
    agree = (ply for ply in range(kept + 1, min(len(old), len(new))) if old[ply] == new[ply])
    return old[kept : next(agree, len(old))]


def _may_be_loose(ply: Hypothesis, tracker: Tracker) -> bool:
    """Whether a lost contact may have chosen a lesser piece, which nobody has touched since."""
    if not is_lesser(ply) or not is_loose(ply, tracker.trace):
        return False
    square, later = ply.moves[-1].target, tracker.best.moves[len(ply.moves) :]
    return not any(square in (move.origin, move.target) for move in later)
