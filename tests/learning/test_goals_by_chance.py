"""Whatever is played, a goal is reached by the real thing alone, and the way back leads to it."""

from __future__ import annotations

from dataclasses import replace

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardfw.learning.endings import best_move
from boardfw.learning.goals import Cause, Fate, in_reach
from boardfw.learning.sparring import reply
from boardfw.learning.task import Goal, Play
from boardfw.notation.fen import parse_fen
from boardfw.rules import BLACK, PAWN, WHITE, Move, Position
from boardfw.squares import EVERY_SQUARE
from tests.learning.playing import (
    COURSE,
    PAWN_HOME,
    QUEEN_MATE,
    ROOK_MATE,
    TWO_ROOKS,
    progress,
    reached_from,
)
from tests.rules.walks import oracle_uci, position_of
from tests.sizes import sized

pytestmark = pytest.mark.slow


@st.composite
def plays(draw: st.DrawFn) -> tuple[Play, Position, list[Move]]:
    """A task of the course, and moves that are good or bad by chance on either side."""
    fen, goal = draw(st.sampled_from(COURSE))
    start = position = parse_fen(fen)
    task = Play(goal, draw(st.sampled_from((WHITE, BLACK))), draw(st.integers(20, 60)))
    wild = draw(st.sampled_from((0.0, 0.1, 0.5, 1.0)))
    moves: list[Move] = []
    for _ in range(draw(st.integers(0, 64))):
        legal = position.legal_moves()
        if not legal:
            break
        by_chance = draw(st.floats(0, 1)) < wild
        moves.append(draw(st.sampled_from(legal)) if by_chance else reply(position))
        position = position.play(moves[-1])
    return task, start, moves


def boards(start: Position, moves: list[Move]) -> list[chess.Board]:
    """The oracle's board after each ply."""
    pieces = {s: piece for s in EVERY_SQUARE if (piece := start.piece_at(s))}
    board = chess.Board(None)
    for square, piece in pieces.items():
        board.set_piece_at(square, chess.Piece(piece.piece_type, piece.color == WHITE))
    board.turn, board.castling_rights = start.turn == WHITE, start.castling
    found = [board.copy()]
    for move in moves:
        board.push_uci(oracle_uci(move, board))
        found.append(board.copy())
    return found


@settings(max_examples=sized(8, 40))
@given(plays())
def test_what_is_decided_stays_so(play: tuple[Play, Position, list[Move]]) -> None:
    task, start, moves = play
    final = progress(task, start, moves)
    for ply in range(len(moves)):
        found = progress(task, start, moves[:ply])
        if found.fate is not Fate.GOING:
            assert final == found
            break
    assert (final.cause is None) == (final.fate is Fate.GOING)


@settings(max_examples=sized(8, 40))
@given(plays())
def test_the_way_back_leads_to_the_learners_turn(play: tuple[Play, Position, list[Move]]) -> None:
    task, start, moves = play
    found = progress(task, start, moves)
    assert 0 <= found.back <= len(moves)
    if found.fate is Fate.SPOILED:
        position = boards(start, moves)[found.back]
        assert found.back == 0 or position.turn == (task.you == WHITE)
        assert progress(task, start, moves[: found.back]).fate is Fate.GOING or found.back == 0


@settings(max_examples=sized(8, 40))
@given(plays())
def test_nothing_is_reached_but_by_the_real_thing(play: tuple[Play, Position, list[Move]]) -> None:
    task, start, moves = play
    found = progress(task, start, moves)
    if found.fate is not Fate.REACHED:
        return
    board = boards(start, moves)[found.back]
    if found.cause is Cause.MATE:
        assert board.is_checkmate()
        assert board.turn != (task.you == WHITE)
    elif found.cause is Cause.PROMOTED:
        piece = board.piece_at(moves[found.back - 2].target)
        assert moves[found.back - 2].promotion
        assert piece is not None
        assert piece.color == (task.you == WHITE)
    elif found.cause is Cause.PAWNS_TAKEN:
        assert not board.pieces(chess.PAWN, task.you != WHITE)
    elif found.cause is Cause.HELD:
        assert found.back == task.plies
        assert not board.is_checkmate()
    else:
        assert board.is_game_over()
        assert task.goal in (Goal.HOLD, Goal.GAME)


@settings(max_examples=sized(8, 40))
@given(st.sampled_from([(QUEEN_MATE, 30), (ROOK_MATE, 40)]), st.data())
def test_from_where_one_goes_back_the_mate_is_still_there(
    ending: tuple[str, int], data: st.DataObject
) -> None:
    fen, plies = ending
    start = position = parse_fen(fen)
    task, moves = Play(Goal.MATE, WHITE, plies), list[Move]()
    while progress(task, start, moves).fate is Fate.GOING:
        legal = position.legal_moves()
        mine = position.turn == WHITE
        moves.append(data.draw(st.sampled_from(legal)) if mine else best_move(position))
        position = position.play(moves[-1])
    found = progress(task, start, moves)
    assert found.fate is Fate.REACHED or reached_from(task, start, moves[: found.back])


@settings(max_examples=sized(8, 40))
@given(st.data())
def test_a_win_that_slipped_away_is_known_at_once(data: st.DataObject) -> None:
    """By the table: the pawn still stands, but it will not get through."""
    start = position = parse_fen(PAWN_HOME)
    task, moves = Play(Goal.PROMOTE, WHITE, 200), list[Move]()
    slipped_at = None
    while progress(task, start, moves).fate is Fate.GOING and len(moves) < 40:
        found = progress(task, start, moves)
        if found.back < len(moves):
            slipped_at = found.back
            assert in_reach(task, position, len(moves)) is False
            break
        legal = position.legal_moves()
        mine = position.turn == WHITE
        moves.append(data.draw(st.sampled_from(legal)) if mine else best_move(position))
        position = position.play(moves[-1])
    if slipped_at is not None:
        assert slipped_at == len(moves) - 1
        assert position.pieces_of(PAWN, WHITE)
        assert reached_from(task, start, moves[:slipped_at])


@pytest.mark.parametrize(("fen", "goal"), [c for c in COURSE[:5] if c[0] != TWO_ROOKS])
def test_moves_of_the_tables_reach_what_the_course_asks(fen: str, goal: Goal) -> None:
    assert reached_from(Play(goal, WHITE, 60), parse_fen(fen), [])


@settings(max_examples=sized(6, 30))
@given(plays())
def test_colours_make_no_difference(play: tuple[Play, Position, list[Move]]) -> None:
    task, start, moves = play
    there = position = position_of(boards(start, moves)[0].mirror())
    other = []
    for move in moves:
        found = position.find(move.origin ^ 56, move.target ^ 56, move.promotion)
        assert found
        other.append(found)
        position = position.play(found)
    assert progress(replace(task, you=1 - task.you), there, other) == progress(task, start, moves)
