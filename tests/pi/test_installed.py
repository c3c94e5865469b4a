"""The service on an emulated Raspberry Pi: installed as an owner does it, and started by systemd.

What has to be compiled is compiled there, which takes most of the time.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.pi.board import START, WiredBoard
from tests.pi.card import card
from tests.pi.debians import need
from tests.pi.emulator import with_chips
from tests.pi.machine import SOURCES, Machine, machine
from tests.pi.wires import PARTS

pytestmark = pytest.mark.pi

ROOT = Path(__file__).parents[2]
PIP = "PIP_NO_INDEX=1 PIP_FIND_LINKS=/srv/wheels"
CONFIG, GAMES = "/etc/boardfw/boardfw.toml", "/var/lib/boardfw/games"
JOURNAL = "journalctl --unit=boardfw --output=cat"


@pytest.fixture(scope="module")
def pi(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    need()
    with machine(with_chips(), card(), tmp_path_factory.mktemp("pi"), PARTS) as there:
        there.become_systemd()
        there.run(f"cd {SOURCES} && make --no-print-directory install {PIP}")
        yield there


def waits(pi: Machine, wanted: str) -> None:
    pi.wait(
        f"{wanted!r} was not said", lambda: pi.tried(f"{JOURNAL} | grep -F '{wanted}'").status == 0
    )


def test_it_runs_with_few_rights(pi: Machine) -> None:
    assert pi.run("systemctl is-active boardfw") == "active"
    process = pi.run("systemctl show --value --property=MainPID boardfw")
    assert pi.run(f"stat --format=%U /proc/{process}") == "boardfw"
    assert pi.run("stat --format=%G /dev/i2c-1 /dev/spidev0.0 /dev/gpiochip0").split() == [
        "i2c",
        "spi",
        "gpio",
    ]


def test_it_plays_on_the_chips_and_is_stopped_and_started(pi: Machine) -> None:
    board = WiredBoard(pi, ROOT / "hardware/boards/reference.toml")
    board.place(START)
    pi.write(CONFIG, '[board]\nurl = "i2c:reference"\n')
    pi.run("systemctl restart boardfw")
    board.is_read("chip-24")
    board.touch("-e2 +e4")
    waits(pi, "1.e4")
    pi.run("systemctl stop boardfw")
    assert pi.run("systemctl show --value --property=Result boardfw") == "success"
    assert "1. e4 *" in pi.run(f"cat {GAMES}/*.pgn")
    pi.run("systemctl start boardfw")
    board.touch("-e7 +e5")
    waits(pi, "1...e5")
