"""Who sits there: an opponent made of something that thinks, with the manners and pace of a person.

The seat keeps the promises of ``Opponent`` for everything that can think: one answer for each
question, none for one that was withdrawn, and a second try when something breaks.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from boardfw.game.clock import SECOND_US
from boardfw.game.opponent import (
    AcceptsDraw,
    Gone,
    Plays,
    RefusesDraw,
    Resigns,
    Situation,
    Stumbles,
    Tell,
)
from boardfw.notation.opening_names import fingerprint
from boardfw.rules import Move, Position
from boardfw.services.human_time import human_time_us
from boardfw.services.manners import Manners

TRIES = 2
"""An answer that did not come is asked for once more."""
REMEDY = "choose another opponent"


class Thought(NamedTuple):
    """A legal move, and what it is worth for the side that makes it."""

    move: Move
    worth_cp: float


class Failure(NamedTuple):
    """Why no move was found, as a sentence."""

    text: str
    is_final: bool = False
    """Whether trying again would change nothing."""


class Question(NamedTuple):
    """What is to be thought about."""

    situation: Situation
    position: Position
    time_us: int | None
    """The longest that it may take; None: as it likes, the clock is its own."""
    chance: random.Random


class Thinker(Protocol):
    """Something that finds moves."""

    async def think(self, question: Question) -> Thought | Failure:
        """A move; cancelled, it stops thinking, and may at once be asked something else."""

    async def close(self) -> None:
        """Leave nothing behind."""


@dataclass(frozen=True, slots=True)
class Pace:
    """When answers come."""

    is_human: bool = True
    """Else each comes as soon as it is known."""
    now_us: Callable[[], int] = lambda: time.monotonic_ns() // 1000
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    """Seconds."""


class Seat:
    """An ``Opponent``; to be made and used in the thread of a running loop."""

    def __init__(
        self,
        thinker: Thinker,
        tell: Tell,
        *,
        manners: Manners | None = None,
        pace: Pace | None = None,
        seed: int = 0,
    ) -> None:
        """``seed``: the same seed makes the same choices in the same positions."""
        self._thinker = thinker
        self._tell = tell
        self._manners = manners or Manners()
        self._pace = pace or Pace()
        self._seed = seed
        self._asked: Situation | None = None
        self._task: asyncio.Task[None] | None = None
        self._worth_cp: dict[int, float] = {}
        """What its moves were worth, by the number of plies before them."""
        self._offered: int | None = None

    def ask(self, situation: Situation) -> None:
        """As ``Opponent.ask``."""
        if not (situation.wants_move or situation.draw_offered):
            raise ValueError("not its turn, and no draw offered: there is nothing to answer")
        if not situation.position.legal_moves():
            raise ValueError("the game is over: there is nothing to answer")
        is_thinking = self._task is not None and not self._task.done()
        if is_thinking and self._asked and self._asked.is_same_turn(situation):
            self._asked = situation
            return
        self.cancel()
        self._asked = situation
        self._task = asyncio.get_running_loop().create_task(self._answer())
        self._task.add_done_callback(_fail_aloud)

    def cancel(self) -> None:
        """As ``Opponent.cancel``."""
        self._asked = None
        if self._task is not None:
            self._task.cancel()

    async def close(self) -> None:
        """As ``Opponent.close``."""
        self.cancel()
        try:
            if self._task is not None and self._task is not asyncio.current_task():
                await asyncio.wait([self._task])
        finally:
            await self._thinker.close()

    # --- how it is done

    async def _answer(self) -> None:
        asked = self._asked
        if asked is None:
            return
        self._forget(asked)
        if not asked.wants_move:
            accepts = self._manners.accepts(asked, self._known())
            self._tell(AcceptsDraw(asked) if accepts else RefusesDraw(asked))
            return
        began_us = self._pace.now_us()
        position = asked.position
        chance = random.Random(f"{self._seed} {fingerprint(position)}")
        pause_us = human_time_us(asked, position, chance)
        question = Question(asked, position, pause_us if self._pace.is_human else None, chance)
        thought = await self._think(question)
        if thought is None:
            return
        if self._pace.is_human:
            rest_us = pause_us - (self._pace.now_us() - began_us)
            if rest_us > 0:
                await self._pace.sleep(rest_us / SECOND_US)
        self._decide(self._asked or asked, thought)

    async def _think(self, question: Question) -> Thought | None:
        """A move, or None: it has been told that there is none to come."""
        for tried in range(1, TRIES + 1):
            found = await self._thinker.think(question)
            if isinstance(found, Thought):
                return found
            asked = self._asked or question.situation
            if found.is_final:
                self._tell(Gone(asked, found.text))
                break
            if tried == TRIES:
                self._tell(Gone(asked, f"{found.text}, also when started again; {REMEDY}"))
                break
            self._tell(Stumbles(asked, f"{found.text}; it is started again"))
            if not self._is_wanted:  # withdrawn by the listener
                break
        return None

    @property
    def _is_wanted(self) -> bool:
        """Whether the task that asks this is still the one that is to answer."""
        return self._asked is not None and self._task is asyncio.current_task()

    def _decide(self, asked: Situation, thought: Thought) -> None:
        plies = len(asked.moves)
        self._worth_cp[plies] = thought.worth_cp
        worth_cp = self._known()
        if asked.draw_offered and self._manners.accepts(asked, worth_cp):
            self._tell(AcceptsDraw(asked))
        elif self._manners.gives_up(worth_cp):
            self._tell(Resigns(asked))
        else:
            offers = self._manners.offers(asked, worth_cp, self._offered)
            if offers:
                self._offered = plies
            self._tell(Plays(asked, thought.move, offers))

    def _forget(self, asked: Situation) -> None:
        """What was taken back, and a game that is over, leave nothing behind."""
        plies = len(asked.moves)
        self._worth_cp = {at: worth for at, worth in self._worth_cp.items() if at < plies}
        if self._offered is not None and self._offered >= plies:
            self._offered = None

    def _known(self) -> list[float]:
        return [self._worth_cp[at] for at in sorted(self._worth_cp)]


def _fail_aloud(task: asyncio.Task[None]) -> None:
    """Let the loop hear of a fault in the program at once, not when the task is thrown away."""
    if not task.cancelled():
        task.result()
