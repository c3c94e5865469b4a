"""What is seen of a scene, and what a frame draws."""

from __future__ import annotations

from boardfw.frame import Frame
from boardfw.lights.cue import Cue
from boardfw.lights.palette import CHANNEL_MA, LEDS, QUIESCENT_MA
from boardfw.lights.scene import Scene
from boardfw.squares import Bitboard, Square, squares_in


def squares_of(scene: Scene, cue: Cue) -> Bitboard:
    """The squares that show this cue."""
    return next((where for shown, where in scene.lit if shown is cue), 0)


def cues_of(scene: Scene) -> dict[Square, Cue]:
    """Square -> cue, for every square that shows one."""
    return {square: cue for cue, where in scene.lit for square in squares_in(where)}


def current_ma(frame: Frame) -> float:
    """What the 64 lights draw while they show this frame, milliamperes."""
    return LEDS * QUIESCENT_MA + sum(frame.pixels) * CHANNEL_MA / 255
