"""Draws the pictures of docs/learning.md: lessons of the course, at moments that tell something.

Run ``make docs``. A simulated hand does what each moment says, in virtual time, on a board that
is taught by the real tutor. Each moment is drawn as the lights of the board; some are drawn as
the screen of the terminal board, too.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from textual.pilot import Pilot

from boardfw.errors import LessonError
from boardfw.learning.course import Course, Exercise
from boardfw.learning.source import InOrder
from boardfw.learning.tutor import Tutor
from boardfw.notation.fen import format_fen
from boardfw.players.game_player import Player
from boardfw.rules import Piece
from boardfw.shell.config import Settings
from boardfw.shell.learning.course_files import load_course
from boardfw.shell.learning.lesson_desk import LessonDesk
from boardfw.squares import EVERY_SWITCH, SWITCH_BY_NAME, Orientation
from boardfw.terminal.drawn_board import Squares
from boardfw.terminal.lesson import LessonBoard
from boardfw.terminal.talk import Talk
from docs.draw_terminal import screen_of
from docs.drawing.pages import write
from docs.drawing.picture import picture
from docs.drawing.still import Still
from hardware.clock import VirtualClock
from hardware.sim.board import SimBoard, pieces_of
from hardware.sim.options import SimOptions

PICTURES = Path(__file__).resolve().parent / "pictures"
TOUCH_US = 400_000
"""Between two touches; whatever takes longer says so itself."""


class Moment(NamedTuple):
    """One moment of an exercise.

    ``dance``: a square is touched, which lifts the piece there, or puts down the piece in the
    hand, capturing the one there; a number waits so many milliseconds.
    """

    name: str
    title: str
    key: str
    dance: str
    screen: bool = False
    """Whether the terminal board is drawn, too."""


MOMENTS = (
    Moment("lesson-place", "The white king is asked for", "set_up.with_lights", "2000"),
    Moment(
        "lesson-ripening",
        "An answer ripens",
        "squares.who_stands_there",
        "g1 600 g1 2000 b1 600 b1 600",
    ),
    Moment(
        "lesson-reach",
        "A rook shows its squares",
        "rook.open_board",
        "d5 d4 d4 d3 d3 d2 d2 d1 d1 c5 c5 b5 b5",
        screen=True,
    ),
    Moment("lesson-stars", "Stars for a rook", "rook.stars", "c2 c6 600", screen=True),
    Moment(
        "lesson-all", "One capture is found", "capturing.four_captures", "f3 g4 3000", screen=True
    ),
    Moment(
        "lesson-castling",
        "No castling over an attacked square",
        "castle_not.through_check",
        "e1 c1 2500",
        screen=True,
    ),
    Moment(
        "lesson-verdict",
        "Mate, a draw, or does it go on?",
        "verdicts.no_move_at_all",
        "e4 600 e4 3000",
        screen=True,
    ),
    Moment("lesson-line", "The move of the other side is shown", "en_passant.take_it", "1500"),
    Moment(
        "lesson-shown",
        "After three errors the answer is shown",
        "mate_in_one.two_rooks",
        "b2 b7 800 b7 b2 1500 " * 3 + "4000",
    ),
)


class Room:
    """A simulated board at one exercise, with a hand, a tutor and a screen."""

    def __init__(self, exercise: Exercise) -> None:
        self._clock = VirtualClock()
        options = SimOptions(pieces="box" if exercise.type == "place" else "ready")
        pieces, beside = options.placed(pieces_of(format_fen(exercise.position)))
        board = SimBoard(self._clock, pieces=pieces, beside=beside.elements())
        self.desk = LessonDesk(Tutor(InOrder([exercise])), Settings())
        self._still = Still(board, self._clock, self.desk)
        self._touched = EVERY_SWITCH[0]
        talk = Talk(self._still, self._clock, Player(board, "club", 1))
        self._app = LessonBoard(talk, self.desk, title=exercise.key, sets_up=False, table={})

    def dance(self, steps: str) -> None:
        """Let the hand do this."""
        self._still.go_on(TOUCH_US)
        for step in steps.split():
            if step.isdigit():
                self._still.go_on(int(step) * 1000)
            else:
                self._touched = SWITCH_BY_NAME[step]
                self._app.seat.touch(self._touched)
                self._still.go_on(TOUCH_US)

    def lights(self, title: str) -> str:
        """The SVG text of the board with its lights; a held piece is drawn over its last square."""
        seat = self._app.seat
        over = Orientation.AS_WIRED.square
        pieces = {over(switch): Piece.of(label) for switch, label in seat.pieces.items()}
        hand = (over(self._touched), Piece.of(seat.held[0])) if seat.held else None
        return picture(self.desk.scene, pieces, title, in_hand=hand)

    async def screen(self, steps: str) -> str:
        """The SVG text of the terminal board after a dance, when what pulses is bright."""

        async def dance(_: Pilot[None], __: Squares) -> None:
            self.dance(steps)

        return await screen_of(self._app, self._still, self._clock, dance)


@cache
def course() -> Course:
    """The course of the board. Raises LessonError where a lesson of it cannot be given."""
    found, complaints = load_course()
    if complaints:
        raise LessonError(complaints[0])
    return found


def asked(key: str) -> Exercise:
    """An exercise of the course. Raises LessonError for one that is not there."""
    exercise = course().get(key)
    if exercise is None:
        raise LessonError(f"{key}: there is no such exercise")
    return exercise


def drawn(moment: Moment) -> Iterable[tuple[str, str]]:
    """The names of the pictures of a moment, and their SVG texts."""
    room = Room(asked(moment.key))
    room.dance(moment.dance)
    yield moment.name, room.lights(moment.title)
    if moment.screen:
        yield f"{moment.name}-screen", asyncio.run(Room(asked(moment.key)).screen(moment.dance))


def files() -> dict[Path, str]:
    """Every file that is made here, and its text."""
    return {PICTURES / f"{name}.svg": text for moment in MOMENTS for name, text in drawn(moment)}


if __name__ == "__main__":
    write(files())
