"""How much hangs on each time in the code, and on each count that judges the hands: games recorded
with it halved, and with it doubled.

    python -m tests.bench.ablation --games championships.pgn --hands child,elder --count 200

The hands play each game once; their traces do not depend on the times. Every time is changed in a
copy of the code, and the firmware there watches the same traces again (``ablation_row.py``): as
many rows at once as `--jobs` says. A row tells the games exact and the wrong finals of each kind
of hands; the first row is of the code as it is. `--only GO_ON_US` measures some alone; the other
options are those of `boardfw accuracy`.
"""

from __future__ import annotations

import json
import math
import os
import pickle
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import click

from boardfw.accuracy.parallel import play_all
from boardfw.accuracy.playing import Task, record
from boardfw.cli import main as boardfw
from boardfw.cli.measure_accuracy import Measuring
from boardfw.errors import BoardError

HERE = Path(__file__).parents[2]
ROW = Path(__file__).with_name("ablation_row.py")
PACKAGES = ("boardfw", "hardware")
FOLDERS = ("boardfw/inference", "boardfw/game", "boardfw/sensing")
OF_THE_CONTRACT = {"CHOICE_US", "SECOND_US", "NEVER_US", "TENTHS_US"}
"""Times that are fixed elsewhere, and units."""
OF_THE_SCREEN = {"CONTACT_US", "HANGING_US", "DWELL_US", "LONG_BOUNCE_US", "LET_GO_US"}
"""Times after which something is shown that changes no record."""
OF_HANDS = {"FAR", "HURRY", "LIFTED", "RARELY", "RECENT", "SELDOM", "SLIDERS", "USUALLY"}
"""Counts and parts by which hands are judged."""
FACTORS = (0.5, 2.0)
OPTIONS = ("more", "games", "hands", "seed", "count", "jobs", "scan_hz", "scale", "stuck")
"""Those of `boardfw accuracy` that say which games are played, and how many at once."""
_NUMBER = re.compile(r"^([A-Z_]+) = ([\d_]+)$", re.MULTILINE)


class Time(NamedTuple):
    """A constant: where it stands, and its value, a time in microseconds or a count."""

    path: str
    name: str
    value: int


def times() -> Iterator[Time]:
    """The times on which what is recorded, or called final, may depend."""
    for folder in FOLDERS:
        for path in sorted((HERE / folder).glob("*.py")):
            for name, value in _NUMBER.findall(path.read_text()):
                is_time = name.endswith("_US") and name not in OF_THE_CONTRACT | OF_THE_SCREEN
                if is_time or name in OF_HANDS:
                    yield Time(str(path.relative_to(HERE)), name, int(value))


class Row(NamedTuple):
    """A time multiplied by a factor; None: the code as it is."""

    time: Time | None = None
    factor: float = 1.0

    @property
    def name(self) -> str:
        """What stands before the figures."""
        return f"{self.time.name} x {self.factor:g}" if self.time else "as it is"


def record_all(tasks: Sequence[Task], jobs: int, games: Path) -> None:
    """Let the hands play these games, and write them to a file as they are ready."""
    with games.open("wb") as file:
        for recorded in play_all(record, tasks, jobs):
            pickle.dump(recorded, file)


def figures(row: Row, games: Path, hands: Sequence[str]) -> str:
    """Games exact and wrong finals of each of these kinds of hands, as this row has the code."""
    with tempfile.TemporaryDirectory() as folder:
        for package in PACKAGES:
            shutil.copytree(HERE / package, Path(folder, package))
        shutil.copy(ROW, folder)
        if row.time is not None:
            _change(Path(folder, row.time.path), row.time, row.factor)
        # The folder of the script comes first where Python looks for modules.
        command = [sys.executable, str(Path(folder, ROW.name)), str(games)]
        answer = subprocess.run(command, cwd=folder, check=True, stdout=subprocess.PIPE, text=True)
    found = {one["kind"]: one for one in json.loads(answer.stdout)}
    return "  ".join(
        f"{kind} {found[kind]['games_exact']}/{found[kind]['wrong_finals']}" for kind in hands
    )


def _change(path: Path, time: Time, factor: float) -> None:
    """Multiply a time in a copy of the file where it stands."""
    now = re.compile(rf"^{time.name} = [\d_]+$", re.MULTILINE)
    changed = f"{time.name} = {math.ceil(time.value * factor)}"
    text, count = now.subn(changed, path.read_text())
    if count != 1:
        raise ValueError(f"{time.name} stands {count} times in {time.path}")
    path.write_text(text)


def main(only: tuple[str, ...], **given: Any) -> None:
    """Print a row for the code as it is, and two for each time in it.

    A row tells the games exact and the wrong finals of each kind of hands.
    """
    games = given.pop("games") + given.pop("more")
    measuring = Measuring(games=games, chains=None, keep=None, as_lines=False, **given)
    try:
        tasks = measuring.tasks()
    except BoardError as error:
        raise click.ClickException(str(error)) from error
    jobs = measuring.jobs or os.cpu_count() or 1
    chosen = [time for time in times() if not only or time.name in only]
    rows = [Row(), *(Row(time, factor) for time in chosen for factor in FACTORS)]
    hands = list(dict.fromkeys(task.kind for task in tasks))
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(jobs) as pool:
        recorded = Path(folder, "games.pickle")
        record_all(tasks, jobs, recorded)
        results = pool.map(partial(figures, games=recorded, hands=hands), rows)
        for row, result in zip(rows, results, strict=True):
            click.echo(f"{row.name:24}{result}")


def command() -> click.Command:
    """The command line: options that `boardfw accuracy` has, and which times are measured."""
    options = [option for option in boardfw.commands["accuracy"].params if option.name in OPTIONS]
    only = click.Option(["--only"], metavar="NAME", multiple=True, help="This time alone.")
    return click.Command("ablation", params=[*options, only], callback=main, help=main.__doc__)


if __name__ == "__main__":
    command()()
