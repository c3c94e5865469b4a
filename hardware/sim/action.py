"""What a hand does to the board: lift a man, or put one down."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from boardfw.squares import Square


@dataclass(frozen=True, slots=True)
class HandAction:
    """A man leaves ``square``, or the man ``label`` comes to stand there (pushing off another).

    ``label`` is one letter, the man in the hand, lifted or dropped; its case is his side.
    """

    t_us: int
    kind: Literal["lift", "drop"]
    square: Square
    label: str


def perform(men: dict[Square, str], actions: Iterable[HandAction]) -> None:
    """Change ``men`` as these actions, in their order, change what stands on the board."""
    for action in actions:
        if action.kind == "lift":
            men.pop(action.square, None)
        else:
            men[action.square] = action.label
