"""A level that follows a player: which strength the results of the last games speak for.

Nothing of it is kept: it follows from the games themselves. After each game the player's rating, on
the scale of the levels, moves towards what the result says, by a bounded step; the next opponent is
as strong as that, so that both win as often.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from boardfw.errors import ConfigError
from boardfw.services.levels import FULL, LEAST_ELO, Level, level_of
from boardfw.services.opponent_names import parts_of
from boardfw.services.opponents import OWN
from boardfw.services.own_player import STRONGEST_ELO

FIRST_ELO = 800
"""Of a player of whom no game is known: level 3, as where nothing else is said."""
FULL_ELO = 2800
"""What an engine without a handicap is taken for, and the most that a rating can be."""
QUICK_GAMES = 10
QUICK_STEP, STEP = 240, 80
"""How far, in Elo, a game can move a rating at most: at first, and after so many games.

Against an equal it is half of that: a third of a level, once the level is found."""
ROUND_ELO = 10


class EngineGame(NamedTuple):
    """A finished game of a person against an opponent that is not at the board."""

    opponent: str
    """As of ``Chosen.name``: who it was, at which level."""
    points: float
    """The person's: 1, 0.5 or 0."""


def elo_of(opponent: str) -> int | None:
    """How strong an opponent was; None: it is none of ours, and says nothing."""
    try:
        name, text = parts_of(opponent)
        level = level_of(text or "")
    except ConfigError:
        return None
    elo = FULL_ELO if level.elo is None else level.elo
    return min(elo, STRONGEST_ELO) if name == OWN else elo


def rating(games: Iterable[EngineGame]) -> float:
    """The rating of a player after these games, the oldest first."""
    elo, known = float(FIRST_ELO), 0
    for game in games:
        against = elo_of(game.opponent)
        if against is not None:
            expected = 1 / (1 + 10 ** ((against - elo) / 400))
            step = QUICK_STEP if known < QUICK_GAMES else STEP
            elo = min(max(elo + step * (game.points - expected), LEAST_ELO), FULL_ELO)
            known += 1
    return elo


def level_at(elo: float) -> Level:
    """The level for a player with this rating."""
    rounded = ROUND_ELO * round(elo / ROUND_ELO)
    return FULL if rounded >= FULL_ELO else level_of(f"elo {rounded}")
