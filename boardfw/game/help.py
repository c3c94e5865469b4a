"""How much help each player is given: levels, what each of them shows, and when."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from boardfw.rules import Color

LEVELS = range(4)
LEGAL, THREATS, GUARD = 1, 2, 3
"""What a level adds: where a piece may go and why not; what hangs; a warning after the ply."""

CONTACT_US = 1_500_000
"""A piece held for this long shows its attackers and defenders."""
HANGING_US = 2_000_000
"""A king held for this long shows which pieces of its side hang."""


@dataclass(frozen=True, slots=True)
class Help:
    """The help that one player is given."""

    level: int = LEGAL
    """0: repairs only, 1: the rules, 2: threats, 3: a warning after a doubtful ply."""
    delay_us: int = 0
    """How long a piece must be in the hand."""
    budget: int = 0
    """How many pieces are helped with in a turn; 0 for all."""
    is_locked: bool = False
    """Whether the level is fixed while the board runs."""


Helps: TypeAlias = tuple[Help, Help]
"""By colour."""
ALIKE: Helps = (Help(), Help())


def with_level(helps: Helps, color: Color, level: int) -> Helps:
    """The same with another level for this colour."""
    white, black = helps
    old = helps[color]
    new = Help(level, old.delay_us, old.budget, old.is_locked)
    return (white, new) if color else (new, black)
