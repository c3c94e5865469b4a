"""The course of one game, from its start until another begins: what is read, said, and its end.

What was played is read from the switches (``inference``).
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from boardfw.game.clock import ChessClock, ClockUse
from boardfw.game.ending import Ending, automatic_end, is_decision, shown_end
from boardfw.game.events import Action, Asked, Dropped, Ended, Lifted, TakenBack
from boardfw.game.mismatch import UNFINISHED_US, Mismatch
from boardfw.game.phase import AnyPhase, Over, Playing, SettingUp, Withdrawn, held_result
from boardfw.game.record import Record
from boardfw.game.recorder import Recorder
from boardfw.game.setup.planned_game import PlannedGame, Unfinished
from boardfw.game.timekeeper import Pause, Timekeeper
from boardfw.inference import (
    REST_US,
    AwaySide,
    Blip,
    Edge,
    Interpretation,
    ReadGame,
    RecordedPlies,
    StartingGames,
    SwitchReader,
)
from boardfw.ports import Pressed, earliest
from boardfw.rules import BLACK, WHITE, Move, Outcome
from boardfw.rules.move import alike, common
from boardfw.rules.outcome import flag_fell, resigned
from boardfw.squares import Occupancy, Orientation

PLAYED_ON = 4
"""After this many final plies since an end was taken back, the game goes on; it is no set-up."""
RESIGNATIONS = {"resign_white": WHITE, "resign_black": BLACK}
CLOCK_BUTTONS = {"clock_white": WHITE, "clock_black": BLACK}
ANSWERS: dict[Pressed, int] = {"answer_1": 0, "answer_2": 1, "answer_3": 2, "answer_4": 3}
"""Which of the candidates each button chooses."""


class WatchedBoard(NamedTuple):
    """The board on which a game is watched from now on."""

    t_us: int
    games: StartingGames
    standing: Occupancy
    """The switches that are closed."""


class Course:
    """One game at the board, and what is thought of it. Times are those of the session."""

    def __init__(
        self,
        planned: PlannedGame,
        watched: WatchedBoard,
        clock: ClockUse | None = None,
        away: AwaySide | None = None,
    ) -> None:
        """A game that begins or goes on now.

        ``clock``: that of a game that begins; ``away``: the side that is not at the board.
        """
        t_us = watched.t_us
        begun = Record(planned.start, t_us, control=clock.control if clock else None)
        game = planned.unfinished or Unfinished(begun, clock=clock)
        self.record = game.record
        final = len(self.record.moves) - bool(game.asked)
        recorded = RecordedPlies(self.record.moves, final, self.record.started_us)
        self.reader = SwitchReader(watched.games, t_us, watched.standing, recorded, away)
        """Reads from the switches what is played."""
        self.recorder = Recorder(self.record, final)
        self.time: Timekeeper | None = None
        """None if the game is played without a clock."""
        if game.clock:
            self.time = Timekeeper(self.recorder, game.clock, game.took_us, t_us)
        self.mismatch = Mismatch()
        self._asked: tuple[Move, ...] = ()
        """The moves among which the players were last asked to choose."""
        self.ending = Ending()
        ended = self.record.outcome
        self.phase: AnyPhase = Playing() if ended is None else self._over(ended)

    # --- what others may see

    @property
    def read(self) -> Interpretation:
        """What has been read by now."""
        return self.reader.now

    @property
    def game(self) -> ReadGame:
        """The most credible game."""
        return self.read.game

    @property
    def final(self) -> int:
        """How many plies of the record are final."""
        return self.recorder.final

    @property
    def is_certain(self) -> bool:
        """True if an engine may answer the last ply of the record."""
        return max(self.final, self.read.certain) >= len(self.record.moves)

    @property
    def orientation(self) -> Orientation:
        """Which way round the board lies, or is being set up."""
        if isinstance(self.phase, SettingUp):
            return self.phase.placing.orientation
        return self.game.orientation

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
        unfinished_us = self.read.changed_us + UNFINISHED_US
        due_us = self.reader.deadline_us(t_us)
        return earliest(due_us, unfinished_us, self._flag_due_us, after_us=t_us)

    # --- what the hands do, and time

    def feed(self, t_us: int, known: Edge | Blip) -> list[Action]:
        """Take in what a switch did."""
        said: list[Action] = []
        if isinstance(known, Edge):
            said += self.overstep(t_us, known.t_us)
            square = self.game.orientation.square(known.switch)
            said.append((Dropped if known.closed else Lifted)(t_us, square))
        is_play = self.phase.reads_plies
        self.reader.note_change(
            known,
            is_play=is_play or self.is_asked,  # asking by mistake loses nothing
            is_answer=is_play and not self.mismatch.extra,
        )
        if isinstance(known, Edge) and isinstance(self.phase, SettingUp):
            self.phase.placing.feed(known, self.read.standing)
        return said

    def wait(self, t_us: int) -> list[Action]:
        """Let time pass; return what is to be said."""
        if isinstance(self.phase, Over) and self.phase.is_by_kings:
            if not self.reader.withdraw_result(t_us):
                return self._correct(t_us, self.phase.outcome)
            self.phase = Playing(withdrawn=Withdrawn(self.record.moves, self.phase.outcome))
            self.recorder.end(None)
        if not self.phase.reads_plies:
            return []
        self.reader.wait(t_us)
        said = self.follow(t_us)
        if not self.read.is_clearing:
            said += self._finalise(t_us)
        said += self._rule(t_us)
        return said + self._show(t_us)

    def follow(self, t_us: int) -> list[Action]:
        """Record what is read by now, unless pieces are being set up."""
        return [] if self.read.is_clearing else self._follow(t_us)

    def _follow(self, t_us: int) -> list[Action]:
        if not self.phase.reads_plies:
            return []
        before, ended = self.record.moves, self.phase.ended
        self.reader.update_plies(t_us, is_over=self._stands_ended)
        said = self.recorder.follow(t_us, self.read)
        moves = self.record.moves
        if moves is not before:
            self.ending.offered = None
        if self.time and alike(moves, self.game.moves):
            self.time.follow(t_us, self.game, self.final, _left_of(len(before), said))
        if isinstance(self.phase, Over) and ended and moves[: len(ended.moves)] != ended.moves:
            self.phase = Playing(ended)
            self.recorder.end(None)
        return said

    def _finalise(self, t_us: int) -> list[Action]:
        self.reader.finalise(t_us)
        return self.recorder.finalise(t_us, self.read.final)

    def _rule(self, t_us: int) -> list[Action]:
        """Find out whether the game has ended."""
        said = self._judge_claim(t_us) if self.ending.claimed is not None else []
        phase, moves = self.phase, self.record.moves
        if not isinstance(phase, SettingUp) and _is_played_on(phase.ended, moves, self.final):
            self.phase = replace(phase, ended=None)
        if t_us - self.read.changed_us >= REST_US:
            said += self._end(t_us, self._shown(t_us))
        if self._flag_due_us is not None and t_us >= self._flag_due_us:
            said += self.overstep(t_us, t_us)
        return said

    def _correct(self, t_us: int, shown: Outcome) -> list[Action]:
        """A king that rested on its way through the centre goes on: the kings show another result.

        Nothing else has been moved, as when they had shown the first one.
        """
        if t_us - self.read.changed_us < REST_US:
            return []
        result = self.reader.kings_result(t_us)
        if result is None or result == shown.result:
            return []
        return self._end(t_us, shown._replace(result=result))

    def _show(self, t_us: int) -> list[Action]:
        """Find out whether something stands wrong, or has to be asked."""
        if not self.phase.reads_plies:
            return []
        said = self.mismatch.watch(t_us, self.read)
        if self.time:
            self.time.note_mismatch(t_us, self.mismatch.extra)
        return said + self._ask(t_us)

    def _ask(self, t_us: int) -> list[Action]:
        """Ask the players which ply it was, if that is a new question."""
        self.reader.ask(t_us)
        before, self._asked = self._asked, self.read.candidates
        asked = self._asked
        if set(asked) <= set(before):  # narrowed down, or answered
            return []
        return [Asked(t_us, tuple(move.uci() for move in asked))]

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
            self.reader.answer(ANSWERS[button])
            return self.follow(t_us)
        if self._stands_ended:
            return []
        said: list[Action] = []
        outcome: Outcome | None = None
        if button in CLOCK_BUTTONS:
            self.reader.press_clock(CLOCK_BUTTONS[button])
            said = self.follow(t_us)
        if button in RESIGNATIONS:
            outcome = resigned(RESIGNATIONS[button], self.game.position)
        elif button == "draw":
            said, outcome = self.ending.offer_draw(t_us, self.game)
        elif button == "claim":
            said, outcome = self.ending.claim_draw(t_us, self.game)
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

    def interrupted(self, took_us: tuple[int, ...]) -> Unfinished:
        """This game, to go on as soon as its pieces stand; ``took_us`` as of ``Unfinished``."""
        use = self.time.use if self.time else None
        return Unfinished(self.record, self.orientation, took_us=took_us, clock=use, is_ruled=True)

    # --- how it ends

    def _over(self, outcome: Outcome) -> Over:
        """The phase of a game that has ended like this, as the best hypothesis tells it."""
        return Over(outcome, None if is_decision(outcome) else self.game)

    @property
    def _stands_ended(self) -> bool:
        """Whether the rules have ended the game and it has not been played on."""
        ended = self.phase.ended
        return ended is not None and self.record.moves == ended.moves

    @property
    def _flag_due_us(self) -> int | None:
        """When a flag counts as fallen, if nothing happens before; None if none falls."""
        return self.time.flag_due_us(self.read.changed_us + REST_US) if self.time else None

    def overstep(self, t_us: int, by_us: int) -> list[Action]:
        """End the game on time if a flag has fallen by an instant before now.

        A game that had ended by the rules before that, though not yet said, has ended by them.
        """
        color = self.time.clock.flag_fallen(by_us) if self.time else None
        if color is None or not self.phase.reads_plies or automatic_end(self.game):
            return []
        return self._end(t_us, flag_fell(color, self.game.position))

    def _shown(self, t_us: int) -> Outcome | None:
        """How the board, at rest, shows the game to have ended."""
        return shown_end(self.reader.look_at_rest(t_us), self.game)

    def _judge_claim(self, t_us: int) -> list[Action]:
        """Judge a draw that was claimed with a move, once the move has been made."""
        said, outcome = self.ending.judge_claim(t_us, self.game, self.final)
        return said + self._end(t_us, outcome)

    def finish(self, t_us: int) -> list[Action]:
        """The board is no longer watched: believe what time would have made credible."""
        if not self.phase.reads_plies:
            return []
        if not self.reader.finish(t_us):
            return self.follow(t_us)
        said = self.follow(t_us)
        said += self._end(t_us, self._shown(t_us))
        said += self._finalise(t_us)
        said += self._judge_claim(t_us)
        return said + self._ask(t_us)

    def close(self, t_us: int, last: ReadGame) -> list[Action]:
        """Another game begins, and ``last`` tells what was played in this one."""
        said: list[Action] = []
        if not self.is_asked and not (isinstance(self.phase, Over) and self.phase.is_decided):
            # What the hands did since the board last stood was setting up, not play.
            self.reader.decide(last)
            ended = held_result(self.phase, last) or automatic_end(last)
            said = self._follow(t_us) + self._end(t_us, ended)
        said += self._conclude(t_us)
        return said + self.mismatch.clear(t_us)

    def _end(self, t_us: int, outcome: Outcome | None) -> list[Action]:
        """End the game; a decision of the players outweighs what the rules said before."""
        if outcome is None or (self.record.outcome is not None and not is_decision(outcome)):
            return []
        said = self._follow(t_us) + self.mismatch.clear(t_us)
        ended_us = self.game.landed_us
        if is_decision(outcome):
            said += self._conclude(t_us)
            ended_us = t_us
        if self.time:
            self.time.stop(ended_us, Pause.OVER)
        self.phase = self._over(outcome)
        self.recorder.end(outcome)
        return [*said, Ended(t_us, outcome.result, outcome.termination)]

    def _conclude(self, t_us: int) -> list[Action]:
        """Finalise the plies of a decided game."""
        self.reader.conclude()
        return self.recorder.finalise(t_us, self.read.final)


def _left_of(plies: int, said: list[Action]) -> int | None:
    """How many of ``plies`` were left when the others had been taken back; None for all."""
    return next((plies - one.plies for one in said if isinstance(one, TakenBack)), None)


def _is_played_on(ended: ReadGame | None, moves: tuple[Move, ...], final: int) -> bool:
    """Whether play has long gone on after the rules had ended the game."""
    return ended is not None and final >= common(moves, ended.moves) + PLAYED_ON
