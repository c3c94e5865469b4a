"""What a pawn becomes: put-backs choose it, and a later move may show it. No switch sees it.

A contact that is lost for a moment looks like a piece that is lifted and put back in haste. So a
hasty put-back leaves two games, one that counts it and one that does not.
"""

from __future__ import annotations

from math import log1p

from boardfw.inference.reading import constants
from boardfw.inference.reading.hypothesis import Choice, Hypothesis
from boardfw.inference.reading.touches import Kind, Touch
from boardfw.rules.board import BISHOP, KNIGHT, QUEEN, ROOK
from boardfw.rules.move import Move

PROMOTIONS = (QUEEN, KNIGHT, ROOK, BISHOP)
"""In the order in which putting the piece back chooses (contract)."""
CHOICE_US = 4_000_000
"""Within this time of the drop before, putting back chooses again (contract)."""


def chosen_again(game: Hypothesis, touch: Touch) -> list[Hypothesis]:
    """Return what a game has become after a touch that may have chosen its promotion piece again.

    It is the game itself, unless a piece was put back on the square of the promotion.
    """
    choice = game.choice
    if choice is None or touch.kind is not Kind.LAND or touch.square != choice.square:
        return [game]
    lifted = next(
        (one for one in game.loose if one.square == touch.square and one.kind is Kind.LIFT), None
    )
    if lifted is None:
        return [game]
    if choice.put_back and lifted.t_us - choice.dropped_us > CHOICE_US:
        game.choice = None
        return [game]
    odds = ((touch.t_us - lifted.t_us) / constants.PUT_BACK_US) ** constants.PUT_BACK_SHAPE
    put_back = Choice(choice.square, touch.t_us, choice.put_back + 1)
    return [
        _chosen(game, put_back, log1p(1 / odds)),
        _chosen(game, choice, log1p(odds)),  # the contact was lost for a moment
    ]


def _chosen(game: Hypothesis, choice: Choice, price: float) -> Hypothesis:
    """Return a game with the promotion piece of a choice, for which it pays the price."""
    move, before = game.move, game.before
    if move is None or before is None:
        return game
    piece = PROMOTIONS[max(0, choice.put_back - 1) % 4]
    other = Move.of(move.piece_type, move.origin, move.target, piece, move.captured)
    chosen = Hypothesis(before.position.play_unchecked(other), game.paid + price, before, other)
    chosen.loose = tuple(one for one in game.loose if one.square != choice.square)
    chosen.landed_us = game.landed_us
    chosen.unsure = game.unsure
    chosen.at_rest, chosen.off_us = game.at_rest, game.off_us
    chosen.choice = choice
    return chosen
