"""LEDs by the kernel's driver of a Pi 5; a plain file stands for the device."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from boardfw.errors import BusError
from boardfw.frame import DARK, Frame
from boardfw.squares import EVERY_SWITCH
from hardware.leds0 import KernelStrip
from hardware.strip import BIT_US, LATCH_US
from hardware.wiring import Leds
from tests.strips import frames, strips, wanted

BOARD = EVERY_SWITCH


def driven(value: int) -> int:
    """What the driver sends for a value at full brightness: its documented formula, floored."""
    return int(255 * (value / 255) ** (1 / 0.45))


def sent(pixels: bytes, colours: str) -> list[dict[str, int]]:
    """What each LED takes: of red, green, blue, white the driver sends green, red, blue, white."""
    shown = []
    for at in range(0, len(pixels), 4):
        red, green, blue, white = (driven(value) for value in pixels[at : at + 4])
        shown.append(dict(zip(colours, (green, red, blue, white), strict=False)))
    return shown


@pytest.fixture
def device(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(time, "sleep", lambda _: None)  # a file has no strip to wait for
    file = tmp_path / "leds0"
    file.touch()
    return file


@given(frames, strips)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_each_led_gets_its_colour_as_near_as_the_gamma_lets_it(
    device: Path, frame: Frame, leds: Leds
) -> None:
    device.write_bytes(b"")
    strip = KernelStrip(Leds(squares=leds.squares, colours=leds.colours, device=str(device)))
    strip.show(frame)
    strip.close()
    pixels = device.read_bytes()
    assert len(pixels) == 4 * len(leds.squares)
    for led, should in zip(sent(pixels, leds.colours), wanted(frame, leds), strict=True):
        for letter, value in should.items():
            assert value <= led[letter] <= value + 2
            assert (led[letter] == 0) == (value == 0)


def test_every_frame_begins_at_the_first_led(device: Path) -> None:
    strip = KernelStrip(Leds(squares=BOARD, device=str(device)))
    for _ in range(3):
        strip.show(DARK)
    assert len(device.read_bytes()) == 256


def test_the_brightness_is_set_before_the_first_frame(
    device: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[bytes] = []

    def note(_: int, data: bytes, __: int) -> int:
        written.append(data)
        return len(data)

    monkeypatch.setattr(os, "pwrite", note)
    KernelStrip(Leds(squares=BOARD, device=str(device))).show(DARK)
    assert written[0] == b"\xff"


class Driver:
    """The kernel's driver with 64 LEDs in a time of its own: what is written waits for its worker.

    Like the driver it sends a frame at once where the last one was whole, else after 50 ms, and
    leaves 50 us between two. The PIO has eight words left when DMA has ended.
    """

    def __init__(self, patch: pytest.MonkeyPatch, *, is_whole: bool, late_us: int) -> None:
        self.now_us = 0.0
        self.frames: list[tuple[float, float]] = []
        """When each frame began and ended on the wire, us."""
        self._is_whole, self._late_us = is_whole, late_us
        self._due_us: float | None = None
        patch.setattr(os, "pwrite", self._write)
        patch.setattr(time, "sleep", self._sleep)

    def _sleep(self, seconds: float) -> None:
        self.now_us += seconds * 1_000_000

    def _write(self, _: int, data: bytes, __: int) -> int:
        self.work()
        self._is_whole |= len(data) > 1
        due_us = self.now_us + self._late_us + (0 if self._is_whole else 50_000)
        self._due_us = due_us if self._due_us is None else self._due_us
        return len(data)

    def work(self) -> None:
        """Send what is due by now."""
        if self._due_us is None or self._due_us > self.now_us:
            return
        ended_us = self.frames[-1][1] if self.frames else 0.0
        began_us = max(self._due_us, ended_us - 8 * 24 * BIT_US + 50)
        began_us = max(began_us, ended_us)
        self.frames.append((began_us, began_us + 64 * 24 * BIT_US))
        self._due_us = None


@pytest.mark.parametrize("is_whole", [True, False])
@pytest.mark.parametrize("late_us", [0, 1_000])
def test_the_line_rests_before_every_frame(
    is_whole: bool, late_us: int, device: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = Driver(monkeypatch, is_whole=is_whole, late_us=late_us)
    strip = KernelStrip(Leds(squares=BOARD, device=str(device)))
    for _ in range(5):
        strip.show(DARK)
    driver.now_us += 100_000
    driver.work()
    rests = [
        began_us - ended_us
        for (_, ended_us), (began_us, _) in zip(driver.frames, driver.frames[1:], strict=False)
    ]
    assert len(driver.frames) == 6, "the one before, at another brightness, and five of ours"
    assert min(rests) >= LATCH_US, "the strip takes it for the end of the frame before"


def test_making_a_strip_touches_nothing() -> None:
    KernelStrip(Leds(squares=BOARD, device="/nonexistent/leds0"))


def test_no_device_tells_the_line_for_config_txt() -> None:
    leds = Leds(squares=BOARD, device="/nonexistent/leds0", gpio=18, colours="GRBW")
    with pytest.raises(BusError) as caught:
        KernelStrip(leds).show(DARK)
    assert str(caught.value) == (
        "/nonexistent/leds0: no such device; write "
        "dtoverlay=ws2812-pio,gpio=18,num_leds=64,rgbw in config.txt and restart"
    )


def failing(monkeypatch: pytest.MonkeyPatch, call: str, error: type[OSError], code: int) -> None:
    def fail(*_: object) -> int:
        raise error(code, os.strerror(code))

    monkeypatch.setattr(os, call, fail)


def test_no_permission_tells_the_rule(device: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    failing(monkeypatch, "open", PermissionError, 13)
    with pytest.raises(BusError, match=r'no permission; write KERNEL=="leds.*group gpio'):
        KernelStrip(Leds(squares=BOARD, device=str(device))).show(DARK)


def test_an_overlay_for_fewer_leds(device: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    strip = KernelStrip(Leds(squares=BOARD, device=str(device)))
    strip.show(DARK)
    failing(monkeypatch, "pwrite", OSError, 27)
    with pytest.raises(BusError, match=r"made for fewer LEDs; write dtoverlay=.*num_leds=64 in"):
        strip.show(DARK)


def test_after_an_error_the_device_is_opened_again(device: Path) -> None:
    full = KernelStrip(Leds(squares=BOARD, device="/dev/full"))
    for _ in range(2):
        with pytest.raises(BusError, match=r"^/dev/full: .*No space left on device"):
            full.show(DARK)
    full.device = str(device)
    full.show(DARK)
    assert len(device.read_bytes()) == 256
