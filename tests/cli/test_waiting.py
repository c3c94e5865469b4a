"""``boardfw status`` of a service whose board is not there."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from boardfw.cli import BROKEN, main
from boardfw.shell.status.status_report import WAITING

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
