"""What is wrong with the wires of the switches, one line each: square, chip and pin, remedy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from boardfw.squares import NAMES, Switch
from hardware.calibration.inputs import Inputs, Pin, inputs_in

AS_IT_IS = "the new file has it as it is, nothing needs soldering"


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that was found."""

    kind: str
    squares: tuple[Switch, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Remarks:
    """``places``: each square's input as the board file has it."""

    pins: Sequence[Pin]
    places: Mapping[Switch, int]

    def stuck(self, inputs: Inputs) -> Iterator[Fault]:
        """Inputs that read closed with nothing on the board."""
        was = {number: square for square, number in self.places.items()}
        for number in inputs_in(inputs):
            squares = (was[number],) if number in was else ()
            where = f" ({NAMES[squares[0]]} in the board file)" if squares else ""
            text = (
                f"{self._pin(number)}{where} reads closed with nothing on the board; look for a "
                "short to ground in its wire, a magnet left near its reed, or a reed that sticks"
            )
            yield Fault("stuck", squares, text)

    def missing(self, square: Switch, silent: Sequence[int], missing: int) -> Fault:
        """Nothing closes; ``silent``: inputs that never did, as many as squares are missing."""
        number = self.places.get(square)
        if number not in silent:
            number = silent[0] if missing == len(silent) == 1 else None
        if number is not None:
            where = f"follow its wire to {self._pin(number)}, which nothing closes"
        elif silent:
            some = ", ".join(map(self._pin, silent[:3]))
            where = f"its wire belongs on a pin that nothing closes, such as {some}"
        else:
            where = "no input is left over for it: its wire ends on another square's pin, or a chip"
            where += " is missing"
        text = f"{NAMES[square]}: nothing closes under a piece; look at its reed, and {where}"
        return Fault("missing", (square,), text)

    def shared(self, squares: Sequence[Switch], number: int, silent: Sequence[int]) -> Fault:
        """Several squares on one input."""
        own = [self.places[s] for s in squares if self.places.get(s) in silent] or silent
        free = f", such as {self._pin(own[0])}" if own else ""
        text = (
            f"{_names(squares)} close one input, {self._pin(number)}; give each a pin of its own"
            f"{free}"
        )
        return Fault("doubled", tuple(squares), text)

    def joined(self, squares: Sequence[Switch], numbers: Sequence[int]) -> Fault:
        """Squares that close the same several inputs."""
        text = (
            f"{_names(squares)} close {self._both(numbers)} together; their wires touch, or a "
            "magnet reaches too far: part the wires, or try a weaker piece"
        )
        return Fault("joined", tuple(squares), text)

    def bridged(self, square: Switch, numbers: Sequence[int]) -> Fault:
        """One square on several inputs."""
        text = (
            f"{NAMES[square]} closes {self._both(numbers)}; the new file reads one of them: take "
            "its wire off the others"
        )
        return Fault("bridged", (square,), text)

    def swapped(self, one: Switch, other: Switch, of_one: int, of_other: int) -> Fault:
        """Two squares that are on each other's input."""
        text = (
            f"{NAMES[one]} and {NAMES[other]} are exchanged: {NAMES[one]} is on "
            f"{self._pin(of_one)}, {NAMES[other]} on {self._pin(of_other)}; {AS_IT_IS}"
        )
        return Fault("swapped", (one, other), text)

    def moved(self, square: Switch, number: int) -> Fault:
        """A square on another input."""
        text = (
            f"{NAMES[square]} is on {self._pin(number)}, not on {self._pin(self.places[square])} "
            f"as the board file says; {AS_IT_IS}"
        )
        return Fault("moved", (square,), text)

    def rewired(self, squares: Sequence[Switch]) -> Fault:
        """Many squares on other inputs."""
        text = f"{len(squares)} squares are on other pins than the board file says; {AS_IT_IS}"
        return Fault("moved", tuple(squares), text)

    def _pin(self, number: int) -> str:
        return self.pins[number].name

    def _both(self, numbers: Sequence[int]) -> str:
        return " and ".join(map(self._pin, numbers))


def _names(squares: Sequence[Switch]) -> str:
    return " and ".join(NAMES[square] for square in sorted(squares))
