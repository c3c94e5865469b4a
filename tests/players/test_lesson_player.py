"""The pupil: its hands solve the exercise, and it reacts to what the board has said."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from boardfw.learning.course import Exercise
from boardfw.learning.task import (
    All,
    Find,
    Goal,
    Line,
    May,
    Place,
    Play,
    Reach,
    Stars,
    State,
    Task,
    Touch,
    Verdict,
)
from boardfw.notation.fen import format_fen, parse_fen
from boardfw.notation.san import parse_san
from boardfw.players.lesson_player import Pupil
from boardfw.players.solutions import UNANSWERED_US, Heard
from boardfw.recording import START_FEN
from boardfw.rules import BLACK, WHITE, Move, Position
from boardfw.squares import BY_NAME, SWITCH_BY_NAME, Orientation, Switch, occupancy_of, squares_in
from hardware.sim.board import pieces_of
from hardware.sim.gesture import Gesture
from hardware.sim.hand_profiles import HAND_PROFILES
from hardware.sim.hands import Hands
from tests.hardware.test_hands import squares as switches
from tests.learning.classroom import squares

KINDS = ("careful", "child")
Hearing = Callable[[Heard, Gesture], Heard]


def exercise(fen: str, task: Task) -> Exercise:
    position = parse_fen(fen)
    return Exercise("lesson.exercise", position, task, you=position.turn)


def moves(fen: str, sans: str) -> tuple[Move, ...]:
    return tuple(parse_san(parse_fen(fen), san) for san in sans.split())


def game(fen: str, sans: str) -> tuple[list[Position], tuple[tuple[Move, ...], ...]]:
    positions, plies = [parse_fen(fen)], []
    for san in sans.split():
        plies.append((parse_san(positions[-1], san),))
        positions.append(positions[-1].play(plies[-1][0]))
    return positions, tuple(plies)


class Lesson:
    """Hands that solve, and a board that hears what ``hears`` makes of each gesture."""

    def __init__(self, asked: Exercise, hears: Hearing, kind: str = "club", seed: int = 0) -> None:
        self.pupil = Pupil(asked, Hands(HAND_PROFILES[kind].attentive(), seed), seed)
        self.pieces = pieces_of(format_fen(asked.position))
        self.heard = Heard()
        self.now_us = 0
        self.gestures: list[Gesture] = []
        self._hears = hears

    def go_on(self) -> Gesture | None:
        """The next gesture, as soon as there is one."""
        for _ in range(3):
            due_us = self.pupil.due_us
            if due_us is None:
                return None
            self.now_us = max(self.now_us, due_us)
            gesture = self.pupil.next_gesture(self.now_us, self.pieces)
            if gesture is not None:
                assert gesture.begin_us >= self.now_us
                self.pieces = gesture.performed(self.pieces)
                self.now_us = gesture.end_us
                self.gestures.append(gesture)
                self.hear(self._hears(self.heard, gesture))
                return gesture
        return None

    def hear(self, heard: Heard) -> None:
        self.heard = heard
        self.pupil.hear(heard, self.now_us)

    def solve(self, most: int = 20) -> Lesson:
        while len(self.gestures) < most and self.go_on():
            pass
        return self


def touched(gesture: Gesture) -> set[Switch]:
    return {action.square for action in gesture.actions}


def says_yes(heard: Heard, gesture: Gesture) -> Heard:
    """Whatever was touched is right, and every gesture is a right answer."""
    right = heard.right | Orientation.AS_WIRED.squares(occupancy_of(touched(gesture)))
    return heard._replace(right=right, answers=heard.answers + 1)


def says_nothing(heard: Heard, gesture: Gesture) -> Heard:
    return heard


ROOK = "7k/8/8/3R4/8/8/8/K7 w - - 0 1"
BISHOPS = "7k/8/8/8/8/8/8/K1B2B2 w - - 0 1"
D5, C1, D8, A1 = (BY_NAME[name] for name in ("d5", "c1", "d8", "a1"))
STAYING: dict[str, tuple[Exercise, str]] = {
    "find": (exercise(START_FEN, Find(tuple(squares_in(squares("e4 d5 g8"))))), "e4 d5 g8"),
    "touch": (exercise(BISHOPS, Touch(squares("f1 c1"))), "f1 c1"),
    "no touch": (exercise(BISHOPS, Touch(0)), "h8"),
    "reach": (exercise(ROOK, Reach(D5, squares("d8 a5 d1"))), "d8 a5 d1"),
    "no reach": (exercise(ROOK, Reach(A1, 0)), "h8"),
    "all": (exercise(ROOK, All(moves(ROOK, "Rd8+ Rh5+ Ra5"))), "d8 h5 a5"),
    "may not": (exercise(ROOK, May(D5, C1, is_allowed=False)), "h8"),
    "mate": (exercise(ROOK, Verdict(State.MATE)), "a1"),
    "draw": (exercise(ROOK, Verdict(State.DRAW)), "a1 h8"),
    "claim": (exercise(ROOK, Verdict(State.CLAIM)), "a1 h8"),
}


@pytest.mark.parametrize("name", STAYING)
def test_an_answer_that_the_board_has_not_seen_is_given_again_after_a_while(name: str) -> None:
    asked, _ = STAYING[name]
    lesson = Lesson(asked, says_nothing)
    first = lesson.go_on()
    second = lesson.go_on()
    assert first is not None
    assert second is not None
    assert second.begin_us >= first.end_us + UNANSWERED_US
    if name != "all":  # the move is taken back first
        assert touched(second) >= set(switches(STAYING[name][1]))


def test_nothing_is_done_once_the_exercise_is_over() -> None:
    for asked, _ in STAYING.values():
        lesson = Lesson(asked, lambda heard, gesture: heard._replace(is_over=True)).solve()
        assert len(lesson.gestures) == 1
        assert lesson.pupil.due_us is None


def test_what_was_seen_is_not_shown_again() -> None:
    asked, _ = STAYING["reach"]
    d8, d1 = switches("d8 d1")
    lesson = Lesson(asked, lambda heard, gesture: heard._replace(right=squares("d8 d1")))
    lesson.go_on()
    second = lesson.go_on()
    assert second is not None
    assert not {d8, d1} & touched(second)


@pytest.mark.parametrize("kind", KINDS)
def test_the_pieces_are_set_up_from_an_empty_board_type_by_type_and_proved(kind: str) -> None:
    proof = tuple(squares(names) for names in ("a1 h1", "d1"))
    lesson = Lesson(exercise(START_FEN, Place(guided=False, proof=proof)), says_nothing, kind)
    lesson.go_on()
    assert lesson.pieces == {}
    while len(lesson.pieces) < 32:
        gesture = lesson.go_on()
        assert gesture is not None
        assert len({action.label for action in gesture.actions}) == 1
    assert lesson.pieces == pieces_of(START_FEN)
    for answers, names in ((3, "a1 h1"), (4, "d1")):
        gesture = lesson.go_on()
        assert gesture is not None
        assert set(switches(names)) <= touched(gesture)
        lesson.hear(Heard(answers=answers))


def test_the_pieces_asked_for_by_lights_are_set_up_first() -> None:
    lesson = Lesson(exercise(START_FEN, Place(guided=True)), says_nothing)
    lesson.hear(Heard(asked=squares("b1 g8")))
    lesson.go_on()
    lesson.go_on()
    assert set(lesson.pieces) == set(switches("b1 g8"))


def test_stars_are_visited_in_the_fewest_moves() -> None:
    fen, par = "7k/2p5/8/2R2n2/8/5b2/8/K7 w - - 0 1", 4
    stars = squares("c7 f5 f3")
    lesson = Lesson(exercise(fen, Stars(stars, par)), says_yes).solve(par)
    assert lesson.heard.right & stars == stars
    assert sorted(lesson.pieces.values()) == ["K", "R", "k"]


def test_a_pawn_that_visits_the_last_rank_is_exchanged() -> None:
    asked = exercise("8/2P5/8/8/8/8/8/K6k w - - 0 1", Stars(squares("c8"), 1))
    assert Lesson(asked, says_yes).solve(1).pieces[SWITCH_BY_NAME["c8"]] in "PQ"


@pytest.mark.parametrize("you", [WHITE, BLACK, None])
def test_a_line_is_played_to_its_end_and_the_other_side_waits_for_the_lights(
    you: int | None,
) -> None:
    positions, plies = game(START_FEN, "e4 e5 Bc4 d6 Nf3 Bg4 Nc3 g6 Nxe5 Bxd1 Bxf7+ Ke7 Nd5#")
    lesson = Lesson(exercise(START_FEN, Line(plies, you)), says_yes)
    for before, ply, after in zip(positions, plies, positions[1:], strict=False):
        if you not in (None, before.turn):
            assert lesson.pupil.next_gesture(lesson.now_us + 10_000_000, lesson.pieces) is None
            lesson.hear(lesson.heard._replace(shown=ply[0].steps()[0]))
        lesson.go_on()
        lesson.hear(lesson.heard._replace(shown=None))
        assert lesson.pieces == pieces_of(format_fen(after))


@pytest.mark.parametrize("claims", [True, False])
def test_a_line_ends_with_both_kings_where_a_draw_may_be_claimed_and_goes_on_where_not(
    claims: bool,
) -> None:
    positions, plies = game(START_FEN, "Nf3 Nf6")
    lesson = Lesson(exercise(START_FEN, Line(plies, None, claims)), says_yes).solve(3)
    pieces = pieces_of(format_fen(positions[-1]))
    assert (lesson.pieces == pieces) == claims
    assert ({*switches("e1 e8")} <= touched(lesson.gestures[-1])) == claims


def test_a_game_is_played_by_choice_on_one_side_and_by_the_lights_on_the_other() -> None:
    positions, plies = game(START_FEN, "e4 e5 Nf3 Nc6")
    by_position = dict(zip(positions, plies, strict=False))
    lesson = Lesson(exercise(START_FEN, Play(Goal.GAME, WHITE, 4)), says_yes)
    lesson.pupil = Pupil(
        exercise(START_FEN, Play(Goal.GAME, WHITE, 4)),
        Hands("careful", 1),
        choose=lambda position: by_position[position][0],
    )
    for n, after in enumerate(positions[1:]):
        lesson.hear(lesson.heard._replace(shown=plies[n][0].steps()[0] if n % 2 else None))
        lesson.go_on()
        assert lesson.pieces == pieces_of(format_fen(after))
