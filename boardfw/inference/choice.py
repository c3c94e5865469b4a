"""Which man a pawn became, told by put-backs: twins differ in nothing else that switches see.

The first put-back after the arrival, however late, is the physical exchange of pawn for piece;
each further one within four seconds of the drop before it steps on to the next man.
"""

from __future__ import annotations

from boardfw.inference.line import Line
from boardfw.inference.weights import CHOICE_US, OTHER_MAN
from boardfw.rules import BISHOP, KNIGHT, QUEEN, ROOK, Kind
from boardfw.sensing.trace import Trace

ORDER: tuple[Kind, ...] = (QUEEN, KNIGHT, ROOK, BISHOP)


def choice_cost(line: Line, trace: Trace) -> float:
    """What the last ply's man costs the line: nothing if he is the one that was chosen."""
    if not line.moves or not line.moves[-1].promotion:
        return 0.0
    return 0.0 if line.moves[-1].promotion == chosen(line, trace) else OTHER_MAN


def chosen(line: Line, trace: Trace) -> Kind:
    """The man that the put-backs since the last ply's arrival have chosen."""
    put_back = 0
    for earlier_us, later_us in _drops(line, trace):
        if put_back and later_us - earlier_us > CHOICE_US:
            break
        put_back += 1
    return ORDER[max(put_back - 1, 0) % len(ORDER)]


def open_until_us(line: Line, trace: Trace) -> int | None:
    """Until when another put-back would choose again; None: nothing is being chosen."""
    if not line.moves or not line.moves[-1].promotion:
        return None
    drops = [line.ledger.landed_us, *(later for _, later in _drops(line, trace))]
    return drops[-1] + CHOICE_US


def _drops(line: Line, trace: Trace) -> list[tuple[int, int]]:
    """Successive drops on the square of arrival as (the one before, this one)."""
    switch = line.switch(line.moves[-1].target)
    drops = [edge.t_us for edge in trace.edges(switch) if edge.closed]
    after = [t_us for t_us in drops if t_us > line.ledger.landed_us]
    return list(zip([line.ledger.landed_us, *after], after, strict=False))
