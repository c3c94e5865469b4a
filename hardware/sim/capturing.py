"""A man takes another on his square: with one hand or two, swapped or pushed off."""

from __future__ import annotations

from collections.abc import Collection

from boardfw.squares import Square, square_at

from . import mishaps
from .motion import Carried, Motion
from .paths import Place, middle

FOOT = 0.66
"""From middle to middle of two men who touch: feet are two thirds of a square wide."""
DRAGGED = ("victim_first", "push")
"""Ways to take somebody with a man that does not leave the board."""
LOW = 0.25
"""So high over the board the man in the hand is while its other fingers take the victim."""


def capture(
    motion: Motion,
    step: tuple[Square, Square],
    squares: Collection[Square],
    arriving: str,
    *,
    drags: bool,
) -> Carried | None:
    """The man of this step takes whoever stands on its target; ``arriving``: who lands instead.

    Returns the victim where he still lies beside his square.
    """
    origin, target = step
    way = motion.habit(motion.manner.captures)
    drags = drags and way in DRAGGED
    if drags:
        motion.tag("slide")
    if way == "push" and not arriving:
        return _push(motion, origin, target, drags=drags)
    if drags or way == "victim_first":
        _victim_first(motion, origin, target, arriving, drags=drags)
    elif way == "two_hands":
        _two_hands(motion, origin, target, arriving)
    elif way == "swap" and not arriving:
        _swap(motion, origin, target, squares)
    else:
        _attacker_first(motion, origin, target, squares, arriving)
    return None


def _victim_first(
    motion: Motion, origin: Square, target: Square, arriving: str, *, drags: bool
) -> None:
    motion.take_away(motion.lift(target))
    motion.wait(motion.manner.pause_ms)
    man = motion.lift(origin)
    if drags and not arriving:
        motion.drag(man, target)
    else:
        _arrive(motion, man, target, arriving)


def _two_hands(motion: Motion, origin: Square, target: Square, arriving: str) -> None:
    """One hand takes the victim while the other brings the attacker."""
    first, second = (origin, target) if motion.chance(0.5) else (target, origin)
    men = {first: motion.lift(first)}
    motion.wait(motion.manner.two_hands_ms)
    men[second] = motion.lift(second)
    motion.take_away(men[target])
    _arrive(motion, men[origin], target, arriving)


def _attacker_first(
    motion: Motion, origin: Square, target: Square, squares: Collection[Square], arriving: str
) -> None:
    man = motion.lift(origin)
    if not arriving:
        man = mishaps.wrong_square(motion, target, man, squares)
    motion.hold_over(man, middle(target).towards(man.where, 0.2), 1.0)
    motion.take_away(motion.lift(target))
    motion.wait(motion.manner.pause_ms)
    _arrive(motion, man, target, arriving)


def _arrive(motion: Motion, man: Carried, target: Square, arriving: str) -> None:
    if arriving:
        motion.exchange(man, target, arriving)
    else:
        motion.put(man, target)


def _swap(motion: Motion, origin: Square, target: Square, squares: Collection[Square]) -> None:
    """One hand brings the attacker, takes the victim with its free fingers and sets him down.

    The victim's switch opens for about as long as ``swap_ms`` says; where men and switches are
    strong, a short gap does not open it at all.
    """
    man = mishaps.wrong_square(motion, target, motion.lift(origin), squares)
    motion.hold_over(man, middle(target).beyond(man.where, -FOOT), LOW)
    victim = motion.lift(target)
    motion.take_away(victim)
    meets_us = motion.felt_until_us(victim, target) + motion.draw_us(motion.manner.swap_ms)
    felt = motion.felt_after(man, target)
    in_us = min(motion.draw_us(motion.manner.raise_ms), round((meets_us - motion.now_us) / felt))
    motion.wait_until(meets_us - round(felt * in_us))
    motion.put(man, target, duration_us=in_us)


def _push(motion: Motion, origin: Square, target: Square, *, drags: bool) -> Carried | None:
    """The attacker comes low and shoves the victim off his square, who is taken away later."""
    start = motion.place(origin)
    away = _free_side(motion, target, start)
    if away is None:
        _victim_first(motion, origin, target, "", drags=drags)
        return None
    man = motion.lift(origin)
    motion.come_up_to(man, middle(target).beyond(start, -FOOT), low=drags)
    victim = motion.lift(target)
    together_us = motion.draw_us(motion.manner.raise_ms)
    motion.shove(victim, away, together_us)
    motion.shove_in(man, target, together_us)
    return victim


def _free_side(motion: Motion, target: Square, come_from: Place) -> Place | None:
    """Where a man goes who is shoved straight on, if nobody stands there."""
    next_door = middle(target).beyond(come_from, 1.0)
    file, rank = round(next_door.x), round(next_door.y)
    if 0 <= file < 8 and 0 <= rank < 8 and square_at(file, rank) in motion.men:
        return None
    return middle(target).beyond(come_from, FOOT)
