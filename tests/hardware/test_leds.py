"""Which driver lights the strip, and which frames it is given."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardfw.errors import BusError, WiringError
from boardfw.frame import DARK, Frame
from boardfw.squares import EVERY_SWITCH
from hardware.leds import OnlyChanges, open_leds
from hardware.leds0 import KernelStrip
from hardware.spi import SpiStrip
from hardware.strip import MemoryMatrix
from hardware.wiring import LedDriver, Leds
from hardware.ws281x import Ws281xStrip

BOARD = EVERY_SWITCH
PI_4 = "Raspberry Pi 4 Model B Rev 1.4"
PI_5 = "Raspberry Pi 5 Model B Rev 1.0"
RED = Frame(bytes([9, 0, 0] * 64))


PLANNED = "(as the board file says)"


@pytest.mark.parametrize(
    ("leds", "model", "kind", "said"),
    [
        (Leds(squares=BOARD), PI_4, SpiStrip, ("64 WS2812B LEDs", "/dev/spidev0.0", PI_4)),
        (Leds(squares=BOARD), PI_5, SpiStrip, ("64 WS2812B LEDs", "/dev/spidev0.0", PI_5)),
        (Leds(squares=BOARD), "", SpiStrip, ("64 WS2812B LEDs", "/dev/spidev0.0", "unknown model")),
        (
            Leds(squares=BOARD * 2, driver=LedDriver.SPI, device="/dev/spidev1.0"),
            *(PI_5, SpiStrip, ("128 WS2812B LEDs", "/dev/spidev1.0", PLANNED)),
        ),
        (
            Leds(squares=BOARD, driver=LedDriver.WS281X, gpio=18),
            *(PI_4, Ws281xStrip, ("64 WS2812B LEDs", "GPIO 18", PLANNED)),
        ),
        (
            Leds(squares=BOARD, driver=LedDriver.KERNEL, gpio=4),
            *(PI_5, KernelStrip, ("64 WS2812B LEDs", "/dev/leds0", PLANNED)),
        ),
        (Leds(driver=LedDriver.NONE), PI_4, MemoryMatrix, ("none", PLANNED)),
    ],
)
def test_the_choice_is_made_and_said(
    leds: Leds, model: str, kind: type, said: tuple[str, ...]
) -> None:
    lights, line = open_leds(leds, model)
    assert type(lights.inner) is kind
    assert all(words in line for words in said)


@pytest.mark.parametrize(
    ("leds", "model", "words"),
    [
        (Leds(squares=BOARD, gpio=18), PI_4, "leds.gpio is 18, and SPI sends on GPIO 10 only"),
        (Leds(squares=BOARD, driver=LedDriver.KERNEL), PI_4, f"this does not ({PI_4})"),
        (Leds(squares=BOARD, driver=LedDriver.WS281X), PI_5, "set leds.driver to 'spi'"),
        (Leds(), PI_4, "leds.squares names no LED"),
    ],
)
def test_nothing_else_is_taken_instead(leds: Leds, model: str, words: str) -> None:
    with pytest.raises(WiringError) as caught:
        open_leds(leds, model)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_board_without_lights_shows_nothing_and_does_not_mind() -> None:
    lights, _ = open_leds(Leds(driver=LedDriver.NONE), PI_4)
    lights.show(RED)
    lights.close()


class Tape:
    """A Strip that keeps what it was sent, and fails where it is told to."""

    def __init__(self) -> None:
        self.sent: list[Frame] = []
        self.is_closed = False
        self.failing = False

    def close(self) -> None:
        self.is_closed = True

    def show(self, frame: Frame) -> None:
        if self.failing:
            raise BusError("no")
        self.sent.append(frame)


steps = st.lists(st.tuples(st.sampled_from((DARK, RED)), st.booleans()))


@given(steps)
def test_the_strip_is_left_with_the_last_frame_and_gets_no_frame_twice(
    shown: list[tuple[Frame, bool]],
) -> None:
    tape = Tape()
    lights = OnlyChanges(tape)
    known: Frame | None = None
    for frame, tape.failing in shown:
        before = len(tape.sent)
        try:
            lights.show(frame)
        except BusError:
            known = None
            continue
        assert tape.sent[before:] == ([] if frame == known else [frame])
        known = frame


def test_leds_that_lost_their_power_get_the_same_frame_again() -> None:
    tape = Tape()
    lights = OnlyChanges(tape)
    lights.show(RED)
    lights.forget()
    lights.show(RED)
    assert tape.sent == [RED, RED]


def test_closing_goes_to_the_strip() -> None:
    tape = Tape()
    lights = OnlyChanges(tape)
    lights.close()
    assert tape.is_closed
