"""The account of a hypothesis: its score in words, term by term.

The tracker compares hypotheses by one number. Here the findings that make up that number are put
into words, so that a person can see why a game was believed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from boardfw.inference.choice import objection
from boardfw.inference.evidence import Finding, Reason
from boardfw.inference.hypothesis import Hypothesis
from boardfw.inference.score import absence
from boardfw.inference.tracker import Tracker
from boardfw.squares import NAMES, Switch, switches_in

PAID = {
    Reason.TO_OPEN: "a piece left {} later",
    Reason.TO_CLOSE: "a piece came to {} later",
    Reason.UNTOUCHED: "the piece captured on {} was gone for an instant only",
}
"""What a pending edge means once it has come."""
PAID_BY = {
    Reason.CAME_LATE: (Reason.TO_OPEN, Reason.TO_CLOSE),
    Reason.BLINKED_LATE: (Reason.UNTOUCHED,),
}
DISTRUST = frozenset({Reason.DEAD, Reason.WORKED})
LEAST = 1e-6
"""Sums of the constants differ by less than this from rounding alone."""


@dataclass(frozen=True, slots=True)
class Term:
    """One part of a score: ``points`` in settled edges, and what they are for."""

    points: float
    text: str


def account(hypothesis: Hypothesis, tracker: Tracker, since: int = 0) -> list[Term]:
    """The terms whose sum is ``tracker.score_of(hypothesis)``.

    What came before ply ``since`` is one term. That ply itself is told, since it goes on being
    judged while the next one is awaited.
    """
    chain = chain_of(hypothesis, since)
    terms = [_origin(chain[0])]
    for ply, following in zip_longest(chain, chain[1:]):
        terms += worth(ply, following)
    return [term for term in [*terms, *_standing(hypothesis, tracker)] if abs(term.points) > LEAST]


def _origin(hypothesis: Hypothesis) -> Term:
    """What a hypothesis had before its last ply; without plies, what the start has cost it."""
    if hypothesis.moves:
        return Term(
            hypothesis.state.begun.score if hypothesis.state.begun else 0.0, "the plies before"
        )
    return Term(hypothesis.state.score - total(worth(hypothesis)), "the board turned round")


def worth(hypothesis: Hypothesis, following: Hypothesis | None = None) -> list[Term]:
    """The terms that a hypothesis's last ply has earned and cost, until ``following`` went on."""
    # A finding made after the next ply was applied is not part of that ply.
    known = len(hypothesis.state.found) if following is None else following.state.after
    return list(_worded(hypothesis, hypothesis.state.found[:known]))


def distrust(before: Hypothesis, after: Hypothesis) -> list[Term]:
    """The terms of believing a switch stuck so that the last ply of ``after`` makes sense."""
    found = before.state.found[: after.state.after]
    return list(_worded(before, [one for one in found if one.reason in DISTRUST]))


def step_of(hypothesis: Hypothesis, ply: int) -> tuple[Hypothesis, Hypothesis]:
    """The hypothesis before its ply ``ply`` (1 = the first) and the one after it."""
    before, after, *_ = chain_of(hypothesis, ply - 1)
    return before, after


def chain_of(hypothesis: Hypothesis, since: int) -> list[Hypothesis]:
    """The hypothesis after ``since`` plies, after the next one, and so on to the last."""
    chain = [hypothesis]
    while len(chain[-1].moves) > since and chain[-1].parent is not None:
        chain.append(chain[-1].parent)
    return chain[::-1]


def total(terms: Iterable[Term]) -> float:
    """The sum of these terms."""
    return sum(term.points for term in terms)


def less(terms: Iterable[Term], others: Iterable[Term]) -> list[Term]:
    """How an account differs from another one, the greatest difference first.

    Terms that only the other one has come back negated: what it explained is "unexplained: ...",
    and what it paid is "not so here: ...".
    """
    mine, theirs = Counter(terms), Counter(others)
    own, lacking = _summed((mine - theirs).elements()), _summed((theirs - mine).elements())
    parted = [Term(points - lacking.pop(text, 0.0), text) for text, points in own.items()]
    parted += [_turned(text, points) for text, points in lacking.items()]
    return sorted((t for t in parted if abs(t.points) > LEAST), key=lambda t: -abs(t.points))


def _turned(text: str, points: float) -> Term:
    return Term(-points, f"{'unexplained' if points > 0 else 'not so here'}: {text}")


def _summed(terms: Iterable[Term]) -> dict[str, float]:
    sums: dict[str, float] = {}
    for term in terms:
        sums[term.text] = sums.get(term.text, 0.0) + term.points
    return sums


def _worded(hypothesis: Hypothesis, found: Sequence[Finding]) -> Iterator[Term]:
    """The findings in words; a pending edge that has come is told once, where it came."""
    owed = {(one.reason, one.switch): one for one in found if one.reason in PAID}
    paid = {}
    for finding in found:
        for reason in PAID_BY.get(finding.reason, ()):
            if pending_edge := owed.pop((reason, finding.switch), None):
                paid[finding] = pending_edge
    for finding in found:
        if finding not in paid.values():
            yield _term(hypothesis, finding, paid.get(finding))


def _term(hypothesis: Hypothesis, finding: Finding, pending_edge: Finding | None) -> Term:
    square = "" if finding.switch is None else _name(hypothesis, finding.switch)
    if pending_edge is None:
        return Term(finding.reason.points, finding.reason.text.format(square))
    points = finding.reason.points + pending_edge.reason.points
    return Term(points, PAID[pending_edge.reason].format(square))


def _standing(hypothesis: Hypothesis, tracker: Tracker) -> Iterator[Term]:
    """What stands otherwise than the hypothesis has it at this moment."""
    wrong = hypothesis.wrong(tracker.trace.now) & ~hypothesis.pending
    for switch in switches_in(wrong):
        if not hypothesis.expected >> switch & 1:
            why = Reason.EXTRA
        else:
            own = bool(hypothesis.own >> switch & 1)
            why = absence(hypothesis, tracker.trace, tracker.now_us, switch, own=own)
        yield Term(why.points, why.text.format(_name(hypothesis, switch)))
    against = objection(hypothesis, tracker.trace)
    if against:
        yield Term(against.points, against.text)


def _name(hypothesis: Hypothesis, switch: Switch) -> str:
    return NAMES[hypothesis.orientation.square(switch)]
