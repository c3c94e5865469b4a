"""``boardfw status`` of a service whose board is not there."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from boardfw.cli import BROKEN, main, waiting
from boardfw.cli.waiting import while_no_board
from boardfw.errors import BusError
from boardfw.shell.status import status_report
from boardfw.shell.status.status_report import WAITING
from tests.shell.boards import Ear

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "run").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path / "run"))
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))


def boardfw(*words: str) -> Result:
    return CliRunner().invoke(main, words)


def test_a_bus_that_is_not_there_is_waited_for(tmp_path: Path) -> None:
    text = (ROOT / "hardware/boards/reference.toml").read_text("utf-8")
    (tmp_path / "mine.toml").write_text(text.replace("/dev/i2c-1", "/dev/i2c-99"), "utf-8")
    assert boardfw("run", "--board", "i2c:./mine.toml").exit_code == BROKEN
    told = boardfw("status")
    assert told.exit_code == 1
    assert told.output.startswith("boardfw is waiting for a board: /dev/i2c-99: no such bus; ")
    assert "/dev/i2c-99" in json.loads(boardfw("status", "--json").output)["waiting"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_who_may_not_read_why_is_told_how(tmp_path: Path) -> None:
    (tmp_path / "run" / WAITING).touch(0o000)
    told = boardfw("status")
    assert told.exit_code == 2
    assert "join the group boardfw" in told.output


# ----------------------------------------------------------------- inside the program


class Bus:
    """A run whose bus is not there for a while."""

    def __init__(self, *troubles: str) -> None:
        self.troubles = list(troubles)
        self.tries = 0

    def __call__(self) -> int:
        self.tries += 1
        if self.troubles:
            raise BusError(self.troubles.pop(0))
        return 0


@pytest.fixture
def hours(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Sleeping takes no time; how long each sleep was."""
    slept: list[float] = []
    now_s = 0.0

    def sleep(seconds: float) -> None:
        nonlocal now_s
        slept.append(seconds)
        now_s += seconds

    monkeypatch.setattr(time, "sleep", sleep)
    monkeypatch.setattr(time, "monotonic", lambda: now_s)
    return slept


def file() -> Path:
    return Path("run") / WAITING


def test_the_first_failure_of_a_service_ends_it(hours: list[float]) -> None:
    bus = Bus("no bus")
    with pytest.raises(BusError):
        while_no_board(bus, Ear("/run/nobody"))
    assert (hours, file().read_text()) == ([], "no bus\n")


def test_a_service_without_its_bus_waits_in_silence(
    hours: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    file().write_text("no bus\n")
    bus, ear = Bus(*["no bus"] * 100), Ear("/run/nobody")
    assert while_no_board(bus, ear) == 0, "the bus has come"
    assert bus.tries == 101
    assert set(ear.heard) == {"EXTEND_TIMEOUT_USEC=30000000"}
    assert capsys.readouterr() == ("", "")


@pytest.mark.slow
def test_six_hours_without_a_bus_are_some_hundred_lines(hours: list[float]) -> None:
    ends = 0
    file().write_text("no bus\n")
    while sum(hours) < 6 * 3600:
        with pytest.raises(SystemExit) as ended:
            while_no_board(Bus(*["no bus"] * 1000), Ear("/run/nobody"))
        assert ended.value.code == BROKEN
        ends += 1
    assert 7 * ends < 300


def test_another_reason_is_said_and_tried_by_a_new_process(
    hours: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    file().write_text("no bus\n")
    changing = Bus(*["no bus"] * 5, *["no permission"] * 5, *["no bus", "no permission"] * 50)
    with pytest.raises(SystemExit):
        while_no_board(changing, Ear("/run/nobody"))
    assert sum(hours) >= waiting.LEAST_S
    assert capsys.readouterr().err.splitlines()[:2] == ["no permission", "no bus"]


def test_a_service_that_is_stopped_while_it_waits_ends_well() -> None:
    file().write_text("no bus\n")

    class Stopping(Ear):
        def starting(self, for_us: int, status: str = "") -> bool:
            threading.Timer(0.01, os.kill, (os.getpid(), signal.SIGTERM)).start()
            return True

    before = signal.getsignal(signal.SIGTERM)
    try:
        assert while_no_board(Bus(*["no bus"] * 1000), Stopping("/run/nobody")) == 0
    finally:
        signal.signal(signal.SIGTERM, before)
    assert not file().exists(), "who starts it by hand is told at once"


# ------------------------------------------------------------------ a service that is stopped


def test_a_service_that_does_not_run_is_named_with_its_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    units = tmp_path / "units"
    units.mkdir()
    monkeypatch.setattr(status_report, "UNITS", (units,))
    assert "not running as a service" in boardfw("status").output
    (units / "run.service").touch()  # the service's name is that of its directory
    told = boardfw("status")
    assert told.exit_code == 1
    assert told.output == (
        "the service run does not run; see why: sudo journalctl -u run -n 30; "
        "start it: sudo systemctl start run\n"
    )
