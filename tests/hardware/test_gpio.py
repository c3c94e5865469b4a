"""Single lines: INT wakes, RESET is pulled, buttons are heard; the factory is the one asked for."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from math import floor
from types import SimpleNamespace
from typing import NoReturn, get_args

import pytest

from boardfw.errors import WiringError
from hardware import gpio
from hardware.boards.tables import PinFactory
from hardware.gpio import Gpio, Wake, pin_factory
from hardware.sim.i2c_board import WiredPin, wired_factory
from hardware.wiring import Lines

LINES = Lines(interrupt=17, reset=27, buzzer=22, buttons={"new_game": 5, "draw": 6})


class Lead:
    """Lines on mock pins, and the pins themselves."""

    def __init__(self, lines: Lines) -> None:
        self._factory = wired_factory()
        self.gpio = Gpio(lines, lambda _: self._factory)
        self.gpio.open()

    def pin(self, number: int) -> WiredPin:
        pin = self._factory.pin(number)
        assert isinstance(pin, WiredPin)
        return pin


@pytest.fixture
def lead() -> Iterator[Lead]:
    lead = Lead(LINES)
    yield lead
    lead.gpio.close()


def test_a_falling_interrupt_wakes(lead: Lead) -> None:
    assert not lead.gpio.wake.is_set()
    lead.pin(17).drive_low()
    assert lead.gpio.wake.is_set()


def test_a_wake_is_as_old_as_the_first_edge_of_which_it_was_told() -> None:
    wake = Wake(is_timed=True)
    assert wake.age_s() is None
    for age_s in (2.0, 5.0, 1.0):
        wake.ring(age_s)
    assert floor(wake.age_s() or 0) == 5
    wake.clear()
    assert wake.age_s() is None
    wake.ring(7.0, held_s=4.0)
    assert floor(wake.age_s() or 0) == 3


def test_a_kernel_that_counts_from_another_beginning_is_not_asked_for_its_time() -> None:
    wake = Wake(is_timed=True)
    wake.ring(-1.7e9)
    assert wake.is_set()
    assert not wake.is_timed
    assert wake.age_s() is None


@pytest.mark.parametrize(
    ("name", "is_timed"), [("gpiod", True), ("lgpio", True), ("rpigpio", False), ("mock", False)]
)
def test_only_what_uses_the_kernels_chips_passes_on_its_time(name: str, is_timed: bool) -> None:
    lead = Lead(Lines(interrupt=17, buttons={"draw": 6}, pin_factory=name))
    for number in (17, 6):
        lead.gpio.wake.clear()
        lead.pin(number).drive_low()
        assert (lead.gpio.wake.age_s() is not None) == is_timed
    lead.gpio.close()


@pytest.mark.parametrize(
    ("named", "is_installed", "used"),
    [("lgpio", False, "gpiod"), ("lgpio", True, "lgpio"), ("rpigpio", False, "rpigpio")],
)
def test_a_board_calibrated_for_lgpio_plays_where_that_is_no_longer_installed(
    named: str,
    is_installed: bool,
    used: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(gpio, "find_spec", lambda _: is_installed or None)
    asked: list[str] = []

    def make(name: str) -> object:
        asked.append(name)
        return wired_factory()

    board = Gpio(Lines(interrupt=17, pin_factory=named), make)
    board.open()
    board.close()
    assert asked == [used]
    assert ("write pin_factory = 'gpiod' in [lines]" in caplog.text) == (used != named)


def test_an_interrupt_that_is_still_low_after_a_scan_wakes_again(lead: Lead) -> None:
    lead.pin(17).drive(low=True, seen=False)  # the edge got lost
    assert not lead.gpio.wake.is_set()
    lead.gpio.look_again()
    assert lead.gpio.wake.is_set()


def test_an_interrupt_that_was_served_lets_the_board_rest(lead: Lead) -> None:
    lead.pin(17).drive_low()
    lead.pin(17).drive_high()
    lead.gpio.wake.clear()
    lead.gpio.look_again()
    assert not lead.gpio.wake.is_set()


def test_buttons_are_heard_in_their_order_and_wake(lead: Lead) -> None:
    for number in (6, 5):
        lead.pin(number).drive_low()
        lead.pin(number).drive_high()
    assert lead.gpio.wake.is_set()
    assert lead.gpio.presses() == ["draw", "new_game"]
    assert lead.gpio.presses() == []


def test_a_button_is_held_until_it_is_up(lead: Lead) -> None:
    lead.pin(6).drive_low()
    assert lead.gpio.held() == {"draw"}
    lead.pin(6).drive_high()
    assert lead.gpio.held() == frozenset()
    lead.pin(6).drive(low=True, seen=False)  # what was not pressed is not asked
    assert lead.gpio.held() == frozenset()


def test_the_buzzer_sounds_until_it_is_told_not_to(lead: Lead) -> None:
    levels: list[bool] = []
    lead.pin(22).on_output = levels.append
    for on in (True, False):
        lead.gpio.buzz(on=on)
    assert levels == [True, False]


def test_where_no_buzzer_is_wired_nothing_is_heard() -> None:
    Lead(Lines()).gpio.buzz(on=True)


def test_reset_is_high_but_for_its_pulse(lead: Lead) -> None:
    levels: list[bool] = []
    lead.pin(27).on_output = levels.append
    assert lead.pin(27).state
    assert lead.gpio.pulse_reset is not None
    lead.gpio.pulse_reset()
    assert levels == [False, True]
    assert lead.pin(27).state


def test_without_a_reset_line_no_line_is_pulled() -> None:
    assert Lead(Lines()).gpio.pulse_reset is None


def test_without_lines_no_factory_is_asked() -> None:
    Gpio(Lines(pin_factory="nonesuch")).open()


def test_two_users_of_a_pin_are_refused_in_one_line() -> None:
    gpio = Gpio(Lines(interrupt=17, reset=17), lambda _: wired_factory())
    with pytest.raises(WiringError, match=r"GPIO17 is already in use.*free the pin") as caught:
        gpio.open()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("gpiod", "use a Raspberry Pi"),
        ("lgpio", "write pin_factory = 'gpiod'"),
        ("rpigpio", "install it"),
    ],
)
def test_a_factory_that_cannot_be_had_is_no_reason_to_take_another(name: str, remedy: str) -> None:
    """On a machine without GPIO no real factory can."""
    with pytest.raises(WiringError, match=f"GPIO by {name} cannot be used: .*; {remedy}") as said:
        pin_factory(name)
    assert "\n" not in str(said.value)


def test_lgpio_opens_the_header_of_a_raspberry_pi_5_where_it_is_chip_0(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Older versions of gpiozero open chip 4 on each Pi 5 (gpiozero#1166), or none (#1229)."""
    opened: list[int] = []
    names = ("SET_PULL_NONE", "BOTH_EDGES", "RISING_EDGE", "FALLING_EDGE")
    lgpio = SimpleNamespace(**dict.fromkeys(names, 0), error=Exception, gpiochip_open=opened.append)
    monkeypatch.setitem(sys.modules, "lgpio", lgpio)
    monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", lgpio)  # which will be undone
    del sys.modules["gpiozero.pins.lgpio"]
    module = importlib.import_module("gpiozero.pins.lgpio")
    monkeypatch.setattr(module.LGPIOFactory, "_get_revision", lambda self: 0xC04170)
    pin_factory("lgpio")
    assert opened == [0]


def test_where_gpiod_is_not_installed_it_is_told_how_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "hardware.gpiod_pins", raising=False)
    monkeypatch.setitem(sys.modules, "gpiod", None)
    with pytest.raises(WiringError, match=r"cannot be used: .*gpiod.*; install it \(make run"):
        pin_factory("gpiod")


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
    pins = SimpleNamespace(LGPIOFactory=refuse)
    monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", pins)
    with pytest.raises(WiringError, match=r"can not open gpiochip; .*group gpio"):
        gpio.pin_factory("lgpio")
