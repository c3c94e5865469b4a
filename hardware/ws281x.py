"""LEDs by the library rpi_ws281x (jgarff), for a Raspberry Pi up to the 4.

On GPIO 10 it uses SPI, without root; on the others PWM or PCM with DMA, which want root and, PWM,
no analogue sound. Its low-level calls are used: the library's own ``PixelStrip`` crashes Python at
its end where it could not begin (5.0.0: it frees what was never made).

The library keeps Python's lock while it sends (2.6 ms a frame over SPI), so no other thread runs
then, the scan's neither; ``hardware.spi`` lets go of it.

A strip never answers, so a dead one goes unnoticed.
"""

from __future__ import annotations

from typing import Any

from boardfw.errors import BusError, WiringError
from boardfw.frame import Frame
from hardware.model import is_pi5
from hardware.spi import DEVICE as SPI_DEVICE
from hardware.strip import StripOrder, library
from hardware.wiring import SPI_GPIO, Leds

CHANNELS = {SPI_GPIO: 0, 12: 0, 18: 0, 13: 1, 19: 1, 21: 0}
"""The library's channel for each GPIO that it can use: PWM0 12 and 18, PWM1 13 and 19, PCM 21."""
DMA_CHANNEL = 10
"""Never 5: on a Pi 3 that belongs to the SD card, which it would corrupt."""
SIGNAL_HZ = 800_000
TO_HAVE = (
    "install it (make run LIBRARIES=ws281x), or set leds.driver to 'spi' (data line on GPIO 10)"
)
MISSING = f"lights by rpi_ws281x: the Python module is missing; {TO_HAVE}"

NO_PI5 = (
    "rpi_ws281x does not run on a Raspberry Pi 5; "
    "set leds.driver to 'spi' (data line on GPIO 10) or 'leds0'"
)
NO_ROOT = "PWM and PCM want root: run as root, or put the data line on GPIO 10 (SPI)"
NO_SPI = (
    "switch SPI on (dtparam=spi=on in config.txt) and add the user to the groups spi and gpio "
    "(sudo usermod -aG spi,gpio USER)"
)
REMEDIES = {
    "WS2811_ERROR_HW_NOT_SUPPORTED": "it does not know this machine; set leds.driver to 'spi'",
    "WS2811_ERROR_MEM_LOCK": NO_ROOT,
    "WS2811_ERROR_MMAP": NO_ROOT,
    "WS2811_ERROR_MAP_REGISTERS": NO_ROOT,
    "WS2811_ERROR_MAILBOX_DEVICE": NO_ROOT,
    "WS2811_ERROR_SPI_SETUP": NO_SPI,
}
"""By the library's names of its return codes."""


class Ws281xStrip:
    """A LedMatrix. Opened by the first frame; after an error, by the next one.

    Raises WiringError on a Raspberry Pi 5 and where the data line is on a GPIO that will not do.
    """

    def __init__(self, leds: Leds, model: str) -> None:
        if is_pi5(model):
            raise WiringError(NO_PI5)
        if leds.gpio not in CHANNELS:
            known = ", ".join(map(str, CHANNELS))
            raise WiringError(f"leds.gpio is {leds.gpio}; rpi_ws281x can use {known}")
        if leds.gpio == SPI_GPIO and leds.device not in ("", SPI_DEVICE):  # built into the library
            raise WiringError(
                f"leds.device is {leds.device}; rpi_ws281x can use {SPI_DEVICE} only; "
                "set leds.driver to 'spi' for another"
            )
        StripOrder(leds)  # for what it says of colours and squares
        if "W" in leds.colours[:-1]:
            raise WiringError(f"leds.colours is {leds.colours!r}; rpi_ws281x wants W last ('GRBW')")
        self._leds = leds
        self._lit = [(led, 3 * at) for led, at in enumerate(leds.squares) if at is not None]
        self._ws: Any = None
        self._strip: Any = None
        self._channel: Any = None

    def _begin(self) -> None:
        if self._strip is None:
            self._ws = library("rpi_ws281x", MISSING).ws
            self._strip, self._channel = _configured(self._ws, self._leds)
            code = self._ws.ws2811_init(self._strip)
            if code != self._ws.WS2811_SUCCESS:
                self._ws.delete_ws2811_t(self._strip)
                self._strip = None
                raise BusError(f"rpi_ws281x on GPIO {self._leds.gpio}: {_remedy(self._ws, code)}")

    def close(self) -> None:
        """Let go of the hardware; it may be opened again. The LEDs keep their colours."""
        if self._strip is not None:
            self._ws.ws2811_fini(self._strip)
            self._ws.delete_ws2811_t(self._strip)
            self._strip = None

    def show(self, frame: Frame) -> None:
        """Send a frame; the library waits until the last one is out. Raises BusError."""
        self._begin()
        pixels = frame.pixels
        for led, at in self._lit:
            colour = int.from_bytes(pixels[at : at + 3], "big")
            self._ws.ws2811_led_set(self._channel, led, colour)
        code = self._ws.ws2811_render(self._strip)
        if code != self._ws.WS2811_SUCCESS:
            self.close()
            raise BusError(
                f"rpi_ws281x on GPIO {self._leds.gpio}: the lights' frame was not sent: "
                f"{self._ws.ws2811_get_return_t_str(code)}"
            )


def _configured(ws: Any, leds: Leds) -> tuple[Any, Any]:
    """The library's strip and the channel of it that is used; the other one stays empty."""
    strip = ws.new_ws2811_t()
    ws.ws2811_t_freq_set(strip, SIGNAL_HZ)
    ws.ws2811_t_dmanum_set(strip, DMA_CHANNEL)
    channel = ws.ws2811_channel_get(strip, CHANNELS[leds.gpio])
    ws.ws2811_channel_t_count_set(channel, len(leds.squares))
    ws.ws2811_channel_t_gpionum_set(channel, leds.gpio)
    ws.ws2811_channel_t_invert_set(channel, 0)
    ws.ws2811_channel_t_brightness_set(channel, 255)
    ws.ws2811_channel_t_strip_type_set(channel, _strip_type(ws, leds.colours))
    return strip, channel


def _strip_type(ws: Any, colours: str) -> int:
    """The library's constant for an order of colours."""
    kind: int = getattr(ws, f"{'SK6812' if 'W' in colours else 'WS2811'}_STRIP_{colours}")
    return kind


def _remedy(ws: Any, code: int) -> str:
    for name, remedy in REMEDIES.items():
        if code == getattr(ws, name):
            return remedy
    words: str = ws.ws2811_get_return_t_str(code)
    return words
