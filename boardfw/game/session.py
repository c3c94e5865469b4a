"""The session: the sans-IO heart. Events in, actions out; time is an argument.

It is fed with what the switches read, runs one game after the other, and decides when the next
begins. Lights are not actions: they are drawn from its ``View`` (``build_view.py``).

Data goes one way. What was played is read from the switches (``inference``); that is recorded
(``recorder.py``); whether the game has ended is ruled (``ending.py``); what stands wrong is shown
(``mismatch.py``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from boardfw.errors import NotationError
from boardfw.game.away import Away
from boardfw.game.board_trouble import StuckSwitches, let_gap_pass
from boardfw.game.clock import ClockUse
from boardfw.game.course import Course, Watched
from boardfw.game.events import (
    Action,
    Advised,
    Answered,
    ClockChosen,
    Event,
    GameGiven,
    Given,
    NewGame,
    Outage,
    Picked,
    Ready,
    Restored,
    Ruling,
    Seated,
    TakenBack,
    Tick,
    Unruled,
)
from boardfw.game.phase import AnyPhase, Over, Playing, SettingUp
from boardfw.game.record import Record
from boardfw.game.recorder import Recorder
from boardfw.game.rulings.arbiter import rule
from boardfw.game.setup.placing import pieces_of
from boardfw.game.setup.planned_game import KnownSetup, PlannedGame, Unfinished
from boardfw.game.setup.seat_choice import SeatChoice
from boardfw.inference import REST_US, SETTLE_US, Beginning, Blip, Edge, ReadGame, Senses
from boardfw.ports import Pressed
from boardfw.recording import Press, Scan
from boardfw.rules import Piece, Position
from boardfw.rules.board import COLOR_NAMES
from boardfw.rules.faults import Problem
from boardfw.squares import NO_SWITCHES, START, Occupancy, Orientation, Switch


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
        self.games: list[Record] = []
        """All games of this session; the last one is being played."""
        self.stuck = StuckSwitches(stood.stuck)
        self.senses = Senses(settle_us)
        """What the switches do, over all games."""
        self.blind = NO_SWITCHES
        """Switches that cannot be read: the game waits for them."""
        self._sees_us = 0
        """Until then it is unknown what has settled since the switches can be read again."""
        self.away = Away(unfinished.opponent, unfinished.replied) if unfinished else Away()
        """The side whose player is not at the board, if there is one."""
        self.seat_choice = SeatChoice()
        """The gesture that chooses that player."""
        self._settle_us = settle_us
        self._clock = clock
        self._first = PlannedGame(start or Position.start(), taken_up, problems, stood)
        self._place(self._first, NO_SWITCHES)
        self.deadline_us = self._next_us()
        """When the session wants a ``Tick`` if nothing happens before; None if never."""
        self.has_heeded = False
        """Whether the last event may have changed anything; a bouncing contact does not."""

    # --- what others may see

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
        return self.course.reader.standing

    @property
    def game(self) -> ReadGame:
        """The most credible game."""
        return self.course.reader.game

    # --- events in, actions out

    def handle(self, event: Event) -> list[Action]:
        """Take one event; return what is to be said, in order."""
        self.has_heeded = True
        if isinstance(event, Outage | Restored):
            said = self._see(event)
        elif isinstance(event, Ruling):
            said = self._rule(event) + self._say_stuck()
        elif isinstance(event, ClockChosen):
            said = self._choose(event.clock)
        elif isinstance(event, Seated):
            said = self._seat(event)
        elif isinstance(event, GameGiven):
            said = self._give(event)
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
        is_late = False
        if isinstance(event, Scan) and event.since_us is not None:
            is_late = True
            said = let_gap_pass(self.course, self.senses.settled, event, self.t_us, self.blind)
        self.t_us = max(self.t_us, event.t_us)
        news = self._sense(event)
        is_due = self.deadline_us is not None and self.deadline_us <= self.t_us
        if not news and not is_due and not isinstance(event, Press):
            self.has_heeded = is_late
            return said  # a contact bounces
        for nth, known in enumerate(news, 1):
            said += self.course.feed(self.t_us, known)
            if isinstance(known, Edge) and not self.phase.reads_plies:
                self.stuck.moved(known.switch)
            # What stood between two of them was never seen, least of all at one instant.
            is_last = nth == len(news)
            is_seen = is_last or news[nth].t_us > known.t_us
            begun = (self._set_up() if is_seen else []) or self._lead(known)
            said += begun
            if isinstance(known, Edge):
                said += self._choose_seat()
            if not begun and is_last:
                said += self.course.follow(self.t_us)
        if isinstance(event, Press):
            said += self._press(event.button)
        if self.t_us >= self._sees_us and not self.blind:
            said += self._wait()
        return said + self._say_stuck()

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
            self.course.ask(self.t_us)
            if not self.course.is_asked:
                return self._lead()
            return self._set_up() or self.course.mismatch.clear(self.t_us) + self._lead()
        if button == "take_back":
            return self._take_back()
        if button == "draw" and self.away.side.color is not None and isinstance(phase, Playing):
            return self.away.offer_draw(self.t_us, self.course)
        if button == "pause" and isinstance(phase, SettingUp) and not phase.asked_in:
            return self._let_it_count(phase)
        return self.course.press(self.t_us, button)

    def _wait(self) -> list[Action]:
        """What is to be said because time has passed."""
        if self.seat_choice.color is not None:
            return []
        if self._is_at_rest and (said := self._set_up()):
            return said
        said = self.course.wait(self.t_us)
        if self._is_at_rest and self.phase.reads_plies:
            self.stuck.watch(self.course.read)
        return said

    @property
    def _is_at_rest(self) -> bool:
        return self.t_us - self.course.reader.changed_us >= REST_US

    def _say_stuck(self) -> list[Action]:
        return self.stuck.say(self.t_us, self.game.orientation, self.standing)

    def _see(self, event: Outage | Restored) -> list[Action]:
        """Note that switches cannot be read, or can again; no game time passes meanwhile."""
        self.t_us = max(self.t_us, event.t_us)
        self.blind = event.squares if isinstance(event, Outage) else NO_SWITCHES
        self.course.see(self.t_us, self.blind)
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
        phase = self._place(self._first, sample.occupancy)
        if self._first.begins_with(sample.occupancy) and not self._first.problems:
            return self._begin_as_planned(phase)
        return self._set_up() or self._lead()

    def _place(
        self,
        planned: PlannedGame,
        standing: Occupancy,
        orientation: Orientation | None = None,
        known: Mapping[Switch, Piece] | None = None,
    ) -> SettingUp:
        """Begin to set up a game, this way round; None: as the board lay.

        ``known``: the piece on each switch now; None if that is in question.
        """
        del self.games[-1:]
        way = orientation or planned.orientation
        begun = planned.beginning(self.t_us, way, self.stuck.known)
        self._follow(planned, begun, standing)
        if known is None and planned.unfinished is None:
            known = planned.stood.pieces or None
        return self.course.set_up(planned, known)

    def _follow(self, planned: PlannedGame, begun: Beginning, standing: Occupancy) -> None:
        """Watch this game from now on."""
        watched = Watched(self.t_us, begun, standing)
        self.course = Course(planned, watched, self._clock, self.away.side)
        """The game being played, or the last one."""
        self.begun_as = self.game.orientation
        """How the board was believed to lie when it began, or went on."""
        self.games.append(self.course.record)
        self.course.see(self.t_us, self.blind)

    def _lead(self, known: Edge | Blip | None = None) -> list[Action]:
        """What is to be said while pieces are set up."""
        phase = self.phase
        if not isinstance(phase, SettingUp):
            return []
        orientation = phase.placing.orientation
        if orientation != self.game.orientation and not phase.asked_in:
            self._place(phase.planned, self.standing, orientation)
            self.course.phase = phase
        put = known.switch if isinstance(known, Edge) and known.closed else None
        if phase.planned.problems:
            return []
        return phase.placing.lead(self.t_us, self.standing, put)

    def _set_up(self) -> list[Action]:
        """Begin if the pieces stand as at the start of a game and were set up there."""
        course, phase = self.course, self.phase
        if not isinstance(phase, SettingUp) or phase.asked_in:
            last = course.game_before(self.t_us) if course.stands(START, self.t_us) else None
            return [] if last is None else self._new_game(last)
        planned, placing = phase.planned, phase.placing
        if planned.problems:
            return []
        if not placing.has_strangers and course.stands(placing.switches, self.t_us):
            return self._begin_as_planned(phase)
        may_be_given_up = planned.unfinished is not None and not planned.is_ruled
        is_given_up = may_be_given_up and self.standing == START and self._is_at_rest
        return self._new_game(course.game) if is_given_up else []

    def _begin_as_planned(self, phase: SettingUp) -> list[Action]:
        """Begin the game whose pieces were set up: they stand."""
        placing, planned, now = phase.placing, phase.planned, self.standing
        begun = planned.begun(self.t_us, now, placing.orientation, self.stuck.known)
        return [Ready(self.t_us)] * placing.has_led + self._go_on(planned, begun)

    def _let_it_count(self, phase: SettingUp) -> list[Action]:
        """Play on from what stands, because a player says that it counts."""
        planned, now, way = phase.planned, self.standing, phase.placing.orientation
        counted = planned.counted(self.t_us, now, way, self.stuck.known)
        return self._go_on(planned, counted) if counted and not planned.problems else []

    def _go_on(self, planned: PlannedGame, begun: Beginning) -> list[Action]:
        """Play the planned game from now on."""
        self.games.pop()
        self._follow(planned, begun, self.standing)
        return self.course.follow(self.t_us)

    def _new_game(self, last: ReadGame) -> list[Action]:
        """Begin another game, whose pieces stand, after the one that ``last`` tells."""
        course, planned, now = self.course, PlannedGame(), self.standing
        orientation = (
            course.orientation if isinstance(course.phase, SettingUp) else Orientation.AS_WIRED
        )
        said = course.close(self.t_us, last)
        if not self.record.moves and self.record.outcome is None:
            self.games.pop()  # a game without plies does not count
        begun = planned.begun(self.t_us, now, orientation, self.stuck.known)
        self.away.begin()
        self._follow(planned, begun, now)
        return [*said, NewGame(self.t_us)]

    def set_aside(self, scan: Scan, known: Mapping[Switch, Piece]) -> list[Action]:
        """Ask for another game, as its button does; what was done until this scan was no play.

        ``known``: the piece on each switch, as far as that is known; it may be another one than
        stood there before.
        """
        said: list[Action] = []
        self.t_us = max(self.t_us, scan.t_us)
        if not isinstance(self.phase, SettingUp):
            self.course.ask(self.t_us)
            said = self.course.mismatch.clear(self.t_us)
        said += self.handle(scan) + self.handle(Tick(scan.t_us + self._settle_us))
        phase = self.phase
        if isinstance(phase, SettingUp):
            self.course.set_up(phase.planned, known, phase.asked_in)
            said += self._lead()
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
        return said + self._take_up(game)

    def _choose(self, clock: ClockUse | None) -> list[Action]:
        """The players choose a clock; one that runs in a game already is not changed."""
        self._clock = clock
        if not (self.record.moves or self.record.outcome or self.course.is_asked):
            self.course.choose(self.t_us, clock)
            self.course.see(self.t_us, self.blind)
        return []

    def _seat(self, event: Seated) -> list[Action]:
        """Let an opponent that is not at the board play a side, or leave."""
        self.t_us = max(self.t_us, event.t_us)
        self.away.can_be_chosen = True
        if event.at_next:
            self.away.then(event.chosen)
        else:
            self.away.seat(event.chosen)
        return []

    def _give(self, event: GameGiven) -> list[Action]:
        """Let the game be one that is kept elsewhere."""
        self.t_us = max(self.t_us, event.t_us)
        begun: list[Action] = []
        if event.is_new and (self.record.moves or self.record.outcome is not None):
            begun = self.course.mismatch.clear(self.t_us) + self._new_game(self.game)
        kept = Record(event.start, self.t_us)
        Recorder(kept).change(self.t_us, event.moves)
        game = Unfinished(kept, self.game.orientation, is_ruled=True)
        planned = PlannedGame(event.start, game if event.moves else None)
        self.away.begin()
        given = Given(self.t_us, len(event.moves))
        if not self.senses.is_awake:
            self._first = planned
            self._place(planned, NO_SWITCHES)
            return [*begun, given]
        said, known = self.course.mismatch.clear(self.t_us), self._known()
        self._place(planned, self.standing, game.orientation, known)
        return [*begun, *said, given, *(self._set_up() or self._lead())]

    def _known(self) -> Mapping[Switch, Piece]:
        """The piece on each switch, as far as the game or its set-up tells."""
        phase, game = self.phase, self.game
        if isinstance(phase, SettingUp):
            return phase.placing.pieces
        return pieces_of(game.position, self.standing, game.orientation)

    def _choose_seat(self) -> list[Action]:
        """See whether the hands choose an opponent; then the game begins anew."""
        choice, way, now = self.seat_choice, self.begun_as, self.standing
        is_new = isinstance(self.phase, Playing) and not self.record.moves
        may_begin = self.away.can_be_chosen and is_new and self.record.start == Position.start()
        was_at_it, said = choice.color is not None, list[Action]()
        picked = choice.feed(way.squares(now), may_begin=may_begin)
        if was_at_it and choice.color is None and now == START:
            planned = PlannedGame()
            self.away.begin()
            said = self._go_on(planned, planned.begun(self.t_us, now, way, self.stuck.known))
        if picked is not None:
            said.append(Picked(self.t_us, COLOR_NAMES[picked.color].lower(), picked.level))
        return said

    def _take_back(self) -> list[Action]:
        """Take the last ply back for the players; its pieces are led home.

        Against an opponent that is not at the board that is the player's own last ply.
        """
        phase, course, color = self.phase, self.course, self.away.side.color
        is_decided = isinstance(phase, Over) and phase.is_decided
        if is_decided or not (self.has_game and self.record.moves):
            return []
        known = self._known()  # an arbiter may know better what stands where, players do not
        said = course.mismatch.clear(self.t_us)
        was_told = color == 1 - self.game.position.turn
        plies = 1 + (was_told and len(self.record.moves) > 1)
        for _ in range(plies):
            course.recorder.take_back(self.t_us)
        said.append(TakenBack(self.t_us, plies))
        return said + self._take_up(course.interrupted(self.record.took_us), known)

    @property
    def has_game(self) -> bool:
        """Whether a game is played, has just ended, or waits for its pieces to go on."""
        phase = self.phase
        is_waited_for = isinstance(phase, SettingUp) and phase.planned.unfinished is None
        return self.senses.is_awake and not is_waited_for

    def _take_up(
        self, game: Unfinished, known: Mapping[Switch, Piece] | None = None
    ) -> list[Action]:
        """Resume this game as soon as its pieces stand; ``known`` as of ``_place``.

        If it is over, touching the pieces is no play.
        """
        before = self.phase.planned if isinstance(self.phase, SettingUp) else PlannedGame()
        planned = replace(before, unfinished=game)
        if game.record.outcome is not None:
            begun = planned.beginning(self.t_us, game.orientation, self.stuck.known)
            return self._go_on(planned, begun)
        self._place(planned, self.standing, game.orientation, known)
        return self._set_up() or self._lead()
