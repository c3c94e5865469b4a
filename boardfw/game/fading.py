"""Help that fades: who has hardly used it for some games is offered a level less."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from boardfw.game.help import Help

GAMES = 5
"""So many games in a row with hardly any help are no accident."""
MOVES_PER_USE = 10
"""One use in so many moves is hardly any."""
LEAST_MOVES = 10
"""A game in which a player moved less often says nothing."""


@dataclass(frozen=True, slots=True)
class Played:
    """One game of one player, and how often its help was of use to him."""

    level: int
    moves: int
    uses: int

    @property
    def counts(self) -> bool:
        """Whether it says anything."""
        return self.moves >= LEAST_MOVES

    @property
    def was_alone(self) -> bool:
        """Whether the player did nearly without."""
        return self.uses * MOVES_PER_USE <= self.moves


def offered(games: Sequence[Played], help_: Help) -> int | None:
    """The level to offer after these games, the newest last; None: stay where you are."""
    latest = [game for game in games if game.counts][-GAMES:]
    if help_.is_locked or not help_.level or len(latest) < GAMES:
        return None
    alone = all(game.level == help_.level and game.was_alone for game in latest)
    return help_.level - 1 if alone else None
