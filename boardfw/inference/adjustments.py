"""What an edge tells beside plies: men who are put back where they stood, or pass over a square.

A man who was adjusted, or knocked over and set up again, belongs to no ply. But his edges are told
by the game in which he stands there, and feign captures in others: two men lifted and put back
look like a capture and its undoing.
"""

from __future__ import annotations

from boardfw.inference.choice import chooses
from boardfw.inference.evidence import Finding, Reason
from boardfw.inference.explain import passed_over
from boardfw.inference.hypothesis import Ledger, Line, PutBack
from boardfw.sensing.debounce import Edge
from boardfw.sensing.trace import Trace
from boardfw.squares import Occupancy, Square

MOST = 8
"""Men put back that are remembered while something else stands wrong."""


def notice(line: Line, edge: Edge, trace: Trace, *, counts: bool = True) -> bool:
    """Let an edge count for the line, whether or not a ply has used it.

    ``counts``: whether men who are put back do. Answers if it told of such men.
    """
    if not edge.closed and line.moves and not line.ledger.took_back:
        _pass(line, edge, trace)
    return _adjust(line, edge, trace, counts=counts)


def _adjust(line: Line, edge: Edge, trace: Trace, *, counts: bool) -> bool:
    """Let an edge count for the line, if it puts a man back or all else right."""
    ledger = line.ledger
    put_back = _put_back(line, edge, trace) if edge.closed else None
    if put_back is not None:
        ledger.put_back = (*ledger.put_back, put_back)[-MOST:]
    if not counts or not ledger.put_back or line.wrong(trace.now):
        return False
    for one in ledger.put_back:
        before = ledger.adjusted.get(one.switch)
        if before is None or before.stood_us <= ledger.landed_us:  # a trembling contact tells once
            ledger.note(Reason.ADJUSTED, one.switch, one.stood_us)
    ledger.adjusted = ledger.adjusted | {one.switch: one for one in ledger.put_back}
    ledger.put_back = ()
    return True


def _put_back(line: Line, edge: Edge, trace: Trace) -> PutBack | None:
    """The man whom this closing puts back, if no ply has used it."""
    switch, used_us = edge.square, line.used_us(edge.square)
    if edge.t_us <= used_us:
        return None
    if not line.expected & ~line.ledger.dead & ~line.pending & 1 << switch:
        return None
    lifted_us = trace.opened(switch, used_us, edge.t_us)
    if lifted_us is None:
        return None
    if chooses(line, switch) and trace.changed(lifted_us) & ~(1 << switch):
        return None  # who puts back a man to choose does nothing else meanwhile
    played = _has_played(line, switch, trace.shown(lifted_us))
    return None if played else PutBack(switch, lifted_us, edge.t_us)


def _has_played(line: Line, switch: Square, shown: Occupancy) -> bool:
    """Whether the man over a switch has stood in between where he may go: a ply, and its undoing.

    Where he may not go somebody has shown him by mistake.
    """
    foreign = line.switches(shown & ~(line.expected | line.ledger.dead))
    origin = line.switch(switch)
    if not line.own >> switch & 1:
        return bool(foreign)
    return bool(foreign) and any(
        move.origin == origin and foreign >> move.target & 1 for move in line.position.legal_moves()
    )


def without_used(before: Ledger, ledger: Ledger, found: list[Finding]) -> None:
    """Let the ledger after a ply be free of what the ply has made another use of."""
    if not (before.put_back or before.adjusted):
        return
    times = {finding.t_us for finding in found}
    if before.put_back:
        # Hands in the middle of a ply adjust nobody: who was put back meanwhile tells nothing.
        begun_us = min(times - {0}, default=0)
        ledger.put_back = tuple(one for one in before.put_back if one.stood_us < begun_us)
    ledger.adjusted = before.adjusted
    used = [
        switch
        for switch, lifted_us, stood_us in before.adjusted.values()
        if lifted_us in times or stood_us in times
    ]
    if used:
        ledger.adjusted = {s: one for s, one in before.adjusted.items() if s not in used}
    for switch in used:
        ledger.note(Reason.USED, switch)


def _pass(line: Line, edge: Edge, trace: Trace) -> None:
    """Let the piece of the last ply be seen on its way, though it has arrived before."""
    ledger = line.ledger
    is_way = line.switches(line.moves[-1].passed) >> edge.square & 1
    known = (Reason.PASSED, edge.square) in ((one.reason, one.switch) for one in ledger.found)
    if is_way and not known and passed_over(line, trace, edge.square, ledger.left_us):
        ledger.note(Reason.PASSED, edge.square, edge.t_us)
