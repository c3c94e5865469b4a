"""Positions to be set up, and endings to be won."""

from __future__ import annotations

from itertools import islice, permutations

import chess
import pytest

from boardfw.errors import NotationError
from boardfw.learning.endings import value
from boardfw.learning.task import Goal, Place, Play
from boardfw.learning.trainers.ending_trainer import ENDINGS, ending_trainer, starts
from boardfw.learning.trainers.setup_practice import proof_of, read_positions, setup_trainer
from boardfw.notation.fen import format_fen, parse_fen
from boardfw.rules import BISHOP, KING, KNIGHT, QUEEN, Position
from boardfw.squares import squares_in
from tests.learning.streams import longest, skipped, solved, stream
from tests.rules.walks import walk

MIDDLES = [position for seed in range(6) for position, _, _ in islice(walk(seed, 90), 0, None, 15)]


@pytest.mark.parametrize("position", MIDDLES, ids=format_fen)
def test_the_proof_tells_all_pieces_apart_that_may_be_confused(
    position: Position,
) -> None:
    sets = [position.pieces_of(*pieces) for pieces in proof_of(position)]
    assert all(sets)
    assert not any(one >> position.king(1 - position.turn) & 1 for one in sets)
    touched = {
        square: [one >> square & 1 for one in sets] for square in squares_in(position.occupied)
    }
    for one, other in permutations(touched, 2):
        a, b = position.piece_at(one), position.piece_at(other)
        assert a is not None
        assert b is not None
        same_kind = a.piece_type == b.piece_type != 1 and a.color != b.color
        same_color = a.color == b.color and {a.piece_type, b.piece_type} in (
            {KING, QUEEN},
            {BISHOP, KNIGHT},
        )
        if same_kind or same_color:
            assert touched[one] != touched[other]


def test_the_usual_start_is_set_up_if_nothing_else_is_given() -> None:
    (exercise,) = stream(setup_trainer())
    assert exercise.position == Position.start()
    assert exercise.words.say == (
        "Set up 32 pieces as the lights ask. White is to move. Then touch: white king, black "
        "queen, black bishops, white knights, black rooks."
    )
    assert isinstance(exercise.task, Place)
    assert exercise.task.guided


def test_positions_come_in_order_and_what_went_well_is_counted() -> None:
    positions = read_positions(
        "list.txt", "# two\n\n4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n3qk3/8/8/8/8/8/8/4K3 w\n"
    )
    trainer = setup_trainer(positions, guided=False)
    errors = iter((1, 0))
    exercises = [*stream(trainer, lambda one: solved(one, errors=next(errors)))]
    assert [one.position for one in exercises] == [*positions]
    assert trainer.closing() == "1 of 2 positions set up without an error."
    assert longest(exercises) <= 140


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "list.txt:1: there is no position in it"),
        ("\n4k3/8/8/8/8/8/4P3/4K3 w\n8/8 w", "list.txt:3: FEN, pieces '8/8'"),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", "list.txt:1: FEN "),
    ],
)
def test_what_is_no_position_is_told_with_its_line(text: str, told: str) -> None:
    with pytest.raises(NotationError) as error:
        read_positions("list.txt", text)
    assert str(error.value).startswith(told)


@pytest.mark.parametrize("ending", ENDINGS)
def test_starts_of_endings_are_won_different_and_always_the_same(ending: str) -> None:
    def is_won(position: Position) -> bool:
        known = value(position)
        return known is not None and known.is_won

    found = [*islice(starts(ending, is_won), 200)]
    assert found == [*islice(starts(ending, is_won), 200)]
    assert len(set(found)) == 200
    for position in found:
        board = chess.Board(format_fen(position))
        assert board.is_valid()
        assert board.turn == chess.WHITE
        assert len(board.piece_map()) == 3
        assert is_won(position)
        assert any(board.legal_moves)


def test_starts_of_endings_look_different_from_one_to_the_next() -> None:
    found = [*islice(starts("KRK", lambda position: True), 60)]
    assert len({position.king(1) for position in found}) >= 20


@pytest.mark.slow
def test_all_placements_of_an_ending_are_met_once(full: bool) -> None:
    every = [*islice(starts("KQK", lambda position: True), None if full else 20_000)]
    kings = [position.king(1) for position in every]
    assert len(set(every)) == len(every)
    assert set(kings) == set(range(64))


def test_an_ending_is_to_be_won_and_the_pawn_to_be_promoted() -> None:
    for ending, goal in (("KQK", Goal.MATE), ("KRK", Goal.MATE), ("KPK", Goal.PROMOTE)):
        trainer = ending_trainer(starts(ending, lambda position: True), 3)
        exercises = [*stream(trainer, solved)]
        assert [one.task for one in exercises] == [Play(goal, 0, 100)] * 3
        assert longest(exercises) <= 140
        assert trainer.closing() == "3 of 3 endings won."


def test_an_ending_that_was_skipped_is_not_won() -> None:
    black = parse_fen("4K3/8/8/8/8/8/q7/4k3 b - - 0 1")
    trainer = ending_trainer([black], 5)
    (exercise,) = stream(trainer, skipped)
    assert exercise.words.say.startswith("You are Black, to move. Mate the king with")
    assert exercise.you == 1
    assert trainer.closing() == "0 of 1 endings won."
