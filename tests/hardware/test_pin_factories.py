"""Pin factories: every name that a board file may write is known, and what they refuse is told."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import NoReturn, get_args

import pytest

from boardfw.errors import WiringError
from hardware import gpio
from hardware.boards.tables import PinFactory


def test_every_pin_factory_of_a_board_file_is_known() -> None:
    assert set(gpio.FACTORIES) == set(get_args(get_args(PinFactory)[0]))


def test_what_lgpio_refuses_by_an_error_of_its_own_is_told_with_the_remedy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class LgpioError(Exception):
        """As in lgpio 0.2.2.0: no OSError, and no RuntimeError."""

    def refuse() -> NoReturn:
        raise LgpioError("can not open gpiochip")

    monkeypatch.setitem(sys.modules, "lgpio", SimpleNamespace(error=LgpioError))
    monkeypatch.setitem(gpio.FACTORIES, "lgpio", refuse)
    with pytest.raises(WiringError, match=r"can not open gpiochip; .*group gpio"):
        gpio.pin_factory("lgpio")
