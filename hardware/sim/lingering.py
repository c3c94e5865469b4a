"""What stays longer than a move takes: pieces in the hand, and captured pieces on the board.

Hands of some worlds do this (``worlds.py``). All figures are guesses.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import exp, log
from random import Random

from boardfw.squares import EVERY_SWITCH, Switch, file_of
from hardware.sim.mishaps import STRAIGHTENED
from hardware.sim.motion import Carried, Motion

CLEAR = (0.8, 1.3)
"""How high over the board a piece is held: no switch feels it."""
TWO_HELD = 0.3
"""How often a second piece, of either side, is held as well."""
GOES_ON = 0.5
"""How often the held piece makes its move from the hand, and is not put back first."""
STRAIGHTENING = 0.5
"""How often other pieces are put straight meanwhile."""
CLEARED_AWAY = 0.2
"""How often, before a ply, a parked piece leaves the board."""
AT_THE_EDGE = 0.7
"""How often a piece is parked on the a-file or the h-file, if there is room."""


def hold_long(motion: Motion, origin: Switch, others: Sequence[Switch]) -> None:
    """Lift the piece that will move, and think: for 8 s as often as for 100 s.

    ``others``: pieces that may be lifted or straightened meanwhile.
    """
    motion.tag("long_hold")
    shortest_ms, longest_ms = motion.profile.long_hold_ms
    lasts_ms = exp(motion.random.uniform(log(shortest_ms), log(longest_ms)))
    until_us = motion.now_us + round(lasts_ms * 1000)
    held = [(origin, _take_up(motion, origin))]
    if others and motion.chance(TWO_HELD):
        motion.tag("two_held")
        motion.wait(motion.profile.pause_ms)
        second = motion.random.choice(others)
        held.append((second, _take_up(motion, second)))
        others = [square for square in others if square != second]
    if others and motion.chance(STRAIGHTENING):
        _straighten(motion, others, until_us)
    motion.wait_until(until_us)
    goes_on = motion.chance(GOES_ON)
    for square, piece in reversed(held):
        if square == origin and goes_on:
            motion.held[origin] = piece
        else:
            motion.put(piece, square)
            motion.wait(motion.profile.pause_ms)


def _take_up(motion: Motion, square: Switch) -> Carried:
    return motion.take_up(square, motion.profile.pause_ms, motion.random.uniform(*CLEAR))


def _straighten(motion: Motion, others: Sequence[Switch], until_us: int) -> None:
    """Put one to three others straight, spread over the time until then."""
    motion.tag("adjust")
    count = min(motion.random.randint(1, 3), len(others))
    for square in motion.random.sample(others, count):
        motion.wait_us(motion.random.randint(0, max(0, until_us - motion.now_us)) // 2)
        motion.touch(square, motion.profile.adjust_ms, motion.random.uniform(*STRAIGHTENED))


def parking_place(
    pieces: Mapping[Switch, str], needed: Collection[Switch], random: Random
) -> Switch | None:
    """Return an empty square that the move does not need, or None; most often one at the edge."""
    empty = [square for square in EVERY_SWITCH if square not in pieces and square not in needed]
    edge = [square for square in empty if file_of(square) in (0, 7)]
    if edge and random.random() < AT_THE_EDGE:
        return random.choice(edge)
    return random.choice(empty) if empty else None


def clear_parked(motion: Motion, parked: set[Switch], needed: Collection[Switch]) -> None:
    """Take parked pieces off the board: those in the way of a move, and others now and then."""
    for square in sorted(parked):
        if square in needed or motion.chance(CLEARED_AWAY):
            motion.tag("unparked")
            motion.take_away(motion.lift(square))
            motion.wait(motion.profile.pause_ms)
            parked.discard(square)
