"""What hands do between games: show the result by the kings, clear the board, set the men up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random

from boardfw.squares import Square

from .motion import Motion
from .paths import HIGH


def clear_away(motion: Motion) -> None:
    """All men leave the board, in any order."""
    motion.tag("clear_away")
    for square in shuffled(motion.random, motion.men):
        motion.take_away(motion.lift(square))
        motion.wait(motion.manner.pause_ms)


def set_up(motion: Motion, wanted: Mapping[Square, str]) -> None:
    """Every man who stands wrong leaves, then everybody missing is put up."""
    motion.tag("set_up")
    wrong = [square for square, label in motion.men.items() if label != wanted.get(square)]
    for square in shuffled(motion.random, wrong):
        motion.take_away(motion.lift(square))
        motion.wait(motion.manner.pause_ms)
    missing = [square for square in wanted if square not in motion.men]
    for square in shuffled(motion.random, missing):
        motion.wait(motion.manner.pause_ms)
        motion.put(motion.from_box(wanted[square], square), square)
    motion.landed()


def kings_to_centre(motion: Motion, result: str, kings: Iterable[Square]) -> None:
    """Both kings in the air, then on the centre squares that stand for the result."""
    motion.tag("kings")
    men = []
    for king in shuffled(motion.random, kings):
        men.append(motion.lift(king))
        motion.raise_up(men[-1], motion.manner.raise_ms, HIGH)
        motion.wait(motion.manner.pause_ms)
    motion.wait_until(men[-1].way[-1].t_us)  # both are off before anybody makes room for them
    centre = shuffled(motion.random, motion.random.choice(_centre(result)))
    for square in centre:
        if square in motion.men:
            motion.take_away(motion.lift(square))
            motion.wait(motion.manner.pause_ms)
    for man, square in zip(men, centre, strict=True):
        motion.put(man, square)
    motion.landed()


def shuffled(random: Random, squares: Iterable[Square]) -> list[Square]:
    """These squares in any order."""
    mixed = sorted(squares)
    random.shuffle(mixed)
    return mixed


def _centre(result: str) -> list[tuple[Square, Square]]:
    d4, e4, d5, e5 = 27, 28, 35, 36
    if result == "1-0":
        return [(e4, d5)]
    if result == "0-1":
        return [(d4, e5)]
    if result == "1/2-1/2":
        return [(light, dark) for light in (e4, d5) for dark in (d4, e5)]
    raise ValueError(f"no kings stand for the result {result!r}")
