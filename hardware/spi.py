"""LEDs on the SPI bus: each bit of the strip becomes three of SPI's. Every Raspberry Pi can do it.

At 2.4 MHz three SPI bits last 1.25 us, as one bit of the strip does. It tells 0 from 1 by how long
the line is high: 100 is 0.42 us high, 110 is 0.83 us. Only the data line (MOSI, GPIO 10) is wired;
no root is needed, but nothing else can live on that bus.

A strip never answers, so a dead one goes unnoticed: only the device itself can fail here.
"""

from __future__ import annotations

from boardfw.errors import BusError, WiringError, why, why_not_opened
from boardfw.frame import Frame
from hardware.spi_device import SpiDevice
from hardware.strip import LATCH_US, StripOrder
from hardware.wiring import Leds

DEVICE = "/dev/spidev0.0"
MISSING = "no such device; switch SPI on (dtparam=spi=on in config.txt) and restart"
FORBIDDEN = "add the user to the group spi (sudo usermod -aG spi USER)"
SPI_HZ = 2_400_000
"""Three times the strip's 800 kHz."""

LATCH = bytes(LATCH_US * SPI_HZ // 8_000_000)
"""The line low for 280 us; what follows is a new frame.

Each frame has it before its first bit as well: where MOSI idles high (jgarff/rpi_ws281x#469), the
strip takes the end of that for a bit, and forgets it only after a whole latch.
"""
MOST_BYTES = 4096
"""Bytes in one transfer of spidev, unless ``spidev.bufsiz`` was raised; a gap would be a latch."""


def _symbols(value: int) -> int:
    """The 24 SPI bits of a byte, its highest bit first."""
    return int("".join("110" if value >> bit & 1 else "100" for bit in range(7, -1, -1)), 2)


_FIRST, _SECOND, _THIRD = (
    bytes(_symbols(value) >> shift & 0xFF for value in range(256)) for shift in (16, 8, 0)
)
"""For every byte the three that it becomes."""


def encode(data: bytes) -> bytes:
    """The SPI bytes of a strip's bytes, three for one.

    Three translations and no loop: 64 LEDs are encoded in microseconds, even on a Pi Zero in tens.
    """
    encoded = bytearray(3 * len(data))
    encoded[0::3] = data.translate(_FIRST)
    encoded[1::3] = data.translate(_SECOND)
    encoded[2::3] = data.translate(_THIRD)
    return bytes(encoded)


def transfer(data: bytes) -> bytes:
    """All that is sent for one frame: the strip's bytes encoded, between two latches."""
    return LATCH + encode(data) + LATCH


class SpiStrip:
    """A LedMatrix. Opened by the first frame; after an error, by the next one.

    Raises WiringError where the strip is too long for one transfer.
    """

    def __init__(self, leds: Leds) -> None:
        self.device = leds.device or DEVICE
        self._order = StripOrder(leds)
        self._spi: SpiDevice | None = None
        most = (MOST_BYTES - 2 * len(LATCH)) // (3 * len(leds.colours))
        if len(leds.squares) > most:
            raise WiringError(
                f"leds.squares names {len(leds.squares)} LEDs; SPI sends {most} at most in one "
                "transfer; wire fewer LEDs a square, or set leds.driver to another driver"
            )

    def close(self) -> None:
        """Let go of the device; it may be opened again. The LEDs keep their colours."""
        if self._spi is not None:
            self._spi.close()
            self._spi = None

    def show(self, frame: Frame) -> None:
        """Send a frame; returns when the strip has it. Other threads run on. Raises BusError."""
        if self._spi is None:
            self._spi = _connect(self.device)
        try:
            self._spi.write(transfer(self._order(frame)))
        except OSError as error:
            self.close()
            told = f"the lights' frame was not sent: {why(error)}"
            raise BusError(f"{self.device}: {told}; see that nothing else uses this bus") from error


def _connect(device: str) -> SpiDevice:
    try:
        return SpiDevice(device, SPI_HZ)
    except OSError as error:
        raise BusError(f"{device}: {why_not_opened(error, MISSING, FORBIDDEN)}") from error
