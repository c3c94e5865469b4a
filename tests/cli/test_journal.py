"""The journal of a service: priorities, no times of its own, nothing said twice."""

from __future__ import annotations

import io
import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest

from boardfw.cli.journal import JournalFormatter, is_journal
from tests.cli.tapes import MATE, save

ROOT = Path(__file__).parents[2]


def journal(folder: Path, *arguments: str, until: str = "") -> list[str]:
    """What ``boardfw run`` says into a pipe that is said to be the journal, until it ends.

    It is told to end after three lines, or after one that begins with ``until``.
    """
    read, write = os.pipe()
    status = os.fstat(write)
    environment = os.environ | {
        "JOURNAL_STREAM": f"{status.st_dev}:{status.st_ino}",
        "PYTHONPATH": str(ROOT),
        "PYTHONUNBUFFERED": "1",
    }
    environment.pop("STATE_DIRECTORY", None)
    said: list[str] = []
    running = subprocess.Popen(
        [sys.executable, "-m", "boardfw", "run", *arguments],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=write,
        stderr=write,
    )
    os.close(write)
    with os.fdopen(read, encoding="utf-8") as ear, running:
        for line in ear:
            said.append(line.rstrip("\n"))
            if said[-1].startswith(until) if until else len(said) == 3:
                running.terminate()
    return said


@pytest.mark.slow
def test_a_game_in_the_journal_has_no_times_of_its_own(tmp_path: Path) -> None:
    path = save(tmp_path, "g", MATE)
    board = f"replay:{path}"
    said = journal(tmp_path, "--board", board, "--speed=2", "--pgn=out.pgn", until="1...e5")
    assert said[0].startswith("boardfw ")
    assert said[0].endswith(f" plays on replay:{path}; PGN: out.pgn")
    # On a busy machine it may be said as well that the board was not watched closely.
    assert [line for line in said if line.startswith("1.")] == ["1.e4", "1...e5"]
    assert said[-1] == "PGN: out.pgn"


@pytest.mark.slow
def test_an_outage_is_said_once_and_is_an_error(tmp_path: Path) -> None:
    url = "sim-i2c:reference?trouble=gone&every_s=1&seed=1"
    # Which of the troubles is met first hangs on when the board is looked at.
    outage = "<3>the switches cannot be read, trying again: "
    options = ("--board", url, "--speed", "10", "--pgn", "out.pgn")
    said = journal(tmp_path, *options, until=outage)
    assert [line for line in said if line.startswith(outage)]
    # A busy machine cannot keep up with ten times the usual speed, and says so.
    busy = ("keep up", "was not read")
    troubles = [line for line in said[1:-1] if not any(words in line for words in busy)]
    assert {line[:3] for line in troubles} <= {"<3>", "<4>"}
    assert not [line for line in said if "wait please" in line]


def test_a_mistake_in_the_settings_is_an_error_of_one_line(tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text("[recrod]\n")
    said = journal(tmp_path, "--config", "bad.toml")
    assert len(said) == 1
    assert said[0].startswith("<3>bad.toml:1: ")


@pytest.mark.parametrize("stream", ["", "0:0", "nonsense"])
def test_what_is_no_journal_gets_no_marks(tmp_path: Path, stream: str) -> None:
    with (tmp_path / "out").open("w") as file:
        assert not is_journal(file, {"JOURNAL_STREAM": stream})
        assert not is_journal(file, {})
    assert not is_journal(None)
    assert not is_journal(io.StringIO(), {"JOURNAL_STREAM": stream})


def test_each_line_of_what_is_logged_has_its_priority() -> None:
    def said(level: int, text: str) -> str:
        return JournalFormatter().format(logging.LogRecord("x", level, "", 0, text, None, None))

    assert said(logging.ERROR, "one\ntwo") == "<3>one\n<3>two"
    assert said(logging.WARNING, "one") == "<4>one"
    assert said(logging.INFO, "one") == "<6>one"
