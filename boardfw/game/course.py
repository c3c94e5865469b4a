"""The course of one game, from its start until another begins: what is read, said, and its end.

What was played is computed from the trace: it is what the most credible hypothesis says. When
another game begins is decided in ``setup/game_start.py``.
"""

from __future__ import annotations

from collections.abc import Sequence

from boardfw.game.ending import Ending, automatic_end, is_decision
from boardfw.game.events import Action, Ended, TakenBack
from boardfw.game.mismatch import UNFINISHED_US, Mismatch
from boardfw.game.objection import Objection, objection
from boardfw.game.phase import NEXT, Cause, GamePhase
from boardfw.game.question import Question, contested
from boardfw.game.record import Record
from boardfw.game.recorder import Recorder
from boardfw.game.rest import Rest
from boardfw.game.setup.placing import Placing, pieces_of
from boardfw.game.timekeeper import ClockUse, Pause, Timekeeper
from boardfw.inference.choice import open_until_us
from boardfw.inference.evidence import PATIENCE_US, REST_US, TURNED
from boardfw.inference.hypothesis import Hypothesis
from boardfw.inference.tracker import Tracker
from boardfw.rules import Outcome, Position
from boardfw.rules.move import alike
from boardfw.rules.outcome import flag_fell
from boardfw.sensing.debounce import Blip, Edge
from boardfw.sensing.trace import Trace
from boardfw.squares import HALF_TURN, Occupancy, Square, turned_occupancy

HANDS_OFF_US = 2_000_000
"""Watched at rest for this long to its end, a board shows what was played, and no held piece."""
UNSETTLED_US = 100_000
"""A piece that arrived just before the flag fell may be known only this much later: no switch takes
longer to settle."""
CLOCK_BUTTONS = ("clock_white", "clock_black", "pause")


class Course:
    """One game at the board, and what is thought of it. Times are those of the session."""

    def __init__(
        self,
        record: Record,
        tracker: Tracker,
        phase: GamePhase,
        *,
        final: int | None = None,
        clock: ClockUse | None = None,
        took_us: Sequence[int] = (),
        may_reorient: bool = True,
    ) -> None:
        """``final``: how many plies of the record are final; None for all of them.

        ``took_us``: see ``Timekeeper``. ``may_reorient``: see ``Placing``.
        """
        self.phase = phase
        self.trace = tracker.trace
        """What the switches have done in this game."""
        self.tracker = tracker
        """The rival games that the trace may tell."""
        self.record = record
        self.time = Timekeeper(record, clock, took_us, tracker.trace.t_us)
        self.mismatch = Mismatch()
        self.objection: Objection | None = None
        """Why what stands on the board is no move; None if that cannot be told."""
        self.question = Question()
        self.rest = Rest(tracker.trace.t_us, tracker.best)
        self.ending = Ending()
        self._recorder = Recorder(record, len(record.moves) if final is None else final)
        self._asked_at: GamePhase | None = None
        self._may_reorient = may_reorient
        self.placing = self._place(self.hypothesis.position) if phase is GamePhase.SETUP else None
        """How far the pieces have been set up; None if they stand."""
        tracker.trust(record.moves[: self._recorder.final])
        if record.outcome is not None:
            self.ending.enter(self.hypothesis, record.outcome)

    @classmethod
    def new(
        cls,
        t_us: int,
        start: Position,
        standing: Occupancy,
        *,
        phase: GamePhase,
        orientation: int = 0,
        dead: Occupancy = 0,
        clock: ClockUse | None = None,
    ) -> Course:
        """A game that begins now, the switches ``standing`` closed.

        ``orientation``: which way round the board lies, as of ``Hypothesis``; where the same
        squares are occupied from either side, the first moves may show otherwise. ``dead``:
        switches known to be stuck.
        """
        roots = [Hypothesis.root(start, t_us, orientation=orientation, dead=dead)]
        if start.occupied == turned_occupancy(start.occupied):
            other = orientation ^ HALF_TURN
            roots.append(Hypothesis.root(start, t_us, orientation=other, cost=TURNED, dead=dead))
        tracker = Tracker(roots, Trace(t_us, standing))
        return cls(Record(start, t_us), tracker, phase, clock=clock)

    @property
    def hypothesis(self) -> Hypothesis:
        """The most credible game."""
        return self.tracker.best

    @property
    def final(self) -> int:
        """How many plies of the record are final."""
        return self._recorder.final

    @property
    def stood(self) -> Hypothesis:
        """The game as the board last showed it at rest, or as it became final since."""
        return self.rest.last(self.hypothesis, self.record.moves[: self.final])

    def wait_for(self, until_us: int | None) -> bool:
        """As of ``Session``; whether it changed anything."""
        was_us, self._recorder.doubted_until_us = self._recorder.doubted_until_us, until_us or 0
        return self._recorder.doubted_until_us != was_us

    @property
    def orientation(self) -> int:
        """Which way round the board lies, or is being set up; as of ``Hypothesis``."""
        return self.hypothesis.orientation if self.placing is None else self.placing.orientation

    @property
    def provisional(self) -> bool:
        """Whether the last ply has a rival."""
        return contested(self.tracker)

    @property
    def is_playing(self) -> bool:
        """Whether a change on the board may be a move."""
        return self.phase is not GamePhase.SETUP and not self.ending.is_decided

    @property
    def is_asked(self) -> bool:
        """Whether a new game has been asked for by its button."""
        return self._asked_at is not None

    def deadline_us(self, t_us: int) -> int | None:
        """When the game next has to be told the time; None if never."""
        edge_us = self.rest.edge_us
        due_us: int | None = None
        for time_us in (
            edge_us + REST_US,
            edge_us + UNFINISHED_US,
            edge_us + PATIENCE_US,
            self.tracker.deadline_us,
            self._recorder.deadline_us,
            open_until_us(self.hypothesis, self.trace),
            self._flag_due_us,
        ):
            if time_us is not None and time_us > t_us and (due_us is None or time_us < due_us):
                due_us = time_us
        return due_us

    # --- what the hands do

    def feed(self, known: Edge | Blip) -> None:
        """Take in what a switch did."""
        if isinstance(known, Edge):
            self.rest.before(known.t_us, self.tracker)
            self.ending.touch(known, self.tracker, self.record.moves)
        if self.is_playing and not self.mismatch.extra:
            self.question.touch(known, self.tracker)
        if self.is_playing or self.is_asked:  # asking by mistake loses nothing
            self.tracker.feed(known)
        else:
            self.trace.append(known)
        if self.placing is not None and isinstance(known, Edge):
            self.placing.feed(known, self.trace.now)
        if isinstance(known, Edge):
            self.rest.after(known, self.tracker)

    def follow(self, t_us: int) -> list[Action]:
        """Record what the best hypothesis says now, unless pieces are being set up."""
        return [] if self.rest.is_set_up else self._follow(t_us)

    def _follow(self, t_us: int) -> list[Action]:
        """Record what the best hypothesis says now."""
        if not self.is_playing:
            return []
        plies = len(self.record.moves)
        setting_up = not alike(self.hypothesis.moves, self.record.moves) and self._may_be_no_play(
            t_us
        )
        said = self._recorder.follow(t_us, self.tracker, setting_up=setting_up)
        if alike(self.record.moves, self.hypothesis.moves):
            left = _left_of(plies, said)
            self.time.follow(t_us, self.hypothesis, self._recorder.final, left)
        if self.record.outcome is not None and self.ending.is_undone(self.record.moves):
            self.record.outcome = None
            self._enter_phase(Cause.TAKEN_BACK)
        return said

    def _may_be_no_play(self, t_us: int) -> bool:
        """Whether pieces may be being set up, or the kings about to show the result."""
        in_the_air = self.rest.was_set_up and self.rest.lasts_us(t_us) < REST_US
        return in_the_air or self.ending.is_ending(self.tracker, self.record.moves)

    def wait(self, t_us: int) -> list[Action]:
        """What is to be said because time has passed."""
        if not self.is_playing:
            return []
        self.rest.watch(t_us, self.tracker)
        if self.rest.is_cleared(self.trace.now):
            self.tracker.decide(self.stood)
        self.tracker.wait(t_us)
        said = self.follow(t_us)
        if not self.rest.is_set_up:
            said += self._recorder.finalise(t_us, self.tracker)
        said += self._judge_claim(t_us)
        self.ending.play_on(self.record.moves, self._recorder.final)
        if self.rest.lasts_us(t_us) >= REST_US:
            said += self._end(t_us, self._shown(t_us))
        if self._flag_due_us is not None and t_us >= self._flag_due_us:
            said += self.overstep(t_us, t_us)
        return said + self._watch(t_us)

    def _watch(self, t_us: int) -> list[Action]:
        """Find out whether something stands wrong, or has to be asked."""
        if not self.is_playing:
            return []
        rest_us = self.rest.lasts_us(t_us)
        said = self.mismatch.watch(t_us, rest_us, self.tracker)
        self.objection = objection(rest_us, self.tracker, self.mismatch)
        self.time.pauses_on_mismatch(t_us, bool(self.mismatch.extra))
        is_extra = bool(self.hypothesis.wrong(self.trace.now) & self.trace.now)
        is_handled = is_extra or self.tracker.is_disturbed or self.rest.is_set_up
        if rest_us >= REST_US and not is_handled:
            said += self.question.watch(t_us, self.tracker, self._recorder.final)
        return said

    # --- what players say by buttons

    def press(self, t_us: int, button: str) -> list[Action]:
        """Handle a button that is about this game, not about another."""
        if not self.is_playing or self.ending.stands(self.record.moves):
            return []
        if button.startswith("answer_"):
            self.question.answer(int(button[-1]), self.tracker)
            return self.follow(t_us)
        if button in CLOCK_BUTTONS:
            self.time.press(t_us, button)
            return []
        said, outcome = self.ending.press(t_us, button, self.record, self.hypothesis)
        return said + self._end(t_us, outcome)

    def choose(self, t_us: int, clock: ClockUse | None) -> None:
        """Play with this clock, before the first ply; None for no clock."""
        self.record.control, self.record.ply_times, self.record.clock_sets = None, (), ()
        self.time = Timekeeper(self.record, clock, (), t_us)

    def ask(self, t_us: int) -> bool:
        """Ask for a new game; asked once more it was a mistake, and this one goes on."""
        self.time.hold(t_us, Pause.ASKED, self._asked_at is None)
        if self._asked_at is not None:
            self.phase, self._asked_at = self._asked_at, None
            is_setup = self.phase is GamePhase.SETUP
            self.placing = self._place(self.hypothesis.position) if is_setup else None
            return False
        self._asked_at = self.phase
        self._enter_phase(Cause.ASKED)
        self.placing = self._place(Position.start(), self.hypothesis)
        return True

    def lead(self, t_us: int, put: Square | None = None) -> list[Action]:
        """What is to be said while pieces are set up; see ``Placing.lead``."""
        return [] if self.placing is None else self.placing.lead(t_us, self.trace.now, put)

    def _place(self, position: Position, shown: Hypothesis | None = None) -> Placing:
        """Begin to set up these pieces on a board that shows the game ``shown``."""
        hypothesis, now = self.hypothesis, self.trace.now
        known = pieces_of(shown.position, now, hypothesis.orientation) if shown else None
        may_reorient = self._may_reorient or self.is_asked  # for a new game the board may be turned
        return Placing(
            position,
            now,
            orientation=hypothesis.orientation,
            dead=hypothesis.state.dead,
            known=known,
            may_reorient=may_reorient,
        )

    # --- how it ends

    @property
    def _flag_due_us(self) -> int | None:
        """When it is certain that no piece arrived before the flag fell; None: it does not fall."""
        flag_us = self.time.flag_us
        if flag_us is None:
            return None
        return max(flag_us + UNSETTLED_US, self.rest.edge_us + REST_US)

    def overstep(self, t_us: int, by_us: int) -> list[Action]:
        """End the game on time if a flag has fallen by an instant before now.

        A game that had ended by the rules before that, though not yet said, has ended by them.
        """
        color = self.time.flag_fallen(by_us)
        if color is None or not self.is_playing or automatic_end(self.hypothesis) is not None:
            return []
        return self._end(t_us, flag_fell(color, self.hypothesis.position))

    def _shown(self, t_us: int) -> Outcome | None:
        """How the board, at rest, shows the game to have ended."""
        final = self.record.moves[: self.final]
        return self.ending.shown(t_us, self.tracker, self.rest.stood, final)

    def _judge_claim(self, t_us: int) -> list[Action]:
        """Judge a draw that was claimed with a move, once the move has been made."""
        said, outcome = self.ending.judge_claim(t_us, self.hypothesis, self._recorder.final)
        return said + self._end(t_us, outcome)

    def finish(self, t_us: int) -> list[Action]:
        """The board is no longer watched: believe what time would have made credible."""
        if not self.is_playing:
            return []
        self.rest.watch(t_us, self.tracker)
        if self.rest.is_set_up or self.rest.lasts_us(t_us) < HANDS_OFF_US:
            return self.follow(t_us)  # a piece cleared away, or in a hand, has captured nothing
        self.tracker.conclude(t_us + PATIENCE_US)
        said = self.follow(t_us)
        said += self._end(t_us, self._shown(t_us))
        said += self._recorder.finalise(t_us, self.tracker, waited_us=PATIENCE_US)
        said += self._judge_claim(t_us)
        return said + self.question.watch(t_us, self.tracker, self._recorder.final)

    def close(self, t_us: int, last: Hypothesis) -> list[Action]:
        """Another game begins, and ``last`` tells what was played in this one."""
        said: list[Action] = []
        if not self.ending.is_decided and not self.is_asked:
            # What the hands did since the board last stood was setting up, not play.
            self.tracker.decide(last)
            said = self._follow(t_us) + self._end(t_us, automatic_end(last))
        return (
            said
            + self._recorder.conclude(t_us, self.hypothesis, self.trace)
            + self.mismatch.clear(t_us)
        )

    def _end(self, t_us: int, outcome: Outcome | None) -> list[Action]:
        """End the game; a decision of the players outweighs what the rules said before."""
        if outcome is None or (self.record.outcome is not None and not is_decision(outcome)):
            return []
        said = self._follow(t_us) + self.mismatch.clear(t_us)
        if is_decision(outcome):
            said += self._recorder.conclude(t_us, self.hypothesis, self.trace)
        ended_us = t_us if is_decision(outcome) else self.hypothesis.state.landed_us
        self.time.hold(ended_us, Pause.OVER, True)
        self.ending.enter(self.hypothesis, outcome)
        self.record.outcome = outcome
        self._enter_phase(Cause.ENDED)
        return [*said, Ended(t_us, outcome.result, outcome.termination)]

    def _enter_phase(self, cause: Cause) -> None:
        self.phase = NEXT[self.phase, cause]


def _left_of(plies: int, said: list[Action]) -> int | None:
    """How many of ``plies`` were left when the others had been taken back; None for all."""
    return next((plies - one.plies for one in said if isinstance(one, TakenBack)), None)
