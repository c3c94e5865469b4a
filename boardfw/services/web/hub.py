"""The hub: takes what the board shows, and wakes whoever watches. All in the loop of the pages.

The board is never waited for and never waits: its newest state replaces the one before, at most
``PUBLISH_HZ`` times a second, and each viewer fetches what it has missed when it can.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

from boardfw.services.web.feed import MOST_EVENTS, Channel, Feed
from boardfw.services.web.refusals import RefusedError
from boardfw.services.web.roles import Role
from boardfw.services.web.sessions import Holder, new_secret

PUBLISH_S = 0.04
"""No eye needs more than 25 pictures a second."""
SPECTATOR_S = 0.2
"""Who only looks on gets five: a hundred of them must not cost the board its time."""
BEAT_S = 5.0
"""A page that heard nothing for longer knows that the line is dead."""
MOST_VIEWERS, MOST_OF_ONE_ADDRESS = 128, 16
BOOT_LETTERS = 8


class Viewer:
    """A page that watches. ``seq``: the newest delta that it was sent."""

    def __init__(self, holder: Holder, address: str, channel: Channel, since: str) -> None:
        self.holder = holder
        self.address = address
        self.channel = channel
        self.news = asyncio.Event()
        self.is_ended = False
        """Whether its session has ended."""
        self.interval_s = SPECTATOR_S if holder.role is Role.SPECTATOR else PUBLISH_S
        self._seq: int | None = None
        if channel.since_tag(since) is not None:
            self._seq = int(since.rpartition(":")[2])
        self._is_greeted = False

    def next_message(self, now_ms: int) -> bytes | None:
        """What it is to be sent now; None: it has seen everything."""
        if self._seq == self.channel.seq and self._is_greeted:
            return None
        deltas = None if self._seq is None else self.channel.since(self._seq)
        self._seq, self._is_greeted = self.channel.seq, True
        if deltas is None or sum(map(len, deltas)) > 2 * len(self.channel.snapshot):
            return b'{"snapshot":%b,"t":%d}' % (self.channel.snapshot, now_ms)
        return b'{"deltas":[%b],"t":%d}' % (b",".join(deltas), now_ms)

    async def messages(self, now_ms: Callable[[], int]) -> AsyncIterator[bytes]:
        """What it is sent, until its session ends; a beat where there is nothing new."""
        while not self.is_ended:
            self.news.clear()
            yield self.next_message(now_ms()) or b'{"beat":%d}' % now_ms()
            await asyncio.sleep(self.interval_s)
            try:
                async with asyncio.timeout(BEAT_S - self.interval_s):
                    await self.news.wait()
            except TimeoutError:
                continue


class Hub:
    """The newest state of the board, and its viewers."""

    def __init__(self) -> None:
        self._boot = new_secret()[:BOOT_LETTERS].replace("-", "x").replace("_", "y")
        self._feed: Feed | None = None
        self._events: list[dict[str, Any]] = []
        self._paint: Callable[[], dict[str, Any]] | None = None
        """Makes the newest state, which was not published yet; None: it was."""
        self._timer: asyncio.TimerHandle | None = None
        self.viewers: set[Viewer] = set()
        self.refresh: Callable[[], None] = lambda: None
        """Brings what the board has shown and nobody has looked at yet, through ``show``."""

    # --- the board

    def show(self, paint: Callable[[], dict[str, Any]], events: Sequence[dict[str, Any]]) -> None:
        """The board is another one; ``paint`` makes its state if anybody wants to see it."""
        self._paint = paint
        self._events += events
        if len(self._events) > MOST_EVENTS:
            del self._events[: -MOST_EVENTS - 1]  # too many to be told: the state says enough
        if self._timer is None:
            self._publish()
            self._timer = asyncio.get_running_loop().call_later(PUBLISH_S, self._on_timer)

    def channel(self, role: Role, delay_plies: int = 0) -> Channel:
        """What a role sees, as it is now, or was so many plies ago. Raises RefusedError before the
        board was first seen."""
        self.refresh()
        self._publish(for_all=True)
        if self._feed is None:
            raise RefusedError(503, "the board is not ready yet", retry_s=1)
        return self._feed.channel(role, delay_plies)

    def _on_timer(self) -> None:
        self._timer = None
        if self._paint is not None:
            self._publish()
            self._timer = asyncio.get_running_loop().call_later(PUBLISH_S, self._on_timer)

    def _publish(self, *, for_all: bool = False) -> None:
        """Let the feed know the newest state, if anybody watches; ``for_all``: in any case."""
        if self._paint is None or not (self.viewers or for_all):
            return
        state, events = self._paint(), self._events
        self._paint, self._events = None, []
        if self._feed is None:
            self._feed = Feed(self._boot, state)
        elif self._feed.publish(state, events):
            for viewer in self.viewers:
                viewer.news.set()

    # --- the viewers

    def enter(self, holder: Holder, address: str, since: str) -> Viewer:
        """Somebody begins to watch. Raises RefusedError where too many do."""
        near = sum(viewer.address == address for viewer in self.viewers)
        if len(self.viewers) >= MOST_VIEWERS or near >= MOST_OF_ONE_ADDRESS:
            raise RefusedError(
                429, "too many pages watch this board", remedy="close some of them", retry_s=30
            )
        viewer = Viewer(holder, address, self.channel(holder.role, holder.delay_plies), since)
        self.viewers.add(viewer)
        self.refresh()  # from now on the board wakes us; what came just before is here
        return viewer

    def leave(self, viewer: Viewer) -> None:
        """Somebody watches no longer."""
        self.viewers.discard(viewer)
        if viewer.holder.delay_plies and self._feed is not None:
            self._feed.keep({(one.holder.role, one.holder.delay_plies) for one in self.viewers})

    def end(self, number: int) -> None:
        """A session has ended: its pages see nothing more."""
        for viewer in self.viewers:
            if viewer.holder.id == number:
                viewer.is_ended = True
                viewer.news.set()
