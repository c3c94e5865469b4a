"""The account of a line: what its credit is made of, term by term, in words.

The tracker compares lines by one number. Here the findings that it is the sum of are put into
words, so that a person can see why a game was believed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from boardfw.inference.choice import objection
from boardfw.inference.evidence import (
    ABSENT,
    EXTRA,
    GONE,
    HELD,
    IN_HAND,
    MISSING,
    WORTH,
    Finding,
    Reason,
)
from boardfw.inference.hypothesis import Hypothesis
from boardfw.inference.score import missing_cost
from boardfw.inference.tracker import Tracker
from boardfw.squares import NAMES, Square, squares_in

WORDS = {
    Reason.LEFT: "a man left {}",
    Reason.ARRIVED: "a man came to {} after that",
    Reason.EMPTIED: "the man taken on {} had left before",
    Reason.REMOVED: "the man taken on {} has left",
    Reason.RESTORED: "the man taken on {} is back",
    Reason.CAME_LATE: "{} has followed late",
    Reason.BLINKED_LATE: "the man taken on {} was gone for an instant after all",
    Reason.ANSWERED: "asked, somebody lifted the man on {}",
    Reason.PLY: "the price of any ply",
    Reason.TAKE_BACK: "the price of any ply undone",
    Reason.TO_OPEN: "a man has still to leave {}",
    Reason.TO_CLOSE: "a man has still to come to {}",
    Reason.OVERDUE: "the reply came while {} was still awaited",
    Reason.UNTOUCHED: "the man taken on {} was never seen to leave",
    Reason.BLINKED: "the man taken on {} was gone for an instant only",
    Reason.UNWATCHED: "the man taken on {} may have left while the board could not be read",
    Reason.EARLY: "the man was lifted before the ply before had begun",
    Reason.LOOSENED: "the piece lost contact before the ply before had begun",
    Reason.HASTY: "the man was lifted before the ply before was over",
    Reason.OUT_OF_ORDER: "it was over before the ply before was",
    Reason.FLEETING: "the man had hardly come to {}: he was sliding on",
    Reason.SNATCHED: "the man taken on {} had hardly arrived",
    Reason.PASSED: "a man passed over {} on his way",
    Reason.PAUSED: "the hands were off the board while it was on {}",
    Reason.BRIDGED: "a piece came to {} before it had left: over the border",
    Reason.LINGERED: "a piece came to {} long before it had left, as none has done before",
    Reason.UNSEEN: "{} tells nothing: its switch is stuck",
    Reason.DEAD: "the switch of {} has to be stuck",
    Reason.WORKED: "the switch of {} did work before",
    Reason.IGNORED: "{} stood wrong, and it was played all the same",
    Reason.REVIVED: "the switch of {} moved, though thought to be stuck",
    Reason.OTHER_PIECE: "a pawn becomes a queen where no put-backs choose another man",
    Reason.UNCHOSEN: "the put-backs chose another man",
    Reason.EXCUSED: "legal only because the pawn became another man than was chosen",
    Reason.STOOD: "a man too many stood on {} with all hands off",
    Reason.AWAY: "the man of {} was away with all hands off",
    Reason.VANISHED: "the man of {} had gone before, with all hands off",
    Reason.FLED: "the man who had hardly come to {} was gone, with all hands off",
    Reason.STAYED: "the man who had come to {} is back",
    Reason.STILL: "{} still stood wrong, and nobody minded",
    Reason.KEPT: "the man of {} was kept in a hand for a while",
    Reason.AWAITED: "{} stayed empty while its taker was on its way",
    Reason.CROSSED: "a piece rested on {} on its way",
    Reason.TAKEN: "{} was empty because its man was taken",
    Reason.RETAKEN: "the man who had hardly come to {} was taken",
    Reason.IDLE: "the man of {} was in a hand, though another game told all that stood",
    Reason.RETURNED: "the man of {} is back",
    Reason.ADJUSTED: "the man of {} was put back",
    Reason.USED: "{} was touched by this ply, and not to put its man back",
}
ABSENCE = {
    ABSENT: "the man of {} had gone before the last ply",
    MISSING: "the man of {} is away, and it is not his turn",
    GONE: "the man of {} has been away for long",
    IN_HAND: "the man of {} is in a hand",
    HELD: "the man of {} is held in a hand",
}
"""What each cost of a missing man means."""
PAID = {
    Reason.TO_OPEN: "a man left {} later",
    Reason.TO_CLOSE: "a man came to {} later",
    Reason.UNTOUCHED: "the man taken on {} was gone for an instant only",
}
"""What a debt and its payment mean together."""
PAID_BY = {
    Reason.CAME_LATE: (Reason.TO_OPEN, Reason.TO_CLOSE),
    Reason.BLINKED_LATE: (Reason.UNTOUCHED,),
}
DISTRUST = frozenset({Reason.DEAD, Reason.WORKED})
LEAST = 1e-6
"""Sums of the constants differ by less than this from rounding alone."""


@dataclass(frozen=True, slots=True)
class Term:
    """One part of a credit: ``points``, 1 = one settled edge explained, and what it is for."""

    points: float
    text: str


def account(hypothesis: Hypothesis, tracker: Tracker, since: int = 0) -> list[Term]:
    """The terms whose sum is ``tracker.score_of(hypothesis)``.

    What was there before ply ``since`` is one term; that ply itself is told, since it goes on
    being judged while the next one is awaited.
    """
    chain = chain_of(hypothesis, since)
    terms = [_origin(chain[0])]
    for ply, following in zip_longest(chain, chain[1:]):
        terms += worth(ply, following)
    return [term for term in [*terms, *_standing(hypothesis, tracker)] if abs(term.points) > LEAST]


def _origin(hypothesis: Hypothesis) -> Term:
    """What a line had before its last ply; without plies, what the start has cost it."""
    if hypothesis.moves:
        return Term(
            hypothesis.state.begun.score if hypothesis.state.begun else 0.0, "the plies before"
        )
    return Term(hypothesis.state.score - total(worth(hypothesis)), "the board turned round")


def worth(hypothesis: Hypothesis, following: Hypothesis | None = None) -> list[Term]:
    """The terms of what a line's last ply has earned and cost, until ``following`` went on."""
    # What was found after the next ply had been entered is not in that one.
    known = len(hypothesis.state.found) if following is None else following.state.after
    return list(_worded(hypothesis, hypothesis.state.found[:known]))


def distrust(before: Hypothesis, after: Hypothesis) -> list[Term]:
    """The terms of believing a switch stuck so that the last ply of ``after`` makes sense."""
    found = before.state.found[: after.state.after]
    return list(_worded(before, [one for one in found if one.reason in DISTRUST]))


def step_of(hypothesis: Hypothesis, ply: int) -> tuple[Hypothesis, Hypothesis]:
    """The line before its ply ``ply`` (1 = the first) and the line after it."""
    before, after, *_ = chain_of(hypothesis, ply - 1)
    return before, after


def chain_of(hypothesis: Hypothesis, since: int) -> list[Hypothesis]:
    """The line after ``since`` plies, after the next one, and so on to the line itself."""
    chain = [hypothesis]
    while len(chain[-1].moves) > since and chain[-1].parent is not None:
        chain.append(chain[-1].parent)
    return chain[::-1]


def total(terms: Iterable[Term]) -> float:
    """The sum of these terms."""
    return sum(term.points for term in terms)


def less(terms: Iterable[Term], others: Iterable[Term]) -> list[Term]:
    """What parts an account from another one, the greatest difference first.

    Terms that only the other has come back with their points turned round: what it has explained
    is "unexplained: ...", and what it has paid is "not so here: ...".
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
    """The findings in words; a debt and its payment are one thing, told where it was paid."""
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
        return Term(finding.points, WORDS[finding.reason].format(square))
    return Term(finding.points + pending_edge.points, PAID[pending_edge.reason].format(square))


def _standing(hypothesis: Hypothesis, tracker: Tracker) -> Iterator[Term]:
    """What stands otherwise than the line says at this moment."""
    wrong = hypothesis.wrong(tracker.trace.now) & ~hypothesis.pending
    for switch in squares_in(wrong):
        if hypothesis.expected >> switch & 1:
            yield _missing(hypothesis, switch, tracker)
        else:
            yield Term(-EXTRA, f"a man too many stands on {_name(hypothesis, switch)}")
    against = objection(hypothesis, tracker.trace)
    if against:
        yield Term(WORTH[against], WORDS[against])


def _missing(hypothesis: Hypothesis, switch: Square, tracker: Tracker) -> Term:
    own = bool(hypothesis.own >> switch & 1)
    cost = missing_cost(hypothesis, tracker.trace, tracker.now_us, switch, own=own)
    return Term(-cost, ABSENCE[cost].format(_name(hypothesis, switch)))


def _name(hypothesis: Hypothesis, switch: Square) -> str:
    return NAMES[hypothesis.switch(switch)]
