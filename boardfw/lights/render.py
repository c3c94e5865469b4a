"""Renders a scene at a time into a frame, and says when idle lights dim and go out.

Blinking and fading are arithmetic on the time. Whatever depends on the scene alone is computed
once, because a Pi Zero has to draw fifty frames a second beside its other work.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from boardfw.frame import BYTES, Frame
from boardfw.game.view import View
from boardfw.lights.palette import DEFAULT, Settings, ramp, scaled, share
from boardfw.lights.patterns import STEP_US
from boardfw.lights.scene import Scene
from boardfw.squares import switches_in


class _Moving(NamedTuple):
    """Lights that change: the offsets of their pixels; for each step of 20 ms their colour, and
    the number of steps until the colour changes."""

    offsets: tuple[int, ...]
    colours: tuple[bytes, ...]
    waits: tuple[int, ...]


def render(scene: Scene, t_us: int, settings: Settings = DEFAULT) -> Frame:
    """The frame for the strip at this time, after gamma and current budget, in LED order."""
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
    """The first time after ``t_us`` at which the frame changes; None: never."""
    _, moving = _plan(scene, settings)
    if not moving:
        return None
    step = t_us // STEP_US
    return STEP_US * (step + min(waits[step % len(waits)] for _, _, waits in moving))


@lru_cache(maxsize=64)
def _plan(scene: Scene, settings: Settings) -> tuple[Frame, tuple[_Moving, ...]]:
    """A frame of the steady lights, and the lights that change.

    The budget dims the scene by its brightest instant; if each frame were dimmed by itself, the
    steady lights would flicker with the blinking ones.
    """
    parts = [(occupancy, ramp(cue, settings)) for cue, occupancy in scene.lit]
    light = sum(where.bit_count() * max(map(sum, colours)) for where, colours in parts)
    factor = share(light, settings.budget_ma)
    pixels = bytearray(BYTES)
    moving = []
    for where, full in parts:
        colours = tuple(scaled(colour, factor) for colour in full)
        offsets = tuple(3 * switch for switch in switches_in(scene.orientation.switches(where)))
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


DIMMED = 0.4
"""Share of the brightness set by the owner; in a dark room the last move is still visible."""


@dataclass(frozen=True, slots=True)
class Dimming:
    """When lights dim and go out, microseconds after the board was last awake; None: never."""

    dim_after_us: int | None = None
    off_after_us: int | None = None

    def level(self, idle_us: int) -> float:
        """The share of the usual brightness, 0..1, after this idle time."""
        if self.off_after_us is not None and idle_us >= self.off_after_us:
            return 0.0
        is_dim = self.dim_after_us is not None and idle_us >= self.dim_after_us
        return DIMMED if is_dim else 1.0

    def next_change_us(self, idle_us: int) -> int | None:
        """The first idle time after this one at which the level changes; None: it stays."""
        steps = (self.dim_after_us, self.off_after_us)
        later = (t for t in steps if t is not None and t > idle_us)
        return next((t for t in sorted(later) if self.level(t) != self.level(idle_us)), None)


def keeps_awake(view: View) -> bool:
    """Whether the lights must stay bright: trouble, a question, or a running clock."""
    is_trouble = bool(view.missing | view.extra | view.blind or view.candidates or view.doubted)
    return is_trouble or _time_runs(view) or view.good_bye is not None


def _time_runs(view: View) -> bool:
    has_flag_fallen = view.outcome is not None and view.outcome.termination == "time"
    return view.clock is not None and view.clock.is_running and not has_flag_fallen
