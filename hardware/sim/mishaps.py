"""What goes wrong, or is only touched, around a move; after each the board stands as it should."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from boardfw.squares import EVERY_SWITCH, SWITCH_BY_NAME, Switch
from hardware.sim.faults import neighbours
from hardware.sim.magnets import around
from hardware.sim.motion import Carried, Motion

ALOFT = (0.6, 1.2)
"""How high a piece is held while the player thinks."""
CENTRE = frozenset(SWITCH_BY_NAME[name] for name in ("d4", "e4", "d5", "e5"))
STRAIGHTENED = (0.03, 0.9)
"""How high a piece is lifted to be put straight: often its switch does not notice."""
BRUSHED = (0.15, 0.45)
"""How far aside a sleeve shoves a piece."""
BRUSHED_US = (60_000, 250_000)
SLEEVE = (1, 1, 2, 2, 3)
"""How many pieces a sleeve shoves at once."""


def before(motion: Motion, origin: Switch, others: Sequence[Switch]) -> None:
    """Adjust pieces, knock some over and stand them up, lift the piece and put it back."""
    adjust(motion, others)
    if others and motion.chance(motion.profile.knock):
        motion.tag("knock")
        _knock(motion, others)
    if motion.chance(motion.profile.hesitate):
        motion.tag("hesitate")
        motion.touch(origin, motion.profile.hold_ms, motion.random.uniform(*ALOFT))
        motion.wait(motion.profile.pause_ms)


def adjust(motion: Motion, others: Sequence[Switch]) -> None:
    """Now and then, put one to three others straight."""
    if not others or not motion.chance(motion.profile.adjust):
        return
    motion.tag("adjust")
    count = min(motion.random.choice((1, 1, 1, 2, 3)), len(others))
    for square in motion.random.sample(others, count):
        height = motion.random.uniform(*STRAIGHTENED)
        motion.touch(square, motion.profile.adjust_ms, height)
        motion.wait(motion.profile.pause_ms)


def _knock(motion: Motion, others: Sequence[Switch]) -> None:
    """One to three pieces fall together and are stood up one after the other."""
    first = motion.random.choice(others)
    near = [square for square in neighbours(first) if square in others]
    also = motion.random.sample(near, min(motion.random.randint(0, 2), len(near)))
    fallen = []
    for square in [first, *also]:
        fallen.append((motion.lift(square), square))
        motion.topple(fallen[-1][0])
        motion.wait_us(motion.random.randint(0, 60_000))
    for piece, square in fallen:
        motion.wait(motion.profile.hold_ms)
        motion.put(piece, square)
    motion.wait(motion.profile.pause_ms)


def brush(motion: Motion, near: Switch, others: Sequence[Switch]) -> None:
    """A sleeve shoves pieces beside this square; later they are put straight."""
    beside = [square for square in neighbours(near) if square in others]
    if not beside:
        return
    motion.tag("brush")
    count = min(motion.random.choice(SLEEVE), len(beside))
    shoved = []
    for square in motion.random.sample(beside, count):
        place = around(motion.place(square), motion.random, motion.random.uniform(*BRUSHED))
        shoved.append((motion.lift(square), square))
        motion.shove(shoved[-1][0], place, motion.random.randint(*BRUSHED_US))
        motion.wait_us(motion.random.randint(0, 60_000))
    for piece, square in shoved:
        motion.wait(motion.profile.adjust_ms)
        motion.put_straight(piece, square, motion.draw_us(motion.profile.adjust_ms) // 2)
    motion.wait(motion.profile.pause_ms)


def illegal(
    motion: Motion, origin: Switch, others: Sequence[Switch], wrong: Sequence[Switch]
) -> None:
    """An illegal move, looked at, and undone.

    Without ``wrong`` targets for the piece on ``origin``, it or one of the ``others`` of its side
    goes anywhere; by chance that may even be legal, and then it is a move that is taken back.
    """
    if not motion.chance(motion.profile.illegal):
        return
    targets: Sequence[Switch] = wrong
    if not wrong:
        upper = motion.pieces[origin].isupper()
        own = [piece for piece in others if motion.pieces[piece].isupper() == upper]
        origin = motion.random.choice([origin, *own])
        targets = EVERY_SWITCH
    label = motion.pieces[origin]
    targets = [s for s in targets if s not in motion.pieces and not _shows_result(motion, label, s)]
    if not targets:
        return
    motion.tag("illegal")
    motion.showed_another = True
    target = motion.random.choice(targets)
    for leaving, arriving in ((origin, target), (target, origin)):
        motion.put(motion.lift(leaving), arriving)
        motion.wait(motion.profile.rest_ms)


def _shows_result(motion: Motion, label: str, square: Switch) -> bool:
    """True if a piece put down there by mistake would be the second king in the centre.

    That is how a result is shown, and it could not be told from a mistake.
    """
    others = [at for at, other in motion.pieces.items() if other in "Kk" and other != label]
    return label in "Kk" and square in CENTRE and any(at in CENTRE for at in others)


def wrong_square(
    motion: Motion, target: Switch, piece: Carried, squares: Collection[Switch]
) -> Carried:
    """The piece in the hand is put beside its square first, and is lifted again."""
    empty = [
        square
        for square in neighbours(target)
        if square not in motion.pieces
        and square not in squares
        and not _shows_result(motion, piece.label, square)
    ]
    if not empty or not motion.chance(motion.profile.wrong_square):
        return piece
    motion.tag("wrong_square")
    motion.showed_another = True
    square = motion.random.choice(empty)
    motion.put(piece, square)
    motion.wait(motion.profile.hold_ms)
    return motion.lift(square)
