"""Which driver lights the strip: the one that the board file names, or the model's; never another.

SPI is the choice on every model of today: it needs no root and runs on all of them.
"""

from __future__ import annotations

from typing import Protocol

from boardfw.errors import WiringError
from boardfw.frame import Frame
from hardware.leds0 import KernelStrip
from hardware.model import is_pi5
from hardware.spi import SpiStrip
from hardware.strip import MemoryMatrix
from hardware.strip_sheets import STRIP_SHEETS
from hardware.wiring import SPI_GPIO, LedDriver, Leds
from hardware.ws281x import Ws281xStrip


class Strip(Protocol):
    """A LedMatrix whose device is opened by the first frame, and released."""

    def close(self) -> None:
        """Let go of the device; may be called twice."""

    def show(self, frame: Frame) -> None:
        """Send a frame to the lights. Raises BusError."""


class OnlyChanges:
    """A Strip that sends a frame only where it differs from what the LEDs have."""

    def __init__(self, inner: Strip) -> None:
        self.inner = inner
        self._shown: Frame | None = None

    def close(self) -> None:
        """Let go of the device; may be called twice."""
        self.inner.close()

    def show(self, frame: Frame) -> None:
        """Send a frame that differs from the last; after an error, any. Raises BusError."""
        if frame == self._shown:
            return
        self.forget()  # what an error leaves on the strip is not known
        self.inner.show(frame)
        self._shown = frame

    def forget(self) -> None:
        """Send the next frame in any case: LEDs that lost power do not know the last one."""
        self._shown = None


def open_leds(leds: Leds, model: str) -> tuple[OnlyChanges, str]:
    """The strip's driver, and a line for the log that says which one and why.

    ``model`` is what ``hardware.model.read_model`` says. Nothing is opened yet: the first
    frame does that. Raises WiringError where the driver cannot do what is wired.
    """
    driver, why = leds.driver, "as the board file says"
    if driver is LedDriver.AUTO:
        driver, why = LedDriver.SPI, f"the choice on {model or 'a machine of unknown model'}"
    strip, what = _strip(driver, leds, model)
    return OnlyChanges(strip), f"lights: {what} ({why})"


def _strip(driver: LedDriver, leds: Leds, model: str) -> tuple[Strip, str]:
    lit = f"{len(leds.squares)} {STRIP_SHEETS[leds.kind].title} LEDs"
    if driver is LedDriver.NONE:
        return MemoryMatrix(), "none"
    if driver is LedDriver.WS281X:
        return Ws281xStrip(leds, model), f"{lit} by rpi_ws281x on GPIO {leds.gpio}"
    if driver is LedDriver.KERNEL:
        _check_kernel(model)
        kernel = KernelStrip(leds)
        return kernel, f"{lit} by the kernel, {kernel.device}"
    _check_spi(leds)
    spi = SpiStrip(leds)
    return spi, f"{lit} over SPI, {spi.device}"


def _check_kernel(model: str) -> None:
    if model and not is_pi5(model):
        raise WiringError(
            f"leds.driver is 'leds0', which a Raspberry Pi 5 has and this does not ({model}); "
            "set it to 'spi'"
        )


def _check_spi(leds: Leds) -> None:
    if leds.gpio != SPI_GPIO:
        raise WiringError(
            f"leds.gpio is {leds.gpio}, and SPI sends on GPIO {SPI_GPIO} only; put the data line "
            "there, or set leds.driver to 'rpi_ws281x' (up to a Pi 4) or 'leds0' (Pi 5)"
        )
