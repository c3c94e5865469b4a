"""What goes wrong, or is only touched, around a move; after each the board stands as it should."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from boardfw.squares import BY_NAME, Square
from hardware.sim.faults import Range, neighbours
from hardware.sim.hand_profiles import Habit
from hardware.sim.magnets import HIGH, around
from hardware.sim.motion import Carried, Motion
from hardware.sim.moving import may_drag, nudge

ALOFT = (0.6, 1.2)
"""How high a man is held over whom somebody thinks."""
CENTRE = frozenset(BY_NAME[name] for name in ("d4", "e4", "d5", "e5"))
STRAIGHTENED = (0.03, 0.9)
"""How high a man is lifted who is put straight: often his switch does not notice."""


def before(motion: Motion, origin: Square, others: Sequence[Square]) -> None:
    """Adjust somebody, knock men over and stand them up, take the man and put him back."""
    adjust(motion, others)
    if others and motion.chance(motion.manner.knock):
        motion.tag("knock")
        _knock(motion, others)
    if motion.chance(motion.manner.hesitate):
        motion.tag("hesitate")
        motion.touch(origin, motion.manner.hold_ms, motion.random.uniform(*ALOFT))
        motion.wait(motion.manner.pause_ms)


def adjust(motion: Motion, others: Sequence[Square]) -> None:
    """Now and then, put one to three others straight."""
    if not others or not motion.chance(motion.manner.adjust):
        return
    motion.tag("adjust")
    count = min(motion.random.choice((1, 1, 1, 2, 3)), len(others))
    for square in motion.random.sample(others, count):
        height = motion.random.uniform(*STRAIGHTENED)
        motion.touch(square, motion.manner.adjust_ms, height)
        motion.wait(motion.manner.pause_ms)


def _knock(motion: Motion, others: Sequence[Square]) -> None:
    """One to three men fall together and are stood up one after the other."""
    first = motion.random.choice(others)
    near = [square for square in neighbours(first) if square in others]
    also = motion.random.sample(near, min(motion.random.randint(0, 2), len(near)))
    fallen = []
    for square in [first, *also]:
        fallen.append((motion.lift(square), square))
        motion.topple(fallen[-1][0])
        motion.wait_us(motion.random.randint(0, 60_000))
    for man, square in fallen:
        motion.wait(motion.manner.hold_ms)
        motion.put(man, square)
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
    label = motion.men[origin]
    targets = [s for s in targets if s not in motion.men and not _shows_result(motion, label, s)]
    if not targets:
        return
    motion.tag("illegal")
    motion.showed_another = True
    target = motion.random.choice(targets)
    for leaving, arriving in ((origin, target), (target, origin)):
        motion.put(motion.lift(leaving), arriving)
        motion.wait(motion.manner.rest_ms)


def _shows_result(motion: Motion, label: str, square: Square) -> bool:
    """Whether a piece put down there by mistake were the second king in the centre.

    That is how a result is shown, and nobody could tell it from a mistake.
    """
    others = [at for at, other in motion.men.items() if other in "Kk" and other != label]
    return label in "Kk" and square in CENTRE and any(at in CENTRE for at in others)


def wrong_square(
    motion: Motion, target: Square, man: Carried, squares: Collection[Square]
) -> Carried:
    """The man in the hand is put beside his square first, and is lifted again."""
    empty = [
        square
        for square in neighbours(target)
        if square not in motion.men
        and square not in squares
        and not _shows_result(motion, man.label, square)
    ]
    if not empty or not motion.chance(motion.manner.wrong_square):
        return man
    motion.tag("wrong_square")
    motion.showed_another = True
    square = motion.random.choice(empty)
    motion.put(man, square)
    motion.wait(motion.manner.hold_ms)
    return motion.lift(square)


# FROM answering.py: Answers without a move: men taken up and put back, squares touched with a man.
#
#   A lesson asks, and hands answer by what stands up from the board and comes down on it. They are
#   still hands: they straighten others on the way, push, rock and miss the middle of a square. What
#   they do not do is answer by mistake: an attentive manner holds nobody up whom it was not asked for.

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
            motion.wait(motion.manner.pause_ms)
        adjust(motion, _others(motion, squares))
        _answer(motion, square)
        if motion.chance(motion.manner.nudge):
            nudge(motion, square)
    motion.landed()


def put_back_together(motion: Motion, squares: Sequence[Square]) -> None:
    """Take up all of these men, hold them, and put them back."""
    motion.tag("put_back_together")
    adjust(motion, _others(motion, squares))
    men = []
    for square in squares:
        men.append((motion.lift(square), square))
        motion.raise_up(men[-1][0], motion.manner.raise_ms, HIGH)
        motion.wait(motion.manner.two_hands_ms)
    motion.wait_until(max(man.way[-1].t_us for man, _ in men))
    motion.wait(HELD_MS)
    for n, (man, square) in enumerate(men):
        if n:
            motion.wait(motion.manner.pause_ms)
        motion.put(man, square)
    motion.landed()


def visit(
    motion: Motion, origin: Square, squares: Sequence[Square], home: Square | None = None
) -> None:
    """Touch these squares with the man on ``origin``; another hand answers for who stands there.

    ``home``: where he goes at last; None: he stays on the last square, which then must be empty.
    """
    motion.tag("visit")
    adjust(motion, _others(motion, {origin, *squares}))
    man, at = motion.lift(origin), origin
    way = [*squares] if home is None else [*squares, home]
    for n, square in enumerate(way):
        if square in motion.men:
            _ask_the_other(motion, man, square)
            continue
        _arrive(motion, man, at, square)
        if n < len(way) - 1:
            motion.wait(_touch_ms(motion))
            man, at = motion.lift(square), square
    motion.landed()


def adjust_square(motion: Motion, square: Square) -> None:
    """Put a man straight: lifted a little, pushed, or taken by the head."""
    motion.tag("adjust")
    way = motion.habit(ADJUSTS)
    if way == "touched":
        motion.touch(square, motion.manner.adjust_ms, motion.random.uniform(0.3, 0.9))
    elif way == "nudged":
        motion.touch(square, NUDGED_MS, motion.random.uniform(0.05, 0.5))
    else:
        _lean(motion, square)
    motion.landed()


def _lean(motion: Motion, square: Square) -> None:
    """His foot comes up on one side and goes down again."""
    man = motion.lift(square)
    away = around(man.where, motion.random, motion.random.uniform(*LEANED))
    motion.shove(man, away, motion.draw_us(LEANED_MS))
    motion.put_straight(man, square, motion.draw_us(LEANED_MS))


def _answer(motion: Motion, square: Square) -> None:
    man = motion.lift(square)
    motion.hold_up(man, motion.draw_us(motion.manner.raise_ms))
    motion.wait(HELD_MS)
    motion.put(man, square, duration_us=motion.draw_us(motion.manner.raise_ms))


def _ask_the_other(motion: Motion, man: Carried, square: Square) -> None:
    """One hand holds its man over the board while the other one answers with whoever is there."""
    motion.raise_up(man, motion.manner.raise_ms, HIGH)
    motion.wait(motion.manner.pause_ms)
    _answer(motion, square)
    motion.wait(motion.manner.pause_ms)


def _arrive(motion: Motion, man: Carried, at: Square, square: Square) -> None:
    stands = man.way[-1].z == 0
    if stands and may_drag(motion, at, square):
        motion.tag("slide")
        motion.drag(man, square)
    else:
        motion.put(man, square)


def _touch_ms(motion: Motion) -> Range:
    """Who carries slowly stays longer."""
    shortest, longest = TOUCHED_MS
    slow = [min(max(carried // 2, shortest), longest) for carried in motion.manner.carry_ms]
    return slow[0], slow[1]


def _others(motion: Motion, squares: Collection[Square]) -> list[Square]:
    return sorted(set(motion.men) - set(squares))
