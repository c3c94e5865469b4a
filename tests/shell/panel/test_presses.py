"""Short and long presses, whenever the buttons are read."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from boardfw.ports import Pressed
from boardfw.shell.panel.buttons import LONG_US, UP_US, Meaning, Presses

SHORT: dict[str, Meaning] = {"new_game": "new_game", "draw": "draw", "clock_white": "clock_white"}
LONG: dict[str, Meaning] = {"new_game": "shut_down", "draw": "claim", "clock_white": ""}
LONGEST_LOOK_US = 200_000
"""The longest time between two readings."""


class Finger:
    """Presses buttons at some instants, and reads them at others."""

    def __init__(self, touches: list[tuple[str, int, int]]) -> None:
        """``touches``: button, when it is pressed, when it is let go."""
        self.touches = touches

    def look(self, since_us: int, t_us: int) -> tuple[list[str], set[str]]:
        """What was pressed after the last look, what is down at this one."""
        pressed = [name for name, down_us, _ in self.touches if since_us < down_us <= t_us]
        return pressed, {name for name, down_us, up_us in self.touches if down_us <= t_us < up_us}


def said(touches: list[tuple[str, int, int]], looks_us: list[int]) -> list[tuple[int, Pressed]]:
    """What was meant, and when it was known; one looks on until all is over."""
    presses, finger, last_us = Presses(SHORT, LONG), Finger(touches), -1
    answers = []
    end_us = max((up_us for *_, up_us in touches), default=0)
    times_us = sorted({t for t in looks_us if t <= end_us} | {end_us, end_us + UP_US})
    for t_us in times_us:
        answers += [(t_us, meaning) for meaning in presses.take(t_us, *finger.look(last_us, t_us))]
        last_us = t_us
    assert not presses.down, "all is over"
    return answers


@st.composite
def evenings(draw: st.DrawFn) -> tuple[list[tuple[str, int, int]], list[int]]:
    """One touch after the other, and the instants at which they are read."""
    touches, t_us = [], 0
    for _ in range(draw(st.integers(0, 5))):
        down_us = t_us + draw(st.integers(1, 3_000_000))
        t_us = down_us + draw(st.integers(1, 4_000_000))
        touches.append((draw(st.sampled_from(sorted(SHORT))), down_us, t_us))
        t_us += UP_US + 2 * LONGEST_LOOK_US
    gaps_us = draw(st.lists(st.integers(1_000, LONGEST_LOOK_US), min_size=1, max_size=40))
    looks_us, at_us, count = [], 0, 0
    while at_us < t_us:
        at_us += gaps_us[count % len(gaps_us)]
        count += 1
        looks_us.append(at_us)
    return touches, looks_us


@given(evenings())
def test_each_press_means_one_thing_and_in_its_order(
    evening: tuple[list[tuple[str, int, int]], list[int]],
) -> None:
    touches, looks_us = evening
    meanings = [meaning for _, meaning in said(touches, looks_us)]
    assert len(meanings) == len(touches)
    for (name, down_us, up_us), meaning in zip(touches, meanings, strict=True):
        held_us = up_us - down_us
        allowed = {SHORT[name], LONG[name]} - {""}
        if held_us < LONG_US:
            allowed = {SHORT[name]}
        elif held_us >= LONG_US + 2 * LONGEST_LOOK_US and LONG[name]:
            allowed = {LONG[name]}
        assert meaning in allowed


@given(st.integers(1, 1_000_000), st.integers(2_000, 20_000))
def test_a_long_press_is_answered_while_the_finger_is_still_there(
    down_us: int, period_us: int
) -> None:
    looks_us = list(range(0, down_us + 3_000_000, period_us))
    ((known_us, meaning),) = said([("new_game", down_us, down_us + 2_500_000)], looks_us)
    assert meaning == "shut_down"
    # It is known to be down from the first look after that on.
    assert LONG_US <= known_us - down_us <= LONG_US + 2 * period_us


def test_a_button_with_one_meaning_acts_when_it_is_pressed() -> None:
    presses = Presses(SHORT, LONG)
    assert presses.take(0, ["clock_white"], {"clock_white"}) == ["clock_white"]
    assert presses.take(5 * LONG_US, [], {"clock_white"}) == []


def test_a_contact_that_bounces_under_the_finger_does_not_let_go() -> None:
    presses = Presses(SHORT, LONG)
    presses.take(0, ["new_game"], {"new_game"})
    assert presses.take(UP_US, [], set()) == []
    assert presses.take(2 * UP_US - 1, [], {"new_game"}) == []
    assert presses.take(LONG_US, [], {"new_game"}) == ["shut_down"]


def test_pressed_twice_between_two_looks_is_pressed_twice() -> None:
    presses = Presses(SHORT, LONG)
    assert presses.take(0, ["draw", "draw"], set()) == ["draw"]
    presses.take(1, [], set())
    assert presses.take(UP_US, [], set()) == ["draw"]


def test_a_button_that_nobody_gave_a_meaning_means_nothing() -> None:
    presses = Presses({"hint": ""}, {})
    assert presses.take(0, ["hint", "take_back"], {"hint"}) == []
    assert presses.take(LONG_US, [], {"hint"}) == []
