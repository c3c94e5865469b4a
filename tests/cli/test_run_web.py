"""``boardfw run --web``: the page of a run, and what is said about its address."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner

from boardfw.cli import main, web_pages
from boardfw.errors import BoardError, ConfigError
from boardfw.services.levels import LEVELS
from boardfw.services.opponents import OWN, Wish
from boardfw.services.web.roles import Role
from boardfw.services.web.sessions import Sessions
from boardfw.shell.config import Settings
from boardfw.shell.store.web_sessions import SessionStore
from boardfw.shell.web.address import OFF, listen, name_in_network
from tests.patience import PATIENCE_S

ROOT = Path(__file__).parents[2]
LOOK_S = 0.05


@contextmanager
def running(folder: Path, *options: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "boardfw", "run", "--record", str(folder / "games.db")]
    process = subprocess.Popen(
        [*command, "--pgn", str(folder / "games.pgn"), *options],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE_S)


@pytest.mark.slow
def test_a_run_without_a_terminal_shows_the_link_and_serves_it(tmp_path: Path) -> None:
    with running(tmp_path, "--web", "127.0.0.1:0") as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.fullmatch(r".*http://localhost:(\d+)/pair#\S{40,}\n", line)
        assert found, line
        client = http.client.HTTPConnection("localhost", int(found[1]), timeout=PATIENCE_S)
        client.request("GET", "/api/v1/session")
        answer = client.getresponse()
        assert (answer.status, b'"claimed":false' in answer.read()) == (200, True)
        client.close()
    assert process.returncode == 0


class Browser:
    """A page of a run that shows its link, in a process of its own."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        found = None
        while found is None:
            line = process.stdout.readline()
            assert line, "the run has ended"
            found = re.search(r"localhost:(\d+)/pair#(\S+)", line)
        self._client = http.client.HTTPConnection("localhost", int(found[1]), timeout=PATIENCE_S)
        self._headers = {
            "Origin": f"http://localhost:{found[1]}",
            "X-Boardfw": "1",
            "Content-Type": "application/json",
        }
        self._client.request("POST", "/api/v1/pair", json.dumps({"code": found[2]}), self._headers)
        answer = self._client.getresponse()
        answer.read()
        self._headers["Cookie"] = answer.headers["Set-Cookie"].partition(";")[0]

    def close(self) -> None:
        self._client.close()

    def ask(self, method: str, path: str, body: object = None) -> Any:
        self._client.request(method, f"/api/v1{path}", json.dumps(body), self._headers)
        answer = self._client.getresponse()
        text = answer.read().decode()
        assert answer.status == 200, text
        return json.loads(text) if path[-4:] != ".pgn" else text

    def until_called(self, white: str, black: str) -> Any:
        """Wait until the players are called so; the state."""
        called = {"White": white, "Black": black}
        return self.until(lambda state: bool(state["game"]["tags"] == called))

    def until(self, is_so: Callable[[Any], bool]) -> Any:
        """Wait until this is true of the state; the state."""
        while not is_so(state := self.ask("GET", "/state")):
            time.sleep(LOOK_S)  # each look is work for the board as well
        return state

    def play(self, move: str) -> None:
        for act, square in (("lift", move[:2]), ("drop", move[2:])):
            assert not self.ask("POST", "/hand", {act: square})["text"]
        self.until(lambda state: move in [ply[0] for ply in state["game"]["plies"]])


@pytest.mark.slow
def test_an_opponent_keeps_its_name_when_a_game_goes_on_and_loses_it_after_it(
    tmp_path: Path,
) -> None:
    engine = Wish(OWN, LEVELS[0]).title
    wish = {"white": "Ann", "opponent": {"side": "b", "level": 1, "engine": OWN}}
    with running(tmp_path, "--web", "127.0.0.1:0") as process, closing(Browser(process)) as page:
        page.ask("POST", "/setup", wish)
        page.play("e2e4")
        page.until_called("Ann", engine)
        # The opponent's answer is on the disk before it is shown.
        page.until(lambda state: bool((state["opponent"] or {}).get("owed")))
        process.kill()
        process.wait(PATIENCE_S)
    with running(tmp_path, "--web", "127.0.0.1:0") as process, closing(Browser(process)) as page:
        page.until_called("Ann", engine)
        seq = page.ask("GET", "/state")["seq"]
        page.ask("POST", "/table/resign_white", {"id": "r", "seq": seq})
        page.ask("POST", "/setup", {"black": "Bob"})
        page.ask("POST", "/hand", {"set_up": True})
        page.until_called("Ann", "Bob")
        (game,) = page.ask("GET", "/games")["games"]
        assert (game["white"], game["black"]) == ("Ann", engine)


def test_a_socket_of_systemd_is_served(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="systemd"):
        listen("systemd")
    opened = socket.create_server(("127.0.0.1", 0))
    code = (
        "import os; os.dup2(int(os.environ['GIVEN']), 3, inheritable=True);"
        "os.environ |= {'LISTEN_PID': str(os.getpid()), 'LISTEN_FDS': '1'};"
        "from boardfw.shell.web.address import listen;"
        "one = listen('systemd'); print(one.url, one.socket.accept()[0].recv(5))"
    )
    serving = subprocess.Popen(
        [sys.executable, "-c", code],
        env=os.environ | {"PYTHONPATH": str(ROOT), "GIVEN": str(opened.fileno())},
        pass_fds=[opened.fileno()],
        stdout=subprocess.PIPE,
        text=True,
    )
    with socket.create_connection(opened.getsockname()) as client:
        client.sendall(b"hello")
        told, _ = serving.communicate(timeout=PATIENCE_S)
    assert told == f"http://localhost:{opened.getsockname()[1]} b'hello'\n"
    opened.close()


def test_an_address_that_is_taken_or_none_is_told_in_a_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        for text in (f"127.0.0.1:{port}", "nonsense", "70000", "a:b:c", ":80", "[::1:80"):
            with pytest.raises(ConfigError, match="--web"):
                listen(text)
        files = ["--record", str(tmp_path / "games.db"), "--pgn", str(tmp_path / "games.pgn")]
        refused = CliRunner().invoke(main, ["run", *files, "--web", str(port)])
    assert refused.output.count("\n") == 1
    assert f"--web: {port} cannot be listened on" in refused.output
    assert refused.exit_code == 2
    assert not (tmp_path / "games.db").exists()


def test_a_free_port_is_found() -> None:
    first, second = listen("auto"), listen("auto")
    assert first.url != second.url
    assert first.is_near
    for one in (first, second):
        one.socket.close()


def test_what_another_device_opens_is_a_name_that_is_answered_or_a_number(tmp_path: Path) -> None:
    (avahi := tmp_path / "socket").touch()
    assert name_in_network(avahi) == f"{socket.gethostname()}.local"
    number = name_in_network(tmp_path / "none")
    if number.endswith(".local"):
        return  # this machine is in no network, and nobody else opens anything
    listening = listen("0.0.0.0:0")
    try:
        port = listening.socket.getsockname()[1]
        socket.create_connection((number, port), timeout=PATIENCE_S).close()
    finally:
        listening.close()


def test_without_it_nothing_of_a_server_is_loaded(tmp_path: Path) -> None:
    (tmp_path / "game.pgn").write_text("1. e4 e5 *\n")
    loaded = subprocess.run(
        [
            sys.executable,
            "-X",
            "importtime",
            "-m",
            "boardfw",
            "run",
            "--play",
            "game.pgn",
            "--web",
            OFF,
        ],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE_S,
    )
    assert "boardfw.cli" in loaded.stderr
    assert "aiohttp" not in loaded.stderr


def test_a_game_that_is_over_at_once_has_no_page() -> None:
    refused = CliRunner().invoke(main, ["run", "--play", "famous", "--speed", "max", "--web"])
    assert "--web" in refused.output
    assert refused.exit_code == 2


def test_a_code_from_the_console_makes_an_owner_of_a_running_board(tmp_path: Path) -> None:
    settings = tmp_path / "boardfw.toml"
    settings.write_text('[web]\naddress = "127.0.0.1:8123"\n')
    record = tmp_path / "games.db"
    run = CliRunner()
    missing = run.invoke(main, ["pair", "--record", str(record)])
    assert (missing.exit_code, str(record) in missing.output) == (2, True)
    running_board = SessionStore(record)
    sessions = Sessions(running_board)
    told = run.invoke(main, ["pair", "--record", str(record), "--config", str(settings)])
    found = re.fullmatch(r".*http://localhost:8123/pair#(\S+)\n", told.output)
    assert found, told.output
    assert sessions.redeem(found[1]) is Role.OWNER
    token, _ = sessions.begin(Role.OWNER, "laptop")
    assert run.invoke(main, ["pair", "--record", str(record), "--forget"]).exit_code == 0
    assert (sessions.of(token), sessions.is_claimed) == (None, False)
    running_board.close()


def test_the_reason_of_a_ply_is_not_that_of_one_that_was_taken_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told = [SimpleNamespace(ply=9, text="Nxe5"), SimpleNamespace(ply=9, text="Nc3")]
    monkeypatch.setattr(web_pages, "stories_of", lambda *_: told)
    monkeypatch.setattr(web_pages, "as_text", lambda story: story.text)
    assert web_pages._explained(Path("games.db"), Settings(), 1, 9) == "Nc3"
    with pytest.raises(BoardError, match="ply 8 is none"):
        web_pages._explained(Path("games.db"), Settings(), 1, 8)
