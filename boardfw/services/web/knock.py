"""The knock: whoever is at the board proves it by touching squares that only their page names.

Four empty squares are asked for. A piece is put on each and taken off again, in their order. It is
a plain state machine: time comes in, and which switches are closed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum

from boardfw.squares import ALL, NAMES, Bitboard, Square, squares_in

SQUARES = 4
TRIES = 3
LASTS_MS = 120_000


class KnockState(Enum):
    """How far a knock has come."""

    WAITING = "waiting"
    DONE = "done"
    FAILED = "failed"


def can_knock(standing: Bitboard) -> bool:
    """Whether enough squares are empty."""
    return (ALL & ~standing).bit_count() >= SQUARES


class Knock:
    """One knock. ``standing``: squares with a piece at the beginning; none of them is asked for."""

    def __init__(
        self,
        t_ms: int,
        standing: Bitboard,
        choose: Callable[[Sequence[Square], int], Sequence[Square]],
    ) -> None:
        """``choose``: so many of these squares, by chance and in its order."""
        self._empty = ALL & ~standing
        self._wanted = tuple(choose(tuple(squares_in(self._empty)), SQUARES))
        self._until_ms = t_ms + LASTS_MS
        self._now = standing
        self._done = 0
        self._is_put = False
        """Whether a piece stands on the square that is asked for."""
        self.tries_left = TRIES
        self._is_failed = False

    @property
    def squares(self) -> list[str]:
        """The squares that are asked for."""
        return [NAMES[square] for square in self._wanted]

    @property
    def seen(self) -> int:
        """How many of them were touched."""
        return self._done

    def left_ms(self, t_ms: int) -> int:
        """How long there still is."""
        return max(0, self._until_ms - t_ms)

    def state(self, t_ms: int) -> KnockState:
        """How far it has come by an instant."""
        if self._done == SQUARES:
            return KnockState.DONE
        if self._is_failed or t_ms >= self._until_ms:
            return KnockState.FAILED
        return KnockState.WAITING

    def see(self, t_ms: int, standing: Bitboard) -> None:
        """These squares have a piece now."""
        closed = standing & ~self._now & self._empty
        opened = self._now & ~standing
        self._now = standing
        if self.state(t_ms) is not KnockState.WAITING:
            return
        wanted = 1 << self._wanted[self._done]
        if self._is_put and opened & wanted:
            self._is_put = False
            self._done += 1
            wanted = 1 << self._wanted[min(self._done, SQUARES - 1)]
        if closed == wanted and self._done < SQUARES:
            self._is_put = True
        elif closed & ~self._touched:
            self._err()

    @property
    def _touched(self) -> Bitboard:
        """The square touched last, on which a contact may bounce."""
        return 1 << self._wanted[self._done - 1] if self._done else 0

    def _err(self) -> None:
        self._done, self._is_put = 0, False
        self.tries_left -= 1
        self._is_failed = self.tries_left == 0
