"""The switches while no game is played: settled lifts and drops, and nothing made of them."""

from __future__ import annotations

from boardfw.game.events import Action, Dropped, Event, Lifted, Outage, Restored, Sample
from boardfw.sensing.debounce import Debounce, Edge
from boardfw.squares import Occupancy, turned_occupancy


class Switches:
    """Takes the events that a ``Session`` takes, and answers what its switches did.

    ``turn``: which way round the board lies, as of ``Line``.
    """

    def __init__(self, standing: Occupancy, settle_us: int, turn: int = 0) -> None:
        self._debounce = Debounce(standing, settle_us)
        self._turn = turn
        self._blind = False

    def handle(self, event: Event) -> list[Action]:
        """Take one event."""
        if isinstance(event, Outage | Restored):
            self._blind = isinstance(event, Outage)
            return [event]
        if isinstance(event, Sample):
            known = self._debounce.feed(event.t_us, event.occupancy, event.since_us)
        else:
            known = [] if self._blind else self._debounce.advance(event.t_us)
        edges = [edge for edge in known if isinstance(edge, Edge)]
        return [self._said(event.t_us, edge) for edge in edges]

    def _said(self, t_us: int, edge: Edge) -> Action:
        return (Dropped if edge.closed else Lifted)(t_us, edge.square ^ self._turn)

    @property
    def standing(self) -> Occupancy:
        """Occupied squares of the game."""
        settled = self._debounce.settled
        return turned_occupancy(settled) if self._turn else settled

    @property
    def deadline_us(self) -> int | None:
        """When something will have settled."""
        return None if self._blind else self._debounce.deadline_us
