"""What the hands did for one move, with the truth about it: single actions, and the gesture."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from boardfw.squares import Switch
from hardware.sim.magnets import Point

PiecePath = tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class HandAction:
    """A piece leaves ``square``, or the piece ``label`` comes to stand there (pushing off another).

    ``label`` is one letter, the piece lifted or dropped; its case is its side.

    ``path``: the piece's path from now on. With a lift, until it stands again or is off the board;
    the drop that ends it then has an empty path. With a drop from beside the board, how the piece
    comes down. None: its magnet is gone, or there, at once.
    """

    t_us: int
    kind: Literal["lift", "drop"]
    square: Switch
    label: str
    path: PiecePath | None = None

    @property
    def until_us(self) -> int:
        """When the action on the square has ended."""
        return self.path[-1].t_us if self.kind == "drop" and self.path else self.t_us


def later(action: HandAction, by_us: int) -> HandAction:
    """The same action, ``by_us`` later."""
    path = action.path
    if path is not None:
        path = tuple(point._replace(t_us=point.t_us + by_us) for point in path)
    return replace(action, t_us=action.t_us + by_us, path=path)


def perform(pieces: dict[Switch, str], actions: Iterable[HandAction]) -> None:
    """Change ``pieces`` as these actions, in their order, change what stands on the board."""
    for action in actions:
        if action.kind == "lift":
            pieces.pop(action.square, None)
        else:
            pieces[action.square] = action.label


@dataclass(frozen=True, slots=True)
class Gesture:
    """All touches of one move, in the order of their times.

    ``landed_us``: when the moving piece stood on its last square, the last one of several;
    ``end_us``: when the hands have left; ``settled_us``: when no piece moves any more, rocking
    included, and after a simulation when the last contact had bounced out; ``tags``: what the
    hands did, in plain words, as truth for judging inference; ``showed_another``:
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
        """When the first piece is touched."""
        return self.actions[0].t_us if self.actions else self.end_us

    def shifted(self, by_us: int) -> Gesture:
        """The same gesture, ``by_us`` later."""
        return replace(
            self,
            actions=tuple(later(action, by_us) for action in self.actions),
            landed_us=self.landed_us + by_us,
            end_us=self.end_us + by_us,
            settled_us=self.settled_us + by_us,
        )

    def performed(self, pieces: Mapping[Switch, str]) -> dict[Switch, str]:
        """The pieces by square after the gesture."""
        standing = dict(pieces)
        perform(standing, self.actions)
        return standing

    def first_touches(self) -> dict[Switch, int]:
        """When each square is touched first."""
        return {action.square: action.t_us for action in reversed(self.actions)}

    def last_touches(self) -> dict[Switch, int]:
        """When each square is touched last."""
        return {action.square: action.until_us for action in self.actions}


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
        """True if anything is still to be done, now or after a wait."""
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
