"""Commands of who builds a board: is it well, and what belongs to which square?"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from boardfw.cli.options import CONFIG, FORCE


@click.command()
@click.option(
    "--board",
    "url",
    metavar="URL",
    help="Which board, as in 'boardfw run'.  [default: board.url of the configuration, else sim:]",
)
@click.option("--json", "as_object", is_flag=True, help="Print everything as one JSON object.")
@CONFIG
def doctor(**options: Any) -> None:
    """Say what is well with a board and its machine, what is not, and how to mend it.

    Looks at settings, wiring, rights, the bus and each chip on it, INT, the switches, the drivers
    of the lights, memory, clock and disk. While a game is running it leaves out what would disturb
    it. docs/doctor.md says what each line means.

    Exit status 0: all passed, or was warned of; 1: something failed; 2: something given cannot be
    used.
    """
    from boardfw.cli.doctor.examining import Examining

    sys.exit(Examining(**options).run())


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
