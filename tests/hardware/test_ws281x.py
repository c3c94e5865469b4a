"""LEDs by rpi_ws281x: what it is told, and what we say where it cannot."""

from __future__ import annotations

import sys

import pytest

from boardfw.errors import BusError, WiringError
from boardfw.frame import DARK, Frame
from boardfw.squares import EVERY_SWITCH, Switch
from hardware.wiring import Leds
from hardware.ws281x import Ws281xStrip
from tests.hardware.fake_ws281x import Library

PI_4 = "Raspberry Pi 4 Model B Rev 1.4"
BOARD = EVERY_SWITCH


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> Library:
    library = Library()
    monkeypatch.setitem(sys.modules, "rpi_ws281x", library)
    return library


def test_leds_get_the_colours_of_their_squares(library: Library) -> None:
    strip = Ws281xStrip(Leds(squares=(Switch(9), None, Switch(9), Switch(63))), PI_4)
    strip.show(Frame.of({Switch(9): (1, 2, 3), Switch(63): (255, 0, 128)}))
    assert library.shown == [{0: 0x010203, 2: 0x010203, 3: 0xFF0080}]


@pytest.mark.parametrize(
    ("gpio", "channel"), [(10, 0), (12, 0), (18, 0), (21, 0), (13, 1), (19, 1)]
)
def test_what_the_library_is_told(library: Library, gpio: int, channel: int) -> None:
    Ws281xStrip(Leds(squares=BOARD, gpio=gpio, colours="GRBW"), PI_4).show(DARK)
    (strip,) = library.strips
    assert (strip.freq, strip.dmanum) == (800_000, 10)  # channel 5 would corrupt a Pi 3's SD card
    used = strip.channels[channel]
    assert (used.gpionum, used.count, used.strip_type) == (gpio, 64, "GRBW")
    assert (used.invert, used.brightness) == (0, 255)
    assert not hasattr(strip.channels[1 - channel], "count")


@pytest.mark.parametrize(
    ("leds", "model", "words"),
    [
        (Leds(squares=BOARD), "Raspberry Pi 5 Model B Rev 1.0", "does not run on a Raspberry Pi 5"),
        (Leds(squares=BOARD, gpio=4), PI_4, "leds.gpio is 4; rpi_ws281x can use 10, 12, 18"),
        (Leds(squares=BOARD, device="/dev/spidev1.0"), PI_4, "leds.device is /dev/spidev1.0"),
        (Leds(squares=BOARD, colours="GRR"), PI_4, "leds.colours is 'GRR'"),
        (Leds(squares=BOARD, colours="WGRB"), PI_4, "rpi_ws281x wants W last ('GRBW')"),
        (Leds(), PI_4, "leds.squares names no LED"),
    ],
)
def test_wiring_that_it_cannot_serve(leds: Leds, model: str, words: str) -> None:
    with pytest.raises(WiringError) as caught:
        Ws281xStrip(leds, model)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (-3, "it does not know this machine; set leds.driver to 'spi'"),
        (-4, "want root"),
        (-5, "want root"),
        (-6, "want root"),
        (-9, "want root"),
        (-13, "dtparam=spi=on"),
        (-10, "code -10"),
    ],
)
def test_a_library_that_cannot_begin(library: Library, code: int, words: str) -> None:
    library.init_code = code
    with pytest.raises(BusError, match=r"^rpi_ws281x on GPIO 10: ") as caught:
        Ws281xStrip(Leds(squares=BOARD), PI_4).show(DARK)
    assert words in str(caught.value)
    assert not library.strips[0].alive


def test_a_missing_module(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rpi_ws281x", None)  # as if not installed
    with pytest.raises(BusError, match=r"missing; install it .*LIBRARIES=ws281x\), or set .*'spi'"):
        Ws281xStrip(Leds(squares=BOARD), PI_4).show(DARK)


def test_after_an_error_it_begins_again(library: Library) -> None:
    strip = Ws281xStrip(Leds(squares=BOARD), PI_4)
    library.render_code = -14
    with pytest.raises(BusError, match=r"not sent: code -14$"):
        strip.show(DARK)
    library.render_code = 0
    strip.show(DARK)
    assert [made.alive for made in library.strips] == [False, True]


def test_closing_twice_frees_once(library: Library) -> None:
    strip = Ws281xStrip(Leds(squares=BOARD), PI_4)
    strip.close()
    strip.show(DARK)
    strip.close()
    strip.close()
    assert [made.alive for made in library.strips] == [False]
