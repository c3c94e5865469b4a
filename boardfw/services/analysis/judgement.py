"""How bad a move was: by how much it lowered the chance to win.

Hundredths of a pawn judge badly: a pawn decides a level game, and nothing when a queen is won
already. So they become a chance first, and a move is judged by what it cost of that.
"""

from __future__ import annotations

from enum import Enum
from math import exp

from boardfw.services.uci.replies import MATE_CP, Score

STEEPNESS = 0.00368208
"""Of the logistic curve that lichess fitted to games of its players: lichess.org/page/accuracy."""


def winning_chance(score: Score) -> float:
    """The chance to win of the side to move, 0..1, a draw counting half; a mate is sure."""
    if score.mate is not None:
        return 1.0 if score.mate > 0 else 0.0
    cp = max(-MATE_CP, min(MATE_CP, score.cp or 0))
    return 1 / (1 + exp(-STEEPNESS * cp))


class Judgement(Enum):
    """What a move is called that costs at least so much, with its sign and its NAG.

    The limits are those by which lichess marks games: a fall by 0.1, 0.2 and 0.3 on its scale from
    -1 (lost) to 1 (won), so by half of that from 0 to 1.
    """

    BLUNDER = ("blunder", 0.15, "??", 4)
    MISTAKE = ("mistake", 0.10, "?", 2)
    INACCURACY = ("inaccuracy", 0.05, "?!", 6)

    def __init__(self, word: str, least: float, sign: str, nag: int) -> None:
        self.word = word
        self.least = least
        """Of the loss of winning chance, 0..1."""
        self.sign = sign
        self.nag = nag

    @property
    def turns_the_game(self) -> bool:
        """Whether such a move is worth a second look."""
        return self is not Judgement.INACCURACY


ROUNDING = 1e-9


def judged(loss: float) -> Judgement | None:
    """The judgement on a move that cost so much of the winning chance; None: it was fine."""
    return next((one for one in Judgement if loss + ROUNDING >= one.least), None)
