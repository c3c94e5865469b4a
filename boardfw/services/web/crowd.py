"""Which connections are kept when too many come: nobody keeps out those who are known.

A connection is a stranger's until a request on it has shown a session. A new connection is never
refused for the sake of a stranger: the oldest connection of the address that has most of them makes
room. So a flood from one address pushes out its own, and whoever asks at once is answered.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable
from typing import Protocol

log = logging.getLogger(__name__)

MOST_CONNECTIONS, MOST_STRANGERS = 256, 192
"""The difference is for those who are known."""
MOST_OF_ONE_ADDRESS, MOST_STRANGERS_OF_ONE_ADDRESS = 64, 32
"""A school's network may have a single address."""
LOG_EVERY_S = 60.0
"""A flood must not fill the log, which may be on a card."""


class Line(Protocol):
    """A connection."""

    address: str
    """Where it comes from; empty: a proxy, which has limits of its own."""
    is_known: bool
    """True if a request on it has shown a session."""
    is_busy: bool
    """True while a request on it is answered."""

    def drop(self) -> None:
        """End it now."""


class Crowd:
    """The connections that are open. ``now_s``: seconds; they never go back."""

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s = now_s
        self._lines: dict[Line, None] = {}
        """In the order in which they came."""
        self._dropped: Counter[str] = Counter()
        """Since the last line in the log, by address."""
        self._logged_s: float | None = None

    def enter(self, line: Line) -> bool:
        """Let a connection in, if need be in place of another; False: there is no room for it."""
        if not all(map(self._has_room, self._full(line))):
            self._note(line)
            return False
        self._lines[line] = None
        return True

    def leave(self, line: Line) -> None:
        """Forget a connection that has ended."""
        self._lines.pop(line, None)

    def _full(self, new: Line) -> list[list[Line]]:
        """Return the groups of connections of which one has to go before another may come."""
        everybody = list(self._lines)
        near = [line for line in everybody if new.address and line.address == new.address]
        limits = (
            (near, MOST_OF_ONE_ADDRESS),
            (_strangers(near), MOST_STRANGERS_OF_ONE_ADDRESS),
            (everybody, MOST_CONNECTIONS),
            (_strangers(everybody), MOST_STRANGERS),
        )
        return [lines for lines, most in limits if len(lines) >= most]

    def _has_room(self, lines: list[Line]) -> bool:
        """Drop one of these, unless one has gone already; False: all of them are needed."""
        if any(line not in self._lines for line in lines):
            return True
        strangers = _strangers(lines)
        of_address = Counter(line.address for line in strangers)
        idle = [line for line in lines if line.is_known and not line.is_busy]
        dropped = max(strangers, key=lambda line: of_address[line.address], default=None)
        dropped = dropped or next(iter(idle), None)
        if dropped is None:
            return False
        self.leave(dropped)
        self._note(dropped)
        dropped.drop()
        return True

    def _note(self, line: Line) -> None:
        """Count a connection that had to go, and say so once a minute."""
        self._dropped[line.address] += 1
        now_s = self._now_s()
        if self._logged_s is not None and now_s - self._logged_s < LOG_EVERY_S:
            return
        address, most = self._dropped.most_common(1)[0]
        log.warning(
            "too many connections to the web app: %d closed since the last such line, %d of them "
            "from %s",
            self._dropped.total(),
            most,
            address or "a proxy",
        )
        self._logged_s = now_s
        self._dropped.clear()


def _strangers(lines: list[Line]) -> list[Line]:
    return [line for line in lines if not line.is_known]
