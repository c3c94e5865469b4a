"""How strong the tests are: the share of mutants, drawn at random, that they notice.

    .venv/bin/python -m tests.bench.mutation --count 100 --seed 1

The tests run once to learn which of them run which line. Then each mutant meets the tests that run
its line, in a copy of the sources, until one fails. A mutant that no test notices is printed: read
it, and write the test, unless it does the same as before in all that anybody can see.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from coverage import CoverageData

from tests.bench.mutants import Mutant, mutants_of

ROOT = Path(__file__).parents[2]
PARTS = [
    *("boardfw/rules", "boardfw/inference", "boardfw/game", "boardfw/shell/store"),
    *("boardfw/services/web/roles.py", "boardfw/services/web/gate.py"),
    *("boardfw/services/web/routes.py", "boardfw/services/web/limits.py"),
    *("boardfw/services/web/pairing.py", "boardfw/services/web/sessions.py"),
]
MOST_TESTS_S = 20.0
"""Seconds that the tests of one mutant take at most: the quickest of those that run its line."""
MOST_CPU_S = 120
"""Processor time after which a mutant is said to hang, which is noticed."""
TIMES = "BOARDFW_TEST_TIMES"
"""Names the file into which a run of pytest writes the time of each test."""


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write the times; this module is a plugin of the run that learns."""
    if TIMES in os.environ and not hasattr(session.config, "workerinput"):
        Path(os.environ[TIMES]).write_text(json.dumps(_times))


_times: dict[str, float] = {}


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Add up the phases of a test."""
    _times[report.nodeid] = _times.get(report.nodeid, 0.0) + report.duration


def run_pytest(folder: Path, *arguments: str, **more: str) -> int:
    """Run pytest in a copy of the sources and return how it ended."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (MOST_CPU_S, MOST_CPU_S))

    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(folder), **more}
    learning = TIMES in more
    with (folder / "pytest.out").open("w") as out:
        ran = subprocess.run(
            words,
            cwd=folder,
            env=environment,
            stdout=out,
            stderr=subprocess.STDOUT,
            check=False,
            preexec_fn=None if learning else limit,
        )
    return ran.returncode


def learn(folder: Path, tests: list[str]) -> None:
    """Find out which tests run which line, and how long each takes."""
    run_pytest(
        folder,
        *("-n", "2", "-p", "tests.bench.mutation", "--cov", "--cov-context=test", "--cov-report="),
        *tests,
        **{TIMES: str(folder / "times.json")},
    )


class Sampler:
    """Runs the tests against mutants."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._data = CoverageData(str(folder / ".coverage"))
        self._data.read()
        self._times: dict[str, float] = json.loads((folder / "times.json").read_text())
        self._stamp = 2_000_000_000

    def tests_of(self, mutant: Mutant) -> list[str]:
        """Return the tests that run the line, the quickest first."""
        lines = self._data.contexts_by_lineno(str(self._folder / mutant.path.relative_to(ROOT)))
        names = {context.rpartition("|")[0] for context in lines.get(mutant.line, [])}
        found = sorted((name for name in names if name in self._times), key=self._times.__getitem__)
        chosen, total_s = list[str](), 0.0
        for name in found:
            total_s += self._times[name] + 0.002
            if chosen and total_s > MOST_TESTS_S:
                break
            chosen.append(name)
        return chosen

    def try_one(self, mutant: Mutant) -> str:
        """Return "killed", "survived", or "not run" where no test runs the line."""
        tests = self.tests_of(mutant)
        if not tests:
            return "killed" if self._breaks_import(mutant) else "not run"
        return "killed" if self._fails(mutant, tests) else "survived"

    def _breaks_import(self, mutant: Mutant) -> bool:
        """True if the line runs as its file is imported and the tests of its room notice it."""
        lines = self._data.contexts_by_lineno(str(self._folder / mutant.path.relative_to(ROOT)))
        if mutant.line not in lines:
            return False
        rooms = mutant.path.relative_to(ROOT / "boardfw").parts
        place = next(
            Path("tests", *rooms[:n])
            for n in range(len(rooms) - 1, -1, -1)
            if (self._folder / Path("tests", *rooms[:n])).is_dir()
        )
        return self._fails(mutant, [str(place)])

    def _fails(self, mutant: Mutant, tests: list[str]) -> bool:
        path = self._folder / mutant.path.relative_to(ROOT)
        before = path.read_bytes()
        self._write(path, mutant.source)
        (self._folder / "tests.txt").write_text("\n".join(tests))
        try:
            return run_pytest(self._folder, "-x", "@tests.txt") != 0
        finally:
            self._write(path, before)

    def _write(self, path: Path, source: bytes) -> None:
        """Write with a time of its own, by which Python knows that it has to compile again."""
        path.write_bytes(source)
        self._stamp += 2
        os.utime(path, (self._stamp, self._stamp))


def drawn(parts: Iterable[str], count: int, seed: int) -> list[Mutant]:
    """Draw mutants from all that there are in these files and folders."""
    paths = [
        path
        for part in parts
        for path in sorted((ROOT / part).rglob("*.py") if (ROOT / part).is_dir() else [ROOT / part])
    ]
    every = [mutant for path in paths for mutant in mutants_of(path)]
    print(f"{len(every)} mutants in {len(paths)} files; {count} of them drawn by seed {seed}")
    return random.Random(seed).sample(every, min(count, len(every)))


def copied(folder: Path) -> None:
    """Copy the sources, so that nobody's are touched."""
    left_out = shutil.ignore_patterns(".git", ".venv", "__pycache__", "*.pyc", ".*_cache")
    shutil.copytree(ROOT, folder, ignore=left_out, symlinks=True)


def main(arguments: list[str] | None = None) -> None:
    """Draw mutants, run the tests against each and print what survived."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--skip", type=int, default=0, help="of those drawn, tried before")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=Path("/tmp/boardfw-mutation"))
    parser.add_argument("--tests", nargs="*", default=[], help="to learn from; default: all")
    parser.add_argument("parts", nargs="*", default=PARTS)
    options: Any = parser.parse_args(arguments)
    if not options.folder.exists():
        copied(options.folder)
    if not (options.folder / "times.json").exists():
        learn(options.folder, options.tests)
    sampler, outcomes = Sampler(options.folder), Counter[str]()
    for mutant in drawn(options.parts, options.count, options.seed)[options.skip :]:
        outcome = sampler.try_one(mutant)
        outcomes[outcome] += 1
        where = f"{mutant.path.relative_to(ROOT)}:{mutant.line}"
        print(f"{outcome:8} {where}: {mutant.was[:100]!r} -> {mutant.now[:100]!r}", flush=True)
    tried = outcomes.total()
    print(f"{outcomes['killed']} of {tried} killed, {100 * outcomes['killed'] / tried:.0f} %")


if __name__ == "__main__":
    main()
