"""The account of a line: what its credit is made of, term by term, in words.

The tracker compares lines by one number. Here the same number is taken apart again, from the
same evidence and the same constants, so that a person can see why a game was believed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType

from boardfw.inference.choice import choice_cost
from boardfw.inference.credit import missing_cost
from boardfw.inference.explain import Evidence, explain
from boardfw.inference.line import Line
from boardfw.inference.tracker import Tracker
from boardfw.inference.weights import (
    ABSENT,
    BLINKED,
    DEBT,
    EARLY,
    EDGE,
    EXTRA,
    FLEETING,
    FLEETING_US,
    GONE,
    HASTY,
    HELD,
    IN_HAND,
    MISSING,
    OUT_OF_ORDER,
    PLY,
    UNTOUCHED,
)
from boardfw.rules.move import Move
from boardfw.sensing.trace import Trace
from boardfw.squares import NAMES, Square, squares_in

ABSENCE = {
    ABSENT: "{} was empty before the last ply",
    MISSING: "{} wants its man, whose turn it is not",
    GONE: "the man of {} has been away for long",
    IN_HAND: "the man of {} is in a hand",
    HELD: "the man of {} is held in a hand",
}
"""What each cost of a missing man means."""
LEAST = 1e-6
"""Sums of the constants differ by less than this from rounding alone."""


@dataclass(frozen=True, slots=True)
class Term:
    """One part of a credit: ``points``, 1 = one settled edge explained, and what it is for."""

    points: float
    text: str


def account(
    line: Line,
    tracker: Tracker,
    since: int = 0,
    memory: Mapping[Line, Sequence[Term]] = MappingProxyType({}),
) -> list[Term]:
    """The terms whose sum is ``tracker.credit(line)``; the first ``since`` plies as one term.

    The trace forgets and goes on: ``memory`` may hold, for each line, what its last ply was
    worth (as from ``weigh``) when it was played.
    """
    chain = _chain(line, since)
    first = chain[0]
    terms = [Term(first.ledger.score, "the plies before" if first.moves else "the start")]
    for earlier, later in pairwise(chain):
        born = memory.get(later) or weigh(earlier, later.moves[-1], tracker.trace)
        terms += _ply(earlier, later, born)
    return [term for term in [*terms, *_standing(line, tracker)] if abs(term.points) > LEAST]


def weigh(line: Line, move: Move, trace: Trace) -> list[Term]:
    """The terms of what the trace says for ``move`` as the next ply; their sum is its score.

    Empty where no man of it has arrived.
    """
    evidence = explain(line, move, trace)
    return [] if evidence is None else [*_Named(line, move, trace, evidence).terms()]


def step_of(line: Line, ply: int) -> tuple[Line, Line]:
    """The line before its ply ``ply`` (1 = the first) and the line after it."""
    before, after, *_ = _chain(line, ply - 1)
    return before, after


def total(terms: Iterable[Term]) -> float:
    """The sum of these terms."""
    return sum(term.points for term in terms)


def less(terms: Iterable[Term], others: Iterable[Term]) -> list[Term]:
    """What parts an account from another one, the greatest difference first.

    Terms that only the other has come back with their points turned round, as "without: ...".
    """
    mine, theirs = _summed(terms), _summed(others)
    parted = [Term(points - theirs.get(text, 0.0), text) for text, points in mine.items()]
    parted += [Term(-theirs[text], f"without: {text}") for text in theirs if text not in mine]
    return sorted((t for t in parted if abs(t.points) > LEAST), key=lambda t: -abs(t.points))


def _summed(terms: Iterable[Term]) -> dict[str, float]:
    sums: dict[str, float] = {}
    for term in terms:
        sums[term.text] = sums.get(term.text, 0.0) + term.points
    return sums


def _chain(line: Line, since: int) -> list[Line]:
    """The line after ``since`` plies, after the next one, and so on to the line itself."""
    chain = [line]
    while len(chain[-1].moves) > since and chain[-1].parent is not None:
        chain.append(chain[-1].parent)
    return chain[::-1]


def _ply(before: Line, after: Line, born: Iterable[Term]) -> list[Term]:
    """What its last ply has earned a line, and what has come to it since it was born."""
    terms = [*born]
    terms += _charges(after, before)
    # The line without this ply has gone on paying for what this ply made good.
    terms += [
        Term(-charge.points, f"without this ply: {charge.text}")
        for charge in _charges(before, after)
    ]
    rest = after.ledger.score - before.ledger.score - total(terms)
    if abs(rest) > LEAST:
        terms.append(Term(rest, "what came earlier or later: late contacts, plies undone"))
    return terms


def _charges(line: Line, other: Line) -> Iterator[Term]:
    """What a line, unlike another, has paid for what stood wrong while hands were off."""
    for switch, cost in line.ledger.charged.items():
        if switch in other.ledger.charged:
            continue
        name = _name(line, switch)
        if line.expected >> switch & 1:
            yield Term(-cost, f"{name} was empty while hands were off")
        else:
            yield Term(-cost, f"a man stood on {name} while hands were off")


def _standing(line: Line, tracker: Tracker) -> Iterator[Term]:
    """What stands otherwise than the line says at this moment."""
    settled = tracker.trace.now
    for switch in squares_in((line.expected ^ settled) & ~line.pending):
        if settled >> switch & 1:
            yield Term(-EXTRA, f"{_name(line, switch)} has a man too many")
        else:
            yield _missing(line, switch, tracker)
    cost = choice_cost(line, tracker.trace)
    if cost:
        yield Term(-cost, "the put-backs chose another man")


def _missing(line: Line, switch: Square, tracker: Tracker) -> Term:
    own = bool(line.switches(line.position.men(line.position.turn)) >> switch & 1)
    cost = missing_cost(line, tracker.trace, tracker.now_us, switch, own=own)
    return Term(-cost, ABSENCE[cost].format(_name(line, switch)))


def _name(line: Line, switch: Square) -> str:
    return NAMES[line.switch(switch)]


@dataclass(slots=True)
class _Named:
    """The evidence for one ply, and a name for each part of its score."""

    line: Line
    move: Move
    trace: Trace
    evidence: Evidence

    def terms(self) -> Iterator[Term]:
        """The terms of the evidence; their sum is its score."""
        named = [*self._edges(), *self._debts(), *self._order(), Term(-PLY, "the cost of a ply")]
        yield from named
        rest = self.evidence.score - total(named)
        if abs(rest) > LEAST:
            yield Term(rest, "other evidence")

    def _edges(self) -> Iterator[Term]:
        targets = {target for _, target in self.move.steps()}
        for origin, target in self.move.steps():
            left_us = self._opened_us(origin)
            if left_us is None:
                continue
            yield Term(EDGE, f"{NAMES[origin]} opened")
            if left_us - self.line.used_us(self.line.switch(origin)) < FLEETING_US:
                yield Term(-FLEETING, f"{NAMES[origin]} was hardly reached before: a man sliding")
            end = self.line.switch(target)
            if end not in self.evidence.since_us or end in self.evidence.debts:
                continue
            yield Term(EDGE, f"{NAMES[target]} closed after that")
            if target == self.move.victim and self._emptied(end):
                yield Term(EDGE, f"{NAMES[target]} opened before: the victim left")
        victim = self.move.victim
        if victim is not None and victim not in targets:
            switch = self.line.switch(victim)
            if switch not in self.evidence.debts:
                yield Term(EDGE, f"{NAMES[victim]} opened: the victim left")

    def _debts(self) -> Iterator[Term]:
        for switch, level in self.evidence.debts.items():
            name = _name(self.line, switch)
            if level is not None:
                verb = "close" if level else "open"
                yield Term(-DEBT, f"{name} has still to {verb}")
            elif self.trace.blinked(switch, self.line.used_us(switch)):
                yield Term(-BLINKED, f"{name}, the victim's, opened for an instant only")
            else:
                yield Term(-UNTOUCHED, f"{name}, the victim's, never opened")

    def _order(self) -> Iterator[Term]:
        if self.evidence.left_us < self.line.ledger.left_us:
            yield Term(-EARLY, "begun before the ply before it had begun")
        elif self.evidence.left_us < self.line.ledger.landed_us:
            yield Term(-HASTY, "begun before the ply before it had arrived")
        if self._landed_us() < self.line.ledger.landed_us:
            yield Term(-OUT_OF_ORDER, "arrived before the ply before it had arrived")

    def _landed_us(self) -> int:
        """When the last man arrived; a pushed victim's square tells by his taker's lift."""
        landed_us = -1
        for origin, target in self.move.steps():
            end, left_us = self.line.switch(target), self._opened_us(origin)
            if left_us is None:
                continue
            if end not in self.evidence.debts:
                landed_us = max(landed_us, self.evidence.since_us[end])
            elif self.evidence.debts[end] is None:
                landed_us = max(landed_us, left_us)
        return landed_us

    def _opened_us(self, origin: Square) -> int | None:
        """When the man left this square, if the evidence counts it."""
        start = self.line.switch(origin)
        wanting = self.evidence.debts.get(start) is False
        return None if wanting else self.evidence.since_us.get(start)

    def _emptied(self, end: Square) -> bool:
        """Whether the square was seen empty before the man arrived there."""
        arrived_us = self.evidence.since_us[end]
        return self.trace.opened(end, self.line.used_us(end), arrived_us) is not None
