"""How a game goes on at a touch: by a ply, by two at once, by a take-back."""

from __future__ import annotations

from collections.abc import Iterator

from boardfw.inference.reading import constants
from boardfw.inference.reading.constants import cost
from boardfw.inference.reading.explaining import (
    MOST_IN_AIR,
    Claim,
    claimed,
    early_price,
    explain,
    grown,
)
from boardfw.inference.reading.habits import Habits
from boardfw.inference.reading.hands import stop_price
from boardfw.inference.reading.hypothesis import Hypothesis
from boardfw.inference.reading.promoting import as_other_pieces
from boardfw.inference.reading.standing import price_of, thinking_price, unshown
from boardfw.inference.reading.touches import Kind, Touch
from boardfw.rules.move import Move
from boardfw.squares import Bitboard

MOST_MISSING = 5
MOST_STRAY = 3
"""With more squares open, or closed, than that nothing is played: the pieces are handled."""
ARRIVED = (Kind.LAND, Kind.BLINK)
"""Without one of these no piece has come anywhere."""
MOST_BACK = 8
"""Plies that are taken back at once."""


def _moves_from(game: Hypothesis, origins: Bitboard) -> Iterator[Move]:
    """Yield the moves by hand of these pieces."""
    for move in game.hand_moves():
        if origins >> move.origin & 1:
            yield move


def _moves_to(game: Hypothesis, board: Bitboard) -> list[Move]:
    """Return the moves by hand whose piece has left its square, and is on its target by now."""
    origins = game.own & (game.dead | ~board)
    return [move for move in _moves_from(game, origins) if _has_come(game, move, board)]


def _has_come(game: Hypothesis, move: Move, board: Bitboard) -> bool:
    """True if the board shows a piece on the target, or would not show it.

    A piece that no switch saw leave must have been seen to come.
    """
    if game.dead >> move.origin & 1:
        return not game.dead >> move.target & 1 and any(
            touch.square == move.target and touch.kind in ARRIVED for touch in game.loose
        )
    return bool((board | game.dead) & ~game.parked & 1 << move.target)


def continued(
    game: Hypothesis, board: Bitboard, now_us: int, since_us: int, habits: Habits
) -> list[Hypothesis]:
    """Return the games that this one may have become, now that the ``board`` shows this."""
    shown = game.as_shown(board)
    if game.occupied == shown and not game.dead:
        return []
    standing = price_of(game, shown, now_us, since_us)
    return [
        *_with_ply(game, board, standing, habits),
        *_taken_back(game, board, standing),
        *_redirected(game, board, standing, habits),
    ]


def _with_ply(
    game: Hypothesis, board: Bitboard, standing: float, habits: Habits
) -> list[Hypothesis]:
    shown = game.as_shown(board)
    missing = game.occupied & ~shown
    if not game.own & (missing | game.dead) or missing.bit_count() > MOST_MISSING:
        return []
    if (shown & ~game.occupied).bit_count() > MOST_STRAY:
        return []
    # Who was out of turn is in turn now.
    paid = game.paid + standing - unshown(game, shown).out_of_turn
    longer = [
        found
        for move in _moves_to(game, board)
        if (found := explain(game, move, board, paid, habits))
    ]
    if not longer and missing & game.others:
        longer = _with_two_plies(game, board, paid, habits)
    if not longer and shown & ~game.occupied:
        longer = _as_other_pieces(game, board, standing, habits)
    return longer


def _as_other_pieces(
    game: Hypothesis, board: Bitboard, standing: float, habits: Habits
) -> list[Hypothesis]:
    """Return the games in which a lifted piece was promoted to what moves like this."""
    lifted = game.own & ~game.as_shown(board)
    return [
        found
        for other in as_other_pieces(game, lifted)
        for move in _moves_to(other, board)
        if lifted >> move.origin & 1
        and (found := explain(other, move, board, other.paid + standing, habits))
    ]


def _with_two_plies(
    game: Hypothesis, board: Bitboard, paid: float, habits: Habits
) -> list[Hypothesis]:
    """Return the games with a ply and its reply, of which the ply was never shown alone."""
    found = []
    for move in _moves_from(game, game.own & (game.dead | ~board)):
        if move.promotion or not _was_reached(game, move):
            continue
        after = game.position.play_unchecked(move)
        claim = claimed(game, move, habits)
        middle = grown(game, move, after, claim, paid + cost(constants.P_MINGLED))
        for reply in _moves_to(middle, board):
            longer = explain(middle, reply, board, middle.paid, habits)
            if longer:
                lifted_us = middle.lifted_us(reply.origin)
                lead_us = 0 if lifted_us is None else claim.arrived_us - lifted_us
                longer.paid += early_price(lead_us) + _reply_first_price(claim.arrived_us, longer)
                found.append(longer)
    return found


def _reply_first_price(arrived_us: int, game: Hypothesis) -> float:
    """A reply that was complete before the ply had arrived is hardly one, the less the earlier."""
    lead_us = arrived_us - game.landed_us
    return cost(constants.P_BACKWARD) + early_price(lead_us) if lead_us > 0 else 0.0


def _was_reached(game: Hypothesis, move: Move) -> bool:
    """True if the piece was seen on the target, for a moment at least, or cannot be seen there."""
    if game.dead >> move.target & 1:
        return not game.dead >> move.origin & 1
    return any(touch.square == move.target and touch.kind is not Kind.LIFT for touch in game.loose)


def _taken_back(game: Hypothesis, board: Bitboard, standing: float) -> list[Hypothesis]:
    """Return the earlier game that the board shows again, if its plies were undone on the board."""
    taken: set[Touch] = set()
    price, last_us = 0.0 if game.undone else cost(constants.P_MIND), 0
    node, in_order = game, True
    for _ in range(MOST_BACK):
        if node.move is None or node.before is None:
            break
        back = _undone(game, node.move)
        if back is None:
            break
        # Neither the piece nor its square was a choice: nothing is paid for that.
        if last_us and back[0].t_us < last_us:
            price += cost(constants.P_BACKWARD)  # the last mover goes first
            in_order = False
        last_us = back[0].t_us
        taken.update(back)
        move, node = node.move, node.before
        # The victim of a capture may be put back last.
        victim = 0 if move.captured is None else 1 << move.captured & ~board
        # All pieces that come home in any order are set up for another game (contract).
        is_shown = not (node.occupied ^ board) & ~(game.dead | victim)
        if is_shown and (in_order or node.before is not None) and not _are_swept(taken):
            # The last mover was in turn all the time.
            paid = game.paid + standing - unshown(game, game.as_shown(board)).out_of_turn
            return [_resumed(game, node, move, taken, paid + price)]
    return []


def _are_swept(touches: set[Touch]) -> bool:
    """True if more pieces were in the air at once than hands that undo plies lift (contract)."""
    in_air = most = 0
    for touch in sorted(touches, key=lambda one: one.t_us):
        in_air += (touch.kind is Kind.LIFT) - (touch.kind is Kind.LAND)
        most = max(most, in_air)
    return most > MOST_IN_AIR


def _undone(game: Hypothesis, move: Move) -> list[Touch] | None:
    """Return the touches that put a piece back, the landing on its origin first; or None."""
    back = None
    others = []
    for touch in game.loose:
        if touch.square == move.origin and touch.kind is Kind.LAND:
            back = touch
        elif touch.square in (move.target, move.captured):
            others.append(touch)
    is_seen = not game.dead >> move.target & 1
    if back is None or (is_seen and not others and move.captured is None):
        return None
    for origin, target in move.steps()[1:]:
        others += [touch for touch in game.loose if touch.square in (origin, target)]
    return [back, *others]


def _resumed(
    game: Hypothesis, node: Hypothesis, undone: Move, taken: set[Touch], paid: float
) -> Hypothesis:
    """Return an earlier game once more, as what the later one has become."""
    resumed = Hypothesis(node.position, paid, node.before, node.move, node.seating)
    resumed.loose = tuple(touch for touch in game.loose if touch not in taken)
    resumed.landed_us = max(touch.t_us for touch in taken)
    resumed.believe(game.faults)
    resumed.choice = node.choice
    resumed.undone = undone
    return resumed


def _redirected(
    game: Hypothesis, board: Bitboard, standing: float, habits: Habits
) -> Iterator[Hypothesis]:
    """Yield the games in which the last mover moves on, or only now completes castling."""
    move, before = game.move, game.before
    if move is None or before is None or not any(touch.kind in ARRIVED for touch in game.loose):
        return
    shown = game.as_shown(board)
    standing -= unshown(game, shown).out_of_turn  # the last mover was in turn all the time
    for other in _moves_instead(before, move, shown):
        completes = other.rook_step == (move.origin, move.target)
        origin = other.origin if completes else move.target
        claim = Claim(game.loose, origin)
        if other.captured == other.target:
            claim.take_capture(origin, other.target, habits.unseen_price)
        else:
            claim.take_step(origin, other.target)
        after = before.position.play_unchecked(other)
        paid = game.paid + standing
        if not completes and shown >> move.target & 1:
            # It was no capture: its victim was only straightened, and the piece held all the time.
            paid += cost(constants.P_ADJUST) + cost(constants.P_ADJUST_VICTIM)
            paid += thinking_price(claim.landed_us - game.landed_us)
        elif not completes:
            paid += cost(habits.of(before.position.turn).p_mind)
            paid += stop_price(claim.left_us - game.landed_us, constants.MIND_US)
        changed = grown(before, other, after, claim, paid)
        changed.loose = tuple(touch for touch in game.loose if touch not in claim.taken)
        yield changed


def _moves_instead(before: Hypothesis, move: Move, shown: Bitboard) -> Iterator[Move]:
    """Yield the moves that the piece of a move, or castling, may show instead."""
    was_left = move.captured is not None or not shown >> move.target & 1
    for other in before.hand_moves():
        completes = other.rook_step == (move.origin, move.target)
        if not completes and not (was_left and other.origin == move.origin):
            continue
        if other is move or not shown >> other.target & 1:
            continue
        occupied = before.position.play_unchecked(other).occupied
        wrong = (occupied ^ shown) & ~before.dead
        if not wrong & ~occupied and wrong.bit_count() <= MOST_IN_AIR:
            yield other
