"""``boardfw web`` beside ``boardfw run --web apart``: two processes, either of which may go."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path

import aiohttp
import pytest
from click.testing import CliRunner

from boardfw.cli import main
from boardfw.errors import ConfigError
from boardfw.notation.pgn.notes import parse_time
from boardfw.players.game_player import read_game
from boardfw.shell.web.address import CORE, bound_to
from tests.patience import PATIENCE_S
from tests.shell.web.served import Page, Watching
from tests.sizes import IS_FULL

ROOT = Path(__file__).parents[2]
GAME = """1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O
9. h3 Nb8 10. d4 Nbd7 11. Nbd2 Bb7 12. Bc2 Re8 13. Nf1 Bf8 14. Ng3 g6 15. a4 c5 16. d5 c4
17. Bg5 h6 18. Be3 Nc5 19. Qd2 h5 20. Bg5 Be7 *"""
AT_FIRST = f"{GAME.partition('13.')[0]}*"
"""Of the game, what is played without FULL=1."""
KILLS, ALL_KILLS = 3, 100
MOST_OFF_MS = 250
"""Of a clock after a game. Scans that a busy machine makes late cost 25 ms also without any pages;
a clock that had waited for the pages would be off by a second for each time they were killed."""
AS_SYSTEMD = """
import os, sys, runpy
os.dup2(int(sys.argv.pop(1)), 3, inheritable=True)
os.environ |= {"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "1"}
sys.argv[0] = "boardfw"
runpy.run_module("boardfw", run_name="__main__")
"""


class Apart:
    """A board and its pages in two processes; the socket of the pages outlives both."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.webs: list[subprocess.Popen[bytes]] = []
        self.base = f"http://127.0.0.1:{self.listening.getsockname()[1]}"
        (folder / "game.pgn").write_text(f"{GAME if IS_FULL else AT_FIRST}\n")
        (folder / "boardfw.toml").write_text('[clock]\ncontrol = "90+30"\n')

    @contextmanager
    def board(self, *options: str) -> Iterator[subprocess.Popen[str]]:
        """The board at work, until it is stopped in an orderly way."""
        files = ["--record", "games.db", "--config", "boardfw.toml", "--pgn", "out.pgn"]
        command = [sys.executable, "-m", "boardfw", "run", "--web", "apart", *files, *options]
        with (self.folder / "board.log").open("a") as log:
            board = subprocess.Popen(
                command, cwd=self.folder, env=self._environment(), stdout=log, stderr=log, text=True
            )
            try:
                yield board
            finally:
                board.send_signal(signal.SIGTERM)
                board.wait(PATIENCE_S)
        assert board.returncode == 0, self.told("board")

    def web(self) -> subprocess.Popen[bytes]:
        """The pages, as systemd starts them: with a socket, and nothing of ours but it."""
        number = self.listening.fileno()
        with (self.folder / "web.log").open("a") as log:
            web = subprocess.Popen(
                [sys.executable, "-c", AS_SYSTEMD, str(number), "web"],
                cwd=self.folder,
                env=self._environment(),
                pass_fds=[number],
                stdout=log,
                stderr=log,
            )
        self.webs.append(web)
        return web

    def told(self, who: str) -> str:
        return (self.folder / f"{who}.log").read_text()

    def code(self) -> str:
        """One that makes a device an owner, as the console gives it."""
        told = CliRunner().invoke(main, ["pair", "--record", str(self.folder / "games.db")])
        return told.output.strip().rpartition("#")[2]

    def _environment(self) -> dict[str, str]:
        return os.environ | {"PYTHONPATH": str(ROOT), "RUNTIME_DIRECTORY": str(self.folder)}


@pytest.fixture
async def page(tmp_path: Path) -> AsyncIterator[tuple[Apart, Page]]:
    apart = Apart(tmp_path)
    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as client:
        yield apart, Page(apart.base, client)
    apart.listening.close()
    for web in apart.webs:
        web.kill()  # one that a test has failed to end
        web.wait()


async def until(page: Page, status: int) -> None:
    """Until the board's state is answered like this; connections wait in the socket meanwhile."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            try:
                if (await page.get("/api/v1/state")).status == status:
                    return
            except aiohttp.ClientError:
                pass  # it was killed while it answered
            await asyncio.sleep(0.01)


async def caught_up(browser: Page, before: Watching, seq: int) -> Watching:
    """The stream of a page that has seen this much of it, after what it has missed."""
    async with browser.watch(before.tag) as again:
        again.state = before.state
        assert await again.read()
        while again.state["seq"] < seq:
            assert await again.read()
    assert again.snapshots == 0  # the board remembered all that was missed
    return again


def end(web: subprocess.Popen[bytes], number: signal.Signals) -> int:
    web.send_signal(number)
    return web.wait(PATIENCE_S)


@pytest.mark.slow
async def test_the_pages_wait_for_a_board_that_is_away(page: tuple[Apart, Page]) -> None:
    apart, browser = page
    web = apart.web()
    await until(browser, 503)
    assert (await browser.get("/")).status == 200  # it says so, and asks again
    refused = await browser.get("/api/v1/session")
    assert (refused.status, bool(refused.json["remedy"])) == (503, True)
    for _ in range(2):
        with apart.board():
            await until(browser, 401 if not browser.cookies else 200)
            if not browser.cookies:
                await browser.pair(apart.code())
            async with browser.watch() as watching:
                assert await watching.read()
                assert watching.state["role"] == "owner"
                assert (await browser.post("/api/v1/hand", {"lift": "e2"})).status == 200
                await watching.until("lift")
        await until(browser, 503)
    assert end(web, signal.SIGTERM) == 0
    assert "Traceback" not in apart.told("web") + apart.told("board")


@pytest.mark.slow
async def test_no_ply_and_no_second_is_lost_when_the_pages_are_killed(
    page: tuple[Apart, Page], *, full: bool
) -> None:
    """Simulated hands play; each time the pages are killed the browser comes back and sees all."""
    apart, browser = page
    wanted = [move.uci() for move in read_game(str(apart.folder / "game.pgn")).moves]
    hands = ["--play", "game.pgn", "--hands", "careful", "--trace", "hands.trace.jsonl"]
    away_s: list[float] = []
    during = 0
    with apart.board(*hands, "--speed", "1" if full else "4"):
        web = apart.web()
        await until(browser, 401)
        await browser.pair(apart.code())
        async with browser.watch() as watching:
            await watching.read()
        for _ in range(ALL_KILLS if full else KILLS):
            end(web, signal.SIGKILL)
            before = time.monotonic()
            web = apart.web()
            await until(browser, 200)
            away_s.append(time.monotonic() - before)
            state = (await browser.get("/api/v1/state")).json
            during += len(state["game"]["plies"]) < len(wanted)
            watching = await caught_up(browser, watching, state["seq"])
        async with browser.watch(watching.tag) as last:
            last.state = watching.state
            while len(last.state["game"]["plies"]) < len(wanted):
                assert await last.read()
            state = last.state
        end(web, signal.SIGKILL)
    away_s.sort()
    print(  # noqa: T201 - the figures of the document
        f"{len(away_s)} kills, {during} of them in the game; the page was back after "
        f"{away_s[len(away_s) // 2]:.2f} s, at the latest after {away_s[-1]:.2f} s"
    )
    assert during
    assert [ply[0] for ply in state["game"]["plies"]] == wanted
    assert "Traceback" not in apart.told("web") + apart.told("board")
    replayed = CliRunner().invoke(
        main,
        [
            *("replay", str(apart.folder / "hands.trace.jsonl"), "--out", str(apart.folder / "o")),
            *("--config", str(apart.folder / "boardfw.toml")),
        ],
    )
    assert replayed.exit_code == 0
    written, again = (
        [parse_time(found) or 0 for found in re.findall(r"%clk (\S+)\]", path.read_text())]
        for path in (apart.folder / "out.pgn", apart.folder / "o/hands.pgn")
    )
    assert len(written) == len(again) == len(wanted)
    # The same switches without any pages give the same clocks.
    off_ms = max(abs(one - other) for one, other in zip(written, again, strict=True))
    assert off_ms <= MOST_OFF_MS


# ------------------------------------------------------------------------------ small things


def test_the_process_of_the_pages_loads_nothing_that_only_a_board_needs() -> None:
    """What is not there cannot be misused, and takes no memory."""
    code = (
        "import sys, boardfw.cli.page_process, boardfw.services.web.core_socket as socket,"
        "boardfw.services.web.door, boardfw.services.web.front; print(*sys.modules)"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert "aiohttp" in loaded
    rooms = ("rules", "inference", "game", "lights", "terminal", "shell.store", "shell.desk")
    unwanted = {"hardware", "sqlite3", *(f"boardfw.{room}" for room in rooms)}
    assert not unwanted & set(loaded)


def test_two_boards_do_not_share_a_socket_and_one_that_is_left_is_no_hindrance(
    tmp_path: Path,
) -> None:
    file = tmp_path / CORE
    first = bound_to(file, "--web")
    with pytest.raises(ConfigError, match="another board"):
        bound_to(file, "--web")
    first.socket.close()  # as who is killed leaves it
    bound_to(file, "--web").close()
    assert not file.exists()
    with pytest.raises(ConfigError, match="RUNTIME_DIRECTORY"):
        bound_to(tmp_path / "nowhere" / CORE, "--web")


@pytest.mark.parametrize("address", ["off", "apart", "nonsense", "systemd"])
def test_an_address_at_which_no_page_can_be_is_told_in_a_line(address: str) -> None:
    refused = CliRunner().invoke(main, ["web", "--address", address])
    assert (refused.exit_code, refused.output.count("\n")) == (2, 1)
    assert "--address" in refused.output
