"""Lights that are held down: never too many flashes, and what is wished as soon as it may be."""

from __future__ import annotations

from itertools import accumulate

from hypothesis import given
from hypothesis import strategies as st

from boardfw.frame import DARK, Frame
from boardfw.lights.flash_limiter import FlashLimiter
from boardfw.squares import EVERY_SWITCH, SWITCH_BY_NAME, Switch
from tests.shell.test_latency import SECOND_US, flashes, worst

E4 = SWITCH_BY_NAME["e4"]
BRIGHT = Frame.of({E4: (200, 0, 0)})
GREEN = Frame.of({E4: (0, 200, 0)})
MIXED = Frame.of({E4: (90, 90, 0), Switch(0): (0, 0, 200)})
FRAMES = st.sampled_from([DARK, BRIGHT, GREEN, MIXED, Frame.of({Switch(0): (0, 0, 9)})])
STEPS = st.lists(st.tuples(st.integers(1_000, 400_000), FRAMES), min_size=1, max_size=60)

FLASHES_US = (0, 200_000, 400_000)


def test_the_fourth_flash_of_a_second_waits_until_the_second_is_over() -> None:
    limiter = FlashLimiter()
    for begin_us in FLASHES_US:
        assert limiter.show(begin_us, BRIGHT) == BRIGHT
        assert limiter.show(begin_us + 100_000, DARK) == DARK
    assert limiter.show(600_000, BRIGHT) == DARK
    assert limiter.due_us == 1_000_000
    assert limiter.show(999_000, BRIGHT) == DARK
    assert limiter.show(1_000_000, BRIGHT) == BRIGHT
    assert limiter.due_us is None


def test_other_lights_and_falling_ones_wait_for_nothing() -> None:
    limiter = FlashLimiter()
    for begin_us in FLASHES_US:
        limiter.show(begin_us, BRIGHT)
        limiter.show(begin_us + 100_000, DARK)
    other = {EVERY_SWITCH[0]: (0, 0, 200)}
    assert limiter.show(600_000, Frame.of({E4: (200, 0, 0), **other})) == Frame.of(other)
    assert limiter.show(610_000, Frame.of(other)) == Frame.of(other)
    assert limiter.due_us is None


@given(STEPS)
def test_whatever_is_planned_no_light_flashes_too_often_and_none_is_brighter(
    steps: list[tuple[int, Frame]],
) -> None:
    limiter, course, last = FlashLimiter(), [(0, DARK)], DARK
    times = list(accumulate(wait_us for wait_us, _ in steps))
    for t_us, (_, planned) in zip(times, steps, strict=True):
        while limiter.due_us is not None and limiter.due_us < t_us:
            course.append((limiter.due_us, limiter.show(limiter.due_us, last)))
        last, shown = planned, limiter.show(t_us, planned)
        assert all(a <= b for a, b in zip(shown.pixels, planned.pixels, strict=True))
        course.append((t_us, shown))
    assert all(worst(rose_us) <= 3 for _, rose_us in flashes(course))
    assert limiter.show(times[-1] + SECOND_US, last) == last
