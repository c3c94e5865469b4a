"""What an arbiter decides from a page: what was played, clocks, the result, how players are called.

Each decision is one of ``boardfw.game.rulings``, and is kept with the game: who made it, and why.
"""

from __future__ import annotations

import logging

from boardfw.errors import NotationError
from boardfw.game.events import Ruling, Tick
from boardfw.game.rulings.decision import given, parse_decision
from boardfw.game.rulings.ruling import judge
from boardfw.ports import Clock
from boardfw.services.web.api import Calling, Decided, RulingList, RulingWish
from boardfw.services.web.refusals import RefusedError
from boardfw.shell.desk import Desk
from boardfw.shell.taught_desk import TaughtDesk
from boardfw.shell.web.new_game import Controls, checked_names

log = logging.getLogger(__name__)


class Arbiter:
    """Decides about the game of a run; in the thread of the board's loop."""

    def __init__(self, desk: Desk, clock: Clock, controls: Controls) -> None:
        self._desk = desk
        self._clock = clock
        self._controls = controls

    def rule(self, wish: RulingWish, session: str) -> str:
        """Decide this; the decision in words. Raises RefusedError; then nothing has changed.

        ``session``: how the device is called, where no other name is given.
        """
        self._check_game()
        record = self._desk.session.record
        try:
            who, why = given("who", wish.who or session), given("why", wish.why)
            decision = parse_decision(record.start, wish.what)
            judged = judge(record, decision)
        except NotationError as error:
            what, _, remedy = str(error).partition("; ")
            raise RefusedError(422, what, where="what, why", remedy=remedy) from None
        now_us = self._clock.now_us()
        self._controls.tell(Tick(now_us))  # whatever is due by now comes before it
        self._controls.tell(Ruling(now_us, who, why, decision))
        return judged.what

    def rulings(self) -> RulingList:
        """What has been decided about this game, oldest first."""
        rulings = self._desk.session.record.rulings
        decided = [Decided(ply=one.ply, what=one.what, who=one.who, why=one.why) for one in rulings]
        return RulingList(rulings=decided)

    def call(self, calling: Calling, session: str) -> None:
        """Let the players of this game be called so. Raises RefusedError."""
        self._check_game()
        called = checked_names(self._desk.settings, calling.white, calling.black)
        if not called:
            raise RefusedError(422, "no name is given", where="white, black")
        self._controls.names.say(self._desk.session.record, called)
        self._controls.tell(Tick(self._clock.now_us()))  # the writers of the game notice them now
        log.info("the players' names were changed by the session %r", session)

    def _check_game(self) -> None:
        desk = self._desk
        if (isinstance(desk, TaughtDesk) and desk.is_taught) or not desk.session.has_game:
            raise RefusedError(
                409,
                "no game is being played",
                where="what",
                remedy="begin one, or rule on a game that is kept with 'boardfw games rule'",
            )
