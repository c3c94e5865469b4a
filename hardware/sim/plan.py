"""What hands are going to do: their gestures in the order of time, and those on hold."""

from __future__ import annotations

import heapq
from collections.abc import Iterable

from hardware.sim.gesture import HandAction, later


class HandPlan:
    """Actions to come. Those that are added together are one gesture, begun with its first one."""

    def __init__(self) -> None:
        self._actions: list[tuple[int, int, int, HandAction]] = []
        """Time, order, gesture, action; a heap."""
        self._order = 0
        self._gesture = 0
        self._begun: set[int] = set()
        self._held: list[tuple[int, HandAction]] | None = None
        """Gestures on hold, with their actions; None: nothing is on hold."""

    @property
    def is_pending(self) -> bool:
        """Whether anything is still to be done, now or after a wait."""
        return bool(self._actions or self._held)

    @property
    def next_us(self) -> int | None:
        """When the next action is due; None: there is none."""
        return self._actions[0][0] if self._actions else None

    def add(self, actions: Iterable[HandAction]) -> None:
        """One more gesture."""
        self._gesture += 1
        for action in actions:
            self._push(self._gesture, action)

    def pop(self) -> HandAction:
        """The next action, which is done now. Raises IndexError if there is none."""
        _, _, gesture, action = heapq.heappop(self._actions)
        self._begun.add(gesture)
        return action

    def hold(self) -> None:
        """Put aside what has not been begun, and what is added from now on."""
        waiting = [entry for entry in self._actions if entry[2] not in self._begun]
        self._actions = [entry for entry in self._actions if entry[2] in self._begun]
        heapq.heapify(self._actions)
        held = self._held or []
        self._held = held + [(gesture, action) for _, _, gesture, action in sorted(waiting)]

    def release(self, earliest_us: int) -> None:
        """Take up what was put aside; all of it as much later as its first action has to be."""
        held, self._held = self._held or [], None
        first_us = min((action.t_us for _, action in held), default=earliest_us)
        by_us = max(0, earliest_us - first_us)
        for gesture, action in held:
            self._push(gesture, later(action, by_us))

    def _push(self, gesture: int, action: HandAction) -> None:
        if self._held is not None:
            self._held.append((gesture, action))
            return
        self._order += 1
        heapq.heappush(self._actions, (action.t_us, self._order, gesture, action))
