"""The signal over SPI keeps to the strips' data sheets, at the clock that each model makes."""

from __future__ import annotations

import pytest

from hardware.spi import LATCH, ONE, SPI_HZ, ZERO, spi_signal
from hardware.strip import LATCH_US
from hardware.strip_sheets import FIXED_SIGNALS, STRIP_SHEETS, Signal
from hardware.wiring import LedDriver, StripKind

MHZ = 1_000_000
SOURCES_MHZ = {
    "Pi 1, 2, Zero": (250, 300, 400),
    "Pi 3, Zero 2 W, with core_freq=250 as config.txt should have it": (250,),
    "Pi 3, Zero 2 W, with the firmware's own clock": (300, 400),
    "Pi 4, with core_freq=500 as config.txt should have it": (500,),
    "Pi 4, with the firmware's own clock": (200, 333, 360, 550),
    "Pi 5: clk_sys of the RP1": (200,),
}
"""What SPI's clock is divided from: the core clock, but for a Pi 5."""


def divided(source_hz: int, asked_hz: int) -> float:
    """Return the clock that the kernel makes: of an even divisor, and never faster than asked for.

    spi-bcm2835.c and, of a Pi 5, spi-dw-core.c, which round alike.
    """
    divisor = -(-source_hz // asked_hz)
    return source_hz / (divisor + divisor % 2)


CLOCKS = [
    pytest.param(divided(mhz * MHZ, SPI_HZ), id=f"{model}: {mhz} MHz")
    for model, all_mhz in SOURCES_MHZ.items()
    for mhz in all_mhz
]


@pytest.mark.parametrize("kind", StripKind)
@pytest.mark.parametrize("spi_hz", CLOCKS)
def test_every_time_is_allowed_by_the_data_sheet(spi_hz: float, kind: StripKind) -> None:
    assert not [*STRIP_SHEETS[kind].misfits(spi_signal(kind, spi_hz))]
    assert len(LATCH) * 8 / spi_hz >= LATCH_US / MHZ


@pytest.mark.parametrize("kind", StripKind)
def test_no_other_1_of_four_bits_keeps_to_the_data_sheet(kind: StripKind) -> None:
    bit_ns = 1_000 * MHZ / SPI_HZ
    (other,) = {*ONE.values()} - {ONE[kind]}
    times = [symbol.count(level) * bit_ns for symbol in (ZERO, other) for level in "10"]
    assert [*STRIP_SHEETS[kind].misfits(Signal(*times))]


def test_3_2_mhz_would_be_too_slow_on_a_pi_5_and_with_a_core_clock_of_250_mhz() -> None:
    for source_hz in (200 * MHZ, 250 * MHZ):
        signal = spi_signal(StripKind.WS2812B, divided(source_hz, 3_200_000))
        (misfit,) = STRIP_SHEETS[StripKind.WS2812B].misfits(signal)
        assert misfit == "high for 960 ns in a 1, where 650 to 950 are allowed"


def test_three_bits_at_2_4_mhz_keep_to_the_first_data_sheet_only() -> None:
    three_bits = FIXED_SIGNALS[LedDriver.WS281X]
    fits = [kind for kind in StripKind if not [*STRIP_SHEETS[kind].misfits(three_bits)]]
    assert fits == [StripKind.WS2812B]
