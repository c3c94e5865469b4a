"""LEDs over SPI: every bit, every microsecond, and every failure."""

from __future__ import annotations

import errno
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardfw.errors import BusError, WiringError
from boardfw.frame import DARK, Frame
from boardfw.squares import EVERY_SWITCH
from hardware.spi import MOST_BYTES, SPI_HZ, SpiStrip, transfer
from hardware.strip import LATCH_US, StripOrder, frame_us
from hardware.wiring import Leds, StripKind
from tests.hardware.fake_spi_device import Bench
from tests.strips import frames, line_of, lit, received, strips, wanted

BOARD = Leds(squares=EVERY_SWITCH)


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Bench:
    return Bench(monkeypatch)


@given(frames, strips)
def test_a_strip_reads_the_colours_of_its_squares(frame: Frame, leds: Leds) -> None:
    sent = transfer(StripOrder(leds)(frame), leds.kind)
    (bits,) = received(line_of(sent, SPI_HZ), leds.kind)
    assert lit(bits, leds.colours) == wanted(frame, leds)


@given(frames, strips, st.randoms(use_true_random=False), st.integers(1, 60))
def test_pauses_after_any_bytes_change_no_bit(
    frame: Frame, leds: Leds, chance: Random, longest: int
) -> None:
    sent = transfer(StripOrder(leds)(frame), leds.kind)
    line = line_of(sent, SPI_HZ, lambda _: chance.randint(0, longest))
    (bits,) = received(line, leds.kind, latch_us=50)
    assert lit(bits, leds.colours) == wanted(frame, leds)


@pytest.mark.parametrize("kind", StripKind)
def test_a_pause_in_the_first_byte_of_every_64_changes_no_bit(kind: StripKind) -> None:
    """A controller's FIFO that runs empty rests for longer than a clock."""
    data = bytes(range(192))
    line = line_of(transfer(data, kind), SPI_HZ, lambda byte: 0 if byte % 64 else 100)
    assert received(line, kind, latch_us=50) == ["".join(f"{value:08b}" for value in data)]


@given(frames, strips)
def test_then_the_line_rests_until_the_leds_take_it_over(frame: Frame, leds: Leds) -> None:
    sent = transfer(StripOrder(leds)(frame), leds.kind)
    last = line_of(sent, SPI_HZ)[-1]
    assert not last.is_high
    assert last.ns >= LATCH_US * 1000


@given(frames, strips)
def test_a_line_that_was_high_before_adds_no_bit(frame: Frame, leds: Leds) -> None:
    """A strip counts every high that ends, and begins again after a low as long as a latch."""
    sent = bytes([255]) * 13 + transfer(StripOrder(leds)(frame), leds.kind)
    _, bits = received(line_of(sent, SPI_HZ), leds.kind)
    assert lit(bits, leds.colours) == wanted(frame, leds)


def test_a_frame_of_the_board_takes_a_latch_longer_than_its_strip_needs() -> None:
    sent = len(transfer(StripOrder(BOARD)(DARK), BOARD.kind))
    assert sent == 114 + 768 + 114
    assert sent * 8 * 1_000_000 / SPI_HZ == pytest.approx(frame_us(BOARD) + LATCH_US, rel=0.01)


def test_a_frame_is_one_transfer_at_the_clock_of_four_bits(bench: Bench) -> None:
    SpiStrip(BOARD).show(DARK)
    assert bench.sent == [("/dev/spidev0.0", SPI_HZ, transfer(bytes(192), BOARD.kind))]


def test_the_kind_of_the_board_file_decides_how_long_a_1_is(bench: Bench) -> None:
    for kind in StripKind:
        SpiStrip(Leds(squares=EVERY_SWITCH[:1], kind=kind)).show(Frame(b"\xff" * 192))
    highs = [
        max(level.ns for level in line_of(sent, SPI_HZ) if level.is_high) for *_, sent in bench.sent
    ]
    assert [round(ns) for ns in highs] == [929, 619, 929, 619]


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
    SpiStrip(Leds(squares=EVERY_SWITCH[:1] * 322)).show(DARK)
    assert MOST_BYTES - 12 < len(bench.sent[0][2]) <= MOST_BYTES
    with pytest.raises(WiringError, match=r"^leds\.squares names 323 LEDs; SPI sends 322 at most"):
        SpiStrip(Leds(squares=EVERY_SWITCH[:1] * 323))
