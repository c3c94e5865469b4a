"""A game goes on where the machine's clock jumps, and after the kernel has killed the board."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from boardfw.cli import STOPPED
from boardfw.shell.store.database import open_database
from boardfw.shell.store.game_store import read_game
from tests.bench.memory_limit import WHY_NOT, can_limit, limited
from tests.cli.tapes import games, moves

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
GAME = """1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O
9. h3 Nb8 10. d4 Nbd7 11. Nbd2 Bb7 12. Bc2 Re8 13. Nf1 Bf8 14. Ng3 g6 15. a4 c5 16. d5 c4
17. Bg5 h6 18. Be3 Nc5 19. Qd2 h5 20. Bg5 Be7 *"""
PLIES, PLIES_TO_KILL = 24, 8
"""After so many plies the board is stopped, or killed."""
SETTINGS = """[clock]
control = "90+30"
[record]
dates = "always"
"""
SPEED = "4"
MOST_BYTES = 200_000_000
JUMPS = {6: 13 * 3600, 12: -2 * 86_400, 18: 3 * 365 * 86_400}
"""At which ply the clock jumps, and by how many seconds."""
RUN = "import runpy, sys; sys.argv[0] = 'boardfw'; runpy.run_module('boardfw', run_name='__main__')"
JUMPING = f"""
import datetime, time
from pathlib import Path
from boardfw.shell import dates
real_s, real_ns, jump = time.time, time.time_ns, Path("jump")
time.time = lambda: real_s() + int(jump.read_text())
time.time_ns = lambda: real_ns() + int(jump.read_text()) * 1_000_000_000
dates._now = lambda: datetime.datetime.fromtimestamp(time.time(), datetime.UTC)
{RUN}
"""
"""The board with a clock that a file sets."""
FULL_OF_MEMORY = """
import sys
from pathlib import Path
taken = []
sys.stdin.read()
while Path("/proc", sys.argv[1], "stat").read_text().rpartition(")")[2].split()[0] != "Z":
    taken.append(b"x" * (1 << 20))
"""
"""A program that takes memory once it is asked to, until another one is dead."""
FIRST = ("sh", "-c", 'echo 1000 > /proc/self/oom_score_adj; exec "$@"', "sh")
"""The beginning of a command that is killed before all others."""

PLAYING = ("--play", "game.pgn", "--speed", SPEED, "--hands", "careful")
"""Careful hands never stop on the way of a slide, where a board that ends then would have a ply."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "game.pgn").write_text(f"{GAME}\n")
    (tmp_path / "jump").write_text("0")
    (tmp_path / "boardfw.toml").write_text(SETTINGS)
    return tmp_path


def board(
    folder: Path, *options: str, before: Sequence[str] = (), program: str = RUN
) -> subprocess.Popen[str]:
    """The board at work, its output line by line."""
    files = ("--record", "games.db", "--pgn", "out.pgn", "--config", "boardfw.toml")
    command = [*before, sys.executable, "-c", program, "run", *files, *options]
    return subprocess.Popen(
        command,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def plies_of(child: subprocess.Popen[str], said: list[str]) -> Iterator[int]:
    """The numbers of the plies, as it prints them."""
    assert child.stdout is not None
    for line in child.stdout:
        said.append(line)
        if found := re.search(r"\d s +(\d+)(\.+)", line):
            yield 2 * int(found[1]) - (found[2] == ".")


def wanted(folder: Path) -> list[str]:
    """The moves of the game that the hands play."""
    return moves(games(folder / "game.pgn")[0])


def test_a_game_is_whole_though_the_clock_jumps_to_and_fro(folder: Path) -> None:
    said: list[str] = []
    with board(folder, *PLAYING, program=JUMPING) as child:
        for ply in plies_of(child, said):
            (folder / "jump").write_text(str(JUMPS.get(ply, (folder / "jump").read_text())))
            if ply == PLIES:
                child.terminate()
    assert child.returncode == STOPPED, "".join(said)
    assert not any("Traceback" in line for line in said), "".join(said)
    (game,) = games(folder / "out.pgn")
    assert len(moves(game)) >= PLIES
    assert moves(game) == wanted(folder)[: len(moves(game))]


@pytest.mark.skipif(not can_limit(), reason=WHY_NOT)
def test_a_board_that_is_killed_for_want_of_memory_goes_on_with_its_game(folder: Path) -> None:
    said: list[str] = []
    printed = 0
    with limited("tests", MOST_BYTES) as group:
        with board(folder, *PLAYING, before=[*group.within, *FIRST]) as child:
            hog = [*group.within, sys.executable, "-c", FULL_OF_MEMORY, str(child.pid)]
            with subprocess.Popen(hog, stdin=subprocess.PIPE) as full:
                assert full.stdin is not None
                for ply in plies_of(child, said):
                    printed = max(printed, ply)
                    if ply == PLIES_TO_KILL:
                        # On a busy machine it would play to the end before memory is full.
                        child.send_signal(signal.SIGSTOP)
                        full.stdin.close()
        assert child.returncode == -signal.SIGKILL, "".join(said)
        assert group.kills >= 1  # the kernel may end the other process, too
    with board(folder) as again:
        assert again.stdout is not None
        told = again.stdout.readline()
        again.kill()
    assert told.startswith("the game goes on after")
    path = folder / "games.db"
    with closing(open_database(path)) as connection:
        kept = [move.uci() for move in read_game(connection, path, 1).record.moves]
    assert len(kept) >= printed
    assert kept == wanted(folder)[: len(kept)]
