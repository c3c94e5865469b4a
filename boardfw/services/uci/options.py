"""The options that an engine announces, and whether a value fits one of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

OptionType: TypeAlias = Literal["check", "spin", "combo", "button", "string"]
OPTION_TYPES: tuple[str, ...] = get_args(OptionType)

EMPTY = "<empty>"
"""How a text without characters is written."""


@dataclass(frozen=True, slots=True)
class Option:
    """One option. Names and texts may be several words, separated by single blanks."""

    name: str
    type: OptionType
    default: str | None = None
    """As it was written, "" for an empty text; None: there is none, as for a button."""
    least: int | None = None
    most: int | None = None
    """The bounds of a ``spin``; None: not announced."""
    choices: tuple[str, ...] = ()
    """Of a ``combo``."""

    def nearest(self, number: int) -> int:
        """The number within the bounds that is nearest to this one."""
        if self.least is not None:
            number = max(self.least, number)
        return number if self.most is None else min(self.most, number)

    def fitting(self, value: str) -> str | None:
        """The value as this option takes it, a number brought into its bounds; None: it cannot."""
        match self.type:
            case "check":
                lower = value.lower()
                return lower if lower in ("true", "false") else None
            case "spin":
                digits = value.removeprefix("-")
                if not (digits.isascii() and digits.isdigit() and len(digits) < MOST_DIGITS):
                    return None
                return str(self.nearest(int(value)))
            case "combo":
                return next((one for one in self.choices if one.lower() == value.lower()), None)
            case "string":
                return value or EMPTY
            case "button":
                return ""


MOST_DIGITS = 20
"""A longer number is nonsense, and slow to read."""

Options: TypeAlias = Mapping[str, Option]
"""All that an engine offers, by the name in small letters: names are not case sensitive."""
