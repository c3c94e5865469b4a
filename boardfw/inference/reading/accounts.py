"""What a ply may have been, how probable each answer is, and what each has to believe: for people.

"93 %: Nxe5. 7 %: no ply yet, as the knight of f3 is in the hand and e5 was only straightened."
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from boardfw.inference.reading.faults import FaultKind
from boardfw.inference.reading.hypothesis import Hypothesis
from boardfw.inference.reading.touches import Kind
from boardfw.rules.board import PIECE_NAMES
from boardfw.rules.move import Move
from boardfw.squares import NAMES, Bitboard, names_of, squares_in

LEAST = 0.0005
"""What is less probable than that is not told."""
FAULTS = {
    FaultKind.DEAD: "the switch of {} is stuck",
    FaultKind.LINE: "the switches of {} have failed together",
    FaultKind.PARKED: "a captured piece was put on {}",
}


class Account(NamedTuple):
    """One answer to what a ply was."""

    probability: float
    """Of all games in which the ply is this move."""
    move: Move | None
    """None: the ply has not been played yet."""
    game: Hypothesis
    """The most probable of these games."""
    beliefs: tuple[str, ...]
    """What one has to believe then, beside the rules: clauses."""


def accounts_of(
    credible: Iterable[tuple[Hypothesis, float]], ply: int, board: Bitboard
) -> list[Account]:
    """Return the answers to what a ply was (1 = the first), the most probable one first.

    ``credible``: games and the probability of each; ``board``: what switches show now.
    """
    weights: dict[Move | None, float] = {}
    games: dict[Move | None, Hypothesis] = {}
    for game, weight in sorted(credible, key=lambda one: -one[1]):
        move = game.at(ply).move if game.depth >= ply else None
        weights[move] = weights.get(move, 0.0) + weight
        games.setdefault(move, game)
    told = [
        Account(weight, move, games[move], tuple(_beliefs(games[move], ply, board)))
        for move, weight in weights.items()
        if weight >= LEAST
    ]
    return sorted(told, key=lambda one: -one.probability)


def _beliefs(game: Hypothesis, ply: int, board: Bitboard) -> Iterator[str]:
    if game.depth >= ply:
        yield from _of_ply(game.at(ply))
    elif game.undone:
        yield "it was taken back"
    shown = game.as_shown(board)
    for square in squares_in(game.occupied & ~shown):
        piece = game.position.piece_at(square)
        name = PIECE_NAMES[piece.piece_type] if piece else "piece"
        yield f"the {name} of {NAMES[square]} is in the hand"
    if stray := shown & ~game.occupied:
        yield f"what stands on {_list(stray)} is no ply"
    if straightened := _straightened(game) & game.occupied & shown:
        yield f"{_list(straightened)} {_was(straightened)} only straightened"
    for fault in game.faults:
        if fault.over_us is None:
            yield FAULTS[fault.kind].format(_list(fault.squares))


def _of_ply(node: Hypothesis) -> Iterator[str]:
    """Yield what one has to believe about the last ply of a game."""
    move = node.move
    if move is None:
        return
    if node.is_unseen and move.captured is not None:
        yield f"{NAMES[move.captured]} never opened when it was captured"
    if node.is_hidden:
        yield "one end of it no switch saw"
    if node.way.passed:
        yield f"the piece came over {_list(node.way.passed)}"


def _straightened(game: Hypothesis) -> Bitboard:
    """Return the squares whose piece was lifted and put back without a ply."""
    lifted = {touch.square for touch in game.loose if touch.kind is Kind.LIFT}
    squares = 0
    for touch in game.loose:
        if touch.kind is Kind.LAND and touch.square in lifted:
            squares |= 1 << touch.square
    return squares


def _list(squares: Bitboard) -> str:
    *first, last = names_of(squares)
    return f"{', '.join(first)} and {last}" if first else last


def _was(squares: Bitboard) -> str:
    return "were" if squares & (squares - 1) else "was"
