"""The ladder of errors and help: a reason, then a place to look, then the answer itself."""

from __future__ import annotations

from boardfw.learning.judge.answer import Wrong
from boardfw.learning.judge.following import NOT_SHOWN
from boardfw.learning.judge.plies import NOBODY_LEFT
from boardfw.learning.source import GIVEN_UP
from boardfw.squares import ALL, Occupancy, file_of, rank_of, squares_in

NO_ERRORS = (NOT_SHOWN, NOBODY_LEFT)
AREA_FROM = 2
"""From so many errors, or helps, on the place to look is lit."""
SKIP_FROM = 4
"""Whoever asks for help so often goes on without an answer."""


class Ladder:
    """How far one exercise has come down it."""

    def __init__(self, asked_us: int) -> None:
        self.asked_us = asked_us
        self.first_answer_us: int | None = None
        self.errors = 0
        self.helps = 0

    def answered(self, t_us: int) -> None:
        """An answer was given, right or wrong."""
        if self.first_answer_us is None:
            self.first_answer_us = t_us

    def err(self, wrong: Wrong) -> bool:
        """A wrong answer was given; whether it is one of the learner's."""
        if wrong.word in NO_ERRORS:
            return False
        self.answered(wrong.t_us)
        self.errors += 1
        return True

    def give_up(self) -> None:
        """The answer is wanted at once."""
        self.helps = max(self.helps, GIVEN_UP)

    @property
    def shows_area(self) -> bool:
        """Whether the place to look is lit."""
        return max(self.errors, self.helps) >= AREA_FROM

    @property
    def shows_answer(self) -> bool:
        """Whether the answer is lit, until it is given."""
        return max(self.errors, self.helps) >= GIVEN_UP

    @property
    def skips(self) -> bool:
        """Whether the learner would rather go on."""
        return self.helps >= SKIP_FROM


def area_of(squares: Occupancy) -> Occupancy:
    """Where to look: the file or rank of the answer if it is on one, else its quarters."""
    files = {file_of(square) for square in squares_in(squares)}
    ranks = {rank_of(square) for square in squares_in(squares)}
    if squares.bit_count() > 1 and (len(files) == 1 or len(ranks) == 1):
        wanted = files if len(files) == 1 else ranks
        part = file_of if len(files) == 1 else rank_of
        return sum(1 << square for square in squares_in(ALL) if part(square) in wanted)
    quarters = {_quarter(square) for square in squares_in(squares)}
    return sum(1 << square for square in squares_in(ALL) if _quarter(square) in quarters)


def _quarter(square: int) -> tuple[int, int]:
    return file_of(square) // 4, rank_of(square) // 4
