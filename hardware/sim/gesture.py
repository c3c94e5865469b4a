"""What the hands did for one move, with the truth about it."""

from __future__ import annotations

import heapq
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from boardfw.squares import Occupancy, Square
from hardware.sim.faults import Faults
from hardware.sim.magnets import Point
from hardware.sim.moving import HandMove

# FROM action.py: What a hand does to the board: lift a man, or put one down, and the way he goes meanwhile.

Way = tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class HandAction:
    """A man leaves ``square``, or the man ``label`` comes to stand there (pushing off another).

    ``label`` is one letter, the man in the hand, lifted or dropped; its case is his side.

    ``way``: where the man is from now on. With a lift, until he stands again or is off the board;
    the drop that ends it then has an empty way. With a drop of a man from beside the board, how he
    comes down. None: his magnet is gone, or there, at once.
    """

    t_us: int
    kind: Literal["lift", "drop"]
    square: Square
    label: str
    way: Way | None = None

    @property
    def until_us(self) -> int:
        """When the square is left in peace again."""
        return self.way[-1].t_us if self.kind == "drop" and self.way else self.t_us


def later(action: HandAction, by_us: int) -> HandAction:
    """The same so much later."""
    way = action.way
    if way is not None:
        way = tuple(point._replace(t_us=point.t_us + by_us) for point in way)
    return replace(action, t_us=action.t_us + by_us, way=way)


def perform(men: dict[Square, str], actions: Iterable[HandAction]) -> None:
    """Change ``men`` as these actions, in their order, change what stands on the board."""
    for action in actions:
        if action.kind == "lift":
            men.pop(action.square, None)
        else:
            men[action.square] = action.label


@dataclass(frozen=True, slots=True)
class Gesture:
    """All touches of one move, in the order of their times.

    ``landed_us``: when the moving man stood on its last square, the last one of several;
    ``end_us``: when the hands have left; ``settled_us``: when no man moves any more, rocking
    included, and after a simulation when the last contact had bounced out; ``tags``: what the
    hands did, in plain words, as truth for whoever has to find it out; ``showed_another``:
    whether they showed a different move first, for long enough to be seen (``SEEN_US``).
    """

    actions: tuple[HandAction, ...]
    landed_us: int
    end_us: int
    tags: tuple[str, ...] = ()
    settled_us: int = 0
    showed_another: bool = False

    @property
    def begin_us(self) -> int:
        """When the first man is touched."""
        return self.actions[0].t_us if self.actions else self.end_us

    def shifted(self, by_us: int) -> Gesture:
        """The same gesture so much later."""
        return replace(
            self,
            actions=tuple(later(action, by_us) for action in self.actions),
            landed_us=self.landed_us + by_us,
            end_us=self.end_us + by_us,
            settled_us=self.settled_us + by_us,
        )

    def performed(self, men: Mapping[Square, str]) -> dict[Square, str]:
        """Who stands where afterwards."""
        standing = dict(men)
        perform(standing, self.actions)
        return standing

    def first_touches(self) -> dict[Square, int]:
        """When each square is touched first."""
        return {action.square: action.t_us for action in reversed(self.actions)}

    def last_touches(self) -> dict[Square, int]:
        """When each square is touched last."""
        return {action.square: action.until_us for action in self.actions}


# FROM truth.py: What the switches really did, told with the gestures that moved them.

Scans = Sequence[tuple[int, Occupancy]]
GLIMPSE_US = 3_000
"""What is open for less was seen so by one scan, like a disturbance on the wire."""


def told_truly(
    moves: Sequence[HandMove], gestures: Sequence[Gesture], scans: Scans, faults: Faults
) -> list[Gesture]:
    """The gestures, each with what came of it on this board.

    ``settled_us`` becomes the time of the last change of a square that the gesture touched, before
    anybody else touches it; ``never_open`` is said of captures whose square was not seen open for
    longer than a disturbance lasts.
    """
    latest_us = faults.bounce_us[1] + faults.late_us[1]
    next_touch: dict[Square, int] = {}
    told: list[Gesture] = []
    for move, gesture in zip(reversed(moves), reversed(gestures), strict=True):
        settled_us = _settled_us(gesture, scans, latest_us, next_touch)
        tags = (
            (*gesture.tags, "never_open") if _never_opened(move, gesture, scans) else gesture.tags
        )
        told.append(replace(gesture, settled_us=settled_us, tags=tags))
        next_touch |= gesture.first_touches()
    return told[::-1]


def _settled_us(
    gesture: Gesture, scans: Scans, latest_us: int, next_touch: dict[Square, int]
) -> int:
    begin = bisect_right(scans, gesture.landed_us, key=_time)
    end = bisect_right(scans, gesture.settled_us + latest_us, key=_time)
    settled_us = gesture.landed_us
    touched = gesture.first_touches()
    for (_, before), (t_us, after) in zip(scans[begin - 1 : end], scans[begin:end], strict=False):
        changed = before ^ after
        for square in touched:
            if changed >> square & 1 and t_us < next_touch.get(square, t_us + 1):
                settled_us = t_us
    return settled_us


def _never_opened(move: HandMove, gesture: Gesture, scans: Scans) -> bool:
    target = move.steps[0][1]
    if target not in move.removed:
        return False
    begin = bisect_left(scans, gesture.begin_us, key=_time)
    end = bisect_right(scans, gesture.landed_us, key=_time)
    times = zip(scans[begin:end], scans[begin + 1 : end + 1], strict=False)
    return all(
        occupancy >> target & 1 or next_us - t_us < GLIMPSE_US
        for (t_us, occupancy), (next_us, _) in times
    )


def _time(scan: tuple[int, Occupancy]) -> int:
    return scan[0]


# FROM plan.py: What hands are going to do: their gestures, in the order of time, and those that wait.


class HandPlan:
    """Actions to come. Those that are added together are one gesture, begun with its first one."""

    def __init__(self) -> None:
        self._actions: list[tuple[int, int, int, HandAction]] = []
        """Time, order, gesture, action; a heap."""
        self._order = 0
        self._gesture = 0
        self._begun: set[int] = set()
        self._held: list[tuple[int, HandAction]] | None = None
        """Gestures that wait, with their actions; None: nothing has to wait."""

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
        """The next action, which is done now. Raises IndexError where there is none."""
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
