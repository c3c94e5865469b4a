"""Options that several commands have."""

from __future__ import annotations

import math
from pathlib import Path

import click


class Measure(click.FloatRange):
    """A number in a range; "nan" is in none, though it compares as if it were in any."""

    def convert(
        self, value: float, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """The number. Fails with a line for the user."""
        number: float = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"{value!r} is no number", param, ctx)
        return number


MOST = 2**31 - 1
"""No number of games is larger."""
COUNTED = click.IntRange(1, MOST)
NOT_NEGATIVE = click.IntRange(0, MOST)

CONFIG = click.option(
    "--config",
    type=click.Path(path_type=Path),
    help="Configuration (TOML); docs/boardfw.toml explains every key.  [default: none]",
)

FORCE = click.option(
    "--force", is_flag=True, help="Let what is written replace files that boardfw did not write."
)

RECORD = click.option(
    "--record",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="The database of games.  [default: record.database of the configuration]",
)

FROM = click.option(
    "--from",
    "start",
    metavar="START",
    help="Where the game begins: start, a FEN in quotes, 960:N (Chess960, N from 0 to 959), or "
    "game:N or game:N:PLY (game N of the record, after this ply or its last). A game that was cut "
    "off goes on if it began there.  [default: the game that was cut off, else "
    "board.start of the configuration]",
)
