"""Frames in time: rhythms, turned boards, and when the next frame is due."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardfw.frame import DARK
from boardfw.lights.cue import WAYS, Cue, Hue
from boardfw.lights.palette import Settings, colour, ramp
from boardfw.lights.patterns import (
    BLINK,
    GLOW,
    MAX_FLASHES_PER_S,
    SIGN,
    STEADY,
    STEP_US,
    Rhythm,
)
from boardfw.lights.render import next_change_us, render
from boardfw.lights.scene import RESTING, Scene
from boardfw.squares import ALL, BY_NAME, EVERY_SWITCH, SWITCH_BY_NAME, Orientation, Switch
from docs.drawing.rhythms import DESCRIPTIONS, NAMES, RHYTHMS, level_at
from tests.lights.shown import current_ma

LIT = [cue for cue in Cue if cue.look.level]
PERIOD_US = STEP_US * math.lcm(*map(len, RHYTHMS.values()))

times = st.integers(0, 10**12)
budgets = st.integers(64, 4000)


@st.composite
def scenes(draw: st.DrawFn) -> Scene:
    """Scenes of up to four cues on any squares, each square once."""
    taken = 0
    lit = []
    for cue in draw(st.lists(st.sampled_from(LIT), max_size=4, unique=True)):
        where = draw(st.integers(1, ALL)) & ~taken
        taken |= where
        lit.append((cue, where))
    return Scene(
        tuple((cue, where) for cue, where in lit if where), draw(st.sampled_from(Orientation))
    )


def test_nothing_to_say_is_a_dark_frame_for_ever() -> None:
    assert render(RESTING, 0) == DARK
    assert next_change_us(RESTING, 0) is None


def test_a_steady_light_has_the_colour_of_its_look() -> None:
    settings = Settings(brightness=1.0)
    frame = render(Scene(((Cue.REPAIR_TO, 1 << BY_NAME["e4"]),)), 0, settings)
    assert frame[SWITCH_BY_NAME["e4"]] == Hue.BLUE.value
    assert sum(map(bool, frame.pixels)) == 2


def test_level_is_lightness_so_half_of_it_is_a_fifth_of_the_light() -> None:
    assert colour(Hue.WHITE, 0.5) == (44, 44, 44)


@given(scenes(), times, st.floats(0, 1), st.booleans(), budgets)
def test_no_instant_of_any_scene_is_over_the_budget(
    scene: Scene, t_us: int, brightness: float, mono: bool, budget_ma: int
) -> None:
    settings = Settings(brightness=brightness, mono=mono, budget_ma=budget_ma)
    assert current_ma(render(scene, t_us, settings)) <= budget_ma


def test_steady_lights_do_not_flicker_where_the_budget_bites() -> None:
    scene = Scene(((Cue.REPAIR_FROM, 0xFFFF_FFFF), (Cue.REPAIR_TO, 0xFFFF_FFFF_0000_0000)))
    settings = Settings(brightness=1.0, budget_ma=400)
    colours = {render(scene, t, settings)[EVERY_SWITCH[63]] for t in range(0, 2_000_000, STEP_US)}
    assert len(colours) == 1
    assert colours < {(0, g, b) for g in range(80) for b in range(255)}


@given(scenes(), times)
def test_rhythms_come_round(scene: Scene, t_us: int) -> None:
    assert render(scene, t_us) == render(scene, t_us + PERIOD_US)


@given(scenes(), times)
def test_a_turned_board_shows_the_frame_turned(scene: Scene, t_us: int) -> None:
    straight = render(Scene(scene.lit, Orientation.AS_WIRED), t_us)
    other = render(Scene(scene.lit, Orientation.TURNED), t_us)
    assert all(straight[switch] == other[Switch(63 - switch)] for switch in EVERY_SWITCH)


@given(scenes(), times)
def test_nothing_changes_before_the_next_change(scene: Scene, t_us: int) -> None:
    due = next_change_us(scene, t_us)
    now = render(scene, t_us)
    if due is None:
        assert now == render(scene, t_us + 12_345_678)
        return
    assert t_us < due <= t_us + PERIOD_US
    assert render(scene, due - 1) == now
    assert render(scene, due) != now


@pytest.mark.parametrize("cue", LIT)
def test_a_new_light_is_seen_whenever_it_comes_unless_it_blinks_or_glows(cue: Cue) -> None:
    if cue.look.rhythm not in (BLINK, GLOW, SIGN):
        assert all(any(rgb) for rgb in ramp(cue, Settings(brightness=0.3)))


def flashes(levels: Sequence[float], start: int) -> int:
    """Rises of the light in the second that begins with this step."""
    count = len(levels)
    second = [levels[(start + i) % count] for i in range(1_000_000 // STEP_US + 1)]
    slopes = [b - a for a, b in pairwise(second) if a != b]
    return sum(slope > 0 for slope in slopes[:1]) + sum(a < 0 < b for a, b in pairwise(slopes))


@pytest.mark.parametrize("rhythm", RHYTHMS.values(), ids=RHYTHMS)
def test_nothing_flashes_more_than_three_times_in_any_second(rhythm: Rhythm) -> None:
    worst = max(flashes(rhythm, start) for start in range(len(rhythm)))
    assert worst <= MAX_FLASHES_PER_S
    assert (worst == 0) == (rhythm == STEADY)


@pytest.mark.parametrize("cue", LIT, ids=lambda cue: cue.name)
@pytest.mark.parametrize("mono", [False, True])
def test_no_colour_of_any_cue_flashes_more_than_three_times_in_any_second(
    cue: Cue, mono: bool
) -> None:
    for levels in zip(*ramp(cue, Settings(mono=mono)), strict=True):
        worst = max(flashes(levels, start) for start in range(len(levels)))
        assert worst <= MAX_FLASHES_PER_S


def test_a_light_runs_along_a_line_at_five_squares_a_second_or_slower() -> None:
    heads = [levels.index(max(levels)) for levels in (cue.look.rhythm for cue in WAYS)]
    steps = [later - earlier for earlier, later in pairwise(heads)]
    assert all(step * STEP_US >= 200_000 for step in steps)
    assert len(WAYS[0].look.rhythm) * STEP_US == 1_200_000


def test_rhythms_differ_for_the_eye_and_have_a_description() -> None:
    assert set(RHYTHMS) == set(DESCRIPTIONS)
    assert set(NAMES) == {cue.look.rhythm for cue in Cue}
    times_us = range(0, 6_000_000, STEP_US)
    shapes = [[level_at(rhythm, t_us) for t_us in times_us] for rhythm in RHYTHMS.values()]
    for number, one in enumerate(shapes):
        for other in shapes[:number]:
            assert sum(abs(a - b) > 0.2 for a, b in zip(one, other, strict=True)) > len(one) / 10
