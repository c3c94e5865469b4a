"""The tracker: keeps rival games alive and tells which of them the switches tell best.

Every settled edge may be the last of a ply, so every line is tried with every ply that the edge
could complete; the parent stays beside its children, because the edge may have meant nothing.
What a line earned, less what stands wrong on the board at this moment, is its credit. Lines far
behind the best are dropped. Slides, changed minds, wrong squares and overlapping plies need no
case of their own: the game in which they make sense overtakes the others.
"""

from __future__ import annotations

from boardfw.inference.choice import choice_cost
from boardfw.inference.explain import (
    ABSENT,
    BLINKED,
    DEBT,
    EDGE,
    EXTRA,
    GONE,
    IN_HAND,
    MISSING,
    PATIENCE_US,
    REST_US,
    STOOD,
    UNTOUCHED,
    VANISHED,
    Evidence,
    explain,
    explain_take_back,
)
from boardfw.inference.line import HALF_TURN, Line
from boardfw.rules.move import Move
from boardfw.rules.position import Position
from boardfw.sensing.debounce import Blip, Edge
from boardfw.sensing.trace import Trace
from boardfw.squares import Occupancy, Square, occupancy_of, squares_in, turned_occupancy

WIDTH = 24
"""Lines kept alive at the most."""
MARGIN = 7.0
"""Lines further behind the best than this are dropped: three plies' worth of evidence."""
TURNED = 2.0
"""What it costs to believe that the board was turned round: nearly a ply's evidence."""
UPSET = 8
"""So many squares that stand otherwise than a line has them cannot be a ply in the making."""
CATCH_UP = 4
"""Plies that may become known at once, when an edge that came late makes sense of others."""


class Tracker:
    """Rival games over one trace."""

    def __init__(self, roots: list[Line], trace: Trace) -> None:
        self.trace = trace
        self.lines: list[Line] = roots
        """The lines alive, the most credible first."""
        self.now_us = trace.t_us
        self.best: Line = roots[0]
        """The most credible line of which nothing is owed."""

    @classmethod
    def of(cls, position: Position, trace: Trace, *, turnable: bool = False) -> Tracker:
        """A tracker of a game that starts here; ``turnable``: from either side of the board."""
        roots = [Line(position, trace.t_us)]
        if turnable:
            roots.append(Line(position, trace.t_us, turn=HALF_TURN, score=-TURNED))
        return cls(roots, trace)

    def feed(self, known: Edge | Blip) -> None:
        """Take what a switch did, and think again."""
        if known.t_us - self.trace.t_us >= REST_US:
            self._charge()
        self.trace.append(known)
        self.now_us = max(self.now_us, known.t_us)
        alive: dict[tuple[Position, int], Line] = {}
        for line in self.lines:
            self._consider(_pay(line, known), alive)
        for line in list(alive.values()):
            for child in self._children(line, known.square):
                self._consider(child, alive)
        self._choose(list(alive.values()))

    def wait(self, t_us: int) -> None:
        """Let time pass without an edge: a man long in the air may have been put to use."""
        self.now_us = max(self.now_us, t_us)
        self._choose(self.lines)

    def decide(self, line: Line) -> None:
        """Drop all games but this one: somebody has said which it is."""
        self.lines = [line]
        self.best = line

    def credit(self, line: Line) -> float:
        """What the line has earned, less what stands wrong at the moment."""
        settled = self.trace.now
        wrong = (line.expected ^ settled) & ~line.pending
        own = _switches(line, line.position.men(line.position.turn))
        missing = sum(self._missing(line, switch, own) for switch in squares_in(wrong & ~settled))
        standing = line.score - EXTRA * (wrong & settled).bit_count()
        return standing - missing - choice_cost(line, self.trace)

    def _missing(self, line: Line, switch: Square, own: Occupancy) -> float:
        """What it costs the line that the man over this switch is not there."""
        if self._absent(line, switch):
            return ABSENT
        if not own >> switch & 1:
            return MISSING
        since_us = self.trace.last_edge_us(switch) or 0
        return GONE if self.now_us - since_us >= PATIENCE_US else IN_HAND

    def _charge(self) -> None:
        """Let every line pay for what stood otherwise than it says while hands were off."""
        for line in self.lines:
            wrong = (line.expected ^ self.trace.now) & ~line.pending & ~line.charged
            stood = wrong & self.trace.now
            gone = [s for s in squares_in(wrong & line.expected) if self._absent(line, s)]
            line.score -= STOOD * stood.bit_count() + VANISHED * len(gone)
            line.charged |= stood | occupancy_of(gone)

    def _absent(self, line: Line, switch: Square) -> bool:
        """Whether the man over this switch left it before the last ply began."""
        since_us = self.trace.last_edge_us(switch)
        return since_us is None or since_us < line.left_us

    def _choose(self, lines: list[Line]) -> None:
        credits = {line: self.credit(line) for line in lines}
        # The line chosen before wins a tie, so nothing is announced without a reason.
        lines.sort(key=lambda line: (-credits[line], line is not self.best))
        least = credits[lines[0]] - MARGIN
        self.lines = [line for line in lines[:WIDTH] if credits[line] >= least]
        self.best = next((line for line in self.lines if not line.owed), self.best)

    def _consider(self, line: Line, alive: dict[tuple[Position, int], Line]) -> None:
        """Add a line, unless a better one stands in the same position."""
        key = (line.position, line.turn)
        rival = alive.get(key)
        if rival is not None and self.credit(rival) >= self.credit(line):
            return
        alive[key] = line

    def _children(self, line: Line, switch: Square, depth: int = 0) -> list[Line]:
        """Lines that go on from this one with a ply that this switch may have completed."""
        children: list[Line] = []
        if (line.expected ^ self.trace.now).bit_count() > UPSET:
            return children
        for move in line.moves_touching(switch):
            evidence = explain(line, move, self.trace)
            if evidence is not None:
                children.append(_played(line, move, evidence, self.trace))
        if line.parent is not None and depth == 0:
            evidence = explain_take_back(line, self.trace)
            if evidence is not None:
                children.append(_taken_back(line, line.parent, evidence))
        if depth < CATCH_UP:
            for child in list(children):
                for other in self._unexplained(child):
                    children.extend(self._children(child, other, depth + 1))
        return children

    def _unexplained(self, line: Line) -> list[Square]:
        """Switches that tell of more than the line: a man too many, or one of its own in hand."""
        wrong = line.expected ^ self.trace.now
        own = _switches(line, line.position.men(line.position.turn))
        return list(squares_in(wrong & (self.trace.now | own)))


def _switches(line: Line, squares: Occupancy) -> Occupancy:
    return turned_occupancy(squares) if line.turn else squares


def _played(line: Line, move: Move, evidence: Evidence, trace: Trace) -> Line:
    child = Line(
        line.position.play(move),
        line.start_us,
        turn=line.turn,
        parent=line,
        moves=(*line.moves, move),
        since_us={**line.since_us, **evidence.since_us},
        left_us=evidence.left_us,
        landed_us=evidence.landed_us,
        score=line.score - choice_cost(line, trace) + evidence.score,
        debts={**_owed(line), **evidence.debts},
    )
    child.charged = line.charged
    return child


def _taken_back(line: Line, parent: Line, evidence: Evidence) -> Line:
    child = Line(
        parent.position,
        line.start_us,
        turn=line.turn,
        parent=parent.parent,
        moves=parent.moves,
        since_us={**line.since_us, **evidence.since_us},
        left_us=evidence.left_us,
        landed_us=evidence.landed_us,
        score=line.score + evidence.score,
        debts={**_without(line, line.moves[-1]), **evidence.debts},
    )
    child.charged = line.charged
    return child


def _owed(line: Line) -> dict[Square, bool]:
    """Edges still to come; whether a switch was touched matters for the last ply only."""
    return {switch: level for switch, level in line.debts.items() if level is not None}


def _without(line: Line, move: Move) -> dict[Square, bool]:
    """Edges still to come, but for those of a ply that was undone."""
    touched = {line.switch(square) for step in move.steps() for square in step}
    if move.victim is not None:
        touched.add(line.switch(move.victim))
    return {switch: level for switch, level in _owed(line).items() if switch not in touched}


def _pay(line: Line, known: Edge | Blip) -> Line:
    """The line, its debt on this switch paid if the edge is the one that was owed."""
    if known.square not in line.debts:
        return line
    owed = line.debts[known.square]
    if isinstance(known, Blip):
        swapped = owed is None and not known.closed
        return line.with_paid(known.square, known.t_us, UNTOUCHED - BLINKED) if swapped else line
    if owed is known.closed:
        return line.with_paid(known.square, known.t_us, DEBT + EDGE)
    return line
