"""Commands of who looks after a board that plays: copies of its games, and how it is."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from boardfw.cli.options import CONFIG, RECORD
from boardfw.errors import ConfigError

NOBODY = 1
"""Exit status where no board plays."""


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@RECORD
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

    place = record_place(record, load_config(config))
    if place is None:
        raise ConfigError("record.database is '': no games are kept; name a file with --record")
    copy = back_up(place, file, replace=force)
    for trouble in copy.troubles:
        click.echo(trouble, err=True)
    games = "1 game" if copy.games == 1 else f"{copy.games} games"
    click.echo(f"{file}: {games} of {place}, {copy.size // 1024} KiB, checked")


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print all of it as one JSON object.")
def status(as_json: bool) -> None:
    """Say how the board is that plays as a service: what it is at, and what is wrong with it.

    It disturbs nobody. Under another service than boardfw's set RUNTIME_DIRECTORY as there.

    Exit status 0: a board plays; 1: none does; 2: it does not let you see.
    """
    import time

    import msgspec

    from boardfw.cli.status import lines
    from boardfw.shell.status.report import FILE, USUAL, place, read_report

    report = read_report(place() or USUAL / FILE)
    if report is None:
        click.echo("no boardfw plays as a service; docs/service.md says how one does")
        sys.exit(NOBODY)
    if as_json:
        click.echo(msgspec.json.encode(report))
    else:
        click.echo("\n".join(lines(report, int(time.monotonic()))))
