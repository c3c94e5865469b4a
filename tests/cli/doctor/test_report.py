"""``boardfw doctor --report``: what helps others to help, and nothing private."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from boardfw import __version__
from boardfw.cli import main
from boardfw.doctor.report import report
from tests.cli.doctor.machines import PI_4, found, machine_of

SETTINGS = """
[board]
url = "i2c:reference"
[web]
names = "chess.home.example"
[tags]
white = "Ann Other"
"""
NO_LOG = "no log here"


def told(
    tmp_path: Path, config: Path | None = None, log: object = NO_LOG, **machine: object
) -> str:
    there = machine_of(tmp_path, **machine)  # type: ignore[arg-type]
    return report(there, config, found(there), lambda: log)  # type: ignore[arg-type,return-value]


def doctor(*arguments: str) -> Result:
    return CliRunner().invoke(main, ("doctor", *arguments))


def test_it_says_all_that_is_asked_first(tmp_path: Path) -> None:
    config = tmp_path / "boardfw.toml"
    config.write_text(SETTINGS, encoding="utf-8")
    text = told(tmp_path, config, ["boardfw[93]: 1.e4"])
    for wanted in (
        PI_4,
        "kernel 6.6.51",
        f"boardfw {__version__}, Python ",
        "smbus2 0",
        "board.url = 'i2c:reference'",
        "core_freq_min=500",
        "chip 0x20",
        "8 . . . . . . . .",
        "times that a switch moved meanwhile: none did",
        "boardfw[93]: 1.e4",
    ):
        assert wanted in text


def test_it_says_nothing_private(tmp_path: Path) -> None:
    config = tmp_path / "boardfw.toml"
    config.write_text(SETTINGS, encoding="utf-8")
    text = told(tmp_path, config, ["owner: http://board.local:8080/#pair=SECRET now"])
    assert "Ann" not in text
    assert "chess.home" not in text
    assert "SECRET" not in text
    assert "http://board.local:8080/... now" in text
    assert "tags.white = (not shown)" in text


def test_settings_that_cannot_be_read_are_a_line_of_it(tmp_path: Path) -> None:
    config = tmp_path / "boardfw.toml"
    config.write_text("[tags]\nwhtie = 1\n", encoding="utf-8")
    assert f"{config}:2: " in told(tmp_path, config)


@pytest.mark.parametrize(
    ("alarm", "wanted"),
    [("1", "was too weak since the start"), ("0", "was never too weak"), (None, "does not say")],
)
def test_a_supply_that_was_too_weak_is_told(tmp_path: Path, alarm: str | None, wanted: str) -> None:
    where = "/sys/class/hwmon/hwmon0"
    files = {f"{where}/name": "rpi_volt\n", f"{where}/in0_lcrit_alarm": f"{alarm}\n"}
    assert wanted in told(tmp_path, files=files if alarm else {})


def test_what_would_steer_a_terminal_does_not(tmp_path: Path) -> None:
    assert "\x1b" not in told(tmp_path, log=["\x1b[2Jgone"])


def test_switches_are_shown_as_a_board(tmp_path: Path) -> None:
    file = tmp_path / "report.txt"
    result = doctor("--board", "sim-i2c:?stuck_closed=e4&stuck_open=a1", "--report", str(file))
    assert result.exit_code == 0
    text = file.read_text("utf-8")
    assert "4 . . . . x . . .\n" in text
    assert "1 . x x x x x x x\n" in text


def test_an_older_report_gives_way_and_nothing_else(tmp_path: Path) -> None:
    file = tmp_path / "report.txt"
    options = ("--board", "sim:", "--report", str(file))
    assert doctor(*options).exit_code == 0
    assert doctor(*options).exit_code == 0
    file.write_text("a letter", encoding="utf-8")
    refused = doctor(*options)
    assert refused.exit_code == 2
    assert "name another file" in refused.output
    assert file.read_text("utf-8") == "a letter"


def test_a_report_is_written_where_the_findings_are_bad(tmp_path: Path) -> None:
    file = tmp_path / "report.txt"
    assert doctor("--board", "i2c:nope", "--report", str(file)).exit_code == 1
    assert "FAILED" in file.read_text("utf-8")
