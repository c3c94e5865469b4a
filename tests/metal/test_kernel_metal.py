"""A real kernel's /dev/i2c-0, on a User-Mode Linux: opening, rights, and what i2c-stub can do.

The stub knows SMBus calls and no plain transfers, so it shows no more of our bus than this.
"""

from __future__ import annotations

import errno
from typing import Any

import pytest

pytestmark = pytest.mark.slow


def test_a_user_without_rights_is_told_what_to_do(guest: dict[str, Any]) -> None:
    assert guest["nobody"] == (
        "/dev/i2c-0: no permission; add the user to the group i2c (sudo usermod -aG i2c USER)"
    )


def test_and_that_helps(guest: dict[str, Any]) -> None:
    assert guest["in the group"] == "opened"


def test_root_may(guest: dict[str, Any]) -> None:
    assert guest["root"] == "opened"


def test_a_bus_that_is_not_there(guest: dict[str, Any]) -> None:
    assert guest["no bus"] == (
        "/dev/i2c-7: no such bus; switch I2C on (dtparam=i2c_arm=on in config.txt, "
        "i2c-dev in /etc/modules) and restart"
    )


def test_a_file_that_is_no_bus(guest: dict[str, Any]) -> None:
    assert guest["no bus at all"].startswith("/proc/version: cannot be opened: ")


def test_smbus2_talks_to_a_real_bus(guest: dict[str, Any]) -> None:
    assert guest["smbus"] == {
        "byte": 77,
        "word": 0xBEEF,
        "block": [1, 2, 3],
        "absent": errno.ENODEV,
    }


@pytest.mark.parametrize("call", ["register", "bare", "write"])
def test_a_bus_without_plain_transfers_is_said_to_be_one(guest: dict[str, Any], call: str) -> None:
    told = "/dev/i2c-0: chip 0x20: this bus cannot do such a transfer; look at"
    assert guest[call].startswith(told)
