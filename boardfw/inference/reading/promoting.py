"""What a pawn becomes: put-backs choose it, and a later move may show it. No switch sees it.

A contact that is lost for a moment looks like a piece that is lifted and put back in haste. So a
hasty put-back leaves two games, one that counts it and one that does not.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import log1p

from boardfw.inference.reading import constants
from boardfw.inference.reading.constants import cost
from boardfw.inference.reading.hypothesis import Choice, Hypothesis
from boardfw.inference.reading.touches import Kind, Touch
from boardfw.rules.attacks import SQUARES
from boardfw.rules.board import BISHOP, KNIGHT, QUEEN, ROOK, PieceType
from boardfw.rules.move import Move
from boardfw.rules.position import Position
from boardfw.squares import Bitboard, Square

PROMOTIONS = (QUEEN, KNIGHT, ROOK, BISHOP)
"""In the order in which putting the piece back chooses (contract)."""


def chosen_again(game: Hypothesis, touch: Touch, shown: Bitboard) -> list[Hypothesis]:
    """Return what a game has become after a touch that may have chosen its promotion piece again.

    It is the game itself, unless a piece was put back on the square of the promotion. It remains
    as well while a piece is in the hand that may have captured there.
    """
    choice = game.choice
    if choice is None or touch.kind is not Kind.LAND or touch.square != choice.square:
        return [game]
    lifted = next(
        (one for one in game.loose if one.square == touch.square and one.kind is Kind.LIFT), None
    )
    if lifted is None:
        return [game]
    if not choice.put_back and lifted.t_us - choice.dropped_us < constants.REACTION_US:
        # No hand exchanges a pawn so soon: it arrives only now.
        game.choice = Choice(choice.square, touch.t_us)
        return [game]
    position = game.position
    is_attacked = bool(position.attackers(choice.square, position.turn) & game.own & ~shown)
    price = 0.0
    if is_attacked:  # it is the turn of the other player, who has begun
        price = cost(constants.P_ADJUST) + cost(constants.P_ADJUST_VICTIM)
    captured = [game] if is_attacked else []
    if not choice.is_open(touch.t_us):
        return [_chosen(game, choice, price), *captured]  # who chooses too late adjusts
    odds = ((touch.t_us - lifted.t_us) / constants.PUT_BACK_US) ** constants.PUT_BACK_SHAPE
    put_back = Choice(choice.square, touch.t_us, choice.put_back + 1)
    return [
        _chosen(game, put_back, price + log1p(1 / odds)),
        _chosen(game, choice, price + log1p(odds)),  # the contact was lost for a moment
        *captured,
    ]


def as_other_pieces(game: Hypothesis, lifted: Bitboard) -> Iterator[Hypothesis]:
    """Yield the game with other promotion pieces in place of one that is lifted now.

    The piece may then move as only another one can (contract), so its put-backs misled.
    """
    for square in SQUARES[lifted & game.own]:
        promoted = _promoted(game, square)
        if promoted is None or promoted.move is None:
            continue
        for piece in PROMOTIONS:
            if piece != promoted.move.promotion:
                other = _replayed(game, promoted, piece)
                if other is not None:
                    yield other


def _promoted(game: Hypothesis, square: Square) -> Hypothesis | None:
    """Return the game as of when the piece on a square was promoted; None if it was not."""
    node = game
    while node.move is not None and node.before is not None:
        if node.move.target == square and node.position.turn != game.position.turn:
            if node.move.promotion:
                return node
            square = node.move.origin
        node = node.before
    return None


def _replayed(game: Hypothesis, promoted: Hypothesis, piece: PieceType) -> Hypothesis | None:
    """Return a game with another piece from a promotion on; None if a later ply is illegal then."""
    node, nodes = game, []
    while node is not promoted and node.before is not None:
        nodes.append(node)
        node = node.before
    replayed = promoted.before
    for node in [promoted, *reversed(nodes)]:
        if replayed is None or node.move is None:
            return None
        move = _same_by_hand(replayed.position, node.move, piece if node is promoted else None)
        if move is None:
            return None
        replayed = _copied(node, replayed, move)
    if replayed is not None:
        is_chosen = promoted.move is not None and promoted.move.promotion != QUEEN
        replayed.paid += cost(constants.P_OTHER_PIECE if is_chosen else constants.P_NOT_CHOSEN)
    return replayed


def _same_by_hand(position: Position, move: Move, piece: PieceType | None) -> Move | None:
    """Return the legal move that hands make just so; ``piece``: what a pawn becomes then."""
    promotion = move.promotion if piece is None else piece
    return next(
        (
            one
            for one in position.legal_moves()
            if one.promotion == promotion
            and (one.origin, one.target, one.captured) == (move.origin, move.target, move.captured)
            and one.rook_step == move.rook_step
        ),
        None,
    )


def _copied(game: Hypothesis, before: Hypothesis, move: Move) -> Hypothesis:
    """Return a game with another last ply that hands make just so."""
    copy = Hypothesis(before.position.play_unchecked(move), game.paid, before, move)
    copy.landed_us, copy.way, copy.away_us = game.landed_us, game.way, game.away_us
    copy.is_unseen = game.is_unseen
    copy.loose, copy.trail = game.loose, game.trail
    copy.at_rest, copy.off_us = game.at_rest, game.off_us
    copy.handled_us, copy.worst = game.handled_us, game.worst
    return copy


def _chosen(game: Hypothesis, choice: Choice, price: float) -> Hypothesis:
    """Return a game with the promotion piece of a choice, for which it pays the price."""
    move, before = game.move, game.before
    if move is None or before is None:
        return game
    piece = PROMOTIONS[max(0, choice.put_back - 1) % 4]
    other = Move.of(move.piece_type, move.origin, move.target, piece, move.captured)
    chosen = _copied(game, before, other)
    chosen.paid += price
    chosen.loose = tuple(one for one in game.loose if one.square != choice.square)
    chosen.choice = choice
    return chosen
