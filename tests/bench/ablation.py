"""How much hangs on each time in the code: games recorded with it halved, and with it doubled.

    python -m tests.bench.ablation --games championships.pgn --hands child,elder --count 200

Every time is changed in a copy of the code, and `boardfw accuracy` is run there with the options
given here, for all times by the same hands. A row tells the games exact and the wrong finals of
each kind of hands; the first row is of the code as it is. `--only GO_ON_US` measures some alone.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parents[2]
PACKAGES = ("boardfw", "hardware")
FOLDERS = ("boardfw/inference", "boardfw/game", "boardfw/sensing")
OF_THE_CONTRACT = {"CHOICE_US", "SECOND_US", "NEVER_US", "TENTHS_US"}
"""Times that somebody else has fixed, and units."""
OF_THE_SCREEN = {"CONTACT_US", "HANGING_US", "DWELL_US", "LONG_BOUNCE_US", "LET_GO_US"}
"""Times after which something is shown that changes no record."""
FACTORS = (0.5, 2.0)
_TIME = re.compile(r"^([A-Z_]+_US) = ([\d_]+)$", re.MULTILINE)


class Time(NamedTuple):
    """A constant: where it stands, and its value in microseconds."""

    path: str
    name: str
    value: int


def times() -> Iterator[Time]:
    """The times on which what is recorded, or called final, may depend."""
    for folder in FOLDERS:
        for path in sorted((HERE / folder).glob("*.py")):
            for name, value in _TIME.findall(path.read_text()):
                if name not in OF_THE_CONTRACT | OF_THE_SCREEN:
                    yield Time(str(path.relative_to(HERE)), name, int(value))


def measured(options: list[str], time: Time | None = None, factor: float = 1.0) -> str:
    """Games exact and wrong finals of each kind of hands, with this time multiplied."""
    with tempfile.TemporaryDirectory() as folder:
        for package in PACKAGES:
            shutil.copytree(HERE / package, Path(folder, package))
        if time is not None:
            path = Path(folder, time.path)
            changed = f"{time.name} = {int(time.value * factor)}"
            now = re.compile(rf"^{time.name} = [\d_]+$", re.MULTILINE)
            text, count = now.subn(changed, path.read_text())
            if count != 1:
                raise ValueError(f"{time.name} stands {count} times in {time.path}")
            path.write_text(text)
        command = [sys.executable, "-m", "boardfw", "accuracy", "--json", *options]
        environment = {**os.environ, "PYTHONPATH": folder}
        answer = subprocess.run(
            command, cwd=folder, env=environment, check=True, capture_output=True, text=True
        )
    kinds = json.loads(answer.stdout)["kinds"]
    return "  ".join(f"{k['kind']} {k['games_exact']}/{k['wrong_finals']}" for k in kinds)


def main(arguments: list[str]) -> None:
    """Print a row for the code as it is, and two for each time."""
    only = set()
    while "--only" in arguments:
        at = arguments.index("--only")
        only.add(arguments.pop(at + 1))
        arguments.pop(at)
    print(f"{'as it is':24}{measured(arguments)}", flush=True)
    for time in times():
        if only and time.name not in only:
            continue
        for factor in FACTORS:
            row = f"{time.name} x {factor:g}"
            print(f"{row:24}{measured(arguments, time, factor)}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
