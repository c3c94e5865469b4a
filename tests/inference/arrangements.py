"""Few squares, few types of pieces: the fewest actions between arrangements, by trying all."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator
from typing import TypeAlias

Arrangement: TypeAlias = tuple[str, ...]
"""A letter for each square: one of ``PIECES``; ``?`` for an unknown piece, ``!`` for one that was
carried here; ``.`` for an empty square."""
PIECES = "KQR"


def after_any_action(here: Arrangement) -> Iterator[Arrangement]:
    """One piece carried, from or to the box perhaps, which holds any piece that is wanted."""
    for square, piece in enumerate(here):
        if piece == ".":
            yield from (_with(here, {square: from_box}) for from_box in PIECES)
            continue
        yield _with(here, {square: "."})
        carried = "!" if piece == "?" else piece
        for other, free in enumerate(here):
            if free == ".":
                yield _with(here, {square: ".", other: carried})


def distances(wanted: Arrangement) -> dict[Arrangement, int]:
    """The fewest actions from every arrangement without unknown pieces: actions can be undone."""
    return dict(_spreading(wanted))


def fewest(standing: Arrangement, wanted: Arrangement) -> int:
    """The fewest actions where some pieces are unknown.

    An unknown piece is right where it stands if a piece is wanted there. Carried elsewhere, it is
    one of those that are missing: a type of which too few stand on the board.
    """
    short = Counter(piece for piece in wanted if piece != ".")
    for piece, other in zip(standing, wanted, strict=True):
        short[other if piece == "?" else piece] -= 1

    def is_there(here: Arrangement) -> bool:
        squares = [*zip(here, wanted, strict=True)]
        if any(piece != other and (piece not in "?!" or other == ".") for piece, other in squares):
            return False
        taken_for = Counter(other for piece, other in squares if piece == "!")
        return all(short[piece] >= times for piece, times in taken_for.items())

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
    return tuple(changed.get(square, piece) for square, piece in enumerate(here))
