"""One move carried out in one of the orders that people use; no mishaps but a wrong square."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from boardfw.squares import Square

from . import mishaps
from .manners import (
    BETWEEN_PUT_BACKS_MS,
    EXCHANGE_MS,
    NUDGE_MS,
    PUSH_US,
    TWO_HANDS_MS,
    TWO_MEN_PAUSE_MS,
)
from .motion import Motion


@dataclass(frozen=True, slots=True)
class HandMove:
    """A move as squares.

    ``steps``: (origin, target) of every man displaced, one or two. ``removed``: squares of the
    men taken off, the target included where a man is taken there. ``promotion``: None, or how
    often the new man is stepped down (0 none; 1 to 3); ``promoted``: the label of the new man.
    ``illegal``: targets known to be wrong for the first man, for hands that err.
    """

    steps: tuple[tuple[Square, Square], ...]
    removed: tuple[Square, ...] = ()
    promotion: int | None = None
    promoted: str = ""
    illegal: tuple[Square, ...] = ()

    @property
    def squares(self) -> frozenset[Square]:
        """Every square that the move is about."""
        return frozenset([square for step in self.steps for square in step] + list(self.removed))


def carry_out(motion: Motion, move: HandMove, path: list[Square]) -> None:
    """The move itself, its first man dragged over ``path`` or carried."""
    target = move.steps[0][1]
    if len(move.steps) > 1:
        _two_men(motion, move)
    elif move.promotion is not None:
        _promote(motion, move, path)
    else:
        _one_man(motion, move, path, "")
        if motion.chance(motion.manner.nudge):
            motion.tags.append("nudge")
            motion.wait(NUDGE_MS)
            motion.touch(target, NUDGE_MS)


def _one_man(motion: Motion, move: HandMove, path: list[Square], arriving: str) -> None:
    """One man to his square, whoever is taken taken; ``arriving``: who is put down instead."""
    target = move.steps[0][1]
    aside = [square for square in move.removed if square != target]
    when = motion.habit(motion.manner.aside) if aside else ""
    if when == "before":
        _take_off(motion, aside)
    if target in move.removed:
        _capture(motion, move, path, arriving)
    else:
        _quiet(motion, move, path, arriving, aside if when == "during" else [])
    if when == "after":
        motion.wait(motion.manner.pause_ms)
        _take_off(motion, aside)


def _quiet(
    motion: Motion,
    move: HandMove,
    path: list[Square],
    arriving: str,
    during: list[Square],
) -> None:
    origin, target = move.steps[0]
    brushed = [] if arriving or during else _brushed(motion, path)
    if brushed:
        motion.drag([origin, *brushed, target])
        motion.landed_us = motion.now_us
        return
    label = motion.lift(origin)
    motion.wait(motion.manner.carry_ms)
    _take_off(motion, during)
    if not (arriving or during):
        mishaps.wrong_square(motion, target, label, move.squares)
    motion.land(target, arriving or label)


def _take_off(motion: Motion, squares: Iterable[Square]) -> None:
    for square in squares:
        motion.lift(square)
        motion.wait(motion.manner.pause_ms)


def _capture(motion: Motion, move: HandMove, path: list[Square], arriving: str) -> None:
    origin, target = move.steps[0]
    way = motion.habit(motion.manner.captures)
    if way == "victim_first":
        motion.lift(target)
        motion.wait(motion.manner.carry_ms)
    if way == "two_hands" and motion.chance(0.5):
        motion.lift(target)
        motion.wait(TWO_HANDS_MS)
    label = _lift_to_capture(motion, origin, path)
    if not arriving:
        mishaps.wrong_square(motion, target, label, move.squares)
    if target in motion.men:
        _lift_victim(motion, target, way)
    else:
        motion.wait(motion.manner.carry_ms)
    motion.land(target, arriving or label)


def _lift_to_capture(motion: Motion, origin: Square, path: list[Square]) -> str:
    brushed = _brushed(motion, path)
    if brushed:
        motion.drag([origin, *brushed])
        motion.wait(motion.manner.pass_ms)
        origin = brushed[-1]
    return motion.lift(origin)


def _lift_victim(motion: Motion, target: Square, way: str) -> None:
    """The victim leaves while the attacker is in the air; his switch opens long or hardly."""
    if way == "two_hands":
        motion.wait(TWO_HANDS_MS)
        motion.lift(target)
        motion.wait(motion.manner.carry_ms)
        return
    motion.wait(motion.manner.carry_ms)
    if way == "attacker_first":
        motion.lift(target)
        motion.wait(motion.manner.pause_ms)
    elif way == "swap":
        motion.lift(target)
        motion.wait(motion.manner.swap_ms)
    elif motion.chance(0.5):
        motion.lift(target)
        motion.wait_us(motion.random.randint(*PUSH_US))
    else:  # the attacker is put down where the victim stands and pushes him off
        motion.tags.append("never_open")


def _two_men(motion: Motion, move: HandMove) -> None:
    steps = list(move.steps)
    way = motion.habit(motion.manner.two_men)
    crossing = {target for _, target in steps} & {origin for origin, _ in steps}
    if way == "second_first":
        steps.reverse()
    if way == "both_in_air" or crossing:
        labels = [_lift_both(motion, origin) for origin, _ in steps]
        for (_, target), label in zip(steps, labels, strict=True):
            motion.wait(motion.manner.pause_ms)
            motion.land(target, label)
        return
    for n, (origin, target) in enumerate(steps):
        if n:
            paused = motion.chance(motion.manner.two_men_pause)
            motion.wait(TWO_MEN_PAUSE_MS if paused else motion.manner.pause_ms)
        label = motion.lift(origin)
        motion.wait(motion.manner.carry_ms)
        motion.land(target, label)


def _lift_both(motion: Motion, origin: Square) -> str:
    label = motion.lift(origin)
    motion.wait(TWO_HANDS_MS)
    return label


def _promote(motion: Motion, move: HandMove, path: list[Square]) -> None:
    """Arrive, then exchange and step down by as many put-backs as that takes."""
    target = move.steps[0][1]
    stepped = move.promotion or 0
    way = motion.habit(motion.manner.exchanges)
    new = move.promoted or motion.men[move.steps[0][0]]
    _one_man(motion, move, path, new if way == "direct" else "")
    # The first put-back is the exchange and keeps the queen; each further one steps down.
    for n in range(stepped + 1 if stepped or way == "exchange" else 0):
        motion.wait(BETWEEN_PUT_BACKS_MS if n else EXCHANGE_MS)
        motion.lift(target)
        motion.wait(BETWEEN_PUT_BACKS_MS)
        motion.drop(target, new)


def undo(motion: Motion, move: HandMove, before: Mapping[Square, str]) -> None:
    """The men go back to where they stood ``before``, then the men taken off come back."""
    for _, now in move.steps:
        _lift_both(motion, now)
    for then, _ in reversed(move.steps):
        motion.wait(motion.manner.carry_ms)
        motion.land(then, before[then])
    for square in move.removed:
        motion.wait(motion.manner.pause_ms)
        motion.drop(square, before[square])


def _brushed(motion: Motion, path: list[Square]) -> list[Square]:
    """The squares whose switches the man closes on his way: none where he is carried."""
    if not motion.chance(motion.manner.slide):
        return []
    brushed = [square for square in path if motion.chance(0.7)]
    if brushed:
        motion.tags.append("slide")
    return brushed
