"""Finds the turning points of a game that is over at the board, when the players ask for them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from boardfw.errors import BoardError
from boardfw.game.events import Action, Answered, Ended, Event, Tick
from boardfw.game.help import LEGAL
from boardfw.game.opponent import Stumbles
from boardfw.game.record import Record
from boardfw.ports import Clock
from boardfw.rules import Color
from boardfw.services.uci.program import usual_program
from boardfw.shell.desk import Desk
from boardfw.shell.review_desk import ReviewDesk

if TYPE_CHECKING:  # most games are never looked back at
    from boardfw.learning.trainers.mistake_trainer import Turns
    from boardfw.services.analysis.analyst import Analyst

NODES = 10_000
"""For each position: fewer than ``boardfw games analyse`` takes, as somebody waits beside it."""
LEAST_PLIES = 4
"""Of a game after which it is offered."""
OFFER = "where did it turn? a hint shows it on the board"
NOTHING = "no turning point was found: no move cost a tenth of the winning chance"


class ReviewSeat:
    """Asks an engine when it is wanted, and never before; all in the thread of the loop."""

    def __init__(
        self,
        desk: ReviewDesk,
        clock: Clock,
        find: Callable[[], Analyst] | None = None,
        is_there: Callable[[], bool] = lambda: usual_program() is not None,
    ) -> None:
        """``find`` finds the engine, or raises BoardError; None: as ``find_analyst``. ``is_there``:
        whether there is one."""
        self._desk = desk
        self._clock = clock
        self._find = find
        self._is_there = is_there
        self._tell: Callable[[Event], None] | None = None
        self._wanted: Record | None = None
        self._task: asyncio.Task[None] | None = None
        desk.can_look_back = True

    def sit(self, tell: Callable[[Event], None]) -> None:
        """The run begins."""
        self._tell = tell

    def take(self, said: list[Action], desk: Desk, /) -> None:
        """The session has said this, or a button was pressed."""
        if any(isinstance(action, Ended) for action in said) and self._may_offer(desk):
            self._say(OFFER)
        wanted = self._desk.wanted
        if wanted is self._wanted:
            return
        self._wanted = wanted
        if self._task is not None:
            self._task.cancel()
            self._task = None
        if wanted is not None:
            self._task = asyncio.get_running_loop().create_task(self._find_turns(wanted))

    def _may_offer(self, desk: Desk) -> bool:
        """Not after a rated game, nor where nobody is helped and nobody away was played."""
        policy, session = desk.help_policy, desk.session
        is_helped = any(given.level >= LEGAL for given in policy.helps)
        is_asked_for = is_helped or session.away.side.color is not None
        is_long = len(session.record.moves) >= LEAST_PLIES
        return is_asked_for and is_long and not policy.is_rated and self._is_there()

    async def _find_turns(self, record: Record) -> None:
        color = self._desk.session.away.side.color
        try:
            turns = await self._turns(record, None if color is None else 1 - color)
        except BoardError as error:
            turns = None
            self._say(str(error))
        self._wanted = None
        if turns is None:
            self._desk.give_up()
        else:
            self._desk.look_back(turns)
        self._show()

    async def _turns(self, record: Record, you: Color | None) -> Turns | None:
        """What is to be shown, None: nothing, which is said. Raises BoardError."""
        from boardfw.learning.trainers.mistake_trainer import Turns, mistakes_of
        from boardfw.services.analysis.analyst import find_analyst
        from boardfw.services.analysis.annotation import annotate
        from boardfw.services.analysis.game_analysis import analyse

        analyst, game = (self._find or find_analyst)(), record.to_pgn({})
        moves, done = tuple(game.moves), 0

        def advance() -> None:
            nonlocal done
            done += 1
            self._desk.note_progress(done / len(moves))
            self._show()

        self._show()
        try:
            found = await analyse(analyst, game.start, moves, NODES, advance)
        finally:
            await analyst.close()
        annotate(game, found, analyst.name)
        mistakes = mistakes_of([game], you)
        if not mistakes:
            self._say(NOTHING)
            return None
        return Turns(mistakes)

    def _show(self) -> None:
        """Let the loop look at the lights."""
        if self._tell:
            self._tell(Tick(self._clock.now_us()))

    def _say(self, text: str) -> None:
        if self._tell and text:
            self._tell(Answered(self._clock.now_us(), Stumbles(None, text)))

    async def leave(self) -> None:
        """The run is over; nothing is left behind."""
        self._tell = None
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
