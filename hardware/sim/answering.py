"""Answers without a move: men taken up and put back, squares touched with a man."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from boardfw.squares import Square
from hardware.sim import mishaps
from hardware.sim.faults import Range
from hardware.sim.hand_profiles import Habit
from hardware.sim.magnets import HIGH, around
from hardware.sim.motion import Carried, Motion
from hardware.sim.moving import may_drag, nudge

HELD_MS = (800, 2_000)
"""A man who is an answer is held up for so long, clear of his square."""
TOUCHED_MS = (150, 600)
"""A man who shows a square stands there for so long; slow hands the longer."""
ADJUSTS: Habit = {"touched": 2, "nudged": 2, "leaned": 1}
NUDGED_MS = (60, 200)
LEANED = (0.1, 0.35)
"""How far a man leans over who is taken by the head, in squares."""
LEANED_MS = (80, 240)


def put_back(motion: Motion, squares: Sequence[Square]) -> None:
    """Take up each of these men, hold him, and put him back, one after the other."""
    motion.tag("put_back")
    for n, square in enumerate(squares):
        if n:
            motion.wait(motion.profile.pause_ms)
        mishaps.adjust(motion, _others(motion, squares))
        _answer(motion, square)
        if motion.chance(motion.profile.nudge):
            nudge(motion, square)
    motion.landed()


def put_back_together(motion: Motion, squares: Sequence[Square]) -> None:
    """Take up all of these men, hold them, and put them back."""
    motion.tag("put_back_together")
    mishaps.adjust(motion, _others(motion, squares))
    pieces = []
    for square in squares:
        pieces.append((motion.lift(square), square))
        motion.raise_up(pieces[-1][0], motion.profile.raise_ms, HIGH)
        motion.wait(motion.profile.two_hands_ms)
    motion.wait_until(max(piece.way[-1].t_us for piece, _ in pieces))
    motion.wait(HELD_MS)
    for n, (piece, square) in enumerate(pieces):
        if n:
            motion.wait(motion.profile.pause_ms)
        motion.put(piece, square)
    motion.landed()


def visit(
    motion: Motion, origin: Square, squares: Sequence[Square], home: Square | None = None
) -> None:
    """Touch these squares with the man on ``origin``; another hand answers for who stands there.

    ``home``: where he goes at last; None: he stays on the last square, which then must be empty.
    """
    motion.tag("visit")
    mishaps.adjust(motion, _others(motion, {origin, *squares}))
    piece, at = motion.lift(origin), origin
    way = [*squares] if home is None else [*squares, home]
    for n, square in enumerate(way):
        if square in motion.pieces:
            _ask_the_other(motion, piece, square)
            continue
        _arrive(motion, piece, at, square)
        if n < len(way) - 1:
            motion.wait(_touch_ms(motion))
            piece, at = motion.lift(square), square
    motion.landed()


def adjust(motion: Motion, square: Square) -> None:
    """Put a man straight: lifted a little, pushed, or taken by the head."""
    motion.tag("adjust")
    way = motion.habit(ADJUSTS)
    if way == "touched":
        motion.touch(square, motion.profile.adjust_ms, motion.random.uniform(0.3, 0.9))
    elif way == "nudged":
        motion.touch(square, NUDGED_MS, motion.random.uniform(0.05, 0.5))
    else:
        _lean(motion, square)
    motion.landed()


def _lean(motion: Motion, square: Square) -> None:
    """His foot comes up on one side and goes down again."""
    piece = motion.lift(square)
    away = around(piece.where, motion.random, motion.random.uniform(*LEANED))
    motion.shove(piece, away, motion.draw_us(LEANED_MS))
    motion.put_straight(piece, square, motion.draw_us(LEANED_MS))


def _answer(motion: Motion, square: Square) -> None:
    piece = motion.lift(square)
    motion.hold_up(piece, motion.draw_us(motion.profile.raise_ms))
    motion.wait(HELD_MS)
    motion.put(piece, square, duration_us=motion.draw_us(motion.profile.raise_ms))


def _ask_the_other(motion: Motion, piece: Carried, square: Square) -> None:
    """One hand holds its man over the board while the other one answers with whoever is there."""
    motion.raise_up(piece, motion.profile.raise_ms, HIGH)
    motion.wait(motion.profile.pause_ms)
    _answer(motion, square)
    motion.wait(motion.profile.pause_ms)


def _arrive(motion: Motion, piece: Carried, at: Square, square: Square) -> None:
    stands = piece.way[-1].z == 0
    if stands and may_drag(motion, at, square):
        motion.tag("slide")
        motion.drag(piece, square)
    else:
        motion.put(piece, square)


def _touch_ms(motion: Motion) -> Range:
    """Who carries slowly stays longer."""
    shortest, longest = TOUCHED_MS
    slow = [min(max(carried // 2, shortest), longest) for carried in motion.profile.carry_ms]
    return slow[0], slow[1]


def _others(motion: Motion, squares: Collection[Square]) -> list[Square]:
    return sorted(set(motion.pieces) - set(squares))
