"""Finds the game that the kings end when they show a result in the centre.

A king on its way to the centre looks like a move, so the game that was told before the first king
was lifted counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from boardfw.inference.evidence import PATIENCE_US, REST_US
from boardfw.inference.final import made, wait_us
from boardfw.inference.hypothesis import Hypothesis
from boardfw.inference.kings_result import (
    CENTRE,
    CENTRE_SWITCHES,
    before_kings,
    comes_to_the_centre,
    is_kings_step,
    kings_result,
    lifts_first_king,
)
from boardfw.inference.tracker import Tracker
from boardfw.rules import Move
from boardfw.rules.move import alike, common
from boardfw.sensing.debounce import Edge
from boardfw.sensing.trace import Trace

ROOM_US = 3_000_000
"""A piece that makes room for a king leaves at most this long before a king is lifted."""


class KingsShown:
    """What the kings of one game show, or may be about to show."""

    def __init__(self) -> None:
        self._told: tuple[Move, ...] = ()
        """The game that was told when the first king was lifted,"""
        self._touched_us = 0
        """when that was,"""
        self._first: Hypothesis | None = None
        """and the hypothesis that was the best then; None if it was another game."""
        self._goes_on = False
        """True if that king has come to the centre since, as it seems by another last ply."""

    def touch(
        self, edge: Edge, tracker: Tracker, told: tuple[Move, ...], stood: tuple[Move, ...]
    ) -> None:
        """Take note of an edge before it is applied.

        ``told``: the game so far; ``stood``: the one that the board showed at rest.
        """
        if not lifts_first_king(tracker.best, edge, tracker.trace):
            return
        best, first = tracker.best, self._first
        is_step = is_kings_step(best, has_stood=True)
        self._goes_on = bool(first and is_step and _is_amended(told, first.moves))
        if self._goes_on:
            return
        # A king that is slid is on the next square before it leaves its own, and what has just
        # moved may be told to have gone there.
        self._told = stood if _is_amended(told, stood) else told
        self._touched_us = edge.t_us
        self._first = best if alike(best.moves, self._told) else None

    def is_ending(self, tracker: Tracker, told: tuple[Move, ...]) -> bool:
        """True if the kings may be about to show the end of the game that is told."""
        return any(
            alike(hypothesis.moves, told) and comes_to_the_centre(hypothesis, tracker.trace)
            for hypothesis in tracker.hypotheses
        )

    def shown(
        self, tracker: Tracker, stood: Hypothesis, final: tuple[Move, ...]
    ) -> tuple[Hypothesis, str] | None:
        """The game whose result the kings show, and that result.

        It has all ``final`` plies, and blames no switch without need. A step on the way to the
        centre that was read as a king's move does not count, unless it is final.
        """
        if (tracker.trace.now & CENTRE_SWITCHES).bit_count() < 2:
            return None  # nearly always, at the start and the end of a game
        if _has_gone_elsewhere(tracker):
            return None
        shown = []
        for hypothesis in self._games(tracker, final):
            before = before_kings(hypothesis, tracker.trace)
            results = (
                kings_result(one, tracker.trace, tracker.now_us)
                for one in (hypothesis, before)
                if one
            )
            if result := next(filter(None, results), None):
                game = _without_kings_steps(hypothesis, stood, len(final), tracker.trace)
                shown.append((game, result))
        return max(
            shown,
            key=lambda one: (-one[0].state.dead.bit_count(), self._was_played(one[0])),
            default=None,
        )

    def _games(self, tracker: Tracker, final: tuple[Move, ...]) -> Iterator[Hypothesis]:
        """The games that the kings may end; handling may have outbid the best one."""
        best = tracker.best
        is_sliding = tracker.now_us - tracker.trace.t_us < PATIENCE_US and _may_be_slid(tracker)
        games = dict.fromkeys((best, *tracker.hypotheses))
        if self._first and self._goes_on:
            games[self._first] = None
        for hypothesis in games:
            is_odd = hypothesis is not best and (is_sliding or not hypothesis.has_told())
            if not (hypothesis.owed or is_odd) and hypothesis.begins_with(final):
                yield hypothesis

    def _was_played(self, hypothesis: Hypothesis) -> int:
        """How well a game agrees with what was told before the kings were touched.

        Among games that agree equally, the most credible one counts.
        """
        told = self._told
        if len(hypothesis.moves) == len(told) + 1 and hypothesis.begins_with(told[:-1]):
            # The ply that was told last may be the one that is in doubt after a capture unseen.
            # Making room for a king goes on with the king; an unseen capture does not. What comes
            # to a square later is a king.
            state = hypothesis.state
            has_landed = state.landed_us <= self._touched_us
            return 2 if has_landed and state.left_us + ROOM_US < self._touched_us else 0
        return int(hypothesis.moves == told)


def _without_kings_steps(
    hypothesis: Hypothesis, stood: Hypothesis, final: int, trace: Trace
) -> Hypothesis:
    """The game without king moves at its end that may have been on the way to the centre."""
    for before, after in hypothesis.plies_since(final):
        has_stood = stood.begins_with(after.moves) and not _went_on(after, trace)
        if not is_kings_step(after, has_stood=has_stood):
            return after
        hypothesis = before
    return hypothesis


def _is_amended(told: tuple[Move, ...], before: tuple[Move, ...]) -> bool:
    """True if a game is another one in its last ply alone."""
    return len(told) == len(before) == common(told, before) + 1


def _has_gone_elsewhere(tracker: Tracker) -> bool:
    """True if a king has captured outside the centre, as all that was seen and stands says.

    Then the other one may stand in the centre, and what is straightened beside it is no king.
    """
    best = tracker.best
    if not best.moves or best.parent is None or best.wrong(tracker.trace.now) or best.is_unseen:
        return False
    last, before = best.moves[-1], best.parent.position
    return last.origin == before.king(before.turn) and best.captured(last) not in (None, *CENTRE)


def _may_be_slid(tracker: Tracker) -> bool:
    """True if all that stands wrong in the best game may be a king over the border to the next
    square, where it may go."""
    best, now = tracker.best, tracker.trace.now
    wrong = best.orientation.squares(best.wrong(now))
    king = best.position.king(best.position.turn)
    return wrong.bit_count() == 1 and any(
        move.origin == king and wrong == 1 << move.target and move.rook_step is None
        for move in best.legal_moves()
    )


def _went_on(hypothesis: Hypothesis, trace: Trace) -> bool:
    """True if the piece of the last ply left its square again before the ply could be final."""
    # Whether the piece before it was knocked over together with it has nothing to do with that.
    state, wait = hypothesis.state, wait_us(replace(made(hypothesis), together=False))
    left_us = trace.opened_next(hypothesis.targets()[0], state.landed_us)
    if left_us is None or wait is None:
        return False
    stood_us = max(state.landed_us, state.left_us)
    # A slid piece is on the next square before it leaves, and is known only once the hands rest.
    return left_us - state.overlap_us - stood_us < wait + (
        REST_US if stood_us == state.left_us else 0
    )
