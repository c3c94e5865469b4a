"""The games that may have been played while nobody watched the board: several plies, unseen."""

from __future__ import annotations

from collections.abc import Iterator

from boardfw.inference.reading import constants
from boardfw.inference.reading.constants import cost
from boardfw.inference.reading.hypothesis import Hypothesis
from boardfw.squares import Bitboard

MOST_PLIES = 4
"""More plies than this that nobody saw could have been anything."""
MOST_GAMES = 12
"""Games that are found at most, the shortest first."""


def games_unseen(game: Hypothesis, shown: Bitboard, t_us: int) -> list[Hypothesis]:
    """Return the games that a game may have become by ``t_us``, when the board shows ``shown``."""
    for plies in range(1, MOST_PLIES + 1):
        start = Hypothesis(game.position, game.paid, game.before, game.move, game.seating)
        start.believe(game.faults)
        found = []
        for longer in _played(start, shown, plies, t_us):
            found.append(longer)
            if len(found) == MOST_GAMES:
                break
        if found:
            return found
    return []


def _played(game: Hypothesis, shown: Bitboard, plies: int, t_us: int) -> Iterator[Hypothesis]:
    """Yield the games after so many plies, each of a piece that is away to where one stands."""
    wrong = (game.occupied ^ shown) & ~game.dead
    missing = game.occupied & (wrong | game.dead)
    if not plies:
        if not wrong:
            yield game
        return
    for move in game.hand_moves():
        if missing >> move.origin & 1 and (shown | game.dead) >> move.target & 1:
            price = cost(constants.P_PLY) + cost(constants.P_UNWATCHED)
            after = game.position.play_unchecked(move)
            longer = Hypothesis(after, game.paid + price, game, move)
            longer.landed_us = t_us
            yield from _played(longer, shown, plies - 1, t_us)
