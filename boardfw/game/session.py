"""The session: the sans-IO heart. Events in, actions out; time is an argument.

    SETUP --the men stand--> PLAY --the game ends--> OVER --the men stand again--> PLAY

Only this table is stored; everything else is computed from the trace and from the most credible
line. Lights are no action: they are drawn from ``view``.
"""

from __future__ import annotations

from boardfw.game.events import (
    Action,
    Asked,
    Dropped,
    Ended,
    Event,
    Lifted,
    NewGame,
    Press,
    Sample,
)
from boardfw.game.buttons import outcome_of_button
from boardfw.game.mismatch import AT_REST_US, UNFINISHED_US, Mismatch, difference
from boardfw.game.record import Record
from boardfw.game.scribe import Scribe, rivals
from boardfw.game.view import Table
from boardfw.inference.explain import PATIENCE_US
from boardfw.inference.gesture import kings_result
from boardfw.inference.line import Line
from boardfw.inference.tracker import Tracker
from boardfw.rules import Outcome, Position
from boardfw.rules.outcome import outcome
from boardfw.sensing.debounce import SETTLE_US, Blip, Debounce, Edge
from boardfw.sensing.trace import Trace
from boardfw.squares import START, turned_occupancy

IN_THE_AIR = 3
"""So many men in the air at once are no ply and no take-back: the board is being set up."""
PAUSE_US = 700_000
"""A pause as long as this parts the hands that set up from the hands that played."""


class Session:
    """One board at work. Feed events in the order of time; collect what it answers."""

    def __init__(self, start: Position | None = None, settle_us: int = SETTLE_US) -> None:
        self.start = start or Position.start()
        self.table = Table.SETUP
        self.games: list[Record] = [Record(self.start, 0)]
        """All games of this session; the last one is being played."""
        self.t_us = 0
        self.mismatch = Mismatch()
        self.asked: tuple[str, ...] = ()
        self._settle_us = settle_us
        self._debounce: Debounce | None = None
        self._scribe = Scribe(self.games[-1])
        self._trace = Trace(0, 0)
        self._tracker = Tracker.of(self.start, self._trace)
        self._edge_us = 0
        self._stood: Line = self._tracker.best
        self._most_missing = 0

    # --- what others may see

    @property
    def record(self) -> Record:
        """The game being played, or the last one."""
        return self.games[-1]

    @property
    def line(self) -> Line:
        """The most credible game."""
        return self._tracker.best

    @property
    def tracker(self) -> Tracker:
        """The rival games."""
        return self._tracker

    @property
    def trace(self) -> Trace:
        """What the switches have done in this game."""
        return self._trace

    @property
    def deadline_us(self) -> int | None:
        """When the session wants a ``Tick`` if nothing happens before; None: never."""
        times = [self._debounce.deadline_us if self._debounce else None, self._scribe.deadline_us()]
        times += [self._edge_us + wait for wait in (AT_REST_US, UNFINISHED_US, PATIENCE_US)]
        return min((t for t in times if t is not None and t > self.t_us), default=None)

    # --- events in, actions out

    def handle(self, event: Event) -> list[Action]:
        """Take one event; what is to be said, in order."""
        if isinstance(event, Sample) and self._debounce is None:
            return self._first(event)
        self.t_us = max(self.t_us, event.t_us)
        said: list[Action] = []
        for known in self._sense(event):
            said += self._take(known)
        if isinstance(event, Press):
            said += self._press(event)
        return said + self._at_rest()

    def finish(self) -> list[Action]:
        """The board is watched no longer: settle what time would have settled."""
        self._tracker.wait(self.t_us + PATIENCE_US)
        return self._follow() + self._declare()

    def _first(self, sample: Sample) -> list[Action]:
        self.t_us = self._edge_us = sample.t_us
        self._debounce = Debounce(sample.t_us, sample.occupancy, self._settle_us)
        self._trace = Trace(sample.t_us, sample.occupancy)
        self._begin(self.start, turnable=False)
        return []

    def _sense(self, event: Event) -> list[Edge | Blip]:
        if self._debounce is None:
            return []
        if isinstance(event, Sample):
            return self._debounce.feed(event.t_us, event.occupancy)
        return self._debounce.advance(event.t_us)

    def _take(self, known: Edge | Blip) -> list[Action]:
        said = self._touch(known)
        if isinstance(known, Edge):
            self._note_rest(known.t_us)
            self._edge_us = known.t_us
        if self.table is Table.OVER:
            self._trace.append(known)
        else:
            self._tracker.feed(known)
        if self._is_set_up_again():
            return said + self._new_game()
        if self.table is Table.SETUP:
            self._begin_when_ready()
        return said + self._kings() + self._follow()

    def _touch(self, known: Edge | Blip) -> list[Action]:
        if isinstance(known, Blip):
            return []
        square = self.line.switch(known.square)
        return [(Dropped if known.closed else Lifted)(known.t_us, square)]
