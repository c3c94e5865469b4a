"""The coach of one run: what the session asks goes to an engine, and its advice comes back."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from boardfw.errors import BoardError
from boardfw.game.events import Action, Advised, Answered, CoachAsked, CoachRests, Event
from boardfw.game.help import COACH, Helps
from boardfw.game.opponent import Stumbles
from boardfw.ports import Clock
from boardfw.shell.desk import Desk

if TYPE_CHECKING:  # most games have no coach
    from boardfw.services.analysis.advisor import Advisor
    from boardfw.services.analysis.analyst import Analyst


class CoachSeat:
    """Starts an engine when a coach is first needed; all in the thread of the loop."""

    def __init__(
        self,
        helps: Helps,
        clock: Clock,
        find: Callable[[], Analyst] | None = None,
        share: float | None = None,
    ) -> None:
        """``helps``: as the run begins; ``find`` finds the engine, or raises BoardError; ``share``:
        of the time in which it may look, 0 to 1. None: as ``find_advisor`` and ``SHARE``."""
        self._helps = helps
        self._clock = clock
        self._find = find
        self._share = share
        self._advisor: Advisor | None = None
        self._tell: Callable[[Event], None] | None = None
        self._has_complained = False

    def sit(self, tell: Callable[[Event], None]) -> None:
        """The run begins: an engine that will be needed is started, so that it answers in time."""
        self._tell = tell
        if any(given.level >= COACH for given in self._helps):
            self._start()

    def _start(self) -> Advisor | None:
        """The engine; None: there is none, which is said once."""
        if self._advisor is None:
            from boardfw.services.analysis.advisor import SHARE, Advisor, find_advisor

            try:
                analyst = (self._find or find_advisor)()
            except BoardError as error:
                self._complain(f"there is no coach: {error}")
                return None
            analyst.launch()
            self._advisor = Advisor(
                analyst,
                lambda advice: self._say(Advised(self._clock.now_us(), advice)),
                self._complain,
                SHARE if self._share is None else self._share,
            )
        return self._advisor

    def take(self, said: list[Action], desk: Desk, /) -> None:
        """The session has said this."""
        for action in said:
            if isinstance(action, CoachAsked | CoachRests) and (advisor := self._start()):
                advisor.ask(desk.help_policy.coach.asked)

    def _complain(self, text: str) -> None:
        if not self._has_complained:
            self._has_complained = True
            self._say(Answered(self._clock.now_us(), Stumbles(None, text)))

    def _say(self, event: Event) -> None:
        if self._tell:
            self._tell(event)

    async def leave(self) -> None:
        """The run is over; nothing is left behind."""
        self._tell = None
        if self._advisor:
            await self._advisor.close()
