"""``boardfw doctor`` as a whole, on simulated boards and on whatever machine this is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from boardfw.cli import main
from boardfw.doctor.diagnosis import WIDTH, Diagnosis, State, as_json, as_table

ROOT = Path(__file__).parents[3]
BECOMES_NOBODY = """
import contextlib, io, os, sys
sys.path.insert(0, sys.argv[1])
from boardfw.cli import main

def doctor(*arguments):
    main(["doctor", "--board", "i2c:reference", *arguments])

with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()):
    doctor()  # imports everything, while it may still be read
os.setgroups([])
os.setgid(65534)
os.setuid(65534)
doctor("--config", sys.argv[2])
"""


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def doctor(*arguments: str) -> Result:
    return CliRunner().invoke(main, ("doctor", *arguments))


def state_of(output: str, name: str) -> str:
    (found,) = [each for each in json.loads(output)["findings"] if each["name"] == name]
    return str(found["state"])


@pytest.mark.parametrize(
    "url",
    ["sim:", "spy:x.jsonl,sim:", "sim-i2c:", "sim-i2c:tca9555?controller=designware"],
)
def test_a_simulated_board_is_well(url: str, tmp_path: Path) -> None:
    result = doctor("--board", url)
    assert result.exit_code == 0
    assert "not applicable" in result.output
    assert max(map(len, result.output.splitlines())) <= WIDTH
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_troubles_of_a_simulated_bus_show_in_the_counters() -> None:
    result = doctor("--board", "sim-i2c:reference?trouble=gone", "--json")
    (switches,) = [e for e in json.loads(result.output)["findings"] if e["name"] == "switches"]
    assert switches["state"] == "warned"
    assert "no acknowledgement of 0x2" in switches["found"]
    assert "outages" in switches["found"]


def test_a_switch_that_is_stuck_is_among_the_closed_ones() -> None:
    result = doctor("--board", "sim-i2c:?stuck_closed=e4&stuck_open=a1,b1")
    assert "31 switches closed" in result.output


@pytest.mark.parametrize(
    "url", ["i2c:", "i2c:nope", "i2c:./none.toml", "usb:", "", "replay:none", "sim-i2c:?trouble=x"]
)
def test_a_board_that_cannot_be_had_is_a_line_of_the_table(url: str) -> None:
    result = doctor("--board", url, "--json")
    assert result.exit_code == 1
    assert state_of(result.output, "board") == "failed"
    assert state_of(result.output, "disk") == "passed"


def test_a_configuration_that_cannot_be_read_is_a_line_of_the_table(tmp_path: Path) -> None:
    config = tmp_path / "boardfw.toml"
    config.write_text("[lights]\nbrightnes = 1\n", encoding="utf-8")
    result = doctor("--config", str(config), "--json")
    assert result.exit_code == 1
    assert state_of(result.output, "configuration") == "failed"
    assert "did you mean 'lights.brightness'" in result.output
    assert state_of(result.output, "board") == "not applicable"


def test_the_configuration_names_the_board(tmp_path: Path) -> None:
    config = tmp_path / "boardfw.toml"
    config.write_text('[board]\nurl = "sim-i2c:pcf8575"\n', encoding="utf-8")
    assert "board of four PCF8575" in doctor("--config", str(config)).output


def test_this_machine_without_a_board_fails_without_a_trace() -> None:
    result = doctor("--board", "i2c:reference")
    assert result.exit_code in (0, 1)
    assert result.exception is None or isinstance(result.exception, SystemExit)


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="only root may become nobody")
def test_nobody_gets_a_table_too(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    config = str(tmp_path / "boardfw.toml")
    result = subprocess.run(
        [sys.executable, "-c", BECOMES_NOBODY, str(ROOT), config],
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
    )
    assert (result.returncode, result.stderr) == (1, "")
    assert "Permission denied" in result.stdout
    assert "may not write there" in result.stdout


texts = st.text(max_size=300)


names = st.text("abc ", min_size=1, max_size=13)
diagnoses = st.lists(
    st.builds(Diagnosis, names, st.sampled_from(State), texts, texts), min_size=1, max_size=30
)


@given(diagnoses)
def test_no_table_is_wider_than_80_columns_and_nothing_steers_the_terminal(
    found: list[Diagnosis],
) -> None:
    lines = list(as_table(found))
    assert max(map(len, lines)) <= WIDTH
    assert all(line.isprintable() for line in lines)


@given(diagnoses)
def test_whatever_is_found_is_json(found: list[Diagnosis]) -> None:
    findings = json.loads(as_json(found))["findings"]
    assert [each["state"] for each in findings] == [each.state.value for each in found]
    assert all(set(each) == {"name", "state", "found", "remedy"} for each in findings)
