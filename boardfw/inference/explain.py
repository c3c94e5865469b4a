"""How well a trace supports a ply, or the undoing of one.

A ply asks of the switches what its steps say: every man's origin opens, then his target closes;
and a man that vanishes opens his square. Nothing here knows one kind of move from another.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from boardfw.inference.line import Line
from boardfw.inference.weights import (
    BLINKED,
    BRIDGE_US,
    DEBT,
    EARLY,
    EDGE,
    FLEETING,
    FLEETING_US,
    HASTY,
    OUT_OF_ORDER,
    PASSING_US,
    PLY,
    TAKE_BACK,
    UNTOUCHED,
)
from boardfw.rules.move import Move
from boardfw.sensing.trace import Trace
from boardfw.squares import Square, distance


@dataclass(slots=True)
class Evidence:
    """What the trace says for a ply, gathered step by step; switches as in ``Line``."""

    score: float = -PLY
    since_us: dict[Square, int] = field(default_factory=dict)
    """For each switch, the last edge used."""
    debts: dict[Square, bool | None] = field(default_factory=dict)
    """Edges wanted and not seen: to close (True), to open (False), to be touched (None)."""
    landed_us: int = -1
    """When the last man arrived, as far as seen; -1: not seen."""
    left_us: int = 1 << 62
    """When the first man left."""

    def use(self, switch: Square, t_us: int) -> None:
        """Count an edge for the ply."""
        self.since_us[switch] = max(t_us, self.since_us.get(switch, t_us))
        self.score += EDGE

    def owe(self, switch: Square, level: bool | None, cost: float) -> None:
        """Note an edge that is wanting."""
        self.debts[switch] = level
        self.score -= cost


def explain(line: Line, move: Move, trace: Trace) -> Evidence | None:
    """The evidence for ``move`` as the next ply of ``line``.

    None: no man of it has arrived, or they all had before the ply before it began.
    """
    targets = {target for _, target in move.steps()}
    weighing = _Weighing(line, trace, Evidence(), refilled=targets)
    arrived = [
        weighing.step(origin, target, taking=target == move.victim)
        for origin, target in move.steps()
    ]
    if not any(arrived):
        return None
    if move.victim is not None and move.victim not in targets:
        weighing.removed(move.victim)
    return weighing.in_order()


def explain_take_back(line: Line, trace: Trace) -> Evidence | None:
    """The evidence that the last ply of ``line`` was undone; None: no man of it came back."""
    move = line.moves[-1]
    refilled = {origin for origin, _ in move.steps()}
    if move.victim is not None:
        refilled.add(move.victim)
    evidence = Evidence(score=-TAKE_BACK)
    weighing = _Weighing(line, trace, evidence, refilled)
    arrived = [weighing.step(target, origin, taking=False) for origin, target in move.steps()]
    if not any(arrived):
        return None
    if move.victim is not None:
        weighing.restored(move.victim)
    return weighing.in_order()


@dataclass(slots=True)
class _Weighing:
    """One ply (or its undoing) held against the trace."""

    line: Line
    trace: Trace
    evidence: Evidence
    refilled: set[Square]
    """Squares on which a man of this ply comes to stand; all others it leaves are empty."""

    def step(self, origin: Square, target: Square, *, taking: bool) -> bool:
        """Weigh one man's way; whether he has arrived."""
        trace, evidence = self.trace, self.evidence
        start, end = self.line.switch(origin), self.line.switch(target)
        left_us, stood_us = self._way(start, end, empty=origin not in self.refilled)
        if left_us is None:
            evidence.owe(start, False, DEBT)
            evidence.owe(end, True, DEBT)
            return False
        evidence.use(start, left_us)
        if left_us - self.line.used_us(start) < FLEETING_US:
            evidence.score -= FLEETING
        evidence.left_us = min(evidence.left_us, left_us)
        if not trace.is_closed(end):
            evidence.owe(end, True, DEBT)
            return False
        if stood_us is not None:
            self._arrived(end, stood_us, taking=taking)
            return True
        if taking:
            # Pushed off by his taker, or swapped too quickly: the square was never seen empty.
            blinked = trace.blinked(end, self.line.used_us(end))
            evidence.owe(end, None, BLINKED if blinked else UNTOUCHED)
            evidence.landed_us = max(evidence.landed_us, left_us)
        return taking

    def _way(self, start: Square, end: Square, *, empty: bool) -> tuple[int | None, int | None]:
        """When the man left his square, and when he stood on the other; None: not seen."""
        trace = self.trace
        if empty and trace.is_closed(start):
            return None, None
        openings = trace.openings(start, self.line.used_us(start))
        ahead_us = BRIDGE_US if distance(start, end) == 1 else 0
        for left_us in openings:
            if left_us < openings[0] - PASSING_US:
                break
            stood_us = trace.closed(end, max(left_us - ahead_us, self.line.used_us(end)))
            if stood_us is not None:
                return left_us, stood_us
        return (openings[0] if openings else None), None

    def in_order(self) -> Evidence | None:
        """The evidence, charged if this ply's men arrived before those of the ply before it.

        None if they arrived before the ply before it had even begun.
        """
        evidence, line = self.evidence, self.line
        if evidence.landed_us < line.ledger.left_us:
            return None
        if evidence.left_us < line.ledger.left_us:
            evidence.score -= EARLY
        elif evidence.left_us < line.ledger.landed_us:
            evidence.score -= HASTY
        if evidence.landed_us < line.ledger.landed_us:
            evidence.score -= OUT_OF_ORDER
            evidence.landed_us = line.ledger.landed_us
        return evidence

    def removed(self, victim: Square) -> None:
        """Weigh that a man was taken off a square on which nobody arrived."""
        switch = self.line.switch(victim)
        gone_us = self.trace.opened(switch, self.line.used_us(switch), self.trace.t_us)
        if self.trace.is_closed(switch) or gone_us is None:
            self.evidence.owe(switch, False, DEBT)
        else:
            self.evidence.use(switch, gone_us)

    def restored(self, victim: Square) -> None:
        """Weigh that a man who had been taken was put back."""
        switch = self.line.switch(victim)
        back_us = self.trace.closed(switch, self.line.used_us(switch))
        if not self.trace.is_closed(switch) or back_us is None:
            self.evidence.owe(switch, True, DEBT)
        else:
            self.evidence.use(switch, back_us)

    def _arrived(self, end: Square, stood_us: int, *, taking: bool) -> None:
        if taking and self.trace.opened(end, self.line.used_us(end), stood_us) is not None:
            self.evidence.use(end, stood_us)  # the man taken left his square
        self.evidence.use(end, stood_us)
        self.evidence.landed_us = max(self.evidence.landed_us, stood_us)
