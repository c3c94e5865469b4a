"""The core of a board at which nothing happens by itself."""

from __future__ import annotations

import asyncio

from boardfw.ports import Button
from boardfw.services.web.api import (
    BoardHealth,
    Calling,
    Examined,
    GameChoices,
    GameWish,
    HandAct,
    RulingList,
    RulingWish,
    SettingList,
)
from boardfw.services.web.handlers import Handlers
from boardfw.services.web.hub import Hub
from boardfw.services.web.pairing import Pairing
from boardfw.services.web.refusals import RefusedError
from boardfw.services.web.sessions import InMemory, Sessions


def unable() -> RefusedError:
    return RefusedError(404, "nothing happens here")


class StillBoard:
    """A board at which nothing happens by itself."""

    name = "b7"
    is_simulated = False
    ms = 0
    library = None
    learning = None

    def now_ms(self) -> int:
        return self.ms

    async def press(self, button: Button) -> str:
        return f"{button} was pressed"

    async def hand(self, act: HandAct) -> str:
        raise unable()

    async def choices(self) -> GameChoices:
        raise unable()

    async def set_up(self, wish: GameWish) -> str:
        raise unable()

    async def rule(self, wish: RulingWish, session: str) -> str:
        raise unable()

    async def rulings(self) -> RulingList:
        raise unable()

    async def call(self, calling: Calling, session: str) -> None:
        raise unable()

    async def health(self) -> BoardHealth:
        raise unable()

    async def examine(self) -> Examined:
        raise unable()

    async def settings(self) -> SettingList:
        raise unable()

    async def change(self, key: str, value: object) -> None:
        raise unable()


def still_core() -> Handlers:
    """In the running loop."""
    now_s = asyncio.get_running_loop().time
    sessions = Sessions(InMemory(), lambda: 0)
    return Handlers(StillBoard(), Hub(), sessions, Pairing(sessions, now_s), now_s)
