"""Games as streams: shown ply by ply, or guessed for one side."""

from __future__ import annotations

import pytest

from boardfw.learning.course import Exercise
from boardfw.learning.lesson import Result
from boardfw.learning.source import UNKEPT
from boardfw.learning.task import Line, OneMove
from boardfw.learning.trainers.game_trainers import GuessTrainer, ReplayTrainer
from boardfw.notation.pgn import Game, read_games
from boardfw.rules import BLACK, WHITE, Position
from tests.learning.streams import is_asked, longest, skipped, solved, stream

TEXT = """[Result "1-0"]

{Played in a cafe.} 1. e4 {[%clk 0:05:00] to the centre} e5 2. Qh5 (2. Nf3) Nc6 3. Bc4 Nf6??
4. Qxf7# 1-0
"""


def game(text: str = TEXT) -> Game:
    return next(read_games(text))


def replayed(text: str = TEXT) -> list[Exercise]:
    return [*stream(ReplayTrainer(game(text)))]


def test_every_ply_of_both_sides_is_shown_in_order() -> None:
    exercises = replayed()
    assert [one.position for one in exercises] == [*game().positions()][:-1]
    for one, move in zip(exercises, game().moves, strict=True):
        assert isinstance(one.task, Line)
        assert one.task.plies == ((move,),)
        assert one.task.you == 1 - one.position.turn
        assert (one.key, one.you) == (UNKEPT, WHITE)


def test_what_the_game_says_is_said() -> None:
    first, second, *_ = replayed()
    assert first.words.say == "Played in a cafe. White plays 1.e4: follow the lights."
    assert first.words.solved == "to the centre"
    assert second.words.say == "Black plays 1...e5: follow the lights."


def test_a_long_foreword_does_not_hide_the_first_ply() -> None:
    exercises = replayed(f"{{{'long ' * 50}}} 1. e4 {{{'long ' * 50}}} *")
    assert longest(exercises) <= 140
    assert exercises[0].words.say.endswith("… White plays 1.e4: follow the lights.")


def test_the_end_is_told() -> None:
    trainer = ReplayTrainer(game())
    assert len([*stream(trainer)]) == 7
    assert trainer.closing() == "The game ended 1-0."
    assert trainer.next(None) is None


def test_a_game_without_moves_is_over_at_once() -> None:
    assert replayed('[White "Nobody"]\n\n*') == []


def test_one_side_is_guessed_and_the_other_shown() -> None:
    exercises = [*stream(GuessTrainer(game(), WHITE))]
    assert [is_asked(one) for one in exercises] == [True, False] * 3 + [True]
    for one, move in zip(exercises, game().moves, strict=True):
        if is_asked(one):
            assert one.task == OneMove((move,))
    assert exercises[0].words.solved == "1.e4 was played. to the centre"
    assert len({one.key for one in exercises if is_asked(one)}) == 4


def score(answer: Result, trainer: GuessTrainer) -> int:
    trainer.next(answer)
    return trainer.points


TRIES = [move for move in Position.start().legal_moves() if move.uci() != "e2e4"]


@pytest.mark.parametrize(("wrong", "points"), [(0, 3), (1, 1), (2, 0), (3, 0), (9, 0)])
def test_the_played_move_counts_less_with_each_try(wrong: int, points: int) -> None:
    trainer = GuessTrainer(game(), WHITE)
    first = trainer.next(None)
    assert first is not None
    assert score(solved(first, *TRIES[:wrong]), trainer) == points


def test_illegal_tries_cost_nothing_until_the_answer_is_shown() -> None:
    for errors, points in ((2, 3), (3, 0)):
        trainer = GuessTrainer(game(), WHITE)
        first = trainer.next(None)
        assert first is not None
        assert score(solved(first, errors=errors), trainer) == points


def test_what_was_skipped_or_shown_brings_nothing() -> None:
    for result in (skipped, lambda one: solved(one, helps=3)):
        trainer = GuessTrainer(game(), WHITE)
        first = trainer.next(None)
        assert first is not None
        assert score(result(first), trainer) == 0


def test_the_score_is_told_at_the_end() -> None:
    trainer = GuessTrainer(game(), BLACK)
    assert longest([*stream(trainer)]) <= 140
    assert trainer.closing() == "9 of 9 points as Black."
