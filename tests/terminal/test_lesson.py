"""What is typed at a lesson, and what of it is on the screen."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeAlias

import pytest
from textual.widgets import Input, Static

from boardfw.learning.course import Exercise
from boardfw.learning.lesson import Phase
from boardfw.learning.source import GIVEN_UP, InOrder
from boardfw.learning.tutor import Tutor
from boardfw.notation.fen import format_fen
from boardfw.phrase import translated
from boardfw.players.game_player import Player
from boardfw.shell.config import Settings
from boardfw.shell.learning.course_files import load_course
from boardfw.shell.learning.lesson_desk import LessonDesk
from boardfw.squares import SWITCH_BY_NAME, Switch
from boardfw.terminal.lesson import LessonBoard
from boardfw.terminal.panels import Message, Situation
from boardfw.terminal.talk import Talk
from boardfw.terminal.typing_line import Line
from docs.drawing.still import Still
from hardware.clock import VirtualClock
from hardware.sim.board import SimBoard, pieces_of

Typing: TypeAlias = Callable[[str], Awaitable[None]]
ROOK = ("rook.open_board", "rook.stopped")
FIND = "squares.first_four"
COURSE, _ = load_course()


def exercises(*keys: str) -> list[Exercise]:
    found = [COURSE.get(key) for key in keys]
    return [exercise for exercise in found if exercise is not None]


class Screen:
    """A lesson board whose time is moved by the test."""

    def __init__(self, *keys: str, language: str = "") -> None:
        asked = exercises(*keys)
        self.clock = VirtualClock()
        self.pieces_at_first = pieces_of(format_fen(asked[0].position))
        sim = SimBoard(self.clock, pieces=self.pieces_at_first)
        self.desk = LessonDesk(Tutor(InOrder(asked)), Settings())
        self.loop = Still(sim, self.clock, self.desk)
        talk = Talk(self.loop, self.clock, Player(sim, "club", 1))
        self.app = LessonBoard(
            talk, self.desk, title="x", sets_up=False, table=COURSE.languages.get(language, {})
        )
        self.loop.go_on(1_000_000)

    @property
    def text(self) -> str:
        """What stands beside the board, on one line."""
        return " ".join(str(self.app.query_one(Situation).content).split())

    @property
    def message(self) -> str:
        """The answer to what was typed."""
        return str(self.app.query_one("#message", Static).content)

    @property
    def pieces(self) -> dict[Switch, str]:
        """Switch -> label."""
        return self.app.seat.pieces

    @property
    def key(self) -> str:
        exercise = self.desk.lesson.exercise
        return exercise.key if exercise else ""


Test: TypeAlias = Callable[[Screen, Typing], Awaitable[None]]


def shown(test: Test, *keys: str, language: str = "") -> None:
    """Run a test on the smallest screen of full size."""

    async def run() -> None:
        screen = Screen(*(keys or ROOK), language=language)
        async with screen.app.run_test(size=(80, 24)) as pilot:

            async def typed(word: str) -> None:
                screen.app.query_one(Line).value = word
                await pilot.press("enter")
                screen.app.look()

            await test(screen, typed)

    asyncio.run(run())


def test_to_skip_goes_on_without_another_touch() -> None:
    async def test(screen: Screen, typed: Typing) -> None:
        assert screen.key == ROOK[0]
        await typed("skip")
        assert screen.key == ROOK[1]

    shown(test)


def test_a_lesson_speaks_the_language_that_was_asked_for() -> None:
    async def test(screen: Screen, typed: Typing) -> None:
        words, german = exercises(ROOK[0])[0].words, COURSE.languages["de"]
        assert translated(words.say, german) in screen.text
        await typed("hint")
        assert translated(words.hint1, german) in screen.text
        assert words.say not in screen.text
        await typed("say")
        assert " ".join(screen.message.split()) == translated(words.say, german)

    shown(test, language="de")


def test_a_hint_stands_below_the_task_and_does_not_say_it_again() -> None:
    async def test(screen: Screen, typed: Typing) -> None:
        words = exercises(ROOK[0])[0].words
        await typed("hint")
        assert screen.text.count(words.say) == 1
        assert words.hint1 in screen.text
        await typed("hint")
        assert words.hint2 in screen.text

    shown(test)


def test_say_tells_the_task_and_the_line_names_the_words() -> None:
    async def test(screen: Screen, typed: Typing) -> None:
        assert "hint, skip, say" in screen.app.query_one(Input).placeholder
        await typed("say")
        assert screen.app.query_one(Message).text == exercises(ROOK[0])[0].words.say
        await typed("help")
        assert "hint, then another one" in str(screen.app.screen.query_one("#help", Static).content)

    shown(test)


def test_an_illegal_move_that_is_typed_does_not_give_the_answer_away() -> None:
    async def test(screen: Screen, typed: Typing) -> None:
        await typed("O-O-O")
        said = str(screen.app.query_one("#message", Static).content)
        assert said.startswith("the hands make legal moves only")

    shown(test, "castle_not.through_check")


def wordy(exercise: Exercise) -> int:
    words = exercise.words
    return len(words.say) + len(words.hint1) + len(words.hint2)


ALL = [exercise for lesson in COURSE.lessons for exercise in lesson.exercises]
LONGEST = sorted(ALL, key=wordy)[-3:]


@pytest.mark.parametrize("key", [exercise.key for exercise in LONGEST])
def test_task_and_hints_have_room_on_the_smallest_screen(key: str) -> None:
    async def test(screen: Screen, typed: Typing) -> None:
        await typed("hint")
        await typed("hint")
        words, beside = exercises(key)[0].words, screen.app.query_one(Situation)
        assert screen.text.startswith(words.say)
        assert words.hint2 in screen.text
        assert str(beside.content).count("\n") <= beside.size.height

    shown(test, key)


def test_answers_that_wait_for_the_disk_are_told_while_they_do() -> None:
    async def test(screen: Screen, typed: Typing) -> None:
        wait, full = (
            "answers wait in memory: do not switch off",
            "x.db: the disk is full; make room",
        )
        screen.desk.confirm(kept=False, trouble=full)
        screen.app.look()
        assert f"{wait} {full}" in screen.text
        await typed("skip")
        screen.loop.go_on(1_000_000)
        screen.app.look()
        assert screen.desk.lesson.phase is Phase.SETUP
        assert f"{wait} {full}" in screen.text
        assert "plies" not in screen.text
        screen.desk.confirm(kept=True)
        screen.app.look()
        assert wait not in screen.text

    shown(test)


def pass_time(screen: Screen, seconds: int) -> None:
    """Twenty looks a second."""
    for _ in range(20 * seconds):
        screen.app.look()
        screen.loop.go_on(50_000)
    screen.app.look()


def test_hands_show_how_an_exercise_is_solved_and_it_counts_as_shown() -> None:
    async def test(screen: Screen, typed: Typing) -> None:
        await typed("watch")
        pass_time(screen, 12)
        (result,) = screen.desk.teacher.results
        assert result.is_solved
        assert result.helps >= GIVEN_UP

    shown(test, "mate_in_one.back_row")


def test_touching_the_board_takes_over_from_hands_that_show() -> None:
    async def test(screen: Screen, typed: Typing) -> None:
        sim = screen.app.seat.board
        assert sim is not None
        pieces = sorted(sim.pieces.values())
        await typed("watch")
        while not sim.busy:
            pass_time(screen, 1)
        await typed("lift e8")
        told = str(screen.app.query_one("#message", Static).content)
        assert told.startswith("the simulator puts down")
        pass_time(screen, 6)
        assert sorted(sim.pieces.values()) == pieces  # no piece is left in the air
        for _ in range(10):
            pass_time(screen, 3)
            assert not sim.busy  # they do not come back

    shown(test, "first_game.whole_game")


@pytest.mark.slow
def test_hands_put_the_pieces_up_where_that_is_the_task() -> None:
    async def test(screen: Screen, typed: Typing) -> None:
        await typed("setup")
        pass_time(screen, 120)
        assert screen.desk.teacher.results[0].is_solved

    shown(test, "set_up.with_lights")


def test_a_move_by_typed_squares_ends_the_lesson() -> None:
    async def test(screen: Screen, typed: Typing) -> None:
        for word in ("a1", "a8"):
            await typed(word)
            pass_time(screen, 1)
        pass_time(screen, 3)
        assert "The lesson is over" in screen.text

    shown(test, "mate_in_one.back_row")


@pytest.mark.slow
def test_a_piece_going_home_first_is_not_a_move_of_the_other_side() -> None:
    async def test(screen: Screen, typed: Typing) -> None:
        for word in ("e1", "f1"):
            await typed(word)
            pass_time(screen, 1)
        assert "No: that is not castling. Put the king on f1 back on e1." in screen.text
        standing = screen.pieces
        for word in ("O-O-O", "O-O", "Kf1"):  # the first would be Black's move
            await typed(word)
            assert screen.message.startswith("the hands wait until the pieces stand as before")
            pass_time(screen, 3)
            assert screen.pieces == standing
        await typed("f1")
        await typed("e1")
        pass_time(screen, 3)
        assert "back on e1" not in screen.text
        await typed("O-O")
        pass_time(screen, 6)
        assert screen.desk.teacher.results[0].is_solved

    shown(test, "castle.short_way")


def test_giving_up_while_pieces_are_to_be_taken_off_says_to_do_that() -> None:
    async def test(screen: Screen, typed: Typing) -> None:
        for _ in range(3):
            await typed("hint")
        assert "Take off the pieces that are lit. Then the lights show what goes" in screen.text

    shown(test, "set_up.alone")


def test_a_typed_square_is_shown_by_a_piece_that_goes_home() -> None:
    async def test(screen: Screen, typed: Typing) -> None:
        refused = "No: that is e5; its rank is right, its file is not."
        for word, told in (("e4", "Yes, e4."), ("e5", refused), ("d5", "Yes, d5. 2 more.")):
            await typed(word)
            pass_time(screen, 1)
            away = screen.pieces_at_first.keys() - screen.pieces.keys()
            assert away == {SWITCH_BY_NAME["d2" if word == "d5" else "e2"]}
            pass_time(screen, 2)
            assert told in screen.text
            assert screen.pieces == screen.pieces_at_first
        for word in ("a6", "h3"):  # typed ahead: one after the other
            await typed(word)
        pass_time(screen, 6)
        (result,) = screen.desk.teacher.results
        assert (result.is_solved, result.errors) == (True, 1)

    shown(test, FIND)


def test_a_piece_put_on_a_square_by_hand_may_stay_there_meanwhile() -> None:
    async def test(screen: Screen, typed: Typing) -> None:
        for word, said in (("e2", ""), ("e4", ""), ("d5", "the hands show d5")):
            await typed(word)
            assert screen.message == said
            pass_time(screen, 3)
        for word in ("a6", "h3"):  # typed ahead, though not all pieces stand at home
            await typed(word)
        pass_time(screen, 6)
        (result,) = screen.desk.teacher.results
        assert (result.is_solved, result.errors) == (True, 0)
        await typed("e4")
        await typed("e2")
        assert screen.pieces == screen.pieces_at_first

    shown(test, FIND)


def test_a_square_that_is_typed_elsewhere_is_no_visit() -> None:
    async def test(screen: Screen, typed: Typing) -> None:
        await typed("e7")
        assert screen.message == "e7 is empty"

    shown(test)


def test_words_of_games_are_refused_in_one_line() -> None:
    async def test(screen: Screen, typed: Typing) -> None:
        for word in ("load famous", "claim", "ruling 1.e4 by A: why", "level 2"):
            await typed(word)
            told = str(screen.app.query_one("#message", Static).content)
            assert told.startswith("that word is for games")

    shown(test)
