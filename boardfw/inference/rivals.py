"""The rivals of the best game: other games that are nearly as credible."""

from __future__ import annotations

import operator

from boardfw.inference.evidence import PATIENCE_US, RIVAL, RIVAL_OF_FINAL, Reason
from boardfw.inference.hypothesis import Hypothesis
from boardfw.inference.tracker import Tracker
from boardfw.rules import Move


def near(tracker: Tracker, margin: float = RIVAL) -> list[Hypothesis]:
    """The hypotheses alive whose score is this near to the best one's, itself among them."""
    least = tracker.score_of(tracker.best) - margin
    return [
        hypothesis for hypothesis in tracker.hypotheses if tracker.score_of(hypothesis) >= least
    ]


def rivals(tracker: Tracker, margin: float = RIVAL) -> list[Hypothesis]:
    """Hypotheses that differ in the plies so far and are nearly as credible as the best."""
    told = tracker.best.moves
    return [hypothesis for hypothesis in near(tracker, margin) if not hypothesis.begins_with(told)]


def opposed(tracker: Tracker) -> bool:
    """Whether another game is too near for the last ply to be final.

    Games that differ only in what a pawn became do not count: put-backs decide that.
    """
    others = rivals(tracker, RIVAL_OF_FINAL)
    if not others:
        return False  # nearly always
    if tracker.best.is_told and tracker.now_us - tracker.trace.t_us >= PATIENCE_US:
        return bool(rivals_at_last(tracker))
    told = tracker.best.moves
    return contested(tracker) or any(
        not _by_the_same_hands(hypothesis.moves, told) for hypothesis in others
    )


def rivals_at_last(tracker: Tracker) -> list[Hypothesis]:
    """The rivals of a ply that the opponent who is to reply has to be told of.

    No reply will confirm it, so it is held against those only that are as long and want no piece
    to be moved yet: in the others one has been in a hand for longer than anybody thinks with it.
    What a pawn became is then what the put-backs have chosen.
    """
    told = tracker.best.moves
    return [
        one
        for one in rivals(tracker)
        if len(one.moves) == len(told) and not one.owed and not _by_the_same_hands(one.moves, told)
    ]


def same_hands(one: Move, other: Move) -> bool:
    """Whether two moves are the same by hand, whatever a pawn becomes."""
    return one is other or (one.steps(), one.captured) == (other.steps(), other.captured)


def _by_the_same_hands(moves: tuple[Move, ...], told: tuple[Move, ...]) -> bool:
    return len(moves) >= len(told) and all(map(same_hands, moves, told))


def told_alike(tracker: Tracker, told: tuple[Move, ...], final: int) -> int:
    """How many plies of ``told`` are the same in every game alive, beyond those that are final.

    Only a rival has to agree in what a pawn becomes as well.
    """
    near, fewest = rivals(tracker), len(told)
    for hypothesis in tracker.hypotheses:
        same = operator.is_ if hypothesis in near else same_hands
        alike, most = final, min(fewest, len(hypothesis.moves))
        while alike < most and same(told[alike], hypothesis.moves[alike]):
            alike += 1
        fewest = alike
    return fewest


def contested(tracker: Tracker) -> bool:
    """Whether the best hypothesis has a rival."""
    return bool(rivals(tracker))


def is_guessed(hypothesis: Hypothesis) -> bool:
    """Whether the last ply is a capture supported by nothing but its likelihood.

    Its square never opened, and its piece may be in a hand; later play or an answer decides.
    """
    answered = any(finding.reason is Reason.ANSWERED for finding in hypothesis.state.found)
    return hypothesis.is_unseen and not (answered or is_chosen(hypothesis))


def is_chosen(hypothesis: Hypothesis) -> bool:
    """Whether players have chosen the last ply by a button, asked which one it was."""
    return any(finding.reason is Reason.CHOSEN for finding in hypothesis.state.found)


def rival_captures(tracker: Tracker) -> list[Hypothesis]:
    """The games in which the piece of the last ply has captured another piece instead."""
    best = tracker.best
    return [
        one
        for one in tracker.hypotheses
        if len(one.moves) == len(best.moves)
        and one.parent is best.parent
        and one.moves[-1].origin == best.moves[-1].origin
        and one.moves[-1].captured not in (None, best.moves[-1].captured)
    ]
