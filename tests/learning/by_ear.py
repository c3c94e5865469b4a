"""A learner that reads only the log: every line as it is printed, and no light.

It understands what is asked, and knows the answer as any pupil does; which answers were right,
which move is to be made for the other side, which pieces come next and which go home, it has from
the words alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from boardfw.learning.lesson import Kind, Lesson, Told
from boardfw.learning.task import Play
from boardfw.players.answering import Heard
from boardfw.players.lesson_player import Learner
from boardfw.squares import BY_NAME, Occupancy, Square, occupancy_of

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
    _asked: Occupancy = 0
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
            self._asked = occupancy_of(named(found[3]))
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
