"""An address as a QR code in signs of a terminal, so that a phone need not type it."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec

QUIET = 2
"""Light modules around it; readers of phones need no more."""
HALVES = {(0, 0): " ", (1, 0): "▀", (0, 1): "▄", (1, 1): "█"}
"""By the upper and the lower module: dark ones are drawn, in black on white."""
WHOLE = "http://"
NEAR = "http://localhost"
"""Such an address leads no other device anywhere."""


def qr_lines(address: str) -> list[str]:
    """The code of an address, a line for two rows of modules.

    Empty where no other device could open the address, and where the library segno is missing.
    """
    is_whole = address.startswith(WHOLE) and not address.startswith(NEAR)
    if not is_whole or find_spec("segno") is None:
        return []
    import segno

    rows = [tuple(row) for row in segno.make_qr(address, error="l").matrix_iter(border=QUIET)]
    return list(_lines(rows))


def _lines(rows: list[tuple[int, ...]]) -> Iterator[str]:
    light = (0,) * len(rows[0])
    lower = [*rows[1::2], light]
    for upper, below in zip(rows[::2], lower, strict=False):
        yield "".join(HALVES[pair] for pair in zip(upper, below, strict=True))
