"""What a hand does to the board: lift a man, or put one down, and the way he goes meanwhile."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from boardfw.squares import Square

from .magnets import Point

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
