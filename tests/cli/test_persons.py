"""A person who calibrates at a terminal: asked in words, answering by Enter and names."""

from __future__ import annotations

import queue
from contextlib import closing

import pytest

from boardfw.cli.calibrate import AtTerminal, talk
from boardfw.errors import BoardError
from boardfw.squares import SWITCH_BY_NAME
from hardware.calibration.conclusions import conclude
from hardware.calibration.inputs import InputReader, pins_of, places_of
from hardware.calibration.procedure import Calibration, PutOn, Request, TryPieces
from hardware.clock import VirtualClock
from hardware.sim.board import SimBoard
from hardware.sim.calibrating_person import Maker
from hardware.wiring_probe import open_probe

SLOW_US = 40_000
"""A terminal that takes so long to come round."""


class Typist(AtTerminal):
    """Sits at a simulated board, reads what is asked, and types."""

    def __init__(self, board: SimBoard, clock: VirtualClock) -> None:
        self.typed: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        super().__init__(self.typed, self._type)
        self._maker = Maker(board, seed=1)
        self._clock = clock

    def hear(self, request: Request) -> None:
        super().hear(request)
        self._maker.hear(request, self._clock.now_us())

    def _type(self, _: float) -> None:
        self._clock.advance_to(self._clock.now_us() + SLOW_US)
        said = self._maker.says(self._clock.now_us())
        if said is not None:
            self.typed.put(said)


@pytest.mark.slow
def test_a_whole_board_is_learnt_from_what_is_typed(capsys: pytest.CaptureFixture[str]) -> None:
    clock = VirtualClock()
    with closing(open_probe("sim-i2c:reference?seed=2", clock)) as bench:
        assert bench.sim is not None
        chips, pins = bench.wiring.chips, pins_of(bench.wiring.chips)
        places, squares = places_of(chips, pins), bench.wiring.leds.squares
        calibration = Calibration(places, squares, quick=True)
        reader = InputReader(chips, pins, bench.bus)
        talk(bench, calibration, reader, Typist(bench.sim.inner, clock))
    assert conclude(bench.wiring, pins, calibration).wiring
    asked = capsys.readouterr().err.splitlines()
    assert asked[:2] == [
        "Take everything off the board.",
        "Put the piece on a1.  (Enter: it stands there)",
    ]


def test_an_input_that_ends_too_early_is_said_and_one_at_the_last_request_is_enough() -> None:
    typed: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    person = AtTerminal(typed)
    person.hear(PutOn(SWITCH_BY_NAME["a1"]))
    assert person.says() is None
    typed.put(None)
    for _ in range(2):
        with pytest.raises(BoardError, match=r"ended before all was known; nothing is written"):
            person.says()
    person.hear(TryPieces())
    assert person.says() == ""
