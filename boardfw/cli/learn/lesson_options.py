"""Where lessons are given: the options that say so, as one value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import wraps
from inspect import cleandoc
from pathlib import Path
from typing import Any

import click

from boardfw.cli.options import CONFIG


@dataclass(frozen=True, slots=True)
class Place:
    """The options that say where, and how, lessons are given."""

    url: str | None
    hands: str
    by_hand: bool
    log: Path | None
    config: Path | None


_OPTIONS = (
    click.option("--board", "url", metavar="URL", help="Which board, as of 'boardfw run'."),
    click.option(
        "--hands",
        default="club",
        metavar="KIND",
        show_default=True,
        help="Simulated hands that set up the pieces on the simulated board.",
    ),
    click.option("--by-hand", is_flag=True, help="Set up the pieces yourself, on that board too."),
    click.option(
        "--log",
        metavar="FILE",
        type=click.Path(path_type=Path),
        help="Every sentence goes there as well, a line each, for speech or a screen reader.",
    ),
    CONFIG,
)
_STATUS = """
Exit status 0: it was given to its end, or left at a terminal or by a button; 1: stopped before its
end; 2: something given cannot be used; 75: the board cannot be reached, or scanning has broken
down; 130: Ctrl-C before it began.
"""


def at_place(command: Callable[..., None]) -> Callable[..., None]:
    """The options that say where lessons are given; they come as one, ``place``.

    The exit statuses are the same for all of them, and added to their help.
    """

    @wraps(command)
    def gathered(**options: Any) -> None:
        names = [field.name for field in fields(Place)]
        command(place=Place(**{name: options.pop(name) for name in names}), **options)

    gathered.__doc__ = f"{cleandoc(command.__doc__ or '')}\n{_STATUS}"
    for option in reversed(_OPTIONS):
        gathered = option(gathered)
    return gathered
