"""Lines over gpiod: the right chip, edges with the kernel's time, outputs without a glitch."""

from __future__ import annotations

import errno
import os
import threading
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from gpiod.line import Bias, Direction, Edge, Value

from boardfw.errors import WiringError
from hardware.gpio import BOUNCE_S, Gpio
from hardware.gpiod_pins import GpiodFactory
from hardware.wiring import Lines
from tests.hardware.fake_gpio_chips import Chips, FakeChip
from tests.patience import PATIENCE_S

LINES = Lines(interrupt=17, reset=27, buzzer=22, buttons={"new_game": 5, "draw": 6})
PI_5 = {"gpiochip0": "gpio-brcmstb@107d508500", "gpiochip4": "pinctrl-rp1"}
APART_S = 0.2
"""Two threads that are not kept apart meet within this time, unless the machine is busy."""


class Header:
    """Lines of a board on a header."""

    def __init__(self, patch: pytest.MonkeyPatch, folder: Path, lines: Lines = LINES) -> None:
        self.chips = Chips(patch, folder, PI_5)
        self.chip: FakeChip = self.chips.chips["gpiochip4"]
        self.gpio = Gpio(lines, lambda _: GpiodFactory(folder))


@pytest.fixture
def header(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Header:
    return Header(monkeypatch, tmp_path)


@pytest.mark.parametrize(
    ("labels", "name"),
    [
        ({"gpiochip0": "pinctrl-bcm2835", "gpiochip1": "raspberrypi-exp-gpio"}, "gpiochip0"),
        ({"gpiochip0": "raspberrypi-exp-gpio", "gpiochip1": "pinctrl-bcm2711"}, "gpiochip1"),
        (PI_5, "gpiochip4"),
        ({"gpiochip11": "gpio-brcmstb@107d508500", "gpiochip15": "pinctrl-rp1"}, "gpiochip15"),
    ],
)
def test_the_chip_of_the_header_is_known_by_its_label_and_not_by_its_number(
    labels: dict[str, str], name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    chips = Chips(monkeypatch, tmp_path, labels)
    assert GpiodFactory(tmp_path).chip is chips.chips[name]  # type: ignore[comparison-overlap]


def test_a_machine_without_such_a_chip_is_refused_with_the_chips_that_it_has(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    Chips(monkeypatch, tmp_path, {"gpiochip0": "gpio-ich"})
    wanted = (
        r"^GPIO by gpiod cannot be used: no GPIO chip of a Raspberry Pi .*gpiochip0 is gpio-ich"
    )
    with pytest.raises(WiringError, match=f"{wanted}.*; use a Raspberry Pi"):
        GpiodFactory(tmp_path)


def test_a_user_without_rights_is_told_which_group_to_join(header: Header) -> None:
    header.chips.locked.add("gpiochip4")
    with pytest.raises(WiringError, match=r"gpiochip4: no permission\); add the user to the group"):
        header.gpio.open()


def test_a_chip_that_may_not_be_used_hides_none_that_may(header: Header) -> None:
    header.chips.locked.add("gpiochip0")
    header.gpio.open()
    header.gpio.close()


def test_a_falling_interrupt_wakes_and_is_as_old_as_the_kernel_says(header: Header) -> None:
    header.gpio.open()
    header.chip.wire(17, high=False, age_s=5.0)
    assert header.gpio.wake.wait(PATIENCE_S)
    age_s = header.gpio.wake.age_s()
    assert age_s is not None
    assert 5 <= age_s < 5 + PATIENCE_S
    assert header.gpio.interrupt_is_low
    header.gpio.close()


def test_buttons_are_debounced_by_the_kernel_and_heard(header: Header) -> None:
    header.gpio.open()
    settings = header.chip.requests[6].settings
    assert settings.debounce_period == timedelta(seconds=BOUNCE_S)
    assert (settings.bias, settings.edge_detection) == (Bias.PULL_UP, Edge.BOTH)
    header.chip.wire(6, high=False, age_s=3.0)
    assert header.gpio.wake.wait(PATIENCE_S)
    assert header.gpio.presses() == ["draw"]
    assert header.gpio.held() == {"draw"}
    assert (header.gpio.wake.age_s() or 0) >= 3, "the kernel's time is the end of the bounce"
    header.chip.wire(6, high=True)
    assert header.gpio.held() == frozenset()
    header.gpio.close()


def test_reset_is_high_from_its_beginning_on_but_for_its_pulse(header: Header) -> None:
    header.gpio.open()
    assert header.gpio.pulse_reset is not None
    header.gpio.pulse_reset()
    assert [level for line, level in header.chip.was_put_out if line == 27] == [True, False, True]
    header.gpio.close()


def test_the_buzzer_sounds_until_it_is_told_not_to(header: Header) -> None:
    header.gpio.open()
    for on in (True, False):
        header.gpio.buzz(on=on)
    assert [level for line, level in header.chip.was_put_out if line == 22] == [False, True, False]
    header.gpio.close()


def test_a_line_that_another_program_uses_is_named_with_its_user(header: Header) -> None:
    header.chip.others[27] = "fan"
    with pytest.raises(
        WiringError, match=r"^GPIO by gpiod: GPIO27 is .* in use by 'fan'; free the"
    ):
        header.gpio.open()
    assert header.chip.requests == {}


@pytest.mark.parametrize("is_asked", [True, False])
def test_a_line_of_a_program_without_a_name_is_in_use(header: Header, is_asked: bool) -> None:
    header.chip.others[27] = ""
    if not is_asked:
        header.chip.get_line_info = failing  # type: ignore[method-assign]
    wanted = (
        r"GPIO27 is already in use by a program that gives no name \(gpioinfo lists the lines\)"
    )
    with pytest.raises(WiringError, match=wanted):
        header.gpio.open()


def failing(line: int) -> SimpleNamespace:
    raise OSError(errno.EIO, os.strerror(errno.EIO))


def test_two_threads_that_use_a_line_for_the_first_time_request_it_once(header: Header) -> None:
    pin = GpiodFactory(header.chips.folder).pin(17)
    both = threading.Barrier(2)
    at_once: list[bool] = []

    def note() -> None:
        with suppress(threading.BrokenBarrierError):
            both.wait(APART_S)
            at_once.append(True)

    header.chip.requesting = note
    threads = [threading.Thread(target=lambda: pin.state) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)
    assert not at_once


def test_a_line_is_not_released_while_another_thread_reads_it(
    header: Header, monkeypatch: pytest.MonkeyPatch
) -> None:
    pin = GpiodFactory(header.chips.folder).pin(17)
    pin.function = "input"
    assert pin.state
    request, released = header.chip.requests[17], threading.Event()
    release, closing = request.release, threading.Thread(target=pin.close)

    def read(_: int) -> Value:
        closing.start()
        assert not released.wait(APART_S)
        return Value.ACTIVE

    def note() -> None:
        released.set()
        release()

    monkeypatch.setattr(request, "get_value", read)
    monkeypatch.setattr(request, "release", note)
    assert pin.state
    closing.join(PATIENCE_S)
    assert released.is_set()


def test_an_edge_that_comes_as_its_watch_ends_is_dropped(header: Header) -> None:
    header.gpio.open()
    pin = header.gpio._interrupt.pin
    pin.when_changed = None
    pin._call_when_changed(1.0, False)
    assert not header.gpio.wake.is_set()
    header.gpio.close()


def test_closed_lines_are_free_and_can_be_opened_again(header: Header) -> None:
    for _ in range(2):
        header.gpio.open()
        assert header.chip.is_open
        assert sorted(header.chip.requests) == [5, 6, 17, 22, 27]
        listening = [each for each in threading.enumerate() if each.name == "gpio"]
        assert len(listening) == 1
        header.gpio.close()
        assert header.chip.requests == {}
        assert not header.chip.is_open
        listening[0].join(PATIENCE_S)
        assert not listening[0].is_alive()
        header.chip.wire(17, high=False)
        assert not header.gpio.wake.is_set()


def test_a_pin_can_be_changed_while_its_edges_are_waited_for(header: Header) -> None:
    header.gpio.open()
    pin = header.gpio._interrupt.pin
    pin.pull = "floating"
    pin.bounce = 0.5
    settings = header.chip.requests[17].settings
    assert (settings.bias, settings.edge_detection) == (Bias.DISABLED, Edge.BOTH)
    assert (pin.function, pin.pull, pin.bounce, pin.edges) == ("input", "floating", 0.5, "both")
    header.chip.wire(17, high=False)
    assert header.gpio.wake.wait(PATIENCE_S)
    pin.function = "output"
    pin.state = False
    assert header.chip.requests[17].settings.direction is Direction.OUTPUT
    assert header.chip.was_put_out[-1] == (17, False)
    header.gpio.close()


def test_a_line_whose_edges_cannot_be_read_makes_no_other_deaf(header: Header) -> None:
    header.gpio.open()
    header.chip.requests[5].is_broken = True
    header.chip.wire(5, high=False)
    header.chip.wire(6, high=False)
    assert header.gpio.wake.wait(PATIENCE_S)
    assert header.gpio.presses() == ["draw"]
    header.gpio.close()
    assert header.chip.requests == {}
