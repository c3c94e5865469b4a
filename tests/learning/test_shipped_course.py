"""The course in the package: every position is legal and every answer is right, as python-chess
sees it, in every variant.
"""

from __future__ import annotations

import chess
import pytest

from boardfw.learning.checking.coverage import Taught
from boardfw.learning.course import Exercise
from boardfw.learning.reading.draft import DraftedExercise
from boardfw.learning.reading.sheet import TaskSheet
from boardfw.learning.task import All, Line, May, OneMove, Play, Reach, Stars, Touch, Verdict
from boardfw.learning.variant import VARIANTS
from boardfw.notation.san import format_san
from boardfw.shell.learning.course_files import LESSONS, OURS, STATEMENTS, read_library
from boardfw.squares import squares_in
from tests.learning import oracle
from tests.learning.courses import written

LIBRARY = read_library()
EXERCISES = {
    drafted.written.key: drafted for draft in LIBRARY.drafts for drafted in draft.exercises
}
FILES = [path.stem for path in (OURS / LESSONS).glob("*.toml") if path.name != STATEMENTS]


@pytest.mark.parametrize("stem", sorted(FILES))
def test_no_lesson_is_left_out(stem: str) -> None:
    ids = [draft.sheet.id for draft in LIBRARY.drafts]
    assert stem.partition("_")[2] in ids, LIBRARY.complaints


@pytest.mark.parametrize("number", LIBRARY.statements)
def test_every_statement_is_taught_somewhere(number: int) -> None:
    in_lessons = {number for draft in LIBRARY.drafts for number in draft.sheet.statements}
    assert number in in_lessons or LIBRARY.statements[number].taught is not Taught.LESSON


def ask(exercise: Exercise, task: TaskSheet) -> None:
    """Hold an exercise against the oracle."""
    board = oracle.board_of(exercise.position)
    match exercise.task:
        case Reach(origin, targets):
            assert targets == oracle.reach(board, origin)
        case May(origin, target, is_allowed):
            is_legal = oracle.is_legal(board, origin, target)
            assert is_legal if task.by == "exchange" else is_allowed is is_legal
        case Verdict(state):
            assert state.value == oracle.verdict(board)
        case Line(plies, _, claims):
            for accepted in plies:
                assert all(board.is_legal(chess.Move.from_uci(m.uci())) for m in accepted)
                board.push_uci(accepted[0].uci())
            assert claims is None or claims is (oracle.verdict(board) == "claim")
        case OneMove(accepted) | All(accepted):
            assert len(set(accepted)) == len(accepted) > 0
            for move in accepted:
                assert board.san(chess.Move.from_uci(move.uci())) == format_san(
                    exercise.position, move
                )
        case Play(_, you, _):
            assert not board.is_game_over()
            assert you == (0 if board.turn else 1) or task.you
        case _:  # nothing is computed, or only by queries, which are asked below
            pass


def ask_query(exercise: Exercise, task: TaskSheet) -> None:
    """Hold what a query found against the oracle; it names squares, so it cannot be varied."""
    board = oracle.board_of(exercise.position)
    match exercise.task:
        case OneMove(accepted) | All(accepted):
            found = oracle.moves(board, task.move or task.all)
            assert found in (None, {move.uci() for move in accepted})
        case Touch(squares):
            if task.touch in ("attacked_own", "hanging_enemy"):
                for square in squares_in(squares):
                    assert board.is_attacked_by(not board.color_at(square), square)
            else:
                assert squares == oracle.squares(board, task.touch)
        case Stars(stars, par):
            assert oracle.par(board, stars) == par
        case _:
            pass


@pytest.mark.parametrize("key", EXERCISES)
def test_the_oracle_gives_the_same_answer(key: str) -> None:
    drafted = EXERCISES[key]
    task = drafted.sheet.task
    assert chess.Board(drafted.sheet.fen).is_valid()
    ask_query(drafted.written, task)
    for exercise in drafted.made:
        ask(exercise, task)


@pytest.mark.slow
@pytest.mark.parametrize("key", [key for key, one in EXERCISES.items() if one.sheet.variants])
def test_a_query_finds_the_same_in_every_variant(key: str) -> None:
    drafted = EXERCISES[key]
    if not _is_about_squares(drafted):
        for exercise in drafted.made:
            ask_query(exercise, drafted.sheet.task)
    assert [exercise.variant for exercise in drafted.made[1:]] == list(drafted.sheet.variants)
    assert set(drafted.sheet.variants) <= set(VARIANTS)


def _is_about_squares(drafted: DraftedExercise) -> bool:
    """Whether its query names squares or moves, which are others in a variant."""
    task = drafted.sheet.task
    return ":" in task.touch + task.move + task.all


def test_whether_a_move_is_allowed_is_no_guess() -> None:
    asked = [one.task for one in written() if isinstance(one.task, May)]
    allowed = sum(task.is_allowed for task in asked)
    assert 2 * abs(len(asked) - 2 * allowed) <= len(asked) / 2
