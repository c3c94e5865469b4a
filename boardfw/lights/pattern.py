"""Pictures over the whole matrix: the letters of the men, and the end of a game."""

from __future__ import annotations

from boardfw.squares import Occupancy, file_of, rank_of, square_at


def _drawn(picture: str) -> Occupancy:
    """Squares of the ``#`` of eight lines of eight, the eighth rank first."""
    rows = picture.split()
    return sum(
        1 << square_at(file, 7 - row)
        for row, line in enumerate(rows)
        for file, mark in enumerate(line)
        if mark == "#"
    )


# Strokes two lights wide: a stroke of one is lost between the men that stand on it.
LETTERS: dict[str, Occupancy] = {
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

HALVES: tuple[Occupancy, Occupancy] = (0x0000_0000_FFFF_FFFF, 0xFFFF_FFFF_0000_0000)
"""Ranks 1 to 4, ranks 5 to 8: the half of each colour."""

EDGE: Occupancy = 0xFF81_8181_8181_81FF
"""The squares round the board."""

EQUALS: Occupancy = _drawn("""
    ........
    .######.
    .######.
    ........
    ........
    .######.
    .######.
    ........
""")


def _ring(distance: int) -> Occupancy:
    """Squares so far from the edge of the board."""
    return sum(
        1 << square
        for square in range(64)
        if min(file_of(square), 7 - file_of(square), rank_of(square), 7 - rank_of(square))
        == distance
    )


RINGS: tuple[Occupancy, ...] = tuple(_ring(distance) for distance in range(4))
"""From the edge of the board to its centre: its good-bye."""
