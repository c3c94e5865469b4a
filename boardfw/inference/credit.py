"""How credible a line is now: what its plies earned, less what stands wrong at the moment."""

from __future__ import annotations

from boardfw.inference.choice import choice_cost
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
    STOOD,
    VANISHED,
)
from boardfw.sensing.trace import Trace
from boardfw.squares import Occupancy, Square, occupancy_of, squares_in


def credit(line: Line, trace: Trace, now_us: int) -> float:
    """The line's credit, in settled edges."""
    earned = line.ledger.score - choice_cost(line, trace)
    wrong = line.expected ^ trace.now
    if not wrong:
        return earned
    wrong &= ~line.pending
    own = line.switches(line.position.men(line.position.turn))
    away = sum(
        missing_cost(line, trace, now_us, switch, own=bool(own >> switch & 1))
        for switch in squares_in(wrong & line.expected)
    )
    return earned - away - EXTRA * (wrong & trace.now).bit_count()


def missing_cost(line: Line, trace: Trace, now_us: int, switch: Square, *, own: bool) -> float:
    """What it costs that a man (``own``: of the side to move) is not over this switch."""
    left_us = trace.last_edge_us(switch)
    if left_us is None or left_us < line.ledger.left_us:
        return ABSENT
    if not own:
        return MISSING
    if now_us - left_us >= PATIENCE_US:
        return GONE
    return HELD if now_us - trace.t_us >= REST_US else IN_HAND


def charge(line: Line, trace: Trace) -> None:
    """Let the line pay, once for each switch, for what stood wrong while hands were off."""
    ledger = line.ledger
    ledger.charged &= line.expected ^ trace.now  # what was mended may go wrong, and be paid, again
    wrong = (line.expected ^ trace.now) & ~line.pending & ~ledger.charged
    stood = wrong & trace.now
    gone = _gone(line, trace, wrong & line.expected)
    ledger.score -= STOOD * stood.bit_count() + VANISHED * gone.bit_count()
    ledger.charged |= stood | gone


def _gone(line: Line, trace: Trace, missing: Occupancy) -> Occupancy:
    """Those of the men missing who had left before the last ply began."""
    edges = ((switch, trace.last_edge_us(switch)) for switch in squares_in(missing))
    begun_us = line.ledger.left_us
    return occupancy_of(s for s, left_us in edges if left_us is None or left_us < begun_us)
