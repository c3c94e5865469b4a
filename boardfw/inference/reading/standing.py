"""The price of what is on the board now and that a game does not show: pieces held, or handled.

A lifted piece costs more the longer it is held, by a survival function with a heavy tail, and never
more than the longest thought does. So time alone never turns a lifted piece into a capture.
"""

from __future__ import annotations

from math import log1p

from boardfw.inference.reading import constants
from boardfw.inference.reading.constants import cost
from boardfw.inference.reading.hands import reach_of, reach_of_hands
from boardfw.inference.reading.hypothesis import Hypothesis, Unshown
from boardfw.rules.attacks import KING_ATTACKS, SQUARES
from boardfw.squares import Bitboard, Square

MOST_IN_HANDS = 3
"""More pieces of the side to move in the air are not held for a move: castling lifts two."""
MOST_RESTS = 2
"""Squares that lifted pieces rest on: one of a border each, or the first piece of castling."""


def watch_board(
    game: Hypothesis, before: Bitboard, shown: Bitboard, t_us: int, since_us: int
) -> None:
    """Let a game note that the board showed ``before`` since ``since_us``, and ``shown`` now."""
    if not game.at_rest:
        if unshown(game, before).on_border:
            game.paid += border_price(t_us - since_us)
        if unshown(game, before).handled:
            game.handled_us += t_us - since_us
            game.worst = max(game.worst, held_price(game, before, t_us))
        if game.occupied == shown:
            game.paid += held_price(game, before, t_us)
            game.at_rest, game.handled_us, game.worst = True, 0, 0.0
    elif game.occupied != shown:
        game.at_rest, game.off_us = False, t_us


def price_of(game: Hypothesis, shown: Bitboard, t_us: int, since_us: int) -> float:
    """Return what a game pays at ``t_us`` for a board that shows ``shown`` since ``since_us``."""
    if game.occupied == shown:
        return 0.0
    difference = unshown(game, shown)
    price = held_price(game, shown, t_us)
    if difference.waits:
        price += log1p(max(0, t_us - game.off_us) / constants.HOLD_US)
    if difference.handled or game.worst:
        handled_us = game.handled_us + (t_us - since_us if difference.handled else 0)
        price = max(price, handling_price(handled_us), game.worst)
    elif difference.on_border:
        price = max(price, border_price(t_us - since_us))
    return price + difference.out_of_turn


def held_price(game: Hypothesis, shown: Bitboard, t_us: int) -> float:
    """Return the price of the pieces that the side to move holds at ``t_us``."""
    return thinking_price(t_us - game.off_us) + unshown(game, shown).held_more


def thinking_price(held_us: int) -> float:
    """Return the price of a piece that is held for so long."""
    return min(cost(constants.P_HELD_FOR_EVER), log1p(max(0, held_us) / constants.HOLD_US))


def unshown(game: Hypothesis, shown: Bitboard) -> Unshown:
    """Return how the board differs from the position of a game, and what that costs at once."""
    known = game.unshown
    if known is None or known.shown != shown:
        held = (game.own & ~shown).bit_count()
        handled = _is_handled(game, shown, held)
        on_border = handled and _is_on_border(game, shown)
        known = game.unshown = Unshown(
            shown,
            handled and not on_border,
            on_border,
            cost(constants.P_ANOTHER_HELD) * min(max(0, held - 1), MOST_IN_HANDS),
            _out_of_turn_price(game, shown),
            not held and bool(game.others & ~shown),
        )
    return known


def is_mover_at_it(game: Hypothesis, shown: Bitboard) -> bool:
    """True if the player who moved last has a piece in the hand that no reply may capture."""
    lifted = game.others & ~shown
    return bool(lifted) and not _is_capturable(game, lifted)


def _out_of_turn_price(game: Hypothesis, shown: Bitboard) -> float:
    """Return the price of the other side's pieces in the air.

    Captured ones may be. Where plies are just taken back, a victim is put back late, and the next
    ply goes back, too.
    """
    lifted = game.others & ~shown
    if not lifted:
        return 0.0
    is_usual = _goes_back(game, lifted) or _is_capturable(game, lifted)
    return cost(constants.P_ANOTHER_HELD if is_usual else constants.P_OUT_OF_TURN)


def _goes_back(game: Hypothesis, piece: Bitboard) -> bool:
    """True if a piece in the air belongs to plies that are just taken back."""
    if game.undone is None:
        return False
    next_back = game.move.target if game.move else None
    return piece in (
        1 << square for square in (next_back, game.undone.captured) if square is not None
    )


def _is_handled(game: Hypothesis, shown: Bitboard, held: int) -> bool:
    """True if something is on the board, or off it, as no hand of a player holds pieces."""
    if held > MOST_IN_HANDS or (game.others & ~shown).bit_count() > 1:
        return True
    stray = shown & ~game.occupied
    # A piece in the hand may rest on its way, on a border even; so may the king in castling.
    reach = reach_of_hands(game, shown)
    return bool(stray) and (stray.bit_count() > MOST_RESTS or bool(stray & ~reach))


def _is_on_border(game: Hypothesis, shown: Bitboard) -> bool:
    """True if a piece may rest between its square and the next, and hold both switches."""
    stray = shown & ~game.occupied
    if not stray or stray & (stray - 1):
        return False
    beside = game.own & shown & KING_ATTACKS[stray.bit_length() - 1]
    return any(
        reach_of(game.position.placement, game.occupied, origin) & stray
        for origin in SQUARES[beside]
    )


def handling_price(handled_us: int) -> float:
    """Return the price of pieces that were for so long where no hand of a player leaves them."""
    return min(cost(constants.P_HANDLING), handled_us / constants.HANDLING_US)


def border_price(rested_us: int) -> float:
    """Return the price of a piece that has rested between two squares for so long."""
    return min(cost(constants.P_HANDLING), rested_us / constants.BORDER_US)


def _is_capturable(game: Hypothesis, pieces: Bitboard) -> bool:
    """True if these are one piece, which the side to move may capture."""
    if pieces & (pieces - 1):
        return False
    position = game.position
    square = Square(pieces.bit_length() - 1)
    return position.en_passant is not None or bool(position.attackers(square, position.turn))
