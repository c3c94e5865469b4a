"""The session: the sans-IO heart. Events in, actions out; time is an argument.

What goes on is a table (``table.py``): SETUP, PLAY or OVER. What was played is computed from the
trace: it is what the most credible line says. Lights are no action: they are drawn from a ``View``
of the session (``look.py``).
"""

from __future__ import annotations

from boardfw.game.ending import AUTOMATIC, automatic_end, end_by_button, shown_by_kings
from boardfw.game.events import Action, Dropped, Ended, Event, Lifted, NewGame, Press, Sample
from boardfw.game.final import contested
from boardfw.game.mismatch import UNFINISHED_US, Mismatch
from boardfw.game.question import Question
from boardfw.game.record import Record, common
from boardfw.game.rest import Rest
from boardfw.game.scribe import Scribe
from boardfw.game.stuck import StuckSwitches
from boardfw.game.table import NEXT, Cause, Table
from boardfw.inference.choice import open_until_us
from boardfw.inference.line import Line
from boardfw.inference.tracker import Tracker
from boardfw.inference.weights import PATIENCE_US, REST_US
from boardfw.rules import Outcome, Position
from boardfw.sensing.debounce import SETTLE_US, Blip, Debounce, Edge
from boardfw.sensing.health import Health
from boardfw.sensing.trace import Trace
from boardfw.squares import START, Occupancy, Square

HANDS_OFF_US = 2_000_000
"""Watched at rest for so long to its end, a board shows what was played, and no held man."""
PLAYED_ON = 4
"""Plies that have become final after an end was taken back: the game goes on, nobody sets up."""
NEARLY = 2
"""Squares that may differ from the start and play begins all the same: a contact may be poor."""


class Session:
    """One board at work. Feed events in the order of time; collect what it answers."""

    def __init__(self, start: Position | None = None, settle_us: int = SETTLE_US) -> None:
        self.start = start or Position.start()
        self.table = Table.SETUP
        self.t_us = 0
        """Time of the newest event."""
        self.games: list[Record] = []
        """All games of this session; the last one is being played."""
        self._settle_us = settle_us
        self.stuck = StuckSwitches()
        self.health = Health()
        """How each switch does, over all games."""
        self._debounce: Debounce | None = None
        self._begin(0, self.start, standing=0, turnable=False)

    def _begin(self, t_us: int, start: Position, standing: Occupancy, *, turnable: bool) -> None:
        self.trace = Trace(t_us, standing)
        """What the switches have done in this game."""
        known = self.stuck.known
        dead = known | _poor(start.occupied & ~known, standing & ~known)
        self.tracker = Tracker.of(start, self.trace, turnable=turnable, dead=dead)
        """The rival games that the trace may tell."""
        self.games.append(Record(start, t_us))
        self.mismatch = Mismatch()
        self.question = Question()
        self._scribe = Scribe(self.record)
        self._rest = Rest(t_us, self.tracker.best)
        self._decided = False
        self._judged: tuple[Line, int, bool] | None = None
        self._ended: Line | None = None
        self._asked_at: Table | None = None

    # --- what others may see

    @property
    def record(self) -> Record:
        """The game being played, or the last one."""
        return self.games[-1]

    @property
    def line(self) -> Line:
        """The most credible game."""
        return self.tracker.best

    @property
    def provisional(self) -> bool:
        """Whether the last ply has a rival."""
        return contested(self.tracker)

    @property
    def wanted(self) -> Occupancy:
        """The switches that have to close before play can begin."""
        return START if self._is_asked else self.line.expected

    @property
    def _is_asked(self) -> bool:
        """Whether somebody has asked for a new game by its button."""
        return self._asked_at is not None

    def lifted_us(self, square: Square) -> int | None:
        """When the man on a square of the game was lifted, if it is known."""
        return self.trace.last_edge_us(self.line.switch(square))

    @property
    def rest_us(self) -> int:
        """For how long no switch has changed."""
        return self.t_us - self._rest.edge_us

    @property
    def deadline_us(self) -> int | None:
        """When the session wants a ``Tick`` if nothing happens before; None: never."""
        times = [self._debounce.deadline_us if self._debounce else None]
        times += [self._scribe.deadline_us, open_until_us(self.line, self.trace)]
        times += [self._rest.edge_us + wait for wait in (REST_US, UNFINISHED_US)]
        times.append(self.tracker.deadline_us)
        return min((t for t in times if t is not None and t > self.t_us), default=None)

    # --- events in, actions out

    def handle(self, event: Event) -> list[Action]:
        """Take one event; what is to be said, in order."""
        if self._debounce is None:
            return self._first(event) if isinstance(event, Sample) else []
        due_us, self.t_us = self.deadline_us, max(self.t_us, event.t_us)
        news = self._sense(self._debounce, event)
        is_due = due_us is not None and due_us <= self.t_us
        if not news and not is_due and not isinstance(event, Press):
            return []  # a contact bounces
        said: list[Action] = []
        for known in news:
            said += self._take(known)
        if isinstance(event, Press):
            said += self._press(event.button)
        return said + self._at_rest() + self._say_stuck()

    def finish(self) -> list[Action]:
        """The board is watched no longer: believe what time would have made credible."""
        if not self.is_playing:
            return []
        if self.rest_us < HANDS_OFF_US:  # cut off in the middle: what a hand held is in a hand
            return self._follow()
        self.tracker.wait(self.t_us + PATIENCE_US)
        said = self._follow() + self._end(self._shown_end())
        said += self._scribe.finalise(self.t_us, self.tracker, waited_us=PATIENCE_US)
        said += self.question.watch(self.t_us, self.tracker, self._scribe.final)
        return said + self._say_stuck()

    def _say_stuck(self) -> list[Action]:
        return self.stuck.say(self.t_us, self.line, self.trace.now)

    @property
    def is_playing(self) -> bool:
        """Whether what the hands do may be a move."""
        return self.table is not Table.SETUP and not self._decided

    def _first(self, sample: Sample) -> list[Action]:
        self.t_us = sample.t_us
        self._debounce = Debounce(sample.occupancy, self._settle_us)
        self.games.clear()
        self._begin(sample.t_us, self.start, sample.occupancy, turnable=False)
        differing = sample.occupancy ^ self.start.occupied
        if differing.bit_count() <= NEARLY:
            self._turn(Cause.STANDS)
        return []

    def _sense(self, debounce: Debounce, event: Event) -> list[Edge | Blip]:
        if isinstance(event, Sample):
            return debounce.feed(event.t_us, event.occupancy)
        if isinstance(event, Press):  # whoever presses has let go: what stands now, stands
            return debounce.advance(event.t_us + self._settle_us)
        return debounce.advance(event.t_us)

    def _take(self, known: Edge | Blip) -> list[Action]:
        """A switch did something: think again."""
        said: list[Action] = []
        self.health.feed(known)
        if isinstance(known, Edge):
            square = self.line.switch(known.square)
            said.append((Dropped if known.closed else Lifted)(self.t_us, square))
            self._rest.before(known.t_us, self.tracker)
        if self.is_playing and not self.mismatch.extra:
            self.question.touch(known, self.tracker)
        if self.is_playing or self._is_asked:  # who asked by mistake has lost nothing
            self.tracker.feed(known)
        else:
            self.trace.append(known)
        if isinstance(known, Edge) and not self.is_playing:
            self.stuck.moved(known.square)
        self._rest.after(self.trace.now)
        return said + (self._set_up() or self._follow())

    def _follow(self) -> list[Action]:
        """Write down what the best line says now."""
        if not self.is_playing:
            return []
        in_the_air = self._rest.was_set_up and self.rest_us < REST_US
        setting_up = in_the_air or self._is_ended
        said = self._scribe.follow(self.t_us, self.tracker, setting_up=setting_up)
        if self.record.outcome is not None and not self._has_ended:
            self.record.outcome = None  # the ply that ended the game was taken back
            self._turn(Cause.TAKEN_BACK)
        return said

    def _at_rest(self) -> list[Action]:
        """What is to be said because time has passed."""
        if self.rest_us >= REST_US and (said := self._set_up()):
            return said
        if not self.is_playing:
            return []
        self.tracker.wait(self.t_us)
        said = self._follow() + self._scribe.finalise(self.t_us, self.tracker)
        if self._ended is not None:
            kept = common(self.record.moves, self._ended.moves)
            if self._scribe.final >= kept + PLAYED_ON:
                self._ended = None
        if self.rest_us >= REST_US:
            said += self._end(self._shown_end())
        return said + self._watch()

    def _watch(self) -> list[Action]:
        """Whether something stands wrong, or has to be asked."""
        if not self.is_playing:
            return []
        said = self.mismatch.watch(self.t_us, self.rest_us, self.tracker)
        if self.rest_us >= REST_US:
            self.stuck.watch(self.tracker)
        if self.rest_us >= REST_US and not self.mismatch.extra:
            said += self.question.watch(self.t_us, self.tracker, self._scribe.final)
        return said

    # --- how a game ends and another begins

    def _shown_end(self) -> Outcome | None:
        """How the board, at rest, shows the game to have ended: asked once as it stands so."""
        choosing_us = open_until_us(self.line, self.trace)
        is_chosen = choosing_us is None or choosing_us <= self.t_us
        shown = (self.line, self.trace.t_us, is_chosen)
        if shown == self._judged:
            return None
        self._judged = shown
        kings = shown_by_kings(self.tracker, self._rest.stood)
        if kings is not None:
            self.tracker.decide(kings[0])
            return kings[1]
        return automatic_end(self.line) if is_chosen else None

    def _end(self, outcome: Outcome | None) -> list[Action]:
        """Let the game be over; what people decide outweighs what the rules said before."""
        decides = outcome is not None and outcome.termination not in AUTOMATIC
        if outcome is None or (self.record.outcome is not None and not decides):
            return []
        said = self._follow() + self.mismatch.clear(self.t_us)
        if decides:
            said += self._scribe.conclude(self.t_us)
        self._decided = decides
        self._ended = self.line
        self.record.outcome = outcome
        self._turn(Cause.ENDED)
        return [*said, Ended(self.t_us, outcome.result, outcome.termination)]

    def _press(self, button: str) -> list[Action]:
        if button == "new_game":
            return self._ask_for_new_game()
        if not self.is_playing or self._is_ended:
            return []
        if button.startswith("answer_"):
            self.question.answer(int(button[-1]), self.tracker)
            return self._follow()
        return self._end(end_by_button(button, self.record, self.line))

    @property
    def _is_ended(self) -> bool:
        """Whether the rules have ended the game and nobody has played on."""
        return self._ended is not None and self.record.moves == self._ended.moves

    @property
    def _has_ended(self) -> bool:
        """Whether the game contains the ply with which it ended."""
        ended = self._ended.moves if self._ended is not None else ()
        return self.record.moves[: len(ended)] == ended

    def _ask_for_new_game(self) -> list[Action]:
        """The button says what set-up pieces say: start anew as soon as they stand."""
        if self._asked_at is not None:  # pressed once more: it was a mistake, the game goes on
            self.table, self._asked_at = self._asked_at, None
            return []
        self._asked_at = self.table
        if self._stands(START):
            return self._new_game(self.line)
        self._turn(Cause.ASKED)
        return self.mismatch.clear(self.t_us)

    def _set_up(self) -> list[Action]:
        """Begin, if the men stand as at the start of a game, put there by hands that set up."""
        if not self._stands(self.wanted if self.table is Table.SETUP else START):
            return []
        if self.table is Table.SETUP and not self._is_asked:
            self._restart(self.start, turnable=False)
            return []
        if self._is_asked or self._was_set_up:
            ended = self._ended if self._is_ended and not self._decided else None
            return self._new_game(ended or self._rest.stood)
        if self._ended is not None and not self._decided and self._ended.expected != START:
            return self._new_game(self._ended)
        return []

    @property
    def _was_set_up(self) -> bool:
        """Whether hands that set up, and did not play, have put the men where they stand."""
        if not self._rest.stood.moves and not self._decided:
            return False
        unexplained = self.line.wrong(self.trace.now).bit_count()
        resting = self.rest_us >= REST_US and (self._ended is None or self._decided)
        exactly = not (self.trace.now ^ START) & ~self.line.ledger.dead
        return (exactly and self._rest.was_set_up) or (resting and unexplained > NEARLY)

    def _stands(self, wanted: Occupancy) -> bool:
        """Whether these men stand; after a while of rest a poor contact or two do not count."""
        dead = self.line.ledger.dead
        wanted, standing = wanted & ~dead, self.trace.now & ~dead
        if wanted == standing:
            return True
        return bool(_poor(wanted, standing)) and self.rest_us >= UNFINISHED_US

    def _new_game(self, last: Line) -> list[Action]:
        """The men stand for another game, after the one that ``last`` tells."""
        said: list[Action] = []
        if not self._decided and not self._is_asked:
            # What the hands did since the board last stood was setting up, not play.
            self.tracker.decide(last)
            said = self._follow() + self._end(automatic_end(last))
        said += self._scribe.conclude(self.t_us) + self.mismatch.clear(self.t_us)
        self._restart(Position.start(), turnable=True)
        return [*said, NewGame(self.t_us)]

    def _restart(self, start: Position, *, turnable: bool) -> None:
        if not self.record.moves and self.record.outcome is None:
            self.games.pop()  # a game without a ply was none
        self._begin(self.t_us, start, self.trace.now, turnable=turnable)
        self._turn(Cause.STANDS)

    def _turn(self, cause: Cause) -> None:
        self.table = NEXT[self.table, cause]


def _poor(wanted: Occupancy, standing: Occupancy) -> Occupancy:
    """The switches that read otherwise than wanted, if poor contacts are enough to explain it."""
    missing, extra = wanted & ~standing, standing & ~wanted
    # A man on a wrong square is missing in one place and too many in another.
    is_man = missing and extra
    return 0 if is_man or (missing | extra).bit_count() > NEARLY else missing | extra
