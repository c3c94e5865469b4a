"""Patterns of light in time (rhythms) and over the whole matrix (letters, halves, rings).

A rhythm is a table of levels, one for every 20 ms. Rhythms run on the absolute time of the
session, so all lights with one rhythm beat together, and a frame depends on the time alone.
"""

from __future__ import annotations

import math
from typing import TypeAlias

from boardfw.squares import EVERY_SQUARE, Bitboard, file_of, rank_of, square_at

STEP_US = 20_000  # 50 frames a second: a fade looks smooth; 64 WS281x take 2.2 ms of it to send
STEP_MS = STEP_US // 1000

MAX_FLASHES_PER_S = 3  # WCAG 2.3.1, "three flashes or below threshold"


Rhythm: TypeAlias = tuple[float, ...]
"""Lightness 0..1 (as the eye sees it) in each 20 ms of one period."""


def _swell(period_ms: int, floor: float) -> Rhythm:
    """A smooth rise and fall; begins at the top, so that a new light is seen at once."""
    steps = period_ms // STEP_MS
    height = (1 - floor) / 2
    levels = (floor + height * (1 + math.cos(2 * math.pi * i / steps)) for i in range(steps))
    return tuple(round(level, 3) for level in levels)


def _glow(lit_ms: int, dark_ms: int) -> Rhythm:
    """A smooth rise and fall out of the dark, and a long rest in it."""
    rise = _swell(lit_ms, floor=0)
    half = len(rise) // 2
    return rise[half:] + rise[:half] + (0.0,) * (dark_ms // STEP_MS)


def _switch(*phases: tuple[int, float]) -> Rhythm:
    """Hard changes: (milliseconds, level) one after the other."""
    return tuple(level for ms, level in phases for _ in range(ms // STEP_MS))


def _rise(rise_ms: int, floor: float) -> Rhythm:
    """An even rise, again and again."""
    steps = rise_ms // STEP_MS
    return tuple(round(floor + (1 - floor) * (i + 1) / steps, 3) for i in range(steps))


def _runs(squares: int, square_ms: int) -> tuple[Rhythm, ...]:
    """A light that runs along so many squares and begins again; its path is never quite dark."""
    trail = (1.0, 0.5) + (0.2,) * (squares - 2)
    return tuple(
        _switch(*((square_ms, trail[i - first]) for i in range(squares)))
        for first in range(squares)
    )


STEADY: Rhythm = (1.0,)
PULSE = _swell(1000, floor=0.4)
BREATH = _swell(1400, floor=0.2)
BLINK = _switch((400, 1.0), (400, 0.0))
GLOW = _glow(1200, 1800)
SIGN = _glow(1800, 1200)
HEARTBEAT = _switch((160, 1.0), (160, 0.3), (160, 1.0), (720, 0.3))
WINK = _switch((1100, 1.0), (140, 0.3), (160, 1.0), (140, 0.3))
RUNS = _runs(squares=6, square_ms=200)
RISE = _rise(1500, floor=0.2)
TWICE = _switch((200, 1.0), (200, 0.3), (200, 1.0), (1800, 0.3))
KNOCK = _switch((120, 1.0), (180, 0.3), (120, 1.0), (2580, 0.3))
TWINKLES = (
    _switch((500, 1.0), (500, 0.45)),
    _switch((500, 0.45), (500, 1.0)),
)
LEAN = _switch((700, 1.0), (300, 0.0))
SWAY = _switch((340, 1.0), (320, 0.0))


def _drawn(picture: str) -> Bitboard:
    """Squares of the ``#`` of eight lines of eight, the eighth rank first."""
    rows = picture.split()
    return sum(
        1 << square_at(file, 7 - row)
        for row, line in enumerate(rows)
        for file, mark in enumerate(line)
        if mark == "#"
    )


# Strokes two lights wide: a stroke of one is lost between the pieces that stand on it.
LETTERS: dict[str, Bitboard] = {
    "Q": _drawn("""
        ..####..
        .##..##.
        .##..##.
        .##..##.
        .##..##.
        .##.###.
        ..####..
        .....##.
    """),
    "N": _drawn("""
        ##....##
        ###...##
        ####..##
        ##.##.##
        ##..####
        ##...###
        ##....##
        ##....##
    """),
    "R": _drawn("""
        .#####..
        .##..##.
        .##..##.
        .#####..
        .####...
        .##.##..
        .##..##.
        .##..##.
    """),
    "K": _drawn("""
        ##...##.
        ##..##..
        ##.##...
        ####....
        ####....
        ##.##...
        ##..##..
        ##...##.
    """),
    "P": _drawn("""
        .#####..
        .##..##.
        .##..##.
        .#####..
        .##.....
        .##.....
        .##.....
        .##.....
    """),
    "B": _drawn("""
        .#####..
        .##..##.
        .##..##.
        .#####..
        .##..##.
        .##..##.
        .##..##.
        .#####..
    """),
}
"""The letters as White reads them."""

HALVES: tuple[Bitboard, Bitboard] = (0x0000_0000_FFFF_FFFF, 0xFFFF_FFFF_0000_0000)
"""Ranks 1 to 4 and ranks 5 to 8: White's half and Black's half."""

EDGE: Bitboard = 0xFF81_8181_8181_81FF
"""The squares round the board."""

EQUALS: Bitboard = _drawn("""
    ........
    .######.
    .######.
    ........
    ........
    .######.
    .######.
    ........
""")


def _ring(distance: int) -> Bitboard:
    """The squares at this distance from the edge of the board."""
    return sum(
        1 << square
        for square in EVERY_SQUARE
        if min(file_of(square), 7 - file_of(square), rank_of(square), 7 - rank_of(square))
        == distance
    )


RINGS: tuple[Bitboard, ...] = tuple(_ring(distance) for distance in range(4))
"""Rings from the edge of the board to its centre, shown one after the other at the good-bye."""
