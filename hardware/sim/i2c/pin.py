"""GPIO pins that know what hangs on them: gpiozero's mock pins, wired to a simulated board."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPin


class WiredPin(MockPin):  # type: ignore[misc]  # gpiozero has no type hints
    """A pin that tells what is put out on it, and that can fall without its edge being seen."""

    on_output: Callable[[bool], None] | None = None
    """Called with each level that is put out."""

    def _set_state(self, value: bool) -> None:
        super()._set_state(value)
        if self.on_output is not None:
            self.on_output(value)

    def drive(self, *, low: bool, seen: bool) -> None:
        """Pull it low or let it go; not ``seen``: the edge is missed."""
        if self.function != "input":
            return
        if not seen:
            self._change_state(not low)
        elif low:
            self.drive_low()
        else:
            self.drive_high()


def wired_factory() -> Any:
    """A factory of these pins."""
    return MockFactory(pin_class=WiredPin)
