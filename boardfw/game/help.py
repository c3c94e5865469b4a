"""How much help each player is given: levels, what each of them shows, and when."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from boardfw.rules import Color

LEVELS = range(4)
LEGAL, THREATS, GUARD = 1, 2, 3
"""What a level adds: where a man may go and why not; what hangs; a warning after the ply."""

CONTACT_US = 1_500_000
"""Who holds a man for so long asks who attacks and who guards him."""
HANGING_US = 2_000_000
"""Who holds his king for so long asks which of his men hang."""


@dataclass(frozen=True, slots=True)
class Help:
    """What one player is helped with."""

    level: int = LEGAL
    """0 nothing but repairs, 1 the rules, 2 eyes, 3 guard."""
    delay_us: int = 0
    """A man must be in the hand for so long."""
    budget: int = 0
    """So many men a turn are helped with; 0: all."""
    is_locked: bool = False
    """Nobody may change the level while the board runs."""


Helps: TypeAlias = tuple[Help, Help]
"""By colour."""
ALIKE: Helps = (Help(), Help())


def with_level(helps: Helps, color: Color, level: int) -> Helps:
    """The same, this colour at another level."""
    white, black = helps
    old = helps[color]
    new = Help(level, old.delay_us, old.budget, old.is_locked)
    return (white, new) if color else (new, black)
