"""How a game goes on at a touch: by a ply, by two at once, by a take-back, by another promotion."""

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
from boardfw.inference.reading.hypothesis import Choice, Hypothesis
from boardfw.inference.reading.standing import price_of, unshown
from boardfw.inference.reading.touches import Kind, Touch
from boardfw.rules.board import BISHOP, KNIGHT, QUEEN, ROOK
from boardfw.rules.move import Move
from boardfw.rules.position import Position
from boardfw.squares import Bitboard

PROMOTIONS = (QUEEN, KNIGHT, ROOK, BISHOP)
"""In the order in which putting the piece back chooses (contract)."""
CHOICE_US = 4_000_000
"""Within this time of the drop before, putting back chooses again (contract)."""
MOST_MISSING = 5
MOST_STRAY = 3
"""With more squares open, or closed, than that nothing is played: the pieces are handled."""
ARRIVED = (Kind.LAND, Kind.BLINK)
"""Without one of these no piece has come anywhere."""
MOST_BACK = 8
"""Plies that are taken back at once."""


def legal_moves_from(position: Position, origins: Bitboard) -> Iterator[Move]:
    """Yield the legal moves of these pieces; a pawn's arrival makes a queen (contract)."""
    for move in position.legal_moves():
        if origins >> move.origin & 1 and move.promotion in (0, QUEEN):
            yield move


def _moves_to(game: Hypothesis, shown: Bitboard) -> list[Move]:
    """Return the legal moves whose piece has left its square, and is on its target by now."""
    origins = game.own & ~shown | game.hidden
    return [
        move for move in legal_moves_from(game.position, origins) if _has_come(game, move, shown)
    ]


def _has_come(game: Hypothesis, move: Move, shown: Bitboard) -> bool:
    """True if the board shows a piece on the target, or would not show it.

    A piece that no switch saw leave must have been seen to come.
    """
    if game.dead >> move.origin & 1:
        return not game.dead >> move.target & 1 and any(
            touch.square == move.target and touch.kind in ARRIVED for touch in game.loose
        )
    return bool((shown | game.dead) >> move.target & 1)


def continued(
    game: Hypothesis, shown: Bitboard, now_us: int, since_us: int, habits: Habits
) -> list[Hypothesis]:
    """Return the games that this one may have become, now that the board shows ``shown``."""
    if game.occupied == shown and not game.hidden:
        return []
    standing = price_of(game, shown, now_us, since_us)
    return [
        *_with_ply(game, shown, standing, habits),
        *_taken_back(game, shown, standing),
        *_redirected(game, shown, standing, habits),
    ]


def _with_ply(
    game: Hypothesis, shown: Bitboard, standing: float, habits: Habits
) -> list[Hypothesis]:
    missing = game.occupied & ~shown
    if not (missing & game.own or game.hidden) or missing.bit_count() > MOST_MISSING:
        return []
    if (shown & ~game.occupied).bit_count() > MOST_STRAY:
        return []
    # Who was out of turn is in turn now.
    paid = game.paid + standing - unshown(game, shown).out_of_turn
    longer = [
        found
        for move in _moves_to(game, shown)
        if (found := explain(game, move, shown, paid, habits))
    ]
    if not longer and missing & game.others:
        longer = _with_two_plies(game, shown, paid, habits)
    return longer


def _with_two_plies(
    game: Hypothesis, shown: Bitboard, paid: float, habits: Habits
) -> list[Hypothesis]:
    """Return the games with a ply and its reply, of which the ply was never shown alone."""
    found = []
    for move in legal_moves_from(game.position, game.own & ~shown | game.hidden):
        if move.promotion or not _was_reached(game, move):
            continue
        after = game.position.play_unchecked(move)
        claim = claimed(game, move, habits)
        middle = grown(game, move, after, claim, paid + cost(constants.P_MINGLED))
        for reply in _moves_to(middle, shown):
            longer = explain(middle, reply, shown, middle.paid, habits)
            if longer:
                lifted_us = middle.lifted_us(reply.origin)
                lead_us = 0 if lifted_us is None else claim.arrived_us - lifted_us
                longer.paid += early_price(lead_us) + _reply_first_price(claim.arrived_us, longer)
                found.append(longer)
    return found


def _reply_first_price(arrived_us: int, game: Hypothesis) -> float:
    """A reply that was complete before the ply had arrived is hardly one."""
    return cost(constants.P_BACKWARD) if game.landed_us < arrived_us else 0.0


def _was_reached(game: Hypothesis, move: Move) -> bool:
    """True if the piece was seen on the target, for a moment at least, or cannot be seen there."""
    if game.dead >> move.target & 1:
        return not game.dead >> move.origin & 1
    return any(touch.square == move.target and touch.kind is not Kind.LIFT for touch in game.loose)


def _taken_back(game: Hypothesis, shown: Bitboard, standing: float) -> list[Hypothesis]:
    """Return the earlier game that the board shows again, if its plies were undone on the board."""
    taken: set[Touch] = set()
    price, last_us = 0.0 if game.is_resumed else cost(constants.P_MIND), 0
    node = game
    for _ in range(MOST_BACK):
        if node.move is None or node.before is None:
            break
        back = _undone(game, node.move)
        if back is None:
            break
        price += cost(constants.P_PLY)
        if last_us and back[0].t_us < last_us:
            price += cost(constants.P_BACKWARD)  # the last mover goes first
        last_us = back[0].t_us
        taken.update(back)
        node = node.before
        if game.seen(node.position.occupied) == shown:
            return [_resumed(game, node, taken, game.paid + standing + price)]
    return []


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


def _resumed(game: Hypothesis, node: Hypothesis, taken: set[Touch], paid: float) -> Hypothesis:
    """Return an earlier game once more, as what the later one has become."""
    resumed = Hypothesis(node.position, paid, node.before, node.move, game.faults)
    resumed.loose = tuple(touch for touch in game.loose if touch not in taken)
    resumed.landed_us = max(touch.t_us for touch in taken)
    resumed.choice = node.choice
    resumed.is_resumed = True
    return resumed


def _redirected(
    game: Hypothesis, shown: Bitboard, standing: float, habits: Habits
) -> Iterator[Hypothesis]:
    """Yield the games in which the last mover moves on, or only now completes castling."""
    move, before = game.move, game.before
    if move is None or before is None or not any(touch.kind in ARRIVED for touch in game.loose):
        return
    changes_mind = cost(habits.of(before.position.turn).p_mind)
    if shown >> move.target & 1:
        # It was no capture: its victim was only straightened, and the piece is still held.
        changes_mind += cost(constants.P_ADJUST) + cost(constants.P_ADJUST_VICTIM)
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
        if not completes:
            paid += changes_mind + stop_price(claim.left_us - game.landed_us, constants.MIND_US)
        changed = grown(before, other, after, claim, paid)
        changed.loose = tuple(touch for touch in game.loose if touch not in claim.taken)
        yield changed


def _moves_instead(game: Hypothesis, move: Move, shown: Bitboard) -> Iterator[Move]:
    """Yield the moves that the piece of a move, or castling, may show instead."""
    before = game.position
    was_left = move.captured is not None or not shown >> move.target & 1
    for other in before.legal_moves():
        completes = other.rook_step == (move.origin, move.target)
        if not completes and not (was_left and other.origin == move.origin):
            continue
        if other is move or other.promotion not in (0, QUEEN) or not shown >> other.target & 1:
            continue
        occupied = game.seen(before.play_unchecked(other).occupied)
        if not shown & ~occupied and (occupied & ~shown).bit_count() <= MOST_IN_AIR:
            yield other


def choose_again(game: Hypothesis, touch: Touch) -> Hypothesis:
    """Return the game after a touch that may have chosen the promotion piece again, or itself."""
    choice, move = game.choice, game.move
    if choice is None or move is None or game.before is None:
        return game
    if touch.kind is not Kind.LAND or touch.square != choice.square:
        return game
    lifted = next(
        (one for one in game.loose if one.square == touch.square and one.kind is Kind.LIFT), None
    )
    if lifted is None:
        return game
    put_back = choice.put_back + 1
    if put_back > 1 and lifted.t_us - choice.dropped_us > CHOICE_US:
        game.choice = None
        return game
    piece = PROMOTIONS[(put_back - 1) % 4]
    other = Move.of(move.piece_type, move.origin, move.target, piece, move.captured)
    position = game.before.position.play_unchecked(other)
    chosen = Hypothesis(position, game.paid, game.before, other, game.faults)
    chosen.loose = tuple(one for one in game.loose if one.square != touch.square)
    chosen.landed_us = game.landed_us
    chosen.at_rest, chosen.off_us = game.at_rest, game.off_us
    chosen.choice = Choice(choice.square, touch.t_us, put_back)
    return chosen
