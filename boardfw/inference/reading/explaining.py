"""What the loose touches of a game say about one more ply: which it explains, at which price.

A ply explains the lift of each of its pieces, their landings, and that the victim left. It pays
for what is unlikely about these touches, and for what they lack.
"""

from __future__ import annotations

from math import log, log1p

from boardfw.inference.reading import constants
from boardfw.inference.reading.constants import cost
from boardfw.inference.reading.faults import doubtful, squares_of
from boardfw.inference.reading.habits import Habits
from boardfw.inference.reading.hypothesis import Choice, Hypothesis
from boardfw.inference.reading.touches import Kind, Touch
from boardfw.rules.attacks import BETWEEN, SQUARES
from boardfw.rules.move import Move
from boardfw.rules.position import Position
from boardfw.squares import Bitboard, Square

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
        "was_slid",
    )

    def __init__(self, loose: tuple[Touch, ...], origin: Square) -> None:
        self.loose = loose
        self.taken: set[Touch] = set()
        self.price = cost(constants.P_PLY)
        self.unseen = False
        self.was_slid = False
        left = self._last(origin, Kind.LIFT)
        self.left_us = left.t_us if left else 0
        self.arrived_us = self.left_us
        """When the moving piece reached its square."""
        self.landed_us = self.left_us
        """When the whole ply was complete."""

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
        if landed and left and landed.t_us < left.t_us - constants.SLACK_US:
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
                self.price += _faint_price(landed.t_us - opened.t_us)
                self._arrive(landed)
                return
        blink = self._last(target, Kind.BLINK)
        if blink and blink.t_us > self.left_us - constants.SLACK_US:
            self.taken.add(blink)
            self.price += _faint_price(blink.length_us)
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
    """An unseen exchange is likelier where the piece was seen to slide up to its victim.

    It is no wonder where nothing was seen at all.
    """
    if any(touch.is_vague and touch.square == move.origin for touch in game.loose):
        return 0.0
    way = BETWEEN[move.origin][move.target]
    if way and not way & ~game.trail.passed:
        return cost(constants.P_PUSHED)
    return habits.unseen_price


def _faint_price(open_us: int) -> float:
    """An exchange by one hand opens the switch for a moment: the shorter, the less likely."""
    if open_us >= constants.SETTLE_US:
        return 0.0
    return constants.FAINT * log(constants.SETTLE_US / max(open_us, constants.GLITCH_US))


def explain(
    game: Hypothesis, move: Move, shown: Bitboard, paid: float, habits: Habits
) -> Hypothesis | None:
    """Return the game with this ply, or None if the board does not show its end.

    None too if the game has grown by this ply before, by the same touches.
    Pieces of the next player may be in the air then, and one more of the mover's. ``paid``: what
    the game costs without its loose touches.
    """
    after = game.position.play_unchecked(move)
    occupied = game.seen(after.occupied)
    absent = occupied & ~shown
    if shown & ~occupied or absent.bit_count() > MOST_IN_AIR:
        return None
    claim = claimed(game, move, habits)
    # What was not seen becomes likelier when the piece slides up to it.
    is_seen = not (claim.unseen or game.dead >> move.target & 1)
    plays = (move, claim.left_us, claim.landed_us if is_seen else game.trail.left_us)
    if plays in game.grown:
        return None
    game.grown.add(plays)
    longer = grown(game, move, after, claim, paid)
    longer.paid += _busy_price(longer, absent, claim)
    return longer


def grown(game: Hypothesis, move: Move, after: Position, claim: Claim, paid: float) -> Hypothesis:
    """Return the game with this ply, which explains what is claimed."""
    longer = Hypothesis(after, paid + claim.price, game, move, game.faults)
    taken = claim.taken
    longer.loose = tuple(touch for touch in game.loose if touch not in taken)
    longer.landed_us = claim.landed_us
    longer.is_unseen = claim.unseen
    longer.is_hidden = is_half_seen(game, move)
    longer.way = game.trail
    longer.was_slid = claim.was_slid
    longer.is_vague = longer.is_vague or any(touch.is_vague for touch in taken)
    if move.promotion:
        longer.choice = Choice(move.target, claim.landed_us)
    return longer


def is_half_seen(game: Hypothesis, move: Move) -> bool:
    """True if a ply is believed for no better reason than that a switch may be dead."""
    return bool(
        game.dead >> move.target & 1 or squares_of(doubtful(game.faults)) >> move.origin & 1
    )


def claimed(game: Hypothesis, move: Move, habits: Habits) -> Claim:
    """Return what a ply would explain."""
    claim = Claim(game.loose, move.origin)
    is_hidden = game.dead >> move.target & 1
    if is_hidden:
        claim.price += cost(constants.P_HIDDEN)
    if move.captured is not None and not (move.is_en_passant or is_hidden):
        claim.take_capture(move.origin, move.target, _unseen_price(game, move, habits))
    else:
        for origin, target in move.steps():
            claim.take_step(origin, target)
        if move.is_en_passant and move.captured is not None:
            claim.take_victim(move.captured)
    if game.dead >> move.origin & 1:
        claim.left_us = claim.landed_us
    claim.price += _haste_price(game, move, claim, habits)
    claim.was_slid = _was_slid(game, move, claim, habits)
    return claim


def _was_slid(game: Hypothesis, move: Move, claim: Claim, habits: Habits) -> bool:
    """True if the piece touched every square of its way, and was never away for long."""
    if BETWEEN[move.origin][move.target] & ~game.trail.passed:
        return False
    away_us = claim.arrived_us - max(claim.left_us, game.trail.left_us)
    return away_us < max(constants.SLACK_US, habits.of(game.position.turn).stop_us)


def _haste_price(game: Hypothesis, move: Move, claim: Claim, habits: Habits) -> float:
    """A piece that its owner moved just before usually rests in between."""
    last = game.before
    if last is None or last.move is None or last.move.target != move.origin:
        return 0.0
    rested = (claim.left_us - last.landed_us) / habits.of(game.position.turn).rest_us
    return cost(constants.P_OUT_OF_TURN) * min(1.0, max(0.0, 1.0 - rested))


def _busy_price(game: Hypothesis, absent: Bitboard, claim: Claim) -> float:
    """Return the price of what is in the air while the last ply becomes complete."""
    if not absent:
        return 0.0
    price = cost(constants.P_MINGLED) * (absent & game.others).bit_count()
    for square in SQUARES[absent & game.own]:
        lifted_us = game.lifted_us(square)
        lead_us = 0 if lifted_us is None else claim.arrived_us - lifted_us
        price += early_price(lead_us)
    return price


def early_price(lead_us: int) -> float:
    """Return the price of a reply that was lifted so long before the ply before had landed."""
    return cost(constants.P_EARLY) + 2 * log1p(max(0, lead_us) / constants.REACTION_US)
