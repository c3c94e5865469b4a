"""Unmodified smbus2 under our bus, on a mocked /dev/i2c-1."""

from __future__ import annotations

import json

import pytest

from tests.metal.conftest import Mocked

pytestmark = pytest.mark.slow


def test_each_call_is_one_transfer_and_gives_what_the_chip_said(mocked: Mocked) -> None:
    ran = mocked("i2c-1", "i2c")
    assert ran.status == 0, ran.said
    assert json.loads(ran.said) == {
        "registers": [0x12, 0x13],
        "written": [0xA5, 0x5A],
        "bare": [0x16, 0x17],
        "other chip": [0x14, 0x15],
        "error": "/dev/i2c-1: chip 0x27: no acknowledgement; look at its supply, SDA, SCL, RESET "
        "and its address pins",
        "tried": 6,
        "failures": [[0x27, "no acknowledgement", 1]],
    }
    assert [note["messages"] for note in ran.journal] == [
        [["w", 0x20, 1], ["r", 0x20, 2]],
        [["w", 0x20, 3]],
        [["w", 0x20, 1], ["r", 0x20, 2]],
        [["r", 0x20, 2]],
        [["w", 0x21, 1], ["r", 0x21, 2]],
        [["w", 0x27, 1], ["r", 0x27, 2]],
    ]


def test_without_a_bus_it_says_what_to_do(mocked: Mocked) -> None:
    ran = mocked("", "i2c")
    assert ran.status != 0
    assert "/dev/i2c-1: no such bus; switch I2C on (dtparam=i2c_arm=on in config.txt" in ran.said
