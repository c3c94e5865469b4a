"""The name of a position, and that of a game."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from importlib import resources

from boardfw.notation.openings.table import Opening, Table
from boardfw.rules.position import Position

NAMED = "table.bin"
"""The file of names; made by ``docs/openings/make.py``."""


REMEMBERED = 1024
"""Positions of which the name is kept: a game is written after each of its plies, and would be
looked up as a whole each time."""


@cache
def known() -> Table:
    """All named positions; read when the first name is asked for."""
    return Table.parse(resources.files(__package__).joinpath(NAMED).read_bytes())


@lru_cache(maxsize=REMEMBERED)
def name_of(position: Position) -> Opening | None:
    """What this very position is called, None: nothing. The start has no name."""
    return known().find(position)


def opening_of(positions: Sequence[Position]) -> Opening | None:
    """What a game with these positions is called: the last one that has a name gives it."""
    return next(filter(None, map(name_of, reversed(positions))), None)
