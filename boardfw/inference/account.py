"""The account of a line: what its credit is made of, term by term, in words.

The tracker compares lines by one number. Here the findings that it is the sum of are put into
words, so that a person can see why a game was believed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import zip_longest

from boardfw.inference.choice import choice_cost
from boardfw.inference.credit import missing_cost
from boardfw.inference.finding import Finding, Reason
from boardfw.inference.line import Line
from boardfw.inference.tracker import Tracker
from boardfw.inference.weights import ABSENT, EXTRA, GONE, HELD, IN_HAND, MISSING
from boardfw.squares import NAMES, Square, squares_in

WORDS = {
    Reason.LEFT: "{} opened",
    Reason.ARRIVED: "{} closed after that",
    Reason.EMPTIED: "{} opened before: the victim left",
    Reason.REMOVED: "{} opened: the victim left",
    Reason.RESTORED: "{} closed: the victim came back",
    Reason.CAME_LATE: "{} followed late",
    Reason.BLINKED_LATE: "{}, the victim's, did open for an instant",
    Reason.ANSWERED: "the man on {} was lifted in answer",
    Reason.PLY: "the cost of a ply",
    Reason.TAKE_BACK: "the cost of a ply undone",
    Reason.TO_OPEN: "{} has still to open",
    Reason.TO_CLOSE: "{} has still to close",
    Reason.OVERDUE: "{} has kept the reply waiting",
    Reason.UNTOUCHED: "{}, the victim's, never opened",
    Reason.BLINKED: "{}, the victim's, opened for an instant only",
    Reason.EARLY: "begun before the ply before it had begun",
    Reason.HASTY: "begun before the ply before it had arrived",
    Reason.OUT_OF_ORDER: "arrived before the ply before it had arrived",
    Reason.FLEETING: "{} was hardly reached before: a man sliding",
    Reason.BRIDGED: "{} closed before its man had left",
    Reason.UNSEEN: "{} cannot tell: its switch is dead",
    Reason.DEAD: "{} would have a dead switch",
    Reason.WORKED: "{} worked before",
    Reason.IGNORED: "{} stood wrong, and was replied to",
    Reason.REVIVED: "{} has moved, though believed dead",
    Reason.OTHER_MAN: "the put-backs chose another man",
    Reason.STOOD: "a man stood on {} while hands were off",
    Reason.AWAY: "{} was empty while hands were off",
    Reason.VANISHED: "{} was empty before the ply began",
    Reason.STILL: "{} still stood wrong",
    Reason.KEPT: "the man of {} was in a hand while nothing moved",
    Reason.RETURNED: "{} has its man back",
}
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


def account(line: Line, tracker: Tracker, since: int = 0) -> list[Term]:
    """The terms whose sum is ``tracker.credit(line)``; the first ``since`` plies as one term."""
    chain = chain_of(line, since)
    base = chain[1].ledger.inherited if len(chain) > 1 else line.ledger.score
    terms = [Term(base, "the plies before" if chain[0].moves else "the start")]
    for ply, following in zip_longest(chain[1:], chain[2:]):
        terms += worth(ply, following)
    return [term for term in [*terms, *_standing(line, tracker)] if abs(term.points) > LEAST]


def worth(line: Line, following: Line | None = None) -> list[Term]:
    """The terms of what a line's last ply has earned and cost, until ``following`` went on."""
    # What was found after the next ply had been entered is not in that one.
    known = len(line.ledger.found) if following is None else following.ledger.after
    return list(_worded(line, line.ledger.found[:known]))


def step_of(line: Line, ply: int) -> tuple[Line, Line]:
    """The line before its ply ``ply`` (1 = the first) and the line after it."""
    before, after, *_ = chain_of(line, ply - 1)
    return before, after


def chain_of(line: Line, since: int) -> list[Line]:
    """The line after ``since`` plies, after the next one, and so on to the line itself."""
    chain = [line]
    while len(chain[-1].moves) > since and chain[-1].parent is not None:
        chain.append(chain[-1].parent)
    return chain[::-1]


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


def _worded(line: Line, found: Iterable[Finding]) -> Iterator[Term]:
    for finding in found:
        square = "" if finding.switch is None else _name(line, finding.switch)
        yield Term(finding.points, WORDS[finding.reason].format(square))


def _standing(line: Line, tracker: Tracker) -> Iterator[Term]:
    """What stands otherwise than the line says at this moment."""
    wrong = line.wrong(tracker.trace.now) & ~line.pending
    for switch in squares_in(wrong):
        if line.expected >> switch & 1:
            yield _missing(line, switch, tracker)
        else:
            yield Term(-EXTRA, f"{_name(line, switch)} has a man too many")
    cost = choice_cost(line, tracker.trace)
    if cost:
        yield Term(-cost, WORDS[Reason.OTHER_MAN])


def _missing(line: Line, switch: Square, tracker: Tracker) -> Term:
    own = bool(line.switches(line.position.men(line.position.turn)) >> switch & 1)
    cost = missing_cost(line, tracker.trace, tracker.now_us, switch, own=own)
    return Term(-cost, ABSENCE[cost].format(_name(line, switch)))


def _name(line: Line, switch: Square) -> str:
    return NAMES[line.switch(switch)]
