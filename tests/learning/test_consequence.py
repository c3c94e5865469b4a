"""Every wrong answer gets its reason: what a legal move does that was not asked."""

from __future__ import annotations

import re
from collections.abc import Callable

import chess
import pytest

from boardfw.learning.judge.consequence import NOT_SHORTEST, consequence
from boardfw.learning.lesson import Kind
from boardfw.learning.task import All, Line, May, OneMove, Task
from boardfw.lights.cue import Cue
from boardfw.notation.fen import format_fen
from boardfw.rules import Move
from boardfw.squares import BY_NAME
from tests.learning.classroom import Classroom, exercise, move, squares
from tests.learning.courses import name, written

TOLD = [
    ("7k/5Q2/8/6K1/8/8/8/8 w - - 0 1", "Qg7", "Kg6", "then it is stalemate, a draw"),
    ("6k1/5pp1/8/7R/8/8/8/4R1K1 w - - 0 1", "Re8", "Rh8", "the king takes on h8"),
    ("6k1/5pp1/8/8/8/8/7R/4R1K1 w - - 0 1", "Re8", "Rh8", "the king takes on h8"),
    ("4k3/8/2p5/8/8/8/3Q4/4K3 w - - 0 1", "Qe2", "Qd5", "it loses the queen to the pawn on c6"),
    ("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "Ra8", "g3", "that gives no check"),
    ("4k3/8/8/8/8/8/8/R4RK1 w - - 0 1", "Rad1", "Rac1", "that is Rac1, and another move is asked"),
    ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O", "Rg1", "that is not castling"),
    ("7k/R7/8/8/8/8/1R6/K7 w - - 0 1", "Rb8", "Kb1", f"that gives no check; {NOT_SHORTEST}"),
    ("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", "Qg7", "Qh6", f"the king escapes to g8; {NOT_SHORTEST}"),
    ("3k4/8/8/5B2/8/8/2Q5/R3R1K1 w - - 0 1", "Qc8", "Ra8", "mate comes as soon, but another mov"),
    ("7k/8/R7/8/8/8/8/1R5K w - - 0 1", "Rb7", "Kg2", f"that gives no check; {NOT_SHORTEST}"),
    ("7k/R7/8/8/8/8/1R6/K7 w - - 0 1", "Rb8", "Ra8", "the king escapes to g7"),
]


@pytest.mark.parametrize(("fen", "right", "wrong", "told"), TOLD)
def test_what_a_move_does_is_said(fen: str, right: str, wrong: str, told: str) -> None:
    position = exercise(fen, OneMove(())).position
    assert consequence(position, move(fen, wrong), [move(fen, right)]).text.startswith(told)


def test_the_reply_that_shows_it_is_lit() -> None:
    fen = TOLD[3][0]
    room = Classroom(exercise(fen, OneMove((move(fen, "Qe2"),))))
    room.dance("-d2 300 +d5 2500")
    assert room.lit(Cue.REASON_PIECE) == squares("c6")
    assert room.lit(Cue.THIS_ONE) == squares("d5")
    room.dance("-d5 300 +d2 6000")
    assert not room.lit(Cue.REASON_PIECE)


@pytest.mark.parametrize("task", [OneMove, All, lambda moves: Line((moves,), 0)])
def test_a_learner_hears_it(
    task: Callable[[tuple[Move, ...]], Task],
) -> None:
    fen = TOLD[3][0]
    room = Classroom(exercise(fen, task((move(fen, "Qe2"),))))
    room.dance("-d2 300 +d5 3000")
    assert [t.text for t in room.told if t.kind is Kind.WRONG] == [
        "No: it loses the queen to the pawn on c6."
    ]


def test_a_trade_that_is_unwise_is_told_what_it_costs() -> None:
    fen = "4k3/3p4/2n5/8/8/8/8/2R1K3 w - - 0 1"
    room = Classroom(exercise(fen, May(BY_NAME["c1"], BY_NAME["c6"], is_allowed=False)))
    assert "wrong: No: it loses the rook to the pawn on d7." in room.dance("-c6 -c1 300 +c6 5000")


@pytest.mark.parametrize("dance", ["-e1 300 +c1 5000", "-e1 300 +c1 300 -a1 300 +d1 5000"])
def test_the_other_castling_is_told_also_half_way(dance: str) -> None:
    fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    room = Classroom(exercise(fen, OneMove((move(fen, "O-O"),))))
    assert "wrong: No: that is O-O-O, and another move is asked for." in room.dance(dance)


def test_a_castling_that_stops_half_way_is_told_what_is_missing() -> None:
    fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    room = Classroom(exercise(fen, OneMove((move(fen, "O-O"),))))
    assert any("before the rook stands" in one for one in room.dance("-e1 300 +g1 9000"))


def test_every_wrong_move_of_the_course_has_a_reason_that_is_true() -> None:
    told = 0
    for one in written():
        if not isinstance(one.task, OneMove):
            continue
        for wrong in one.position.legal_moves():
            if any(wrong.steps() == right.steps() for right in one.task.accepted):
                continue
            text = consequence(one.position, wrong, one.task.accepted).text
            board = chess.Board(format_fen(one.position))
            board.push_uci(wrong.uci())
            assert text
            assert is_true(text, board), f"{name(one)} {wrong.uci()}: {text}"
            told += 1
    assert told == 534


def is_true(text: str, board: chess.Board) -> bool:
    """Whether a sentence says of a position what the oracle says."""
    if text.endswith(NOT_SHORTEST):
        return is_mated_in_two(board)
    if "stalemate" in text:
        return board.is_stalemate()
    if found := re.search(r"mates on (..)$", text):
        mates = [m for m in board.legal_moves if m.to_square == chess.parse_square(found[1])]
        return any(is_mate(board, one) for one in mates)
    if found := re.search(r"king (?:escapes to|takes on) (..)$", text):
        king, target = board.king(board.turn), chess.parse_square(found[1])
        return king is not None and chess.Move(king, target) in board.legal_moves
    if found := re.search(r"loses the (\w+) to the \w+ on (..)$", text):
        origin = chess.parse_square(found[2])
        takes = [m for m in board.generate_legal_captures() if m.from_square == origin]
        taken = {board.piece_type_at(one.to_square) for one in takes}
        return chess.PIECE_NAMES.index(found[1]) in taken
    if "no check" in text:
        return not board.is_check()
    return bool(text)


def is_mated_in_two(board: chess.Board) -> bool:
    """Whether every reply can be answered by mate, and no reply is none."""
    replies = list(board.legal_moves)
    for reply in replies:
        board.push(reply)
        has_mate = any(is_mate(board, one) for one in board.legal_moves)
        board.pop()
        if not has_mate:
            return False
    return bool(replies)


def is_mate(board: chess.Board, one: chess.Move) -> bool:
    after = board.copy()
    after.push(one)
    return after.is_checkmate()
