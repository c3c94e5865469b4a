"""What a result tells of the moves: those that were played, and those that were tried."""

from __future__ import annotations

from boardfw.learning.course import Exercise
from boardfw.learning.exercise_attempt import ExerciseAttempt
from boardfw.learning.judge.base import Heard, Plies
from boardfw.learning.judge.factory import judge_of
from boardfw.learning.lesson import Result
from boardfw.learning.task import Line, OneMove
from boardfw.notation.san import parse_san
from boardfw.rules import WHITE, Move, Position
from boardfw.squares import BY_NAME

SECOND_US = 1_000_000
START = Position.start()
E4, D4 = (parse_san(START, san) for san in ("e4", "d4"))


class Hand:
    """Plays on a board that a session has read already."""

    def __init__(self, exercise: Exercise) -> None:
        self.t_us = 0
        judge = judge_of(exercise, exercise.position.occupied, 0)
        assert judge is not None
        self.attempt = ExerciseAttempt(exercise, judge, 0)
        self.played: list[Move] = []

    def touch(self, *edges: str, played: list[Move]) -> None:
        """Edges such as ``-e2`` and ``+e4``, after which so much has been played."""
        for edge in edges:
            self.t_us += SECOND_US // 10
            touched = [(BY_NAME[edge[1:]], edge[0] == "+")]
            self.attempt.take_in(Heard(self.t_us, touched, judges=False))
        self.attempt.take_in(Heard(self.t_us, plies=Plies(tuple(played)), judges=False))
        for _ in range(8):
            self.t_us += SECOND_US
            self.attempt.take_in(Heard(self.t_us))

    @property
    def result(self) -> Result:
        assert self.attempt.result is not None
        return self.attempt.result


def test_a_legal_move_that_was_not_asked_for_was_tried() -> None:
    hand = Hand(Exercise("e4", START, OneMove((E4,))))
    hand.touch("-d2", "+d4", played=[D4])
    hand.touch("-d4", "+d2", played=[])
    hand.touch("-e2", "+e5", played=[])  # illegal: an error, and no try
    hand.touch("-e5", "+e2", played=[])
    hand.touch("-e2", "+e4", played=[E4])
    assert hand.result.is_solved
    assert (hand.result.played, hand.result.tried) == ((E4,), (D4,))
    assert hand.result.errors == 2


def test_a_line_tells_which_of_its_last_moves_was_chosen() -> None:
    here = START.play(E4)
    reply = parse_san(here, "e5")
    choices = tuple(parse_san(here.play(reply), san) for san in ("Nf3", "Nc3"))
    hand = Hand(Exercise("line", here, Line(((reply,), choices), WHITE)))
    other = parse_san(here, "e6")
    hand.touch("-e7", "+e6", played=[other])  # not what the lights show: not a try
    hand.touch("-e6", "+e7", played=[])
    hand.touch("-e7", "+e5", played=[reply])
    hand.touch("-b1", "+c3", played=[reply, choices[1]])
    assert hand.result.is_solved
    assert (hand.result.played, hand.result.tried) == ((reply, choices[1]), ())


def test_what_stands_when_one_is_skipped_is_told_as_well() -> None:
    hand = Hand(Exercise("e4", START, OneMove((E4,))))
    hand.touch("-d2", "+d4", played=[D4])
    hand.attempt.skip(hand.t_us)
    assert not hand.result.is_solved
    assert (hand.result.played, hand.result.tried) == ((D4,), (D4,))
