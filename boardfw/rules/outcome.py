"""How a game ends: by the rules alone, by agreement, resignation or overstepping the time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from boardfw.rules.board import Color
from boardfw.rules.claim import times_before
from boardfw.rules.dead_position import cannot_win, is_dead
from boardfw.rules.material import is_insufficient_material
from boardfw.rules.move import Move
from boardfw.rules.position import Key, Position
from boardfw.rules.single_move import may_give_check

WINS = ("1-0", "0-1")
"""Result when a colour has won."""
DRAW = "1/2-1/2"

FIVEFOLD = 5  # times; FIDE Laws 9.6.1
SEVENTYFIVE_MOVES = 150  # plies; FIDE Laws 9.6.2


class Outcome(NamedTuple):
    """A result as PGN writes it, and how it came about (a termination of the trace format)."""

    result: str
    termination: str


def outcome(position: Position, earlier: Sequence[Key] = ()) -> Outcome | None:
    """How the game has ended by itself, or None.

    ``earlier`` holds the keys of all earlier positions of the game, oldest first. Of several
    reasons the strongest is named: mate and stalemate (FIDE Laws 5.1.1, 5.2.1), which hold also
    on the last of 75 moves, then dead positions (5.2.2), then the counts (9.6).
    """
    if not position.legal_moves():
        if position.is_check():
            return Outcome(WINS[1 - position.turn], "checkmate")
        return Outcome(DRAW, "stalemate")
    termination = _draw(position, earlier)
    return None if termination is None else Outcome(DRAW, termination)


def _draw(position: Position, earlier: Sequence[Key]) -> str | None:
    """Why a game that could be played on is drawn."""
    if is_insufficient_material(position.placement):
        return "insufficient_material"
    if is_dead(position):
        return "dead_position"
    if times_before(position, earlier) >= FIVEFOLD - 1:
        return "fivefold_repetition"
    if position.halfmove_clock >= SEVENTYFIVE_MOVES:
        return "seventyfive_moves"
    return None


def agreed() -> Outcome:
    """A draw by agreement (FIDE Laws 5.2.3), which requires that both have made a move."""
    return Outcome(DRAW, "agreement")


def resigned(color: Color, position: Position) -> Outcome:
    """``color`` resigns (FIDE Laws 5.1.2): lost, unless the opponent provably cannot win."""
    return _given_up(color, position, "resignation")


def flag_fell(color: Color, position: Position) -> Outcome:
    """``color`` oversteps the time (FIDE Laws 6.9): lost, unless the opponent cannot win.

    A game that ended before the flag fell, for example by mate, has its outcome already. An
    opponent who cannot be proved unable to win, wins.
    """
    return _given_up(color, position, "time")


def _given_up(color: Color, position: Position, termination: str) -> Outcome:
    if cannot_win(position, 1 - color):
        return Outcome(DRAW, termination)
    return Outcome(WINS[1 - color], termination)


def mates(position: Position) -> tuple[Move, ...]:
    """The legal moves that mate (FIDE 5.1.1), in the order of all legal moves."""
    checks = (move for move in position.legal_moves() if may_give_check(position, move))
    return tuple(move for move in checks if _is_mated(position.play_unchecked(move)))


def _is_mated(position: Position) -> bool:
    return position.is_check() and not position.legal_moves()
