"""Names of openings: a table of named positions, its file format, and the name of a game."""

from __future__ import annotations

import struct
import zlib
from array import array
from bisect import bisect_left
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib import resources
from typing import NamedTuple

from boardfw.rules.position import Position

PRIME = 0x9E3779B97F4A7C55
"""The first prime after 2^64 divided by the golden ratio: so it was not chosen for its effect."""
NOWHERE = 64
"""The value for no square."""


class Opening(NamedTuple):
    """An opening, or one of its variations."""

    code: str
    """Its class in the Encyclopaedia of Chess Openings (ECO), ``A00`` to ``E99``."""
    name: str
    """In English: ``Sicilian Defence: Najdorf Variation, English Attack``."""

    @property
    def tags(self) -> dict[str, str]:
        """Its PGN tags (9.3.1 and 9.3.4 of the standard)."""
        return {"ECO": self.code, "Opening": self.name}


def fingerprint(position: Position) -> int:
    """A 64-bit hash of all that makes a position the same for repetition.

    It is the position as one number of 584 bits, modulo a prime: unlike the built-in ``hash``, the
    same in every process, on every machine and in every Python.
    """
    placement, turn, castling, en_passant = position.key
    state = 0
    for squares in (*placement, castling):
        state = state << 64 | squares
    square = NOWHERE if en_passant is None else en_passant
    return (state << 8 | square << 1 | turn) % PRIME


class Table:
    """Named positions.

    As bytes, all little-endian: their count (two bytes); their fingerprints, ascending (eight
    each); the number of the name of each (two each); the names, compressed by zlib: lines of UTF-8
    with code, a space and name. ``array`` keeps them as small in memory as on disk.
    """

    def __init__(self, fingerprints: array[int], numbers: array[int], names: list[str]) -> None:
        self._fingerprints = fingerprints
        self._numbers = numbers
        self._names = names

    @classmethod
    def parse(cls, data: bytes) -> Table:
        """The table of these bytes. Its file is part of the program; bad data raise."""
        (count,) = struct.unpack_from("<H", data)
        numbers_at = 2 + 8 * count
        names_at = numbers_at + 2 * count
        return cls(
            array("Q", struct.unpack_from(f"<{count}Q", data, 2)),
            array("H", struct.unpack_from(f"<{count}H", data, numbers_at)),
            zlib.decompress(data[names_at:]).decode().split("\n"),
        )

    def __len__(self) -> int:
        return len(self._fingerprints)

    def find(self, position: Position) -> Opening | None:
        """The opening of a position, None if the position has no name."""
        wanted = fingerprint(position)
        place = bisect_left(self._fingerprints, wanted)
        if place == len(self) or self._fingerprints[place] != wanted:
            return None
        code, _, name = self._names[self._numbers[place]].partition(" ")
        return Opening(code, name)


NAMED = "openings.bin"
"""The file of the table, made by ``docs/openings/make.py``."""

REMEMBERED = 1024
"""Positions whose name is kept: a game is written after each ply, and each time all of its
positions are looked up."""


@cache
def known() -> Table:
    """All named positions, read at the first call."""
    return Table.parse(resources.files(__package__).joinpath(NAMED).read_bytes())


@lru_cache(maxsize=REMEMBERED)
def name_of(position: Position) -> Opening | None:
    """The opening of this position, None if it has no name. The start has none."""
    return known().find(position)


def opening_of(positions: Sequence[Position]) -> Opening | None:
    """The opening of a game with these positions: that of the last named one, None if none is."""
    return next(filter(None, map(name_of, reversed(positions))), None)
