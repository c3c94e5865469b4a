"""How somebody becomes known to the board: by a code from its console, or by a knock on it."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from boardfw.services.web.knock import Knock, KnockState, can_knock
from boardfw.services.web.limits import Limit, Rate
from boardfw.services.web.refusals import RefusedError, too_often
from boardfw.services.web.roles import Role
from boardfw.services.web.sessions import Sessions, Way, digest_of, new_secret
from boardfw.squares import Square

TRIES = (Rate(3, 120), Rate(20, 86_400))
"""Wrong codes and knocks, from all devices together."""
WINDOW_S = 900
"""A board that belongs to nobody is given away for so long after it was switched on."""


class _Asking(NamedTuple):
    knock: Knock
    digest: bytes
    name: str


class Pairing:
    """``now_s``: seconds since the board was switched on, roughly; they never go back."""

    def __init__(self, sessions: Sessions, now_s: Callable[[], float]) -> None:
        self._sessions = sessions
        self._now_s = now_s
        self._began_s = now_s()
        self._limit = Limit(*TRIES)
        self._asking: _Asking | None = None
        self._is_shown = False
        """Whether the board was told that somebody knocks."""
        self.show: Callable[[bool], None] = lambda _: None
        """Lets the board show whether somebody knocks."""

    @property
    def is_asked(self) -> bool:
        """Whether somebody knocks, or has just done so."""
        return self._asking is not None

    # --- a code

    def redeem(self, code: str) -> Way:
        """What a code gives. Raises RefusedError."""
        self._count_try()
        way = self._sessions.way(code)
        if way is None:
            raise RefusedError(
                403,
                "this code is wrong, or was used, or is too old",
                where="code",
                remedy="the board's screen shows another one, and so does 'boardfw pair'",
            )
        self._limit.give_back(self._now_s())
        return way

    # --- a knock

    def refusal(self, state: Mapping[str, Any]) -> str:
        """Why nobody can knock now; empty: somebody can. ``state``: of the board."""
        is_late = self._now_s() - self._began_s > WINDOW_S
        if not self._sessions.is_claimed and is_late:
            return "switch the board off and on: it is given away only just after that"
        if state["phase"] == "play" and state["game"]["plies"]:
            return "wait until the game is over"
        if state["blind"] or not can_knock(int(state["occ"], 16)):
            return "the board cannot see four empty squares"
        return ""

    def ask(self, state: Mapping[str, Any], name: str) -> tuple[Knock, str]:
        """Begin a knock; the secret by which its page is known again. Raises RefusedError."""
        if why := self.refusal(state):
            raise RefusedError(409, "nobody can knock now", remedy=why)
        now_ms = self._now_ms()
        if self._asking and self._asking.knock.state(now_ms) is KnockState.WAITING:
            wait_s = self._asking.knock.left_ms(now_ms) / 1000
            raise too_often("somebody else is knocking", wait_s)
        self._count_try()
        secret = new_secret()
        knock = Knock(now_ms, int(state["occ"], 16), _by_chance)
        self._asking = _Asking(knock, digest_of(secret), name)
        self.look()
        return knock, secret

    def see(self, standing: int) -> None:
        """These squares of the board have a piece now."""
        if self._asking is not None:
            self._asking.knock.see(self._now_ms(), standing)
            self.look()

    def look(self) -> None:
        """Let the board show whether somebody knocks now; a knock may have run out of time."""
        asking = self._asking
        is_waiting = asking is not None and asking.knock.state(self._now_ms()) is KnockState.WAITING
        if is_waiting != self._is_shown:
            self._is_shown = is_waiting
            self.show(is_waiting)

    def knock_of(self, secret: str | None) -> Knock | None:
        """The knock of the page that knows this secret."""
        asking = self._asking
        if asking is None or not secret:
            return None
        return asking.knock if hmac.compare_digest(asking.digest, digest_of(secret)) else None

    def state_of(self, knock: Knock) -> tuple[KnockState, int]:
        """How far a knock has come, and for how many milliseconds it lasts."""
        now_ms = self._now_ms()
        return knock.state(now_ms), knock.left_ms(now_ms)

    def conclude(self) -> tuple[Role, str]:
        """The knock was done: what it gives, and to which device."""
        name = self._asking.name if self._asking else ""
        self._asking = None
        self._limit.give_back(self._now_s())
        return (Role.PLAYER if self._sessions.is_claimed else Role.OWNER), name

    def _now_ms(self) -> int:
        return int(self._now_s() * 1000)

    def _count_try(self) -> None:
        if wait_s := self._limit.take(self._now_s()):
            raise too_often("too many tries", wait_s)


def _by_chance(squares: Sequence[Square], count: int) -> Sequence[Square]:
    return secrets.SystemRandom().sample(squares, count)
