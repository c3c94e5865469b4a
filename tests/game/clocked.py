"""A table with a chess clock, and what is read from it."""

from __future__ import annotations

from boardfw.game.clock import parse_control
from boardfw.game.timekeeper import ClockUse
from tests.dances import Table

MS_US = 1_000
SECOND_US = 1_000_000


def clocked(control: str = "60", fen: str | None = None, **use: bool) -> Table:
    """A table with a clock."""
    return Table(fen, clock=ClockUse(parse_control(control), **use))


def shown(table: Table) -> list[int]:
    """What both clocks show now, in milliseconds."""
    clock = table.session.course.time.clock
    assert clock is not None
    return [clock.remaining_us(color, table.t_us) // MS_US for color in (0, 1)]


def times(table: Table) -> list[tuple[int, int]]:
    """(left, taken) of each ply in milliseconds."""
    return [(one.left_us // MS_US, one.took_us // MS_US) for one in table.session.record.ply_times]
