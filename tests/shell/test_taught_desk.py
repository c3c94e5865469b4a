"""Between two games a tutor leads the pieces; nothing of it is play, and its results are kept."""

from __future__ import annotations

import pytest

from boardfw.game.events import Mismatched, NewGame, Notified, Unwatched
from boardfw.game.phase import GamePhase, Playing
from boardfw.game.session import Session
from boardfw.learning.course import Exercise
from boardfw.learning.lesson import Phase, Result
from boardfw.learning.source import InOrder
from boardfw.learning.task import Find, Goal, Play
from boardfw.learning.tutor import Tutor
from boardfw.lights.cue import Cue
from boardfw.lights.scene import Scene
from boardfw.rules import WHITE, Position
from boardfw.shell.config import Settings
from boardfw.shell.taught_desk import TaughtDesk
from boardfw.squares import BY_NAME, names_of
from tests.learning.classroom import START, exercise
from tests.shell.pupil import Pupil

SHOW_E4 = exercise(START, Find((BY_NAME["e4"],)))
SHOWN = "-a2 +e4 1500 -e4 +a2 4000"
ONE_PAWN = exercise("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", Play(Goal.GAME, WHITE, 40))


class Learner(Pupil):
    """Somebody at a desk at which a tutor can take over."""

    def __init__(self) -> None:
        self.taught = TaughtDesk(Session(), Settings())
        self.results: list[Result] = []
        self._sit(self.taught, Position.start().occupied)

    @property
    def scene(self) -> Scene:
        return self.desk.scene

    def learn(self, *exercises: Exercise) -> None:
        self.taught.teach(lambda stood: Tutor(InOrder(exercises), stood=stood), self.results.append)
        self.wait(10_000)

    @property
    def texts(self) -> list[str]:
        return [one.text for one in self.said if isinstance(one, Notified)]


def test_what_is_touched_in_a_lesson_is_an_answer_and_no_move() -> None:
    learner = Learner()
    learner.learn(SHOW_E4)
    assert learner.taught.lesson is not None
    assert learner.taught.lesson.phase is Phase.ASKED
    learner.do(SHOWN)
    assert [result.is_solved for result in learner.results] == [True]
    assert "Well done." in learner.texts
    assert learner.moves == ""
    assert not learner.taught.is_taught  # there was no other exercise
    learner.wait(3_000_000)
    assert isinstance(learner.desk.session.phase, Playing)  # the pieces stand, so a game may begin
    learner.do("-e2 +e4")
    assert learner.moves == "e2e4"


def test_the_pieces_that_stood_before_are_known_to_the_tutor() -> None:
    learner = Learner()
    learner.learn(ONE_PAWN)
    assert learner.taught.lesson is not None
    assert learner.taught.lesson.phase is Phase.SETUP
    home = {"e1", "e2", "e8"}  # the kings and the pawn stand where they belong
    in_the_way = set(names_of(Position.start().occupied)) - home
    assert set(learner.lit(Cue.SURPLUS).split()) == in_the_way


def test_so_are_those_that_stood_while_a_game_was_set_up() -> None:
    learner = Learner()
    learner.do("-e2 +e4")
    learner.press("new_game")
    learner.learn(exercise("4k3/8/8/8/4P3/8/8/4K3 w - - 0 1", Play(Goal.GAME, WHITE, 40)))
    home = {"e1", "e4", "e8"}
    view = learner.taught.view
    assert {name for name in names_of(view.standing) if name not in names_of(view.surplus)} == home
    rest = [name for name in names_of(view.standing) if name not in home]
    learner.do(" ".join(f"-{name}" for name in rest) + " 3000")
    assert learner.taught.lesson is not None
    assert learner.taught.lesson.phase is Phase.ASKED  # nothing has to be shown to be what it is


def test_what_is_said_is_of_the_exercise_that_is_asked() -> None:
    learner = Learner()
    learner.learn(SHOW_E4, ONE_PAWN)
    learner.press("hint")
    first = learner.taught.told
    assert [told.exercise for told in first] == [SHOW_E4] * len(first)
    assert len(first) == 2  # the task, and a hint
    learner.taught.skip()
    learner.wait(10_000)
    assert [told.exercise for told in learner.taught.told] == [ONE_PAWN]
    assert [result.is_solved for result in learner.results] == [False]


def test_another_lesson_takes_the_place_of_one() -> None:
    learner = Learner()
    learner.learn(ONE_PAWN)
    learner.learn(SHOW_E4)
    learner.do(SHOWN)
    assert [result.exercise for result in learner.results] == [SHOW_E4]


def test_after_a_lesson_before_the_first_ply_the_pieces_are_set_up_again() -> None:
    learner = Learner()
    learner.learn(ONE_PAWN)
    off = [name for name in names_of(Position.start().occupied) if name not in ("e1", "e2", "e8")]
    learner.do(" ".join(f"-{name}" for name in off) + " 3000")
    learner.press("new_game")
    learner.wait(3_000_000)
    assert not learner.taught.is_taught
    view = learner.taught.view
    assert view.phase is GamePhase.SETUP
    assert not view.is_clouded
    assert learner.heard(Unwatched) == [], "a lesson is no play that nobody watched"
    assert learner.heard(Mismatched) == []
    learner.do(" ".join(f"+{name}" for name in off) + " 3000")
    assert learner.taught.view.phase is GamePhase.PLAY
    assert len(learner.heard(NewGame)) == 1, "who was to play the next game sits down"
    learner.do("-e2 +e4")
    assert learner.moves == "e2e4"


@pytest.mark.parametrize("before", ["", "-e2 +e4 -e7 +e5"])
def test_pieces_of_a_lesson_on_squares_of_others_are_not_taken_for_them(before: str) -> None:
    learner = Learner()
    if before:
        learner.do(before)
        learner.press("resign_white")
        learner.wait(1_000_000)
    learner.learn(exercise("7k/8/8/8/8/8/4P3/K7 w - - 0 1", Play(Goal.GAME, WHITE, 40)))
    stood = set(names_of(learner.taught.view.standing))
    for_kings = {"e1", "e8"}
    off = sorted(stood - for_kings - {"e2"})
    learner.do(" ".join(f"-{name}" for name in off))
    learner.do("-e1 +a1 -e8 +h8" + ("" if "e2" in stood else " +e2"))
    learner.wait(3_000_000)
    assert learner.taught.lesson is not None
    assert learner.taught.lesson.phase is Phase.ASKED
    learner.press("new_game")
    learner.wait(1_000_000)
    assert {"a1", "h8"} <= set(names_of(learner.taught.view.surplus)), "no rooks, but kings"


def test_the_button_for_a_new_game_ends_it_and_what_was_left_standing_is_no_play() -> None:
    learner = Learner()
    learner.learn(ONE_PAWN)
    learner.do("-d2 -c2 -b2 -a2 -d1 -c1 -b1 -a1 -h7 -g7 -f7 -h8 -g8 -f8")
    learner.press("new_game")
    learner.wait(3_000_000)
    assert not learner.taught.is_taught
    learner.do("+a1 +b1 +c1 +d1 +a2 +b2 +c2 +d2 +f8 +g8 +h8 +f7 +g7 +h7 3000")
    assert learner.moves == ""
    learner.do("-e2 +e4")
    assert learner.moves == "e2e4"
    assert learner.results == []
