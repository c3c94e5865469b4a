"""Answers without a move: pieces lifted and put back, squares touched with a piece.

Who answers is attentive, and shows nothing else by mistake: ``HandProfile.attentive``.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from boardfw.squares import Switch
from hardware.sim import mishaps
from hardware.sim.faults import Range
from hardware.sim.magnets import HIGH
from hardware.sim.motion import Carried, Motion
from hardware.sim.moving import may_drag, nudge

HELD_MS = (800, 2_000)
"""How long a piece lifted as an answer is held up, clear of its square."""
TOUCHED_MS = (150, 600)
"""How long a piece that shows a square stands there; longest with slow hands."""


def put_back(motion: Motion, squares: Sequence[Switch]) -> None:
    """Lift each of these pieces, hold it, and put it back, one after the other."""
    motion.profile = motion.profile.attentive()
    motion.tag("put_back")
    for n, square in enumerate(squares):
        if n:
            motion.wait(motion.profile.pause_ms)
        mishaps.adjust(motion, _others(motion, squares))
        _answer(motion, square)
        if motion.chance(motion.profile.nudge):
            nudge(motion, square)
    motion.landed()


def put_back_together(motion: Motion, squares: Sequence[Switch]) -> None:
    """Lift all of these pieces, hold them, and put them back."""
    motion.profile = motion.profile.attentive()
    motion.tag("put_back_together")
    mishaps.adjust(motion, _others(motion, squares))
    pause_ms = motion.profile.two_hands_ms
    pieces = [(motion.take_up(square, pause_ms, HIGH), square) for square in squares]
    motion.wait_until(max(piece.path[-1].t_us for piece, _ in pieces))
    motion.wait(HELD_MS)
    for n, (piece, square) in enumerate(pieces):
        if n:
            motion.wait(motion.profile.pause_ms)
        motion.put(piece, square)
    motion.landed()


def visit(
    motion: Motion, origin: Switch, squares: Sequence[Switch], home: Switch | None = None
) -> None:
    """Touch these squares with the piece on ``origin``; the other hand lifts a piece in its way.

    ``home``: where the piece ends; None: on the last square, which then must be empty.
    """
    motion.profile = motion.profile.attentive()
    motion.tag("visit")
    mishaps.adjust(motion, _others(motion, {origin, *squares}))
    piece, at = motion.lift(origin), origin
    path = [*squares] if home is None else [*squares, home]
    for n, square in enumerate(path):
        if square in motion.pieces:
            _ask_the_other(motion, piece, square)
            continue
        _arrive(motion, piece, at, square)
        if n < len(path) - 1:
            motion.wait(_touch_ms(motion))
            piece, at = motion.lift(square), square
    motion.landed()


def _answer(motion: Motion, square: Switch) -> None:
    piece = motion.lift(square)
    motion.hold_up(piece, motion.draw_us(motion.profile.raise_ms))
    motion.wait(HELD_MS)
    motion.put(piece, square, duration_us=motion.draw_us(motion.profile.raise_ms))


def _ask_the_other(motion: Motion, piece: Carried, square: Switch) -> None:
    """One hand holds its piece over the board while the other lifts the piece on the square."""
    motion.raise_up(piece, motion.profile.raise_ms, HIGH)
    motion.wait(motion.profile.pause_ms)
    _answer(motion, square)
    motion.wait(motion.profile.pause_ms)


def _arrive(motion: Motion, piece: Carried, at: Switch, square: Switch) -> None:
    stands = piece.path[-1].z == 0
    if stands and may_drag(motion, at, square):
        motion.tag("slide")
        motion.drag(piece, square)
    else:
        motion.put(piece, square)


def _touch_ms(motion: Motion) -> Range:
    """How long a touch lasts: slow hands stay longer."""
    shortest, longest = TOUCHED_MS
    slow = [min(max(carried // 2, shortest), longest) for carried in motion.profile.carry_ms]
    return slow[0], slow[1]


def _others(motion: Motion, squares: Collection[Switch]) -> list[Switch]:
    return sorted(set(motion.pieces) - set(squares))
