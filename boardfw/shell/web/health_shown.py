"""How the board is, as a page shows it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from boardfw.sensing.health import Verdict
from boardfw.services.web.api import BoardHealth, SwitchHealth
from boardfw.shell.desk import Desk
from boardfw.squares import EVERY_SWITCH, NAMES

FINE = (Verdict.GOOD, Verdict.UNTRIED)
SECOND_US = 1_000_000


def health_of(desk: Desk, troubles: Callable[[], Mapping[str, int]]) -> BoardHealth:
    """The switches that have moved or are in trouble, by the squares over them, and what is wrong.

    ``troubles``: failures of the bus, by what they were.
    """
    session, view = desk.session, desk.view
    stuck = view.orientation.switches(view.stuck)
    squares: dict[str, SwitchHealth] = {}
    notes: list[str] = []
    for switch in EVERY_SWITCH:
        health, is_stuck = session.health[switch], bool(stuck >> switch & 1)
        name = NAMES[view.orientation.square(switch)]
        if health.verdict not in FINE:
            notes.append(f"the switch of {name} {health.verdict.value}")
        if is_stuck:
            notes.append(f"the switch of {name} is stuck; play goes on without it")
        if health.moved or health.lost or is_stuck:
            squares[name] = SwitchHealth(
                touches=health.moved,
                bounce_us=health.bounce_us,
                longest_bounce_us=health.longest_bounce_us,
                short=health.lost,
                verdict=health.verdict.value,
                stuck=is_stuck,
            )
    return BoardHealth(
        squares=squares,
        scan_hz=SECOND_US // desk.settings.scan.period_us,
        bus_errors=dict(troubles()),
        notes=[*notes, *view.late, *filter(None, [view.unwritten])],
    )
