"""The senses of one board: scans in, settled edges and short openings out, whatever is played."""

from __future__ import annotations

from boardfw.sensing.debounce import Blip, Debounce, Edge
from boardfw.sensing.health import Health
from boardfw.squares import NO_SWITCHES, Occupancy


class Senses:
    """Debounces the switches of one board, and judges their health, from one game to the next."""

    def __init__(self, settle_us: int) -> None:
        self.health = Health()
        """The health of each switch."""
        self._settle_us = settle_us
        self._debounce: Debounce | None = None

    @property
    def is_awake(self) -> bool:
        """True if the board has been scanned."""
        return self._debounce is not None

    @property
    def settled(self) -> Occupancy:
        """The switches that are closed, settled."""
        return self._debounce.settled if self._debounce else NO_SWITCHES

    @property
    def deadline_us(self) -> int | None:
        """When something will have settled if nothing changes before; None if all is at rest."""
        return self._debounce.deadline_us if self._debounce else None

    def scan(
        self, t_us: int, occupancy: Occupancy, since_us: int | None = None
    ) -> list[Edge | Blip]:
        """Take one scan; return what has become known by now, oldest first.

        The first scan says what stands. ``since_us``: the board could not be read since then.
        """
        if self._debounce is None:
            self._debounce = Debounce(occupancy, self._settle_us)
            return []
        return self._judge(self._debounce.feed(t_us, occupancy, since_us))

    def advance(self, t_us: int) -> list[Edge | Blip]:
        """Let time pass without a change; return what has settled by now, oldest first."""
        return self._judge(self._debounce.advance(t_us)) if self._debounce else []

    def _judge(self, news: list[Edge | Blip]) -> list[Edge | Blip]:
        for known in news:
            self.health.feed(known)
        return news
