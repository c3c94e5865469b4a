"""How a new version does: its units are looked at until it has run for a while, or has failed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import host

RUNS_S = 30.0
"""How long a version has to run in one piece to be good."""


@dataclass
class Watch:
    """Counts failed starts of a version that was started before the first look."""

    failed: int
    most: int
    """With so many failed starts it is no good."""
    now_s: Callable[[], float]
    why: str = "it was cut off too often"
    _units: list[str] = field(default_factory=lambda: [host.SERVICE])
    _restarts: dict[str, int] = field(default_factory=dict)
    _processes: tuple[str, ...] = ()
    _since_s: float | None = None

    def looked(self) -> bool | None:
        """Look once; return True if the version is good, False if not, None while undecided."""
        shown = [self._counted(unit) for unit in self._units]
        if self.failed >= self.most:
            return False
        processes = tuple(one["MainPID"] for one in shown)
        if any(one["ActiveState"] != "active" for one in shown):
            self._since_s = None
        elif len(self._units) == 1 and host.is_active(host.PAGE_SOCKET):
            host.restart_page()  # so the page is tried as well, and none of the old version is left
            self._units.append(host.PAGE)
        elif self._since_s is None or processes != self._processes:
            self._since_s, self._processes = self.now_s(), processes
        elif self.now_s() - self._since_s >= RUNS_S:
            return True
        return None

    def _counted(self, unit: str) -> dict[str, str]:
        """Return what systemd shows of a unit; its failed starts are counted."""
        shown = host.shown(unit)
        restarts = int(shown["NRestarts"])
        new = restarts - self._restarts.get(unit, 0)
        self._restarts[unit] = restarts
        if shown["ActiveState"] == "failed":  # systemd does not try again, e.g. bad settings
            new = self.most
        elif shown["ActiveState"] == "inactive":  # a board that just ends is no board
            new = max(new, 0) + 1
            host.start(unit)
        if new > 0:
            self.failed += new
            self.why = f"{unit} does not start, or ended too soon"
        return shown
