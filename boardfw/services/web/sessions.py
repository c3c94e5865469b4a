"""Who is known at the pages: owners, sessions, and the codes that are swapped for one.

A session is 256 random bits in a cookie; here only their SHA-256 is kept. "Nobody owns this board"
is the absence of an owner, not a flag that something could reset.

How old a session is, no wall clock says: a Raspberry Pi learns the time in mid-game, or a person
sets it wrong. Ages are counted in time that the board has run, which never jumps; while it is off,
nobody gets older.
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
"""A session ends when it was not used for so long, and after so long in any case; all of it in time
that the board has run."""
PLAYER_MS = DAY_MS // 2
"""A player's session, which a knock gave, or a spectator's, when it was not used for so long."""
TOUCH_MS = 3_600_000
"""Its last use is written down this exactly: a card wears out by writing."""
FRESH_MS = 900_000
"""For so long after a code or a knock somebody may also change who is known."""
CODE_MS = 600_000
"""A code that ``boardfw pair`` prints counts for so long."""
NAME_LENGTH = 60
_DIGEST = re.compile("[0-9a-f]{64}")


class Instant(NamedTuple):
    """A moment, by both clocks."""

    unix_ms: int
    """As the machine's clock showed it, right or wrong: to be shown to a person."""
    ran_ms: int
    """For how long the board had run by then, in all its runs: to count with."""


class Holder(NamedTuple):
    """A session, as it is kept."""

    id: int
    role: Role
    name: str
    """As its device was called; not to be trusted as anything else."""
    created: Instant
    last: Instant
    """When it was used last."""
    link: int | None = None
    """The link by which a spectator came; None: no link."""
    delay_plies: int = 0
    """How far what is shown stays behind the board."""


class Link(NamedTuple):
    """An address for spectators, as many as like."""

    id: int
    name: str
    delay_plies: int
    since_ms: int


class Way(NamedTuple):
    """What a code gives. ``link``: None: it counted once."""

    role: Role
    link: Link | None = None


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

    def add(
        self, digest: bytes, role: Role, name: str, now: Instant, link: int | None = None
    ) -> int:
        """Keep a session, which came by a link; its number."""

    def find(self, digest: bytes) -> Holder | None:
        """The session with this digest."""

    def touch(self, number: int, now: Instant) -> None:
        """A session was used."""

    def remove(self, number: int) -> bool:
        """End a session; whether there was one."""

    def all(self) -> list[Holder]:
        """Every session, in the order of their numbers."""

    def add_link(self, digest: bytes, name: str, delay_plies: int, now_ms: int) -> int:
        """Keep a link; its number."""

    def find_link(self, digest: bytes) -> Link | None:
        """The link with this digest."""

    def links(self) -> list[Link]:
        """Every link, in the order of their numbers."""

    def remove_link(self, number: int) -> bool:
        """End a link and all sessions that came by it; whether there was one."""

    def offer(self, digest: bytes, offer: Offer) -> None:
        """Keep a code."""

    def redeem(self, digest: bytes) -> Offer | None:
        """Take a code away; None: there is none."""

    def ran_ms(self) -> int:
        """Return for how long the board has run, as far as it was kept."""

    def keep_ran(self, ran_ms: int) -> None:
        """Keep for how long the board has run."""


def monotonic_ms() -> int:
    """Return milliseconds of a clock that nobody sets."""
    return time.monotonic_ns() // 1_000_000


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
    """The sessions of a board. ``unix``: what the machine's clock shows; ``monotonic``: a clock
    that nobody sets; both in milliseconds."""

    def __init__(
        self,
        keeper: Keeper,
        unix: Callable[[], int] = unix_ms,
        monotonic: Callable[[], int] = monotonic_ms,
    ) -> None:
        self._keeper = keeper
        self._unix = unix
        self._monotonic = monotonic
        self._began_ms = monotonic() - keeper.ran_ms()
        self._proved_ms: dict[int, int] = {}
        """By session, when it was proved last, after its beginning, that its owner is here."""

    def _now(self) -> Instant:
        return Instant(self._unix(), self._monotonic() - self._began_ms)

    def keep_time(self) -> None:
        """Let the time count that the board has run. Raises BoardError."""
        self._keeper.keep_ran(self._now().ran_ms)

    @property
    def is_claimed(self) -> bool:
        """Whether the board belongs to anybody."""
        return self._keeper.has_owner()

    def begin(self, role: Role, name: str, link: Link | None = None) -> tuple[str, Holder]:
        """A new session; its token, which is told only once. Who owns becomes an owner."""
        now, token = self._now(), new_secret()
        name = plain_name(name)
        if role is Role.OWNER and not self._keeper.has_owner():
            self._keeper.add_owner(name, now.unix_ms)
        if link is None:
            number = self._keeper.add(digest_of(token), role, name, now)
            return token, Holder(number, role, name, now, now)
        number = self._keeper.add(digest_of(token), role, name, now, link.id)
        return token, Holder(number, role, name, now, now, link.id, link.delay_plies)

    def of(self, token: str | None) -> Holder | None:
        """Whose token this is; None: nobody's, or its session has ended."""
        return self.of_digest(digest_of(token).hex()) if token else None

    def of_digest(self, digest: str | None) -> Holder | None:
        """The same by the SHA-256 of the token, in hexadecimal digits; None also if it is none."""
        holder = self._keeper.find(bytes.fromhex(digest)) if _is_digest(digest) else None
        if holder is None:
            return None
        now = self._now()
        if not self._lasts(holder, now):
            self._keeper.remove(holder.id)
            return None
        if now.ran_ms - holder.last.ran_ms >= TOUCH_MS:
            self._keeper.touch(holder.id, now)
        return holder

    def prove(self, number: int) -> None:
        """Whoever has this session has just given a code again, or has knocked."""
        self._proved_ms[number] = self._now().ran_ms

    def is_fresh(self, holder: Holder) -> bool:
        """Whether it was proved lately enough who has this session."""
        proved_ms = self._proved_ms.get(holder.id, holder.created.ran_ms)
        return self._now().ran_ms - proved_ms < FRESH_MS

    def end(self, number: int) -> bool:
        """End a session; whether there was one."""
        self._proved_ms.pop(number, None)
        return self._keeper.remove(number)

    def all(self) -> list[Holder]:
        """Those that have not ended."""
        now = self._now()
        return [holder for holder in self._keeper.all() if self._lasts(holder, now)]

    def offer(self, role: Role, lasts_ms: int | None = CODE_MS) -> str:
        """A new code for a session with a role; ``lasts_ms``: None: until it is used."""
        code = new_secret()
        ends_ms = None if lasts_ms is None else self._unix() + lasts_ms
        self._keeper.offer(digest_of(code), Offer(role, ends_ms))
        return code

    def link(self, name: str, delay_plies: int) -> tuple[str, Link]:
        """A new link for spectators; its code, which is told only once."""
        code, now_ms, name = new_secret(), self._unix(), plain_name(name)
        number = self._keeper.add_link(digest_of(code), name, delay_plies, now_ms)
        return code, Link(number, name, delay_plies, now_ms)

    def links(self) -> list[Link]:
        """The links that count."""
        return self._keeper.links()

    def end_link(self, number: int) -> list[int] | None:
        """End a link; the sessions that have ended with it. None: there is no such link."""
        ended = [one.id for one in self._keeper.all() if one.link == number]
        return ended if self._keeper.remove_link(number) else None

    def way(self, code: str) -> Way | None:
        """What a code gives: a link's as often as it is asked, another once; None: nothing."""
        link = self._keeper.find_link(digest_of(code))
        if link is not None:
            return Way(Role.SPECTATOR, link)
        role = self.redeem(code)
        return None if role is None else Way(role)

    def redeem(self, code: str) -> Role | None:
        """The role that a code gives, once; None: it gives none."""
        offer = self._keeper.redeem(digest_of(code))
        if offer is None:
            return None
        # By the machine's clock, since another program made it; one set back must not prolong it.
        lasts = offer.ends_ms is None or 0 <= offer.ends_ms - self._unix() <= CODE_MS
        return offer.role if lasts else None

    @staticmethod
    def _lasts(holder: Holder, now: Instant) -> bool:
        sliding_ms = PLAYER_MS if holder.role in (Role.SPECTATOR, Role.PLAYER) else SLIDING_MS
        is_used = now.ran_ms - holder.last.ran_ms < sliding_ms
        return is_used and now.ran_ms - holder.created.ran_ms < ABSOLUTE_MS


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
        self._links: dict[bytes, Link] = {}
        self._next = 1

    def has_owner(self) -> bool:
        """As of ``Keeper``."""
        return bool(self._owners)

    def add_owner(self, name: str, now_ms: int) -> None:  # noqa: ARG002  # nobody asks since when
        """As of ``Keeper``."""
        self._owners.append(name)

    def add(
        self, digest: bytes, role: Role, name: str, now: Instant, link: int | None = None
    ) -> int:
        """As of ``Keeper``."""
        number, self._next = self._next, self._next + 1
        delay = next((one.delay_plies for one in self.links() if one.id == link), 0)
        self._held[digest] = Holder(number, role, name, now, now, link, delay)
        return number

    def add_link(self, digest: bytes, name: str, delay_plies: int, now_ms: int) -> int:
        """As of ``Keeper``."""
        number, self._next = self._next, self._next + 1
        self._links[digest] = Link(number, name, delay_plies, now_ms)
        return number

    def find_link(self, digest: bytes) -> Link | None:
        """As of ``Keeper``."""
        return self._links.get(digest)

    def links(self) -> list[Link]:
        """As of ``Keeper``."""
        return sorted(self._links.values())

    def remove_link(self, number: int) -> bool:
        """As of ``Keeper``."""
        before = len(self._links)
        self._links = {digest: one for digest, one in self._links.items() if one.id != number}
        self._held = {digest: one for digest, one in self._held.items() if one.link != number}
        return len(self._links) < before

    def find(self, digest: bytes) -> Holder | None:
        """As of ``Keeper``."""
        return self._held.get(digest)

    def touch(self, number: int, now: Instant) -> None:
        """As of ``Keeper``."""
        for digest, holder in self._held.items():
            if holder.id == number:
                self._held[digest] = holder._replace(last=now)

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

    def ran_ms(self) -> int:
        """As of ``Keeper``."""
        return 0

    def keep_ran(self, ran_ms: int) -> None:
        """As of ``Keeper``; there is no other run."""
