"""A reader for those who have raw scans and no senses: recordings, and the bench."""

from __future__ import annotations

from boardfw.inference.reading import constants
from boardfw.inference.reading.faults import announced
from boardfw.inference.reading.hypothesis import Hypothesis
from boardfw.inference.reading.reader import LIMITS, Reader
from boardfw.inference.reading.seating import Seating
from boardfw.ports import earliest
from boardfw.rules.position import Position
from boardfw.sensing.debounce import Debounce
from boardfw.squares import NO_SWITCHES, Occupancy, Orientation


class ScanReader(Reader):
    """Reads one game from the scans of a board: ``feed`` takes them, times never decrease."""

    def __init__(
        self,
        start: Position,
        occupancy: Occupancy,
        *,
        t_us: int = 0,
        orientation: Orientation = Orientation.AS_WIRED,
        dead: Occupancy = NO_SWITCHES,
        limits: tuple[float, ...] = LIMITS,
    ) -> None:
        root = Hypothesis(start, 0.0, None, None, Seating(orientation))
        root.believe(announced(orientation.squares(dead), 0))
        super().__init__([root], occupancy, t_us=t_us, limits=limits)
        self._debounce = Debounce(occupancy, constants.SETTLE_US)

    @property
    def deadline_us(self) -> int | None:
        """When something may become known if no switch changes before; None: never."""
        return earliest(super().deadline_us, self._debounce.deadline_us)

    def feed(self, t_us: int, occupancy: Occupancy, since_us: int | None = None) -> None:
        """Take one raw scan. ``since_us``: the switches could not be read since then."""
        self.note_changes(t_us, self._debounce.feed(t_us, occupancy, since_us))
        super().pass_time(t_us)

    def pass_time(self, t_us: int) -> None:
        """Let time go by until ``t_us``, without a change of any switch."""
        self.note_changes(t_us, self._debounce.advance(t_us))
        super().pass_time(t_us)
