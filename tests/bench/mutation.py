"""How strong the tests are: the share of mutants, drawn at random, that the tests notice.

    .venv/bin/python -m tests.bench.mutation --count 100 --seed 1

First the tests run on the unchanged sources, one folder of tests after the other, and all must
pass. This records which test runs which line, and for how long. Then each mutant meets the tests
that run its line, in a copy of the sources: the nearest first, the quickest of these first, until
one fails. Where only functions differ, this happens in a fork of a pytest that has collected
everything; else pytest starts for it. A mutant that survives is printed: read it and write the
test, unless nobody can see a difference from outside.

Results are appended to a file, and the same command goes on where it was cut off. A change of the
sources or the tests starts from the beginning.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from subprocess import Popen
from typing import Any

import pytest
from coverage import CoverageData

from tests.bench.chosen_tests import CHOSEN, FAILED, MOST_MEMORY, SERVE, TIMES, WALL_TIMES
from tests.bench.mutants import Mutant, changes_functions_only, mutants_of

ROOT = Path(__file__).parents[2]
PARTS = [
    *("boardfw/rules", "boardfw/inference", "boardfw/game", "boardfw/shell/store"),
    *("boardfw/services/web/roles.py", "boardfw/services/web/gate.py"),
    *("boardfw/services/web/routes.py", "boardfw/services/web/limits.py"),
    *("boardfw/services/web/pairing.py", "boardfw/services/web/sessions.py"),
]
NEAREST_S, OTHERS_S = 5.0, 20.0
"""Processor time of the nearest tests of a mutant at most, and then of the others of its line."""
START_CPU_S, CPU_TIMES = 20, 4
"""A mutant hangs when its tests need more processor time than this and four times their own."""

KILLED, SURVIVED, HUNG = "killed", "survived", "hung"
UNIMPORTABLE = "no import"
"""No test could be collected: such a mutant shows nothing about tests and does not count."""
NOT_RUN = "not run"
"""No test runs the file: counted as survived."""


class SamplerError(Exception):
    """The sampler cannot say anything about the tests: its own fault, or theirs."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the tests of a mutant ended."""

    kind: str
    by: str = ""
    """The first test that failed."""


@dataclass(frozen=True, slots=True)
class Copy:
    """A fresh copy of the sources in which tests run."""

    root: Path
    folder: Path
    """The folder for the copy and for all that is recorded."""

    @property
    def tree(self) -> Path:
        """Return the copy, whose path coverage has recorded."""
        return self.folder / "tree"

    def refresh(self) -> str:
        """Copy the sources, and return a digest of all that can change an outcome."""
        shutil.rmtree(self.tree, ignore_errors=True)
        left_out = shutil.ignore_patterns(
            *(".git", ".venv", "__pycache__", ".*_cache", ".hypothesis"),
            ".lgd-*",  # a pipe of lgpio
        )
        shutil.copytree(self.root, self.tree, ignore=left_out, symlinks=True)
        digest = hashlib.sha256()
        for path in sorted(self.tree.rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                digest.update(f"{path.relative_to(self.tree)}\0".encode())
                digest.update(hashlib.sha256(path.read_bytes()).digest())
        return digest.hexdigest()[:16]

    def start_pytest(
        self, arguments: Iterable[str], more: dict[str, str], fds: tuple[int, ...] = ()
    ) -> Popen[bytes]:
        """Start pytest in the copy."""
        words = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
        words += ["-p", "tests.bench.chosen_tests", "--hypothesis-seed=0"]
        words += ["-o", "tmp_path_retention_policy=none", *arguments]
        with self.output.open("w") as out:
            return Popen(
                [sys.executable, *words],
                cwd=self.tree,
                env={**os.environ, "PYTHONPATH": str(self.tree), **more},
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                pass_fds=fds,
            )

    def run_pytest(self, *arguments: str, cpu_s: int | None, **more: str) -> int | None:
        """Run pytest in the copy and return its exit code, or None when it hangs."""
        child = self.start_pytest(arguments, more)
        if cpu_s is not None:
            resource.prlimit(child.pid, resource.RLIMIT_CPU, (cpu_s, cpu_s))
            resource.prlimit(child.pid, resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
        try:
            code = child.wait(None if cpu_s is None else cpu_s * WALL_TIMES)
        except subprocess.TimeoutExpired:
            return None
        finally:
            end_group(child)
        return None if code in (-signal.SIGXCPU, -signal.SIGKILL) else code

    @property
    def output(self) -> Path:
        """Return where the last run of pytest printed."""
        return self.folder / "pytest.out"


def end_group(child: Popen[bytes]) -> None:
    """End a run of pytest and what it has started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()


class Learned:
    """Which tests run which line of the unchanged sources, and how long each takes."""

    def __init__(self, copy: Copy, digest: str, parts: list[str]) -> None:
        self._copy = copy
        self._folder = copy.folder / f"learned-{digest}"
        self._folder.mkdir(exist_ok=True)
        self._parts = parts
        self._data: list[CoverageData] = []
        self._by_file: dict[Path, dict[int, set[str]]] = {}
        self.times: dict[str, float] = {}

    def learn(self, tests: Sequence[str]) -> None:
        """Run each folder of tests once, unless that was done; raise unless all pass."""
        for place in tests:
            stem = place.replace("/", "-")
            coverage, times = self._folder / f"{stem}.coverage", self._folder / f"{stem}.json"
            if not times.exists():
                self._run(place, coverage, times)
            data = CoverageData(str(coverage))
            data.read()
            self._data.append(data)
            self.times |= json.loads(times.read_text())
        if not self.times:
            raise SamplerError(f"there are no tests of the fast suite in {', '.join(tests)}")

    def _run(self, place: str, coverage: Path, times: Path) -> None:
        """Run a folder of tests with all that is recorded."""
        settings = self._copy.folder / "coveragerc"
        tree = self._copy.tree
        patterns = [f"{tree / part}{'' if part.endswith('.py') else '/*'}" for part in self._parts]
        settings.write_text("\n    ".join(["[run]\ninclude =", *patterns]) + "\n")
        coverage.unlink(missing_ok=True)
        code = self._copy.run_pytest(
            *("--cov", f"--cov-config={settings}", "--cov-context=test", "--cov-report=", place),
            cpu_s=None,
            COVERAGE_FILE=str(coverage),
            **{TIMES: str(times)},
        )
        # A folder may hold tests of other suites only.
        if code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            times.unlink(missing_ok=True)
            raise SamplerError(
                f"{place}: the tests must pass on unchanged sources first"
                f" (pytest ended with {code}: {self._copy.output})"
            )

    def tests_of(self, path: Path, lines: range, near: str) -> set[str]:
        """Return the tests that run one of these lines.

        A constant of a module runs as the module is imported, which is in no test: then those that
        run any line of the file, and all of the folder ``near``, which may read no more of it.
        """
        by_line = self._contexts(path)
        if found := {name for line in lines for name in by_line.get(line, ())}:
            return found
        found = {name for names in by_line.values() for name in names}
        return found and found | {name for name in self.times if name.startswith(near)}

    def _contexts(self, path: Path) -> dict[int, set[str]]:
        """Return the tests that run each line of a file."""
        if (known := self._by_file.get(path)) is not None:
            return known
        found = self._by_file.setdefault(path, {})
        for data in self._data:
            for line, contexts in data.contexts_by_lineno(str(self._copy.tree / path)).items():
                names = {context.rpartition("|")[0] for context in contexts}
                found.setdefault(line, set()).update(names & self.times.keys())
        return found


class Warm:
    """A pytest that has collected all tests, and runs some against changed functions on request."""

    def __init__(self, copy: Copy, tests: Iterable[str]) -> None:
        self._copy = copy
        requests, self._requests = os.pipe()
        self._answers, answers = os.pipe()
        pipes = (requests, answers)
        self._pytest = copy.start_pytest(tests, {SERVE: f"{requests} {answers}"}, pipes)
        for pipe in pipes:
            os.close(pipe)
        # Mutants are written into files that it still reads until then.
        self._answer()

    def run(
        self, path: Path, before: bytes, source: bytes, tests: list[str], cpu_s: int
    ) -> Outcome:
        """Run tests against another source of a file until one fails."""
        request = {
            "path": str(self._copy.tree / path),
            "before": before.decode(),
            "source": source.decode(),
            "tests": tests,
            "cpu_s": cpu_s,
        }
        with contextlib.suppress(BrokenPipeError):
            _write_all(self._requests, f"{json.dumps(request)}\n".encode())
        found = self._answer()
        if found is None:
            return Outcome(HUNG)
        if isinstance(found, int):
            raise SamplerError(f"tests ended with {found}, which says nothing: {self._copy.output}")
        return Outcome(KILLED, found[0]) if found else Outcome(SURVIVED)

    def _answer(self) -> Any:
        """Return the next answer of it."""
        line = b""
        while not line.endswith(b"\n"):
            if not (more := os.read(self._answers, 1 << 16)):
                raise SamplerError(f"pytest ended by itself: {self._copy.output}")
            line += more
        return json.loads(line)

    def close(self) -> None:
        """End it."""
        end_group(self._pytest)
        os.close(self._requests)
        os.close(self._answers)


def _write_all(fd: int, data: bytes) -> None:
    while data:
        data = data[os.write(fd, data) :]


class Sampler:
    """Runs the tests against mutants."""

    def __init__(self, copy: Copy, learned: Learned, warm: Warm) -> None:
        self._copy = copy
        self._learned = learned
        self._warm = warm
        self._stamp = 2_000_000_000

    def try_one(self, mutant: Mutant) -> Outcome:
        """Run the tests of a mutant until one fails."""
        path = mutant.path.relative_to(self._copy.root)
        near = self._nearest(path)
        rounds = self._rounds(near, self._learned.tests_of(path, mutant.lines, near))
        outcome = Outcome(NOT_RUN)
        if not rounds:
            return outcome
        before = (self._copy.tree / path).read_bytes()
        is_warm = changes_functions_only(before, mutant.source)
        # Programs that tests start import the file.
        self._write(path, mutant.source)
        # Examples that one mutant failed must not help against the next one.
        shutil.rmtree(self._copy.tree / ".hypothesis", ignore_errors=True)
        try:
            for tests in rounds:
                if is_warm:
                    cpu_s = self._cpu_s(tests)
                    outcome = self._warm.run(path, before, mutant.source, tests, cpu_s)
                else:
                    outcome = self._run(tests)
                if outcome.kind != SURVIVED:
                    return outcome
            return outcome
        finally:
            self._write(path, before)

    def check(self, killers: set[str]) -> None:
        """Raise if a test that killed mutants fails on the unchanged sources as well."""
        tests = sorted(killers)
        outcome = self._warm.run(Path("none"), b"", b"", tests, self._cpu_s(tests))
        if outcome.kind != SURVIVED:
            raise SamplerError(f"{outcome.by or 'a test'} fails without a mutant, too: no kill")

    def _rounds(self, near: str, tests: set[str]) -> list[list[str]]:
        """Return the tests of the nearest folder and then the others, the quickest first."""
        nearest = self._quickest((t for t in tests if t.startswith(near)), NEAREST_S)
        others = self._quickest((t for t in tests if t not in nearest), OTHERS_S)
        return [tests for tests in (nearest, others) if tests]

    def _nearest(self, path: Path) -> str:
        """Return the folder of tests that is named like the folder of a source."""
        rooms = path.parts[1:-1]
        folders = (Path("tests", *rooms[:n]) for n in range(len(rooms), -1, -1))
        return f"{next(folder for folder in folders if (self._copy.tree / folder).is_dir())}/"

    def _quickest(self, tests: Iterable[str], most_s: float) -> list[str]:
        chosen, total_s = list[str](), 0.0
        for name in sorted(tests, key=lambda name: (self._learned.times[name], name)):
            total_s += self._learned.times[name]
            if chosen and total_s > most_s:
                break
            chosen.append(name)
        return chosen

    def _cpu_s(self, tests: list[str]) -> int:
        """Return after how much processor time tests are said to hang."""
        return START_CPU_S + round(CPU_TIMES * sum(self._learned.times[test] for test in tests))

    def _run(self, tests: list[str]) -> Outcome:
        """Start pytest with tests against what the copy holds now."""
        chosen, failed = self._copy.folder / "chosen.json", self._copy.folder / "failed.json"
        chosen.write_text(json.dumps(tests))
        failed.unlink(missing_ok=True)
        files = list(dict.fromkeys(test.partition("::")[0] for test in tests))
        cpu_s = self._cpu_s(tests)
        more = {CHOSEN: str(chosen), FAILED: str(failed)}
        code = self._copy.run_pytest("-x", *files, cpu_s=cpu_s, **more)
        if code == 0:
            return Outcome(SURVIVED)
        if code is None:
            return Outcome(HUNG)
        by = json.loads(failed.read_text()) if failed.exists() else []
        if code == 1 and by:
            return Outcome(KILLED, by[0])
        # The same files were collected from the unchanged sources. With -x this is 1 as well.
        if code in {1, 2} and "ERROR collecting" in self._copy.output.read_text():
            return Outcome(UNIMPORTABLE)
        raise SamplerError(f"pytest ended with {code}, which says nothing: {self._copy.output}")

    def _write(self, path: Path, source: bytes) -> None:
        """Write with a time of its own, by which Python knows that it has to compile again."""
        (self._copy.tree / path).write_bytes(source)
        self._stamp += 2
        os.utime(self._copy.tree / path, (self._stamp, self._stamp))


def drawn(root: Path, parts: Iterable[str], count: int, seed: int) -> list[Mutant]:
    """Draw mutants of these files and folders: a smaller count is the beginning of a larger one."""
    paths = [
        path
        for part in parts
        for path in (
            sorted((root / part).rglob("*.py")) if (root / part).is_dir() else [root / part]
        )
    ]
    every = [mutant for path in paths for mutant in mutants_of(path)]
    print(f"{len(every)} mutants in {len(paths)} files; {count} of them drawn by seed {seed}")
    random.Random(seed).shuffle(every)
    return every[:count]


def folders_of_tests(root: Path) -> list[str]:
    """Return the folders and files of the fast suite, small enough to go on after a cut-off."""
    found = sorted((root / "tests").iterdir())
    return [
        str(path.relative_to(root))
        for path in found
        if any(path.rglob("test_*.py")) or path.match("test_*.py")
    ]


def tried(results: Path, digest: str) -> dict[str, Outcome]:
    """Return what is known by the name of each mutant, of these sources and tests alone."""
    if not results.exists():
        return {}
    lines = [json.loads(line) for line in results.read_text().splitlines()]
    return {
        line["mutant"]: Outcome(line["kind"], line["by"])
        for line in lines
        if line["digest"] == digest
    }


def sample(options: Any, root: Path = ROOT) -> Iterator[tuple[Mutant, Outcome]]:
    """Yield each mutant drawn with its outcome, known or new, and append what is new."""
    options.folder.mkdir(parents=True, exist_ok=True)
    copy = Copy(root, options.folder)
    digest = copy.refresh()
    learned = Learned(copy, digest, options.parts)
    places = options.tests or folders_of_tests(root)
    learned.learn(places)
    results = options.folder / "results.jsonl"
    known, killers = tried(results, digest), set[str]()
    with contextlib.closing(Warm(copy, places)) as warm:
        sampler = Sampler(copy, learned, warm)
        for mutant in drawn(root, options.parts, options.count, options.seed):
            name = mutant.name(root)
            if (outcome := known.get(name)) is None:
                outcome = sampler.try_one(mutant)
                line = {"digest": digest, "mutant": name, "kind": outcome.kind, "by": outcome.by}
                with results.open("a") as out:
                    out.write(f"{json.dumps(line)}\n")
            killers |= {outcome.by} - {""}
            yield mutant, outcome
        sampler.check(killers)


def summary(outcomes: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield a line for each part, by the part and the kind of each outcome, and one for all."""
    counts: dict[str, Counter[str]] = {}
    for part, kind in outcomes:
        counts.setdefault(part, Counter())[kind] += 1
        counts.setdefault("all", Counter())[kind] += 1
    for part, kinds in sorted(counts.items(), key=lambda item: item[0] == "all"):
        noticed, count = kinds[KILLED] + kinds[HUNG], kinds.total() - kinds[UNIMPORTABLE]
        share = f", {100 * noticed / count:.1f} %" if count else ""
        yield (
            f"{part}: {noticed} of {count} noticed{share} ({kinds[HUNG]} of them hung);"
            f" {kinds[SURVIVED]} survived, {kinds[NOT_RUN]} not run;"
            f" {kinds[UNIMPORTABLE]} could not be imported and do not count"
        )


def main(arguments: list[str] | None = None) -> None:
    """Draw mutants, run the tests against each and print what survived."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=Path("/tmp/boardfw-mutation"))
    parser.add_argument("--tests", nargs="*", default=[], help="folders of tests; default: all")
    parser.add_argument("parts", nargs="*", default=PARTS)
    options: Any = parser.parse_args(arguments)
    outcomes: list[tuple[str, str]] = []
    try:
        for mutant, outcome in sample(options):
            where = mutant.path.relative_to(ROOT)
            part = next(part for part in options.parts if where.is_relative_to(part))
            outcomes.append((part, outcome.kind))
            print(f"{outcome.kind:9} {mutant.name(ROOT)}", flush=True)
    except SamplerError as error:
        sys.exit(str(error))
    finally:
        print(*summary(outcomes), sep="\n")


if __name__ == "__main__":
    main()
