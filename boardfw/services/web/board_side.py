"""The board as the pages ask for things of it. Each call returns when the board has done it."""

from __future__ import annotations

from typing import Protocol

from boardfw.ports import Button
from boardfw.services.web.api import (
    BoardHealth,
    Calling,
    CourseList,
    Examined,
    Explained,
    GameChoices,
    GameList,
    GameWish,
    HandAct,
    Imported,
    KeptGame,
    LessonWish,
    RulingList,
    RulingWish,
    SettingList,
)


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

    async def rule(self, wish: RulingWish, session: str) -> str:
        """Decide about the game; the decision in words. ``session``: how the device is called."""

    async def rulings(self) -> RulingList:
        """What was decided about the game."""

    async def call(self, calling: Calling, session: str) -> None:
        """Let the players be called so."""

    async def health(self) -> BoardHealth:
        """How the board is."""

    async def examine(self) -> Examined:
        """What the doctor says of the board and its machine, while it plays."""

    async def settings(self) -> SettingList:
        """The settings, and which of them can be changed while it runs."""

    async def change(self, key: str, value: object) -> None:
        """Change a setting."""

    @property
    def learning(self) -> Learning | None:
        """The lessons that it can give; None: it gives none."""

    @property
    def library(self) -> Library | None:
        """The games that are kept; None: none are."""


class Library(Protocol):
    """The collection of games. What cannot be done raises RefusedError."""

    async def games(self, player: str, fen: str, offset: int, limit: int) -> GameList:
        """The newest games first: of a player, part of whose name is said, and in which a position
        stood; "": of anybody, and whatever stood."""

    async def game(self, number: int) -> KeptGame:
        """One game."""

    async def pgn(self, number: int) -> str:
        """The same as PGN."""

    async def all_pgn(self, player: str, fen: str) -> str:
        """All games as PGN, the oldest first; player and position as of ``games``."""

    async def explain(self, number: int, ply: int) -> Explained:
        """Why a ply of it was taken for this move."""

    async def keep(self, pgn: str) -> Imported:
        """Keep games from elsewhere."""

    async def delete(self, number: int) -> None:
        """Remove a game, for good after a while."""

    async def restore(self, number: int) -> None:
        """Do not remove it after all."""


class Learning(Protocol):
    """Lessons that the board gives. What cannot be done raises RefusedError."""

    async def courses(self, profile: str) -> CourseList:
        """What there is to learn, and how far a learner is."""

    async def start(self, wish: LessonWish) -> None:
        """Begin a lesson."""

    async def skip(self) -> None:
        """Go on to the next exercise of the lesson."""

    async def again(self) -> None:
        """Ask the exercise of the lesson once more."""

    async def leave(self) -> None:
        """End the lesson."""
