"""How somebody becomes known to the board: by a code from its console, or by a knock on it."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from boardfw.services.web.knock import Asking, Knock, Knocks, KnockState, can_knock
from boardfw.services.web.limits import Limit, Rate
from boardfw.services.web.refusals import RefusedError, too_often
from boardfw.services.web.roles import Role
from boardfw.services.web.sessions import Sessions, Way, digest_of, new_secret, plain_name
from boardfw.squares import Square

TRIES = (Rate(3, 120), Rate(20, 86_400))
"""Wrong codes of one address, before it is asked to wait."""
ALL_TRIES, HELD_S = Rate(20, 60), 2.0
"""Wrong codes of all addresses that are answered at once; others are held back for so long."""
WINDOW_S = 900
"""A board that belongs to nobody is given away for so long after it was switched on."""


class Pairing:
    """Lets people in who have a code, or who are at the board.

    Codes have 256 bits, so limits are not what protects them: a right one counts however many wrong
    ones others have sent. ``now_s``: seconds since the board was switched on, roughly; they never
    go back.
    """

    def __init__(self, sessions: Sessions, now_s: Callable[[], float]) -> None:
        self._sessions = sessions
        self._now_s = now_s
        self._began_s = now_s()
        self._tries = Limit(*TRIES)
        self._all_tries = Limit(ALL_TRIES)
        self._knocks = Knocks(_by_chance)
        self._is_shown = False
        """Whether the board was told that somebody knocks."""
        self.show: Callable[[bool], None] = lambda _: None
        """Lets the board show whether somebody knocks."""

    @property
    def is_asked(self) -> bool:
        """True if somebody knocks, or has just done so."""
        return len(self._knocks) > 0

    # --- a code

    def redeem(self, code: str, address: str) -> Way:
        """Return what a code gives. Raises RefusedError; ``address``: where it came from."""
        way = self._sessions.way(code)
        if way is not None:
            return way
        if wait_s := self._tries.take(self._now_s(), address):
            raise too_often("too many wrong codes", wait_s)
        raise RefusedError(
            403,
            "this code is wrong, or was used, or is too old",
            where="code",
            remedy="the board's screen shows another one, and so does 'boardfw pair'",
        )

    def hold_s(self) -> float:
        """Count a wrong code; return how long its answer is to be held back."""
        return HELD_S if self._all_tries.take(self._now_s()) else 0.0

    # --- a knock

    def refusal(self, state: Mapping[str, Any]) -> str:
        """Why nobody can knock now; empty: somebody can. ``state``: of the board."""
        is_late = self._now_s() - self._began_s > WINDOW_S
        if not self._sessions.is_claimed and is_late:
            return "switch the board off and on: it is given away only just after that"
        if state["phase"] == "play" and state["game"]["plies"]:
            return "wait until the game is over"
        if state["blind"] or not can_knock(int(state["occ"], 16)):
            return "the board cannot see enough empty squares"
        return ""

    def ask(self, state: Mapping[str, Any], name: str, address: str) -> tuple[Knock, str]:
        """Begin a knock; the secret by which its page is known again. Raises RefusedError."""
        if why := self.refusal(state):
            raise RefusedError(409, "nobody can knock now", remedy=why)
        secret = new_secret()
        knock = self._knocks.ask(
            self._now_ms(), int(state["occ"], 16), digest_of(secret), address, plain_name(name)
        )
        self.look()
        return knock, secret

    def see(self, standing: int) -> None:
        """These squares of the board have a piece now."""
        if self.is_asked:
            self._knocks.see(self._now_ms(), standing)
            self.look()

    def look(self) -> None:
        """Let the board show whether somebody knocks now; a knock may have run out of time."""
        self._knocks.forget_old(self._now_ms())
        is_waiting = self.left_s > 0
        if is_waiting != self._is_shown:
            self._is_shown = is_waiting
            self.show(is_waiting)

    @property
    def left_s(self) -> float:
        """How long somebody may still knock; 0: nobody knocks."""
        return self._knocks.left_ms(self._now_ms()) / 1000

    def knock_of(self, secret: str | None) -> Knock | None:
        """The knock of the page that knows this secret."""
        asking = self._asking_of(secret)
        return asking.knock if asking else None

    def _asking_of(self, secret: str | None) -> Asking | None:
        return self._knocks.find(digest_of(secret)) if secret else None

    def state_of(self, knock: Knock) -> tuple[KnockState, int]:
        """How far a knock has come, and for how many milliseconds it lasts."""
        now_ms = self._now_ms()
        return knock.state(now_ms), knock.left_ms(now_ms)

    def conclude(self, secret: str) -> tuple[Role, str]:
        """A knock was done: what it gives, and to which device."""
        asking = self._asking_of(secret)
        self._knocks.remove(digest_of(secret))
        role = Role.PLAYER if self._sessions.is_claimed else Role.OWNER
        return role, asking.name if asking else ""

    def _now_ms(self) -> int:
        return int(self._now_s() * 1000)


def _by_chance(squares: Sequence[Square], count: int) -> Sequence[Square]:
    return secrets.SystemRandom().sample(squares, count)
