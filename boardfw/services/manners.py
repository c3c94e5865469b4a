"""When an opponent resigns, offers a draw and accepts one: like a person, or never."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from boardfw.game.opponent import Situation

HOPELESS_CP, HOPELESS_MOVES = -900, 3
"""A queen behind for so many of its own moves."""
LEVEL_CP, LEVEL_MOVES = 20, 6
"""As good as even for so many of its own moves."""
LATE_MOVE = 35
"""Before this move no draw is offered: there is a game to be played."""
AGAIN_PLIES = 20
"""Plies until a draw is offered again."""
ACCEPTED_CP, ACCEPTED_EARLY_CP = 0, -150
"""A draw is accepted by a player who is not better, early in the game only by one who is worse."""


@dataclass(frozen=True, slots=True)
class Manners:
    """What it does beside moving."""

    resigns: bool = True
    draws: bool = True
    """Whether it offers draws and accepts them."""

    def gives_up(self, worth_cp: Sequence[float]) -> bool:
        """Whether it resigns; what its moves were worth to it, the newest last."""
        last = worth_cp[-HOPELESS_MOVES:]
        is_hopeless = len(last) == HOPELESS_MOVES and max(last) <= HOPELESS_CP
        return self.resigns and is_hopeless

    def offers(self, situation: Situation, worth_cp: Sequence[float], offered: int | None) -> bool:
        """Whether it offers a draw with its move; ``offered``: the plies when it last did."""
        last = worth_cp[-LEVEL_MOVES:]
        is_level = len(last) == LEVEL_MOVES and max(map(abs, last)) <= LEVEL_CP
        is_new = offered is None or len(situation.moves) >= offered + AGAIN_PLIES
        return self.draws and is_level and is_new and _move_number(situation) >= LATE_MOVE

    def accepts(self, situation: Situation, worth_cp: Sequence[float]) -> bool:
        """Whether it accepts a draw, by what its last move was worth."""
        if not self.draws or not worth_cp:
            return False
        is_late = _move_number(situation) >= LATE_MOVE
        return worth_cp[-1] <= (ACCEPTED_CP if is_late else ACCEPTED_EARLY_CP)


def _move_number(situation: Situation) -> int:
    return situation.start.fullmove_number + len(situation.moves) // 2
