"""Lights and buttons that exist only in memory, shared by the back-ends that have no others."""

from __future__ import annotations

from collections import deque

from boardfw.frame import DARK, Frame
from boardfw.ports import BUTTONS


class MemoryMatrix:
    """A LedMatrix that remembers the frame it shows."""

    def __init__(self) -> None:
        self.frame: Frame = DARK

    def show(self, frame: Frame) -> None:
        """Show a frame."""
        self.frame = frame


class MemoryPanel:
    """A Panel whose buttons are pressed by calling; any thread may press."""

    def __init__(self) -> None:
        self._pressed: deque[str] = deque()
        self._held: frozenset[str] = frozenset()
        self.buzzes: list[bool] = []
        """What the buzzer was told, in its order."""

    def press(self, name: str) -> None:
        """Press a button and let go. Raises ValueError where the panel has no such button."""
        if name not in BUTTONS:
            raise ValueError(f"no button {name!r} on the panel")
        self._pressed.append(name)

    def hold(self, name: str) -> None:
        """Press a button and keep it down. Raises ValueError as ``press``."""
        self._held |= {name}
        self.press(name)

    def release(self, name: str) -> None:
        """Let go of a button."""
        self._held -= {name}

    def presses(self) -> list[str]:
        """Names of the buttons pressed since the last call, oldest first."""
        return [self._pressed.popleft() for _ in range(len(self._pressed))]

    def held(self) -> frozenset[str]:
        """Names of the buttons that are down now."""
        return self._held

    def buzz(self, *, on: bool) -> None:
        """Remember what the buzzer was told."""
        self.buzzes.append(on)
