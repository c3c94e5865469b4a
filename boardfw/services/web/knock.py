"""The knock: a person at the board proves it by touching squares that only their page names.

Four empty squares are asked for. A piece is put on each and taken off again, in their order. Many
pages may ask at once: each has squares of its own, so nobody can keep another one out by asking.
All of it is a plain state machine: time comes in, and which switches are closed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from enum import Enum
from itertools import islice
from typing import NamedTuple, TypeAlias

from boardfw.squares import ALL, NAMES, Bitboard, Square, squares_in

SQUARES = 4
TRIES = 3
LASTS_MS, KNOWN_MS = 120_000, 30_000
"""For how long a knock can be done, and what became of it is known afterwards."""
LEAST_EMPTY = 16
FEW, MORE_SQUARES = 16, 6
"""While more knocks than that wait, a new one gets so many squares: touches that are not meant as
a knock must not match one of many."""
MOST_KNOCKS, MOST_OF_ONE_ADDRESS = 1024, 8
"""Knocks that wait, of all and of one address. The oldest makes room that was not begun."""
OLD_AT_ONCE = 8
"""A few are forgotten whenever one is asked for, so that no request has to wait for many."""

Choose: TypeAlias = Callable[[Sequence[Square], int], Sequence[Square]]
"""Returns so many of these squares, at random and in its order."""


class KnockState(Enum):
    """How far a knock has come."""

    WAITING = "waiting"
    DONE = "done"
    FAILED = "failed"


def can_knock(standing: Bitboard) -> bool:
    """True if enough squares are empty for each knock to have squares of its own."""
    return (ALL & ~standing).bit_count() >= LEAST_EMPTY


class Knock:
    """One knock. ``standing``: squares with a piece at the beginning; none of them is asked for."""

    def __init__(self, t_ms: int, standing: Bitboard, choose: Choose, count: int = SQUARES) -> None:
        """``count``: how many squares are asked for."""
        self._empty = ALL & ~standing
        self._wanted = tuple(choose(tuple(squares_in(self._empty)), count))
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

    def is_begun(self, t_ms: int) -> bool:
        """True if some of its squares were touched, and its time is not over."""
        return self._done > 0 and self.left_ms(t_ms) > 0

    def left_ms(self, t_ms: int) -> int:
        """How long there still is."""
        return max(0, self._until_ms - t_ms)

    def state(self, t_ms: int) -> KnockState:
        """How far it has come by an instant."""
        if self._done == len(self._wanted):
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
            wanted = 1 << self._wanted[min(self._done, len(self._wanted) - 1)]
        if closed == wanted and self._done < len(self._wanted):
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


class Asking(NamedTuple):
    """A knock, and the page that asked for it: its address, and how its device is called."""

    knock: Knock
    address: str
    name: str


class Knocks:
    """The knocks that are asked for, each by the SHA-256 of the secret that its page has."""

    def __init__(self, choose: Choose) -> None:
        self._choose = choose
        self._asking: dict[bytes, Asking] = {}
        """In the order in which they were asked for."""
        self._near: defaultdict[str, list[bytes]] = defaultdict(list)
        """The same by address."""
        self._taken: set[tuple[str, ...]] = set()
        """The squares of each."""

    def __len__(self) -> int:
        return len(self._asking)

    def ask(self, t_ms: int, standing: Bitboard, digest: bytes, address: str, name: str) -> Knock:
        """Begin a knock whose squares are those of no other one."""
        self._make_room(t_ms, address)
        count = SQUARES if len(self._asking) < FEW else MORE_SQUARES
        knock = Knock(t_ms, standing, self._choose, count)
        while tuple(knock.squares) in self._taken:
            knock = Knock(t_ms, standing, self._choose, count)
        self._asking[digest] = Asking(knock, address, name)
        self._near[address].append(digest)
        self._taken.add(tuple(knock.squares))
        return knock

    def _make_room(self, t_ms: int, address: str) -> None:
        """Drop the oldest knock that nobody has begun, if there are too many."""
        if len(self._near.get(address, ())) >= MOST_OF_ONE_ADDRESS:
            one_of: Collection[bytes] = self._near[address]
        elif len(self._asking) >= MOST_KNOCKS:
            one_of = self._asking
        else:
            return
        unbegun = (digest for digest in one_of if not self._asking[digest].knock.is_begun(t_ms))
        self.remove(next(unbegun, next(iter(one_of))))

    def see(self, t_ms: int, standing: Bitboard) -> None:
        """These squares have a piece now."""
        for one in self._asking.values():
            one.knock.see(t_ms, standing)

    def find(self, digest: bytes) -> Asking | None:
        """Return the knock of the page with this secret; None: it has none."""
        return self._asking.get(digest)

    def remove(self, digest: bytes) -> None:
        """Forget a knock, if it is known."""
        one = self._asking.pop(digest, None)
        if one is None:
            return
        self._taken.remove(tuple(one.knock.squares))
        self._near[one.address].remove(digest)
        if not self._near[one.address]:
            del self._near[one.address]

    def forget_old(self, t_ms: int) -> None:
        """Forget those whose time was over a while ago: a page may have slept, and asks late."""
        for digest, one in list(islice(self._asking.items(), OLD_AT_ONCE)):
            if one.knock.left_ms(t_ms - KNOWN_MS):
                return
            self.remove(digest)

    def left_ms(self, t_ms: int) -> int:
        """Return how long one of them still waits; 0: none does."""
        for one in reversed(self._asking.values()):
            if one.knock.state(t_ms) is KnockState.WAITING:
                return one.knock.left_ms(t_ms)
        return 0
