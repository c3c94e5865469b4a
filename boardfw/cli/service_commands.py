"""Commands to look after a board: its games, its page, how it is and what it is made of."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from boardfw.cli.options import CONFIG, FORCE, RECORD
from boardfw.errors import ConfigError

NOT_RUNNING = 1
"""Exit status when no board is running."""


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
@RECORD
@click.option("--forget", is_flag=True, help="Let the board belong to nobody: forget all devices.")
@CONFIG
def pair(record: Path | None, config: Path | None, forget: bool) -> None:
    """Let one more device own the board's page (docs/web.md).

    Prints an address that counts once, within ten minutes, also while a board is running.

    Exit status 0: it is printed, or all devices are forgotten; 2: there is no record of games.
    """
    from boardfw.cli.web_pages import forget_devices, new_link
    from boardfw.shell.config import load_config
    from boardfw.shell.web.qr_code import qr_lines

    settings = load_config(config)
    if forget:
        click.echo(forget_devices(record, settings))
        return
    told = new_link(record, settings)
    click.echo(told)
    if sys.stdout.isatty():
        for line in qr_lines(told.split()[-1]):
            click.secho(line, fg="black", bg="bright_white")


@click.command()
@click.option(
    "--address",
    metavar="[HOST:]PORT|auto|systemd",
    help="Where the page is served.  [default: the socket that systemd has opened, else this "
    "machine alone, at a free port]",
)
@click.option(
    "--core",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Where the board is asked.  [default: core.sock in RUNTIME_DIRECTORY, else in "
    "/run/boardfw]",
)
@CONFIG
def web(address: str | None, core: Path | None, config: Path | None) -> None:
    """Serve the page of a board that runs apart: the service's, or 'boardfw run --web apart'.

    Needs no device, and may be stopped and started while the board plays (docs/web.md).

    Exit status 0: it was stopped; 2: something given cannot be used.
    """
    from boardfw.cli.page_process import serve

    serve(address, core, config)


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print all of it as one JSON object.")
def status(as_json: bool) -> None:
    """Show the status of the board's service: its game, its switches and the last error.

    It does not disturb the game. For a service of another name, set RUNTIME_DIRECTORY as there.

    Exit status 0: a board is running; 1: none is, or it is waited for; 2: you may not read its
    status.
    """
    import time

    import msgspec

    from boardfw.cli.status_screen import lines
    from boardfw.shell.status.status_report import (
        FILE,
        USUAL,
        place,
        read_report,
        stopped_service,
        why_waiting,
    )

    file = place() or USUAL / FILE
    report = read_report(file)
    if report is None and (why := why_waiting(file)):
        waiting = msgspec.json.encode({"waiting": why}).decode()
        click.echo(waiting if as_json else f"boardfw is waiting for a board: {why}")
        sys.exit(NOT_RUNNING)
    if report is None and (name := stopped_service(file)):
        click.echo(
            f"the service {name} does not run; see why: sudo journalctl -u {name} -n 30; "
            f"start it: sudo systemctl start {name}"
        )
        sys.exit(NOT_RUNNING)
    if report is None:
        click.echo("boardfw is not running as a service; docs/service.md says how to install it")
        sys.exit(NOT_RUNNING)
    if as_json:
        click.echo(msgspec.json.encode(report))
    else:
        click.echo("\n".join(lines(report, int(time.monotonic()))))


@click.command()
@click.option(
    "--board",
    "url",
    metavar="URL",
    help="Which board, as in 'boardfw run'.  [default: board.url of the configuration, else sim:]",
)
@click.option("--json", "as_object", is_flag=True, help="Print everything as one JSON object.")
@click.option(
    "--report",
    "report_file",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Write all that helps others to help you to FILE: also versions, settings, the log.",
)
@CONFIG
def doctor(**options: Any) -> None:
    """Check a board and its machine: what works, what does not, and how to mend it.

    Looks at settings, wiring, rights, the bus and each chip on it, INT, the switches, the drivers
    of the lights, memory, clock and disk. While a game is running it leaves out what would disturb
    it. docs/doctor.md says what each line means.

    Exit status 0: all passed, or was warned of; 1: something failed; 2: something given cannot be
    used.
    """
    from boardfw.doctor.examination import examine

    sys.exit(examine(**options))


@click.command()
@click.option(
    "--board",
    "url",
    metavar="URL",
    required=True,
    help="Which board: 'i2c:BOARD', or 'sim-i2c:BOARD' with a simulated person.",
)
@click.option(
    "--out",
    metavar="FILE",
    required=True,
    type=click.Path(path_type=Path),
    help="Where the board file is written; one of an earlier time is replaced.",
)
@click.option(
    "--quick",
    is_flag=True,
    help="Believe the board file where a switch and its light both agree with it: 80 placements "
    "instead of 128.",
)
@click.option(
    "--find-chips",
    "find",
    is_flag=True,
    help="Look on the bus which chips there are, at 0x20 to 0x27, instead of believing the board "
    "file.",
)
@click.option(
    "--leds",
    type=click.IntRange(1, 400),
    help="How many LEDs the strip has.  [default: as many as the board file says]",
)
@click.option("--json", "as_json", is_flag=True, help="Print what was found as one JSON object.")
@FORCE
def calibrate(**options: Any) -> None:
    """Learn which switch and which light belongs to which square, and write the board file.

    You put a piece where you are told, then where a light is, then try your pieces; faults of
    the wiring and switches that will make trouble are named, a line each. docs/calibrate.md.

    Exit status 0: the file was written; 1: it was not, and why is printed; 2: something given
    cannot be used.
    """
    from boardfw.cli.calibrate import Calibrating

    sys.exit(Calibrating(**options).run())
