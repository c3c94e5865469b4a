"""Apply a ply, its undoing or a late edge to a hypothesis, and list the moves an edge suggests."""

from __future__ import annotations

from collections.abc import Container, Iterable
from itertools import islice

from boardfw.inference.adjustments import note_crossed, without_used
from boardfw.inference.choice import chosen_twin, objection
from boardfw.inference.evidence import CARRIED_US, Finding, Reason
from boardfw.inference.explain import Evidence
from boardfw.inference.hypothesis import SWITCHES, UNSEEN, Hypothesis, HypothesisState
from boardfw.rules.move import Move
from boardfw.rules.position import Position
from boardfw.rules.static_exchange import static_exchange
from boardfw.sensing.debounce import Blip, Edge
from boardfw.sensing.trace import Trace
from boardfw.squares import ALL_SWITCHES, Occupancy, Switch, occupancy_of

TAKEN_OFF = {Reason.EMPTIED, Reason.REMOVED}
HASTE = {Reason.HASTY, Reason.RUSHED}
RECENT = 64
"""Plies that show how these players capture."""
USUALLY = 2
"""The capturing piece is lifted within this many times what is usual."""
FAR = 4
"""This many times the longest that it took in any capture is too far apart."""


def played(hypothesis: Hypothesis, move: Move, evidence: Evidence, trace: Trace) -> Hypothesis:
    """The hypothesis after this ply, for which there is this evidence."""
    overdue = hypothesis.state.without_pending_edges_on(evidence.since_us)
    state = _state_after(hypothesis.state, evidence, overdue)
    state.won += _won_unseen(hypothesis, move, evidence)
    state.begun = hypothesis.state.copy()
    state.begun.begun = None
    for switch in overdue:
        state.note(Reason.OVERDUE, switch)
    begun = trace.stood(evidence.left_us)
    wrong = hypothesis.wrong(begun)
    if wrong:
        own = occupancy_of(evidence.since_us) | hypothesis.passed(move)
        state.before = wrong & ~hypothesis.pending & ~own
    for switch, why in hypothesis.state.charged.items():
        if switch in evidence.since_us:
            _note_taken(state, switch, why, (hypothesis, move), evidence)
    _note_apart(state, hypothesis, evidence)
    # A piece that is over two squares has passed one of them only when it has left that.
    note_crossed(state, hypothesis.state, hypothesis.passed(move) & ~trace.now)
    if state.before:
        for switch in SWITCHES[_overlooked(hypothesis, state.before, begun, evidence)]:
            state.note(Reason.IGNORED, switch)
    against = objection(hypothesis, trace, evidence.landed_us)
    if against:
        state.note(against)  # from now on no other piece can be chosen
        # An older doubt is better founded; where a contact may have been lost, nobody knows.
        if state.twin is None and against is not Reason.LOOSE_CHOICE:
            state.twin = chosen_twin(hypothesis, trace, evidence.landed_us)
    if state.twin is not None:
        _play_in_twin(state, state.twin, hypothesis, move)
    return hypothesis.played(move, state)


def _won_unseen(hypothesis: Hypothesis, move: Move, evidence: Evidence) -> int:
    """What a ply wins, in pawns, if it is an unseen capture; else 0."""
    is_unseen = any(finding.reason in UNSEEN for finding in evidence.found)
    return static_exchange(hypothesis.position, move) if is_unseen else 0


def _note_taken(
    state: HypothesisState,
    switch: Switch,
    why: Reason,
    ply: tuple[Hypothesis, Move],
    evidence: Evidence,
) -> None:
    """Refund what an absent piece has cost that, as it turns out, had been captured.

    A piece that had just arrived was captured at once only if the capturing piece was in a hand by
    then, too. Where an extra piece stood elsewhere, that was the absent one.
    """
    hypothesis, move = ply
    if why is Reason.AWAY:
        path = hypothesis.passed(move)
        charged = hypothesis.state.charged.items()
        if not any(r is Reason.STOOD and not path >> s & 1 for s, r in charged):
            state.note(Reason.TAKEN, switch)
            for found in hypothesis.state.found if switch == hypothesis.captured(move) else ():
                if (found.reason, found.switch) == (Reason.STILL, switch):
                    state.note(Reason.AWAITED, switch)
    elif why is Reason.FLED:
        paid_us = _when(hypothesis.state.found, {why}, switch)
        usual_us = _when(evidence.found, TAKEN_OFF, switch) + (
            USUALLY * _usually_between_lifts_us(hypothesis)
        )
        if evidence.left_us <= max(paid_us, usual_us):
            state.note(Reason.RETAKEN, switch)


def _when(found: Iterable[Finding], reasons: Container[Reason], switch: Switch) -> int:
    """When one of these was last found of a switch; 0 if none was."""
    times = (f.t_us for f in found if f.reason in reasons and f.switch == switch)
    return max(times, default=0)


def _note_apart(state: HypothesisState, hypothesis: Hypothesis, evidence: Evidence) -> None:
    """Charge a capture whose two pieces were lifted much further apart in time than any here.

    A piece is held for a while now and then, however quick the players are.
    """
    taken_off_us = (found.t_us for found in evidence.found if found.reason in TAKEN_OFF)
    apart_us = max((abs(evidence.left_us - t_us) for t_us in taken_off_us), default=0)
    if apart_us <= CARRIED_US:
        return  # nearly always
    times = _between_lifts_us(hypothesis)
    if times and apart_us > FAR * times[-1]:
        state.note(Reason.APART)


def _usually_between_lifts_us(hypothesis: Hypothesis) -> int:
    """How long it takes in three of four captures from one lift to the other; 0 if none was so."""
    times = _between_lifts_us(hypothesis)
    return times[len(times) * 3 // 4] if times else 0


def _between_lifts_us(hypothesis: Hypothesis) -> list[int]:
    """How long it took in each capture from the lift of one piece to that of the other, in either
    order; the shortest time first."""
    return sorted(
        abs(ply.state.left_us - found.t_us)
        for _, ply in islice(hypothesis.plies_since(0), RECENT)
        for found in ply.state.found
        if found.reason in TAKEN_OFF
    )


def _play_in_twin(
    state: HypothesisState, twin: Position, hypothesis: Hypothesis, move: Move
) -> None:
    """Charge a ply that is legal only because a pawn became another piece than was chosen.

    The moves of that piece show best what it is. The doubt ends with a move that the other piece
    could not have made, or once it has been charged.
    """
    state.twin = None
    made = move.steps(), move.captured, move.promotion
    alike = [m for m in twin.legal_moves() if (m.steps(), m.captured, m.promotion) == made]
    if alike:
        state.twin = twin.play_unchecked(alike[0])
    elif twin.piece_at(move.origin) == hypothesis.position.piece_at(move.origin):
        state.note(Reason.EXCUSED)


def _overlooked(
    hypothesis: Hypothesis, wrong: Occupancy, standing: Occupancy, evidence: Evidence
) -> Occupancy:
    """The switches that players would have put right before the reply was begun."""
    if evidence.left_us < hypothesis.state.landed_us:
        return wrong & standing  # the other hand was still at work: an absent piece is in it
    own = hypothesis.own
    return wrong & ~(hypothesis.expected & own)


def taken_back(hypothesis: Hypothesis, before: Hypothesis, evidence: Evidence) -> Hypothesis:
    """The hypothesis ``before`` its last ply again; what ply and undoing earned stays."""
    pending_edges = hypothesis.state.without_pending_edges_on(
        hypothesis.touched_by(hypothesis.moves[-1])
    )
    state = _state_after(hypothesis.state, evidence, pending_edges)
    state.begun = before.state.begun
    kept = before.state.found[: hypothesis.state.after]
    state.found = [*kept, *hypothesis.state.found, *evidence.found]
    state.took_back, state.twin, state.won = True, before.state.twin, before.state.won
    if before.parent is not None and len(before.moves) <= state.suspected_at:
        # Nothing points to the switch any more; if it is dead, it will show again.
        state.dead &= before.parent.state.dead
    return hypothesis.taken_back(state)


def _state_after(
    before: HypothesisState, evidence: Evidence, pending_edges: dict[Switch, bool | None]
) -> HypothesisState:
    """The state after a ply, or its undoing, has been applied."""
    state = HypothesisState(
        score=before.score + evidence.score,
        found=evidence.found,
        since_us=before.since_us | evidence.since_us,
        pending_edges=pending_edges | evidence.pending_edges,
        charged={s: why for s, why in before.charged.items() if s not in evidence.since_us},
        left_us=evidence.left_us,
        landed_us=evidence.landed_us,
        overlap_us=max(before.overlap_us, evidence.overlap_us),
        hasty=before.hasty + any(found.reason in HASTE for found in evidence.found),
        dead=before.dead,
        suspected_at=before.suspected_at,
        won=before.won,
        twin=before.twin,
    )
    without_used(before, state, evidence.found)
    return state


def paid_by(hypothesis: Hypothesis, known: Edge | Blip) -> Hypothesis:
    """The hypothesis, its pending edge on this switch settled if this is that edge."""
    pending_edges = hypothesis.state.pending_edges
    if known.switch not in pending_edges:
        return hypothesis
    owed = pending_edges[known.switch]
    if isinstance(known, Blip):
        swapped = owed is None and not known.closed
        return (
            hypothesis.paid(known.switch, known.t_us, Reason.BLINKED_LATE)
            if swapped
            else hypothesis
        )
    if owed is not known.closed:
        return hypothesis
    paid = hypothesis.paid(known.switch, known.t_us, Reason.CAME_LATE)
    if hypothesis.parent is not None and hypothesis.parent.has_fled(known.switch, known.t_us):
        paid.state.note(Reason.SNATCHED, known.switch)
    return paid


# --- candidates


def instead(hypothesis: Hypothesis, trace: Trace) -> list[Move]:
    """Moves that the last ply may really have been, or have become: its piece has gone on."""
    if hypothesis.parent is None or hypothesis.state.begun is None or hypothesis.state.took_back:
        return []
    last = hypothesis.moves[-1]
    if (trace.now | hypothesis.state.dead) >> hypothesis.orientation.switch(last.target) & 1:
        return []
    return [
        move
        for move in hypothesis.parent.legal_moves()
        if move.origin == last.origin
        and move.target != last.target
        and _has_come(trace, hypothesis.orientation.switch(move.target), hypothesis.state.landed_us)
    ]


def _has_come(trace: Trace, switch: Switch, since_us: int) -> bool:
    """Whether a switch has closed after an instant and is closed."""
    return trace.is_closed(switch) and (trace.last_edge_us(switch) or -1) > since_us


def candidates(hypothesis: Hypothesis, switch: Switch, trace: Trace) -> list[Move]:
    """Legal moves that a change of this switch may belong to, as the board stands.

    A ply of one piece cannot have been made while it stands where it was, or has not arrived. This
    one look dismisses most moves that an edge suggests, often before any are listed.
    """
    orientation, seen = hypothesis.orientation, ALL_SWITCHES & ~hypothesis.state.dead
    standing, empty = trace.now & seen, ~trace.now & seen
    square = 1 << orientation.square(switch)
    own = hypothesis.own
    useless = own & standing | ~own & empty
    if (
        useless >> switch & 1 or not own & ~standing
    ) and not square & hypothesis.position.pair_rank:
        return []
    occupied, free = orientation.squares(standing), orientation.squares(empty)
    return [
        move
        for move in hypothesis.legal_moves()
        if move.touched & square
        and (move.rook_step or not (occupied >> move.origin | free >> move.target) & 1)
    ]
