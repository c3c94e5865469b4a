"""When a game makes no sense on a good board: the faults that would explain what was seen.

A fault costs what it does once. Every ply that makes sense only with it is cheaper by what it
leaves unexplained otherwise; so a fault has to explain several touches before it is believed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from boardfw.inference.reading import constants
from boardfw.inference.reading.constants import cost
from boardfw.inference.reading.faults import LINES, Fault, FaultKind, doubtful, squares_of
from boardfw.inference.reading.hypothesis import Hypothesis
from boardfw.inference.reading.touches import MOST_AT_ONCE, Kind, Touch
from boardfw.squares import Bitboard, Square, squares_in

ARRIVED = (Kind.LAND, Kind.BLINK)
MOST_DEAD = 4
"""A board on which more single switches are dead is not for play."""


def suspects(
    game: Hypothesis, shown: Bitboard, touched_us: dict[Square, int], now_us: int
) -> Iterator[Hypothesis]:
    """Yield this game with each of the faults that may explain what it does not.

    ``shown``: what the board shows; ``touched_us``: when switches moved last in this game.
    """
    if any(touch.is_vague for touch in game.loose):
        return  # contract: a gap between two scans is no fault of a switch
    for line, changed in _lost_lines(game, shown):
        fault = Fault(FaultKind.LINE, line, now_us, game.depth)
        price = cost(constants.P_LINE)
        if changed >= MOST_AT_ONCE:  # that hands do so is less likely still
            price -= (changed - 1) * cost(constants.P_SAME_SCAN)
        yield with_fault(game, fault, price, shown)
    if sum(fault.kind is FaultKind.DEAD for fault in game.faults) >= MOST_DEAD:
        return
    for square in squares_in(_stuck(game, game.seen(shown))):
        price = cost(constants.P_DEAD)
        if square in touched_us:
            price += cost(constants.P_BREAKS)
        yield from _lines_with(game, square, touched_us, shown)
        fault = Fault(FaultKind.DEAD, 1 << square, now_us, game.depth)
        yield with_fault(game, fault, price, shown)


def _lines_with(
    game: Hypothesis, square: Square, touched_us: dict[Square, int], shown: Bitboard
) -> Iterator[Hypothesis]:
    """Yield this game with the lines that have failed rather than two of their switches."""
    for fault in doubtful(game.faults):
        if fault.kind is not FaultKind.DEAD or fault.over_us is not None:
            continue
        for line in LINES:
            if not line >> square & 1 or fault.squares & ~line:
                continue
            if all(touched_us.get(one, -1) < fault.since_us for one in squares_in(line)):
                failed = Fault(FaultKind.LINE, line, fault.since_us, fault.ply)
                yield with_fault(game, failed, cost(constants.P_LINE_FOR_DEAD), shown)


def _stuck(game: Hypothesis, shown: Bitboard) -> Bitboard:
    """Return the squares whose switch may be stuck: wrong ones, and ends of plies half seen."""
    stuck = game.occupied ^ shown
    missing, stray = game.own & ~shown, shown & ~game.occupied
    arrived = stray | _exchanged(game, shown)
    for move in game.position.legal_moves():
        if missing >> move.origin & 1:
            if not shown >> move.target & 1 or move.captured is not None:
                stuck |= 1 << move.target
        elif arrived >> move.target & 1:
            stuck |= 1 << move.origin
    return game.seen(stuck)


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


def _lost_lines(game: Hypothesis, shown: Bitboard) -> Iterator[tuple[Bitboard, int]]:
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
            level = shown & line
            is_uniform = not level if kind is Kind.LIFT else level == line
            if is_uniform and not squares & ~line:
                yield line, squares.bit_count()


def with_fault(game: Hypothesis, fault: Fault, price: float, shown: Bitboard) -> Hypothesis:
    """Return the same game on a board with one more fault. ``shown``: what the board shows."""
    faults = (*game.faults, fault)
    before = game.before and _relabelled(game.before, faults)
    doubtful = _relabelled(game, faults)
    doubtful.before = before
    doubtful.paid += price
    doubtful.loose = tuple(touch for touch in game.loose if not fault.squares >> touch.square & 1)
    doubtful.trail = game.trail
    doubtful.off_us = game.off_us
    doubtful.at_rest = doubtful.occupied == doubtful.seen(shown)
    return doubtful


def is_disbelieved(game: Hypothesis, touch: Touch, shown: Bitboard) -> bool:
    """True if a touch tells a game with faults nothing. ``shown``: the board after it.

    A switch that moves though it was taken to be stuck works again, and so do all of its line.
    """
    fault = next((one for one in game.faults if one.squares >> touch.square & 1), None)
    if fault is None:
        return False
    if fault.is_certain:
        return True
    if fault.over_us is None:
        _revive(game, fault, touch.t_us)
    elif touch.t_us - fault.over_us > constants.SETTLE_US:
        return False
    # Of switches that work again only those tell anything that do not show the position.
    return not (shown ^ game.occupied) >> touch.square & 1


def _revive(game: Hypothesis, fault: Fault, t_us: int) -> None:
    """Let a game believe the switches of a fault again."""
    over = replace(fault, over_us=t_us, over_ply=game.depth)
    game.faults = tuple(over if one is fault else one for one in game.faults)
    game.dead = squares_of(game.faults)
    game.occupied = game.seen(game.position.occupied)
    game.own = game.seen(game.position.pieces(game.position.turn))
    game.others = game.occupied ^ game.own
    game.unshown = None
    game.paid += cost(constants.P_REVIVED)


def _relabelled(game: Hypothesis, faults: tuple[Fault, ...]) -> Hypothesis:
    """Return the same game, with these faults, as if nothing had happened since its last ply."""
    other = Hypothesis(game.position, game.paid, game.before, game.move, faults)
    other.landed_us = game.landed_us
    other.way, other.was_slid, other.goes_on = game.way, game.was_slid, game.goes_on
    other.is_unseen, other.is_hidden = game.is_unseen, game.is_hidden
    other.is_resumed, other.choice = game.is_resumed, game.choice
    return other


def p_unproved(game: Hypothesis) -> float:
    """Return the doubt about the youngest fault of a game: it falls with each further ply.

    It does not where a line has hidden the order of plies.
    """
    if any(fault.hid_order for fault in game.faults):
        return 1.0
    plies = [game.depth - fault.ply for fault in game.faults if not fault.is_certain]
    return float(constants.P_UNPROVED ** min(plies)) if plies else 0.0


def certain_faults(games: list[Hypothesis], weights: list[float]) -> tuple[Fault, ...]:
    """Return the faults on which games with nearly all of the weight agree."""
    known: dict[Bitboard, tuple[Fault, float]] = {}
    for game, weight in zip(games, weights, strict=True):
        for fault in game.faults:
            if fault.over_us is None:
                first, sum_ = known.get(fault.squares, (fault, 0.0))
                known[fault.squares] = first, sum_ + weight
    doubt = p_unproved(games[0])
    return tuple(
        fault
        for fault, sum_ in known.values()
        if 1 - sum_ + (doubt if fault.kind is FaultKind.DEAD else 0) < constants.P_FALSE_ALARM
    )
