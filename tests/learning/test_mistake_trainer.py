"""Mistakes read from annotated games: shown again, and asked for until they are put right."""

from __future__ import annotations

from pathlib import Path

import pytest

from boardfw.learning.source import UNKEPT
from boardfw.learning.task import OneMove
from boardfw.learning.trainers.mistake_trainer import KEY, Mistake, Turns, ask, mistakes_of
from boardfw.notation.pgn import Game, format_game, read_games
from boardfw.rules import BLACK, WHITE, Position
from boardfw.services.analysis.annotation import annotate
from boardfw.services.analysis.game_analysis import analyse
from tests.learning.streams import longest, plies_of, skipped, solved, stream
from tests.learning.test_trainers_on_a_board import Board
from tests.services.analysis.analysts import moves_of, scripted

TEXT = """1. e4 e5 2. Qh5 Nc6 3. Qxh7?? ({better} 3. Bc4) ({also good} 3. Nc3) 3... a6?
({it allowed} 3... Rxh7) 4. Qxh8 *
"""
LINES = ("e2e4", "e7e5", "d1h5", "b8c6", "h5h7", "a7a6", "h7h8")


def found(text: str = TEXT, you: int | None = None) -> list[Mistake]:
    return mistakes_of(read_games(text), you)


def all_of(mistakes: list[Mistake]) -> set[str]:
    return {one.key for one in mistakes}


def test_of_each_side_the_marked_moves_and_all_that_was_better() -> None:
    queen, pawn = found()
    assert (queen.you, pawn.you) == (WHITE, BLACK)
    assert [move.uci() for move in queen.better] == ["f1c4", "b1c3"]
    assert queen.reply is not None
    assert queen.reply.uci() == "h8h7"  # what it allowed, not what was played
    assert pawn.reply is not None
    assert pawn.reply.uci() == "h7h8"
    assert found(you=WHITE) == [queen]
    assert found(you=BLACK) == [pawn]


@pytest.mark.parametrize("text", [
    "1. e4 e5 *",
    "1. e4?! (1. d4) *",  # no mistake
    "1. e4?? *",  # nothing better is known
    "1. e4?? (1. d4??) *",
    "1. e4 (1. d4?? (1. c4)) *",  # nobody played it
])  # fmt: skip
def test_nothing_else_is_asked_about(text: str) -> None:
    assert found(text) == []


def test_a_position_of_several_games_is_asked_about_once() -> None:
    assert len(found(TEXT + "\n\n" + TEXT)) == 2


def test_it_asks_for_something_better_and_knows_what_was_played() -> None:
    queen, _ = mistakes = found()
    first, second = exercises = [*stream(ask(mistakes, all_of(mistakes)))]
    assert first.task == OneMove(queen.better)
    assert (first.key, first.you, second.you) == (queen.key, WHITE, BLACK)
    assert first.key.startswith(KEY)
    assert first.remarks[queen.move].is_error
    assert longest(exercises) <= 140
    assert "3.Qxh7" in first.words.say
    assert not any(better.uci()[2:] in first.words.say for better in queen.better)


def test_only_what_is_due_is_asked_and_the_number_is_told() -> None:
    mistakes = found()
    source = ask(mistakes, {mistakes[1].key})
    (only,) = stream(source, solved)
    assert only.key == mistakes[1].key
    assert source.closing().startswith("1 of 1")
    source = ask(mistakes, all_of(mistakes))
    assert len([*stream(source, skipped)]) == 2
    assert source.closing().startswith("0 of 2")


def test_a_turning_point_is_shown_as_played_as_answered_and_as_it_should_have_been() -> None:
    mistakes = found(you=WHITE)
    played, reply, better = stream(Turns(mistakes))
    assert {one.key for one in (played, reply, better)} == {UNKEPT}
    assert [plies_of(one)[0][0].uci() for one in (played, reply, better)] == [
        "h5h7", "h8h7", "f1c4",
    ]  # fmt: skip
    assert played.position == better.position


@pytest.mark.parametrize("source", [Turns(found()), ask(found(), all_of(found()))])
def test_at_a_board_hands_set_the_positions_up_and_solve_them(source: Turns) -> None:
    results = Board(source).results()
    assert results
    assert all(one.is_solved and not one.errors for one in results)


@pytest.mark.slow
async def test_what_the_analysis_writes_is_read(tmp_path: Path) -> None:
    start = Position.start()
    analyst = scripted(tmp_path)
    plies = await analyse(analyst, start, moves_of(start, *LINES), 100)
    await analyst.close()
    game = Game({}, start, moves_of(start, *LINES))
    annotate(game, plies, "scripted")
    read = mistakes_of(read_games(format_game(game)), None)
    turning = {one.move: one for one in plies if one.turns_the_game}
    assert {one.move for one in read} <= set(turning)
    queen = next(one for one in read if one.move.uci() == "h5h7")
    weighed = turning[queen.move]
    assert set(queen.better) == {weighed.best.line[0], *weighed.also}
    assert queen.reply == weighed.allowed[0]
