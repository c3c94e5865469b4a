"""The desk: lights that dim when the board is idle, wake at a touch, and never hide trouble."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardfw.frame import DARK, Frame
from boardfw.game.build_view import look
from boardfw.game.clock import ClockUse, parse_control
from boardfw.game.events import Event, Outage, Restored, Tick
from boardfw.game.session import Session
from boardfw.lights.cue import Cue
from boardfw.lights.patterns import STEP_US
from boardfw.lights.render import Dimming
from boardfw.recording import Press, Scan
from boardfw.rules import BLACK, WHITE
from boardfw.shell.config import LightSettings, Settings
from boardfw.shell.desk import Desk
from boardfw.squares import EVERY_SWITCH, START, SWITCH_BY_NAME, Switch
from tests.lights.shown import current_ma

S = 1_000_000
DIM_S, OFF_S = 300, 3600
E2, E4, G1, H4 = (1 << SWITCH_BY_NAME[name] for name in ("e2", "e4", "g1", "h4"))
PLAYED = START ^ E2 ^ E4
DONE_US = 10 * S
"""By then the first ply is played and final, and the board has come to rest."""

TOUCHED = [SWITCH_BY_NAME[name] for name in ("e2", "e4", "d2", "g8", "f6", "e8")]

idle = st.one_of(st.none(), st.integers(1, 10_000_000))


@given(idle, idle, st.integers(0, 12_000_000), st.integers(0, 12_000_000))
def test_lights_only_get_darker_and_only_when_they_said_they_would(
    dim_us: int | None, off_us: int | None, one_us: int, other_us: int
) -> None:
    dimming = Dimming(dim_us, off_us)
    earlier, later = sorted((one_us, other_us))
    assert dimming.level(0) == 1
    assert dimming.level(earlier) >= dimming.level(later)
    change_us = dimming.next_change_us(earlier)
    if change_us is None or later < change_us:
        assert dimming.level(later) == dimming.level(earlier)
    else:
        assert dimming.level(change_us) < dimming.level(change_us - 1) == dimming.level(earlier)


def desk_after(*events: Event, clock: str = "none", lights: LightSettings | None = None) -> Desk:
    use = None if clock == "none" else ClockUse(parse_control(clock))
    desk = Desk(Session(clock=use), Settings(lights=lights or LightSettings()))
    for event in events:
        while desk.deadline_us is not None and desk.deadline_us < event.t_us:
            desk.take(Tick(desk.deadline_us))
        desk.take(event)
    return desk


def played(clock: str = "none", lights: LightSettings | None = None) -> Desk:
    """One ply, and the board at rest."""
    scans = (Scan(0, START), Scan(S, START ^ E2), Scan(2 * S, PLAYED))
    return desk_after(*scans, Tick(DONE_US), clock=clock, lights=lights)


def lit(frame: Frame) -> set[int]:
    return {square for square in EVERY_SWITCH if any(frame[square])}


def changes_us(desk: Desk, since_us: int, until_us: int) -> list[int]:
    """When the desk wants to draw again."""
    found, t_us = [], since_us
    while (next_us := desk.next_frame_us(t_us)) is not None and next_us <= until_us:
        found.append(next_us)
        t_us = next_us
    return found


def awake_us(desk: Desk, now_us: int = DONE_US) -> int:
    """The last time that the lights had something new to say."""
    (dims_us, off_us) = changes_us(desk, now_us, now_us + 2 * OFF_S * S)
    assert off_us - dims_us == (OFF_S - DIM_S) * S
    return dims_us - DIM_S * S


def test_the_last_move_dims_and_goes_out_and_nothing_is_drawn_in_between() -> None:
    desk = played()
    since_us = awake_us(desk)
    assert 2 * S <= since_us <= DONE_US
    bright = desk.frame(DONE_US)
    dimmed = desk.frame(since_us + DIM_S * S)
    assert desk.frame(since_us + DIM_S * S - 1) == bright
    assert lit(dimmed) == lit(bright) == {SWITCH_BY_NAME["e2"], SWITCH_BY_NAME["e4"]}
    assert current_ma(dimmed) < current_ma(bright)
    assert desk.frame(since_us + OFF_S * S) == DARK


@pytest.mark.parametrize("idle_s", [DIM_S + 1, OFF_S + 1])
@pytest.mark.parametrize("touch", ["a piece", "a button"])
def test_a_touch_wakes_them_at_once(idle_s: int, touch: str) -> None:
    desk = played()
    bright, t_us = desk.frame(DONE_US), DONE_US + idle_s * S
    assert desk.frame(t_us) != bright
    desk.take(Press(t_us, "hint") if touch == "a button" else Scan(t_us, PLAYED ^ G1))
    assert desk.frame(t_us) == bright
    assert awake_us(desk, t_us) == t_us


def test_a_scan_that_reads_the_same_wakes_nobody() -> None:
    desk = played()
    t_us = DONE_US + OFF_S * S
    desk.take(Scan(t_us, PLAYED))
    assert desk.frame(t_us) == DARK


@pytest.mark.parametrize("trouble", ["a mismatch", "an outage", "a running clock"])
@given(idle_s=st.integers(OFF_S, 50 * OFF_S))
def test_trouble_is_never_put_out(trouble: str, idle_s: int) -> None:
    if trouble == "a running clock":
        desk = played(clock="604800")
    else:
        desk = played()
        if trouble == "a mismatch":
            desk.take(Scan(DONE_US, PLAYED ^ G1 ^ H4))
            desk.take(Tick(DONE_US + S))
            desk.take(Tick(DONE_US + 2 * S))
        else:
            desk.take(Outage(DONE_US, E4, "a cable"))
    t_us = DONE_US + 2 * S
    period_us = STEP_US * math.lcm(*(len(cue.look.rhythm) for cue in Cue))
    assert lit(desk.frame(t_us))
    assert desk.frame(t_us + idle_s * period_us) == desk.frame(t_us)


def test_what_is_over_stays_lit_for_its_time() -> None:
    desk = played()
    desk.take(Outage(DONE_US, E4, "a cable"))
    over_us = DONE_US + 2 * OFF_S * S
    desk.take(Restored(over_us))
    desk.take(Scan(over_us, PLAYED, over_us))
    assert lit(desk.frame(over_us + DIM_S * S - S)) == {SWITCH_BY_NAME["e2"], SWITCH_BY_NAME["e4"]}
    assert desk.frame(over_us + OFF_S * S) == DARK


def test_a_fallen_flag_is_shown_and_then_dimmed_like_every_end() -> None:
    desk = played(clock="60")
    fallen_us = DONE_US + 60 * S
    while desk.deadline_us is not None and desk.deadline_us < fallen_us:
        desk.take(Tick(desk.deadline_us))
    assert desk.view.outcome is not None
    assert lit(desk.frame(fallen_us + S))
    assert desk.frame(fallen_us + OFF_S * S) == DARK


def test_nought_is_never() -> None:
    lights = LightSettings(dim_after_s=0, off_after_s=0)
    desk = played(lights=lights)
    assert desk.next_frame_us(DONE_US) is None
    assert desk.frame(DONE_US + 100 * OFF_S * S) == desk.frame(DONE_US)


@given(
    st.lists(st.tuples(st.sampled_from(TOUCHED), st.integers(1, 9_000)), max_size=40),
    st.sampled_from([0, 1, 3]),
)
def test_what_is_shown_is_never_out_of_date(touches: list[tuple[Switch, int]], level: int) -> None:
    desk = Desk(Session(), Settings())
    desk.take(Scan(0, START))
    for color in (WHITE, BLACK):
        desk.help(color, level)
    now_us, standing = 0, START
    for square, gap_ms in touches:
        now_us, standing = now_us + gap_ms * 1000, standing ^ 1 << square
        while desk.deadline_us is not None and desk.deadline_us < now_us:
            desk.take(Tick(desk.deadline_us))
            assert desk.view == look(desk.session, desk.help_policy)
        desk.take(Scan(now_us, standing))
        assert desk.view == look(desk.session, desk.help_policy)


def test_the_board_is_calm_while_no_hand_holds_a_piece() -> None:
    began = (Scan(0, START), Tick(S))
    held = (*began, Scan(2 * S, START ^ E2), Tick(3 * S))
    put_down = (*held, Scan(4 * S, PLAYED), Tick(5 * S))
    astray = (*put_down, Scan(6 * S, PLAYED ^ G1 ^ H4), Tick(7 * S))
    assert [desk_after(*events).is_calm for events in (began, held, put_down, astray)] == [
        True,
        False,
        True,
        False,
    ]
