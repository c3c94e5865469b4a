"""What the person is asked to do, what he may answer, and both in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from boardfw.squares import NAMES, Square

from .inputs import Inputs

MANY = "*"
"""The answer that several squares are lit."""


@dataclass(frozen=True, slots=True)
class Clear:
    """Take everything off the board. Said '': nothing is on it, whatever is closed."""

    closed: Inputs


@dataclass(frozen=True, slots=True)
class PutOn:
    """Put the piece on this square. Said '': it stands there, and nothing happens."""

    square: Square
    again: bool = False


@dataclass(frozen=True, slots=True)
class PutOnLit:
    """Put the piece on the lit square. Said '': none is lit; its name; or ``MANY``."""

    leds: tuple[int, ...]
    """Numbers of the LEDs that are lit, the strip's first is 0."""
    again: bool = False


@dataclass(frozen=True, slots=True)
class NameLit:
    """Say the name of the lit square: its switch alone does not tell."""

    leds: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TryPieces:
    """Put the pieces that will be used on the board, one after the other. Said '': enough."""


Request: TypeAlias = Clear | PutOn | PutOnLit | NameLit | TryPieces


@dataclass(frozen=True, slots=True)
class Sampled:
    """One reading of all inputs."""

    t_us: int
    closed: Inputs


@dataclass(frozen=True, slots=True)
class Said:
    """What the person typed: '' for Enter alone."""

    text: str


def in_words(request: Request) -> str:
    """One line for the person."""
    match request:
        case Clear(closed=0):
            return "Take everything off the board."
        case Clear():
            return "Something reads closed: take everything off; Enter if nothing is on the board."
        case PutOn(square=square, again=again):
            once_more = ", once more" if again else ""
            return f"Put the piece on {NAMES[square]}{once_more}.  (Enter: it stands there)"
        case PutOnLit(again=again):
            once_more = ", once more" if again else ""
            return (
                f"Lift the piece and put it on the lit square{once_more}.  "
                f"(Enter: none is lit; its name: nothing happens; {MANY}: several are lit)"
            )
        case NameLit():
            return "This switch does not tell which square that is: type its name."
        case TryPieces():
            return (
                "Try the pieces that you will use: each on some squares, one after the other, and "
                "let it stand for a moment.  (Enter: enough)"
            )
