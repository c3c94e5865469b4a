"""A person without a board: does what a calibration asks, on wires that are a few dictionaries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from boardfw.squares import NAMES, Switch
from hardware.calibration.inputs import Inputs
from hardware.calibration.measures import STABLE_US
from hardware.calibration.procedure import (
    MANY,
    Calibration,
    Clear,
    NameLit,
    PutOn,
    PutOnLit,
    Said,
    Sampled,
)

MOST = 1_000


@dataclass
class Person:
    """``closes``: what a piece on each square closes; ``lights``: the square over each LED."""

    closes: Mapping[Switch, Inputs]
    lights: Sequence[Switch | None]
    stuck: Inputs = 0
    placements: int = 0
    now_us: int = 0
    slips: Mapping[int, Switch] = field(default_factory=dict)
    """Placements, counted from 1, that end on another square."""

    def do_all(self, calibration: Calibration) -> None:
        self._rest(calibration, 0)
        for _ in range(MOST):
            if calibration.request is None:
                return
            self._do(calibration)
        raise AssertionError(f"no end: {calibration.request}")

    def _do(self, calibration: Calibration) -> None:
        lit = [s for led in calibration.lights if (s := self.lights[led]) is not None]
        match calibration.request:
            case PutOn(square=square):
                self._put(calibration, square, "")
            case PutOnLit() if len(set(lit)) == 1:
                self._put(calibration, lit[0], NAMES[lit[0]])
            case PutOnLit():
                calibration.take(Said(MANY if lit else ""))
            case NameLit():
                calibration.take(Said(NAMES[lit[0]]))
            case Clear() | _:
                calibration.take(Said(""))

    def _put(self, calibration: Calibration, square: Switch, otherwise: str) -> None:
        asked = calibration.asked
        self.placements += 1
        square = self.slips.get(self.placements, square)
        self._rest(calibration, 0)
        self._rest(calibration, self.closes[square])
        if calibration.asked == asked:
            calibration.take(Said(otherwise))

    def _rest(self, calibration: Calibration, closed: Inputs) -> None:
        for _ in range(2):
            self.now_us += STABLE_US
            calibration.take(Sampled(self.now_us, closed | self.stuck))
