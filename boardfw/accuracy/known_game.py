"""A game that is known beforehand, found again in what the switches read of it.

The moves are known, so nothing has to be guessed but when each was made, and which other moves a
player let stand meanwhile. From this comes the truth of a recording that a person made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise, zip_longest
from typing import TypeAlias

from boardfw.accuracy.gesture_truth import are_twins
from boardfw.accuracy.truth import PlyTruth, Shown
from boardfw.rules import Move, Position
from boardfw.squares import BY_NAME, Bitboard, Occupancy, Orientation, Square, bitboard_of

Scans = Sequence[tuple[int, Occupancy]]
STEADY_US = 8_000
"""What is read for so long is no bounce: contacts bounce for 6 ms at most."""
PROMOTION = len("e7e8q")
REPLY_US = 2_000_000
"""A reply whose piece is off its square for so long was not begun before the ply it answers."""
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
    aside: Bitboard
    """The pawn that is captured en passant."""

    @property
    def is_capture(self) -> bool:
        """True if another piece was on the target, so that only the target's contact tells."""
        return bool(self.before >> self.target & 1)


def ply_of(position: Position, move: Move) -> Ply:
    """Return what a move is to the switches."""
    squares = bitboard_of(square for step in move.steps() for square in step)
    aside = 0 if move.captured in (None, move.target) else 1 << move.captured
    after = position.play_unchecked(move).occupied
    return Ply(position.occupied, after, move.origin, move.target, squares | aside, aside)


def plies_of(start: Position, moves: Sequence[Move]) -> list[Ply]:
    """Return the plies of a game."""
    positions = accumulate(moves, Position.play_unchecked, initial=start)
    return [ply_of(position, move) for position, move in zip(positions, moves, strict=False)]


class Stretch:
    """What was read since the ply before was made: enough to say whether the next one was."""

    def __init__(self, ply: Ply, following: Ply | None) -> None:
        self._ply = ply
        self._following = following
        self._last: Bitboard | None = None
        self._has_left = False
        self._is_exchanged = False
        """True if the contact under a captured piece told of it, after the origin had opened."""
        self._opened_by_reply = False

    def add(self, read: Bitboard) -> None:
        """Note one scan. A piece that was off its square in the first one has left it before."""
        ply, last = self._ply, self._last
        self._has_left |= not read >> ply.origin & 1
        if last is not None and (last ^ read) >> ply.target & 1:
            if not read >> ply.target & 1:
                self._opened_by_reply = self._is_recaptured_in(read)
            elif self._has_left and not self._opened_by_reply:
                self._is_exchanged = True
        self._last = read

    def _is_recaptured_in(self, read: Bitboard) -> bool:
        """True if the reply takes on the same square, and its piece is already in the hand."""
        reply = self._following
        return bool(reply and reply.target == self._ply.target and not read >> reply.origin & 1)

    def shows(self, read: Bitboard, *, seen: bool = True) -> bool:
        """True if the squares of this ply are read as after it; others may be disturbed.

        ``seen``: whether the contact under a captured piece must have told of it.
        """
        if (read ^ self._ply.after) & self._ply.squares:
            return False
        return not (seen and self._ply.is_capture) or self._is_exchanged

    def is_lifted(self, read: Bitboard) -> bool:
        """True if all pieces of this ply are off the squares from which they come."""
        return not read & self._ply.squares & self._ply.before & ~self._ply.after


def is_undisturbed(read: Bitboard, ply: Ply, following: Ply | None) -> bool:
    """True if all squares are read as after this ply; the reply may have begun."""
    reply = 0 if following is None else following.squares
    return not (read ^ ply.after) & ~(reply | ply.squares)


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
        tags = () if is_seen else ("never_open" if ply.is_capture else "never_closed",)
        twins = tuple(one.uci() for one in position.legal_moves() if are_twins(one, move))
        truths.append(PlyTruth(move.uci(), begin_us, t_us, t_us, tags, twins))
        position, at = position.play_unchecked(move), made_at
    return tuple(_chosen(read, truths)), tuple(shown)


def _chosen(read: Read, truths: Sequence[PlyTruth]) -> Iterator[PlyTruth]:
    """Yield the plies; a promotion ends with the last put-back before the next ply begins."""
    for ply, following in zip_longest(truths, truths[1:]):
        until_us = read[-1][0] + 1 if following is None else following.begin_us
        times = [ply.landed_us]
        if len(ply.uci) == PROMOTION:
            target = BY_NAME[ply.uci[2:4]]
            times += [
                t_us
                for (_, before), (t_us, after) in pairwise(read)
                if ply.landed_us < t_us < until_us and after & ~before & 1 << target
            ]
        yield replace(ply, landed_us=times[-1], contact_us=times[-1])


Read: TypeAlias = Sequence[tuple[int, Bitboard]]


class _Steady:
    """The first scan since which something has been read for long enough, without a pause.

    ``found``: None as long as there is none.
    """

    def __init__(self) -> None:
        self.found: int | None = None
        self._since: int | None = None

    def note(self, here: int, read: Read, *, holds: bool) -> None:
        """Note whether it is read in a scan."""
        if not holds:
            self._since = None
            return
        self._since = here if self._since is None else self._since
        is_last = here + 1 == len(read)
        lasts = is_last or read[here + 1][0] - read[self._since][0] >= STEADY_US
        if lasts and self.found is None:
            self.found = self._since


def _made(read: Read, at: int, plies: Sequence[Ply], number: int) -> tuple[int, bool] | None:
    """Return at which scan a ply was made, and whether the switches told of it; None: it was not.

    Best is a scan at which nothing else is disturbed. The first one is taken at which the squares
    of the ply are right if the reply is made before that, or else when its piece was lifted.
    """
    ply, following, third = plies[number], _at(plies, number + 1), _at(plies, number + 2)
    stretch = Stretch(ply, following)
    reply = None if following is None else Stretch(following, third)
    whole, own, lifted, answered = _Steady(), _Steady(), _Steady(), _Steady()
    for here in range(at, len(read)):
        seen = read[here][1]
        stretch.add(seen)
        shows = stretch.shows(seen)
        lifted.note(here, read, holds=_may_be_made(stretch, seen, ply, following))
        own.note(here, read, holds=shows)
        whole.note(here, read, holds=shows and is_undisturbed(seen, ply, following))
        if whole.found is not None:
            return whole.found, True
        if reply is None:
            continue
        reply.add(seen)
        answered.note(here, read, holds=reply.shows(seen))
        is_late = own.found is None and reply.is_lifted(seen) and _lasts_us(read, here) >= REPLY_US
        if lifted.found is not None and (answered.found is not None or is_late):
            break
    if own.found is not None:
        return own.found, True
    return None if lifted.found is None else (lifted.found, False)


def _may_be_made(stretch: Stretch, seen: Bitboard, ply: Ply, following: Ply | None) -> bool:
    """True if a ply may have been made that the switches do not tell of."""
    if following is None:  # no reply will show that it was
        return ply.is_capture and stretch.shows(seen, seen=False)
    return stretch.is_lifted(seen)


def _lasts_us(read: Read, here: int) -> int:
    return read[here + 1][0] - read[here][0] if here + 1 < len(read) else 0


def _at(plies: Sequence[Ply], number: int) -> Ply | None:
    return plies[number] if number < len(plies) else None


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
    stretches = [Stretch(ply, None) for _, ply in others]
    for here in range(first, last):
        seen, until_us = read[here][1], read[here + 1][0]
        for (one, ply), stretch in zip(others, stretches, strict=True):
            stretch.add(seen)
            stands = stretch.shows(seen) and is_undisturbed(seen, ply, None)
            if stands and until_us - read[here][0] >= SEEN_US:
                yield Shown(number, one.uci(), read[here][0], until_us)
