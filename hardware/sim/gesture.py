"""What the hands did for one move, with the truth about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from boardfw.squares import Square

from .action import HandAction, later, perform


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
