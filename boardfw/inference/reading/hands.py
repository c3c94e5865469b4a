"""The pieces in the hands of a game, and what they do to squares on their way."""

from __future__ import annotations

from math import log1p

from boardfw.inference.reading import constants
from boardfw.inference.reading.constants import cost
from boardfw.inference.reading.habits import Habits
from boardfw.inference.reading.hypothesis import Hypothesis, Trail
from boardfw.inference.reading.touches import Kind, Touch
from boardfw.rules.attacks import KING_ATTACKS, SQUARES
from boardfw.rules.board import BISHOP, QUEEN, ROOK, Placement, attacks_of
from boardfw.squares import Bitboard, Square, bitboard_of, square_at

EIGHT = range(8)
RANKS = tuple(
    bitboard_of(square_at(file, rank) for file in EIGHT[max(0, here - 2) : here + 3])
    for rank in EIGHT
    for here in EIGHT
)
FILES = tuple(
    bitboard_of(square_at(file, rank) for rank in EIGHT[max(0, here - 2) : here + 3])
    for here in EIGHT
    for file in EIGHT
)
"""By square: the squares up to two steps away, along the rank and along the file."""
PASSED = (Kind.LIFT, Kind.GRAZE)
"""What ends a stop of a piece that goes on."""
CLOSED = (Kind.LAND, Kind.BLINK)
"""What ends the exchange of two pieces."""


def reach_of(placement: Placement, occupied: Bitboard, square: Square) -> Bitboard:
    """Return the empty squares that a piece may touch on its way from a square."""
    _, pawns, knights, bishops, rooks, queens, _, _ = placement
    bit = 1 << square
    if (bishops | rooks | queens) & bit:
        kind = QUEEN if queens & bit else ROOK if rooks & bit else BISHOP
        return attacks_of(kind, square, occupied) & ~occupied
    near = KING_ATTACKS[square]
    if not pawns & bit:  # a knight is slid round corners, a king castles
        near |= RANKS[square]
    if (pawns | knights) & bit:
        near |= FILES[square]
    return near & ~occupied


def reach_of_hands(game: Hypothesis, shown: Bitboard) -> Bitboard:
    """Return the empty squares that the lifted pieces of the side to move may touch."""
    reach = 0
    for square in SQUARES[game.own & ~shown]:
        reach |= reach_of(game.position.placement, game.occupied, square)
    return reach


def stop_price(stop_us: int, usual_us: float) -> float:
    """Return the price of a lifted piece that stays on a square of its way for so long."""
    return 2 * log1p(max(0, stop_us) / (2 * usual_us))


def explain_passing(game: Hypothesis, touch: Touch, shown: Bitboard, habits: Habits) -> None:
    """Let a lifted piece explain that a square on its way has closed and opened again.

    It pays for the stop now, and the touches are used up. ``touch``: the newest of the game.
    """
    if game.occupied >> touch.square & 1 or touch.kind not in PASSED:
        return
    if not reach_of_hands(game, shown) >> touch.square & 1:
        return
    if touch.kind is Kind.GRAZE:
        game.loose = game.loose[:-1]
        game.trail = game.trail._replace(passed=game.trail.passed | 1 << touch.square)
        return
    landed = next((one for one in reversed(game.loose[:-1]) if one.square == touch.square), None)
    if landed is None or landed.kind is not Kind.LAND:
        return
    stop_us = touch.t_us - landed.t_us
    price = stop_price(stop_us, habits.of(game.position.turn).stop_us)
    if price < landed.price + touch.price:
        game.paid += price
        trail = game.trail
        game.trail = Trail(trail.passed | 1 << touch.square, (*trail.stops_us, stop_us), touch.t_us)
        game.loose = tuple(one for one in game.loose if one is not landed and one is not touch)


def charge_straightened_victim(game: Hypothesis, touch: Touch, shown: Bitboard) -> None:
    """Let a game pay for a piece that is only straightened while one that attacks it is held.

    ``touch``: the newest of the game. The attacker's own switch may open a little after the other.
    """
    if touch.kind in CLOSED:
        victims, since_us = _victims_of(game, game.own & ~shown), touch.t_us
    elif touch.kind is Kind.LIFT:
        victims, since_us = _victims_of(game, 1 << touch.square), touch.t_us - constants.SLACK_US
    else:
        return
    for one in game.loose:
        if one.square in victims and one.kind in CLOSED and one.t_us >= since_us:
            # A bump touches anything.
            game.paid += 0.0 if one.in_burst else cost(constants.P_ADJUST_VICTIM)
            game.straightened += () if one.in_burst else (one,)


def _victims_of(game: Hypothesis, held: Bitboard) -> set[Square | None]:
    """Return the squares of the pieces whose capture by a held piece is a game of its own by now.

    To believe that the piece took another one unseen is to believe in the same coincidence.
    """
    victims = {move.captured for move, *_ in game.grown if held >> move.origin & 1}
    if game.is_unseen and game.before and game.move:
        origin, other = game.move.origin, game.before.grown
        victims |= {move.captured for move, *_ in other if move.origin == origin}
    return victims
