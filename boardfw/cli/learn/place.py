"""Where lessons are given: the options that say so, as one value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import wraps
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
        help="Who puts the men up on the simulated board.",
    ),
    click.option("--by-hand", is_flag=True, help="Put the men up yourself, on that board too."),
    click.option(
        "--log",
        metavar="FILE",
        type=click.Path(path_type=Path),
        help="Every sentence goes there as well, a line each, for speech or a screen reader.",
    ),
    CONFIG,
)


def at_place(command: Callable[..., None]) -> Callable[..., None]:
    """The options that say where lessons are given; they come as one, ``place``."""

    @wraps(command)
    def gathered(**options: Any) -> None:
        names = [field.name for field in fields(Place)]
        command(place=Place(**{name: options.pop(name) for name in names}), **options)

    for option in reversed(_OPTIONS):
        gathered = option(gathered)
    return gathered
