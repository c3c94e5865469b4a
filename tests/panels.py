"""A panel whose buttons are held down, and whose buzzer is heard."""

from __future__ import annotations

from boardfw.ports import Button, button_named
from hardware.strip import MemoryPanel


def known_button(name: str) -> Button:
    """The button of this name, which there is."""
    button = button_named(name)
    assert button is not None, f"no button {name}"
    return button


class HeldPanel(MemoryPanel):
    """Fingers that stay on a button."""

    def __init__(self) -> None:
        super().__init__()
        self._held: frozenset[str] = frozenset()
        self.buzzes: list[bool] = []
        """What the buzzer was told, in its order."""

    def hold(self, name: str) -> None:
        """Press a button and keep it down. Raises ValueError as ``press``."""
        self._held |= {name}
        self.press(name)

    def release(self, name: str) -> None:
        """Let go of a button."""
        self._held -= {name}

    def held(self) -> frozenset[str]:
        return self._held

    def buzz(self, *, on: bool) -> None:
        self.buzzes.append(on)
