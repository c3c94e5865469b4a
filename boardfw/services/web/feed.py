"""The feed: what each role is told of the board, as a snapshot and deltas. It knows no socket.

The newest ``Board`` state is published to one channel for each role that is watched. A channel
leaves out what its role must not see, says the difference as a delta, and remembers the last of
them: whoever has seen one of these goes on from there, anybody else gets a snapshot.
A viewer is a number, the last one that it was sent; so one that reads slowly costs nothing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from boardfw.services.web.delay import delayed
from boardfw.services.web.delay import told as told_late
from boardfw.services.web.fold import State, fold
from boardfw.services.web.roles import Role

RING, RING_BYTES = 512, 64_000
"""Deltas that a channel remembers at most, and their bytes in all: some minutes of quick play. Who
has missed more than twice a snapshot is sent one, so more would be kept for nobody."""
MOST_EVENTS = 256
"""Events in one delta; where more came, a state is enough and only its keys are told."""

HELP = ("doubt", "help_offer")
"""Events that help, as a rated game forbids."""
HIDDEN_IN_RATED = ("cues", "lights", "doubt", "also")
"""Keys that help, likewise."""
KEPT_FROM_NOBODY = frozenset({Role.ARBITER, Role.OWNER})


class Told(NamedTuple):
    """A delta that was told."""

    seq: int
    delta: bytes
    """As JSON."""
    changed: frozenset[str]
    """The top-level keys that are others since."""


def seen_by(role: Role, state: State) -> dict[str, Any]:
    """What a role may see of a state."""
    seen = {**state, "role": role.value}
    if role is Role.SPECTATOR:
        seen["game"] = {**state["game"], "tags": {}}
        if state["opponent"]:
            seen["opponent"] = {**state["opponent"], "name": ""}
    if state["rated"] and role not in KEPT_FROM_NOBODY:
        seen |= dict.fromkeys(HIDDEN_IN_RATED)
    return seen


def heard_by(
    role: Role, events: Iterable[Mapping[str, Any]], *, rated: bool
) -> list[Mapping[str, Any]]:
    """What a role may hear of these events."""
    is_open = not rated or role in KEPT_FROM_NOBODY
    heard = [event for event in events if is_open or event["event"] not in HELP]
    if role is not Role.SPECTATOR:
        return heard
    return [{**event, "who": ""} if "who" in event else event for event in heard]


class Channel:
    """What one role is told. ``boot``: names this run of the board and this channel.

    ``delay_plies``: how far what is told stays behind the board.
    """

    def __init__(self, role: Role, boot: str, state: State, delay_plies: int = 0) -> None:
        self.role = role
        self._delay_plies = delay_plies
        self.boot = boot
        self.seq = 1
        self._state = self._numbered(seen_by(role, delayed(state, delay_plies)))
        self._ring: deque[Told] = deque()
        self._ring_bytes = 0
        self._snapshot: bytes | None = None

    def publish(self, state: State, events: Sequence[Mapping[str, Any]]) -> bool:
        """The board is like this now, after these events; whether that is anything new."""
        state = delayed(state, self._delay_plies)
        after = self._numbered(seen_by(self.role, state))
        if self._delay_plies:
            events = told_late(self._state, after)
        told = heard_by(self.role, events, rated=state["rated"])
        if len(told) > MOST_EVENTS:
            told = []
        folded = fold(self._state, {"seq": self.seq, "e": told, "set": {}})
        other = {key: value for key, value in after.items() if folded[key] != value}
        if not told and not other:
            return False
        self.seq += 1
        changed = {key for key, value in after.items() if self._state[key] != value}
        delta = msgspec.json.encode({"seq": self.seq, "e": told, "set": other})
        self._state = {**after, "seq": self.seq}
        self._remember(Told(self.seq, delta, frozenset(changed)))
        self._snapshot = None
        return True

    def _remember(self, told: Told) -> None:
        self._ring.append(told)
        self._ring_bytes += len(told.delta)
        while len(self._ring) > RING or (self._ring_bytes > RING_BYTES and len(self._ring) > 1):
            self._ring_bytes -= len(self._ring.popleft().delta)

    @property
    def tag(self) -> str:
        """Names the present state: BOOT:SEQ."""
        return f"{self.boot}:{self.seq}"

    @property
    def state(self) -> State:
        """The present state as this role sees it."""
        return self._state

    @property
    def snapshot(self) -> bytes:
        """The same as JSON."""
        if self._snapshot is None:
            self._snapshot = msgspec.json.encode(self._state)
        return self._snapshot

    def since(self, seq: int) -> list[bytes] | None:
        """The deltas after one; None: only a snapshot tells what has happened since."""
        missed = self.seq - seq
        if not 0 <= missed <= len(self._ring):
            return None
        return [told.delta for told in self._last(missed)]

    def since_tag(self, tag: str) -> list[bytes] | None:
        """The same after ``BOOT:SEQ``, as a viewer writes it; None also where that is no tag."""
        boot, _, seq = tag.rpartition(":")
        is_ours = boot == self.boot and seq.isascii() and seq.isdecimal() and len(seq) < 16
        return self.since(int(seq)) if is_ours else None

    def changed_since(self, seq: int) -> frozenset[str] | None:
        """The top-level keys that are others than after a delta; None: nobody knows."""
        missed = self.seq - seq
        if not 0 <= missed <= len(self._ring):
            return None
        return frozenset().union(*(told.changed for told in self._last(missed)))

    def _last(self, count: int) -> list[Told]:
        return list(self._ring)[len(self._ring) - count :]

    def _numbered(self, seen: dict[str, Any]) -> dict[str, Any]:
        return {**seen, "boot": self.boot, "seq": self.seq}


class Feed:
    """The newest state of the board, for every role."""

    def __init__(self, boot: str, state: State) -> None:
        """``boot``: names this run; no two runs have the same. ``state``: without boot and seq."""
        self._boot = boot
        self._newest = state
        self._channels: dict[tuple[Role, int], Channel] = {}

    def channel(self, role: Role, delay_plies: int = 0) -> Channel:
        """What a role is told, so many plies late, from now on."""
        key = role, delay_plies
        if key not in self._channels:
            boot = f"{self._boot}{role.value[0]}{delay_plies or ''}"
            self._channels[key] = Channel(role, boot, self._newest, delay_plies)
        return self._channels[key]

    def keep(self, watched: Collection[tuple[Role, int]]) -> None:
        """Forget the delayed channels that nobody watches: each costs something at every news."""
        for key in [key for key in self._channels if key[1] and key not in watched]:
            del self._channels[key]

    def publish(self, state: State, events: Sequence[Mapping[str, Any]]) -> bool:
        """The board is like this now, after these events; whether anybody is told anything new."""
        self._newest = state
        told = [channel.publish(state, events) for channel in self._channels.values()]
        return any(told)
