"""What the loose touches of a game say about one more ply: which it explains, at which price.

A ply explains the lift of each of its pieces, their landings, and that the victim left. It pays
for what is unlikely about these touches, and for what they lack.
"""

from __future__ import annotations

from math import log, log1p

from boardfw.inference.reading import constants
from boardfw.inference.reading.constants import cost
from boardfw.inference.reading.faults import squares_of
from boardfw.inference.reading.habits import Habits
from boardfw.inference.reading.hands import reach_of
from boardfw.inference.reading.hypothesis import Choice, Hypothesis, Trail
from boardfw.inference.reading.touches import Kind, Touch
from boardfw.rules.attacks import BETWEEN, SQUARES
from boardfw.rules.move import Move
from boardfw.rules.position import Position
from boardfw.squares import Bitboard, Square, distance

MOST_IN_AIR = 2
"""Pieces that a ply may leave in the air when it is complete: those of the reply, castling."""


class Claim:
    """The touches that one ply explains, what this costs, and when its piece left and arrived."""

    __slots__ = (
        "arrived_us",
        "landed_us",
        "left_us",
        "loose",
        "price",
        "taken",
        "unseen",
    )

    def __init__(self, loose: tuple[Touch, ...], origin: Square) -> None:
        self.loose = loose
        self.taken: set[Touch] = set()
        self.price = cost(constants.P_PLY)
        self.unseen = False
        left = self._last(origin, Kind.LIFT)
        self.left_us = left.t_us if left else 0
        self.arrived_us = self.left_us
        """When the moving piece reached its square."""
        self.landed_us = self.left_us
        """When the whole ply was complete."""

    def away_us(self, trail: Trail) -> int:
        """Return how long the piece closed no switch before it arrived."""
        return self.arrived_us - max(self.left_us, trail.left_us)

    def _last(self, square: Square, kind: Kind, before: Touch | None = None) -> Touch | None:
        found = None
        for touch in self.loose:
            if touch is before:
                break
            if touch.square == square and touch.kind is kind:
                found = touch
        return found

    def take_step(self, origin: Square, target: Square) -> None:
        """Explain the lift of a piece, and its landing on an empty square."""
        left = self._take_last(origin, Kind.LIFT)
        landed = self._take_last(target, Kind.LAND)
        is_next = distance(origin, target) == 1  # over the border a piece holds both switches
        if landed and left and landed.t_us < left.t_us - constants.SLACK_US and not is_next:
            self.price += cost(constants.P_BACKWARD)
        self._arrive(landed)

    def take_capture(self, origin: Square, target: Square, unseen_price: float) -> None:
        """Explain the lift of a piece, the exchange on its target, and the landing there.

        ``unseen_price``: what it costs that no switch has seen the exchange.
        """
        self._take_last(origin, Kind.LIFT)
        landed = self._last(target, Kind.LAND)
        if landed and landed.t_us > self.left_us - constants.SLACK_US:
            opened = self._last(target, Kind.LIFT, landed)
            if opened:
                self.taken |= {opened, landed}
                self.price += faint_price(landed.t_us - opened.t_us)
                self._arrive(landed)
                return
        blink = self._last(target, Kind.BLINK)
        if blink and blink.t_us > self.left_us - constants.SLACK_US:
            self.taken.add(blink)
            self.price += faint_price(blink.length_us)
            self._arrive(blink)
            return
        self.unseen = True
        self.price += unseen_price

    def take_victim(self, square: Square) -> None:
        """Explain that the victim of a capture en passant is gone."""
        self._take_last(square, Kind.LIFT)

    def _take_last(self, square: Square, kind: Kind) -> Touch | None:
        touch = self._last(square, kind)
        if touch:
            self.taken.add(touch)
            self.landed_us = max(self.landed_us, touch.t_us)
        return touch

    def _arrive(self, touch: Touch | None) -> None:
        if touch:
            self.arrived_us = max(self.arrived_us, touch.t_us)
            self.landed_us = max(self.landed_us, touch.t_us)


def _unseen_price(game: Hypothesis, move: Move, habits: Habits) -> float:
    """An unseen exchange is likelier where the piece was seen to slide up to its victim."""
    way = BETWEEN[move.origin][move.target]
    if way and not way & ~game.trail.passed:
        return cost(constants.P_PUSHED)
    return habits.unseen_price


def faint_price(open_us: int) -> float:
    """An exchange by one hand opens the switch for a moment: the shorter, the less likely."""
    if open_us >= constants.SETTLE_US:
        return 0.0
    return constants.FAINT * log(constants.SETTLE_US / max(open_us, constants.GLITCH_US))


def explain(
    game: Hypothesis, move: Move, board: Bitboard, paid: float, habits: Habits
) -> Hypothesis | None:
    """Return the game with this ply, or None if the ``board`` does not show its end.

    None too if the game has grown by this ply before, by the same touches.
    Pieces of the next player may be in the air then, and one more of the mover's. ``paid``: what
    the game costs without its loose touches.
    """
    if move.promotion and _has_been_on(game, move.target):
        return None  # contract: the pawn arrived then, and what came since are put-backs
    after = game.position.play_unchecked(move)
    wrong = (after.occupied ^ board) & ~game.dead
    absent = after.occupied & wrong
    if absent.bit_count() > MOST_IN_AIR:
        return None
    if wrong != absent and not _are_on_their_way(game, after, absent, wrong & board):
        return None
    claim = claimed(game, move, habits)
    # A ply explains more once the squares on its way have opened again.
    is_seen = not (claim.unseen or game.dead >> move.target & 1)
    if wrong != absent and not is_seen:
        return None
    plays = (move, claim.left_us, claim.landed_us if is_seen else 0, game.trail.left_us)
    if plays in game.grown:
        return None
    game.grown.add(plays)
    longer = grown(game, move, after, claim, paid)
    longer.paid += _busy_price(longer, absent, claim, habits)
    return longer


def _are_on_their_way(game: Hypothesis, after: Position, absent: Bitboard, extra: Bitboard) -> bool:
    """True if a piece on an ``extra`` square may be one of the next player that is in the air."""
    lifted = absent & after.pieces(after.turn)
    if lifted & (lifted - 1) or extra & (extra - 1) or not lifted:
        return False
    square = Square(lifted.bit_length() - 1)
    lifted_us = game.lifted_us(square)
    if lifted_us is None or extra & ~reach_of(after.placement, after.occupied, square):
        return False
    return any(
        touch.kind is Kind.LAND
        and extra >> touch.square & 1
        and touch.t_us > lifted_us - constants.SLACK_US
        for touch in game.loose
    )


def _has_been_on(game: Hypothesis, square: Square) -> bool:
    """True if a lifted piece was on a square, and left it again."""
    came = [touch for touch in game.loose if touch.square == square and touch.kind is Kind.LAND]
    return bool(game.trail.passed >> square & 1) or len(came) > 1


def grown(game: Hypothesis, move: Move, after: Position, claim: Claim, paid: float) -> Hypothesis:
    """Return the game with this ply, which explains what is claimed."""
    # What is captured after all was not just straightened.
    refund = sum(touch in claim.taken for touch in game.straightened)
    paid -= cost(constants.P_ADJUST_VICTIM) * refund
    longer = Hypothesis(after, paid + claim.price, game, move)
    taken = claim.taken
    longer.loose = tuple(touch for touch in game.loose if touch not in taken)
    longer.landed_us = claim.landed_us
    longer.is_unseen = claim.unseen
    longer.is_hidden = bool(game.dead and _is_hidden(game, move))
    longer.way = game.trail
    longer.away_us = claim.away_us(game.trail)
    # What nobody saw arrive cannot be exchanged yet.
    if move.promotion and not (claim.unseen or game.is_away_to_move):
        longer.choice = Choice(move.target, claim.landed_us)
    return longer


def _is_hidden(game: Hypothesis, move: Move) -> bool:
    """True if a ply is believed for no better reason than that a switch may be dead."""
    suspected = squares_of(fault for fault in game.faults if not fault.is_known)
    return bool(game.dead >> move.target & 1 or suspected >> move.origin & 1)


def claimed(game: Hypothesis, move: Move, habits: Habits) -> Claim:
    """Return what a ply would explain."""
    claim = Claim(game.loose, move.origin)
    is_hidden = game.dead >> move.target & 1
    claim.price += cost(constants.P_HIDDEN) if is_hidden else 0.0
    if move.captured is not None and not (move.is_en_passant or is_hidden):
        claim.take_capture(move.origin, move.target, _unseen_price(game, move, habits))
    else:
        for origin, target in move.steps():
            claim.take_step(origin, target)
        if move.is_en_passant and move.captured is not None:
            claim.take_victim(move.captured)
    if game.dead >> move.origin & 1:
        claim.left_us = claim.landed_us
    claim.price += _haste_price(game, move.origin, claim.left_us, habits)
    claim.price += _snatch_price(game, move)
    return claim


def _haste_price(game: Hypothesis, origin: Square, left_us: int, habits: Habits) -> float:
    """A piece that its owner moved just before usually rests in between."""
    last = game.before
    if last is None or last.move is None or last.move.target != origin:
        return 0.0
    rested = (left_us - last.landed_us) / habits.of(game.position.turn).rest_us
    return cost(constants.P_OUT_OF_TURN) * min(1.0, max(0.0, 1.0 - rested))


def _snatch_price(game: Hypothesis, move: Move) -> float:
    """Nobody takes a piece out of the hand that is putting it down."""
    last, victim = game.move, move.captured
    if last is None or victim is None or last.target != victim:
        return 0.0
    lifted_us = game.first_lifted_us(victim)
    if lifted_us is None:
        return 0.0
    early = 1 - (lifted_us - game.landed_us) / constants.REACTION_US
    return cost(constants.P_BACKWARD) * min(1.0, max(0.0, early))


def _busy_price(game: Hypothesis, absent: Bitboard, claim: Claim, habits: Habits) -> float:
    """Return the price of what is in the air while the last ply becomes complete."""
    if not absent:
        return 0.0
    price = cost(constants.P_MINGLED) * (absent & game.others).bit_count()
    for square in SQUARES[absent & game.own]:
        lifted_us = game.lifted_us(square)
        if lifted_us is None:
            lifted_us = claim.arrived_us
        price += early_price(claim.arrived_us - lifted_us)
        price += _haste_price(game, square, lifted_us, habits)
    return price


def early_price(lead_us: int) -> float:
    """Return the price of a reply that was lifted so long before the ply before had landed."""
    return cost(constants.P_EARLY) + 2 * log1p(max(0, lead_us) / constants.REACTION_US)
