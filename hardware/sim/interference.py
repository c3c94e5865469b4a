"""What moves switches beside the hands' own pieces: a bump of the board, magnets that people wear.

All figures are guesses, unless a source is named.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from boardfw.squares import EVERY_SWITCH, Switch, file_of, rank_of, switches_in
from hardware.sim.forcing import Forcing, Scene
from hardware.sim.gesture import Gesture, HandAction
from hardware.sim.magnets import HIGH, Place, Point, Reach, crossings, reach

BUMPS = 3
"""How often the board is bumped in a game."""
SOON_AFTER_US = (50_000, 700_000)
"""Half of the bumps come so soon after a piece was put down: an arm or a knee moves with it."""
BUMPED_US = (60_000, 250_000)
"""How long the pieces hop and rock: one of 5 to 9 cm rocks for a few tenths of a second."""
LEAST_BUMPED = 8
"""How many contacts a bump opens at least; at most, all that are closed."""
OPEN_US = (2_000, 40_000)
"""How long a contact is open at a time."""
REST_US = (4_000, 60_000)
"""How long it is closed in between."""


def bumps(scene: Scene) -> Iterator[Forcing]:
    """The board is bumped a few times: pieces hop, and their contacts open again and again."""
    for _ in range(BUMPS):
        yield from bump(scene, _bump_us(scene), scene.random.randint(*BUMPED_US))


def _bump_us(scene: Scene) -> int:
    if scene.gestures and scene.random.random() < 0.5:
        landed_us = scene.random.choice(scene.gestures).landed_us
        return landed_us + scene.random.randint(*SOON_AFTER_US)
    return scene.some_time_us()


def bump(scene: Scene, t_us: int, lasts_us: int) -> Iterator[Forcing]:
    """One bump at an instant."""
    random = scene.random
    closed = list(switches_in(scene.closed_at(t_us)))
    least = min(LEAST_BUMPED, len(closed))
    for switch in random.sample(closed, random.randint(least, len(closed))):
        opens_us = t_us + random.randint(0, lasts_us // 3)
        while opens_us < t_us + lasts_us:
            closes_us = opens_us + random.randint(*OPEN_US)
            yield Forcing(opens_us, closes_us, opened=1 << switch)
            opens_us = closes_us + random.randint(*REST_US)


# ---------------------------------------------------------------------------------- worn magnets

CLASP = Reach(0.33, 0.40)
"""A clasp holds with a magnet smaller than a piece's."""
WRIST = 0.9
"""How far behind the fingers a bracelet is, in squares."""
LOW = (0.05, 0.6)
"""How high over the board a wrist passes."""
PASSES = 0.25
"""How often a wrist passes low while a piece is moved."""
RESTS = 0.06
"""How often an arm comes to rest on the edge of the board after a move."""
RESTS_US = (1_000_000, 20_000_000)
REACH_US = (300_000, 900_000)
OPPOSED = 0.5
"""How often the clasp's pole opposes those of the pieces: then it opens closed switches."""


def rings(scene: Scene) -> Iterator[Forcing]:
    """A bracelet or sleeve with a magnet passes over squares, with the hand or beside it."""
    random = scene.random
    is_opposed = random.random() < OPPOSED
    for gesture in scene.gestures:
        drops = [action for action in gesture.actions if action.kind == "drop"]
        if drops and random.random() < PASSES:
            yield from _felt(_wrist(random, drops[-1]), is_opposed=is_opposed)
        if random.random() < RESTS:
            yield from _felt(_arm(random, gesture), is_opposed=is_opposed)


def _wrist(random: Random, drop: HandAction) -> Sequence[Point]:
    """The way of a wrist whose fingers put a piece down: in from a player's side, and out again."""
    is_white = drop.label.isupper()
    there = Place(file_of(drop.square), rank_of(drop.square))
    beside = Place(there.x + random.uniform(-1, 1), -2.0 if is_white else 9.0)
    wrist = there.beyond(beside, -WRIST)
    height = random.uniform(*LOW)
    into_us, out_us = random.randint(*REACH_US), random.randint(*REACH_US)
    start = Point(max(0, drop.until_us - into_us), *beside, HIGH)
    path = [start, *reach(start, wrist, height, height, into_us)]
    return [*path, *reach(path[-1], beside, HIGH, height, out_us)]


def _arm(random: Random, gesture: Gesture) -> Sequence[Point]:
    """The way of an arm that is laid on the edge of the board, and taken away after a while."""
    beside = Place(random.uniform(0, 7), random.choice((-2.0, 9.0)))
    edge = Place(beside.x, random.uniform(-0.3, 0.6) if beside.y < 0 else random.uniform(6.4, 7.3))
    start = Point(gesture.end_us, *beside, HIGH)
    path = [start, *reach(start, edge, 0.1, 0.1, random.randint(*REACH_US))]
    path.append(path[-1]._replace(t_us=path[-1].t_us + random.randint(*RESTS_US)))
    return [*path, *reach(path[-1], beside, HIGH, 0.1, random.randint(*REACH_US))]


def _felt(path: Sequence[Point], *, is_opposed: bool) -> Iterator[Forcing]:
    """What the switches feel of a clasp on its way."""
    since: dict[Switch, int] = {}
    for t_us, switch, closed in crossings(path, [CLASP] * len(EVERY_SWITCH), ()):
        if closed:
            since[switch] = t_us
            continue
        mask = 1 << switch
        began_us = since.pop(switch)
        if is_opposed:
            yield Forcing(began_us, t_us, opened=mask)
        else:
            yield Forcing(began_us, t_us, closed=mask)
