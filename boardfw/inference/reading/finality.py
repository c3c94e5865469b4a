"""How doubtful each ply of the best game is: rivals, a hand that goes on, and a missing truth.

A ply is final for whoever asks as soon as its doubt is below their limit. It is wrong only if the
board never showed it at rest: who lets go and then moves the piece elsewhere has moved twice.
"""

from __future__ import annotations

from math import exp

from boardfw.inference.reading import constants
from boardfw.inference.reading.beam import Beam
from boardfw.inference.reading.constants import cost
from boardfw.inference.reading.habits import Habits, PlayerHabits
from boardfw.inference.reading.hypothesis import GoesOn, Hypothesis
from boardfw.inference.reading.sliding import odds_to_pass, p_slid
from boardfw.inference.reading.standing import is_mover_at_it
from boardfw.rules.board import ROOK
from boardfw.rules.move import Move
from boardfw.squares import Bitboard, Square

FIRST_STEP_US = 20_000
LONGEST_US = 300_000_000
"""Looking ahead for when a ply is final: in steps from this one on, no further than that."""


def rival_weights(beam: Beam, first: int) -> list[float]:
    """Return, for each ply from ``first`` on, the probability of all games with another one.

    A later ply may be certain although an earlier one is not; it is final only after that.
    """
    best = beam.best
    is_quiet = best.move is not None and best.move.captured is None
    moves = best.moves(first)
    against = [0.0] * len(moves)
    for game, weight in zip(beam.games[1:], beam.weights()[1:], strict=True):
        shared = best.shared_with(game)
        others = game.moves(first)
        if is_quiet and shared == game.depth == best.depth - 1:
            continue  # its piece is still in the hand: that is what ``unfinished`` reckons
        for n in range(max(0, shared - first), len(against)):
            if n >= len(others) or others[n] is not moves[n]:
                against[n] += weight
    return against


def unfinished(best: Hypothesis, ply: int, shown: Bitboard, now_us: int, habits: Habits) -> float:
    """Return the probability that the hand goes on with a ply, after all that came since."""
    node = best.at(ply + 1)
    doubt = passing(node, now_us - node.landed_us, habits.of(ply_color(node)))
    later = best.depth - ply - 1
    if later:
        reply = best.at(ply + 2)
        answered = reply.landed_us - node.landed_us > constants.REACTION_US
        is_old = now_us - best.landed_us > constants.REACTION_US
        has_answered = later > 1 or (answered and is_old)
        doubt *= constants.P_REPLY_LIFTED ** (later + has_answered)
    elif shown & ~best.occupied or is_mover_at_it(best, shown):
        return 1.0  # the piece may still rest on two squares
    else:
        lifted = best.own & ~shown
        lifted_us = best.lifted_us(Square(lifted.bit_length() - 1)) if lifted else None
        if lifted and _may_be_victim(node, lifted):
            return 1.0  # who has lifted it will be seen when it is put down
        if lifted_us is not None and lifted_us - node.landed_us > constants.REACTION_US:
            doubt *= constants.P_REPLY_LIFTED
    return doubt


def _may_be_victim(node: Hypothesis, lifted: Bitboard) -> bool:
    """True if the last mover may have lifted these pieces, to capture one of them instead."""
    move, before = node.move, node.before
    if move is None or before is None:
        return False
    return any(
        one.origin == move.origin and one.captured is not None and lifted >> one.captured & 1
        for one in before.hand_moves()
    )


def when_final(
    best: Hypothesis, ply: int, shown: Bitboard, now_us: int, spare: float, habits: Habits
) -> int | None:
    """Return when the hand will probably be done with a ply, if no switch changes; None: never.

    ``spare``: the limit without the doubts that time does not change.
    """
    if spare <= 0:
        return None
    step_us = FIRST_STEP_US
    while unfinished(best, ply, shown, now_us + step_us, habits) >= spare:
        step_us *= 2
        if step_us > LONGEST_US:
            return None
    early_us, late_us = step_us // 2, step_us
    while late_us - early_us > FIRST_STEP_US // 2:
        middle_us = (early_us + late_us) // 2
        if unfinished(best, ply, shown, now_us + middle_us, habits) >= spare:
            early_us = middle_us
        else:
            late_us = middle_us
    return now_us + late_us


def passing(node: Hypothesis, rested_us: int, habits: PlayerHabits) -> float:
    """Return the probability that the hand goes on with the last ply after such a rest."""
    move, before = node.move, node.before
    if move is None or before is None:
        return 0.0
    rest = max(0, rested_us)
    doubt = constants.P_CARRIED_ON * heavy_tail(rest, constants.MIND_US)
    if node.goes_on is None:
        slid = p_slid(move, node.way.passed, node.away_us, habits)
        node.goes_on = GoesOn(
            slid,
            odds_to_pass(before.hand_moves(), move, slid),
            _may_become_castling(before, move),
        )
    if node.goes_on.by_slide:
        stop = node.goes_on.by_slide * exp(-rest / (constants.LONG_STOP * habits.stop_us))
        doubt += stop / (stop + 1)
    if node.goes_on.by_castling:
        doubt += constants.P_MORE_TO_COME * heavy_tail(rest, constants.HOLD_US)
    choice, now_us = node.choice, node.landed_us + rest
    if choice is not None and choice.is_open(now_us):
        doubt += constants.P_MORE_TO_COME * heavy_tail(
            now_us - choice.dropped_us, constants.HOLD_US
        )
    return doubt


def heavy_tail(rest_us: int, scale_us: int) -> float:
    """Return the probability that a hand rests for longer, if it comes back at all."""
    tail: float = (1 + rest_us / scale_us) ** -constants.MIND_SHAPE
    return tail


def _may_become_castling(before: Hypothesis, move: Move) -> bool:
    if move.piece_type != ROOK or not before.position.castling:
        return False
    return any(one.rook_step == (move.origin, move.target) for one in before.hand_moves())


def p_truth_missing(best: Hypothesis, price: float, ply: int, usual: float) -> float:
    """Return the probability that no hypothesis is true, as it concerns this ply and later ones.

    It rises with what the game has paid since then beyond what plies ``usual``-ly cost.
    """
    since = best.at(ply)
    surprise = price - since.paid - usual * (best.depth - since.depth)
    later = best.depth - ply - 1
    missing = exp(min(0.0, max(0.0, surprise) - cost(constants.P_TRUTH_MISSING)))
    return missing * float(constants.P_REPLY_LIFTED**later)


def usual_price(game: Hypothesis, ply: int) -> float:
    """Return what a ply of a game usually costs, as its first ``ply`` plies tell."""
    paid = game.at(ply).paid
    return max(0.0, (constants.USUAL_PRICE * constants.PRIOR + paid) / (constants.PRIOR + ply))


def ply_color(node: Hypothesis) -> int:
    """Return the colour that made the last ply of a game."""
    return 1 - node.position.turn
