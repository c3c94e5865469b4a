"""A Raspberry Pi 3 of stock QEMU, with nothing on its bus: Linux, its drivers, and the firmware.

Debian's arm64 kernel, its drivers of the bus, of SPI and of the GPIOs, Python and our libraries in
the versions of ``requirements/pi.txt``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from signal import SIGKILL, SIGTERM

import pytest

from tests.pi.card import card
from tests.pi.debians import need
from tests.pi.emulator import stock
from tests.pi.machine import Machine, machine

pytestmark = pytest.mark.pi

CHIPS = [f"chip {address:#x}" for address in range(0x20, 0x25)]
SPI = "/sys/bus/spi/devices/spi0.0/statistics"
FRAME_BYTES = 114 + 64 * 3 * 4 + 114
"""Of 64 LEDs: three bytes each, each bit as four, between two times 280 us at 3.23 MHz."""


@pytest.fixture(scope="module")
def pi(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    need()
    with machine(stock(), card(), tmp_path_factory.mktemp("pi")) as there:
        yield there


def test_it_is_taken_for_a_raspberry_pi(pi: Machine) -> None:
    assert pi.run("tr -d '\\0' < /proc/device-tree/model") == "Raspberry Pi 3 Model B"
    assert pi.run("ls /dev/i2c-1 /dev/spidev0.0 /dev/gpiochip0").split()
    assert pi.run("boardfw --version").startswith("boardfw, version ")


def test_the_doctor_names_what_is_missing_and_what_to_do(pi: Machine) -> None:
    told = pi.tried("boardfw doctor --board i2c:reference --json")
    findings = {one["name"]: one for one in json.loads(told.said)["findings"]}
    assert told.status == 1
    for name in ("I2C device", "bus speed", "LED device", "GPIO device", "pin factory"):
        assert findings[name]["state"] == "passed", findings[name]
    for name in CHIPS:
        assert findings[name]["state"] == "failed"
        assert "no acknowledgement" in findings[name]["found"]
        assert "supply" in findings[name]["remedy"]
    assert findings["switches"]["state"] == "failed"


def test_frames_go_to_the_strip_until_it_is_told_to_stop(pi: Machine) -> None:
    sent = f"cat {SPI}/bytes_tx"
    before = int(pi.run(sent))
    playing = pi.start("boardfw run --board i2c:reference --record /tmp/a.db --pgn /tmp/a.pgn")
    playing.heard("no acknowledgement")
    pi.wait("no frame was sent", lambda: int(pi.run(sent)) >= before + 3 * FRAME_BYTES)
    assert playing.ended(SIGTERM) == 0
    assert (int(pi.run(sent)) - before) % FRAME_BYTES == 0
    assert pi.run(f"cat {SPI}/errors {SPI}/timedout").split() == ["0", "0"]


def test_a_game_that_was_killed_goes_on(pi: Machine) -> None:
    record = "--record /srv/games.db"
    first = pi.start(f"boardfw run --play famous {record} --pgn /srv/first.pgn")
    first.heard("10.Nxb5")
    assert first.ended(SIGKILL) == 128 + SIGKILL
    second = pi.start(f"boardfw run {record} --pgn /srv/second.pgn")
    second.heard("the game goes on after ")
    assert second.ended(SIGTERM) == 0
    assert "10. Nxb5" in pi.run("cat /srv/second.pgn")
