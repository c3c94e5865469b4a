"""A learner that reads only the log can solve every exercise, and hears which piece goes where."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import pytest

from boardfw.learning.course import Exercise
from boardfw.learning.lesson import Kind, Lesson, Told
from boardfw.learning.task import Place, Play, Stars, Touch
from boardfw.players.lesson_player import Learner
from boardfw.players.solutions import SWITCH, Heard
from boardfw.squares import BY_NAME, Bitboard, Square, bitboard_of
from hardware.sim.gesture import HandAction
from tests.learning.champion import choice_of
from tests.learning.classroom import Classroom, exercise, squares
from tests.learning.courses import name, varied
from tests.learning.lectures import BEGIN_US, Lecture
from tests.learning.samples import samples
from tests.learning.wrong_touches import earlier_gestures, gestures
from tests.learning.wrongs import Played, Wrong, wrongs_of

LETTERS = {"king": "K", "queen": "Q", "rook": "R", "bishop": "B", "knight": "N", "pawn": "P"}


RIGHT = re.compile(r"(?:Yes|A star), (..)\.")


SHOWN = re.compile(r"Make (?:White|Black)'s move: (?:castling, )?\w+ (..) to (..)\.")


PUT = re.compile(r"Put (White|Black)'s (\w+?)s? on ((?:..(?:, | and )?)+)\.$")


EXCHANGE = re.compile(r"Take the pawn off (..) and put (?:White|Black)'s \w+ there\.")


BACK = re.compile(r"Put the \w+ on (..) back on (..)\.$")


OFF = re.compile(r"(?:Take|First lift) the \w+ on (..)(?: off the board)?\.$")


class ByEar(Learner):
    """Solves what is asked; what it has heard are lines."""

    _plies = 0
    _shown: tuple[Square, Square] | None = None
    _asked: Bitboard = 0
    _is_over = False

    def hear(self, told: Iterable[Told]) -> None:
        """Lines of the log."""
        lines = list(told)
        super().hear(lines)
        for one in lines:
            self._listen(one.kind, one.text)

    def _listen(self, kind: Kind, text: str) -> None:
        if self._is_over and kind in (Kind.SETUP, Kind.ASK):
            self._plies, self._shown, self._asked, self._is_over = 0, None, 0, False
        if found := RIGHT.match(text):
            self._right |= 1 << BY_NAME[found[1]]
            self._plies += 1
        if found := SHOWN.match(text):
            is_played = self._exercise is not None and isinstance(self._exercise.task, Play)
            self._plies += is_played and self._plies % 2 == self._own_parity()
            self._shown = BY_NAME[found[1]], BY_NAME[found[2]]
        if text.startswith("Now you"):
            self._shown = None
            self._plies += 1
        if found := PUT.match(text):
            self._asked = bitboard_of(named(found[3]))
        if found := EXCHANGE.match(text):
            self._asked = 1 << BY_NAME[found[1]]
        self._is_over |= kind in (Kind.SOLVED, Kind.SKIPPED)

    def _own_parity(self) -> int:
        """The ply after which a reply in a game comes: the learner's own."""
        exercise = self._exercise
        return 0 if exercise is None or exercise.position.turn == exercise.you else 1

    def _heard(self, lesson: Lesson) -> Heard:
        is_line = lesson.exercise is not None and lesson.exercise.type in ("line", "play")
        return Heard(
            right=self._right,
            answers=self._plies if is_line else self._answers,
            shown=self._shown,
            asked=self._asked,
            is_over=self._is_over,
        )


def named(squares: str) -> list[Square]:
    """The squares of a list in words."""
    return [BY_NAME[one] for one in re.findall(r"[a-h][1-8]", squares)]


def carried(line: str) -> tuple[Square | None, Square | None, str] | None:
    """From where to where a line says that a piece is to be carried, None being the box, and the
    kind of one out of the box; None: it says nothing of that."""
    if found := BACK.search(line):
        return BY_NAME[found[1]], BY_NAME[found[2]], ""
    if found := OFF.search(line):
        return BY_NAME[found[1]], None, ""
    if found := PUT.search(line):
        letter = LETTERS[found[2]]
        return None, named(found[3])[0], letter if found[1] == "White" else letter.lower()
    return None


ENOUGH_US = 1_800_000_000
LISTENS_US = 4_000_000
MOST_LINES = 12


def unsolved(exercises: Sequence[Exercise]) -> list[str]:
    """The exercises that cannot be solved from the log alone."""
    found = []
    for one in exercises:
        lecture = Lecture([one], "careful", 1, choice_of(one), learner=ByEar)
        lecture.solve(ENOUGH_US)
        results = lecture.watched.tutor.results
        if not results or not results[0].is_solved or results[0].errors:
            found.append(name(one))
    return found


@pytest.mark.slow
def test_every_type_of_task_is_solved_by_words_alone() -> None:
    assert unsolved(samples()[::2]) == []


@pytest.mark.slow
def test_the_course_is_solved_by_words_alone(full: bool) -> None:
    assert unsolved([*varied()][:: 1 if full else 24]) == []


def obey(lecture: Lecture, since: int) -> None:
    """Carry pieces as the lines say, while they say so."""
    for _ in range(MOST_LINES):
        lines = [one.text for one in lecture.watched.told[since:] if one.kind is Kind.PUT]
        since = len(lecture.watched.told)
        steps = [step for line in lines if (step := carried(line)) is not None]
        if not steps:
            return
        origin, target, label = steps[-1]
        label = lecture.board.pieces[SWITCH(origin)] if origin is not None else label
        t_us = lecture.now_us + 1_000
        lift = [] if origin is None else [HandAction(t_us, "lift", SWITCH(origin), label)]
        drop = [] if target is None else [HandAction(t_us + 500_000, "drop", SWITCH(target), label)]
        lecture.board.schedule([*lift, *drop])
        lecture.rest(LISTENS_US)


def misled(one: Exercise, wrong: Wrong, seed: int) -> str:
    """What stands otherwise than before a wrong move, once everything that the log says is done."""
    lecture = Lecture([one], "careful", seed)
    for earlier in earlier_gestures(one, wrong, lecture.hands, BEGIN_US):
        lecture.do([earlier])
    lecture.rest(LISTENS_US)
    pieces, told = lecture.board.pieces, len(lecture.watched.told)
    away = gestures(one, wrong, lecture.hands, lecture.now_us + BEGIN_US, pieces)[0]
    lecture.do([away])
    lecture.rest(LISTENS_US)
    if not any(line.kind is Kind.WRONG for line in lecture.watched.told[told:]):
        return ""  # the hand has left no trace that tells of it
    obey(lecture, told)
    return "" if lecture.board.pieces == pieces else f"{name(one)} {wrong}: {lecture.board.pieces}"


def played_wrongs(exercises: Sequence[Exercise], every: int) -> Sequence[tuple[Exercise, Wrong]]:
    asked = [one for one in exercises if one.type in ("stars", "move", "all", "may", "line")]
    found = [(one, wrong) for one in asked for wrong in wrongs_of(one)]
    return [(one, wrong) for one, wrong in found if isinstance(wrong, Played)][::every]


@pytest.mark.slow
def test_after_a_wrong_move_the_words_lead_every_piece_home() -> None:
    tried = played_wrongs(samples(), 160)
    assert len(tried) > 5
    assert not [told for one, wrong in tried if (told := misled(one, wrong, 1))]


@pytest.mark.slow
def test_so_they_do_in_the_course(full: bool) -> None:
    tried = played_wrongs([*varied()], 10 if full else 400)
    assert not [told for one, wrong in tried if (told := misled(one, wrong, 1))]


def test_a_piece_that_stands_wrong_is_named_with_its_square() -> None:
    room = Classroom(exercise("1k6/8/8/8/3Q4/8/8/7K w - - 0 1", Stars(squares("d7 g7"), 2)))
    assert room.dance("-d4 300 +e6 3000")[-1] == "put: Put the queen on e6 back on d4."


def test_pieces_that_come_next_are_named_with_their_squares() -> None:
    fen = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"
    room = Classroom(exercise(fen, Place(True, ())), standing=0)
    assert room.dance("1000") == ["put: Put White's king on e1."]
    assert room.dance("+e1 1000") == ["put: Put Black's king on e8."]
    assert room.dance("+e8 1000") == ["put: Put White's rooks on a1 and h1."]
    assert room.dance("+a1 1000") == []


def test_a_capture_where_pieces_are_only_lifted_is_told_what_was_asked() -> None:
    fen = "k7/8/8/2rnr3/3P4/7p/7B/7K w - - 0 1"
    for taking in ("-d4 500 -e5 500 +e5", "-e5 500 -d4 500 +e5"):
        room = Classroom(exercise(fen, Touch(squares("c5 e5"))))
        told = room.dance(f"{taking} 3000")
        assert told[0].startswith("hint: No move is asked for.")
        assert told[1:] == ["put: Put the pawn on e5 back on d4."]
        assert room.dance("-e5 300 +d4 3000") == ["put: Put Black's rook on e5."]
        assert room.kinds("+e5 3000 -e5 900 +e5 2000 -c5 900 +c5 2000") == ["right", "solved"]
        assert room.tutor.results[0].errors == 0
