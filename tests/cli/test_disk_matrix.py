"""Whatever a disk refuses, at the start or in mid-game, the board plays, says so and loses nothing.

On a small ext4 of its own: full, read-only, or not ours to write. With the web app off, in the same
process, or in a process of its own. ``make test-slow FULL=1 ARGS="tests/cli/test_disk_matrix.py"``
tries every combination.
"""

from __future__ import annotations

import json
import os
import pty
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from select import select
from time import monotonic

import pytest

from tests.patience import PATIENCE_S
from tests.shell.store.test_damaged_file import read
from tests.shell.store.test_full_disk import fill
from tests.sizes import IS_FULL

ROOT = Path(__file__).parents[2]
SIZE = 16_000_000
SOMEBODY = 4321
"""A user without rights on the disk."""
BEFORE, DURING, AFTER = ("e4", "e5"), ("Nf3", "Nc6"), ("Bb5",)
PLIES = re.compile(r"\b[A-Z]?[a-h][1-8]\b")
KEPT = b"boardfw.db: what had to wait is written now"
COMBINATIONS = list(
    product(("full", "read-only", "forbidden"), ("start", "mid-game"), ("off", "on", "apart"))
)
SAMPLE = [COMBINATIONS[n] for n in (1, 6, 11, 16)]


@dataclass
class Disk:
    """A disk that can be made to refuse what is written, and to take it again."""

    place: Path
    healing: list[list[str]] = field(default_factory=list)
    user: int = 0
    """Who plays on it."""

    @property
    def games(self) -> Path:
        return self.place / "games"

    def refuse(self, kind: str, when: str) -> None:
        if kind == "full":
            self.healing = [["rm", str(fill(self.place))]]
        elif kind == "read-only" and when == "start":
            _do("mount", "-o", "remount,ro", str(self.place))
            self.healing = [["mount", "-o", "remount,rw", str(self.place)]]
        elif kind == "read-only":  # as the kernel does it after an error; files may be open
            _do("mount", "-o", "remount,abort", str(self.place))
        elif when == "start":
            self.user = SOMEBODY
            self.healing = [["chown", "-R", str(SOMEBODY), str(self.place)]]
        else:  # who has a file open may write to it; not so if it cannot be changed
            # What is shared through memory would kill the process: no user's rights do that.
            files = [str(path) for path in self.games.rglob("*") if path.suffix != ".db-shm"]
            _do("chattr", "+i", str(self.games), *files)
            self.healing = [["chattr", "-R", "-i", str(self.games)]]

    def heal(self) -> None:
        for command in self.healing:
            _do(*command)


def _do(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    place = Path(tempfile.mkdtemp(prefix="boardfw-disk-"))
    place.chmod(0o755)
    image = tmp_path / "image"
    image.write_bytes(b"")
    os.truncate(image, SIZE)
    try:
        _do("mkfs.ext4", "-q", "-m", "0", str(image))
        _do("mount", "-o", "loop", str(image), str(place))
    except (OSError, subprocess.CalledProcessError) as error:
        place.rmdir()
        pytest.skip(f"needs the right to mount a file system (root, a loop device): {error}")
    one = Disk(place)
    yield one
    with suppress(subprocess.CalledProcessError):
        one.heal()
    _do("umount", "--lazy", str(place))
    place.rmdir()


class Board:
    """``boardfw run`` at a terminal that writes lines."""

    def __init__(self, disk: Disk, web: str) -> None:
        self._run = Path(tempfile.mkdtemp(prefix="boardfw-run-"))
        os.chown(self._run, disk.user, disk.user)
        self._terminal, theirs = pty.openpty()
        environment = {**os.environ, "TERM": "dumb", "PYTHONPATH": str(ROOT)}
        environment |= {"STATE_DIRECTORY": str(disk.place), "RUNTIME_DIRECTORY": str(self._run)}
        self._environment = environment
        address = {"on": "127.0.0.1:0"}.get(web, web)
        command = [sys.executable, "-m", "boardfw", "run", "--hands", "careful", "--web", address]
        if disk.user:
            ids = [f"--reuid={disk.user}", f"--regid={disk.user}", "--clear-groups"]
            command = ["setpriv", *ids, *command]
        self._process = subprocess.Popen(
            command,
            cwd=disk.place,
            env=environment,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        )
        os.close(theirs)
        self.said = b""
        self._pages: subprocess.Popen[bytes] | None = None
        self.until(rb"type moves")
        if web == "apart":
            self._serve_apart()

    def _serve_apart(self) -> None:
        self._pages = subprocess.Popen(
            [sys.executable, "-m", "boardfw", "web", "--address", "auto"],
            cwd=self._run,
            env=self._environment,
            stdout=subprocess.PIPE,
        )

    def address(self) -> str:
        """Of the web app."""
        if self._pages is None:
            return self.until(rb"(http://localhost:\d+)/pair#")[1].decode()
        assert self._pages.stdout is not None
        found = re.search(rb"http://\S+?:\d+", self._pages.stdout.readline())
        assert found
        return found[0].decode()

    def until(self, pattern: bytes) -> re.Match[bytes]:
        """Read until this was said."""
        end = monotonic() + PATIENCE_S
        while not (found := re.search(pattern, self.said)):
            assert monotonic() < end, self.said
            assert self._read(), self.said
        return found

    def _read(self) -> bool:
        if not select([self._terminal], [], [], 0.5)[0]:
            return self._process.poll() is None
        try:
            self.said += os.read(self._terminal, 65536)
        except OSError:  # the other end is closed
            return False
        return True

    def play(self, *sans: str) -> None:
        """Have these moves made; each is recorded before the next."""
        for san in sans:
            os.write(self._terminal, f"{san}\n".encode())
            self.until(rb"\d\.(\.\.)?" + san.encode() + rb"\b")

    def stop(self) -> int:
        self._process.send_signal(signal.SIGTERM)
        while self._read():
            pass
        status = self._process.wait(PATIENCE_S)
        self.kill()
        return status

    def kill(self) -> None:
        for process in filter(None, (self._process, self._pages)):
            process.kill()
            process.wait()
            if process.stdout:
                process.stdout.close()
        with suppress(OSError):
            os.close(self._terminal)
        shutil.rmtree(self._run, ignore_errors=True)


def pair(board: Board) -> None:
    """Let a device own the board, by the link that the terminal shows."""
    link = board.until(rb"(http://localhost:\d+)/pair#(\S+)")
    base, code = link[1].decode(), link[2].decode()
    headers = {"Origin": base, "X-Boardfw": "1", "Content-Type": "application/json"}
    body = json.dumps({"code": code}).encode()
    request = urllib.request.Request(f"{base}/api/v1/pair", body, headers)
    with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
        assert answer.status == 200


def is_claimed(address: str) -> bool:
    """What the web app says to a stranger."""
    with urllib.request.urlopen(f"{address}/api/v1/session", timeout=PATIENCE_S) as answer:
        return bool(json.load(answer)["claimed"])


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "when", "web"), COMBINATIONS if IS_FULL else SAMPLE)
def test_a_board_plays_whatever_a_disk_refuses(disk: Disk, kind: str, when: str, web: str) -> None:
    board = Board(disk, web if when == "mid-game" else "off")
    try:
        board.play(*BEFORE)
        if when == "start":
            assert board.stop() == 0, board.said
            disk.refuse(kind, when)
            board = Board(disk, web)
            board.until(rb"the game goes on after 1...e5")
        else:
            disk.refuse(kind, when)
        board.play(*DURING)
        board.until(rb"is kept in memory until then")
        if web == "on":
            pair(board)
        if web != "off":
            assert is_claimed(board.address()) == (web == "on")
        is_over = kind == "read-only" and when == "mid-game"  # such a disk needs a new start
        if not is_over:
            disk.heal()
            board.until(KEPT)
        board.play(*AFTER)
        status = board.stop()
    finally:
        board.kill()
    assert b"Traceback" not in board.said
    check(disk, board, status, is_over=is_over, has_owner=web == "on")


def check(disk: Disk, board: Board, status: int, *, is_over: bool, has_owner: bool) -> None:
    """All that was played is in the record and in the PGN; on the screen if the disk is over."""
    played = [*BEFORE, *DURING, *AFTER]
    if is_over:
        assert status == 75, board.said
        assert plies(board.said.decode().replace("\r", "")) == played
        return
    assert status == 0, board.said
    record = disk.games / "boardfw.db"
    with closing(sqlite3.connect(record)) as connection:
        owners = "SELECT count(*) FROM sqlite_schema WHERE name = 'owners'"
        if connection.execute(owners).fetchone()[0]:
            owners = "SELECT count(*) FROM owners"
        assert connection.execute(owners).fetchone()[0] == has_owner
    kept, troubles = read(record)
    assert (list(kept), troubles) == ([1], [])
    assert plies(kept[1]) == played
    newest = max(disk.games.glob("*.pgn"), key=lambda path: path.stat().st_mtime)
    assert plies(newest.read_text()) == played


def plies(pgn: str) -> list[str]:
    """The moves of a game in PGN, as they were typed."""
    return PLIES.findall(pgn.rpartition("]\n\n")[2])
