"""Random positions agree with python-chess in everything that both decide.

Half of them are met in random games, half are thrown together; half are Chess960. Left out are
positions that are dead though there is material to mate: the oracle does not know them.
"""

from __future__ import annotations

import chess
import pytest

from boardfw.notation.fen import format_fen, parse_fen
from boardfw.notation.san import format_san, parse_san
from boardfw.rules import KING, PAWN, Position
from boardfw.rules.claim import THREEFOLD, claims
from boardfw.rules.outcome import outcome
from boardfw.rules.position import Key
from boardfw.rules.single_move import may_give_check, moves_to, pieces_reaching
from boardfw.squares import EVERY_SQUARE
from tests.rules.published import OWN, TRAPS
from tests.rules.scrambles import scramble
from tests.rules.walks import oracle_uci, position_of, walk
from tests.sizes import sized

PLIES = 60
"""Of one random game; later positions of a game resemble those before."""


def check_position(position: Position, board: chess.Board) -> None:
    moves = {oracle_uci(move, board): move for move in position.legal_moves()}
    theirs = {board.uci(move): move for move in board.legal_moves}
    assert len(moves) == len(position.legal_moves())
    assert moves.keys() == theirs.keys()
    assert position.checkers() == int(board.checkers())
    assert position.is_check() == board.is_check()
    assert format_fen(position) == board.fen()
    for uci, move in moves.items():
        assert (move.captured is not None) == board.is_capture(theirs[uci])
        assert move.is_en_passant == board.is_en_passant(theirs[uci])
        assert move.is_castling == board.is_castling(theirs[uci])


def check_san(position: Position, board: chess.Board) -> None:
    for move in position.legal_moves():
        san = format_san(position, move)
        assert san == board.san(board.parse_uci(oracle_uci(move, board)))
        assert parse_san(position, san) is move


def check_end(position: Position, earlier: list[Key], board: chess.Board) -> None:
    found, theirs = outcome(position, earlier), board.outcome()
    if found and found.termination == "dead_position":
        return
    assert (found and found.result) == (theirs and theirs.result())
    if found and theirs and theirs.termination.name.lower() != found.termination:
        # Where two reasons hold at once, ours is the one that ended the game first.
        assert found.termination in ("stalemate", "fivefold_repetition")
    is_threefold = THREEFOLD in [claim.kind for claim in claims(position, earlier)]
    is_over = not position.legal_moves() or board.is_insufficient_material()
    assert is_threefold == (board.is_repetition(3) and not is_over)


def check_game(seed: int, plies: int = PLIES) -> None:
    """A random game: from the usual start, from one of Chess960's, or from a thrown position."""
    starts = (
        chess.Board,
        lambda: chess.Board.from_chess960_pos(seed % 960),
        lambda: scramble(seed),
        lambda: scramble(seed),
    )
    keys: dict[object, object] = {}
    for position, earlier, board in walk(seed, plies, starts[seed % 4]()):
        check_position(position, board)
        check_san(position, board)
        check_end(position, earlier, board)
        if earlier:  # a thrown start may be one to which no move leads
            assert parse_fen(board.fen()).key == position.key
        # Equal keys are the same position, and nothing else is.
        theirs = board._transposition_key()
        assert keys.setdefault(position.key, theirs) == theirs
        assert keys.setdefault(theirs, position.key) == position.key


def check_scramble(seed: int) -> None:
    board = scramble(seed)
    position = position_of(board)
    check_position(position, board)
    check_san(position, board)
    check_end(position, [], board)
    check_moves_to(position)
    for move in position.legal_moves():
        board.push_uci(oracle_uci(move, board))
        assert position.play(move) == position_of(board)
        board.pop()


@pytest.mark.both
@pytest.mark.parametrize("seed", range(sized(8, 16)))
def test_a_random_game_is_the_same_game(seed: int) -> None:
    check_game(seed, 30)


@pytest.mark.both
@pytest.mark.parametrize("first", range(0, sized(100, 200), 20))
def test_random_placements_are_the_same_positions(first: int) -> None:
    for seed in range(first, first + 20):
        check_scramble(seed)


@pytest.mark.parametrize("name", TRAPS | OWN)
def test_traps_are_the_same_positions(name: str) -> None:
    board = chess.Board((TRAPS | OWN)[name][0], chess960=True)
    for first in [chess.Move.null(), *board.legal_moves]:
        if first:
            board.push(first)
        position = position_of(board)
        check_position(position, board)
        check_san(position, board)
        if first:
            board.pop()
        else:
            check_moves_to(position)


def check_moves_to(position: Position) -> None:
    """The moves to one square are the legal moves, filtered."""
    moves = [move for move in position.legal_moves() if not move.is_castling]
    for kind in range(PAWN, KING + 1):
        for target in EVERY_SQUARE:
            fitting = {move for move in moves if (move.piece_type, move.target) == (kind, target)}
            assert set(moves_to(position, kind, target)) == fitting
            reaching = pieces_reaching(position, kind, target)
            assert all(reaching >> m.origin & 1 for m in fitting if not m.is_en_passant)
    for move in position.legal_moves():
        assert may_give_check(position, move) or not position.play(move).is_check()


@pytest.mark.slow
@pytest.mark.parametrize("part", range(20))
def test_twenty_thousand_positions_are_the_same(part: int, *, full: bool) -> None:
    # A game has up to PLIES positions.
    games, thrown = (10, 500) if full else (1, 50)
    for seed in range(1000 * part, 1000 * part + games):
        check_game(seed)
    for seed in range(1000 * part + 200, 1000 * part + 200 + thrown):
        check_scramble(seed)


@pytest.mark.parametrize("seed", range(200, 204))
def test_attackers_of_every_square(seed: int) -> None:
    for position, _, board in walk(seed, 30):
        for square in EVERY_SQUARE:
            for color in (0, 1):
                theirs = board.attackers(color == 0, square)
                assert position.attackers(square, color) == int(theirs)
