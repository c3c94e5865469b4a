"""How credible a hypothesis is now: what its plies earned, less what stands wrong at the moment."""

from __future__ import annotations

from collections.abc import Iterable

from boardfw.inference.choice import objection
from boardfw.inference.evidence import CARRIED_US, PATIENCE_US, REST_US, Reason
from boardfw.inference.hypothesis import NEVER_US, SWITCHES, Hypothesis, HypothesisState
from boardfw.sensing.trace import Trace
from boardfw.squares import NO_SWITCHES, Occupancy, Switch, occupancy_of

REFUNDS = {
    Reason.AWAY: Reason.RETURNED,
    Reason.VANISHED: Reason.RETURNED,
    Reason.FLED: Reason.STAYED,
}
"""What is refunded when a piece that was charged as absent is back: it was adjusted."""
IN_A_HAND = (Reason.KEPT, Reason.IDLE)
"""A piece may stay in a hand for as long as the player thinks."""

CHARGES = frozenset({Reason.STOOD, Reason.STILL, *REFUNDS, *REFUNDS.values(), *IN_A_HAND})
"""What a hypothesis pays at a rest, and gets back."""


def score_of(hypothesis: Hypothesis, trace: Trace, now_us: int) -> float:
    """The hypothesis's score, in settled edges."""
    against = objection(hypothesis, trace)
    earned = hypothesis.state.score + (against.points if against else 0.0)
    wrong = hypothesis.wrong(trace.now)
    if not wrong:
        return earned
    wrong &= ~hypothesis.pending
    own, away = hypothesis.own, 0.0
    for switch in SWITCHES[wrong & hypothesis.expected]:
        is_own = bool(own >> switch & 1)
        away += absence(hypothesis, trace, now_us, switch, own=is_own).points
    return earned + away + Reason.EXTRA.points * (wrong & trace.now).bit_count()


def next_change_us(hypotheses: Iterable[Hypothesis], trace: Trace, now_us: int) -> int | None:
    """When a score next changes by the passing of time alone; None if none does.

    All hypotheses are asked about the same switches, so each switch is looked at once.
    """
    wrong, is_told = NO_SWITCHES, False
    for hypothesis in hypotheses:
        wrong |= hypothesis.wrong(trace.now)
        is_told |= hypothesis.is_told
    if not wrong:
        return None
    missing = wrong & ~trace.now
    edges = [trace.last_edge_us(switch) for switch in SWITCHES[missing]]
    patience_us = (CARRIED_US, PATIENCE_US) if is_told else (PATIENCE_US,)
    times = [left_us + wait for left_us in edges if left_us is not None for wait in patience_us]
    times.append(trace.t_us + REST_US)
    return min([t_us for t_us in times if t_us > now_us], default=None)


def absence(
    hypothesis: Hypothesis, trace: Trace, now_us: int, switch: Switch, *, own: bool
) -> Reason:
    """What it means that a piece (``own``: of the side to move) is not over this switch."""
    left_us = trace.last_edge_us(switch)
    if left_us is None or left_us < hypothesis.state.left_us:
        return Reason.MISSING if hypothesis.may_go_on_to_take(switch) else Reason.ABSENT
    if now_us - left_us >= (CARRIED_US if own and hypothesis.is_told else PATIENCE_US):
        return Reason.GONE
    if not own:
        return Reason.MISSING
    return Reason.HELD if now_us - trace.t_us >= REST_US else Reason.IN_HAND


def charge(
    hypothesis: Hypothesis, trace: Trace, standing: Occupancy, rested_us: int, *, told: bool
) -> None:
    """Charge the hypothesis, at a rest of the hands, for each switch that stood wrong then.

    ``rested_us``: since when they rested; ``told``: the best hypothesis explained all that stood.
    """
    state, wrong = hypothesis.state, hypothesis.wrong(standing)
    told = told and not wrong & standing  # a piece put down elsewhere goes on from there
    if not wrong and not state.charged:
        return
    paid = _charged_again(state, wrong, rested_us) if state.charged else {}
    for switch in SWITCHES[wrong & ~hypothesis.pending & ~occupancy_of(paid)]:
        extra = standing >> switch & 1
        why = Reason.STOOD if extra else _gone(hypothesis, trace, switch, rested_us, told=told)
        paid[switch] = why
        state.note(why, switch, rested_us)
    state.charged = paid


def charge_alike(hypothesis: Hypothesis, other: Hypothesis, but: Occupancy) -> None:
    """Charge a hypothesis what another one has paid for switches since its last ply.

    Not for the switches of ``but``, nor for a piece that the last mover may be about to capture.
    """
    for reason, switch, t_us in other.state.found[other.state.after :]:
        if reason not in CHARGES or switch is None or but >> switch & 1:
            continue
        if not other.may_go_on_to_take(switch):
            hypothesis.state.note(reason, switch, t_us)


def _charged_again(state: HypothesisState, wrong: Occupancy, t_us: int) -> dict[Switch, Reason]:
    """What has been charged before and still stands wrong; the rest is refunded."""
    # What was put right meanwhile may go wrong, and be charged, again.
    paid = {switch: why for switch, why in state.charged.items() if wrong >> switch & 1}
    for switch, why in state.charged.items():
        if why in REFUNDS and switch not in paid:
            state.note(REFUNDS[why], switch, t_us)
    for switch, why in paid.items():
        if why not in IN_A_HAND:
            state.note(Reason.STILL, switch, t_us)
    return paid


def _gone(
    hypothesis: Hypothesis, trace: Trace, switch: Switch, rested_us: int, *, told: bool
) -> Reason:
    """The reason to charge for a piece that was away with all hands off the board."""
    left_us = trace.opened(switch, NEVER_US, rested_us)
    if left_us is None or left_us < hypothesis.state.left_us:
        return Reason.AWAY if hypothesis.may_go_on_to_take(switch) else Reason.VANISHED
    if hypothesis.has_fled(switch, left_us):
        return Reason.FLED
    own = hypothesis.own
    if not own >> switch & 1:
        return Reason.AWAY
    return Reason.IDLE if told else Reason.KEPT
