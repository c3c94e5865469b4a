"""A game that is known beforehand, found again in what the switches read of it.

The moves are known, so nothing has to be guessed but when each was made, and which other moves a
player let stand meanwhile. From this comes the truth of a recording that a person made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from boardfw.accuracy.gesture_truth import are_twins
from boardfw.accuracy.truth import PlyTruth, Shown
from boardfw.rules import Move, Position
from boardfw.squares import Bitboard, Occupancy, Orientation, Square, bitboard_of

Scans = Sequence[tuple[int, Occupancy]]
STEADY_US = 20_000
"""A position counts that is read for so long: contacts bounce for 6 ms at most."""
SEEN_US = 250_000
"""A move that is let stand for so long has been shown."""


@dataclass(frozen=True, slots=True)
class Ply:
    """A move as the switches see it."""

    before: Bitboard
    after: Bitboard
    origin: Square
    target: Square
    squares: Bitboard
    """All that it changes or may change."""

    @property
    def is_capture(self) -> bool:
        """True if another piece was on the target, so that only the target's contact tells."""
        return bool(self.before >> self.target & 1)


def ply_of(position: Position, move: Move) -> Ply:
    """Return what a move is to the switches."""
    squares = bitboard_of(square for step in move.steps() for square in step)
    if move.captured is not None:
        squares |= 1 << move.captured
    after = position.play_unchecked(move).occupied
    return Ply(position.occupied, after, move.origin, move.target, squares)


def plies_of(start: Position, moves: Sequence[Move]) -> list[Ply]:
    """Return the plies of a game."""
    positions = accumulate(moves, Position.play_unchecked, initial=start)
    return [ply_of(position, move) for position, move in zip(positions, moves, strict=False)]


class Stretch:
    """What was read since the ply before was made: enough to say whether the next one was."""

    def __init__(self) -> None:
        self._last: Bitboard | None = None
        self._left: Bitboard = 0
        self._came: Bitboard = 0
        """Squares that closed, in captures after the origin had opened."""

    def add(self, read: Bitboard, ply: Ply) -> None:
        """Note one scan. A piece that was off its square in the first one has left it before."""
        if self._last is None:
            self._left |= ply.before & ~read
        else:
            opened, closed = self._last & ~read, read & ~self._last
            self._left |= opened
            if not ply.is_capture or self._left >> ply.origin & 1:
                self._came |= closed
        self._last = read

    def shows(self, read: Bitboard, ply: Ply, following: Ply | None, *, seen: bool = True) -> bool:
        """True if a reading is the one after this ply; the reply may have begun.

        ``seen``: whether the contact under a captured piece must have told of it.
        """
        reply = 0 if following is None else following.squares & ~ply.squares
        if (read ^ ply.after) & ~reply:
            return False
        return not (seen and ply.is_capture) or bool(self._came >> ply.target & 1)


def found(
    start: Position, moves: Sequence[Move], scans: Scans
) -> tuple[tuple[PlyTruth, ...], tuple[Shown, ...]]:
    """Return each ply that was made, with its times, and the other moves that were shown.

    It ends with the last ply that the switches show.
    """
    read = [(t_us, Orientation.AS_WIRED.squares(occupancy)) for t_us, occupancy in scans]
    plies = plies_of(start, moves)
    truths: list[PlyTruth] = []
    shown: list[Shown] = []
    position, at = start, 0
    for number, (move, ply) in enumerate(zip(moves, plies, strict=True)):
        made = _made(read, at, plies, number)
        if made is None:
            break
        made_at, is_seen = made
        begin_us = _begin_us(read, at, made_at, ply)
        shown += _shown(read, (at, made_at), position, move, number)
        t_us = read[made_at][0]
        tags = () if is_seen else ("never_open",)
        twins = tuple(one.uci() for one in position.legal_moves() if are_twins(one, move))
        truths.append(PlyTruth(move.uci(), begin_us, t_us, t_us, tags, twins))
        position, at = position.play_unchecked(move), made_at
    return tuple(truths), tuple(shown)


Read = Sequence[tuple[int, Bitboard]]


def _made(read: Read, at: int, plies: Sequence[Ply], number: int) -> tuple[int, bool] | None:
    """Return at which scan a ply was made, and whether its capture was seen; None: it was not."""
    ply, following = plies[number], _at(plies, number + 1)
    stretch, reply, unseen = Stretch(), Stretch(), None
    for here in range(at, len(read)):
        seen = read[here][1]
        stretch.add(seen, ply)
        if unseen is not None and following is not None:
            reply.add(seen, following)
        if not _is_steady(read, here):
            continue
        if stretch.shows(seen, ply, following):
            return here, True
        if unseen is None:
            unseen = here if stretch.shows(seen, ply, following, seen=False) else None
        elif following and reply.shows(seen, following, _at(plies, number + 2)):
            break
    return None if unseen is None else (unseen, False)


def _at(plies: Sequence[Ply], number: int) -> Ply | None:
    return plies[number] if number < len(plies) else None


def _is_steady(read: Read, here: int) -> bool:
    return here + 1 == len(read) or read[here + 1][0] - read[here][0] >= STEADY_US


def _begin_us(read: Read, at: int, made_at: int, ply: Ply) -> int:
    """Return when a square of the ply first changed."""
    for here in range(at + 1, made_at + 1):
        if (read[here][1] ^ read[here - 1][1]) & ply.squares:
            return read[here][0]
    return read[made_at][0]


def _shown(
    read: Read, span: tuple[int, int], position: Position, move: Move, number: int
) -> Iterator[Shown]:
    """Yield other legal moves that stood for a while before the ply was made."""
    legal = position.legal_moves()
    others = [(one, ply_of(position, one)) for one in legal if one.steps() != move.steps()]
    first, last = span
    stretches = [Stretch() for _ in others]
    for here in range(first, last):
        until_us = read[here + 1][0]
        for (one, ply), stretch in zip(others, stretches, strict=True):
            stretch.add(read[here][1], ply)
            stands = stretch.shows(read[here][1], ply, None)
            if stands and until_us - read[here][0] >= SEEN_US:
                yield Shown(number, one.uci(), read[here][0], until_us)
