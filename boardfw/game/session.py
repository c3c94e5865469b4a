"""The session: the sans-IO heart. Events in, actions out; time is an argument.

It is fed with what the switches read, runs one game after the other, and decides when the next
begins. Lights are not actions: they are drawn from its ``View`` (``build_view.py``).

Data goes one way. What was played is read from the switches (``inference``); that is recorded
(``recorder.py``); whether the game has ended is ruled (``ending.py``); what stands wrong is shown
(``mismatch.py``).
"""

from __future__ import annotations

from collections.abc import Mapping

from boardfw.errors import NotationError
from boardfw.game.away import Away
from boardfw.game.board_trouble import StuckSwitches, let_gap_pass
from boardfw.game.clock import ClockUse
from boardfw.game.course import Course
from boardfw.game.events import (
    Action,
    Advised,
    Answered,
    ClockChosen,
    Event,
    GameGiven,
    Outage,
    Picked,
    Restored,
    Ruling,
    Seated,
    Tick,
    Unruled,
)
from boardfw.game.phase import AnyPhase, Playing, SettingUp
from boardfw.game.record import Record
from boardfw.game.rulings.arbiter import rule
from boardfw.game.series import Series
from boardfw.game.setup.planned_game import KnownSetup, PlannedGame, Unfinished
from boardfw.game.setup.seat_choice import SeatChoice
from boardfw.inference import REST_US, SETTLE_US, Blip, Edge, ReadGame, Senses
from boardfw.ports import Pressed
from boardfw.recording import Press, Scan
from boardfw.rules import Piece, Position
from boardfw.rules.board import COLOR_NAMES
from boardfw.rules.faults import Problem
from boardfw.squares import NO_SWITCHES, START, Occupancy, Switch


class Session:
    """One board at work. Feed events in the order of time; collect the actions returned."""

    def __init__(
        self,
        start: Position | None = None,
        settle_us: int = SETTLE_US,
        unfinished: Unfinished | None = None,
        clock: ClockUse | None = None,
        problems: tuple[Problem, ...] = (),
        stood: KnownSetup | None = None,
    ) -> None:
        """``unfinished``: a game that is to go on, instead of one from ``start``.

        Each game that begins has a ``clock`` of its own; a game that goes on keeps its clock.
        ``problems``: why no game can begin as planned; then one begins only by the button.
        ``stood``: the pieces that stand on the board already, and which way round it lies.
        """
        taken_up = unfinished.with_clock(clock) if unfinished else None
        stood = stood or KnownSetup()
        self.t_us = 0
        """Time of the newest event."""
        self.stuck = StuckSwitches(stood.stuck)
        self.senses = Senses(settle_us)
        """Settles the edges of the switches and watches their health, in all games."""
        self._sees_us = 0
        """Until then it is unknown what has settled since the switches can be read again."""
        self.away = Away(unfinished.opponent, unfinished.replied) if unfinished else Away()
        """The side whose player is not at the board, if there is one."""
        self.seat_choice = SeatChoice()
        """The gesture that chooses that player."""
        self._settle_us = settle_us
        first = PlannedGame(start or Position.start(), taken_up, problems, stood)
        self.series = Series(first, self.away, self.stuck, clock)
        self.deadline_us = self._next_us()
        """When the session wants a ``Tick`` if nothing happens before; None if never."""
        self.has_heeded = False
        """Whether the last event may have changed anything; a bouncing contact does not."""

    # --- what others may see

    @property
    def course(self) -> Course:
        """The game being played, or the last one, as it goes on."""
        return self.series.course

    @property
    def games(self) -> list[Record]:
        """All games of this session; the last one is being played."""
        return self.series.games

    @property
    def blind(self) -> Occupancy:
        """Switches that cannot be read: the game waits for them."""
        return self.series.blind

    @property
    def phase(self) -> AnyPhase:
        """The phase of the game."""
        return self.course.phase

    @property
    def record(self) -> Record:
        """The game being played, or the last one."""
        return self.course.record

    @property
    def standing(self) -> Occupancy:
        """The switches that are closed, settled."""
        return self.course.read.standing

    @property
    def game(self) -> ReadGame:
        """The most credible game."""
        return self.course.game

    # --- events in, actions out

    def handle(self, event: Event) -> list[Action]:
        """Take one event; return what is to be said, in order."""
        self.has_heeded = True
        if isinstance(event, Outage | Restored):
            said = self._see(event)
        elif isinstance(event, Ruling):
            said = self._rule(event) + self._say_stuck()
        elif isinstance(event, ClockChosen):
            self.series.use_clock(self.t_us, event.clock)
            said = []
        elif isinstance(event, Seated):
            said = self._seat(event)
        elif isinstance(event, GameGiven):
            self.t_us = max(self.t_us, event.t_us)
            said = self.series.take_over(self.t_us, event)
        elif isinstance(event, Advised):
            self.t_us, said = max(self.t_us, event.t_us), []
        elif isinstance(event, Answered):
            self.t_us = max(self.t_us, event.t_us)
            said = self.away.hear(self.t_us, event.answer, self.course)
        elif self.senses.is_awake:
            said = self._hear(event)
        else:
            said = self._begin(event) if isinstance(event, Scan) else []
        if self.away.side.color is not None:
            said += self.away.follow(self.t_us, self.course)
        self.deadline_us = self._next_us()
        return said

    def _hear(self, event: Scan | Press | Tick) -> list[Action]:
        """Take an event; what was due before it is said first."""
        said: list[Action] = []
        is_late = isinstance(event, Scan) and event.since_us is not None
        if isinstance(event, Scan):
            said += let_gap_pass(self.course, self.senses.settled, event, self.t_us, self.blind)
        self.t_us = max(self.t_us, event.t_us)
        news = self._sense(event)
        is_due = self.deadline_us is not None and self.deadline_us <= self.t_us
        if not (news or is_due or isinstance(event, Press)):
            self.has_heeded = is_late
            return said  # a contact bounces
        for nth, known in enumerate(news, 1):
            is_last = nth == len(news)
            # What stood between two of them was never seen, least of all at one instant.
            is_seen = is_last or news[nth].t_us > known.t_us
            said += self._touch(known, is_seen=is_seen, is_last=is_last)
        if isinstance(event, Press):
            said += self._press(event.button)
        if self.t_us >= self._sees_us and not self.blind:
            said += self._wait()
        return said + self._say_stuck()

    def _touch(self, known: Edge | Blip, *, is_seen: bool, is_last: bool) -> list[Action]:
        """Take in what a switch did.

        ``is_seen``: what stands now has been seen; ``is_last``: nothing else is known by now.
        """
        said = self.course.feed(self.t_us, known)
        if isinstance(known, Edge) and not self.phase.reads_plies:
            self.stuck.moved(known.switch)
        begun = self.series.begin_if_set_up(self.t_us) if is_seen else []
        begun = begun or self.series.lead(self.t_us, known)
        said += begun
        if isinstance(known, Edge):
            said += self._choose_seat()
        if is_last and not begun:
            said += self.course.follow(self.t_us)
        return said

    def _sense(self, event: Scan | Press | Tick) -> list[Edge | Blip]:
        """What the switches are known to have done by now."""
        if isinstance(event, Scan):
            if event.since_us is not None:
                self._sees_us = event.t_us + self._settle_us
            return self.senses.scan(event.t_us, event.occupancy, event.since_us)
        if self.blind:
            return []
        if isinstance(event, Press):  # a player who presses has let go: what stands now, stands
            return self.senses.advance(event.t_us + self._settle_us)
        return self.senses.advance(event.t_us)

    def _press(self, button: Pressed) -> list[Action]:
        phase = self.phase
        if button == "new_game":
            return self._ask_for_new_game()
        if button == "take_back":
            return self.series.take_back(self.t_us)
        if button == "draw" and self.away.side.color is not None and isinstance(phase, Playing):
            return self.away.offer_draw(self.t_us, self.course)
        if button == "pause" and isinstance(phase, SettingUp) and not phase.asked_in:
            return self.series.count_what_stands(self.t_us, phase)
        return self.course.press(self.t_us, button)

    def _ask_for_new_game(self) -> list[Action]:
        t_us, series = self.t_us, self.series
        series.ask_for_new_game(t_us)
        if not series.course.is_asked:
            return series.lead(t_us)
        begun = series.begin_if_set_up(t_us)
        return begun or series.course.mismatch.clear(t_us) + series.lead(t_us)

    def _wait(self) -> list[Action]:
        """What is to be said because time has passed."""
        if self.seat_choice.color is not None:
            return []
        if self._is_at_rest and (said := self.series.begin_if_set_up(self.t_us)):
            return said
        said = self.course.wait(self.t_us)
        if self._is_at_rest and self.phase.reads_plies:
            self.stuck.watch(self.course.read)
        return said

    @property
    def _is_at_rest(self) -> bool:
        return self.t_us - self.course.read.changed_us >= REST_US

    def _say_stuck(self) -> list[Action]:
        return self.stuck.say(self.t_us, self.game.orientation, self.standing)

    def _see(self, event: Outage | Restored) -> list[Action]:
        """Note that switches cannot be read, or can again; no game time passes meanwhile."""
        self.t_us = max(self.t_us, event.t_us)
        blind = event.squares if isinstance(event, Outage) else NO_SWITCHES
        self.series.blindfold(self.t_us, blind)
        return [event]

    def wait_for(self, until_us: int | None) -> None:
        """Do not let the last ply become final by standing before this instant; None: at once."""
        if self.course.reader.doubt(until_us or 0):
            self.deadline_us = self._next_us()

    def finish(self) -> list[Action]:
        """The board is no longer watched: believe what time would have made credible."""
        said = self.course.finish(self.t_us) + self._say_stuck()
        self.deadline_us = self._next_us()
        return said

    def _next_us(self) -> int | None:
        """When time alone will change something after now."""
        if self.blind:
            return None
        unseen = self.t_us < self._sees_us
        due_us = self._sees_us if unseen else self.course.deadline_us(self.t_us)
        settled_us = self.senses.deadline_us
        if settled_us is None or settled_us <= self.t_us:
            return due_us
        return settled_us if due_us is None else min(settled_us, due_us)

    # --- one game after the other

    def _begin(self, sample: Scan) -> list[Action]:
        """The first scan says what stands."""
        self.t_us = sample.t_us
        self.senses.scan(sample.t_us, sample.occupancy)
        return self.series.begin_first_game(self.t_us, sample.occupancy)

    def set_aside(self, scan: Scan, known: Mapping[Switch, Piece]) -> list[Action]:
        """Ask for another game, as its button does; what was done until this scan was no play.

        ``known``: the piece on each switch, as far as that is known; it may be another one than
        stood there before.
        """
        said: list[Action] = []
        self.t_us = max(self.t_us, scan.t_us)
        if not isinstance(self.phase, SettingUp):
            self.series.ask_for_new_game(self.t_us)
            said = self.course.mismatch.clear(self.t_us)
        said += self.handle(scan) + self.handle(Tick(scan.t_us + self._settle_us))
        phase = self.phase
        if isinstance(phase, SettingUp):
            self.series.ask_for_pieces(phase.planned, known, phase.asked_in)
            said += self.series.lead(self.t_us)
            self.deadline_us = self._next_us()
        return said

    # --- what is decided

    def _rule(self, ruling: Ruling) -> list[Action]:
        """Apply an arbiter's ruling and resume the game from it."""
        self.t_us, course = max(self.t_us, ruling.t_us), self.course
        if not self.has_game:
            return [Unruled(self.t_us, "no game is being played; begin or resume one")]
        try:
            said, game = rule(self.t_us, ruling.decision, ruling.who, ruling.why, course)
        except NotationError as error:
            return [Unruled(self.t_us, str(error))]
        return said + self.series.resume(self.t_us, game)

    def _seat(self, event: Seated) -> list[Action]:
        """Let an opponent that is not at the board play a side, or leave."""
        self.t_us = max(self.t_us, event.t_us)
        self.away.can_be_chosen = True
        if event.at_next:
            self.away.then(event.chosen)
        else:
            self.away.seat(event.chosen)
            self.course.reader.change_seats()
        return []

    def _choose_seat(self) -> list[Action]:
        """See whether the hands choose an opponent; then the game begins anew."""
        choice, way, now = self.seat_choice, self.series.begun_as, self.standing
        is_new = isinstance(self.phase, Playing) and not self.record.moves
        may_begin = self.away.can_be_chosen and is_new and self.record.start == Position.start()
        was_at_it, said = choice.color is not None, list[Action]()
        picked = choice.feed(way.squares(now), may_begin=may_begin)
        if was_at_it and choice.color is None and now == START:
            self.away.begin()
            said = self.series.begin_again(self.t_us)
        if picked is not None:
            said.append(Picked(self.t_us, COLOR_NAMES[picked.color].lower(), picked.level))
        return said

    @property
    def has_game(self) -> bool:
        """Whether a game is played, has just ended, or waits for its pieces to go on."""
        return self.series.has_game
