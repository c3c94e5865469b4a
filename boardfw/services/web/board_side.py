"""The board as the pages ask for things of it. Each call returns when the board has done it."""

from __future__ import annotations

from typing import Protocol

from boardfw.ports import Button
from boardfw.services.web.api import GameChoices, GameWish, HandAct


class BoardSide(Protocol):
    """All in the loop of the pages. What cannot be done raises RefusedError."""

    @property
    def name(self) -> str:
        """The board's name: small letters, digits and -."""

    @property
    def is_simulated(self) -> bool:
        """Whether its pieces can be moved from a page."""

    def now_ms(self) -> int:
        """The time of the board's clock."""

    async def press(self, button: Button) -> str:
        """Press a button; what the board has to say to it."""

    async def hand(self, act: HandAct) -> str:
        """Move a piece of a simulated board; why not, or empty."""

    async def choices(self) -> GameChoices:
        """What a new game may be."""

    async def set_up(self, wish: GameWish) -> str:
        """Begin another game."""
