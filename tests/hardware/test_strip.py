"""Which byte goes where on a strip, and how long a frame takes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardfw.errors import WiringError
from boardfw.frame import Frame
from boardfw.squares import EVERY_SWITCH
from hardware.strip import StripOrder, frame_us
from hardware.wiring import Leds
from tests.strips import frames, strips, wanted

BOARD = EVERY_SWITCH


@given(frames, strips)
def test_each_led_gets_the_colour_of_its_square(frame: Frame, leds: Leds) -> None:
    expected = [value for led in wanted(frame, leds) for value in led.values()]
    assert list(StripOrder(leds)(frame)) == expected


@pytest.mark.parametrize(
    ("leds", "us"),
    [
        (Leds(squares=BOARD), 2_200.0),  # 1.92 ms of data, 0.28 ms of rest
        (Leds(squares=BOARD * 2), 4_120.0),
        (Leds(squares=BOARD[:8]), 8 * 30.0 + 280.0),
        (Leds(squares=BOARD, colours="GRBW"), 64 * 40.0 + 280.0),
    ],
)
def test_how_long_a_frame_takes(leds: Leds, us: float) -> None:
    assert frame_us(leds) == us


def test_a_strip_without_leds_is_a_mistake() -> None:
    with pytest.raises(WiringError, match=r"^leds\.squares names no LED; .*'none'"):
        StripOrder(Leds())


@given(st.text("RGBWXg", max_size=5).filter(lambda t: sorted(t.replace("W", "", 1)) != list("BGR")))
def test_colours_that_no_strip_has(colours: str) -> None:
    with pytest.raises(WiringError, match=r"^leds\.colours is .*; write R, G and B") as caught:
        StripOrder(Leds(squares=BOARD, colours=colours))
    assert "\n" not in str(caught.value)
