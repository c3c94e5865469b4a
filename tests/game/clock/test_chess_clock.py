"""What holds for every clock whatever is done with it, and what each act means."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from boardfw.game.clock import ChessClock, TimeControl, parse_control

CONTROLS = [
    parse_control(text)
    for text in ("60", "60+2", "0+7", "60d3", "60b3", "3/60+1:40/30:60d5", "*60", "10y3x5", "0y1x9")
]
HOURGLASS = parse_control("*60")
SECOND_US = 1_000_000
WEEK_US = 7 * 24 * 3600 * SECOND_US

controls = st.sampled_from(CONTROLS)
instants = st.integers(0, 90 * SECOND_US)
acts = st.lists(st.tuples(st.sampled_from(["white", "black", "pause", "go on"]), instants))


def done(control: TimeControl, todo: list[tuple[str, int]]) -> tuple[ChessClock, int]:
    """A clock with which all this was done, after pauses of so many microseconds; and when."""
    clock, t_us = ChessClock.of(control), 0
    for act, after_us in todo:
        t_us += after_us // (1 + len(todo))
        if act in ("white", "black"):
            clock = clock.press(act == "black", t_us)
        else:
            clock = clock.pause(t_us) if act == "pause" else clock.go_on(t_us)
    return clock, t_us


def times(clock: ChessClock, t_us: int) -> list[int]:
    return [clock.remaining_us(color, t_us) for color in (0, 1)]


def shown(clock: ChessClock, t_us: int) -> list[int]:
    """What people read: whole seconds, tenths when there are few, both rounded up."""
    return [us if us == 0 else _rounded_up(us) for us in times(clock, t_us)]


def _rounded_up(time_us: int) -> int:
    step_us = SECOND_US if time_us > 10 * SECOND_US else SECOND_US // 10
    return -(-time_us // step_us) * step_us


# --- whatever is done


@example(CONTROLS[2], [("white", 0), ("pause", 28 * SECOND_US), ("go on", 0)], 0)
@given(controls, acts, instants)
def test_no_time_is_negative_and_the_flag_falls_when_it_says(
    control: TimeControl, todo: list[tuple[str, int]], later_us: int
) -> None:
    clock, t_us = done(control, todo)
    assert min(times(clock, t_us + later_us)) >= 0
    fallen = clock.flag_fallen(t_us + later_us)
    if fallen is not None:
        assert clock.remaining_us(fallen, t_us + later_us) == 0
        assert clock.press(fallen, t_us + later_us) == clock, "pressed too late"
    if clock.flag_us is not None:
        # A flag that fell at the instant of a pause falls again, at once, when the clock goes on.
        assert clock.flag_fallen(t_us) is not None or clock.flag_fallen(clock.flag_us - 1) is None
        assert clock.flag_fallen(clock.flag_us) == clock.turn
        assert clock.remaining_us(1 - clock.turn, clock.flag_us) > 0


@given(acts, instants)
def test_no_sand_is_lost(todo: list[tuple[str, int]], later_us: int) -> None:
    clock, t_us = done(HOURGLASS, todo)
    assert sum(times(clock, t_us + later_us)) == 120 * SECOND_US


@given(controls, acts, instants, instants)
def test_a_pause_costs_nothing(
    control: TimeControl, todo: list[tuple[str, int]], later_us: int, length_us: int
) -> None:
    clock, t_us = done(control, todo)
    clock = clock.go_on(t_us)
    paused = clock.pause(t_us + later_us)
    assert times(paused, t_us + later_us + length_us) == times(clock, t_us + later_us)
    resumed = paused.go_on(t_us + later_us + length_us)
    for after_us in (0, 1, 5 * SECOND_US):
        straight_us = t_us + later_us + after_us
        late_us = straight_us + length_us
        assert times(resumed, late_us) == times(clock, straight_us)
        assert resumed.flag_fallen(late_us) == clock.flag_fallen(straight_us)
        pressed, straight = (
            resumed.press(clock.turn, late_us),
            clock.press(clock.turn, straight_us),
        )
        assert pressed.sides == straight.sides


@given(controls, acts, instants)
def test_only_the_player_to_move_can_press(
    control: TimeControl, todo: list[tuple[str, int]], later_us: int
) -> None:
    clock, t_us = done(control, [("white", 0), *todo])
    assert clock.press(1 - clock.turn, t_us + later_us) == clock
    pressed = clock.press(clock.turn, t_us + later_us)
    if pressed != clock:
        assert (pressed.turn, pressed.presses) == (1 - clock.turn, clock.presses + 1)
        assert pressed.is_running, "pressing ends a pause"


@given(controls, acts, instants)
def test_nothing_shown_changes_before_it_is_said_to(
    control: TimeControl, todo: list[tuple[str, int]], later_us: int
) -> None:
    clock, t_us = done(control, todo)
    t_us += later_us
    change_us = clock.next_change_us(t_us)
    if change_us is None:
        assert shown(clock, t_us) == shown(clock, t_us + 1_000 * SECOND_US)
        return
    assert change_us > t_us
    assert shown(clock, t_us) == shown(clock, change_us - 1)
    is_other = shown(clock, change_us) != shown(clock, t_us)
    assert is_other or clock.flag_us == change_us


@given(controls, acts)
def test_what_was_is_kept(control: TimeControl, todo: list[tuple[str, int]]) -> None:
    clock, t_us = done(control, todo)
    before = times(clock, t_us)
    clock.press(0, t_us).press(1, t_us).pause(t_us + 5).go_on(t_us + 9)
    assert times(clock, t_us) == before


@pytest.mark.slow
def test_nothing_drifts_in_a_week() -> None:
    chance, t_us, thought_us, plies = Random(7), 0, [0, 0], 0
    clock = ChessClock.of(parse_control("999999+0.333333")).press(1, 0)
    while t_us < WEEK_US:
        color = clock.turn
        spent_us = chance.randrange(1, 20 * SECOND_US)
        if plies % 7 == 0:  # a pause of any length changes nothing
            paused_us = t_us + spent_us // 3
            clock = clock.pause(paused_us).go_on(paused_us + 1_234_567)
            t_us += 1_234_567
        t_us += spent_us
        thought_us[color] += spent_us
        clock = clock.press(color, t_us)
        plies += 1
    assert plies > 50_000
    given_us = [999_999 * SECOND_US + 333_333 * (side.moves + 1) for side in clock.sides]
    assert times(clock, t_us) == [given_us[0] - thought_us[0], given_us[1] - thought_us[1]]


# --- what each act means


def test_the_first_press_starts_the_clock_and_costs_nothing() -> None:
    clock = ChessClock.of(parse_control("60"))
    assert times(clock, WEEK_US) == [60 * SECOND_US] * 2, "it stands"
    assert (clock.flag_us, clock.flag_fallen(WEEK_US), clock.next_change_us(5)) == (
        None,
        None,
        None,
    )
    clock = clock.press(0, 100 * SECOND_US)
    assert times(clock, 110 * SECOND_US) == [60 * SECOND_US, 50 * SECOND_US]
    assert clock.presses == 1


def test_the_other_player_may_set_the_first_time_going() -> None:
    clock = ChessClock.of(parse_control("60")).press(1, 100 * SECOND_US)
    assert times(clock, 110 * SECOND_US) == [50 * SECOND_US, 60 * SECOND_US]
    assert clock.presses == 0


def test_black_may_be_the_first_to_move() -> None:
    clock = ChessClock.of(parse_control("60"), turn=1).press(1, 0)
    assert times(clock, 10 * SECOND_US) == [50 * SECOND_US, 60 * SECOND_US]


def test_going_on_starts_nothing_that_has_not_begun() -> None:
    clock = ChessClock.of(parse_control("60"))
    assert clock.pause(5).go_on(9).flag_us is None


@pytest.mark.parametrize("late_us", [0, 1, WEEK_US])
def test_a_flag_stays_fallen(late_us: int) -> None:
    clock = ChessClock.of(parse_control("60")).press(1, 0)
    t_us = 60 * SECOND_US + late_us
    for after in (clock, clock.press(0, t_us), clock.pause(t_us), clock.pause(t_us).go_on(t_us)):
        assert after.flag_fallen(t_us + late_us) == 0
        assert times(after, t_us + late_us) == [0, 60 * SECOND_US]
    assert clock.press(0, 60 * SECOND_US - 1).flag_fallen(60 * SECOND_US) is None


def test_a_press_dated_before_the_time_began_to_run_takes_no_time() -> None:
    clock = ChessClock.of(parse_control("60")).press(0, 10).press(1, 5)
    assert times(clock, 10) == [60 * SECOND_US] * 2
    assert times(clock, 11) == [60 * SECOND_US - 1, 60 * SECOND_US]
