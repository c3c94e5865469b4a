"""A chessboard wired to an emulated machine: pieces close switches, the strip shows lights."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from pathlib import Path

from tests.pi.machine import Machine

FILES = "abcdefgh"
SQUARES = [f"{file}{rank}" for rank in range(1, 9) for file in FILES]
START = [square for square in SQUARES if square[1] in "1278"]
STRIP = [
    f"{file}{rank}" for rank in range(1, 9) for file in (FILES if rank % 2 else reversed(FILES))
]
"""The squares over the LEDs, the first LED first: back and forth along the ranks, from a1."""
READINGS = 8
"""How often a chip is read before the next touch: hands are slower than the firmware."""


class WiredBoard:
    """Switches of a board file on parts that are named after their addresses, as ``chip-20``."""

    def __init__(self, pi: Machine, board_file: Path) -> None:
        self._pi = pi
        self._pins: dict[str, tuple[str, int]] = {}
        for chip in tomllib.loads(board_file.read_text("utf-8"))["chips"]:
            ports = [chip[key] for key in (("a", "b") if "a" in chip else ("p0", "p1"))]
            for pin, square in enumerate(square for port in ports for square in port):
                if square:
                    self._pins[square] = (f"chip-{chip['address']:x}", pin)
        self.parts = sorted({part for part, _ in self._pins.values()})
        self._closed: set[str] = set()

    def place(self, squares: Iterable[str]) -> None:
        """Let pieces stand on these squares and no others."""
        self._closed = set(squares)
        for part in self.parts:
            self._tell(part)

    def touch(self, text: str) -> None:
        """Lift and put down pieces, as in ``-e2 +e4``, each once the one before has been seen."""
        for word in text.split():
            self.is_read(self.move(word))

    def move(self, word: str) -> str:
        """Lift or put down a piece, whether anybody looks or not; the chip that feels it."""
        sign, square = word[0], word[1:]
        (self._closed.add if sign == "+" else self._closed.remove)(square)
        part, _ = self._pins[square]
        self._tell(part)
        return part

    def is_read(self, part: str) -> None:
        """Wait until a chip has been read some times."""
        before = self._pi.get(part, "reads")
        self._pi.wait(
            f"{part} is not read", lambda: self._pi.get(part, "reads") >= before + READINGS
        )

    def lit(self) -> set[str]:
        """The squares whose LED is not dark."""
        shown = bytes.fromhex(self._pi.get("strip", "shown"))
        return {square for at, square in enumerate(STRIP) if any(shown[3 * at : 3 * at + 3])}

    def _tell(self, part: str) -> None:
        wired = [(square, pin) for square, (where, pin) in self._pins.items() if where == part]
        closed = sum(1 << pin for square, pin in wired if square in self._closed)
        self._pi.set(part, "closed", closed)
