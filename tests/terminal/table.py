"""A terminal board whose time is moved by the test, and a finger that clicks on it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from textual.pilot import Pilot

from boardfw.game.clock import ClockUse
from boardfw.game.session import Session
from boardfw.notation.fen import parse_fen
from boardfw.notation.san import numbered_san
from boardfw.players.game_player import Player
from boardfw.recording import START_FEN
from boardfw.shell.config import Settings
from boardfw.shell.review_desk import ReviewDesk
from boardfw.squares import BY_NAME
from boardfw.terminal.app import TerminalBoard
from boardfw.terminal.drawn_board import Squares
from boardfw.terminal.panels import Message, Moves, Situation, Tray
from boardfw.terminal.talk import Beside, Talk
from boardfw.terminal.typing_line import Line
from docs.drawing.still import Still
from hardware.clock import VirtualClock
from hardware.sim.board import SimBoard, pieces_of

TOUCH_US = 400_000
REST_US = 2_000_000


class Table:
    """A simulated board with bouncing switches, its desk, and the screen in front of it."""

    def __init__(
        self,
        fen: str = START_FEN,
        *,
        sim: bool = True,
        clock: ClockUse | None = None,
        in_box: bool = False,
        beside: Beside | None = None,
    ) -> None:
        """``in_box``: the pieces are still beside the board."""
        self.clock = VirtualClock()
        pieces = pieces_of(fen)
        self.sim = SimBoard(
            self.clock, pieces={} if in_box else pieces, beside=pieces.values() if in_box else ()
        )
        self.desk = ReviewDesk(Session(parse_fen(fen), clock=clock), Settings())
        self.loop = Still(self.sim, self.clock, self.desk)
        player = Player(self.sim, "careful", seed=1) if sim else None
        self.app = TerminalBoard(Talk(self.loop, self.clock, player, beside), Path("games/x.pgn"))
        self._pilot: Pilot[None] | None = None

    @asynccontextmanager
    async def shown(self, width: int = 80, height: int = 24) -> AsyncIterator[Table]:
        """The screen, open."""
        async with self.app.run_test(size=(width, height)) as self._pilot:
            await self.wait(TOUCH_US)
            yield self

    @property
    def pilot(self) -> Pilot[None]:
        assert self._pilot is not None
        return self._pilot

    async def wait(self, duration_us: int = REST_US) -> None:
        """Let the board's time pass, the screen looking twenty times a second."""
        for _ in range(0, duration_us, 50_000):
            self.app.look()
            self.loop.go_on(50_000)
        self.app.look()
        await asyncio.sleep(0)

    async def click(self, *names: str) -> None:
        """Click on squares, one after the other; ``>e5`` with the right button."""
        squares = self.app.query_one(Squares)
        for name in names:
            offset = self._centre_of(name.lstrip(">"))
            assert await self.pilot.click(squares, offset=offset, button=3 if ">" in name else 1)
            await self.wait(TOUCH_US)

    def _centre_of(self, name: str) -> tuple[int, int]:
        switch = self.desk.view.orientation.switch(BY_NAME[name])
        return self.app.query_one(Squares).centre_of(switch)

    async def drag(self, origin: str, target: str) -> None:
        """Press on a square or on a piece in the box, let go on another square or on the box."""
        for name, act in ((origin, self.pilot.mouse_down), (target, self.pilot.mouse_up)):
            on_board = name in BY_NAME
            widget = self.app.query_one(Squares if on_board else Tray)
            if on_board:
                offset = self._centre_of(name)
            else:
                offset = (place_of(self.app.query_one(Tray), name) if name != "box" else 30, 0)
            assert await act(widget, offset=offset)
            await self.wait(TOUCH_US)

    async def take(self, label: str) -> None:
        """Click on a piece in the box."""
        tray = self.app.query_one(Tray)
        assert await self.pilot.click(tray, offset=(place_of(tray, label), 0))
        await self.wait(TOUCH_US)

    async def type(self, text: str) -> None:
        """Type a line."""
        self.app.query_one(Line).value = text
        await self.pilot.press("enter")
        await self.wait(TOUCH_US)

    @property
    def game(self) -> str:
        """The moves so far."""
        record = self.desk.session.record
        return numbered_san(record.start, record.moves)

    @property
    def situation(self) -> str:
        """What the screen says is going on."""
        return str(self.app.query_one(Situation).render())

    @property
    def written(self) -> str:
        """The moves as the screen has them."""
        return str(self.app.query_one(Moves).query_one("Static").render())

    @property
    def opening(self) -> str:
        """How the opening is called."""
        return str(self.app.query_one("#opening").render())

    @property
    def message(self) -> str:
        """The line that answers."""
        return self.app.query_one(Message).text

    @property
    def head(self) -> str:
        """The first line of the screen."""
        return str(self.app.query_one("#head").render())


def place_of(tray: Tray, label: str) -> int:
    """The column of a piece in the box. Raises ValueError if it is not there."""
    return tray._places.index(label) + 1
