"""Lights that dim when nobody plays, and go out when nobody comes back."""

from __future__ import annotations

from dataclasses import dataclass

from boardfw.game.view import View

DIMMED = 0.4
"""Of the brightness that the owner has set: the last move can be read still, in a dark room."""


@dataclass(frozen=True, slots=True)
class Dimming:
    """When lights dim and go out, microseconds after the board was last awake; None: never."""

    dim_after_us: int | None = None
    off_after_us: int | None = None

    def level(self, idle_us: int) -> float:
        """The share of the usual brightness, 0..1, after so long a time in which nothing was."""
        if self.off_after_us is not None and idle_us >= self.off_after_us:
            return 0.0
        is_dim = self.dim_after_us is not None and idle_us >= self.dim_after_us
        return DIMMED if is_dim else 1.0

    def next_change_us(self, idle_us: int) -> int | None:
        """The first idle time after this one at which the level is another; None: there is none."""
        steps = (self.dim_after_us, self.off_after_us)
        later = (t for t in steps if t is not None and t > idle_us)
        return next((t for t in sorted(later) if self.level(t) != self.level(idle_us)), None)


def keeps_awake(view: View) -> bool:
    """Whether somebody has to see what the lights say: trouble, a question, time that runs."""
    is_trouble = bool(view.missing | view.extra | view.blind or view.candidates or view.doubted)
    return is_trouble or _time_runs(view) or view.good_bye is not None


def _time_runs(view: View) -> bool:
    has_flag_fallen = view.outcome is not None and view.outcome.termination == "time"
    return view.clock is not None and view.clock.is_running and not has_flag_fallen
