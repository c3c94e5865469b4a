"""Squares of the game, switches of the board, sets of either, and what leads from one to the other.

A ``Square`` is a square of chess, a1 = 0, b1 = 1 ... h8 = 63. A ``Switch`` is a reed switch, or the
lamp beside it, named for the square that it lies under when the board stands as it was wired, and
counted alike. Which is under which depends on how the board stands on the table: ``Orientation``
says so, and nothing else leads from one to the other.

A ``Bitboard`` is a set of squares and an ``Occupancy`` a set of switches: bit *n* stands for number
*n*. All four are plain integers when the program runs, because the scan loop, the rules and the
trace format count in them, hundreds of times a second; only the type checker tells them apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from operator import pos
from typing import TYPE_CHECKING, TypeAlias, TypeVar, cast

if TYPE_CHECKING:

    class Square(int):
        """A square of the game; so many squares further on is another one."""

        def __add__(self, other: int, /) -> Square: ...
        def __sub__(self, other: int, /) -> Square: ...
        def __xor__(self, other: int, /) -> Square: ...

    class Switch(int):
        """A switch of the board, or the lamp beside it."""

        def __add__(self, other: int, /) -> Switch: ...
        def __rlshift__(self, other: int, /) -> Occupancy: ...  # type: ignore[misc, override]

    class Occupancy:
        """A set of switches. It is no number, so that no set of squares goes in its place."""

        def __new__(cls, bits: int = 0, /) -> Occupancy: ...  # noqa: D102
        def __index__(self) -> int: ...
        def __bool__(self) -> bool: ...
        def __eq__(self, other: object, /) -> bool: ...
        def __hash__(self) -> int: ...
        def __and__(self, other: Occupancy, /) -> Occupancy: ...
        def __or__(self, other: Occupancy, /) -> Occupancy: ...
        def __xor__(self, other: Occupancy, /) -> Occupancy: ...
        def __invert__(self) -> Occupancy: ...
        def __rshift__(self, switch: Switch, /) -> int: ...
        def bit_count(self) -> int:
            """How many switches they are."""

else:
    Square = Switch = Occupancy = int

Bitboard: TypeAlias = int
_Either = TypeVar("_Either", Square, Switch)

FILES = "abcdefgh"
RANKS = "12345678"
NAMES: tuple[str, ...] = tuple(file + rank for rank in RANKS for file in FILES)
EVERY_SQUARE: tuple[Square, ...] = tuple(Square(number) for number in range(64))
EVERY_SWITCH: tuple[Switch, ...] = tuple(Switch(number) for number in range(64))
BY_NAME: dict[str, Square] = dict(zip(NAMES, EVERY_SQUARE, strict=True))
SWITCH_BY_NAME: dict[str, Switch] = dict(zip(NAMES, EVERY_SWITCH, strict=True))
ALL: Bitboard = (1 << 64) - 1
LIGHT: Bitboard = 0x55AA_55AA_55AA_55AA
NO_SWITCHES = Occupancy()
ALL_SWITCHES = Occupancy(ALL)
START = Occupancy(0xFFFF_0000_0000_FFFF)
"""The switches that are closed when a game begins; the same whichever way round the board lies."""


def square_at(file: int, rank: int) -> Square:
    """Square of file 0..7 (a..h) and rank 0..7 (first..eighth)."""
    return EVERY_SQUARE[rank * 8 + file]


def switch_at(file: int, rank: int) -> Switch:
    """Switch of file 0..7 (a..h) and rank 0..7 (first..eighth), as the board is wired."""
    return EVERY_SWITCH[rank * 8 + file]


def file_of(square: Square | Switch) -> int:
    """File 0..7 (a..h)."""
    return square & 7


def rank_of(square: Square | Switch) -> int:
    """Rank 0..7 (first..eighth)."""
    return square >> 3


def is_light(square: Square | Switch) -> bool:
    """Whether the square is a light one; h1 is light."""
    return bool(LIGHT >> int(square) & 1)


def distance(origin: _Either, target: _Either) -> int:
    """King's steps from one square to the other."""
    files = abs(file_of(origin) - file_of(target))
    return max(files, abs(rank_of(origin) - rank_of(target)))


def only_in(squares: Bitboard) -> Square:
    """The square of a set that holds one and no more."""
    return Square(squares.bit_length() - 1)


def _members(bits: int) -> Iterator[int]:
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def _set_of(members: Iterable[int]) -> int:
    bits = 0
    for member in members:
        bits |= 1 << member
    return bits


squares_in = cast("Callable[[Bitboard], Iterator[Square]]", _members)
"""The squares of a set, from a1 to h8."""
switches_in = cast("Callable[[Occupancy], Iterator[Switch]]", _members)
"""The switches of a set, from a1 to h8."""
bitboard_of: Callable[[Iterable[Square]], Bitboard] = _set_of
"""The set of these squares."""
occupancy_of = cast("Callable[[Iterable[Switch]], Occupancy]", _set_of)
"""The set of these switches."""


def names_of(squares: Bitboard | Occupancy) -> list[str]:
    """Names of the squares of a set, or of those that switches were wired for, from a1 to h8."""
    return [NAMES[square] for square in _members(int(squares))]


def half_turned(squares: Bitboard) -> Bitboard:
    """The set as it is seen when the board is turned round by half a turn."""
    return int(f"{squares:064b}"[::-1], 2)


class Orientation(Enum):
    """How the board stands on the table: as it was wired, or turned round by half a turn.

    This is the only place in which a switch becomes a square, or a square a switch.
    """

    __hash__ = object.__hash__  # an Enum's own is slow, and hypotheses are told apart by this

    AS_WIRED = 1
    TURNED = -1

    def __init__(self, step: int) -> None:
        order = EVERY_SQUARE[::step]
        self.square = cast("Callable[[Switch], Square]", order.__getitem__)
        """The square over a switch."""
        self.switch = cast("Callable[[Square], Switch]", order.__getitem__)
        """The switch under a square."""
        turn = pos if step > 0 else half_turned  # ``pos`` leaves a number as it is, and is quick
        self.squares = cast("Callable[[Occupancy], Bitboard]", turn)
        """The squares over these switches."""
        self.switches = cast("Callable[[Bitboard], Occupancy]", turn)
        """The switches under these squares."""

    @classmethod
    def of(cls, *, turned: bool) -> Orientation:
        """The orientation of a board that is turned round, or not."""
        return cls.TURNED if turned else cls.AS_WIRED

    @property
    def is_turned(self) -> bool:
        """Whether the board is turned round."""
        return self is Orientation.TURNED

    @property
    def other(self) -> Orientation:
        """How the board stands after half a turn."""
        return Orientation.AS_WIRED if self is Orientation.TURNED else Orientation.TURNED
