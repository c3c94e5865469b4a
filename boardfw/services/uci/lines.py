"""Lines out of bytes that arrive in pieces, bounded whatever an engine sends."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

LONGEST_LINE = 16_384
"""Bytes. A principal variation of 250 plies is 1.3 kB, and a path may be 4 kB."""
SHOWN = 60
"""How many bytes of a line that is too long are kept, to be shown."""


@dataclass(frozen=True, slots=True)
class Overlong:
    """A line that was too long, and is thrown away but for its beginning."""

    beginning: str


class LineSplitter:
    """Puts lines together; it never holds more than one line of the longest."""

    def __init__(self, longest: int = LONGEST_LINE) -> None:
        self._longest = longest
        self._begun = bytearray()
        self._is_skipping = False

    def feed(self, data: bytes) -> Iterator[str | Overlong]:
        """The lines that these bytes complete, without their ends, oldest first."""
        *ended, rest = data.split(b"\n")
        for part in ended:
            self._append(part)
            yield self._line()
        self._append(rest)

    def _append(self, part: bytes) -> None:
        if self._is_skipping:
            return
        self._is_skipping = len(self._begun) + len(part) > self._longest
        self._begun += part[:SHOWN] if self._is_skipping else part

    def _line(self) -> str | Overlong:
        text = self._begun.decode("utf-8", "replace")
        was_skipping, self._is_skipping = self._is_skipping, False
        self._begun.clear()
        return Overlong(text[:SHOWN]) if was_skipping else text.rstrip("\r")
