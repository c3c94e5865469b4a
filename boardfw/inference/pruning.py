"""Which hypotheses stay alive, and which dead switches would explain a board that makes no sense.

The best hypothesis of each position stays, and those that are its equals. A stuck switch hides one
end of a piece's path; or a switch reads wrong by itself, and no piece has been there at all.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import TypeAlias

from boardfw.inference.evidence import EDGE, EQUAL, Reason
from boardfw.inference.hypothesis import Hypothesis
from boardfw.inference.kings_result import comes_to_the_centre
from boardfw.rules.move import Move
from boardfw.rules.position import Position
from boardfw.sensing.trace import Trace
from boardfw.squares import Occupancy, Orientation, Switch, occupancy_of, switches_in

WIDTH = 24
"""The most hypotheses kept alive, beside those that were credible at the last rest."""
MARGIN = 7.6
"""Hypotheses further behind the best are dropped: more than five quiet plies are worth."""
DOUBT = EDGE - Reason.DEAD.points
"""How far a hypothesis that believes in more dead switches than the best may be behind the best of
as many plies, since there are many of them: by the price of a switch, and one edge."""

Stand: TypeAlias = tuple[Position, Orientation, bool, bool, Occupancy]
"""Hypotheses that agree in this go on alike."""


def prune(
    ranked: Mapping[Hypothesis, float], credible: Container[Hypothesis] = ()
) -> list[Hypothesis]:
    """The hypotheses that stay alive of these, given with their score, the most credible first.

    ``credible``: those that were so when the board was last at rest. They have to outlast a slide
    over several squares, which looks like several plies until it ends.
    """
    if len(ranked) == 1:
        return list(ranked)
    alive: list[Hypothesis] = []
    first: dict[Stand, tuple[float, Hypothesis]] = {}
    doubled: set[Stand] = set()
    best, best_worth = next(iter(ranked.items()))
    least, undoubted = best_worth - MARGIN, ~best.state.dead
    # An unfinished ply may yet go on otherwise, from a hypothesis that has not made it.
    as_long: dict[int, float] = {}
    for hypothesis, worth in ranked.items():
        first_worth = as_long.setdefault(len(hypothesis.moves), worth)
        is_near = worth >= least and len(alive) < WIDTH
        if not is_near and hypothesis not in credible and not _is_twin(hypothesis, alive):
            continue
        if hypothesis.state.dead & undoubted and worth < first_worth - DOUBT:
            continue
        stand = _stand(hypothesis)
        better = first.setdefault(stand, (worth, hypothesis))
        if better[1] is not hypothesis:
            # Another history of the same position, as credible: dropping it would be a guess.
            if stand in doubled or not _is_equal(better, worth, hypothesis):
                continue
            doubled.add(stand)
        alive.append(hypothesis)
    return alive


def _stand(hypothesis: Hypothesis) -> Stand:
    # A hypothesis that took a ply back has used edges that the one before it has not.
    state = hypothesis.state
    return hypothesis.position, hypothesis.orientation, hypothesis.owed, state.took_back, state.dead


def _is_twin(hypothesis: Hypothesis, alive: list[Hypothesis]) -> bool:
    """Whether one alive differs from it only in what the last pawn became.

    Put-backs may still choose it, and then it could not be found again.
    """
    if not hypothesis.moves or not hypothesis.moves[-1].promotion or hypothesis.state.took_back:
        return False  # nearly always
    squares = hypothesis.moves[-1].origin, hypothesis.moves[-1].target
    return any(
        other.parent is hypothesis.parent
        and len(other.moves) == len(hypothesis.moves)
        and (other.moves[-1].origin, other.moves[-1].target) == squares
        for other in alive
    )


def _is_equal(first: tuple[float, Hypothesis], worth: float, hypothesis: Hypothesis) -> bool:
    return (
        first[0] - worth < EQUAL
        and len(hypothesis.moves) == len(first[1].moves)
        and (hypothesis.moves != first[1].moves)
    )


# --- dead switches

FEW = 3
"""So many switches do not fail at once: with more of them wrong, something else is the matter."""

HIDDEN = 2 * EDGE + Reason.PLY.points + Reason.UNSEEN.points + Reason.DEAD.points
"""The most that a ply with one hidden end earns, less the price of the dead switch."""


def hidden_plies(hypothesis: Hypothesis, trace: Trace) -> Iterator[tuple[Move, Occupancy]]:
    """Legal moves, each with the dead switch that would have hidden one end of it."""
    wrong = hypothesis.wrong(trace.now)
    own = hypothesis.own
    told = wrong & (trace.now | own) | _put_back(hypothesis)
    if not told or wrong.bit_count() > 2 * FEW or comes_to_the_centre(hypothesis, trace):
        return
    orientation = hypothesis.orientation
    squares, stands = orientation.squares(told), orientation.squares(trace.now)
    for move in hypothesis.legal_moves():
        if not move.touched & squares and (
            move.captured is None or not squares >> move.captured & 1
        ):
            continue  # nearly always
        left = reached = 0
        for origin, target in move.steps():
            left |= 1 << origin
            reached |= 1 << target
        silent = orientation.switches(left & ~reached & stands | reached & ~stands)
        if silent.bit_count() == 1 and _is_mute(hypothesis, trace, next(switches_in(silent))):
            yield move, silent


def _put_back(hypothesis: Hypothesis) -> Occupancy:
    """Switches whose pieces were put back since the last ply, or captured there."""
    state = hypothesis.state
    return occupancy_of(
        one.switch
        for one in (*state.adjusted.values(), *state.put_back)
        if one.stood_us > state.landed_us
    )


def wrong_readings(hypothesis: Hypothesis, trace: Trace) -> Iterator[Occupancy]:
    """Switches that may be wrong by themselves, while the game goes on around them.

    They include those with an edge still pending after the reply that have never moved.
    """
    lasting = (hypothesis.wrong(trace.now) & hypothesis.lasting) | (
        hypothesis.overdue & ~trace.moved
    )
    if lasting and lasting.bit_count() <= FEW and not comes_to_the_centre(hypothesis, trace):
        yield from (1 << switch for switch in switches_in(lasting))


def _is_mute(hypothesis: Hypothesis, trace: Trace, switch: Switch) -> bool:
    """Whether a switch has been silent since the hypothesis last used it."""
    last_us = trace.last_edge_us(switch)
    return last_us is None or last_us <= hypothesis.used_us(switch)
