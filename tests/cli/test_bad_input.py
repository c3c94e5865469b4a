"""Whatever is given to whichever option: a line that says what is wrong, no trace, no hanging.

Every option and argument of every command is found by itself, so a new one is tried as well.
``make test-slow FULL=1 ARGS="tests/cli/test_bad_input.py"`` makes all tries.
"""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from random import Random
from socket import AF_UNIX, socket
from types import FrameType

import click
import pytest
from click.testing import CliRunner, Result

import boardfw.given
from boardfw.cli import main
from tests.cli.tapes import MATE, save
from tests.services.uci.engines import as_program
from tests.sizes import sized

# asyncio closes the pipe to which Python reports signals shortly before it says so, and here a
# signal comes 20 times a second.
pytestmark = pytest.mark.filterwarnings(
    "ignore:Exception ignored in. None:pytest.PytestUnraisableExceptionWarning"
)
MOST_S = 60
"""So long nothing that is given takes: what it asks for is refused, or short. An engine that does
not get ready on a busy machine is given up after 40 s."""
LIVE = {"start", "next", "openings", "mistakes", "replay", "guess", "endings", "setup", "play"}
"""Lessons, which would go on at a human pace."""
SERVES = "web"
"""Goes on until it is stopped."""
LOOK_S = 0.05
"""So often it is looked how far a command has come."""
LIVE_LOOKS = 4
"""A lesson that still goes on so long after its first words has no trouble with what was given."""
SAMPLE = sized(160, 40)
"""One of so many tries is made where not all are asked for."""
STATUSES = {0, 1, 2, 75, 130}
LINES = 12
"""Longer errors are not read; a wrong use is told with the usage above it."""

BASES = {
    "run": "--play famous --speed max",
    "replay": "g.trace.jsonl --out out",
    "explain": "g.trace.jsonl --ply 1",
    "accuracy": "--games famous --hands careful --count 1 --jobs 1",
    "perft": "start 1",
    "doctor": "--board sim:",
    "calibrate": "--board sim-i2c:reference --out new.toml --quick",
    "pair": "--record g.db",
    "web": "--address 127.0.0.1:0 --core core.sock",
    "backup": "copy.db --record g.db",
    "status": "",
    "games list": "--record g.db",
    "games show": "1 --record g.db",
    "games export": "1 --record g.db",
    "games analyse": "1 --record g.db --engine ./engine",
    "games import": "g.pgn --record other.db",
    "games tag": "1 White=Ann --record g.db",
    "games rule": "1 drop 17. --who Ann --why late --record g.db",
    "games delete": "1 --yes --record g.db",
    "games rescue": "--record g.db",
    "uci": "--speed 50",
    "learn list": "--record g.db",
    "learn start": "squares --record g.db --hands careful",
    "learn next": "--record g.db --hands careful",
    "learn progress": "--record g.db",
    "learn profiles": "add Ann --record g.db",
    "learn openings": "g.pgn --as white --record g.db --hands careful",
    "learn mistakes": "m.pgn --record g.db --hands careful",
    "learn replay": "g.pgn --hands careful",
    "learn guess": "g.pgn --hands careful",
    "learn endings": "KQK --count 1 --record g.db --hands careful",
    "learn setup": "--record g.db --hands careful",
    "learn play": "rook.open_board --hands careful",
    "learn check": "",
}
"""What makes each command do something: an option of it is then given in addition."""
NEEDY = {"status"}
"""A board would have to play."""

WORDS = [
    *("", " ", "0", "-1", "1.5", "9" * 30, "-" + "9" * 30, "nan", "inf", "1e999", "None", "[]"),
    *("x" * 5000, "\udcff\udcfe", "♜", "a\nb", "%s%n", "{0}", "../..", "~", "--", "-", "*", "'"),
    *("spy:x," * 2000 + "sim:", "spy:" * 2000, "replay:", "replay:pipe", "replay:/dev/zero"),
    *("sim-i2c:pipe", "i2c:pipe", "i2c:folder", "game:" + "9" * 30, "game:1:" + "9" * 30, "960:-1"),
    *("result=*", "KQK" * 300, "8/" * 4000, "40/" + "9" * 30, "each=open", "e4=" * 3, "chances=-1"),
]
FILES = [
    *(
        "pipe",
        "folder",
        "/dev/zero",
        "/dev/null",
        "/dev/full",
        "socket",
        "loop",
        "gone/gone",
        "gone",
        "empty",
        "junk",
    ),
    *("/proc/kmsg", "/proc/self/mem", "replay:/proc/kmsg", "/sys/kernel/uevent_seqnum"),
    *("foreign.db", "bomb.json", "g.db", "g.pgn", "g.trace.jsonl", "g.toml", "a" * 300, "/", "."),
]


@pytest.fixture(scope="module")
def stocked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with a file of each kind, good and bad."""
    folder = tmp_path_factory.mktemp("stocked")
    save(folder, "g", MATE)
    runner = CliRunner()
    record = str(folder / "g.db")
    files = ["--pgn", str(folder / "g.pgn"), "--record", record]
    played = runner.invoke(main, ["run", "--play", "famous", *files])
    assert played.exit_code == 0, played.output
    as_program(folder / "engine", "judges")
    (folder / "folder").mkdir()
    (folder / "empty").touch()
    (folder / "m.pgn").write_text("1. e4 e5 2. Qh5 Nc6 3. Qxh7?? (3. Bc4) Rxh7 *\n")
    (folder / "junk").write_bytes(Random(1).randbytes(5000))
    (folder / "bomb.json").write_text("[" * 100_000)
    (folder / "g.toml").write_text("[tags]\nwhite = 'Ann'\n")
    with closing(sqlite3.connect(folder / "foreign.db")) as foreign:
        foreign.execute("CREATE TABLE mine (a)")
    return folder


@pytest.fixture
def folder(stocked: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it, to start from, with what cannot be copied."""
    here = tmp_path / "here"
    shutil.copytree(stocked, here)
    os.mkfifo(here / "pipe")
    (here / "loop").symlink_to("loop")
    monkeypatch.chdir(here)
    with closing(socket(AF_UNIX)) as unix:
        unix.bind("socket")
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    return here


def commands(
    command: click.Command, way: tuple[str, ...] = ()
) -> Iterator[tuple[str, click.Command]]:
    """Every command by its words."""
    if isinstance(command, click.Group):
        for name, part in command.commands.items():
            yield from commands(part, (*way, name))
    else:
        yield " ".join(way), command


def tries(words: str, command: click.Command) -> Iterator[list[str]]:
    """What is given: every parameter with every bad word, in addition to what is needed."""
    base = BASES[words].split()
    yield [*words.split(), *base]
    for parameter in command.params:
        values = [*WORDS, *FILES]
        if isinstance(parameter, click.Option):
            if not parameter.is_flag:
                name = parameter.opts[0]
                kept = without(name, base)
                yield from ([*words.split(), *kept, f"{name}={value}"] for value in values)
        else:
            first = next((n for n, one in enumerate(base) if one.startswith("-")), len(base))
            rest = base[first:]
            yield from ([*words.split(), *rest, "--", value] for value in values)


def without(name: str, base: list[str]) -> list[str]:
    """What is needed, but for this option."""
    if name not in base:
        return base
    at = base.index(name)
    return base[:at] + base[at + 2 :]


ALL = [(words, one) for words, command in commands(main) for one in tries(words, command)]


def test_every_command_is_tried() -> None:
    assert {words for words, _ in commands(main)} == set(BASES)


class Hung(BaseException):
    """Nothing is heard of a command any more."""


@contextmanager
def watched(*, is_live: bool) -> Iterator[None]:
    """Raises Hung after ``MOST_S``; presses Ctrl-C soon after something live has said a word."""
    passed, spoken = count(1), count(1)

    def look(_number: int, _frame: FrameType | None) -> None:
        if next(passed) * LOOK_S > MOST_S:
            raise Hung(f"took longer than {MOST_S} s")
        if is_live and sys.stdout.buffer.tell() and next(spoken) == LIVE_LOOKS:
            signal.raise_signal(signal.SIGINT)

    before = signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, LOOK_S, LOOK_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def trouble_with(given: list[str]) -> str:
    """What is wrong with what a command answers; empty: nothing."""
    try:
        result = ended(given)
    except Hung as hung:
        return str(hung)
    return trouble_of(result)


def ended(given: list[str]) -> Result:
    """How a command has ended. Raises Hung."""
    is_lesson = given[0] == "learn" and given[1] in LIVE
    with watched(is_live=is_lesson or given[0] == SERVES):
        return CliRunner().invoke(main, given)


def trouble_of(result: Result) -> str:
    """What is wrong with how a command has ended; empty: nothing."""
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        return repr(result.exception)
    if result.exit_code not in STATUSES:
        return f"ended with {result.exit_code}"
    if "Traceback" in result.output:
        return "printed a trace"
    if result.exit_code and not result.output.strip():
        return "failed and said nothing"
    lines = result.stderr.strip().splitlines()
    if result.exit_code == 2 and len(lines) > LINES:
        return f"complained in {len(lines)} lines"
    return ""


@pytest.mark.slow
@pytest.mark.parametrize("words", sorted(set(BASES) - NEEDY))
def test_what_is_given_besides_is_enough_for_a_command(words: str, folder: Path) -> None:
    result = ended([*words.split(), *BASES[words].split()])
    stopped = {1, 130} if words.startswith("learn") else set()
    assert result.exit_code in {0, *stopped}, result.output


@pytest.mark.parametrize("words", sorted(BASES))
def test_a_command_survives_what_is_given_to_it(words: str, folder: Path) -> None:
    _survive(some_of(words, "quick"), folder)


@pytest.mark.slow
@pytest.mark.parametrize("words", sorted(BASES))
def test_a_command_survives_whatever_is_given_to_it(words: str, folder: Path, full: bool) -> None:
    chosen = tries_of(words) if full else some_of(words, "slow")
    _survive(chosen, folder)
    print(f"boardfw {words}: {len(chosen)} tries")  # noqa: T201 - how many that were


@pytest.mark.both
def test_a_command_survives_a_file_that_fails_while_it_is_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is at the first address of a process, and to read from there is an error."""
    monkeypatch.setattr(boardfw.given, "is_made_by_the_kernel", lambda _path: False)
    failing = [each for _, each in ALL if each[-1].endswith("/proc/self/mem")]
    _survive(Random(1).sample(failing, len(failing) // sized(40, 4)), folder)


def tries_of(words: str) -> list[list[str]]:
    return [given for name, given in ALL if name == words]


def some_of(words: str, seed: str) -> list[list[str]]:
    mine = tries_of(words)
    return Random(words + seed).sample(mine, -(-len(mine) // SAMPLE))


def _survive(chosen: list[list[str]], folder: Path) -> None:
    found = []
    for given in chosen:
        before = {path.name for path in folder.iterdir()}
        if trouble := trouble_with(given):
            found.append(f"boardfw {' '.join(given)[:200]!a}: {trouble}")
        for name in {path.name for path in folder.iterdir()} - before:
            new = folder / name
            shutil.rmtree(new) if new.is_dir() and not new.is_symlink() else new.unlink()
    assert not found, "\n".join(found)
