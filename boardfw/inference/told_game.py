"""The game as it is told: which plies, and how many of them are final.

It follows the best hypothesis at once, but for a final ply: that is undone only when what speaks
against it has lasted.
"""

from __future__ import annotations

from collections.abc import Iterator

from boardfw.inference.choice import is_loose, open_until_us
from boardfw.inference.evidence import PATIENCE_US, REST_US
from boardfw.inference.final import (
    HELD_US,
    Standing,
    is_clear,
    is_lesser,
    left_together,
    made,
    standing,
    wait_us,
)
from boardfw.inference.hypothesis import Hypothesis
from boardfw.inference.interpretation import RecordedPlies
from boardfw.inference.kings_result import is_kings_step
from boardfw.inference.rivals import is_chosen, is_guessed, rivals_at_last, told_alike
from boardfw.inference.tracker import Tracker
from boardfw.rules import Move
from boardfw.rules.move import alike, common

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


class ToldGame:
    """The plies that are told of one game, kept in step with the tracker."""

    def __init__(self, recorded: RecordedPlies) -> None:
        self.moves = recorded.moves
        self.final = recorded.final
        """Plies that only a take-back can undo."""
        self.doubted_until_us = 0
        """Before this the last ply is not final: it may yet be taken back for good reason."""
        self._retold = 0
        """How many plies there were when final ones among them last changed,"""
        self._retold_until_us = 0
        """and until when that is doubted without a reply."""
        self._changed_us = recorded.since_us
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

    def update(self, t_us: int, tracker: Tracker, *, setting_up: bool) -> None:
        """Let the game be what the best hypothesis says.

        ``setting_up``: pieces may be being set up, so no final ply is undone before a hypothesis
        explains all that stands on the board.
        """
        hypothesis, old = tracker.best, self.moves
        if alike(hypothesis.moves, old):
            self._opposed_us = None
            return
        if self._opposes_too_early(t_us, tracker, setting_up=setting_up):
            return
        self._opposed_us = None
        if self._is_surprising(tracker):
            self._retold, self._retold_until_us = len(hypothesis.moves), t_us + HELD_US
        kept = common(old, hypothesis.moves)
        self.moves, self._changed_us = hypothesis.moves, t_us
        if len(hypothesis.moves) < len(old) or kept < self.final:
            self.final = min(self.final, kept)
            tracker.trust(old[: self.final])

    def _is_surprising(self, tracker: Tracker) -> bool:
        """True if what the best hypothesis says needs further plies to confirm it.

        Many plies become known at once, or plies change that were not undone by hand: final ones by
        a new ply or by a king that comes to the centre, where it may show the result, or one whose
        piece has stood untouched since the hands last rested.
        """
        hypothesis, old = tracker.best, self.moves
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
        return _stands_untouched(old[kept], tracker)

    def _opposes_too_early(self, t_us: int, tracker: Tracker, *, setting_up: bool) -> bool:
        """True if a passing touch, or no play at all, would undo a final ply."""
        hypothesis = tracker.best
        kept = common(self.moves, hypothesis.moves)
        if kept >= self.final:
            return False
        if self._opposed_us is None or kept < self._unopposed:
            self._opposed_us, self._unopposed = t_us, kept
        standing = tracker.trace.now
        # A switch believed dead shows nothing either.
        unclear = bool(hypothesis.expected ^ standing)
        self._overturn_us = self._opposed_us + (UNCLEAR_US if unclear else OPPOSED_US)
        return t_us < self._overturn_us or (setting_up and bool(hypothesis.wrong(standing)))

    def finalise(self, t_us: int, tracker: Tracker, waited_us: int = 0) -> None:
        """Find the plies that have become final by ``t_us``, or would in ``waited_us`` more."""
        moves = self.moves
        if self.final >= len(moves) or self._opposed_us is not None or tracker.is_disturbed:
            return
        self._undisputed = self._agreed_by_rivals(tracker)
        if tracker.trace.clouded_us is not None:
            self._due_us = None
            return  # what was not seen stays open, however long it stands
        if tracker.best.state.before & tracker.best.wrong(tracker.trace.now):
            self._due_us = None
            return  # something has stood wrong since before the last ply
        self.final = max(self.final, self._agreed(t_us, t_us + waited_us, tracker))
        tracker.trust(moves[: self.final])

    def _agreed_by_rivals(self, tracker: Tracker) -> tuple[Move, ...] | None:
        """The plies on which all rivals agree that are as long as the game; None: all plies."""
        told = self.moves
        parting = [common(told, one.moves) for one in rivals_at_last(tracker)]
        return told[: min(parting)] if parting else None

    def _agreed(self, t_us: int, until_us: int, tracker: Tracker) -> int:
        """How many plies are final at ``until_us``, if nothing happens."""
        self._due_us = self._final_us(tracker)
        plies = len(self.moves)
        if self._is_retold(t_us, tracker.best):
            if self._due_us is not None:
                self._due_us = max(self._due_us, self._retold_until_us)
            return self.final
        if self._due_us is not None and self._due_us <= until_us:
            return plies
        if min(len(hypothesis.moves) for hypothesis in tracker.hypotheses) <= self.final:
            return self.final  # nearly always: the game without the last ply is still alive
        alike = told_alike(tracker, self.moves, self.final)
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
        """True if final plies have changed and no two clear plies have confirmed that yet."""
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

    def conclude(self, tracker: Tracker) -> None:
        """Finalise the plies of a decided game, as the best hypothesis tells them.

        Not those from a doubtful unseen capture on, nor from where a rival parted from the game
        when the board last showed both, and none if they were guessed.
        """
        if tracker.trace.clouded_us is not None:
            return
        plies = tracker.best.plies_since(self.final)
        doubtful = [len(before.moves) for before, after in plies if made(after).unshown]
        if self._undisputed is not None:
            doubtful.append(common(self.moves, self._undisputed))
        self.final = max(self.final, min([len(self.moves), *doubtful]))

    @property
    def deadline_us(self) -> int | None:
        """When the last ply becomes final by standing, or a final one is undone."""
        if self._opposed_us is not None:
            return self._overturn_us
        return None if self.final == len(self.moves) else self._due_us


def _may_be_loose(ply: Hypothesis, tracker: Tracker) -> bool:
    """True if a lost contact may have chosen a lesser piece, which nobody has touched since."""
    if not is_lesser(ply) or not is_loose(ply, tracker.trace):
        return False
    square, later = ply.moves[-1].target, tracker.best.moves[len(ply.moves) :]
    return not any(square in (move.origin, move.target) for move in later)


def _stands_untouched(move: Move, tracker: Tracker) -> bool:
    """True if the pieces of a ply have stood where it put them since the hands last rested."""
    trace, rested_us = tracker.trace, tracker.now_us - REST_US
    return all(
        trace.is_closed(end) and (trace.last_edge_us(end) or 0) <= rested_us
        for _, end in tracker.best.steps(move)
    )
