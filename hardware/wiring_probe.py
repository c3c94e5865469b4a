"""A board whose wires are tried one by one: its bus, and its LEDs by their number."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from boardfw.errors import BusError, WiringError
from boardfw.frame import DARK, Frame
from boardfw.ports import Clock
from boardfw.squares import EVERY_SWITCH
from hardware.board_url import Scheme, parse_url
from hardware.bus import I2cBus
from hardware.wiring import Leds, Wiring

if TYPE_CHECKING:
    from hardware.sim.i2c_board import SimI2cBoard

LIT = (160, 160, 160)
"""Bright enough in daylight, and a few LEDs draw no more than any supply gives."""
EMPTY_FEN = "8/8/8/8/8/8/8/8 w - - 0 1"


@dataclass(frozen=True, slots=True)
class WiringProbe:
    """``wiring`` is what the board file says; only its chips and its strip are believed."""

    wiring: Wiring
    bus: I2cBus
    light: Callable[[tuple[int, ...]], None]
    """Lights these LEDs of the strip, the first is 0, and no other. Raises BusError."""
    close: Callable[[], None]
    sim: SimI2cBoard | None
    """The board, where it is a simulated one."""
    clock: Clock


def open_probe(url: str, clock: Clock) -> WiringProbe:
    """The probe of an ``i2c:`` or ``sim-i2c:`` URL; a simulated board has nothing standing on it.

    Raises WiringError, BusError.
    """
    named = parse_url(url)
    if named.scheme is Scheme.SIM_I2C:
        return _simulated(str(named), clock)
    if named.scheme is not Scheme.I2C:
        raise WiringError(f"{url!r} has no wires to look at; write i2c:BOARD or sim-i2c:BOARD")
    return _real(named.rest, clock)


def _simulated(url: str, clock: Clock) -> WiringProbe:
    from hardware import open_board
    from hardware.sim.i2c_board import SimI2cBoard

    board = open_board(url, clock=clock, start_fen=EMPTY_FEN)
    if not isinstance(board, SimI2cBoard):
        raise TypeError(f"{url!r} opened {board!r}")
    return WiringProbe(board.wiring, board.bus, board.light, board.close, board, clock)


def _real(name: str, clock: Clock) -> WiringProbe:
    from hardware.boards.board_file import find_wiring
    from hardware.model import read_model

    wiring = find_wiring(name)
    bus = I2cBus(wiring.bus.device)
    lights = LedsByNumber(wiring.leds, read_model())
    bus.open()

    def close() -> None:
        try:
            lights.close()
        finally:
            bus.close()

    return WiringProbe(wiring, bus, lights.light, close, None, clock)


class LedsByNumber:
    """The strip of a wiring, whatever squares it lies under."""

    def __init__(self, leds: Leds, model: str) -> None:
        self._leds = leds
        self._model = model

    def light(self, numbers: tuple[int, ...]) -> None:
        """Light these LEDs and no other. Raises BusError, WiringError."""
        from hardware.leds import open_leds

        # Drivers take squares: here the LEDs to be lit lie under a1, the others under no square.
        squares = tuple(
            EVERY_SWITCH[0] if led in numbers else None for led in range(len(self._leds.squares))
        )
        strip, _ = open_leds(replace(self._leds, squares=squares), self._model)
        try:
            strip.show(Frame.of({EVERY_SWITCH[0]: LIT}) if numbers else DARK)
        finally:
            strip.close()

    def close(self) -> None:
        """All LEDs go dark, as far as they can be reached."""
        with suppress(BusError):
            self.light(())
