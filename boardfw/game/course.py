"""The course of one game, from its start until another begins: what is read, said, and its end.

What was played is computed from the trace: it is what the most credible hypothesis says.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from boardfw.game.clock import ChessClock, ClockUse
from boardfw.game.ending import Ending, automatic_end, is_decision
from boardfw.game.events import Action, Dropped, Ended, Lifted, TakenBack
from boardfw.game.mismatch import UNFINISHED_US, Mismatch
from boardfw.game.phase import AnyPhase, Over, Playing, SettingUp
from boardfw.game.question import Question
from boardfw.game.record import Record
from boardfw.game.recorder import Recorder
from boardfw.game.rest import HANDS_OFF_US, Rest, came_home, left_home
from boardfw.game.setup.placing import NEARLY, Placing, pieces_of, poor
from boardfw.game.setup.planned_game import PlannedGame, Unfinished
from boardfw.game.timekeeper import Pause, Timekeeper
from boardfw.inference.choice import open_until_us
from boardfw.inference.evidence import PATIENCE_US, REST_US
from boardfw.inference.hypothesis import AwaySide, Hypothesis
from boardfw.inference.kings_result import kings_result
from boardfw.inference.tracker import Tracker
from boardfw.ports import Pressed, earliest
from boardfw.rules import BLACK, WHITE, Outcome, Piece
from boardfw.rules.move import alike, common
from boardfw.rules.outcome import flag_fell, resigned
from boardfw.sensing.debounce import Blip, Edge
from boardfw.sensing.trace import Trace
from boardfw.squares import START, Occupancy, Orientation, Switch

UNSETTLED_US = 100_000
"""A piece that arrived just before the flag fell may be known only this much later: no switch takes
longer to settle."""
PLAYED_ON = 4
"""After this many final plies since an end was taken back, the game goes on; it is no set-up."""
RESIGNATIONS = {"resign_white": WHITE, "resign_black": BLACK}
CLOCK_BUTTONS = {"clock_white": WHITE, "clock_black": BLACK}
ANSWERS: dict[Pressed, int] = {"answer_1": 0, "answer_2": 1, "answer_3": 2, "answer_4": 3}
"""Which of the candidates each button chooses."""


class Course:
    """One game at the board, and what is thought of it. Times are those of the session."""

    def __init__(
        self,
        planned: PlannedGame,
        hypotheses: list[Hypothesis],
        trace: Trace,
        clock: ClockUse | None = None,
        away: AwaySide | None = None,
    ) -> None:
        """A game that begins or goes on now, as one of these hypotheses.

        ``clock``: that of a game that begins; ``away``: the side that is not at the board.
        """
        for hypothesis in hypotheses:
            hypothesis.play_against(away)
        begun = Record(planned.start, trace.t_us, control=clock.control if clock else None)
        game = planned.unfinished or Unfinished(begun, clock=clock)
        self.record = game.record
        self.trace = trace
        """What the switches have done in this game."""
        self.tracker = Tracker(hypotheses, trace)
        """The rival games that the trace may tell."""
        self.recorder = Recorder(self.record, len(self.record.moves) - bool(game.asked))
        self.tracker.trust(self.record.moves[: self.final])
        self.time: Timekeeper | None = None
        """None if the game is played without a clock."""
        if game.clock:
            self.time = Timekeeper(self.recorder, game.clock, game.took_us, trace.t_us)
        self.mismatch = Mismatch()
        self.question = Question()
        self.rest = Rest(self.hypothesis)
        self.ending = Ending()
        ended = self.record.outcome
        self.phase: AnyPhase = Playing() if ended is None else self._over(ended)

    # --- what others may see

    @property
    def hypothesis(self) -> Hypothesis:
        """The most credible game."""
        return self.tracker.best

    @property
    def final(self) -> int:
        """How many plies of the record are final."""
        return self.recorder.final

    @property
    def stood(self) -> Hypothesis:
        """The game as the board last showed it at rest, or as it became final since."""
        return self.rest.last(self.hypothesis, self.record.moves[: self.final])

    @property
    def orientation(self) -> Orientation:
        """Which way round the board lies, or is being set up."""
        if isinstance(self.phase, SettingUp):
            return self.phase.placing.orientation
        return self.hypothesis.orientation

    @property
    def clock(self) -> ChessClock | None:
        """The clock as it stands; None if the game is played without."""
        return self.time.clock if self.time else None

    @property
    def is_asked(self) -> bool:
        """Whether a new game has been asked for by its button."""
        return isinstance(self.phase, SettingUp) and self.phase.asked_in is not None

    def deadline_us(self, t_us: int) -> int | None:
        """When the game next has to be told the time; None if never."""
        edge_us = self.trace.t_us
        return earliest(
            edge_us + REST_US,
            edge_us + UNFINISHED_US,
            edge_us + PATIENCE_US,
            self.tracker.deadline_us,
            self.recorder.deadline_us,
            open_until_us(self.hypothesis, self.trace),
            self._flag_due_us,
            after_us=t_us,
        )

    # --- what the hands do, and time

    def feed(self, t_us: int, known: Edge | Blip) -> list[Action]:
        """Take in what a switch did."""
        said: list[Action] = []
        if isinstance(known, Edge):
            said += self.overstep(t_us, known.t_us)
            square = self.hypothesis.orientation.square(known.switch)
            said.append((Dropped if known.closed else Lifted)(t_us, square))
            self.rest.before(known.t_us, self.tracker)
            self.ending.touch(known, self.tracker, self.record.moves, self.rest.stood.moves)
        if self.phase.reads_plies and not self.mismatch.extra:
            self.question.touch(known, self.tracker)
        if self.phase.reads_plies or self.is_asked:  # asking by mistake loses nothing
            self.tracker.feed(known)
        else:
            self.trace.append(known)
        if isinstance(known, Edge):
            if isinstance(self.phase, SettingUp):
                self.phase.placing.feed(known, self.trace.now)
            self.rest.after(known, self.tracker)
        return said

    def wait(self, t_us: int) -> list[Action]:
        """Let time pass; return what is to be said."""
        if isinstance(self.phase, Over) and self.phase.outcome.termination == "kings":
            return self._correct(t_us, self.phase.outcome)
        if not self.phase.reads_plies:
            return []
        self._infer(t_us)
        said = self.follow(t_us)
        if not self.rest.clearing:
            said += self.recorder.finalise(t_us, self.tracker)
        said += self._rule(t_us)
        return said + self._show(t_us)

    def _infer(self, t_us: int) -> None:
        """Find out which game the switches tell by now."""
        if self.rest.watch(t_us, self.tracker):
            self.tracker.decide(self.stood)
        self.tracker.wait(t_us)

    def follow(self, t_us: int) -> list[Action]:
        """Record what the best hypothesis says now, unless pieces are being set up."""
        return [] if self.rest.clearing else self._follow(t_us)

    def _follow(self, t_us: int) -> list[Action]:
        if not self.phase.reads_plies:
            return []
        before, ended = self.record.moves, self.phase.ended
        setting_up = not alike(self.hypothesis.moves, before) and self._may_be_no_play(t_us)
        said = self.recorder.follow(t_us, self.tracker, setting_up=setting_up)
        moves = self.record.moves
        if moves is not before:
            self.ending.offered = None
        if self.time and alike(moves, self.hypothesis.moves):
            self.time.follow(t_us, self.hypothesis, self.final, _left_of(len(before), said))
        if isinstance(self.phase, Over) and ended and moves[: len(ended.moves)] != ended.moves:
            self.phase = Playing(ended)
            self.recorder.end(None)
        return said

    def _may_be_no_play(self, t_us: int) -> bool:
        """Whether pieces may be being set up, or the kings about to show the result."""
        in_the_air = self.rest.was_set_up and t_us - self.trace.t_us < REST_US
        told = self.record.moves
        return in_the_air or self._stands_ended or self.ending.is_ending(self.tracker, told)

    def _rule(self, t_us: int) -> list[Action]:
        """Find out whether the game has ended."""
        said = self._judge_claim(t_us) if self.ending.claimed is not None else []
        if isinstance(self.phase, Playing | Over) and self._is_played_on(self.phase.ended):
            self.phase = replace(self.phase, ended=None)
        if t_us - self.trace.t_us >= REST_US:
            said += self._end(t_us, self._shown(t_us))
        if self._flag_due_us is not None and t_us >= self._flag_due_us:
            said += self.overstep(t_us, t_us)
        return said

    def _correct(self, t_us: int, shown: Outcome) -> list[Action]:
        """A king that rested on its way through the centre goes on: the kings show another result.

        Nothing else has been moved, as when they had shown the first one.
        """
        if t_us - self.trace.t_us < REST_US:
            return []
        result = kings_result(self.hypothesis, self.trace, t_us)
        if result is None or result == shown.result:
            return []
        return self._end(t_us, shown._replace(result=result))

    def _is_played_on(self, ended: Hypothesis | None) -> bool:
        """Whether play has long gone on after the rules had ended the game."""
        return (
            ended is not None and self.final >= common(self.record.moves, ended.moves) + PLAYED_ON
        )

    def _show(self, t_us: int) -> list[Action]:
        """Find out whether something stands wrong, or has to be asked."""
        if not self.phase.reads_plies:
            return []
        rest_us = t_us - self.trace.t_us
        said = self.mismatch.watch(t_us, rest_us, self.tracker)
        if self.time:
            self.time.note_mismatch(t_us, self.mismatch.extra)
        if rest_us >= REST_US:
            is_extra = self.hypothesis.wrong(self.trace.now) & self.trace.now
            if not (is_extra or self.tracker.is_disturbed or self.rest.clearing):
                said += self.question.watch(t_us, self.tracker, self.final)
        return said

    def see(self, t_us: int, blind: Occupancy) -> None:
        """No player's time runs while switches cannot be read; 0: all can."""
        if self.time:
            (self.time.stop if blind else self.time.resume)(t_us, Pause.BLIND)

    # --- what players say by buttons

    def press(self, t_us: int, button: Pressed) -> list[Action]:
        """Handle a button that is about this game, not about another."""
        if not self.phase.reads_plies:
            return []
        if button in ANSWERS:  # also to whether the ply that ends the game was made
            self.question.answer(ANSWERS[button], self.tracker)
            return self.follow(t_us)
        if self._stands_ended:
            return []
        said: list[Action] = []
        outcome: Outcome | None = None
        if button in RESIGNATIONS:
            outcome = resigned(RESIGNATIONS[button], self.hypothesis.position)
        elif button == "draw":
            said, outcome = self.ending.offer_draw(t_us, self.hypothesis)
        elif button == "claim":
            said, outcome = self.ending.claim_draw(t_us, self.hypothesis)
        elif self.time and button in CLOCK_BUTTONS:
            self.time.press(t_us, CLOCK_BUTTONS[button])
        elif self.time and button == "pause":
            self.time.press_pause(t_us)
        return said + self._end(t_us, outcome)

    def decide(self, t_us: int, outcome: Outcome) -> list[Action]:
        """End the game as a player has decided who is not at the board."""
        return self._end(t_us, outcome) if self.phase.reads_plies else []

    def choose(self, t_us: int, clock: ClockUse | None) -> None:
        """Play with this clock, before the first ply; None for no clock."""
        self.recorder.use_clock(clock.control if clock else None)
        self.time = Timekeeper(self.recorder, clock, (), t_us) if clock else None

    # --- setting up

    def set_up(
        self,
        planned: PlannedGame,
        known: Mapping[Switch, Piece] | None = None,
        asked_in: AnyPhase | None = None,
    ) -> SettingUp:
        """Begin to set up a game; ``known`` as of ``Placing``, ``asked_in`` as of ``SettingUp``."""
        game = self.hypothesis
        placing = Placing(
            game.position if asked_in is None else planned.start,
            self.trace.now,
            orientation=game.orientation,
            dead=game.state.dead,
            known=known,
            may_reorient=not planned.is_ruled,
        )
        self.phase = SettingUp(placing, planned, asked_in)
        return self.phase

    def interrupted(self, took_us: tuple[int, ...]) -> Unfinished:
        """This game, to go on as soon as its pieces stand; ``took_us`` as of ``Unfinished``."""
        use = self.time.use if self.time else None
        return Unfinished(self.record, self.orientation, took_us=took_us, clock=use, is_ruled=True)

    def ask(self, t_us: int) -> None:
        """Ask for a new game; asked once more it was a mistake, and this one goes on."""
        asked_in = self.phase.asked_in if isinstance(self.phase, SettingUp) else None
        if self.time:
            (self.time.resume if asked_in else self.time.stop)(t_us, Pause.ASKED)
        if asked_in is None:
            game = self.hypothesis
            known = pieces_of(game.position, self.trace.now, game.orientation)
            self.set_up(PlannedGame(), known, self.phase)
        elif isinstance(asked_in, SettingUp):
            self.set_up(asked_in.planned)
        else:
            self.phase = asked_in

    def stands(self, wanted: Occupancy, t_us: int) -> bool:
        """Whether these pieces stand; after a while of rest a poor contact or two do not count."""
        # What a game believes of pieces that are set up for another does not make a switch dead.
        phase = self.phase
        dead = phase.placing.dead if isinstance(phase, SettingUp) else self.hypothesis.state.dead
        wanted, standing = wanted & ~dead, self.trace.now & ~dead
        if wanted == standing:
            return True
        return t_us - self.trace.t_us >= UNFINISHED_US and bool(poor(wanted, standing))

    def game_before(self, t_us: int) -> Hypothesis | None:
        """The game after which the pieces, now standing, were set up again; None if they were not.

        What the hands have done since then was no play.
        """
        ended = self.phase.ended
        if self.is_asked or self._was_set_up(t_us):
            # Taking back plies of an ended game without playing others is putting the pieces home.
            played = self.record.moves
            is_over = ended is not None and ended.moves[: len(played)] == played
            return ended if is_over else self._abandoned()
        return ended if ended is not None and ended.expected != START else None

    def _was_set_up(self, t_us: int) -> bool:
        """Whether the pieces were set up, not played, to where they stand."""
        if not self.rest.stood.moves and self.phase.reads_plies:
            return False
        standing = self.trace.now
        # When the players have ended a game, whatever goes home is set up for the next one.
        goes_home = not self.phase.reads_plies and self.hypothesis.expected != START
        at_start = not (standing ^ START) & ~self.hypothesis.state.dead
        if at_start and (goes_home or self.rest.was_set_up):
            return True
        is_at_rest = t_us - self.trace.t_us >= REST_US and self.phase.ended is None
        return is_at_rest and self.hypothesis.wrong(standing).bit_count() > NEARLY

    def _abandoned(self) -> Hypothesis:
        """The game as it was when its players stopped.

        Plies that were undone last, by putting pieces where they stand at the start and then all
        the others there too, were not taken back; nor was played what has brought a piece there
        and was not final yet. Where the players have asked for a new game, or have cleared the
        board first, nothing that looked like a ply was such a piece.
        """
        stood, before = self.stood, self.rest.taken_back
        if before:
            kept = common(stood.moves, before.moves)
            is_set_up = kept < len(stood.moves) or left_home(before, kept)
            stood = before if is_set_up and self.final <= kept else stood
        if self.is_asked or self.rest.was_set_up:
            return stood
        while len(stood.moves) > self.final and came_home(stood, len(stood.moves) - 1):
            stood = stood.parent or stood
        return stood

    # --- how it ends

    def _over(self, outcome: Outcome) -> Over:
        """The phase of a game that has ended like this, as the best hypothesis tells it."""
        return Over(outcome, None if is_decision(outcome) else self.hypothesis)

    @property
    def _stands_ended(self) -> bool:
        """Whether the rules have ended the game and it has not been played on."""
        ended = self.phase.ended
        return ended is not None and self.record.moves == ended.moves

    @property
    def _flag_due_us(self) -> int | None:
        """When it is certain that no piece arrived before the flag fell; None: it does not fall."""
        flag_us = self.time.clock.flag_us if self.time else None
        return None if flag_us is None else max(flag_us + UNSETTLED_US, self.trace.t_us + REST_US)

    def overstep(self, t_us: int, by_us: int) -> list[Action]:
        """End the game on time if a flag has fallen by an instant before now.

        A game that had ended by the rules before that, though not yet said, has ended by them.
        """
        color = self.time.clock.flag_fallen(by_us) if self.time else None
        if color is None or not self.phase.reads_plies or automatic_end(self.hypothesis):
            return []
        return self._end(t_us, flag_fell(color, self.hypothesis.position))

    def _shown(self, t_us: int) -> Outcome | None:
        """How the board, at rest, shows the game to have ended."""
        final = self.record.moves[: self.final]
        return self.ending.shown(t_us, self.tracker, self.rest.stood, final)

    def _judge_claim(self, t_us: int) -> list[Action]:
        """Judge a draw that was claimed with a move, once the move has been made."""
        said, outcome = self.ending.judge_claim(t_us, self.hypothesis, self.final)
        return said + self._end(t_us, outcome)

    def finish(self, t_us: int) -> list[Action]:
        """The board is no longer watched: believe what time would have made credible."""
        if not self.phase.reads_plies:
            return []
        self.rest.watch(t_us, self.tracker)
        if self.rest.clearing or t_us - self.trace.t_us < HANDS_OFF_US:
            return self.follow(t_us)  # a piece cleared away, or in a hand, has captured nothing
        self.tracker.conclude(t_us + PATIENCE_US)
        said = self.follow(t_us)
        said += self._end(t_us, self._shown(t_us))
        said += self.recorder.finalise(t_us, self.tracker, waited_us=PATIENCE_US)
        said += self._judge_claim(t_us)
        return said + self.question.watch(t_us, self.tracker, self.final)

    def close(self, t_us: int, last: Hypothesis) -> list[Action]:
        """Another game begins, and ``last`` tells what was played in this one."""
        said: list[Action] = []
        if not self.is_asked and not (isinstance(self.phase, Over) and self.phase.is_decided):
            # What the hands did since the board last stood was setting up, not play.
            self.tracker.decide(last)
            said = self._follow(t_us) + self._end(t_us, automatic_end(last))
        said += self.recorder.conclude(t_us, self.hypothesis, self.trace)
        return said + self.mismatch.clear(t_us)

    def _end(self, t_us: int, outcome: Outcome | None) -> list[Action]:
        """End the game; a decision of the players outweighs what the rules said before."""
        if outcome is None or (self.record.outcome is not None and not is_decision(outcome)):
            return []
        said = self._follow(t_us) + self.mismatch.clear(t_us)
        ended_us = self.hypothesis.state.landed_us
        if is_decision(outcome):
            said += self.recorder.conclude(t_us, self.hypothesis, self.trace)
            ended_us = t_us
        if self.time:
            self.time.stop(ended_us, Pause.OVER)
        self.phase = self._over(outcome)
        self.recorder.end(outcome)
        return [*said, Ended(t_us, outcome.result, outcome.termination)]


def _left_of(plies: int, said: list[Action]) -> int | None:
    """How many of ``plies`` were left when the others had been taken back; None for all."""
    return next((plies - one.plies for one in said if isinstance(one, TakenBack)), None)
