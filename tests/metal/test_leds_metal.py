"""The real rpi_ws281x and our driver send frames to a mocked SPI bus; a strip there reads them."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from itertools import permutations

import pytest

from boardfw.frame import Frame
from boardfw.squares import EVERY_SWITCH, Switch
from hardware.spi import SPI_HZ
from hardware.wiring import Leds, StripKind
from tests.metal.conftest import ENVIRONMENT, ROOT, Mocked, need_module
from tests.strips import line_of, lit, received, wanted

pytestmark = pytest.mark.slow

ANY = random.Random("frames")
BOARD = EVERY_SWITCH
SERPENTINE = tuple(Switch(s ^ 7) if s & 8 else s for s in BOARD)
TWO_A_SQUARE = tuple(square for square in SERPENTINE for _ in range(2))
WITH_GAPS = (None, Switch(63), None, Switch(0), Switch(0), Switch(27))
ORDERS = [*map("".join, permutations("RGB")), *(f"{''.join(p)}W" for p in permutations("RGB"))]
STRIPS = [
    *(Leds(squares=BOARD, colours=order) for order in ORDERS),
    *(Leds(squares=BOARD, kind=kind) for kind in StripKind),
    *(Leds(squares=squares) for squares in (SERPENTINE, TWO_A_SQUARE, WITH_GAPS, (Switch(5),))),
]
FRAMES = [
    Frame(),
    Frame(b"\xff" * 192),
    Frame.of({Switch(0): (255, 0, 128), Switch(63): (2, 1, 3)}),
    *(Frame(ANY.randbytes(192)) for _ in range(3)),
]
THEIR_KIND = StripKind.WS2812B
"""The kind whose data sheet the signal of rpi_ws281x keeps to."""
SHOWN = [(leds, frame) for leds in STRIPS for frame in FRAMES]


def lines() -> list[str]:
    """The strips and frames, for ``client.py``."""
    digits = [frame.hex() for frame in FRAMES]
    return [
        json.dumps(
            {
                "squares": leds.squares,
                "colours": leds.colours,
                "kind": leds.kind.value,
                "frames": digits,
            }
        )
        for leds in STRIPS
    ]


def one_frame() -> list[str]:
    """One strip, and one frame for it."""
    return [
        json.dumps(
            {"squares": BOARD, "colours": "GRB", "kind": "ws2812b", "frames": [FRAMES[2].hex()]}
        )
    ]


def shown_by(sent: bytes, spi_hz: int, leds: Leds, kind: StripKind) -> list[dict[str, int]]:
    """Return what each LED of a strip, of this kind, shows after a transfer at this clock."""
    (bits,) = received(line_of(sent, spi_hz), kind)
    return lit(bits[: 8 * len(leds.colours) * len(leds.squares)], leds.colours)


def test_rpi_ws281x_sends_what_we_mean(mocked: Mocked) -> None:
    need_module("rpi_ws281x", "rpi-ws281x")
    ran = mocked("spidev0.0", "rpi_ws281x", lines=lines())
    assert (ran.status, ran.said) == (0, "")
    assert {note["hz"] for note in ran.journal} == {2_400_000}
    for sent, (leds, frame) in zip(ran.sent, SHOWN, strict=True):
        assert shown_by(sent, 2_400_000, leds, THEIR_KIND) == wanted(frame, leds)


def test_our_driver_sends_what_we_mean(mocked: Mocked) -> None:
    ran = mocked("spidev0.0", "spi", lines=lines())
    assert (ran.status, ran.said) == (0, "")
    assert {note["hz"] for note in ran.journal} == {SPI_HZ}
    for sent, (leds, frame) in zip(ran.sent, SHOWN, strict=True):
        assert shown_by(sent, SPI_HZ, leds, leds.kind) == wanted(frame, leds)


def test_ours_and_theirs_light_a_strip_alike(mocked: Mocked) -> None:
    need_module("rpi_ws281x", "rpi-ws281x")
    theirs = mocked("spidev0.0", "rpi_ws281x", lines=lines()).sent
    ours = mocked("spidev0.0", "spi", lines=lines()).sent
    for our, their, (leds, _) in zip(ours, theirs, SHOWN, strict=True):
        ours_lit = shown_by(our, SPI_HZ, leds, leds.kind)
        assert ours_lit == shown_by(their, 2_400_000, leds, THEIR_KIND)


@pytest.mark.parametrize(
    ("driver", "lets_go"),
    [("spi", True), ("rpi_ws281x", False)],
)
def test_only_our_driver_lets_the_scan_go_on_while_a_frame_is_sent(
    mocked: Mocked, driver: str, lets_go: bool
) -> None:
    if driver == "rpi_ws281x":
        need_module("rpi_ws281x", "rpi-ws281x")
    ran = mocked("spidev0.0", driver, lines=one_frame(), meanwhile=True)
    assert [note["meanwhile"] for note in ran.journal] == [lets_go]


def test_without_spi_both_say_what_to_do(mocked: Mocked) -> None:
    need_module("rpi_ws281x", "rpi-ws281x")
    ran = mocked("", "spi", lines=one_frame())
    assert ran.status == 0
    assert ran.said == (
        "/dev/spidev0.0: no such device; switch SPI on (dtparam=spi=on in config.txt) and restart\n"
    )
    ran = mocked("", "rpi_ws281x", lines=one_frame())
    assert ran.status == 0
    assert "rpi_ws281x on GPIO 10: switch SPI on (dtparam=spi=on in config.txt)" in ran.said


def test_a_machine_that_rpi_ws281x_does_not_know_is_told_and_not_crashed() -> None:
    need_module("rpi_ws281x", "rpi-ws281x")
    told = subprocess.run(
        [sys.executable, "-m", "tests.metal.client", "rpi_ws281x"],
        input=one_frame()[0],
        cwd=ROOT,
        env=ENVIRONMENT,
        capture_output=True,
        check=False,
        text=True,
    )
    if not told.stdout and not told.returncode:
        pytest.skip("needs a machine that is no Raspberry Pi")
    assert "it does not know this machine; set leds.driver to 'spi'" in told.stdout
    assert told.returncode == 0
