"""From a scene and a time to a frame: blinking and fading are arithmetic on the time.

All that depends on the scene alone is worked out once, because a Pi Zero has to draw fifty of
these a second beside its other work.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from boardfw.frame import BYTES, Frame
from boardfw.lights.palette import DEFAULT, Settings, ramp, scaled, share
from boardfw.lights.rhythm import STEP_US
from boardfw.lights.scene import Scene
from boardfw.squares import Occupancy, squares_in, turned


class _Moving(NamedTuple):
    """Lights that change: where their pixels begin; for each step of 20 ms their colour, and
    how many steps until it is another one."""

    offsets: tuple[int, ...]
    colours: tuple[bytes, ...]
    waits: tuple[int, ...]


def render(scene: Scene, t_us: int, settings: Settings = DEFAULT) -> Frame:
    """What the strip is sent at this time, after gamma and current budget, as the LEDs lie."""
    still, moving = _plan(scene, settings)
    if not moving:
        return still
    pixels = bytearray(still.pixels)
    step = t_us // STEP_US
    for offsets, colours, _ in moving:
        colour = colours[step % len(colours)]
        for offset in offsets:
            pixels[offset : offset + 3] = colour
    return Frame(bytes(pixels))


def next_change_us(scene: Scene, t_us: int, settings: Settings = DEFAULT) -> int | None:
    """The first time after ``t_us`` at which the frame is another one; None: never."""
    _, moving = _plan(scene, settings)
    if not moving:
        return None
    step = t_us // STEP_US
    return STEP_US * (step + min(waits[step % len(waits)] for _, _, waits in moving))


@lru_cache(maxsize=64)
def _plan(scene: Scene, settings: Settings) -> tuple[Frame, tuple[_Moving, ...]]:
    """The lights that stand still, drawn, and those that do not.

    The budget dims the scene by its brightest instant; were it asked in each frame anew, the
    steady lights would flicker with the blinking ones.
    """
    parts = [(occupancy, ramp(cue, settings)) for cue, occupancy in scene.lit]
    light = sum(where.bit_count() * max(map(sum, colours)) for where, colours in parts)
    factor = share(light, settings.budget_ma)
    pixels = bytearray(BYTES)
    moving = []
    for where, full in parts:
        colours = tuple(scaled(colour, factor) for colour in full)
        offsets = _offsets(where, scene.turned)
        if len(set(colours)) > 1:
            moving.append(_Moving(offsets, colours, _waits(colours)))
        for offset in offsets:
            pixels[offset : offset + 3] = colours[0]
    return Frame(bytes(pixels)), tuple(moving)


@lru_cache(maxsize=64)
def _waits(colours: tuple[bytes, ...]) -> tuple[int, ...]:
    count = len(colours)
    return tuple(
        next(wait for wait in range(1, count) if colours[(step + wait) % count] != colour)
        for step, colour in enumerate(colours)
    )


def _offsets(where: Occupancy, is_turned: bool) -> tuple[int, ...]:
    return tuple(3 * (turned(square) if is_turned else square) for square in squares_in(where))
