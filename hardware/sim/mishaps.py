"""What goes wrong, or is only touched, around a move; after each the board stands as it should."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from boardfw.squares import Square

from .faults import neighbours
from .manners import HOLD_MS, REST_MS
from .motion import Motion


def before(motion: Motion, origin: Square, others: Sequence[Square]) -> None:
    """Adjust somebody, knock men over and stand them up, take the man and put him back."""
    if others and motion.chance(motion.manner.adjust):
        motion.tags.append("adjust")
        _adjust(motion, others)
    if others and motion.chance(motion.manner.knock):
        motion.tags.append("knock")
        _knock(motion, others)
    if motion.chance(motion.manner.hesitate):
        motion.tags.append("hesitate")
        motion.touch(origin, HOLD_MS)
        motion.wait(motion.manner.pause_ms)


def _adjust(motion: Motion, others: Sequence[Square]) -> None:
    count = min(motion.random.choice((1, 1, 1, 2)), len(others))
    for square in motion.random.sample(others, count):
        motion.touch(square, motion.manner.carry_ms)
        motion.wait(motion.manner.pause_ms)


def _knock(motion: Motion, others: Sequence[Square]) -> None:
    first = motion.random.choice(others)
    near = [square for square in neighbours(first) if square in others]
    fallen = [first, *motion.random.sample(near, min(motion.random.randint(0, 2), len(near)))]
    labels = [motion.lift(square) for square in fallen]
    for square, label in zip(fallen, labels, strict=True):
        motion.wait(HOLD_MS)
        motion.drop(square, label)
    motion.wait(motion.manner.pause_ms)


def illegal(
    motion: Motion, origin: Square, others: Sequence[Square], wrong: Sequence[Square]
) -> None:
    """A move that must not be, looked at, and undone.

    Without ``wrong`` targets for the man on ``origin``, he or one of the ``others`` of his side
    goes anywhere; by chance that may even be legal, and then it is a move that is taken back.
    """
    if not motion.chance(motion.manner.illegal):
        return
    targets: Sequence[Square] = wrong
    if not wrong:
        upper = motion.men[origin].isupper()
        own = [man for man in others if motion.men[man].isupper() == upper]
        origin = motion.random.choice([origin, *own])
        targets = range(64)
    targets = [square for square in targets if square not in motion.men]
    if not targets:
        return
    motion.tags.append("illegal")
    target = motion.random.choice(targets)
    for leaving, arriving, after_ms in ((origin, target, REST_MS), (target, origin, REST_MS)):
        label = motion.lift(leaving)
        motion.wait(motion.manner.carry_ms)
        motion.drop(arriving, label)
        motion.wait(after_ms)


def wrong_square(motion: Motion, target: Square, label: str, squares: Collection[Square]) -> None:
    """The man in the hand is put beside his square first, and is lifted again."""
    empty = [
        square
        for square in neighbours(target)
        if square not in motion.men and square not in squares
    ]
    if not empty or not motion.chance(motion.manner.wrong_square):
        return
    motion.tags.append("wrong_square")
    square = motion.random.choice(empty)
    motion.drop(square, label)
    motion.wait(HOLD_MS)
    motion.lift(square)
    motion.wait(motion.manner.carry_ms)
