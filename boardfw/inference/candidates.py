"""Which moves an edge brings to mind: those that it may have completed, as the board stands."""

from __future__ import annotations

from boardfw.inference.line import Line
from boardfw.rules.move import Move
from boardfw.sensing.trace import Trace
from boardfw.squares import ALL, Square


def instead(line: Line, trace: Trace) -> list[Move]:
    """Moves that the last one of the line may have been, or have become: its piece has gone on."""
    if line.parent is None or line.ledger.begun is None or line.ledger.took_back:
        return []
    last = line.moves[-1]
    if (trace.now | line.ledger.dead) >> line.switch(last.target) & 1:
        return []
    return [
        move
        for move in line.parent.position.legal_moves()
        if move.origin == last.origin
        and move.target != last.target
        and _has_come(trace, line.switch(move.target), line.ledger.landed_us)
    ]


def _has_come(trace: Trace, switch: Square, since_us: int) -> bool:
    """Whether a switch has closed after an instant and is closed."""
    return trace.is_closed(switch) and (trace.last_edge_us(switch) or -1) > since_us


def candidates(line: Line, switch: Square, trace: Trace) -> list[Move]:
    """Legal moves that a change of this switch may belong to, as the board stands.

    A ply of one man cannot have been made while he stands where he was, or has not come: most
    moves that an edge brings to mind are dismissed by this one look, and often all of them before
    they are listed.
    """
    seen = ALL & ~line.ledger.dead
    standing, empty = trace.now & seen, ~trace.now & seen
    square = 1 << line.switch(switch)
    own = line.own
    useless = own & standing | ~own & empty
    if (useless >> switch & 1 or not own & ~standing) and not square & line.position.pair_rank:
        return []
    stands, is_free = line.switches(standing), line.switches(empty)
    return [
        move
        for move in line.position.legal_moves()
        if move.touched & square
        and (move.rook_step or not (stands >> move.origin | is_free >> move.target) & 1)
    ]
