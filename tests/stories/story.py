"""What a story is: what hands did on a board, and what the board has to make of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from boardfw.rules import Move, Position
from boardfw.squares import Square

NOISES = ("none", "bounce", "worn", "glitches", "wooden")
RATES_HZ = (250, 500, 1000)


class StoryError(Exception):
    """A story that cannot be read; the message starts with ``FILE:LINE:``."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file, its comment cut off."""

    file: str
    number: int
    text: str

    def error(self, wrong: str) -> StoryError:
        return StoryError(f"{self.file}:{self.number}: {wrong}")


@dataclass(frozen=True, slots=True)
class Change:
    """The switch of a square changes. ``reach_us``: so much later for each unit of reach.

    Reach is how far from the middle of a square, in squares, a magnet still closes its switch.
    """

    t_us: int
    square: Square
    reach_us: int = 0


@dataclass(frozen=True, slots=True)
class Glitch:
    """A single scan reads a square wrong."""

    t_us: int
    square: Square


@dataclass(frozen=True, slots=True)
class Button:
    t_us: int
    name: str


@dataclass(frozen=True, slots=True)
class Chosen:
    """The button of the move from ``origin`` to ``target``, of those that the board asks about."""

    t_us: int
    line: Line
    origin: Square
    target: Square


@dataclass(frozen=True, slots=True)
class Turn:
    """From now on the squares are named as from the other side of the board."""

    t_us: int


@dataclass(frozen=True, slots=True)
class Heard:
    """A word that has to be said: its kind, and what about (``ply`` and move, or plain text)."""

    kind: str
    about: str = ""
    move: Move | None = None
    squares: tuple[tuple[str, Square], ...] = ()


@dataclass(frozen=True, slots=True)
class Says:
    """These words have been said since the last look, in this order; none: silence."""

    t_us: int
    line: Line
    words: tuple[Heard, ...]


@dataclass(frozen=True, slots=True)
class SoFar:
    """The record is this game now."""

    t_us: int
    line: Line
    game: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class Lit:
    """What the lights show now: for each cue its squares; the cue "" is any light at all."""

    t_us: int
    line: Line
    cues: tuple[tuple[str, frozenset[Square]], ...]


Happening: TypeAlias = Change | Glitch | Button | Chosen | Turn | Says | SoFar | Lit


@dataclass
class Story:
    """One file. Games begin with the moves made before the story; ``once``: taken back since."""

    file: str
    title: str = ""
    start: Position = field(default_factory=Position.start)
    happenings: list[Happening] = field(default_factory=list)
    begin_us: int = 0
    """When the moves before the story have been made."""
    end_us: int = 0
    games: list[tuple[Move, ...]] = field(default_factory=list)
    once: list[tuple[Move, ...]] = field(default_factory=list)
    result: str = "*"
    says: tuple[Heard, ...] = ()
    may_say: frozenset[str] = frozenset()
    noises: tuple[str, ...] = ("none", "bounce", "glitches")
    rates_hz: tuple[int, ...] = RATES_HZ
    fails_today: str = ""

    @property
    def words(self) -> list[Heard]:
        """Every word that the story wants to hear, as often as it wants to hear it."""
        inline = [word for h in self.happenings if isinstance(h, Says) for word in h.words]
        return max(list(self.says), inline, key=len)

    @property
    def is_mirrored(self) -> bool:
        """Whether the same story can be told with the colours changed: not of a usual start."""
        return not any(word.kind == "new game" for word in self.words)
