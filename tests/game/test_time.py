"""Time is an argument: what is said depends on what happened, not on how often ticks come."""

from __future__ import annotations

import pytest

from boardfw.accuracy.games import random_game
from boardfw.game.clock import ClockUse, parse_control
from boardfw.game.events import Action, Ended, Lifted, Tick
from boardfw.game.session import Session
from boardfw.recording import Scan
from hardware.sim.record import Simulated
from tests.hands import KINDS, hands_play

TICK_US = 20_000
PLENTY = ClockUse(parse_control("9000"))
SHORT = ClockUse(parse_control("5+0.1"))


def heard(
    simulated: Simulated, *, dense: bool = False, clock: ClockUse | None = None
) -> list[Action]:
    """What a session says to the scans; ``dense``: it is told the time every 20 ms as well."""
    return watched(simulated, dense=dense, clock=clock)[0]


def watched(
    simulated: Simulated, *, dense: bool = False, clock: ClockUse | None = None
) -> tuple[list[Action], Session]:
    session = Session(clock=clock)
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
        said += session.handle(Tick(t_us) if occupancy is None else Scan(t_us, occupancy))
    return said, session


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_ticks_that_were_not_asked_for_change_nothing(kind: str) -> None:
    simulated = hands_play(random_game(5, 24), kind, 5)
    sparse, dense = heard(simulated, dense=False), heard(simulated, dense=True)
    assert sparse == dense
    assert any(isinstance(action, Lifted) for action in sparse)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_clock_changes_nothing_but_the_end_on_time(kind: str) -> None:
    simulated = hands_play(random_game(5, 24), kind, 5)
    untimed = heard(simulated)
    assert heard(simulated, clock=PLENTY) == untimed
    sparse, dense = (heard(simulated, dense=dense, clock=SHORT) for dense in (False, True))
    assert sparse == dense
    end = next(action for action in sparse if isinstance(action, Ended))
    assert end.termination == "time"
    before = [action for action in sparse if action.t_us < end.t_us]
    assert before == untimed[: len(before)]


@pytest.mark.parametrize("kind", ["careful", "club"])
def test_the_clock_is_pressed_when_the_hands_put_the_piece_down(kind: str) -> None:
    simulated = hands_play(random_game(6, 24), kind, 6)
    _, session = watched(simulated, clock=PLENTY)
    taken_us = session.record.took_us
    assert len(taken_us) == 24
    first, *_ = simulated.gestures
    for number, gesture in enumerate(simulated.gestures):
        pressed_us = sum(taken_us[: number + 1])
        # A magnet closes the switch before its piece stands, the earlier the slower it comes; and
        # the hand may straighten the piece before it leaves.
        late_us = pressed_us - (gesture.landed_us - first.landed_us)
        assert -150_000 < late_us < 150_000 + gesture.end_us - gesture.landed_us
