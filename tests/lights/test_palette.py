"""The looks of the cues: for colour-blind eyes, in one colour, and for the power supply."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardfw.frame import BYTES, DARK, Frame, Rgb
from boardfw.lights.cue import Cue, Hue
from boardfw.lights.palette import (
    Settings,
    colour,
    on_screen,
    ramp,
    scaled,
    share,
)
from tests.lights.cue_compatibility import are_apart_by_place, may_meet
from tests.lights.shown import current_ma

Triple = tuple[float, float, float]
Matrix = tuple[Triple, Triple, Triple]

# Machado, Oliveira, Fernandes: A Physiologically-based Model for Simulation of Color Vision
# Deficiency, IEEE TVCG 15 (2009), doi 10.1109/TVCG.2009.113; severity 1.0, for linear RGB.
VISIONS: dict[str, Matrix] = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritan": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
# Linear sRGB to CIE XYZ (IEC 61966-2-1), divided by the white point D65.
TO_XYZ: Matrix = (
    (0.4124564 / 0.95047, 0.3575761 / 0.95047, 0.1804375 / 0.95047),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339 / 1.08883, 0.1191920 / 1.08883, 0.9503041 / 1.08883),
)


def times(matrix: Matrix, vector: Triple) -> Triple:
    x, y, z = (sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)
    return x, y, z


def seen(hue: Hue, vision: Matrix) -> Triple:
    red, green, blue = (channel / 255 for channel in hue.value)
    r, g, b = (min(max(light, 0.0), 1.0) for light in times(vision, (red, green, blue)))
    return r, g, b


def cube_root(value: float) -> float:
    return value ** (1 / 3) if value > (6 / 29) ** 3 else value * (29 / 6) ** 2 / 3 + 4 / 29


def lab(light: Triple) -> Triple:
    x, y, z = map(cube_root, times(TO_XYZ, light))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize(("one", "other"), [*itertools.combinations(Hue, 2)])
def test_any_two_hues_stay_apart_for_every_eye(vision: str, one: Hue, other: Hue) -> None:
    matrix = VISIONS[vision]
    assert math.dist(lab(seen(one, matrix)), lab(seen(other, matrix))) >= 35


NEIGHBOURS = [pair for pair in itertools.combinations(Cue, 2) if Cue.RESTING not in pair]


@pytest.mark.parametrize("brightness", [0.3, 0.5, 0.8, 1.0])
def test_in_one_colour_what_meets_differs_in_rhythm_place_or_level(brightness: float) -> None:
    settings = Settings(brightness=brightness, mono=True)
    compared = 0
    for one, other in NEIGHBOURS:
        alike = one.look.rhythm == other.look.rhythm and not are_apart_by_place(one, other)
        if alike and may_meet(one, other):
            levels = (ramp(cue, settings) for cue in (one, other))
            darker, brighter = sorted(max(colours)[0] for colours in levels)
            # One and a half times as light to the eye is 1.5 to the power of 2.2 in light.
            assert brighter >= darker * 1.5**2.2 - 1, (one, other)
            assert brighter > darker, (one, other)
            compared += 1
    assert compared


@pytest.mark.parametrize("cue", Cue)
def test_one_colour_is_one_colour(cue: Cue) -> None:
    assert all(len(set(rgb)) == 1 for rgb in ramp(cue, Settings(mono=True)))


@pytest.mark.parametrize("cue", [cue for cue in Cue if cue.look.other])
def test_a_cue_of_two_hues_shows_one_or_the_other_and_in_one_colour_a_rhythm(cue: Cue) -> None:
    look, settings = cue.look, Settings()
    assert look.other is not None
    top = look.level * settings.brightness
    hues = {bytes(colour(hue, top)) for hue in (look.hue, look.other)}
    assert set(ramp(cue, settings)) == hues
    assert len(set(ramp(cue, Settings(mono=True)))) == 2


@pytest.mark.parametrize("cue", [cue for cue in Cue if cue.look.level])
def test_no_light_that_says_something_is_lost_to_rounding(cue: Cue) -> None:
    for brightness in (0.01, 0.1, 0.3):
        assert any(map(any, ramp(cue, Settings(brightness=brightness))))


@pytest.mark.parametrize("level", [0.001, 0.05, 0.1, 0.2])
def test_faint_hues_are_still_four_hues(level: float) -> None:
    assert len({colour(hue, level) for hue in Hue}) == 4


def test_brightness_nought_is_dark() -> None:
    assert set(ramp(Cue.CHECK, Settings(brightness=0))) == {bytes(3)}


@given(st.floats(0.01, 1), st.floats(0.01, 1))
def test_more_level_is_never_less_light(one: float, other: float) -> None:
    darker, brighter = sorted((one, other))
    assert all(
        a <= b for a, b in zip(colour(Hue.AMBER, darker), colour(Hue.AMBER, brighter), strict=True)
    )


def test_current_of_dark_and_of_white() -> None:
    assert current_ma(DARK) == 64
    assert current_ma(Frame(b"\xff" * BYTES)) == 64 + 64 * 60


frames = st.binary(min_size=BYTES, max_size=BYTES).map(Frame)


def limited(frame: Frame, budget_ma: int) -> Frame:
    return Frame(scaled(frame.pixels, share(sum(frame.pixels), budget_ma)))


@given(frames, st.integers(64, 5000))
def test_no_frame_draws_more_than_the_budget(frame: Frame, budget_ma: int) -> None:
    shown = limited(frame, budget_ma)
    assert current_ma(shown) <= budget_ma
    if current_ma(frame) <= budget_ma:
        assert shown == frame


def test_all_white_is_dimmed_evenly_and_not_more_than_needed() -> None:
    shown = limited(Frame(b"\xff" * BYTES), 1000)
    assert len(set(shown.pixels)) == 1
    assert 980 <= current_ma(shown) <= 1000


@pytest.mark.parametrize("rgb", [(0, 0, 0), (255, 255, 255)])
def test_a_screen_shows_dark_as_dark_and_full_as_full(rgb: Rgb) -> None:
    assert on_screen(rgb) == rgb


def test_a_screen_shows_a_fifth_of_the_light_as_half_as_light() -> None:
    red, _, _ = on_screen((round(255 * 0.5**2.2), 0, 0))
    assert red == pytest.approx(128, abs=2)
