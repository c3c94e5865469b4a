"""Draws that a player may claim: a position for the third time, fifty moves without progress.

FIDE Laws 9.2 and 9.3: the side to move claims either because the board shows it already, or
because the move that it intends, and has not made, would bring it about. A claim names the plies
that support it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from boardfw.rules.board import PAWN, SIDE
from boardfw.rules.dead_position import is_dead
from boardfw.rules.move import Move
from boardfw.rules.position import Key, Position
from boardfw.squares import Square

THREEFOLD = "threefold_repetition"
FIFTY = "fifty_moves"
FIFTY_MOVES = 100  # plies; FIDE Laws 9.3


class Claim(NamedTuple):
    """One draw that may be claimed, and what supports it.

    ``kind`` is a termination of the trace format. ``move`` is the intended move that brings it
    about, or None where the board shows it already.

    ``plies`` counts from the first position of the game, which stood after ply 0. For a
    threefold repetition they are those after which the position stood, the last included; for
    fifty moves the first and the last ply of the series without capture and pawn move. A series
    that began before the game was set up begins with a ply below 1.
    """

    kind: str
    move: Move | None
    plies: tuple[int, ...]


def claims(
    position: Position, earlier: Sequence[Key] = (), intended: Move | None = None
) -> tuple[Claim, ...]:
    """What the side to move may claim, threefold repetition first.

    ``earlier`` holds the keys of all earlier positions of the game, oldest first. Without
    ``intended`` the position itself counts (9.2.2, 9.3.2), with it the position after that move
    (9.2.1, 9.3.1); an illegal one supports none. Once mate, stalemate or a dead position
    is on the board there is no game left to claim in (5.1.1, 5.2.1, 5.2.2), nor with a move that
    would bring it about.
    """
    if intended is None:
        return tuple(_found(position, earlier, None))
    if intended not in position.legal_moves():
        return ()
    return tuple(_found(position.play_unchecked(intended), [*earlier, position.key], intended))


def can_claim(position: Position, earlier: Sequence[Key] = ()) -> bool:
    """Whether anything may be claimed now, for the position itself or with an intended move."""
    return bool(claims(position, earlier)) or any(
        claims(position, earlier, move) for move in _candidates(position, earlier)
    )


def times_before(position: Position, earlier: Sequence[Key]) -> int:
    """How often this position occurred before."""
    return len(stood_after(position, earlier))


def stood_after(position: Position, earlier: Sequence[Key]) -> list[int]:
    """The plies after which this position occurred before; ``earlier`` begins with ply 0.

    Only reversible plies lead back to it, so nothing before the last capture is looked at.
    """
    now = len(earlier)
    first = max(now - position.halfmove_clock, 0)
    # Four plies are the fewest that lead back, and only every other one has the same side to move.
    same_turn = range(now - 4, first - 1, -2)
    if not same_turn:
        return []
    key = position.key
    return [ply for ply in reversed(same_turn) if earlier[ply] == key]


def _found(position: Position, earlier: Sequence[Key], move: Move | None) -> Iterator[Claim]:
    """Claims that this position supports."""
    stood = stood_after(position, earlier)
    is_threefold = len(stood) >= 2
    is_fifty = position.halfmove_clock >= FIFTY_MOVES
    if not (is_threefold or is_fifty) or not position.legal_moves() or is_dead(position):
        return
    now = len(earlier)
    if is_threefold:
        yield Claim(THREEFOLD, move, (*stood, now))
    if is_fifty:
        yield Claim(FIFTY, move, (now - position.halfmove_clock + 1, now))


def _candidates(position: Position, earlier: Sequence[Key]) -> list[Move]:
    """Moves whose intention may support a claim; each is then tried."""
    if position.halfmove_clock >= FIFTY_MOVES - 1:
        return [m for m in position.legal_moves() if m.piece_type != PAWN and m.captured is None]
    return _repeating(position, earlier)


def _repeating(position: Position, earlier: Sequence[Key]) -> list[Move]:
    """Moves to a position that occurred twice, found from that position and not by trying moves.

    The two placements differ by one piece's move, so its two squares are the move. Castling cannot
    repeat a position, because the right to it is lost.
    """
    now = len(earlier)
    first = max(now - position.halfmove_clock, 0)
    own, enemy = SIDE[position.turn], SIDE[1 - position.turn]
    mine, theirs = position.placement[own], position.placement[enemy]
    # Every other ply had the other side to move, as it has after the intended move. Nearly every
    # position fails this test, so nothing slower is done before it.
    near = [
        key
        for key in earlier[first + (now + 1 - first) % 2 : max(now - 2, 0) : 2]
        if key[0][enemy] == theirs and key[2] == position.castling
    ]
    moves = []
    for key in dict.fromkeys(near):
        changed = key[0][own] ^ mine
        if changed.bit_count() == 2 and near.count(key) >= 2:
            target = changed & key[0][own]
            move = position.find(
                *map(Square, ((changed ^ target).bit_length() - 1, target.bit_length() - 1))
            )
            moves += [] if move is None else [move]
    return moves
