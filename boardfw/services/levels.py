"""One scale of strength for all opponents, in words and in Elo.

The figures order the levels; they promise no rating. An engine that can play at an Elo is told to;
of one that cannot, or not that weakly, less is asked (depth, nodes), and below that it errs: the
move is chosen by chance among several, the better the likelier, and now and then without looking.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise
from math import exp
from typing import NamedTuple

from boardfw.errors import ConfigError
from boardfw.rules import Move, Position


class Level(NamedTuple):
    """A strength that can be chosen."""

    number: int
    name: str
    elo: int | None
    """None: as strong as it can."""


LEVELS = (
    Level(1, "just learnt the rules", 400),
    Level(2, "beginner", 600),
    Level(3, "learner", 800),
    Level(4, "improver", 1000),
    Level(5, "casual player", 1200),
    Level(6, "club beginner", 1400),
    Level(7, "club player", 1600),
    Level(8, "strong club player", 1900),
    Level(9, "expert", 2200),
    Level(10, "master", 2500),
    Level(11, "full", None),
)
FULL = LEVELS[-1]
ADAPTIVE = "adaptive"
"""In place of a level: one that follows the player's results, see ``adaptive.py``."""


def level_of(text: str) -> Level:
    """The level with this number, name or Elo (``3``, ``learner``, ``elo 1350``).

    Raises ConfigError.
    """
    word = " ".join(text.lower().split())
    for level in LEVELS:
        if word in (str(level.number), level.name):
            return level
    elo = word.removeprefix("elo").strip()
    if elo.isascii() and elo.isdigit() and len(elo) < 5 and int(elo) >= LEAST_ELO:
        below = [one for one in LEVELS if one.elo is not None and one.elo <= int(elo)]
        return Level(below[-1].number, f"Elo {int(elo)}", int(elo))
    names = ", ".join(f"{level.number} ({level.name})" for level in LEVELS)
    raise ConfigError(
        f"level {text!a}: there is none such; write one of {names}, an Elo such as 'elo 1350', "
        f"or '{ADAPTIVE}'"
    )


LEAST_ELO = LEVELS[0].elo or 0


def is_adaptive(text: str) -> bool:
    """Whether a text means no level, but one that follows the player's results."""
    return text.strip().lower() == ADAPTIVE


class Errors(NamedTuple):
    """How a weak player errs."""

    spread_cp: float
    """By how much a move may be worse until it is chosen a third as often as the best; 0: never."""
    blind: float
    """How often, 0..1, a move is made without looking at all."""


FLAWLESS = Errors(0, 0)

ERRORS = ((400, Errors(300, 0.30)), (800, Errors(120, 0.10)), (1400, Errors(30, 0.0)))
"""By Elo; between two of them they change evenly. Above the last nothing is left to chance."""


def errors_at(elo: int) -> Errors:
    """The errors of a player of this strength."""
    first, last = ERRORS[0], ERRORS[-1]
    if elo >= last[0]:
        return FLAWLESS
    if elo <= first[0]:
        return first[1]
    for (low, more), (high, less) in pairwise(ERRORS):
        if low <= elo < high:
            share = (elo - low) / (high - low)
            spread_cp = more.spread_cp + (less.spread_cp - more.spread_cp) * share
            return Errors(spread_cp, more.blind + (less.blind - more.blind) * share)
    return FLAWLESS


class Candidate(NamedTuple):
    """A move that was looked at."""

    move: Move
    worth_cp: float
    """For the side that makes it."""


def choice(
    position: Position, candidates: Sequence[Candidate], errors: Errors, chance: random.Random
) -> Candidate:
    """The candidate that a player with these errors makes, the best one first among them.

    A move made without looking may be any legal one; what it is worth is then not known, and the
    best candidate's worth is said.
    """
    best = candidates[0]
    if chance.random() < errors.blind:
        move = chance.choice(position.legal_moves())
        return next((one for one in candidates if one.move is move), best._replace(move=move))
    if not errors.spread_cp:
        return best
    top = max(one.worth_cp for one in candidates)
    likely = [exp((one.worth_cp - top) / errors.spread_cp) for one in candidates]
    return chance.choices(candidates, likely)[0]
