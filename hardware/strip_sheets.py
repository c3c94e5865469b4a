"""Data sheets of LED strips: for how long the line may be high and low in a 0 and in a 1.

Sources: Worldsemi's data sheets of the WS2812B (2013), WS2812B-V5/W and WS2812B-2020; Opsco's of
the SK6812 and SK6812RGBW, which have the same times. The figures are those that programs for these
LEDs quote from them; none was measured here. An LED measures the high part of a bit. The low part
only has to be long enough to be noticed, and much shorter than a latch: a pause in it is harmless.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Final

from hardware.wiring import LedDriver, Leds, StripKind


@dataclass(frozen=True, slots=True)
class Signal:
    """How long the line is high and then low in each bit, in nanoseconds."""

    zero_high: float
    zero_low: float
    one_high: float
    one_low: float


@dataclass(frozen=True, slots=True)
class StripSheet:
    """The times of one kind of strip: the shortest and the longest, in nanoseconds."""

    title: str
    zero_high: tuple[int, int]
    zero_low: tuple[int, int]
    one_high: tuple[int, int]
    one_low: tuple[int, int]
    has_white: bool = False
    """True if there are LEDs of this kind with a fourth, white light."""

    def misfits(self, signal: Signal) -> Iterator[str]:
        """Return in words each time of a signal that this data sheet does not allow."""
        for time in fields(signal):
            ns, (least, most) = getattr(signal, time.name), getattr(self, time.name)
            if not least <= ns <= most:
                bit, level = time.name.split("_")
                digit = {"zero": 0, "one": 1}[bit]
                yield f"{level} for {ns:.0f} ns in a {digit}, where {least} to {most} are allowed"


STRIP_SHEETS: Final = {
    StripKind.WS2812B: StripSheet("WS2812B", (250, 550), (700, 1000), (650, 950), (300, 600)),
    StripKind.WS2812B_V5: StripSheet(
        "WS2812B-V5", (220, 380), (580, 1000), (580, 1000), (580, 1000)
    ),
    StripKind.WS2812B_2020: StripSheet(
        "WS2812B-2020", (220, 380), (580, 1000), (580, 1000), (220, 420)
    ),
    StripKind.SK6812: StripSheet(
        "SK6812", (150, 450), (750, 1050), (450, 750), (450, 750), has_white=True
    ),
}

FIXED_SIGNALS: Final = {
    LedDriver.WS281X: Signal(416.7, 833.3, 833.3, 416.7),
    LedDriver.KERNEL: Signal(375, 875, 875, 375),
}
"""What drivers that are not ours send to every strip.

rpi_ws281x sends three bits at 2.4 MHz for one. The kernel's driver of a Pi 5 cuts 1.25 us into
tenths: 3 and 7 for a 0, 7 and 3 for a 1 (drivers/misc/ws2812-pio-rp1.c of raspberrypi/linux).
"""


def warnings_about_strip(leds: Leds) -> tuple[str, ...]:
    """Return a line if the driver's signal is not what the strip's data sheet allows."""
    sheet = STRIP_SHEETS[leds.kind]
    signal = FIXED_SIGNALS.get(leds.driver)
    misfits = list(sheet.misfits(signal)) if signal else []
    if not misfits:
        return ()
    return (
        f"leds.driver {leds.driver.value!r} keeps the line {' and '.join(misfits)} by the data "
        f"sheet of the {sheet.title}: LEDs may show wrong colours; leds.driver 'spi' fits it",
    )
