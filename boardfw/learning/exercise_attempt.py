"""One exercise that is being asked: its judge, its ladder of help, and what is told of both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from boardfw.game.view import View
from boardfw.learning.course import Exercise
from boardfw.learning.judge.base import (
    NO_PIECE_LEFT,
    NOT_SHOWN,
    Answer,
    Heard,
    Judge,
    Notice,
    Plies,
    Right,
    Solved,
    Wrong,
    YourTurn,
)
from boardfw.learning.judge.factory import lifts_own_king
from boardfw.learning.judge.touches import WRONG_US
from boardfw.learning.lesson import Kind, Lesson, Marks, Phase, Result, Told
from boardfw.learning.sentences import (
    LEFT,
    LONGER,
    first_off,
    found,
    off_board,
    refused,
    shown,
    to_carry,
    to_exchange,
    to_make,
    to_put,
    your_turn,
)
from boardfw.learning.source import GIVEN_UP
from boardfw.phrase import linked
from boardfw.ports import earliest
from boardfw.rules import Move
from boardfw.rules.board import KING, SIDE, kept
from boardfw.rules.planner import Step, plan
from boardfw.squares import (
    EVERY_SQUARE,
    Bitboard,
    Square,
    bitboard_of,
    file_of,
    only_in,
    rank_of,
    squares_in,
)

SILENT_US = 20_000_000
"""After so long without a touch the task is told once more."""
LOST_US = 60_000_000
"""After so long the place to look is lit."""
MISSED_US = 5_000_000
"""A piece that has been away for so long, with nothing touched, may have been forgotten."""
SHORT_US = 3_000_000
"""So long after a touch that was too short for an answer the learner seems to wait for one."""
HELP_US = 2_000_000
"""The own king is held for so long to ask for help."""
BREATH_US = 1_400_000
"""The king of the side to move breathes for so long when a move is asked for."""


NO_ERRORS = (NOT_SHOWN, NO_PIECE_LEFT)
"""What is wrong, but no error of the learner's."""
AREA_FROM = 2
"""From so many errors, or helps, on the place to look is lit."""
SKIP_FROM = 4
"""A learner who asks for help so often goes on without an answer."""


def area_of(solution: Marks) -> Bitboard:
    """Where to look: the file or rank of the answer if it is on one, else its quarters."""
    squares = [*squares_in(solution.put or solution.asked)]
    lines = (part for part in (file_of, rank_of) if len({*map(part, squares)}) == 1 < len(squares))
    part = next(lines, _quarter)
    wanted = {*map(part, squares)}
    return bitboard_of(square for square in EVERY_SQUARE if part(square) in wanted)


def _quarter(square: Square) -> int:
    return file_of(square) // 4 * 2 + rank_of(square) // 4


FLASHES_US = 1_200_000
"""Two flashes 0.4 s apart, and a moment."""
REASON_US = 4_000_000
"""A reason stays so long, and longer until the wrong piece is home."""
RING_US = 90_000
"""The wave comes a king's step further in so long."""
RINGS = 7
"""As far as the wave of a solved exercise comes; of one answer among several only the first."""


class ExerciseAttempt:
    """``judge``: tells right from wrong. ``told``: what was said."""

    def __init__(self, exercise: Exercise, judge: Judge[Any], t_us: int) -> None:
        self.exercise, self.judge = exercise, judge
        self.result: Result | None = None
        """The result; None: it is still asked."""
        self.told: list[Told] = []
        self._errors = self._helps = 0
        self._first_answer_us: int | None = None
        """When an answer was given first, right or wrong; None: none was."""
        self._answer: Answer | None = None
        """The last answer, which the lights show."""
        self._king = None if lifts_own_king(exercise) else exercise.position.king(exercise.you)
        """The own king, which asks for help when it is held; None: it is one of the answers."""
        self._helped_us: int | None = None
        """Since when the king was away when it asked last; it asks once each time."""
        self._retold_us: int | None = None
        """The last touch after which the task was told once more."""
        self._is_warned = False
        """Whether it was told that a touch was too short; told once."""
        self._began_us = self._asked_us = t_us
        """When the learner was asked last: at the beginning, and after a ply of the other side."""
        self._plies: Plies | None = None
        """What was played last, where a game is played."""
        self._tried: list[Move] = []
        self._look = judge.weigh(Heard(t_us, judges=False))
        """What the judge said last."""
        self._ask(t_us, Kind.ASK, "")
        self._named: tuple[Bitboard, Bitboard] | None = None
        """The move of the other side that was told last, as the lights show it."""
        self._name_shown(t_us)
        self._carried = ""
        """What was told last of the piece that is to be put somewhere, and where."""
        self._led_to: Square | None = None
        """The square on which to put that piece; None: it is to be taken off, or there is none."""
        self._put: Bitboard = 0
        """The squares of the type of pieces that was named last."""

    @property
    def _shows_area(self) -> bool:
        """Whether the place to look is lit."""
        return max(self._errors, self._helps) >= AREA_FROM

    @property
    def _shows_answer(self) -> bool:
        """Whether the answer is lit, until it is given."""
        return max(self._errors, self._helps) >= GIVEN_UP

    # --- what the hands do

    def take_in(self, heard: Heard, *, was_seeing: bool = True) -> bool:
        """Time has passed, and this was touched and played; whether the game is to be read again.

        ``was_seeing``: answers may have counted before, so that what was due still is.
        """
        plies = heard.plies or self._plies
        is_new = bool(heard.touched) or plies != self._plies
        if is_new and was_seeing and heard.judges:
            self._take_in(Heard(heard.t_us))
        self._plies = plies
        self._take_in(heard)
        return self._look.is_lost

    def _take_in(self, heard: Heard) -> None:
        if self.result is not None:
            heard = heard._replace(judges=False)
        self._look = self.judge.weigh(heard)
        for answer in self._look.answers:
            self._take(heard.t_us, answer)
        if heard.judges and self.result is None:
            self._speak(heard.t_us)

    def let_count(self, t_us: int) -> None:
        """The learner says that the set-up counts as it stands."""
        if self.judge.let_count():
            self.take_in(Heard(t_us))

    def forget(self, t_us: int) -> None:
        """What has been touched until now is no answer."""
        self.judge.forget()
        self._look = self.judge.weigh(Heard(t_us, judges=False))

    def _speak(self, t_us: int) -> None:
        """Say what has to be said without an answer."""
        self._name_shown(t_us)
        self._name_carried(t_us)
        held_us, touches = self._held_us, self.judge.touches
        if held_us is not None and t_us - held_us >= HELP_US:
            self._helped_us = held_us
            self.forget(t_us)
            self.help(t_us)
        elif (
            (waits_us := self._waits_us) is not None
            and t_us - waits_us >= SHORT_US
            and self.judge.may_touch
            and not self._look.stand.is_misplaced
        ):
            self._is_warned = True
            self._say(t_us, Kind.HINT, LONGER)
        elif t_us - touches.changed_us >= SILENT_US and self._retold_us != touches.changed_us:
            self._retold_us = touches.changed_us
            # In words alone: lights would say to put a piece there, where captures are asked for.
            off = self.judge.taken_off | self._missing(t_us)
            gone = off_board(self._look.stand.pieces, off)
            self._ask(t_us, Kind.ASK, linked((gone, self._to_carry(self._way_home()))))

    @property
    def _held_us(self) -> int | None:
        """Since when the king is held that asks for help; None: it is not, or was heard."""
        since_us = None if self._king is None else self.judge.touches.lifted_us.get(self._king)
        return None if since_us == self._helped_us else since_us

    @property
    def _waits_us(self) -> int | None:
        """Since when the learner may wait for an answer to a touch that was too short."""
        return None if self._is_warned else self.judge.touches.short_us

    def _name_carried(self, t_us: int) -> None:
        """Tell which piece is waited for, and where, once the hands rest."""
        if t_us - self.judge.touches.changed_us < WRONG_US:
            return
        steps = self._way_home()
        text, target = self._to_carry(steps), steps[0][1] if steps else None
        # A player who has lifted a piece that was named knows where it goes.
        is_known = target is not None and target == self._led_to
        told, self._carried, self._led_to = self._carried, text, target
        if text != told and not is_known:
            self._say(t_us, Kind.PUT, text)

    def _to_carry(self, way_home: Sequence[Step]) -> str:
        """The piece that is waited for, and where, in words; empty if there is none."""
        marks, stand = self._look.marks, self._look.stand
        if stand.home and way_home:
            return to_carry(stand.pieces, stand.home, way_home[0])
        if stand.is_misplaced and marks.surplus:
            return first_off(marks.surplus)
        if marks.piece is None or not marks.put:
            return ""
        if marks.put & ~self._put:  # another type; of one that is half set up the rest is known
            self._put = marks.put
        is_exchange = not marks.put & ~self.judge.touches.standing
        return (to_exchange if is_exchange else to_put)(marks.piece, self._put)

    def _name_shown(self, t_us: int) -> None:
        """Say the move that the lights show, for a learner who cannot see them."""
        marks = self._look.marks
        shown_now = (marks.asked, marks.put) if marks.asked and marks.put else None
        if shown_now != self._named:
            self._named = shown_now
            if shown_now is not None:
                origin, target = map(only_in, shown_now)
                self._say(t_us, Kind.ASK, to_make(self._look.stand.pieces, origin, target))

    @property
    def hints_left(self) -> int:
        """How often help may be asked for until the answer is shown."""
        return max(0, GIVEN_UP - self._helps)

    def help(self, t_us: int) -> None:
        """A hint, then another one, then the answer; asked once more, the exercise is skipped."""
        if self._look.stand.is_misplaced and (wrong := self._look.marks.surplus):
            self._say(t_us, Kind.HINT, first_off(wrong))
            return
        self._helps += 1
        words = self.exercise.words
        if self._helps >= SKIP_FROM:
            self.skip(t_us)
        elif self._shows_answer:
            self._say(t_us, Kind.SHOWN, shown(self.judge.solution()))
        else:
            hint = words.hint2 if self._shows_area else words.hint1
            self._ask(t_us, Kind.HINT, hint)

    def give_up(self, t_us: int) -> None:
        """The answer is shown until it is given."""
        self._helps = max(self._helps, GIVEN_UP)
        self._say(t_us, Kind.SHOWN, shown(self.judge.solution()))

    def skip(self, t_us: int) -> None:
        """Go on without an answer."""
        self._say(t_us, Kind.SKIPPED, LEFT)
        self.result = self._result(t_us, is_solved=False)

    # --- answers

    def _take(self, t_us: int, answer: Answer) -> None:
        self._answer = answer
        if isinstance(answer, Right | Solved):
            self._answered(answer.t_us)
        match answer:
            case YourTurn():
                self._asked_us = t_us
                self._say(t_us, Kind.ASK, your_turn(self.exercise.you))
            case Notice(_, text):
                self._say(t_us, Kind.HINT, text)
            case Wrong():
                self._refuse(t_us, answer)
            case Right():
                self._say(t_us, Kind.RIGHT, found(self.exercise, answer))
            case Solved():
                self._say(t_us, Kind.SOLVED, self.exercise.words.solved)
                self.result = self._result(t_us, is_solved=True, moves=answer.moves)

    def _refuse(self, t_us: int, wrong: Wrong) -> None:
        remark = None if wrong.move is None else self.exercise.remarks.get(wrong.move)
        is_error = (remark is None or remark.is_error) and wrong.text not in NO_ERRORS
        if is_error:
            self._answered(wrong.t_us)
            self._errors += 1
        if is_error and wrong.move is not None:
            self._tried.append(wrong.move)
        self._say(t_us, Kind.WRONG, remark.text if remark else refused(wrong))
        if is_error and self._shows_answer:
            self._say(t_us, Kind.SHOWN, shown(self.judge.solution()))
        elif is_error and self._shows_area:
            self._say(t_us, Kind.HINT, self.exercise.words.hint2)

    def _answered(self, t_us: int) -> None:
        if self._first_answer_us is None:
            self._first_answer_us = t_us

    def _result(self, t_us: int, *, is_solved: bool, moves: int = 0) -> Result:
        return Result(
            self.exercise,
            self._began_us,
            self._first_answer_us,
            self._errors,
            self._helps,
            is_solved,
            t_us,
            moves,
            self._plies.moves if self._plies else (),
            tuple(self._tried),
        )

    def _ask(self, t_us: int, kind: Kind, beside: str) -> None:
        """Say the task, and this behind it."""
        if text := linked((self.exercise.words.say, beside)):
            self.told.append(Told(t_us, kind, text, self.exercise, beside))

    def _say(self, t_us: int, kind: Kind, text: str) -> None:
        if text:
            self.told.append(Told(t_us, kind, text, self.exercise))

    # --- what others may see

    def due_us(self, t_us: int) -> int | None:
        """When time alone may change something."""
        lit_us = self._lights_due_us(t_us)
        if self.result is not None:
            return lit_us
        held_us, waits_us, changed_us = self._held_us, self._waits_us, self.judge.touches.changed_us
        return earliest(
            self.judge.due_us(t_us),
            lit_us,
            None if held_us is None else held_us + HELP_US,
            None if waits_us is None else waits_us + SHORT_US,
            *(changed_us + rest_us for rest_us in (WRONG_US, MISSED_US, SILENT_US, LOST_US)),
            self._asked_us + BREATH_US,
            after_us=t_us,
        )

    def _lights_due_us(self, t_us: int) -> int | None:
        """When the lights of the last answer change."""
        answer = self._answer
        if isinstance(answer, Wrong):
            return earliest(answer.t_us + FLASHES_US, answer.t_us + REASON_US, after_us=t_us)
        if not isinstance(answer, Right | Solved):
            return None
        ring = (t_us - answer.t_us) // RING_US
        return answer.t_us + (ring + 1) * RING_US if ring <= RINGS else None

    def lesson(self, t_us: int, phase: Phase, game: View) -> Lesson:
        """How it looks at an instant."""
        is_asked, judge = self.result is None, self.judge
        marks, answer = self._look.marks if is_asked else Marks(), self._answer
        wrong = answer if isinstance(answer, Wrong) else None
        flashes = wrong.squares if wrong and t_us - wrong.t_us < FLASHES_US else 0
        if wrong and not self._look.stand.is_misplaced and t_us - wrong.t_us >= REASON_US:
            wrong = None
        if flashes and not judge.sets_up:
            marks = marks._replace(surplus=0)  # first that it is wrong, then that it is lifted
        solution = judge.solution() if is_asked and self._shows_answer else None
        is_lost = self._shows_area or t_us - judge.touches.changed_us >= LOST_US
        return Lesson(
            phase=phase,
            game=game,
            exercise=self.exercise,
            marks=marks,
            plays_on=judge.plays_on,
            may_ask=self.exercise.lights or bool(self._errors),
            wrong=flashes,
            reason=wrong.reason if wrong else None,
            reply=wrong.reply if wrong else None,
            way_home=self._way_home(),
            missing=self._missing(t_us),
            area=area_of(judge.solution()) if is_asked and is_lost and not solution else 0,
            solution=solution,
            who_moves=self._breathing_king(t_us),
            wave=self._wave(t_us),
        )

    def _wave(self, t_us: int) -> tuple[Square, int] | None:
        """From where, and how far, the light of a right answer has come."""
        answer = self._answer
        if not isinstance(answer, Right | Solved):
            return None
        ring = (t_us - answer.t_us) // RING_US
        most = 0 if isinstance(answer, Right) else RINGS
        return (answer.square, ring) if ring <= most else None

    def _missing(self, t_us: int) -> Bitboard:
        """Squares whose pieces are off the board and seem not to be held."""
        touches = self.judge.touches
        if self.result is not None or t_us - touches.changed_us < MISSED_US:
            return 0
        missing = touches.gone & self.judge.stays
        return missing if missing.bit_count() > touches.come.bit_count() else 0

    def _breathing_king(self, t_us: int) -> Square | None:
        """The king of the side to move, for one breath, where a move is asked for."""
        is_new = t_us - self._asked_us < BREATH_US
        if not is_new or not self.judge.names_mover:
            return None
        is_first = self._asked_us == self._began_us
        color = self.exercise.position.turn if is_first else self.exercise.you
        pieces = self._look.stand.pieces
        return only_in(pieces[KING] & pieces[SIDE[color]])

    def _way_home(self) -> tuple[Step, ...]:
        pieces, home, _ = self._look.stand
        if home is None:
            return ()
        standing = self.judge.touches.seen
        known = kept(pieces, standing)
        return plan(known, home, standing & ~(known[0] | known[7]))
