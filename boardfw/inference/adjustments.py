"""What edges tell beside plies: pieces put back where they stood, and pieces passing over a square.

A piece that was adjusted, or knocked over and set up again, belongs to no ply. Its edges are
explained by the game in which it stands there, but look like captures in others: two pieces lifted
and put back look like a capture and its undoing.
"""

from __future__ import annotations

from boardfw.inference.choice import chooses
from boardfw.inference.evidence import PUT_BACK_US, REST_US, Finding, Reason
from boardfw.inference.explain import passed_over
from boardfw.inference.hypothesis import Hypothesis, HypothesisState, PutBack
from boardfw.sensing.debounce import Edge
from boardfw.sensing.trace import Trace
from boardfw.squares import Occupancy, Switch, occupancy_of

MOST = 8
"""Pieces put back that are remembered while something else stands wrong."""


def notice(hypothesis: Hypothesis, edge: Edge, trace: Trace, *, counts: bool = True) -> bool:
    """Let an edge count for the hypothesis, whether or not a ply has used it.

    ``counts``: whether pieces put back count. Returns whether the edge completed a put-back.
    """
    if not edge.closed and hypothesis.moves and not hypothesis.state.took_back:
        _pass(hypothesis, edge, trace)
    return _adjust(hypothesis, edge, trace, counts=counts)


def _adjust(hypothesis: Hypothesis, edge: Edge, trace: Trace, *, counts: bool) -> bool:
    """Let an edge count if it puts a piece back, or puts all else right."""
    state = hypothesis.state
    put_back = _put_back(hypothesis, edge, trace) if edge.closed else None
    if put_back is not None:
        state.put_back = (*state.put_back, put_back)[-MOST:]
    if not counts or not state.put_back or hypothesis.wrong(trace.now):
        return False
    for one in state.put_back:
        before = state.adjusted.get(one.switch)
        if before is None or before.stood_us <= state.landed_us:  # a bouncing contact counts once
            state.note(_earned(one)[0], one.switch, one.stood_us)
    state.adjusted = state.adjusted | {one.switch: one for one in state.put_back}
    state.put_back = ()
    return True


def _earned(one: PutBack) -> tuple[Reason, Reason]:
    """What a piece put back earns, and what takes that back."""
    by_hand, by_itself = (Reason.ADJUSTED, Reason.USED), (Reason.ROCKED, Reason.UNROCKED)
    return by_hand if one.is_by_hand else by_itself


def _put_back(hypothesis: Hypothesis, edge: Edge, trace: Trace) -> PutBack | None:
    """The piece that this closing puts back; None if there is none or a ply has used the edge."""
    switch, used_us = edge.switch, hypothesis.used_us(edge.switch)
    if edge.t_us <= used_us:
        return None
    if not hypothesis.expected & ~hypothesis.state.dead & ~hypothesis.pending & 1 << switch:
        return None
    lifted_us = trace.opened(switch, used_us, edge.t_us)
    if lifted_us is None:
        return None
    if chooses(hypothesis, switch) and trace.changed(lifted_us) & ~(1 << switch):
        return None  # a player who puts a piece back to choose does nothing else meanwhile
    played = _has_played(hypothesis, switch, trace.shown(lifted_us))
    if played:
        return None
    # A hand that has just put a piece down straightens it, too.
    is_nudged = switch in hypothesis.targets()
    is_by_hand = is_nudged or edge.t_us - lifted_us >= PUT_BACK_US
    return PutBack(switch, lifted_us, edge.t_us, is_by_hand)


def _has_played(hypothesis: Hypothesis, switch: Switch, shown: Occupancy) -> bool:
    """Whether the piece of a switch stood meanwhile where it may go: a ply, and its undoing.

    A piece that stood where it may not go was only adjusted.
    """
    orientation = hypothesis.orientation
    foreign = orientation.squares(shown & ~(hypothesis.expected | hypothesis.state.dead))
    origin = orientation.square(switch)
    if not hypothesis.own >> switch & 1:
        return bool(foreign)
    return bool(foreign) and any(
        move.origin == origin and foreign >> move.target & 1 for move in hypothesis.legal_moves()
    )


TAKEN_BACK = {Reason.ANSWERED: Reason.UNANSWERED, Reason.STAYED: Reason.ANOTHER}
"""What is found of the piece over a switch, and what takes that back if a ply, recognised later,
tells that it was captured, or that another piece had come there by then."""


def without_used(before: HypothesisState, state: HypothesisState, found: list[Finding]) -> None:
    """Remove from the state after a ply what was found by edges that the ply has used."""
    for one in before.found:
        if (
            one.reason in TAKEN_BACK
            and any(_tells_otherwise(used, one) for used in found)
            and not (one.reason is Reason.STAYED and _was_captured_at_once(one, before, state))
        ):
            state.note(TAKEN_BACK[one.reason], one.switch)
    if not (before.put_back or before.adjusted):
        return
    times = {finding.t_us for finding in found}
    if before.put_back:
        # In the middle of a ply pieces are not adjusted: a put-back meanwhile tells nothing.
        begun_us = min(times - {0}, default=0)
        state.put_back = tuple(one for one in before.put_back if one.stood_us < begun_us)
    state.adjusted = before.adjusted
    used = [one for one in before.adjusted.values() if {one.lifted_us, one.stood_us} & times]
    if used:
        state.adjusted = {s: one for s, one in before.adjusted.items() if one not in used}
    for put_back in used:
        state.note(_earned(put_back)[1], put_back.switch)


def _tells_otherwise(used: Finding, one: Finding) -> bool:
    """Whether an edge that a ply has used is of another piece than the one found over a switch."""
    if used.switch != one.switch or not 0 < used.t_us <= one.t_us:
        return False
    had_come = used.reason is Reason.ARRIVED
    return had_come or (used.t_us == one.t_us and used.reason is Reason.EMPTIED)


def _was_captured_at_once(one: Finding, before: HypothesisState, state: HypothesisState) -> bool:
    """Whether the capturing piece was lifted as soon as the other one had gone from this switch."""
    fled_us = [f.t_us for f in before.found if (f.reason, f.switch) == (Reason.FLED, one.switch)]
    return bool(fled_us) and state.left_us <= fled_us[-1] + REST_US


def _pass(hypothesis: Hypothesis, edge: Edge, trace: Trace) -> None:
    """Note that the piece of the last ply was seen on its path, even if it has arrived already.

    It has if it is over both squares; then it is still over the one to which it came.
    """
    state = hypothesis.state
    is_path = hypothesis.passed(hypothesis.moves[-1]) >> edge.switch & 1
    if not is_path or occupancy_of(hypothesis.targets()) & ~(trace.now | state.dead):
        return
    known = (Reason.PASSED, edge.switch) in ((one.reason, one.switch) for one in state.found)
    if not known and passed_over(hypothesis, trace, edge.switch, state.left_us):
        state.note(Reason.PASSED, edge.switch, edge.t_us)
    if edge.t_us > state.landed_us and state.begun:
        note_crossed(state, state.begun, 1 << edge.switch)


def note_crossed(state: HypothesisState, before: HypothesisState, path: Occupancy) -> None:
    """Refund what it cost that the piece of a ply rested on these switches of its path.

    ``state``: after the ply; ``before``: before it.
    """
    for found in before.found if path else ():
        if found.reason is not Reason.STOOD or found.switch is None or found.t_us < state.left_us:
            continue
        if path >> found.switch & 1:
            state.note(Reason.CROSSED, found.switch)
