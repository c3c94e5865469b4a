"""Hands that put a piece straight and mean nothing by it."""

from __future__ import annotations

from boardfw.squares import Switch
from hardware.sim.hand_profiles import Habit
from hardware.sim.magnets import around
from hardware.sim.motion import Motion

ADJUSTS: Habit = {"touched": 2, "nudged": 2, "leaned": 1}
NUDGED_MS = (60, 200)
LEANED = (0.1, 0.35)
"""How far a piece held by its head leans over, in squares."""
LEANED_MS = (80, 240)


def adjust(motion: Motion, square: Switch) -> None:
    """Put a piece straight: lifted a little, pushed, or taken by the head."""
    motion.profile = motion.profile.attentive()
    motion.tag("adjust")
    habit = motion.habit(ADJUSTS)
    if habit == "touched":
        motion.touch(square, motion.profile.adjust_ms, motion.random.uniform(0.3, 0.9))
    elif habit == "nudged":
        motion.touch(square, NUDGED_MS, motion.random.uniform(0.05, 0.5))
    else:
        _lean(motion, square)
    motion.landed()


def _lean(motion: Motion, square: Switch) -> None:
    """The piece's foot comes up on one side and goes down again."""
    piece = motion.lift(square)
    away = around(piece.where, motion.random, motion.random.uniform(*LEANED))
    motion.shove(piece, away, motion.draw_us(LEANED_MS))
    motion.put_straight(piece, square, motion.draw_us(LEANED_MS))
