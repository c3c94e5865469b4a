"""Who is known at the pages: owners, sessions, and the codes that are swapped for one.

A session is 256 random bits in a cookie; here only their SHA-256 is kept. "Nobody owns this board"
is the absence of an owner, not a flag that something could reset.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import time
from collections.abc import Callable
from typing import NamedTuple, Protocol, TypeGuard

from boardfw.services.web.roles import Role

TOKEN_BYTES = 32
DAY_MS = 86_400_000
SLIDING_MS, ABSOLUTE_MS = 30 * DAY_MS, 365 * DAY_MS
"""A session ends when it was not used for so long, and after so long in any case."""
PLAYER_MS = DAY_MS // 2
"""A player's session, which a knock gave, when it was not used for so long."""
TOUCH_MS = 3_600_000
"""Its last use is written down this exactly: a card wears out by writing."""
CODE_MS = 600_000
"""A code that ``boardfw pair`` prints counts for so long."""
NAME_LENGTH = 60
_DIGEST = re.compile("[0-9a-f]{64}")


class Holder(NamedTuple):
    """A session, as it is kept."""

    id: int
    role: Role
    name: str
    """As its device was called; not to be trusted as anything else."""
    created_ms: int
    last_ms: int
    """Unix time, as the machine's clock showed it."""


class Offer(NamedTuple):
    """A code that may be swapped for a session once. ``ends_ms``: None: it lasts as this run."""

    role: Role
    ends_ms: int | None


class Keeper(Protocol):
    """Where owners, sessions and codes are kept. What it cannot write it raises as BoardError."""

    def has_owner(self) -> bool:
        """Whether the board belongs to anybody."""

    def add_owner(self, name: str, now_ms: int) -> None:
        """The board belongs to somebody, or to one more."""

    def add(self, digest: bytes, role: Role, name: str, now_ms: int) -> int:
        """Keep a session; its number."""

    def find(self, digest: bytes) -> Holder | None:
        """The session with this digest."""

    def touch(self, number: int, now_ms: int) -> None:
        """A session was used."""

    def remove(self, number: int) -> bool:
        """End a session; whether there was one."""

    def all(self) -> list[Holder]:
        """Every session, in the order of their numbers."""

    def offer(self, digest: bytes, offer: Offer) -> None:
        """Keep a code."""

    def redeem(self, digest: bytes) -> Offer | None:
        """Take a code away; None: there is none."""


def unix_ms() -> int:
    """Unix time in milliseconds, as the machine's clock shows it."""
    return time.time_ns() // 1_000_000


def _is_digest(text: str | None) -> TypeGuard[str]:
    return text is not None and _DIGEST.fullmatch(text) is not None


def digest_of(secret: str) -> bytes:
    """What is kept of a secret."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).digest()


def new_secret() -> str:
    """A new token or code, in letters that a URL may hold."""
    return secrets.token_urlsafe(TOKEN_BYTES)


class Sessions:
    """The sessions of a board. ``now_ms``: Unix time."""

    def __init__(self, keeper: Keeper, now_ms: Callable[[], int]) -> None:
        self._keeper = keeper
        self._now_ms = now_ms

    @property
    def is_claimed(self) -> bool:
        """Whether the board belongs to anybody."""
        return self._keeper.has_owner()

    def begin(self, role: Role, name: str) -> tuple[str, Holder]:
        """A new session; its token, which is told only once. Who owns becomes an owner."""
        now_ms, token = self._now_ms(), new_secret()
        name = plain_name(name)
        if role is Role.OWNER and not self._keeper.has_owner():
            self._keeper.add_owner(name, now_ms)
        number = self._keeper.add(digest_of(token), role, name, now_ms)
        return token, Holder(number, role, name, now_ms, now_ms)

    def of(self, token: str | None) -> Holder | None:
        """Whose token this is; None: nobody's, or its session has ended."""
        return self.of_digest(digest_of(token).hex()) if token else None

    def of_digest(self, digest: str | None) -> Holder | None:
        """The same by the SHA-256 of the token, in hexadecimal digits; None also if it is none."""
        holder = self._keeper.find(bytes.fromhex(digest)) if _is_digest(digest) else None
        if holder is None:
            return None
        now_ms = self._now_ms()
        if not self._lasts(holder, now_ms):
            self._keeper.remove(holder.id)
            return None
        if now_ms - holder.last_ms >= TOUCH_MS:
            self._keeper.touch(holder.id, now_ms)
        return holder

    def end(self, number: int) -> bool:
        """End a session; whether there was one."""
        return self._keeper.remove(number)

    def all(self) -> list[Holder]:
        """Those that have not ended."""
        now_ms = self._now_ms()
        return [holder for holder in self._keeper.all() if self._lasts(holder, now_ms)]

    def offer(self, role: Role, lasts_ms: int | None = CODE_MS) -> str:
        """A new code for a session with a role; ``lasts_ms``: None: until it is used."""
        code = new_secret()
        ends_ms = None if lasts_ms is None else self._now_ms() + lasts_ms
        self._keeper.offer(digest_of(code), Offer(role, ends_ms))
        return code

    def redeem(self, code: str) -> Role | None:
        """The role that a code gives, once; None: it gives none."""
        offer = self._keeper.redeem(digest_of(code))
        if offer is None or (offer.ends_ms is not None and offer.ends_ms < self._now_ms()):
            return None
        return offer.role

    @staticmethod
    def _lasts(holder: Holder, now_ms: int) -> bool:
        sliding_ms = PLAYER_MS if holder.role is Role.PLAYER else SLIDING_MS
        is_used = now_ms - holder.last_ms < sliding_ms
        return is_used and now_ms - holder.created_ms < ABSOLUTE_MS


def plain_name(name: str) -> str:
    """A device's name in one line of letters that can be shown."""
    shown = "".join(letter if letter.isprintable() else " " for letter in name)
    return " ".join(shown.split())[:NAME_LENGTH] or "a device"


class InMemory:
    """A ``Keeper`` for boards that keep no games: all is forgotten at the end of the run."""

    def __init__(self) -> None:
        self._owners: list[str] = []
        self._held: dict[bytes, Holder] = {}
        self._offers: dict[bytes, Offer] = {}
        self._next = 1

    def has_owner(self) -> bool:
        """As of ``Keeper``."""
        return bool(self._owners)

    def add_owner(self, name: str, now_ms: int) -> None:  # noqa: ARG002  # nobody asks since when
        """As of ``Keeper``."""
        self._owners.append(name)

    def add(self, digest: bytes, role: Role, name: str, now_ms: int) -> int:
        """As of ``Keeper``."""
        number, self._next = self._next, self._next + 1
        self._held[digest] = Holder(number, role, name, now_ms, now_ms)
        return number

    def find(self, digest: bytes) -> Holder | None:
        """As of ``Keeper``."""
        return self._held.get(digest)

    def touch(self, number: int, now_ms: int) -> None:
        """As of ``Keeper``."""
        for digest, holder in self._held.items():
            if holder.id == number:
                self._held[digest] = holder._replace(last_ms=now_ms)

    def remove(self, number: int) -> bool:
        """As of ``Keeper``."""
        before = len(self._held)
        self._held = {digest: one for digest, one in self._held.items() if one.id != number}
        return len(self._held) < before

    def all(self) -> list[Holder]:
        """As of ``Keeper``."""
        return sorted(self._held.values(), key=lambda holder: holder.id)

    def offer(self, digest: bytes, offer: Offer) -> None:
        """As of ``Keeper``."""
        self._offers[digest] = offer

    def redeem(self, digest: bytes) -> Offer | None:
        """As of ``Keeper``."""
        return self._offers.pop(digest, None)
