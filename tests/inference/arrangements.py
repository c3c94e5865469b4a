"""Few squares, few kinds of men: the fewest actions between arrangements, by trying all of them."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator
from typing import TypeAlias

Arrangement: TypeAlias = tuple[str, ...]
"""A letter for each square: one of ``MEN``; ``?`` for somebody unknown, ``!`` if he was carried
here; ``.`` for nobody."""
MEN = "KQR"


def after_any_action(here: Arrangement) -> Iterator[Arrangement]:
    """One man carried, from or to the box perhaps, which holds whoever is wanted."""
    for square, man in enumerate(here):
        if man == ".":
            yield from (_with(here, {square: from_box}) for from_box in MEN)
            continue
        yield _with(here, {square: "."})
        carried = "!" if man == "?" else man
        for other, free in enumerate(here):
            if free == ".":
                yield _with(here, {square: ".", other: carried})


def distances(wanted: Arrangement) -> dict[Arrangement, int]:
    """The fewest actions from every arrangement without unknown men: an action can be undone."""
    return dict(_spreading(wanted))


def fewest(standing: Arrangement, wanted: Arrangement) -> int:
    """The fewest actions where some are unknown.

    Such a man is right where he stands if anybody is wanted there. Carried elsewhere, he is one of
    those who are missing, which no kind is that stands on the board often enough.
    """
    short = Counter(man for man in wanted if man != ".")
    for man, other in zip(standing, wanted, strict=True):
        short[other if man == "?" else man] -= 1

    def is_there(here: Arrangement) -> bool:
        squares = [*zip(here, wanted, strict=True)]
        if any(man != other and (man not in "?!" or other == ".") for man, other in squares):
            return False
        taken_for = Counter(other for man, other in squares if man == "!")
        return all(short[man] >= times for man, times in taken_for.items())

    return _until(is_there, standing)


def _until(is_there: Callable[[Arrangement], bool], standing: Arrangement) -> int:
    return next(actions for here, actions in _spreading(standing) if is_there(here))


def _spreading(start: Arrangement) -> Iterator[tuple[Arrangement, int]]:
    known, reached = {start: 0}, deque([start])
    while reached:
        here = reached.popleft()
        yield here, known[here]
        for there in after_any_action(here):
            if there not in known:
                known[there] = known[here] + 1
                reached.append(there)


def _with(here: Arrangement, changed: dict[int, str]) -> Arrangement:
    return tuple(changed.get(square, man) for square, man in enumerate(here))
