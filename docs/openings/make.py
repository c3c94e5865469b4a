"""Make the table of openings, boardfw/notation/openings.bin, from A.tsv to E.tsv in this folder.

``make docs`` runs it; see README.md in this folder.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from boardfw.notation.opening_names import Opening, fingerprint
from boardfw.notation.san import parse_san
from boardfw.rules.position import Position

HERE = Path(__file__).resolve().parent
TABLE = HERE.parents[1] / "boardfw" / "notation" / "openings.bin"
MOVE_NUMBER = re.compile(r"\d+\.+")


class Line(NamedTuple):
    """An opening and moves in SAN that lead to its position."""

    opening: Opening
    moves: tuple[str, ...]


def read_lines(folder: Path = HERE) -> Iterator[Line]:
    """The lines of the five volumes: code, name and moves, with tabs between them."""
    for volume in "ABCDE":
        for row in (folder / f"{volume}.tsv").read_text(encoding="utf-8").splitlines():
            code, name, moves = row.split("\t")
            yield Line(Opening(code, name), tuple(MOVE_NUMBER.sub(" ", moves).split()))


def after(moves: Iterable[str]) -> Position:
    """The position to which moves in SAN lead."""
    position = Position.start()
    for move in moves:
        position = position.play(parse_san(position, move))
    return position


def table(lines: Iterable[Line]) -> bytes:
    """The table of these lines as bytes. Raises ValueError if two of them lead to one position.

    The same if two positions have the same fingerprint.
    """
    named: dict[int, Opening] = {}
    for opening, moves in lines:
        other = named.setdefault(fingerprint(after(moves)), opening)
        if other is not opening:
            raise ValueError(f"{' '.join(opening)}: its position is already {' '.join(other)}")
    return format_table(named)


def format_table(named: Mapping[int, Opening]) -> bytes:
    """The bytes of a table in which these fingerprints have these names."""
    lines = sorted({" ".join(opening) for opening in named.values()})
    numbers = {line: number for number, line in enumerate(lines)}
    count, rising = len(named), sorted(named)
    return b"".join(
        (
            struct.pack(f"<H{count}Q", count, *rising),
            struct.pack(f"<{count}H", *(numbers[" ".join(named[one])] for one in rising)),
            zlib.compress("\n".join(lines).encode(), 9),
        )
    )


if __name__ == "__main__":
    TABLE.write_bytes(table(read_lines()))
