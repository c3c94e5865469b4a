"""Three pieces: the tables agree with python-chess, and their moves mate."""

from __future__ import annotations

import random
from collections.abc import Iterator

import chess
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from boardfw.learning.endings import Value, best_move, value
from boardfw.notation.fen import parse_fen
from boardfw.rules import BLACK, KING, PAWN, QUEEN, ROOK, WHITE, Piece, Position
from boardfw.rules.board import placement_of
from boardfw.rules.outcome import outcome
from boardfw.squares import EVERY_SQUARE, Square
from tests.rules.walks import position_of

KINDS = {"q": QUEEN, "r": ROOK, "p": PAWN}


def position(kind: int, squares: tuple[int, int, int], stronger: int, turn: int) -> Position:
    """King, third piece and lone king on these squares."""
    king, third, lone = map(Square, squares)
    pieces = {king: Piece(KING, stronger), lone: Piece(KING, 1 - stronger)}
    return Position(placement_of({**pieces, third: Piece(kind, stronger)}), turn)


def board_of(position: Position) -> chess.Board:
    board = chess.Board(None)
    for square in EVERY_SQUARE:
        piece = position.piece_at(square)
        if piece:
            board.set_piece_at(square, chess.Piece(piece.piece_type, piece.color == WHITE))
    board.turn = position.turn == WHITE
    return board


@st.composite
def endings(draw: st.DrawFn, kinds: str = "qrp") -> Position:
    """Any legal position of these endings, either side being the stronger one."""
    kind = KINDS[draw(st.sampled_from(kinds))]
    third = draw(st.integers(8, 55) if kind == PAWN else st.integers(0, 63))
    king, lone = draw(st.integers(0, 63)), draw(st.integers(0, 63))
    stronger, turn = draw(st.sampled_from((0, 1))), draw(st.sampled_from((0, 1)))
    assume(len({king, third, lone}) == 3)
    found = position(kind, (king, third, lone), stronger, turn)
    assume(board_of(found).is_valid())
    return found


def plies_after(board: chess.Board, stronger: int) -> int | None:
    """Plies to mate by the table, or None: a draw, also where no table is needed to see it."""
    found = value(position_of(board))
    if found is None:
        assert board.is_insufficient_material()
        return None
    assert found.stronger == stronger
    return found.plies


def expected(board: chess.Board, stronger: int) -> int | None:
    """What the oracle's moves say, one ply deep.

    That this holds of every position proves the table: only one table can do so.
    """
    if board.is_checkmate():
        return 0
    found = []
    for move in [*board.legal_moves]:
        board.push(move)
        found.append(plies_after(board, stronger))
        board.pop()
    mates = [plies for plies in found if plies is not None]
    if (board.turn == chess.WHITE) == (stronger == WHITE):
        return min(mates) + 1 if mates else None
    return max(mates) + 1 if mates and len(mates) == len(found) else None


def agrees(found: Position) -> bool:
    known = value(found)
    assert known is not None
    return known.plies == expected(board_of(found), known.stronger)


@given(endings("p"))
def test_the_pawn_about_to_promote_does_so_exactly(found: Position) -> None:
    """Pawns on the seventh are few among all, and have most to tell."""
    known = value(found)
    assert known is not None
    pawn = found.placement[PAWN].bit_length() - 1
    rank = 6 if known.stronger == WHITE else 1
    moved = pawn % 8 + 8 * rank
    squares = found.king(known.stronger), moved, found.king(1 - known.stronger)
    assume(len(set(squares)) == 3)
    there = position(PAWN, squares, known.stronger, found.turn)
    assume(board_of(there).is_valid())
    assert agrees(there)


@given(endings())
def test_colours_and_sides_make_no_difference(found: Position) -> None:
    known = value(found)
    assert known is not None
    board = board_of(found)
    flipped = value(position_of(board.mirror()))
    assert flipped == Value(1 - known.stronger, known.plies)
    board.apply_transform(chess.flip_horizontal)
    assert value(position_of(board)) == known


@pytest.mark.parametrize(
    ("fen", "plies"),
    [
        ("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", 1),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", None),  # stalemate
        ("8/6Qk/5K2/8/8/8/8/8 b - - 0 1", 0),
        ("8/5P1k/5K2/8/8/8/8/8 w - - 0 1", 3),  # a queen would stalemate, a rook does not
        ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", 21),
        ("k7/8/K7/P7/8/8/8/8 w - - 0 1", None),
        ("8/8/8/8/8/5k2/5p2/5K2 w - - 0 1", None),
    ],
)
def test_positions_that_the_course_knows(fen: str, plies: int | None) -> None:
    found = value(parse_fen(fen))
    assert found is not None
    assert found.plies == plies


@pytest.mark.parametrize(
    "fen",
    [
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/3BK3 w - - 0 1",
        "4k3/4p3/8/8/8/8/8/3QK3 w - - 0 1",
        "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1",  # castling is no move of the tables
    ],
)
def test_other_positions_are_not_theirs(fen: str) -> None:
    found = parse_fen(fen)
    assert value(found) is None
    with pytest.raises(LookupError):
        best_move(found)


@given(endings())
def test_moves_of_the_table_mate_in_time(found: Position) -> None:
    known = value(found)
    assert known is not None
    for left in range(known.plies or 0, 0, -1):
        now = value(found)
        assert now == Value(known.stronger, left)
        found = found.play(best_move(found))
    if known.is_won:
        ended = outcome(found)
        assert ended is not None
        assert ended.termination == "checkmate"
        assert found.turn != known.stronger


@pytest.mark.slow
@given(endings(), st.data())
def test_defence_by_the_table_uses_every_slip(found: Position, data: st.DataObject) -> None:
    """No attack mates faster than promised, and what is drawn stays drawn."""
    for _ in range(30):
        known = value(found)
        if known is None or not found.legal_moves():
            break
        if found.turn != known.stronger:
            found = found.play(best_move(found))
            after = value(found)
            left = None if known.plies is None else known.plies - 1
            assert (after.plies if after else None) == left
        else:
            found = found.play(data.draw(st.sampled_from(found.legal_moves())))


def every(kind: int) -> Iterator[Position]:
    for king, third, lone in (
        (k, t, o) for t in EVERY_SQUARE for k in EVERY_SQUARE for o in EVERY_SQUARE
    ):
        if len({king, third, lone}) == 3 and not (kind == PAWN and third // 8 in (0, 7)):
            for turn in (WHITE, BLACK):
                yield position(kind, (king, third, lone), WHITE, turn)


def drawn_pawn_endings(number: int) -> Iterator[Position]:
    chance = random.Random(1)
    while number:
        third, king, lone = chance.randrange(8, 56), chance.randrange(64), chance.randrange(64)
        found = position(PAWN, (king, third, lone), WHITE, WHITE)
        if len({king, third, lone}) == 3 and board_of(found).is_valid():
            known = value(found)
            if known and not known.is_won:
                number -= 1
                yield found


def keeps_chances(after: Position) -> bool:
    """Whether the pawn stands whatever the lone king does, and that king can move."""
    replies = [after.play(move) for move in after.legal_moves()]
    return bool(replies) and all(value(there) is not None for there in replies)


def test_the_attacker_of_a_draw_does_not_give_it_away() -> None:
    checked = 0
    for found in drawn_pawn_endings(300):
        if any(keeps_chances(found.play(move)) for move in found.legal_moves()):
            checked += 1
            assert keeps_chances(found.play(best_move(found))), found
    assert checked > 50


def test_a_pawn_does_not_jump_over_the_king() -> None:
    for file in range(8):
        for king in EVERY_SQUARE:
            found = position(PAWN, (king, 8 + file, 16 + file), WHITE, WHITE)
            if board_of(found).is_valid():
                assert agrees(found)


# ---------------------------------------------------------------------------------- whole tables


@pytest.mark.slow
@pytest.mark.parametrize("kind", "qrp")
def test_every_value_follows_from_those_after_it(kind: str, full: bool) -> None:
    """FULL: every position of the whole board; else one in some hundreds."""
    chance = random.Random(1)
    checked, wrong = 0, []
    for found in every(KINDS[kind]):
        if (full or chance.random() < 1 / 300) and board_of(found).is_valid():
            checked += 1
            if not agrees(found):
                wrong.append(found)
    assert checked > 1_000
    assert wrong == []
