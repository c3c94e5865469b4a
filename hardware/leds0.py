"""LEDs by the kernel's own driver of a Raspberry Pi 5: ``dtoverlay=ws2812-pio`` and ``/dev/leds0``.

The RP1's PIO makes the signal, on any GPIO from 0 to 27. What is written here was read in the
driver (drivers/misc/ws2812-pio-rp1.c, raspberrypi/linux rpi-6.12.y) and in the overlays' README; it
has not been tried on a Raspberry Pi 5 yet:

- four bytes an LED, red, green, blue, white, and the strip gets green, red, blue (white only with
  the overlay's ``rgbw``);
- each write begins where the last one ended, hence ``pwrite`` at 0;
- a frame shorter than ``num_leds`` waits 50 ms for the rest, a longer one is refused (EFBIG);
- a worker sends what was written, and between two frames the driver rests 50 us, in which the PIO
  still sends its last eight LEDs; a strip that wants 280 us (``LATCH_US``) would take the second
  frame for more of the first, and drop it, so each write here waits for its frame's end;
- a single byte written at 0 is the brightness; values pass a gamma table, in which what is below 22
  comes out dark. Later kernels let a brightness of 0 switch that off, earlier ones go dark by it;
  so it is set to 255, and the gamma is undone here, which both understand.
"""

from __future__ import annotations

import errno
import os
import time
from bisect import bisect_left

from boardfw.errors import BusError, why, why_not_opened
from boardfw.frame import Frame
from hardware.strip import StripOrder, frame_us
from hardware.wiring import Leds

DEVICE = "/dev/leds0"
FORBIDDEN = (
    'write KERNEL=="leds[0-9]*", GROUP="gpio", MODE="0660" in /etc/udev/rules.d/60-leds.rules, '
    "add the user to the group gpio and restart"
)
BYTES_PER_LED = 4
SENT = (1, 0, 2, 3)
"""Where the driver finds what it sends first, second and so on."""
FULL = b"\xff"
"""The brightness that leaves colours to the gamma alone."""
WORKER_S = 0.002
"""The worker begins to send so soon after a write, unless the machine is very busy."""
REST_OF_FRAME_S = 0.06
"""The driver's 50 ms and a tick of the kernel. So long it may wait to send what it had before, in
the new brightness."""

GAMMA = [int(255 * (value / 255) ** (1 / 0.45)) for value in range(256)]
"""What the driver makes of a value, by the formula that it gives."""
UNDO_GAMMA = bytes(bisect_left(GAMMA, wanted) for wanted in range(256))
"""What to write for a value to come out; never darker, at most 2 brighter."""


def pixel_bytes(leds: Leds, ordered: bytes) -> bytes:
    """A strip's bytes, as ``StripOrder`` gives them, as the driver wants them."""
    pixels = bytearray(BYTES_PER_LED * len(leds.squares))
    for position in range(len(leds.colours)):
        pixels[SENT[position] :: BYTES_PER_LED] = ordered[position :: len(leds.colours)]
    return bytes(pixels).translate(UNDO_GAMMA)


def overlay(leds: Leds) -> str:
    """Return the line of config.txt that makes the device of this strip."""
    four = ",rgbw" if len(leds.colours) == BYTES_PER_LED else ""
    return f"dtoverlay=ws2812-pio,gpio={leds.gpio},num_leds={len(leds.squares)}{four}"


class KernelStrip:
    """A LedMatrix. Opened by the first frame; after an error, by the next one."""

    def __init__(self, leds: Leds) -> None:
        self.device = leds.device or DEVICE
        self._leds = leds
        self._order = StripOrder(leds)
        self._sent_s = WORKER_S + frame_us(leds) / 1_000_000
        """From a write to the time at which the LEDs show it."""
        self._fd: int | None = None

    def close(self) -> None:
        """Let go of the device; it may be opened again. The LEDs keep their colours."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None

    def show(self, frame: Frame) -> None:
        """Send a frame; returns when the strip has it. Other threads run on. Raises BusError."""
        try:
            os.pwrite(self._opened(), pixel_bytes(self._leds, self._order(frame)), 0)
        except OSError as error:
            self.close()
            told = f"the lights' frame was not sent: {why(error)}"
            if error.errno == errno.EFBIG:
                told = f"made for fewer LEDs; write {overlay(self._leds)} in config.txt and restart"
            raise BusError(f"{self.device}: {told}") from error
        time.sleep(self._sent_s)

    def _opened(self) -> int:
        if self._fd is None:
            try:
                self._fd = os.open(self.device, os.O_WRONLY | os.O_CLOEXEC)
                os.pwrite(self._fd, FULL, 0)
                time.sleep(REST_OF_FRAME_S + self._sent_s)
            except OSError as error:
                self.close()
                missing = f"no such device; write {overlay(self._leds)} in config.txt and restart"
                told = why_not_opened(error, missing, FORBIDDEN)
                raise BusError(f"{self.device}: {told}") from error
        return self._fd
