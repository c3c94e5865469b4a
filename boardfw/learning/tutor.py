"""The tutor: events in; actions, sentences and lesson views out; as sans-IO as a session.

For each exercise the pieces are set up, led by a session that knows the placement. Then an attempt
asks until everything is answered: plies are read by that session, other answers straight from the
switches.
"""

from __future__ import annotations

from collections.abc import Callable

from boardfw.game.build_view import look
from boardfw.game.events import Action, Dropped, Event, Lifted, Outage, Restored, Tick
from boardfw.game.help import ALIKE, Help
from boardfw.game.help_policy import HelpPolicy
from boardfw.game.phase import Playing, SettingUp
from boardfw.game.record import Record
from boardfw.game.recorder import Recorder
from boardfw.game.session import Session
from boardfw.game.setup.planned_game import KnownSetup, Unfinished
from boardfw.inference.choice import is_exchanged
from boardfw.learning.course import Exercise
from boardfw.learning.exercise_attempt import ExerciseAttempt
from boardfw.learning.judge.base import Heard, Plies
from boardfw.learning.judge.factory import judge_of, judges
from boardfw.learning.lesson import Kind, Lesson, Phase, Result, Told
from boardfw.learning.sentences import LEFT_OUT, STANDS_ALREADY, setting_up, silent
from boardfw.learning.source import Source
from boardfw.phrase import linked
from boardfw.ports import earliest
from boardfw.recording import Press, Scan
from boardfw.rules import Move
from boardfw.rules.board import Placement, piece_at
from boardfw.sensing.debounce import SETTLE_US, Debounce, Edge
from boardfw.squares import (
    NO_SWITCHES,
    Bitboard,
    Occupancy,
    Orientation,
    squares_in,
    switches_in,
)


class Switches:
    """Takes the events that a ``Session`` takes, and answers what its switches did."""

    def __init__(self, standing: Occupancy, settle_us: int, orientation: Orientation) -> None:
        self._debounce = Debounce(standing, settle_us)
        self._orientation = orientation
        self._blind = False

    def handle(self, event: Event) -> list[Action]:
        """Take one event."""
        if isinstance(event, Outage | Restored):
            self._blind = isinstance(event, Outage)
            return [event]
        if isinstance(event, Scan):
            known = self._debounce.feed(event.t_us, event.occupancy, event.since_us)
        else:
            known = [] if self._blind else self._debounce.advance(event.t_us)
        return [
            (Dropped if edge.closed else Lifted)(event.t_us, self._orientation.square(edge.switch))
            for edge in known
            if isinstance(edge, Edge)
        ]

    @property
    def deadline_us(self) -> int | None:
        """When something will have settled."""
        return None if self._blind else self._debounce.deadline_us


def _touched(t_us: int, said: list[Action]) -> Heard:
    """The squares that were touched, and whether a piece was put down there."""
    touched = (action for action in said if isinstance(action, Lifted | Dropped))
    return Heard(t_us, [(action.square, isinstance(action, Dropped)) for action in touched])


NEXT_US = 2_500_000
SOON_US = 300_000
"""The next exercise begins so long after one is solved: time for its light and its sentence, if it
has one."""

NO_HELP = Help(level=0), Help(level=0)
HEARD = ("pause", "answer_1", "answer_2", "answer_3", "answer_4")
"""Buttons of games that mean something in a lesson: the set-up counts, or which ply it was."""
LEGAL_MOVES = ALIKE
"""Where a piece may go is shown only where a game is played out; elsewhere that is the answer."""


class Tutor:
    """One board at lessons. Feed events in the order of time; collect what it answers."""

    def __init__(
        self, source: Source, settle_us: int = SETTLE_US, stood: KnownSetup | None = None
    ) -> None:
        """``stood``: what is known of the pieces on the board; None: nothing is."""
        self._source = source
        self._stood_before = stood
        self.first = source.next(None)
        """The first exercise, known before the board is; None: there is none."""
        self._settle_us = settle_us
        self.t_us = 0
        """Time of the newest event."""
        self.phase = Phase.SETUP
        self.session = Session(settle_us=settle_us)
        """Sets up the pieces and reads plies; a new session for each exercise."""
        self.exercise: Exercise | None = None
        self.results: list[Result] = []
        """The results of the exercises so far."""
        self._raw: Occupancy | None = None
        self._is_blind = False
        """Some switches cannot be read, or have not been read again yet: nothing is judged."""
        self._sees_us = 0
        """When what has changed while the board was not read has settled, and is known."""
        self._orientation = Orientation.AS_WIRED
        self._passed_on = NO_SWITCHES
        """The settled switches that the attempt knows of."""
        self._attempt: ExerciseAttempt | None = None
        self._switches: Switches | None = None
        self._next_us: int | None = None
        self._dead: Bitboard = 0
        """Squares of which it was said that their switches tell nothing."""
        self._told: list[Told] = []
        self._no_help, self._legal_moves = HelpPolicy(NO_HELP), HelpPolicy(LEGAL_MOVES)

    @property
    def is_over(self) -> bool:
        """True if there is no further exercise."""
        return self.phase is Phase.OVER

    # --- events in

    def handle(self, event: Event) -> list[Action]:
        """Take one event; returns what the board itself has to say of it."""
        was_seeing = self._is_seeing
        self.t_us = max(self.t_us, event.t_us)
        if isinstance(event, Outage | Restored):
            return self._see(event)
        if isinstance(event, Scan):
            self._is_blind = bool(self.session.blind)
            is_first, self._raw = self._raw is None, event.occupancy
            if event.since_us is not None:
                self._sees_us = self.t_us + self._settle_us
            if is_first:
                return self._go_on(None)
        if self._raw is None or self.phase is Phase.OVER:
            return []
        if isinstance(event, Press) and event.button == "hint":
            self.help()
            return []
        if isinstance(event, Press) and event.button == "pause" and self._attempt:
            self._attempt.let_count(self.t_us)
            self._name(self._attempt.judge.touches.dead)
        if isinstance(event, Press) and event.button not in HEARD:
            event = Tick(event.t_us)  # a lesson is not resigned, and no other game begins in it
        return self._hear(event, was_seeing=was_seeing)

    def help(self) -> None:
        """The learner asks for help by a button or a word."""
        if self.phase is Phase.SETUP and self.exercise:
            self._tell(Kind.HINT, STANDS_ALREADY)
        self._let(ExerciseAttempt.help)

    def show(self) -> None:
        """The learner gives up, and wants to see the answer."""
        self._let(ExerciseAttempt.give_up)

    def skip(self) -> None:
        """The learner asks for the next exercise."""
        if self.phase is Phase.SETUP and self.exercise is not None:
            self._leave(self.exercise)
        self._let(ExerciseAttempt.skip)

    def _let(self, act: Callable[[ExerciseAttempt, int], None]) -> None:
        """What the learner wants of what is asked now."""
        if self.phase is Phase.ASKED and self._attempt:
            act(self._attempt, self.t_us)
            self._collect(self._attempt)

    def _leave(self, exercise: Exercise, *, was_asked: bool = True) -> None:
        """Go on without an attempt."""
        now_us = self.t_us
        self._end(Result(exercise, now_us, None, 0, 0, False, now_us, was_asked=was_asked))

    def told(self) -> list[Told]:
        """What has been said in words since this was asked last."""
        told, self._told = self._told, []
        return told

    def _see(self, event: Outage | Restored) -> list[Action]:
        """The switches cannot be read, or can again. A half-given answer does not count."""
        self._is_blind = True
        if self._attempt:
            self._attempt.forget(self.t_us)
        if self._switches:
            self._switches.handle(event)
        return self.session.handle(event)

    def _hear(self, event: Event, *, was_seeing: bool) -> list[Action]:
        if self._is_blind:
            return []
        said = (self._switches or self.session).handle(event)
        if self._attempt:
            self._pass_on(said, self._attempt, was_seeing=was_seeing)
        elif self.phase is Phase.SETUP and not isinstance(self.session.phase, SettingUp):
            self._ask()
        if self._next_us is not None and self.t_us >= self._next_us:
            said += self._go_on(self.results[-1])
        return said

    def _pass_on(self, said: list[Action], attempt: ExerciseAttempt, *, was_seeing: bool) -> None:
        heard = self._read() if self._switches is None else _touched(self.t_us, said)
        heard = heard._replace(judges=self._is_seeing)
        if attempt.take_in(heard, was_seeing=was_seeing):
            counted = attempt.judge.counted
            self._read_again(counted)
            attempt.take_in(Heard(self.t_us, (), Plies(counted), heard.judges), was_seeing=False)
        self._collect(attempt)

    def _read(self) -> Heard:
        """What the session has read; of the touches what the switches did, and not what it says of
        them: for a moment it may take the board for turned round."""
        course, before, squares = self.session.course, self._passed_on, self._orientation.squares
        self._passed_on = settled = course.read.standing
        now = squares(settled)
        changed = squares(settled ^ before) if settled != before else 0
        touched = [(square, bool(now >> square & 1)) for square in squares_in(changed)]
        game = course.reader.tracker.best
        is_promotion = bool(game.moves and game.moves[-1].promotion)
        has_exchanged = is_promotion and is_exchanged(game, course.reader.trace)
        is_over = not isinstance(course.phase, Playing)
        return Heard(self.t_us, touched, Plies(course.record.moves, has_exchanged, is_over))

    def _read_again(self, counted: tuple[Move, ...]) -> None:
        """The game goes on from the plies that count."""
        kept = Record(self.session.record.start, 0)
        Recorder(kept).change(0, counted)
        self.session = Session(
            kept.start, self._settle_us, Unfinished(kept, orientation=self._orientation)
        )
        self.session.handle(Scan(self.t_us, self._raw or NO_SWITCHES))

    @property
    def _is_seeing(self) -> bool:
        return self.t_us >= self._sees_us

    def _collect(self, attempt: ExerciseAttempt) -> None:
        """Hear what the attempt says, and whether it is over."""
        self._told += attempt.told
        attempt.told.clear()
        if attempt.result is not None and self.phase is Phase.ASKED:
            self._end(attempt.result)

    def _end(self, result: Result) -> None:
        self.phase = Phase.SOLVED
        self.results.append(result)
        pause_us = NEXT_US if result.exercise.words.solved else SOON_US
        self._next_us = self.t_us + (pause_us if result.is_solved else 1)

    # --- one exercise after the other

    def _go_on(self, last: Result | None) -> list[Action]:
        stood = self._stood_before or self.known_setup()
        self._stood_before = None
        self._attempt = self._switches = self._next_us = None
        self.exercise = self.first if last is None else self._source.next(last)
        if self.exercise is None:
            self.phase = Phase.OVER
            self._tell(Kind.OVER, linked((self._source.closing(), "That is all for now.")))
            return []
        self.phase = Phase.SETUP
        self.session = Session(self.exercise.position, self._settle_us, stood=stood)
        said = self.session.handle(Scan(self.t_us, self._raw or NO_SWITCHES))
        if not isinstance(self.session.phase, SettingUp) or judges(self.exercise).sets_up:
            self._ask()
        else:
            self._tell(Kind.SETUP, setting_up(self.exercise.position))
        return said

    def _tell(self, kind: Kind, text: str) -> None:
        self._told.append(Told(self.t_us, kind, text, self.exercise))

    def _ask(self) -> None:
        """The pieces stand, or setting them up is the task."""
        if self.exercise is None:
            return
        self._orientation, settled = self.session.course.orientation, self.session.standing
        self._passed_on = settled
        squares = self._orientation.squares
        standing, dead = squares(settled), squares(self.session.stuck.known)
        if not judges(self.exercise).sets_up:
            dead |= standing ^ self.exercise.position.occupied
        judge = judge_of(self.exercise, standing, self.t_us, dead)
        if judge is None:
            self._tell(Kind.SKIPPED, linked((silent(dead), LEFT_OUT)))
            self._leave(self.exercise, was_asked=False)
            return
        self.phase = Phase.ASKED
        if not judge.reads_plies:
            self._switches = Switches(settled, self._settle_us, self._orientation)
        self._name(dead)
        self._attempt = ExerciseAttempt(self.exercise, judge, self.t_us)
        self._collect(self._attempt)

    def _name(self, dead: Bitboard) -> None:
        """Say once of which squares the switches tell nothing."""
        if dead != self._dead:
            self._dead = dead
            self._tell(Kind.HINT, silent(dead))

    def known_setup(self) -> KnownSetup:
        """The placement, as far as the last exercise has told, and switches that tell nothing."""
        attempt, phase, stuck = self._attempt, self.session.phase, self.session.stuck.known
        placement: Placement | None = None
        if attempt:
            orientation, placement = self._orientation, attempt.judge.stand().pieces
            dead = orientation.switches(attempt.judge.touches.dead)
            stuck = dead if self._switches else dead | stuck
        else:  # it was skipped during its set-up: the board may have been turned for it
            orientation = self.session.course.orientation
            if isinstance(phase, SettingUp) and self.exercise:
                placement = phase.placing.known
        if placement is None:
            return KnownSetup(stuck=stuck)
        standing = switches_in(self._raw or NO_SWITCHES)
        found = {s: piece_at(placement, orientation.square(s)) for s in standing}
        pieces = {switch: piece for switch, piece in found.items() if piece is not None}
        return KnownSetup(pieces, orientation, stuck)

    # --- what others may see

    @property
    def hints_left(self) -> int:
        """How often help may be asked for until the answer is shown; 0: nothing is asked."""
        is_asked = self.phase is Phase.ASKED and self._attempt is not None
        return self._attempt.hints_left if is_asked and self._attempt else 0

    @property
    def deadline_us(self) -> int | None:
        """When the tutor wants a ``Tick`` if nothing happens before; None: never."""
        if self.phase is Phase.OVER or self._is_blind:
            return None
        reader_us = (self._switches or self.session).deadline_us
        attempt_us = self._attempt.due_us(self.t_us) if self._attempt else None
        return earliest(reader_us, attempt_us, self._next_us, self._sees_us, after_us=self.t_us)

    def lesson(self) -> Lesson:
        """How everything looks now."""
        plays = self.exercise is not None and judges(self.exercise).plays_on
        game = look(self.session, self._legal_moves if plays else self._no_help)
        if self._attempt is None:
            return Lesson(self.phase, game, self.exercise)
        return self._attempt.lesson(self.t_us, self.phase, game)
