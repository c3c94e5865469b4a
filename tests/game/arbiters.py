"""A table with an arbiter beside it."""

from __future__ import annotations

from boardfw.game.chronicle import Chronicle, chronicle
from boardfw.game.clock import ClockUse, parse_control
from boardfw.game.events import Event, Ruled, Ruling, Unruled
from boardfw.game.journal import Journal, from_json, to_json
from boardfw.game.rulings.decision import parse_decision
from tests.dances import Table

SPANISH = "e2e4 e7e5 g1f3 b8c6 f1b5"


class Arbiter(Table):
    """A table with an arbiter beside it, and a journal that is written as it would be."""

    def __init__(self, control: str = "", **others: bool) -> None:
        clock = ClockUse(parse_control(control), **others) if control else None
        self.events: list[Event] = []
        self.entries: list[tuple[int, bytes]] = []
        self.journal: Journal | None = None
        super().__init__(clock=clock)

    def take(self, event: Event) -> None:
        said = len(self.actions)
        self.events.append(event)
        super().take(event)
        self.journal = self.journal or Journal(self.session, {"White": "Anna"})
        noted = self.journal.take(self.session, self.actions[said:])
        self.entries += [(number, to_json(entry)) for number, entry in noted]

    def rule(self, text: str) -> str:
        """Rule; what was said of it."""
        decision = parse_decision(self.session.record.start, text)
        self.take(Ruling(self.t_us, "Berg", "both say so", decision))
        said = [action for action in self.actions if isinstance(action, Ruled | Unruled)][-1]
        return said.text if isinstance(said, Unruled) else said.what

    @property
    def written(self) -> Chronicle:
        """What the journal tells of the last game, read back."""
        last = self.entries[-1][0]
        return chronicle(from_json(entry) for number, entry in self.entries if number == last)

    def check(self) -> None:
        """What is written is what is recorded."""
        record, told = self.session.record, self.written
        assert told.record.moves == record.moves
        assert told.record.times_us == record.times_us
        assert told.record.illegal == record.illegal
        assert told.record.rulings == record.rulings
        assert told.record.clock_sets == record.clock_sets
        assert told.record.outcome == record.outcome
        assert told.took_us == tuple(time.took_us for time in record.ply_times)
        assert told.timed().ply_times == record.ply_times
