"""How the board differs from a game, and which differences are harmless."""

from __future__ import annotations

from boardfw.inference.reading.hypothesis import Hypothesis
from boardfw.inference.reading.standing import unshown
from boardfw.inference.reading.touches import Kind
from boardfw.rules.move import Move, Step
from boardfw.squares import Bitboard, distance, only_in

CARRY_US = 100_000
"""Carrying a piece takes at least this long, so no shorter gap hides a whole ply."""


def touched_by(move: Move) -> Bitboard:
    """Return the squares that change when a move is made by hand."""
    return move.touched | (0 if move.captured is None else 1 << move.captured)


def is_half_way(game: Hypothesis, shown: Bitboard) -> bool:
    """True if the pieces that stand where they should not may still be on their way."""
    extra = shown & ~game.occupied
    if not extra:
        return False
    return _is_half_made(game, shown) or _is_on_a_border(game, shown, extra)


def _is_half_made(game: Hypothesis, shown: Bitboard) -> bool:
    """True if the board shows a part of a move of two pieces."""
    differing = game.occupied ^ shown
    for move in game.hand_moves():
        is_of_two = move.rook_step is not None or move.is_en_passant
        if is_of_two and not differing & ~touched_by(move):
            after = game.position.play_unchecked(move).occupied
            if not (shown ^ after) & differing:
                return True
    return False


def _is_on_a_border(game: Hypothesis, shown: Bitboard, extra: Bitboard) -> bool:
    """True if a piece may rest between two squares and hold both switches."""
    missing = game.occupied & ~shown
    if extra.bit_count() != 1 + missing.bit_count():
        return False
    if missing:
        return not unshown(game, shown).handled
    target = only_in(extra)
    origins = {move.origin for move in game.hand_moves() if move.target == target}
    if game.move is not None and game.before is not None and game.move.rook_step is None:
        # The piece moved last may be going on.
        last = game.move
        moves = game.before.hand_moves()
        origins |= {
            last.target for one in moves if (one.origin, one.target) == (last.origin, target)
        }
    return any(distance(origin, target) == 1 for origin in origins)


def capture_against_the_rules(game: Hypothesis, shown: Bitboard) -> Step | None:
    """Return origin and target of a capture that is no legal move; None: nothing like that.

    One piece of the side to move is away, and the last change is a piece that landed where another
    one was lifted since.
    """
    missing = game.occupied & ~shown
    if shown & ~game.occupied or missing.bit_count() != 1 or not missing & game.own:
        return None
    settled = [touch for touch in game.loose if touch.is_settled]
    if not settled or settled[-1].kind is not Kind.LAND:
        return None
    origin, target = only_in(missing), settled[-1].square
    begun = [touch.square for touch in settled if touch.kind is Kind.LIFT]
    if begun.count(target) != 1 or origin not in begun or not game.occupied >> target & 1:
        return None
    return origin, target


def hides_plies(game: Hypothesis, before: Bitboard, after: Bitboard) -> bool:
    """True if what is read after a gap is more than one legal move explains.

    ``before``: the squares that were settled until then.
    """
    if after == before:
        return False
    changed = (game.occupied ^ after) & ~game.dead
    return all(changed & ~touched_by(move) for move in game.hand_moves())
