"""The session: the sans-IO heart. Events in, actions out; time is an argument.

It is fed with what the switches read, runs one game after the other, and decides when the next
begins. Lights are not actions: they are drawn from its ``View`` (``build_view.py``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from boardfw.errors import NotationError
from boardfw.game.board_trouble import StuckSwitches, let_gap_pass
from boardfw.game.course import Course
from boardfw.game.events import (
    Action,
    ClockChosen,
    Dropped,
    Event,
    Lifted,
    NewGame,
    Outage,
    Press,
    Ready,
    Restored,
    Ruling,
    Sample,
    Unruled,
)
from boardfw.game.phase import NEXT, Cause, GamePhase
from boardfw.game.record import Record
from boardfw.game.rulings.arbiter import rule, take_back
from boardfw.game.setup.game_start import game_before, is_placed, stands
from boardfw.game.setup.placing import pieces_of
from boardfw.game.setup.planned_game import KnownSetup, PlannedGame
from boardfw.game.setup.resuming import Unfinished
from boardfw.game.timekeeper import ClockUse, Pause
from boardfw.inference.evidence import REST_US
from boardfw.inference.hypothesis import Hypothesis
from boardfw.inference.tracker import Tracker
from boardfw.rules import Piece, Position
from boardfw.rules.faults import Problem
from boardfw.sensing.debounce import SETTLE_US, Blip, Debounce, Edge
from boardfw.sensing.health import Health
from boardfw.sensing.trace import Trace
from boardfw.squares import START, Occupancy, Square


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
        self._planned = PlannedGame(start or Position.start(), taken_up, clock, problems, stood)
        """The first game, until it is played."""
        self.t_us = 0
        """Time of the newest event."""
        self.games: list[Record] = []
        """All games of this session; the last one is being played."""
        self.stuck = StuckSwitches(stood.stuck)
        self.health = Health()
        """The health of each switch, over all games."""
        self.blind: Occupancy = 0
        """Switches that cannot be read: the game waits for them."""
        self._sees_us = 0
        """Until then it is unknown what has settled since the switches can be read again."""
        self._settle_us = settle_us
        self._clock = clock
        self._debounce: Debounce | None = None
        self._place(0)
        self._due_us = self._next_us()
        """Cached, since it is asked for more often than it changes."""
        self.has_heeded = False
        """Whether the last event may have changed anything; a bouncing contact does not."""

    def _follow(self, course: Course) -> None:
        """Watch this game from now on."""
        self.course = course
        """The game being played, or the last one."""
        self.games.append(course.record)
        course.time.hold(self.t_us, Pause.BLIND, bool(self.blind))

    # --- what others may see

    @property
    def deadline_us(self) -> int | None:
        """When the session wants a ``Tick`` if nothing happens before; None if never."""
        return self._due_us

    @property
    def phase(self) -> GamePhase:
        """The phase of the game."""
        return self.course.phase

    @property
    def record(self) -> Record:
        """The game being played, or the last one."""
        return self.course.record

    @property
    def trace(self) -> Trace:
        """What the switches have done in this game."""
        return self.course.trace

    @property
    def tracker(self) -> Tracker:
        """The rival games that the trace may tell."""
        return self.course.tracker

    @property
    def hypothesis(self) -> Hypothesis:
        """The most credible game."""
        return self.course.hypothesis

    def lifted_us(self, square: Square) -> int | None:
        """When the piece on a square of the game was lifted; None if unknown."""
        return self.trace.last_edge_us(self.hypothesis.switch(square))

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
        elif self._debounce is None:
            said = self._first(event) if isinstance(event, Sample) else []
        else:
            said = self._hear(self._debounce, event)
        self._due_us = self._next_us()
        return said

    def _hear(self, debounce: Debounce, event: Event) -> list[Action]:
        """Take an event; what was due before it is said first."""
        told: list[Action] = []
        if isinstance(event, Sample) and event.since_us is not None:
            told = let_gap_pass(self.course, debounce.settled, event, self.t_us, self.blind)
        self.t_us = max(self.t_us, event.t_us)
        news = self._sense(debounce, event)
        is_due = self._due_us is not None and self._due_us <= self.t_us
        if not news and not is_due and not isinstance(event, Press):
            self.has_heeded = isinstance(event, Sample) and event.since_us is not None
            return told  # a contact bounces
        said = told
        for known in news:
            said += self._take(known, is_last=known is news[-1])
        if isinstance(event, Press):
            said += self._press(event.button)
        if self.t_us >= self._sees_us and not self.blind:
            said += self._wait()
        return said + self._say_stuck()

    def _see(self, event: Outage | Restored) -> list[Action]:
        """Note that switches cannot be read, or can again; no game time passes meanwhile."""
        self.t_us = max(self.t_us, event.t_us)
        self.blind = event.squares if isinstance(event, Outage) else 0
        self.course.time.hold(self.t_us, Pause.BLIND, bool(self.blind))
        return [event]

    def wait_for(self, until_us: int | None) -> None:
        """Do not let the last ply become final by standing before this instant; None: at once."""
        if self.course.wait_for(until_us):
            self._due_us = self._next_us()

    def finish(self) -> list[Action]:
        """The board is no longer watched: believe what time would have made credible."""
        said = self.course.finish(self.t_us) + self._say_stuck()
        self._due_us = self._next_us()
        return said

    def _next_us(self) -> int | None:
        """When time alone will change something after now."""
        if self.blind:
            return None
        unseen = self.t_us < self._sees_us
        due_us = self._sees_us if unseen else self.course.deadline_us(self.t_us)
        settled_us = self._debounce.deadline_us if self._debounce else None
        if settled_us is None or settled_us <= self.t_us:
            return due_us
        return settled_us if due_us is None else min(settled_us, due_us)

    def _first(self, sample: Sample) -> list[Action]:
        self.t_us = sample.t_us
        self._debounce = Debounce(sample.occupancy, self._settle_us)
        self._place(sample.occupancy)
        if self._planned.begins_with(sample.occupancy) and not self.problems:
            return self._begin_as_planned()
        return self._set_up() or self._lead()

    def _sense(self, debounce: Debounce, event: Event) -> list[Edge | Blip]:
        if isinstance(event, Sample):
            if event.since_us is not None:
                self._sees_us = event.t_us + self._settle_us
                self.trace.unwatched_us = event.t_us
            return debounce.feed(event.t_us, event.occupancy, event.since_us)
        if self.blind:
            return []
        if isinstance(event, Press):  # a player who presses has let go: what stands now, stands
            return debounce.advance(event.t_us + self._settle_us)
        return debounce.advance(event.t_us)

    def _take(self, known: Edge | Blip, *, is_last: bool) -> list[Action]:
        """Take in what a switch did.

        A reading between two edges that are known at one instant was never seen.
        """
        said: list[Action] = []
        self.health.feed(known)
        if isinstance(known, Edge):
            said += self.course.overstep(self.t_us, known.t_us)
            square = self.hypothesis.switch(known.square)
            said.append((Dropped if known.closed else Lifted)(self.t_us, square))
            if not self.course.is_playing:
                self.stuck.moved(known.square)
        self.course.feed(known)
        begun = self._set_up() or self._lead(known)
        return said + (begun or (self.course.follow(self.t_us) if is_last else []))

    def _press(self, button: str) -> list[Action]:
        if button == "new_game":
            return self._ask_for_new_game()
        if button == "take_back":
            return self._take_back()
        if button == "pause" and self.phase is GamePhase.SETUP and not self.course.is_asked:
            return self._let_it_count()
        return self.course.press(self.t_us, button)

    def _wait(self) -> list[Action]:
        """What is to be said because time has passed."""
        if self._is_at_rest and (said := self._set_up()):
            return said
        said = self.course.wait(self.t_us)
        if self._is_at_rest and self.course.is_playing:
            self.stuck.watch(self.tracker, is_set_up=self.course.rest.is_set_up)
        return said

    @property
    def _is_at_rest(self) -> bool:
        return self.course.rest.lasts_us(self.t_us) >= REST_US

    def _say_stuck(self) -> list[Action]:
        return self.stuck.say(self.t_us, self.hypothesis, self.trace.now)

    # --- one game after the other

    def _ask_for_new_game(self) -> list[Action]:
        """Begin a new game by the button, as soon as the pieces stand."""
        if not self.course.ask(self.t_us):
            return self._lead()
        return self._set_up() or self.course.mismatch.clear(self.t_us) + self._lead()

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Why no game can begin as planned; empty while another one is asked for."""
        is_wanted = self.phase is GamePhase.SETUP and not self.course.is_asked
        return self._planned.problems if is_wanted else ()

    def _lead(self, known: Edge | Blip | None = None) -> list[Action]:
        """What is to be said while pieces are set up."""
        course = self.course
        if course.orientation != self.hypothesis.orientation and not course.is_asked:
            self._place(self.trace.now, course.orientation)
            self.course.placing = course.placing
        put = known.square if isinstance(known, Edge) and known.closed else None
        return [] if self.problems else self.course.lead(self.t_us, put)

    def _rule(self, ruling: Ruling) -> list[Action]:
        """Apply an arbiter's ruling and resume the game from it."""
        self.t_us, course = max(self.t_us, ruling.t_us), self.course
        if not self._has_game:
            return [Unruled(self.t_us, "no game is being played; begin or resume one")]
        try:
            said, game = rule(self.t_us, ruling.decision, ruling.who, ruling.why, course)
        except NotationError as error:
            return [Unruled(self.t_us, str(error))]
        return said + self._take_up(game)

    def _choose(self, clock: ClockUse | None) -> list[Action]:
        """The players choose a clock; one that runs in a game already is not changed."""
        self._clock = clock
        if self._planned.unfinished is None:
            self._planned = replace(self._planned, clock=clock)
        if not (self.record.moves or self.record.outcome or self.course.is_asked):
            self.course.choose(self.t_us, clock)
            self.course.time.hold(self.t_us, Pause.BLIND, bool(self.blind))
        return []

    def _take_back(self) -> list[Action]:
        """Take the last ply back for the players; its pieces are led home."""
        known = self._standing()  # an arbiter may know better what stands where, players do not
        taken = take_back(self.t_us, self.course) if self._has_game else None
        return [] if taken is None else taken[0] + self._take_up(taken[1], known)

    @property
    def _has_game(self) -> bool:
        """Whether a game is played, has just ended, or waits for its pieces to go on."""
        is_waited_for = self.phase is GamePhase.SETUP and self._planned.unfinished is None
        return not (self.course.is_asked or is_waited_for or self._debounce is None)

    def _take_up(
        self, game: Unfinished, known: Mapping[Square, Piece] | None = None
    ) -> list[Action]:
        """Resume this game as soon as its pieces stand.

        ``known``: the piece on each switch now; None if that is in question.
        """
        self._planned = replace(self._planned, unfinished=game)
        if game.record.outcome is not None:
            return self._go_on(self._judged_over(game))
        self._place(self.trace.now, game.orientation, NEXT[self.phase, Cause.RULED])
        if self.course.placing is not None and known is not None:
            self.course.placing.know(known)
        return self._set_up() or self._lead()

    def _standing(self) -> dict[Square, Piece]:
        """The piece on each switch, as far as that is known."""
        placing, now = self.course.placing, self.trace.now
        if placing is not None:
            return dict(placing.standing)
        return pieces_of(self.hypothesis.position, now, self.hypothesis.orientation)

    def _judged_over(self, game: Unfinished) -> Course:
        """The game as it ended: touching the pieces is no play."""
        phase, known = NEXT[self.phase, Cause.ENDED], self.stuck.known
        return game.course(self.t_us, self.trace.now, phase, known)

    def _place(
        self,
        standing: Occupancy,
        orientation: int | None = None,
        phase: GamePhase = GamePhase.SETUP,
    ) -> None:
        """Begin to set up the planned game, this way round; None: as the board lay."""
        del self.games[-1:]
        known, planned = self.stuck.known, self._planned
        course = planned.course(self.t_us, standing, phase, orientation=orientation, known=known)
        self._follow(course)

    def _set_up(self) -> list[Action]:
        """Begin if the pieces stand as at the start of a game and were set up there."""
        course, is_planned = self.course, self.phase is GamePhase.SETUP and not self.course.is_asked
        if is_planned:
            if self.problems:
                return []
            if is_placed(course, self.t_us):
                return self._begin_as_planned()
            is_given_up = self._planned.may_be_given_up and self.trace.now == START
            return self._new_game(course.hypothesis) if is_given_up and self._is_at_rest else []
        last = game_before(course, self.t_us) if stands(course, START, self.t_us) else None
        return [] if last is None else self._new_game(last)

    def _begin_as_planned(self) -> list[Action]:
        """Begin the game that the session was made for: its pieces stand."""
        was_led = self.course.placing is not None and self.course.placing.has_led
        course = self._restarted(self._planned, self.course.orientation)
        return [Ready(self.t_us)] * was_led + self._go_on(course)

    def _restarted(self, planned: PlannedGame, orientation: int) -> Course:
        """This game, whose pieces stand."""
        phase, known = NEXT[self.phase, Cause.STANDS], self.stuck.known
        now = self.trace.now
        return planned.course(self.t_us, now, phase, orientation=orientation, known=known)

    def _let_it_count(self) -> list[Action]:
        """Play on from what stands, because a player says that it counts."""
        course = self._planned.counted(
            self.t_us,
            self.trace.now,
            orientation=self.course.orientation,
            known=self.stuck.known,
        )
        return [] if course is None or self.problems else self._go_on(course)

    def _go_on(self, course: Course) -> list[Action]:
        """Play the game that the session was made for from now on."""
        self.games.pop()
        self._follow(course)
        self._planned = replace(self._planned, unfinished=None)
        return course.follow(self.t_us)

    def _new_game(self, last: Hypothesis) -> list[Action]:
        """Begin another game, whose pieces stand, after the one that ``last`` tells."""
        said = self.course.close(self.t_us, last)
        orientation = self.course.orientation if self.course.placing else 0
        course = self._restarted(PlannedGame(clock=self._clock), orientation)
        if not self.record.moves and self.record.outcome is None:
            self.games.pop()  # a game without plies does not count
        self._follow(course)
        self._planned = replace(self._planned, unfinished=None, problems=())
        return [*said, NewGame(self.t_us)]
