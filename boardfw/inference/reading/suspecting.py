"""When a game makes no sense on a good board: the faults that would explain what was seen.

A fault costs what it does once. Every ply that makes sense only with it is cheaper by what it
leaves unexplained otherwise; so a fault has to explain several touches before it is believed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from boardfw.inference.reading import constants
from boardfw.inference.reading.constants import cost
from boardfw.inference.reading.faults import LINES, Fault, FaultKind
from boardfw.inference.reading.hypothesis import Hypothesis
from boardfw.inference.reading.touches import Kind, Touch
from boardfw.squares import Bitboard, Square, squares_in

ARRIVED = (Kind.LAND, Kind.BLINK)
MOST_DEAD = 4
"""A board on which more single switches are dead is not for play."""
MOST_LEFT = 4
"""Where more squares are wrong than these, fault or not, the pieces are handled."""
MOST_AT_ONCE = 3
"""Hands never open or close so many switches of a line within one scan."""


def suspects(
    game: Hypothesis, board: Bitboard, touched_us: dict[Square, int], now_us: int
) -> Iterator[Hypothesis]:
    """Yield this game with each of the faults that may explain what it does not.

    ``board``: what the board shows; ``touched_us``: when switches moved last in this game.
    """
    wrong = game.occupied ^ game.as_shown(board)
    for line, changed in _lost_lines(game, board):
        if (wrong & ~line).bit_count() > MOST_LEFT:
            continue
        fault = Fault(FaultKind.LINE, line, now_us, game.depth)
        price = cost(constants.P_LINE)
        if changed >= MOST_AT_ONCE:  # that hands do so is less likely still
            price -= (changed - 1) * cost(constants.P_SAME_SCAN)
        yield with_fault(game, fault, price, board)
    dead = sum(fault.squares.bit_count() for fault in _dead(game))
    if dead >= MOST_DEAD or wrong.bit_count() > MOST_LEFT + 1:
        return
    for square in squares_in(_stuck(game, game.as_shown(board))):
        price = cost(constants.P_DEAD)
        if square in touched_us:
            price += cost(constants.P_BREAKS)
        yield from _lines_with(game, square, touched_us, board)
        fault = Fault(FaultKind.DEAD, 1 << square, now_us, game.depth)
        yield with_fault(game, fault, price, board)


def _dead(game: Hypothesis) -> Iterator[Fault]:
    """Yield the single switches that a game believes dead, and that nobody announced."""
    for fault in game.faults:
        if fault.kind is FaultKind.DEAD and fault.over_us is None and not fault.is_known:
            yield fault


def _lines_with(
    game: Hypothesis, square: Square, touched_us: dict[Square, int], board: Bitboard
) -> Iterator[Hypothesis]:
    """Yield this game with the lines that have failed rather than two of their switches."""
    for fault in _dead(game):
        for line in LINES:
            if not line >> square & 1 or fault.squares & ~line:
                continue
            if all(touched_us.get(one, -1) < fault.since_us for one in squares_in(line)):
                failed = Fault(FaultKind.LINE, line, fault.since_us, fault.ply)
                yield with_fault(game, failed, cost(constants.P_LINE_FOR_DEAD), board)


def _stuck(game: Hypothesis, shown: Bitboard) -> Bitboard:
    """Return the squares whose switch may be stuck: wrong ones, and ends of plies half seen."""
    stuck = game.occupied ^ shown
    missing, stray = game.own & ~shown, shown & ~game.occupied
    arrived = stray | _exchanged(game, shown)
    for move in game.hand_moves():
        if missing >> move.origin & 1:
            if not shown >> move.target & 1 or move.captured is not None:
                stuck |= 1 << move.target
        elif arrived >> move.target & 1:
            stuck |= 1 << move.origin
    return stuck & ~game.dead


def _exchanged(game: Hypothesis, shown: Bitboard) -> Bitboard:
    """Return the squares on which a piece was lifted, and one put down again."""
    squares = 0
    for touch in game.loose:
        if touch.kind in ARRIVED:
            squares |= 1 << touch.square
    return squares & shown & game.others


def has_changed_at_once(game: Hypothesis) -> bool:
    """True if more switches changed in one scan than hands open or close in it."""
    loose = game.loose
    return len(loose) >= MOST_AT_ONCE and loose[-1].t_us == loose[-MOST_AT_ONCE].t_us


def _lost_lines(game: Hypothesis, board: Bitboard) -> Iterator[tuple[Bitboard, int]]:
    """Yield the lines of which several switches changed in one scan, and that read all alike.

    With each: how many of them did.
    """
    together: dict[tuple[int, Kind], Bitboard] = {}
    for touch in game.loose:
        if touch.is_settled:
            key = touch.t_us, touch.kind
            together[key] = together.get(key, 0) | 1 << touch.square
    for (_, kind), squares in together.items():
        if not squares & (squares - 1):
            continue
        for line in LINES:
            level = board & line
            is_uniform = not level if kind is Kind.LIFT else level == line
            if is_uniform and not squares & ~line:
                yield line, squares.bit_count()


def with_fault(game: Hypothesis, fault: Fault, price: float, board: Bitboard) -> Hypothesis:
    """Return the same game with one more fault, on a ``board`` that shows this."""
    faults = (*game.faults, fault)
    doubtful = _alike(game, faults)
    if game.before:
        doubtful.before = _alike(game.before, faults)
    doubtful.paid += price
    last = {touch.square: touch for touch in game.loose}
    # A switch may change once more as it fails.
    doubtful.loose = tuple(
        touch
        for touch in game.loose
        if not (fault.squares >> touch.square & 1 and touch is last[touch.square])
    )
    doubtful.trail = game.trail
    doubtful.off_us = game.off_us
    doubtful.at_rest = doubtful.occupied == doubtful.as_shown(board)
    return doubtful


def _alike(game: Hypothesis, faults: tuple[Fault, ...]) -> Hypothesis:
    """Return the same game, with these faults, as if nothing had happened since its last ply."""
    other = Hypothesis(game.position, game.paid, game.before, game.move, game.seating)
    other.believe(faults)
    other.landed_us, other.view = game.landed_us, game.view
    other.way, other.away_us, other.goes_on = game.way, game.away_us, game.goes_on
    other.is_unseen, other.is_hidden = game.is_unseen, game.is_hidden
    other.undone, other.choice = game.undone, game.choice
    return other


def revive(game: Hypothesis, touch: Touch) -> None:
    """Let a game believe a switch again that moves though it was taken to be dead, and its line."""
    fault = next(one for one in game.faults if one.squares >> touch.square & 1)
    over = replace(fault, over_us=touch.t_us, over_ply=game.depth)
    game.believe(tuple(over if one is fault else one for one in game.faults))
    if fault.kind is not FaultKind.PARKED:  # a parked piece is cleared away in the end
        game.paid += cost(constants.P_REVIVED)


def is_reviving(game: Hypothesis, touch: Touch, board: Bitboard) -> bool:
    """True if a touch tells no more than that a switch works again, and all of its line.

    ``board``: what it shows after the touch. Of the switches that have just come back only those
    tell more that do not show the position.
    """
    return (
        any(
            fault.squares >> touch.square & 1
            and fault.over_us is not None
            and touch.t_us - fault.over_us <= constants.SETTLE_US
            for fault in game.faults
        )
        and not (board ^ game.occupied) >> touch.square & 1
    )


def p_unproved(game: Hypothesis) -> float:
    """Return the doubt about the youngest fault of a game: it falls with each further ply.

    It does not where a line has hidden the order of plies.
    """
    if any(fault.hid_order for fault in game.faults):
        return 1.0
    plies = [game.depth - fault.ply for fault in game.faults if not fault.is_known]
    return _unproved(min(plies)) if plies else 0.0


def _unproved(plies: int) -> float:
    return float(constants.P_UNPROVED**plies)


def certain_faults(games: list[Hypothesis], weights: list[float]) -> tuple[Fault, ...]:
    """Return the faults on which games with nearly all of the weight agree."""
    known: dict[Bitboard, tuple[Fault, float]] = {}
    for game, weight in zip(games, weights, strict=True):
        for fault in game.faults:
            if fault.over_us is None and fault.kind is not FaultKind.PARKED:
                first, sum_ = known.get(fault.squares, (fault, 0.0))
                known[fault.squares] = first, sum_ + weight
    depth = games[0].depth
    return tuple(
        fault
        for fault, sum_ in known.values()
        if 1 - sum_ < constants.P_FALSE_ALARM
        and (
            fault.kind is not FaultKind.DEAD
            or _unproved(depth - fault.ply) < constants.P_FALSE_ALARM
        )
    )
