"""A table with a chess clock, and what is read from it."""

from __future__ import annotations

from boardfw.game.clock import ClockUse, parse_control
from boardfw.game.timekeeper import Timekeeper
from tests.dances import Table

MS_US = 1_000
SECOND_US = 1_000_000


def clocked(control: str = "60", fen: str | None = None, **use: bool) -> Table:
    """A table with a clock."""
    return Table(fen, clock=ClockUse(parse_control(control), **use))


def shown(table: Table) -> list[int]:
    """What both clocks show now, in milliseconds."""
    clock = table.session.course.clock
    assert clock is not None
    return [clock.remaining_us(color, table.t_us) // MS_US for color in (0, 1)]


def time_of(table: Table) -> Timekeeper:
    """What keeps the time of the game."""
    assert table.session.course.time is not None
    return table.session.course.time


def flag_of(table: Table) -> int:
    """When a flag falls as the clock stands."""
    flag_us = time_of(table).clock.flag_us
    assert flag_us is not None
    return flag_us


def times(table: Table) -> list[tuple[int, int]]:
    """(left, taken) of each ply in milliseconds."""
    return [
        (left_us // MS_US, took_us // MS_US)
        for left_us, took_us in table.session.record.ply_times
        if left_us is not None and took_us is not None
    ]
