"""Help in one exercise: when it is wanted, how far it has come, what lights show of an answer."""

from __future__ import annotations

from boardfw.learning.judge.base import Answer, Right, Solved, Wrong
from boardfw.learning.judge.line import NOT_SHOWN
from boardfw.learning.judge.plies import NO_PIECE_LEFT
from boardfw.learning.judge.times import HELD_US, HELP_US, first_after
from boardfw.learning.source import GIVEN_UP
from boardfw.rules import Move
from boardfw.rules.reasons import Reason
from boardfw.squares import ALL, Bitboard, Square, file_of, rank_of, squares_in

SILENT_US = 20_000_000
"""After so long without a touch the task is told once more."""
LOST_US = 60_000_000
"""After so long the place to look is lit."""


MISSED_US = 5_000_000
"""A piece that has been away for so long, with nothing touched, may have been forgotten."""
SHORT_US = 3_000_000
"""So long after a touch that was too short for an answer the learner seems to wait for one."""
LEAST_TOUCH_US = 200_000
"""A shorter touch is unintended."""


class Asking:
    """Watches one exercise. ``king``: the piece that asks for help when held; None: no piece."""

    def __init__(self, t_us: int, king: Square | None) -> None:
        self._lifted_us: dict[Square, int] = {}
        self._short_us: int | None = None
        """When a piece was put back that had been lifted for too short a time."""
        self._is_warned = False
        self._king = king
        self._held_since_us: int | None = None
        self._touched_us = t_us
        self._is_told = False
        """Whether the task has been told once more since the last touch."""

    def touched(self, t_us: int, square: Square, *, lifted: bool) -> None:
        """A piece was lifted or put down."""
        self._touched_us, self._is_told = t_us, False
        self._note_touch(t_us, square, lifted=lifted)
        if square == self._king:
            self._held_since_us = t_us if lifted else None

    def _note_touch(self, t_us: int, square: Square, *, lifted: bool) -> None:
        self._short_us = None
        if lifted:
            self._lifted_us[square] = t_us
            return
        held_us = t_us - self._lifted_us.pop(square, t_us)
        if LEAST_TOUCH_US <= held_us < HELD_US:
            self._short_us = t_us

    def touches_too_shortly(self, t_us: int) -> bool:
        """Whether the learner waits for an answer to a touch that was too short; true once."""
        if self._is_warned or self._short_us is None or t_us - self._short_us < SHORT_US:
            return False
        self._is_warned = True
        return True

    def has_forgotten(self, t_us: int) -> bool:
        """Whether nothing was touched for so long that a missing piece counts as forgotten."""
        return t_us - self._touched_us >= MISSED_US

    def wants_help(self, t_us: int) -> bool:
        """Whether the king has been held for long enough; told once for each time it is held."""
        since_us = self._held_since_us
        if since_us is None or t_us - since_us < HELP_US:
            return False
        self._held_since_us = None
        return True

    def is_silent(self, t_us: int) -> bool:
        """Whether the task is to be told once more; true once."""
        if self._is_told or t_us - self._touched_us < SILENT_US:
            return False
        self._is_told = True
        return True

    def is_lost(self, t_us: int) -> bool:
        """Whether nothing has been touched for long."""
        return t_us - self._touched_us >= LOST_US

    def due_us(self, t_us: int) -> int | None:
        """When something of this becomes true."""
        held_us = None if self._held_since_us is None else self._held_since_us + HELP_US
        short_us = None if self._short_us is None or self._is_warned else self._short_us + SHORT_US
        rests = (self._touched_us + rest_us for rest_us in (MISSED_US, SILENT_US, LOST_US))
        return first_after(t_us, held_us, short_us, *rests)


NO_ERRORS = (NOT_SHOWN, NO_PIECE_LEFT)
AREA_FROM = 2
"""From so many errors, or helps, on the place to look is lit."""
SKIP_FROM = 4
"""A learner who asks for help so often goes on without an answer."""


class Ladder:
    """How many errors and helps one exercise has had."""

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


def area_of(squares: Bitboard) -> Bitboard:
    """Where to look: the file or rank of the answer if it is on one, else its quarters."""
    files = {file_of(square) for square in squares_in(squares)}
    ranks = {rank_of(square) for square in squares_in(squares)}
    if squares.bit_count() > 1 and (len(files) == 1 or len(ranks) == 1):
        wanted = files if len(files) == 1 else ranks
        part = file_of if len(files) == 1 else rank_of
        return sum(1 << square for square in squares_in(ALL) if part(square) in wanted)
    quarters = {_quarter(square) for square in squares_in(squares)}
    return sum(1 << square for square in squares_in(ALL) if _quarter(square) in quarters)


def _quarter(square: Square) -> tuple[int, int]:
    return file_of(square) // 4, rank_of(square) // 4


FLASHES_US = 1_200_000
"""Two flashes 0.4 s apart, and a moment."""
REASON_US = 4_000_000
"""A reason stays so long, and longer until the wrong piece is home."""
RING_US = 90_000
"""The wave comes a king's step further in so long."""
RINGS = 7
"""As far as the wave of a solved exercise comes; of one answer among several only the first."""


class Shown:
    """The last answer, at every instant after it."""

    def __init__(self) -> None:
        self._answer: Answer | None = None

    def take(self, answer: Answer) -> None:
        """This has just been answered."""
        self._answer = answer

    def wrong(self, t_us: int) -> Bitboard:
        """The squares of the wrong answer, while the lights show them."""
        answer = self._answer
        if not isinstance(answer, Wrong) or t_us - answer.t_us >= FLASHES_US:
            return 0
        return answer.squares

    def reason(self, t_us: int, *, misplaced: bool) -> Reason | None:
        """Why the answer was wrong, while the lights show it."""
        answer = self._answer
        if not isinstance(answer, Wrong) or (not misplaced and t_us - answer.t_us >= REASON_US):
            return None
        return answer.reason

    def reply(self, t_us: int, *, misplaced: bool) -> Move | None:
        """The move of the other side that shows what is wrong."""
        answer = self._answer
        if not isinstance(answer, Wrong) or (not misplaced and t_us - answer.t_us >= REASON_US):
            return None
        return answer.reply

    def wave(self, t_us: int) -> tuple[Square, int] | None:
        """From where, and how far, the light of a right answer has come."""
        answer = self._answer
        if not isinstance(answer, Right | Solved):
            return None
        ring = (t_us - answer.t_us) // RING_US
        most = 0 if isinstance(answer, Right) else RINGS
        return (answer.square, ring) if ring <= most else None

    def due_us(self, t_us: int) -> int | None:
        """When the lights of it change."""
        answer = self._answer
        if isinstance(answer, Wrong):
            return first_after(t_us, answer.t_us + FLASHES_US, answer.t_us + REASON_US)
        if not isinstance(answer, Right | Solved):
            return None
        ring = (t_us - answer.t_us) // RING_US
        return answer.t_us + (ring + 1) * RING_US if ring <= RINGS else None
