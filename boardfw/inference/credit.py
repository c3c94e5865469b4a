"""How credible a line is now: what its plies earned, less what stands wrong at the moment."""

from __future__ import annotations

from boardfw.inference.choice import choice_cost
from boardfw.inference.finding import Reason
from boardfw.inference.line import Line
from boardfw.inference.weights import (
    ABSENT,
    EXTRA,
    GONE,
    HELD,
    IN_HAND,
    MISSING,
    PATIENCE_US,
    REST_US,
)
from boardfw.sensing.trace import Trace
from boardfw.squares import Occupancy, Square, occupancy_of, squares_in

REFUNDED = (Reason.AWAY, Reason.VANISHED)
"""Who was thought gone and is back was adjusted."""


def credit(line: Line, trace: Trace, now_us: int) -> float:
    """The line's credit, in settled edges."""
    earned = line.ledger.score - choice_cost(line, trace)
    wrong = line.wrong(trace.now)
    if not wrong:
        return earned
    wrong &= ~line.pending
    own = line.own
    away = sum(
        missing_cost(line, trace, now_us, switch, own=bool(own >> switch & 1))
        for switch in squares_in(wrong & line.expected)
    )
    return earned - away - EXTRA * (wrong & trace.now).bit_count()


def next_change_us(line: Line, trace: Trace, now_us: int) -> int | None:
    """When the line's credit changes by the passing of time alone; None: it does not."""
    missing = line.wrong(trace.now) & line.expected
    if not missing:
        return None
    own = line.own
    edges = [trace.last_edge_us(switch) for switch in squares_in(missing)]
    times = [left_us + PATIENCE_US for left_us in edges if left_us is not None]
    times += [trace.t_us + REST_US] if missing & own else []
    return min((t_us for t_us in times if t_us > now_us), default=None)


def missing_cost(line: Line, trace: Trace, now_us: int, switch: Square, *, own: bool) -> float:
    """What it costs that a man (``own``: of the side to move) is not over this switch."""
    left_us = trace.last_edge_us(switch)
    if left_us is None or left_us < line.ledger.left_us:
        return ABSENT
    if now_us - left_us >= PATIENCE_US:
        return GONE
    if not own:
        return MISSING
    return HELD if now_us - trace.t_us >= REST_US else IN_HAND


def charge(line: Line, trace: Trace, standing: Occupancy) -> None:
    """Let the line pay, at a rest of the hands, for each switch that stood wrong then."""
    ledger, wrong = line.ledger, line.wrong(standing)
    if not wrong and not ledger.charged:
        return
    # What was mended in between may go wrong, and be paid for, again.
    paid = {switch: why for switch, why in ledger.charged.items() if wrong >> switch & 1}
    for switch, why in ledger.charged.items():
        if why in REFUNDED and switch not in paid:
            ledger.note(Reason.RETURNED, switch, trace.t_us)
    for switch, why in paid.items():
        if why is not Reason.KEPT:
            ledger.note(Reason.STILL, switch, trace.t_us)
    for switch in squares_in(wrong & ~line.pending & ~occupancy_of(paid)):
        why = Reason.STOOD if standing >> switch & 1 else _gone(line, trace, switch)
        paid[switch] = why
        ledger.note(why, switch, trace.t_us)
    ledger.charged = paid


def _gone(line: Line, trace: Trace, switch: Square) -> Reason:
    """What it means that, with all hands off the board, the man over a switch was gone."""
    left_us = trace.last_edge_us(switch)
    if left_us is None or left_us < line.ledger.left_us:
        return Reason.VANISHED
    own = line.own
    return Reason.KEPT if own >> switch & 1 else Reason.AWAY
