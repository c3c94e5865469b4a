"""Time is an argument: what is said depends on what happened, not on how often somebody ticks."""

from __future__ import annotations

import pytest

from boardfw.cli.accuracy.games import random_game
from boardfw.game.events import Action, Lifted, Sample, Tick
from boardfw.game.session import Session
from hardware.sim.record import Simulated
from tests.hands import KINDS, hands_play

TICK_US = 20_000


def heard(simulated: Simulated, *, dense: bool) -> list[Action]:
    """What a session says to the scans; ``dense``: it is told the time every 20 ms as well."""
    session = Session()
    said: list[Action] = []
    for t_us, occupancy in [*simulated.scans, (simulated.end_us, None)]:
        now_us = session.t_us
        while True:
            due_us = session.deadline_us
            next_us = min(due_us or t_us, now_us - now_us % TICK_US + TICK_US if dense else t_us)
            if next_us >= t_us:
                break
            now_us = next_us
            said += session.handle(Tick(now_us))
        said += session.handle(Tick(t_us) if occupancy is None else Sample(t_us, occupancy))
    return said


@pytest.mark.parametrize("kind", KINDS)
def test_ticks_that_nobody_asked_for_change_nothing(kind: str) -> None:
    simulated = hands_play(random_game(5, 24), kind, 5)
    sparse, dense = heard(simulated, dense=False), heard(simulated, dense=True)
    assert sparse == dense
    assert any(isinstance(action, Lifted) for action in sparse)
