"""The result of a game as the players show it with the two kings in the centre.

To put the kings there is one more explanation of touches, which ends a game: it explains whatever
happens on the four squares and where the kings stood. It competes with the games of the beam, and
with players who are only on their way to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import permutations
from math import exp
from typing import NamedTuple

from boardfw.inference.reading import constants
from boardfw.inference.reading.beam import Beam
from boardfw.inference.reading.constants import cost
from boardfw.inference.reading.explaining import faint_price
from boardfw.inference.reading.finality import heavy_tail
from boardfw.inference.reading.habits import Habits
from boardfw.inference.reading.hands import CLOSED
from boardfw.inference.reading.hypothesis import NEVER_US, Hypothesis
from boardfw.inference.reading.standing import handling_price, held_price, unshown
from boardfw.inference.reading.suspecting import p_unproved
from boardfw.inference.reading.touches import Kind, Touch
from boardfw.rules.attacks import SQUARES
from boardfw.rules.board import BLACK, WHITE
from boardfw.squares import BY_NAME, Bitboard, Square, bitboard_of, distance, is_light

CENTRE = bitboard_of(BY_NAME[name] for name in ("d4", "e4", "d5", "e5"))


class Ending(NamedTuple):
    """A game that the kings end, as one explanation of what the board shows."""

    game: Hypothesis
    price: float
    result: str
    """As in PGN."""


class Shown(NamedTuple):
    """The most probable result, and the probability that it is not meant."""

    doubt: float
    endings: tuple[Ending, ...]
    """The games that may end with this result, the best one first."""

    def games(self, limit: float) -> list[Hypothesis]:
        """Return the games that are as probable as ``limit``, the best one first."""
        least = self.endings[0].price
        return list(
            dict.fromkeys(game for game, price, _ in self.endings if exp(least - price) >= limit)
        )


class Kings:
    """The result that the kings show. It stands until they are home again."""

    def __init__(self, limit: float) -> None:
        """``limit``: with more doubt than that no result is shown."""
        self._limit = limit
        self.result: str | None = None
        """As in PGN; None while the game goes on."""
        self.games: list[Hypothesis] = []
        """The games that may have ended so, the best one first."""

    @property
    def sure(self) -> int:
        """How many plies are the same in all games that may have ended so."""
        return min(self.games[0].shared_with(game) for game in self.games)

    def go_home(self, beam: Beam) -> None:
        """Withdraw the result if play goes on: in the game that had ended, or by one more ply."""
        if beam.best.occupied == beam.shown_of(beam.best):
            self.result = None

    def keep_only(self, agrees: Callable[[Hypothesis], bool]) -> None:
        """Drop the games that do not agree with an answer."""
        self.games = [game for game in self.games if agrees(game)] or self.games

    def end_game(self, beam: Beam, final: int, now_us: int, habits: Habits) -> bool:
        """Find out if the kings show a result beyond doubt, and a new one; return True then.

        It stands from now on. The first ``final`` plies are final.
        """
        if not any(are_in_the_centre(game, beam.shown_of(game)) for game in beam.games):
            return False
        shown = shown_result(beam, final, now_us, habits)
        if shown is None or shown.endings[0].result == self.result:
            return False
        changes_mind = constants.P_MIND * heavy_tail(now_us - beam.since_us, constants.MIND_US)
        doubt = shown.doubt + changes_mind + p_unproved(shown.endings[0].game)
        if doubt >= self._limit:
            return False
        self.result, self.games = shown.endings[0].result, shown.games(self._limit)
        return True


def are_in_the_centre(game: Hypothesis, shown: Bitboard) -> bool:
    """True if no king is at home outside the centre, and only there other pieces were moved."""
    changed = (shown ^ game.occupied) & ~CENTRE
    if changed & shown or shown == game.occupied:
        return False  # nearly always
    kings = bitboard_of(_homes(game))
    if changed & ~kings or kings & shown & ~CENTRE:
        return False
    return (shown & CENTRE).bit_count() > 1


def are_on_their_way(game: Hypothesis, shown: Bitboard) -> bool:
    """True if a king has left its square, and else nothing is changed but in the centre."""
    changed, kings = shown ^ game.occupied, bitboard_of(_homes(game))
    return bool(changed & kings) and not changed & ~(CENTRE | kings)


def shown_result(beam: Beam, final: int, now_us: int, habits: Habits) -> Shown | None:
    """Return the result that the kings show, and how doubtful it is; None if they show none.

    The first ``final`` plies are final, so no king's step among them is withdrawn.
    """
    endings: list[Ending] = []
    rivals: list[float] = []
    for game in beam.games:
        seen = beam.shown_of(game)
        rivals.append(beam.price_of(game, now_us) + _straightened_price(game, seen))
        if are_in_the_centre(game, seen):
            if not unshown(game, seen).handled:
                # No hand rests with a king beside the other one.
                rivals[-1] += handling_price(now_us - beam.since_us)
            endings += _endings(game, seen, final, habits)
            rivals += _half_way(game, seen, now_us)
    if not endings:
        return None
    endings.sort(key=lambda ending: ending.price)
    _, least, result = endings[0]
    agreeing = sum(exp(least - one.price) for one in endings if one.result == result)
    against = sum(exp(least - one.price) for one in endings if one.result != result)
    against += sum(exp(least - price) for price in rivals)
    return Shown(
        against / (agreeing + against),
        tuple(ending for ending in endings if ending.result == result),
    )


def doubts_by_kings(beam: Beam, first: int, now_us: int, habits: Habits) -> list[float]:
    """Return, for each ply from ``first`` on, how likely it is a step of kings to the centre."""
    best = beam.best
    doubts = [0.0] * (best.depth - first)
    if not bitboard_of(_homes(best)) & ~beam.shown_of(best):
        return doubts  # nearly always
    total = sum(exp(beam.prices[0] - price) for price in beam.prices)
    for game in beam.games:
        shared, shown = best.shared_with(game), beam.shown_of(game)
        prices = [] if shared == best.depth else [*_half_way(game, shown, now_us)]
        if shared < best.depth and are_in_the_centre(game, shown):
            prices += [ending.price for ending in _endings(game, shown, first, habits)]
        doubt = sum(exp(beam.prices[0] - price) for price in prices)
        for n in range(max(0, shared - first), len(doubts)):
            doubts[n] += doubt / (total + doubt)
    return doubts


def _homes(game: Hypothesis) -> tuple[Square, Square]:
    """Return the squares of the kings in a game, White's first."""
    return game.position.king(WHITE), game.position.king(BLACK)


def _endings(game: Hypothesis, shown: Bitboard, final: int, habits: Habits) -> Iterator[Ending]:
    """Yield the ways in which two kings on centre squares explain the loose touches of a game."""
    homes = _homes(game)
    if any(_is_step(game, home, final) for home in homes):
        return
    strays = shown & ~game.occupied
    for targets in permutations(SQUARES[shown & CENTRE], 2):
        taken = bitboard_of(targets)
        if strays & ~taken or shown & bitboard_of(homes) & ~taken:
            continue
        price = game.paid + cost(constants.P_KINGS) + _other_price(game, shown, taken)
        price += _straightened_price(game, shown, taken)
        for home, target in zip(homes, targets, strict=True):
            price += _arrival_price(game, home, target, habits)
        yield Ending(game, price, _result(*targets))


def _result(white: Square, black: Square) -> str:
    if is_light(white) != is_light(black):
        return "1/2-1/2"
    return "1-0" if is_light(white) else "0-1"


def _is_step(game: Hypothesis, home: Square, final: int) -> bool:
    """True if the last ply, not final yet, is a king's on its way to the centre from ``home`` on.

    Then it is no ply but a step to the centre (contract): the game without it ends.
    """
    move = game.move
    if move is None or move.target != home or move.rook_step is not None or game.depth <= final:
        return False
    return _way(move.target) < _way(move.origin) or bool(CENTRE >> home & 1)


def _way(square: Square) -> int:
    """Return how many steps of a king it is to the centre."""
    return min(distance(square, centre) for centre in SQUARES[CENTRE])


def _arrival_price(game: Hypothesis, home: Square, target: Square, habits: Habits) -> float:
    """Return the price of what the switches lack about a king that came to its square."""
    if home == target:
        return 0.0
    left_us = max(
        (touch.t_us for touch in game.loose if _is_lift(touch, 1 << home)), default=NEVER_US
    )
    came = [touch for touch in game.loose if touch.square == target and _may_be(touch, left_us)]
    is_exchange = game.occupied >> target & 1 and target not in _homes(game)
    if any(touch.kind is Kind.LAND for touch in came):
        return 0.0
    if not is_exchange:
        return cost(constants.P_BACKWARD)
    blink = next((touch for touch in came if touch.kind is Kind.BLINK), None)
    return faint_price(blink.length_us) if blink else habits.unseen_price


def _is_lift(touch: Touch, squares: Bitboard) -> bool:
    return touch.kind is Kind.LIFT and bool(squares >> touch.square & 1)


def _may_be(touch: Touch, left_us: int) -> bool:
    """True if a touch may be the arrival of a piece that left its square then, slid perhaps."""
    return touch.t_us >= left_us - constants.SLACK_US


def _other_price(game: Hypothesis, shown: Bitboard, explained: Bitboard) -> float:
    """Return the price of touches that have nothing to do with the kings.

    From when the first of them was lifted, they explain what happens on these squares and where no
    piece is left; before that only that a piece made room.
    """
    kings = bitboard_of(_homes(game))
    explained |= kings | ~shown
    left_us = min((touch.t_us for touch in game.loose if _is_lift(touch, kings)), default=NEVER_US)
    price = 0.0
    for touch in game.loose:
        if _may_be(touch, left_us):
            price += 0.0 if explained >> touch.square & 1 else touch.price
        elif not _is_lift(touch, CENTRE):
            price += touch.price
            price += 0.0 if game.occupied >> touch.square & 1 else cost(constants.P_BACKWARD)
    return price


def _half_way(game: Hypothesis, shown: Bitboard, now_us: int) -> Iterator[float]:
    """Yield what it costs to believe that one king at most has come to the centre yet.

    The other one is in the hand, or at home still. Any piece in the centre may have made room.
    """
    kings, strays = bitboard_of(_homes(game)), shown & ~game.occupied
    away = (kings & ~shown).bit_count()
    if not away or (shown ^ game.occupied) & ~(CENTRE | kings) or strays.bit_count() > 1:
        return
    for taken in [strays] if strays else [0, *_exchanged(game, shown)]:
        held = away - taken.bit_count()
        if held < 0 or (held == 0 and kings & shown & CENTRE):
            continue
        price = game.paid + cost(constants.P_KINGS) + _other_price(game, shown, taken)
        price += held_price(game, shown, now_us) if held else 0.0
        yield price + _straightened_price(game, shown, taken)


def _exchanged(game: Hypothesis, shown: Bitboard) -> set[Bitboard]:
    """Return the squares of the centre on which another piece may stand by now, a bit each."""
    standing = CENTRE & game.occupied & shown
    squares = {touch.square for touch in game.loose if touch.kind in CLOSED}
    return {1 << square for square in squares if standing >> square & 1}


def _straightened_price(game: Hypothesis, shown: Bitboard, taken: Bitboard = 0) -> float:
    """Return the price of pieces in the centre that are straightened by who has a king in hand.

    ``taken``: the squares on which kings are by now.
    """
    if not bitboard_of(_homes(game)) & ~shown:
        return 0.0
    squares = {touch.square for touch in game.loose if touch.kind in CLOSED and not touch.in_burst}
    straightened = bitboard_of(squares) & CENTRE & game.occupied & shown & ~taken
    return cost(constants.P_ADJUST_VICTIM) * straightened.bit_count()
