"""``boardfw games list``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import click
import msgspec

from boardfw.cli.games.place import reading
from boardfw.shell.collection.collection import Collection, Row
from boardfw.shell.collection.filters import Filters

LINES = 500
"""Lines that are printed at once: to print is slower than to search."""
NAME_WIDTH = 18
PLAYERS_WIDTH = 2 * NAME_WIDTH + len(" - ")
LINE = f"%6d  %-10s  %-{PLAYERS_WIDTH}s  %-{len('1/2-1/2')}s  %4d  %s"
"""Not an f-string in the loop: that takes half as long again, ten thousand times."""


@dataclass(frozen=True, slots=True)
class Listing:
    """The options, and what comes of them."""

    asked: dict[str, str | None]
    as_lines: bool
    record: Path | None
    config: Path | None

    def run(self) -> None:
        """List the games. Raises BoardError."""
        filters = Filters.parse(**self.asked)
        with reading(self.record, self.config) as collection:
            rows = collection.rows(filters)
            lines = map(_json, rows) if self.as_lines else table(rows)
            printed = 0
            while lot := list(islice(lines, LINES)):
                click.echo("\n".join(lot))
                printed += len(lot)
            if not printed:
                click.echo(none_is_meant(collection), err=True)


def none_is_meant(collection: Collection) -> str:
    """Why there is nothing to be seen."""
    there = collection.count(Filters())
    if there:
        return f"{collection.path}: none of {there} games is such a game"
    return f"{collection.path}: no games are kept there yet"


def table(rows: Iterator[Row]) -> Iterator[str]:
    """A line a game."""
    for number, date, white, black, result, plies, first_moves, _ in rows:
        players = f"{white} - {black}"
        if len(players) > PLAYERS_WIDTH:
            players = f"{_short(white)} - {_short(black)}"
        yield LINE % (number, date or "-", players, result, plies, first_moves)


def _short(name: str) -> str:
    return name if len(name) <= NAME_WIDTH else f"{name[: NAME_WIDTH - 1]}…"


def _json(row: Row) -> str:
    return msgspec.json.encode(row._asdict()).decode()
