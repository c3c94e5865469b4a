"""One exercise that is being asked: its judge, its ladder of help, and what is told of both."""

from __future__ import annotations

from collections.abc import Sequence

from boardfw.game.view import View
from boardfw.inference.planner import Step, plan
from boardfw.learning.course import Exercise
from boardfw.learning.hints import Asking, Ladder, Shown, area_of
from boardfw.learning.judge.base import (
    Answer,
    Captured,
    Marks,
    Misplaced,
    Right,
    Unsure,
    Wrong,
    YourTurn,
)
from boardfw.learning.judge.factory import judge_of
from boardfw.learning.judge.place import PlaceJudge
from boardfw.learning.judge.plies import PlyJudge
from boardfw.learning.judge.times import WRONG_US, first_after
from boardfw.learning.lesson import Kind, Lesson, Phase, Result, Told
from boardfw.learning.sentences import (
    NO_MOVE_ASKED,
    UNSURE,
    ask,
    ask_again,
    first_off,
    found,
    led_home,
    refused,
    shown,
    to_carry,
    to_exchange,
    to_make,
    to_put,
)
from boardfw.learning.task import Line, Play, Reach
from boardfw.rules import Move
from boardfw.rules.board import COLOR_NAMES, KING, SIDE, Placement, kept
from boardfw.squares import Bitboard, Square, only_in

BREATH_US = 1_400_000
"""The king of the side to move breathes for so long when a move is asked for."""
BREATHES = ("move", "all", "line")
TOUCHED = ("touch", "verdict")
"""Types of tasks that are answered by lifting pieces and putting them back."""
STANDING = ("find", "touch", "reach")
"""Types of tasks in which pieces that are off the board for long have been forgotten."""


class ExerciseAttempt:
    """``standing``: squares of the game that are occupied as it begins; ``dead``: those of switches
    that tell nothing. ``told``: what was said."""

    def __init__(
        self, exercise: Exercise, standing: Bitboard, t_us: int, dead: Bitboard = 0
    ) -> None:
        self.exercise = exercise
        self.result: Result | None = None
        """The result; None: it is still asked."""
        self.told: list[Told] = []
        self._judge = judge_of(exercise, standing, t_us, dead)
        self._ladder = Ladder(t_us)
        self._asking = Asking(t_us, self._helping_king())
        self._shown = Shown()
        self._began_us = self._asked_us = t_us
        """When the learner was asked last: at the beginning, and after a ply of the other side."""
        self._played: tuple[Move, ...] = ()
        self._tried: list[Move] = []
        self._say(t_us, Kind.ASK, ask(exercise))
        self._named: tuple[Bitboard, Bitboard] | None = None
        """The move of the other side that was told last, as the lights show it."""
        self._name_shown(t_us)
        self._carried = ""
        """What was told last of the piece that is to be put somewhere, and where."""
        self._led_to: Square | None = None
        """The square on which to put that piece; None: it is to be taken off, or there is none."""
        self._put: Bitboard = 0
        """The squares of the type of pieces that was named last."""

    def _helping_king(self) -> Square | None:
        """The own king asks for help when it is held, unless it is one of the answers."""
        king = self.exercise.position.king(self.exercise.you)
        return None if self._judge.answering() >> king & 1 else king

    # --- what the hands do

    def feed(self, t_us: int, square: Square, *, closed: bool) -> None:
        """A switch has settled."""
        self._asking.touched(t_us, square, lifted=not closed)
        self._judge.feed(t_us, square, closed=closed)

    def follow(self, moves: Sequence[Move], *, is_exchanged: bool = False) -> None:
        """The moves played since the exercise began; ``is_exchanged``: as of ``Judge.follow``."""
        self._played = tuple(moves)
        self._judge.follow(moves, is_exchanged=is_exchanged)

    def is_home_since(self, since_us: int, t_us: int) -> bool:
        """Whether something was touched since then, and now all pieces rest as after the plies
        that count."""
        return isinstance(self._judge, PlyJudge) and self._judge.is_home_since(since_us, t_us)

    @property
    def counted(self) -> tuple[Move, ...]:
        """The plies that count, where some are played."""
        return self._judge.counted if isinstance(self._judge, PlyJudge) else ()

    def let_count(self, t_us: int) -> None:
        """The learner says that the set-up counts as it stands."""
        if isinstance(self._judge, PlaceJudge):
            self._judge.let_count()
            self.wait(t_us)

    def forget(self) -> None:
        """It is unknown what the hands do now: what they have touched is no answer."""
        self._judge.forget()

    def wait(self, t_us: int) -> None:
        """Time has passed."""
        if self.result is not None:
            return
        for answer in self._judge.judge(t_us):
            self._take(t_us, answer)
        if self.result is not None:
            return
        self._name_shown(t_us)
        self._name_carried(t_us)
        if self._asking.wants_help(t_us):
            self._judge.forget()
            self.help(t_us)
        elif self._may_touch and self._asking.touches_too_shortly(t_us):
            self._say(t_us, Kind.HINT, "Hold it for a second and put it back: then it counts.")
        elif self._asking.is_silent(t_us):
            off = self._off_board(t_us)
            again = ask_again(self.exercise, self.pieces(), off)
            self._say(t_us, Kind.ASK, f"{again} {self._to_carry()}".strip())

    @property
    def _may_touch(self) -> bool:
        """Whether a piece that is lifted and put back is an answer now."""
        return self.exercise.type in TOUCHED and not self._judge.is_misplaced

    def _name_carried(self, t_us: int) -> None:
        """Tell which piece is waited for, and where, once the hands rest."""
        if self._judge.surface.rests_us(t_us) < WRONG_US:
            return
        text, steps = self._to_carry(), self._way_home()
        target = steps[0][1] if steps else None
        # A player who has lifted a piece that was named knows where it goes.
        is_known = target is not None and target == self._led_to
        told, self._carried, self._led_to = self._carried, text, target
        if text != told and not is_known:
            self._say(t_us, Kind.PUT, text)

    def _to_carry(self) -> str:
        """The piece that is waited for, and where, in words; empty if there is none."""
        marks, home = self._judge.marks(), self._judge.home()
        if home and (steps := self._way_home()):
            return to_carry(self._judge.pieces(), home, steps[0])
        if self._judge.is_misplaced and marks.surplus:
            return first_off(marks.surplus)
        if marks.piece is None or not marks.put:
            return ""
        if marks.put & ~self._put:  # another type; of one that is half set up the rest is known
            self._put = marks.put
        is_exchange = not marks.put & ~self._judge.surface.standing
        return (to_exchange if is_exchange else to_put)(marks.piece, self._put)

    def _name_shown(self, t_us: int) -> None:
        """Say the move that the lights show, for a learner who cannot see them."""
        if not isinstance(self.exercise.task, Line | Play):
            return
        marks = self._judge.marks()
        shown_now = (marks.asked, marks.put) if marks.asked and marks.put else None
        if shown_now != self._named:
            self._named = shown_now
            if shown_now is not None:
                origin, target = map(only_in, shown_now)
                self._say(t_us, Kind.ASK, to_make(self.pieces(), origin, target))

    def help(self, t_us: int) -> None:
        """A hint, then another one, then the answer; asked once more, the exercise is skipped."""
        if self._judge.is_misplaced and (wrong := self._judge.marks().surplus):
            self._say(t_us, Kind.HINT, first_off(wrong))
            return
        self._ladder.helps += 1
        words = self.exercise.words
        if self._ladder.skips:
            self.skip(t_us)
        elif self._ladder.shows_answer:
            self._say(t_us, Kind.SHOWN, shown(self._judge.solution()))
        else:
            hint = words.hint2 if self._ladder.shows_area else words.hint1
            self._say(t_us, Kind.HINT, f"{ask(self.exercise)} {hint}".strip())

    def give_up(self, t_us: int) -> None:
        """The answer is shown until it is given."""
        self._ladder.give_up()
        self._say(t_us, Kind.SHOWN, shown(self._judge.solution()))

    def skip(self, t_us: int) -> None:
        """Go on without an answer."""
        self._say(t_us, Kind.SKIPPED, "This one is left for another time.")
        self.result = self._result(t_us, is_solved=False)

    # --- answers

    def _take(self, t_us: int, answer: Answer) -> None:
        self._shown.take(answer)
        if isinstance(answer, YourTurn):
            self._asked_us = t_us
            self._say(t_us, Kind.ASK, f"Now you: {COLOR_NAMES[self.exercise.you]} to move.")
            return
        if isinstance(answer, Misplaced):
            self._say(t_us, Kind.HINT, led_home(answer))
            return
        if isinstance(answer, Captured):
            self._say(t_us, Kind.HINT, NO_MOVE_ASKED)
            return
        if isinstance(answer, Unsure):
            self._say(t_us, Kind.HINT, UNSURE)
            return
        if isinstance(answer, Wrong):
            self._refuse(t_us, answer)
            return
        self._ladder.answered(answer.t_us)
        if isinstance(answer, Right):
            self._say(t_us, Kind.RIGHT, found(self.exercise, answer))
            return
        self._say(t_us, Kind.SOLVED, self.exercise.words.solved)
        self.result = self._result(t_us, is_solved=True, moves=answer.moves)

    def _refuse(self, t_us: int, wrong: Wrong) -> None:
        remark = None if wrong.move is None else self.exercise.remarks.get(wrong.move)
        is_error = (remark is None or remark.is_error) and self._ladder.err(wrong)
        if is_error and wrong.move is not None:
            self._tried.append(wrong.move)
        self._say(t_us, Kind.WRONG, remark.text if remark else refused(wrong))
        if is_error and self._ladder.shows_answer:
            self._say(t_us, Kind.SHOWN, shown(self._judge.solution()))
        elif is_error and self._ladder.shows_area:
            self._say(t_us, Kind.HINT, self.exercise.words.hint2)

    def _result(self, t_us: int, *, is_solved: bool, moves: int = 0) -> Result:
        ladder = self._ladder
        return Result(
            self.exercise,
            ladder.asked_us,
            ladder.first_answer_us,
            ladder.errors,
            ladder.helps,
            is_solved,
            t_us,
            moves,
            self._played,
            tuple(self._tried),
        )

    def _say(self, t_us: int, kind: Kind, text: str) -> None:
        if text:
            self.told.append(Told(t_us, kind, text, self.exercise))

    # --- what others may see

    def pieces(self) -> Placement:
        """The placement as far as it is known; only true of occupied squares."""
        return self._judge.pieces()

    @property
    def dead(self) -> Bitboard:
        """Switches that tell nothing, as far as is known now."""
        return self._judge.surface.dead

    def due_us(self, t_us: int) -> int | None:
        """When time alone may change something."""
        if self.result is not None:
            return self._shown.due_us(t_us)
        dues = (part.due_us(t_us) for part in (self._judge, self._asking, self._shown))
        rests_us = self._judge.surface.changed_us + WRONG_US
        return first_after(t_us, *dues, rests_us, self._asked_us + BREATH_US)

    def lesson(self, t_us: int, phase: Phase, game: View) -> Lesson:
        """How it looks at an instant."""
        is_asked, judge = self.result is None, self._judge
        marks, wrong = judge.marks() if is_asked else Marks(), self._shown.wrong(t_us)
        if wrong and self.exercise.type == "find":
            marks = marks._replace(surplus=0)  # first that it is wrong, then that it is lifted
        solution = judge.solution() if is_asked and self._ladder.shows_answer else None
        is_lost = self._ladder.shows_area or self._asking.is_lost(t_us)
        return Lesson(
            phase=phase,
            game=game,
            exercise=self.exercise,
            marks=marks,
            may_ask=self.exercise.lights or bool(self._ladder.errors),
            wrong=wrong,
            reason=self._shown.reason(t_us, misplaced=judge.is_misplaced),
            reply=self._shown.reply(t_us, misplaced=judge.is_misplaced),
            way_home=self._way_home(),
            missing=self._missing(t_us),
            area=self._area(judge.solution()) if is_asked and is_lost and not solution else 0,
            solution=solution,
            who_moves=self._breathing_king(t_us),
            wave=self._shown.wave(t_us),
        )

    def _missing(self, t_us: int) -> Bitboard:
        """Squares whose pieces are off the board and seem not to be held."""
        position = self.exercise.position
        standing = self._judge.surface.seen(position.occupied)
        missing = position.occupied & ~standing
        if isinstance(self.exercise.task, Reach):
            missing &= ~(1 << self.exercise.task.origin)
        is_gone = missing.bit_count() > (standing & ~position.occupied).bit_count()
        is_over = self.result is not None or self.exercise.type not in STANDING
        return missing if is_gone and not is_over and self._asking.has_forgotten(t_us) else 0

    def _off_board(self, t_us: int) -> Bitboard:
        """Squares whose pieces are off the board, in words: lights would say to put a piece there,
        and that may be how the pieces there are to be captured."""
        return self._judge.taken_off if isinstance(self._judge, PlyJudge) else self._missing(t_us)

    def _breathing_king(self, t_us: int) -> Square | None:
        """The king of the side to move, for one breath, where a move is asked for."""
        is_new = t_us - self._asked_us < BREATH_US
        if not is_new or self.exercise.type not in BREATHES:
            return None
        is_first = self._asked_us == self._began_us
        color = self.exercise.position.turn if is_first else self.exercise.you
        pieces = self._judge.pieces()
        return only_in(pieces[KING] & pieces[SIDE[color]])

    def _area(self, solution: Marks) -> Bitboard:
        return area_of(solution.put or solution.asked)

    def _way_home(self) -> tuple[Step, ...]:
        home = self._judge.home()
        if home is None or not self._judge.goes_home:
            return ()
        pieces = self._judge.pieces()
        standing = self._judge.surface.seen(home[SIDE[0]] | home[SIDE[1]])
        known = kept(pieces, standing)
        return plan(known, home, standing & ~(known[0] | known[7]))
