"""Trainers at a tutor: switches in, every exercise solved without an error."""

from __future__ import annotations

import pytest

from boardfw.learning.lesson import Phase, Result
from boardfw.learning.source import Source
from boardfw.learning.trainers.game_trainers import GuessTrainer, ReplayTrainer
from boardfw.learning.trainers.opening_trainer import OpeningTrainer
from boardfw.learning.tutor import Tutor
from boardfw.notation.pgn import read_games
from boardfw.recording import Scan
from boardfw.rules import WHITE, Position
from boardfw.rules.board import Placement
from boardfw.rules.planner import plan
from boardfw.squares import Occupancy, Square
from tests.learning.books import KINGS_PAWN, book, made
from tests.learning.streams import plies_of

SCAN_US = 10_000
TOUCH_US, REST_US = 150_000, 1_500_000
GAME = "1. e4 {to the centre} d5 2. exd5 Qxd5 3. Nf3 Bg4 4. Be2 Nc6 5. O-O O-O-O 6. h3 *"


class Board:
    """Hands that set up pieces by the shortest path and play what is asked, never wrongly."""

    def __init__(self, source: Source) -> None:
        self.tutor = Tutor(source)
        self.t_us = 0
        self.occupied = Position.start().occupied
        self.pieces: Placement = Position.start().placement

    def rest(self, time_us: int) -> None:
        for _ in range(0, time_us, SCAN_US):
            self.t_us += SCAN_US
            self.tutor.handle(Scan(self.t_us, Occupancy(self.occupied)))

    def touch(self, square: Square | None) -> None:
        if square is not None:
            self.occupied ^= 1 << square
            self.rest(TOUCH_US)

    def put_up(self, wanted: Placement) -> None:
        for origin, target in plan(self.pieces, wanted):
            self.touch(origin)
            self.touch(target)
        self.pieces = wanted

    def solve(self) -> None:
        exercise = self.tutor.exercise
        assert exercise is not None
        self.put_up(exercise.position.placement)
        self.rest(REST_US)
        position = exercise.position
        for ply in plies_of(exercise):
            move = ply[-1]
            if move.captured is not None:
                self.touch(move.captured)
            for origin, target in move.steps():
                self.touch(origin)
                self.touch(target)
            position = position.play(move)
            self.rest(REST_US)
        self.pieces = position.placement
        self.rest(2 * REST_US)

    def results(self) -> list[Result]:
        self.rest(REST_US)
        for _ in range(100):
            if self.tutor.phase is Phase.OVER:
                break
            self.solve()
        return self.tutor.results


@pytest.mark.parametrize(
    "source",
    [
        OpeningTrainer(book(KINGS_PAWN), book(KINGS_PAWN).cards),
        OpeningTrainer(book(made(1, 8)), book(made(1, 8)).cards[2:]),
        ReplayTrainer(next(read_games(GAME))),
        GuessTrainer(next(read_games(GAME)), WHITE),
    ],
    ids=["book", "made", "replay", "guess"],
)
def test_a_trainer_is_solved_from_switches_alone(source: Source) -> None:
    board = Board(source)
    results = board.results()
    assert board.tutor.phase is Phase.OVER
    assert results
    assert all(one.is_solved and not one.errors and not one.tried for one in results)
    for one in results:
        accepted = plies_of(one.exercise)
        assert len(one.played) == len(accepted)
        assert all(move in ply for move, ply in zip(one.played, accepted, strict=True))
