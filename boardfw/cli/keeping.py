"""Commands of who looks after a board that plays: copies of its games, and how it is."""

from __future__ import annotations

from pathlib import Path

import click

from boardfw.cli.options import CONFIG
from boardfw.errors import ConfigError


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--record",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="The database of games.  [default: record.database of the configuration]",
)
@click.option("--force", is_flag=True, help="Replace FILE if it is there.")
@CONFIG
def backup(file: Path, record: Path | None, config: Path | None, force: bool) -> None:
    """Copy the database of games to FILE, also while a game is played.

    The copy is checked, and FILE is there whole or not at all. docs/record.md says how to go back
    to it.

    Exit status 0: it is there; 2: it is not, and why is printed.
    """
    from boardfw.shell.config import load_config
    from boardfw.shell.places import record_place
    from boardfw.shell.store.backup import back_up

    place = record_place(record, load_config(config), None)
    if place is None:
        raise ConfigError("record.database is '': no games are kept; name a file with --record")
    copy = back_up(place, file, replace=force)
    games = "1 game" if copy.games == 1 else f"{copy.games} games"
    click.echo(f"{file}: {games} of {place}, {copy.size // 1024} KiB, checked")
