"""LEDs over SPI: every bit, every microsecond, and every failure."""

from __future__ import annotations

import errno
import math
from pathlib import Path

import pytest
from hypothesis import given

from boardfw.errors import BusError, WiringError
from boardfw.frame import DARK, Frame
from boardfw.squares import EVERY_SWITCH
from hardware.spi import MOST_BYTES, SPI_HZ, SpiStrip, transfer
from hardware.strip import LATCH_US, StripOrder, frame_us
from hardware.wiring import Leds
from tests.hardware.fake_spi_device import Bench
from tests.strips import frames, line_of, received, strips, wanted

BOARD = Leds(squares=EVERY_SWITCH)
BIT_OF_SPI_US = 1_000_000 / SPI_HZ


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Bench:
    return Bench(monkeypatch)


@given(frames, strips)
def test_a_strip_reads_the_colours_of_its_squares(frame: Frame, leds: Leds) -> None:
    line = line_of(transfer(StripOrder(leds)(frame)))
    start = line.index("1")
    assert received(line[start:], leds.colours, len(leds.squares)) == wanted(frame, leds)


@given(frames, strips)
def test_then_the_line_rests_until_the_leds_take_it_over(frame: Frame, leds: Leds) -> None:
    line = line_of(transfer(StripOrder(leds)(frame)))
    start = line.index("1")
    rest = line[start + 3 * 8 * len(leds.colours) * len(leds.squares) :]
    assert set(rest) == {"0"}
    assert len(rest) * BIT_OF_SPI_US >= LATCH_US


@given(frames, strips)
def test_a_line_that_was_high_before_adds_no_bit(frame: Frame, leds: Leds) -> None:
    """A strip counts every high that ends, and begins again after a low as long as a latch."""
    latch = "0" * math.ceil(LATCH_US / BIT_OF_SPI_US)
    line = "1" * 100 + line_of(transfer(StripOrder(leds)(frame)))
    counted = next(part for part in line.split(latch)[1:] if "1" in part)
    start = counted.index("1")
    assert received(counted[start:] + latch, leds.colours, len(leds.squares)) == wanted(frame, leds)


def test_the_timing_is_the_datasheets() -> None:
    line = line_of(transfer(b"\xaa"))
    highs = [len(run) * BIT_OF_SPI_US for run in line.split("0") if run]
    assert highs == [pytest.approx(us, abs=0.01) for us in (0.833, 0.417) * 4]
    assert BIT_OF_SPI_US * 3 == 1.25


def test_a_frame_of_the_board_takes_a_latch_longer_than_its_strip_needs() -> None:
    sent = len(transfer(StripOrder(BOARD)(DARK)))
    assert sent == 84 + 576 + 84
    assert sent * 8 * 1_000_000 / SPI_HZ == pytest.approx(frame_us(BOARD) + LATCH_US)


def test_a_frame_is_one_transfer_at_2_4_mhz(bench: Bench) -> None:
    SpiStrip(BOARD).show(DARK)
    assert bench.sent == [("/dev/spidev0.0", 2_400_000, transfer(bytes(192)))]


def test_the_device_of_the_board_file_is_used(bench: Bench) -> None:
    SpiStrip(Leds(squares=EVERY_SWITCH[:1], device="/dev/spidev1.0")).show(DARK)
    assert bench.sent[0][0] == "/dev/spidev1.0"


def test_making_a_strip_touches_nothing(bench: Bench) -> None:
    SpiStrip(BOARD)
    assert bench.opened == 0


def test_the_device_is_opened_once(bench: Bench) -> None:
    strip = SpiStrip(BOARD)
    for _ in range(3):
        strip.show(DARK)
    assert bench.opened == 1


@pytest.mark.parametrize(
    ("fault", "remedy"),
    [
        (errno.ENOENT, "dtparam=spi=on in config.txt"),
        (errno.EACCES, "sudo usermod -aG spi USER"),
        (errno.EPERM, "sudo usermod -aG spi USER"),
        (errno.EBUSY, "cannot be opened: Device or resource busy"),
    ],
)
def test_a_device_that_cannot_be_opened(bench: Bench, fault: int, remedy: str) -> None:
    bench.open_fault = fault
    with pytest.raises(BusError) as caught:
        SpiStrip(BOARD).show(DARK)
    assert str(caught.value).startswith("/dev/spidev0.0: ")
    assert remedy in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_no_spi_device_is_refused_and_closed_again(tmp_path: Path) -> None:
    file = tmp_path / "spidev0.0"
    file.touch()
    open_before = len(list(Path("/proc/self/fd").iterdir()))
    with pytest.raises(BusError, match=r"^[^\n]*spidev0\.0: cannot be opened: [^\n]*ioctl[^\n]*$"):
        SpiStrip(Leds(squares=EVERY_SWITCH, device=str(file))).show(DARK)
    assert len(list(Path("/proc/self/fd").iterdir())) == open_before


def test_after_an_error_the_device_is_opened_again(bench: Bench) -> None:
    strip = SpiStrip(BOARD)
    strip.show(DARK)
    bench.send_fault = errno.ETIMEDOUT
    with pytest.raises(BusError, match=r"^/dev/spidev0\.0: .*not sent: Connection timed out"):
        strip.show(DARK)
    bench.send_fault = 0
    strip.show(DARK)
    assert (bench.opened, len(bench.sent)) == (2, 2)


def test_after_closing_too(bench: Bench) -> None:
    strip = SpiStrip(BOARD)
    strip.show(DARK)
    strip.close()
    strip.close()
    strip.show(DARK)
    assert (bench.opened, len(bench.sent)) == (2, 2)


def test_the_longest_strip_fits_one_transfer_and_a_longer_one_is_refused(bench: Bench) -> None:
    SpiStrip(Leds(squares=EVERY_SWITCH[:1] * 436)).show(DARK)
    assert MOST_BYTES - 9 < len(bench.sent[0][2]) <= MOST_BYTES
    with pytest.raises(WiringError, match=r"^leds\.squares names 437 LEDs; SPI sends 436 at most"):
        SpiStrip(Leds(squares=EVERY_SWITCH[:1] * 437))
