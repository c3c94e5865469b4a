"""Opponents that are not at the board, in one run: each is asked, heard, and at the end let go."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from boardfw.errors import BoardError, ConfigError
from boardfw.game.events import (
    Action,
    Answered,
    Consulted,
    Event,
    Given,
    NewGame,
    Picked,
    Released,
    Seated,
)
from boardfw.game.opponent import Answer, Chosen, Gone, Stumbles
from boardfw.ports import Clock
from boardfw.rules import BLACK, WHITE, Color
from boardfw.services.levels import Level
from boardfw.services.opponents import USUAL, Wish, at_level, parse_wish, seat
from boardfw.services.seat import Seat
from boardfw.shell.desk import Desk
from boardfw.shell.pgn_file import SIDES, Names, players_of


@dataclass(frozen=True, slots=True)
class Sitting:
    """Which opponent plays which side."""

    color: Color
    wish: Wish

    @property
    def chosen(self) -> Chosen:
        """The same, as a game keeps it."""
        return Chosen(self.color, self.wish.text)

    def is_same(self, other: Sitting) -> bool:
        """Whether both are the same player on the same side."""
        return self.chosen == other.chosen


def called(
    tags: Mapping[str, str],
    before: Sitting | None,
    after: Sitting | None,
    given: Mapping[str, str],
    usual: Mapping[str, str],
) -> dict[str, str]:
    """Return how the players are called once another opponent has sat down.

    ``tags``: as they are called now. ``given``: names that a person gave for this very game.
    ``usual``: as the settings call them. A player at the board keeps the name on either side.
    """
    names = {side: tags.get(side, "?") for side in SIDES}
    if before:
        person = names[SIDES[1 - before.color]]
        names = {side: "?" if usual[side] == person else usual[side] for side in SIDES}
        names[SIDES[1 - (after or before).color]] = person
    names |= given
    if after:
        names[SIDES[after.color]] = after.wish.title
    return names


class RemoteSide(Protocol):
    """Whoever plays a side of a run without being at the board; all in the loop's thread."""

    def sit(self, tell: Callable[[Event], None]) -> None:
        """The run begins; ``tell`` brings events to the session. Raises ConfigError."""

    def take(self, said: list[Action], desk: Desk, /) -> None:
        """The session has said this."""

    async def leave(self) -> None:
        """The run is over; nothing is left behind."""


class AwaySeat:
    """The seat of the player who is not at the board: who sits there, and who will next.

    All of it happens in the thread of the loop.
    """

    def __init__(
        self,
        clock: Clock,
        sitting: Sitting | None = None,
        names: Names | None = None,
        usual: Wish = USUAL,
        level_for: Callable[[str], Level] | None = None,
    ) -> None:
        """``sitting``: who plays the first game; None: both players are at the board.

        ``names``: told how the players of a new game are called. ``usual``: what is not said of an
        opponent. ``level_for``: the level that follows the results of the player with a name;
        None: levels stay as they are.
        """
        self.usual = usual
        """What is not said of an opponent."""
        self._clock = clock
        self._sitting = sitting
        self._next = sitting
        self._unknown = {SIDES[sitting.color]: "?"} if sitting else {}
        """The side that the settings call like the first opponent, and so like nobody else."""
        self._names = names or Names()
        self._level_for = level_for
        self._seat: Seat | None = None
        self._leaving: set[asyncio.Task[None]] = set()
        self._tell: Callable[[Event], None] | None = None
        self._is_missing = False
        """Whether the opponent of a game that goes on cannot sit down."""
        self._remark: Answer | None = None
        """What is to be said at the beginning; None: nothing is."""

    def sit(self, tell: Callable[[Event], None]) -> None:
        """Take the seat, in a running loop; ``tell`` brings events to the session.

        Raises ConfigError if the engine that is wanted is not there.
        """
        self._tell = tell
        if self._sitting:
            self._take_seat(self._sitting)
        if self._sitting or not self._is_missing:
            tell(Seated(self._clock.now_us(), self._sitting.chosen if self._sitting else None))
        if self._next is not self._sitting:
            self.choose(self._next)
        if self._remark:
            self._answer(self._remark)

    def resume(self, chosen: Chosen) -> None:
        """Let the opponent of a game that goes on sit down again, whoever was to play.

        Who was to play does so from the next game on, or the same opponent where that is nobody.
        What there is to say about it is said in ``sit``.
        """
        try:
            wish = parse_wish(chosen.name, self.usual)
        except ConfigError as error:
            self._sitting, self._is_missing = None, True
            self._remark = Gone(None, f"the game goes on without its opponent: {error}")
            return
        if wish is None:
            return
        wanted, self._sitting = self._sitting, Sitting(chosen.color, wish)
        told = f"the game goes on against {wish.title}, who plays {SIDES[chosen.color]}"
        if wanted is None:
            self._next = self._sitting
        elif not wanted.is_same(self._sitting):
            told += f"; {wanted.wish.title} plays from the next game on"
        self._remark = Stumbles(None, told)

    def choose(self, sitting: Sitting | None) -> None:
        """Let this opponent play from the next game on; None: both players are at the board."""
        self._next = sitting
        if self._tell:
            chosen = sitting.chosen if sitting else None
            self._tell(Seated(self._clock.now_us(), chosen, at_next=True))

    @property
    def chosen(self) -> Sitting | None:
        """Who plays the next game unless another is chosen; None: both are at the board."""
        return self._next

    def adapted(self, sitting: Sitting, desk: Desk) -> Sitting:
        """This opponent of the next game; if it adapts, at the level for who sits at the board.

        Raises BoardError where their results cannot be read.
        """
        if not sitting.wish.adapts or self._level_for is None:
            return sitting
        names = self._names_with(sitting, desk)
        level = self._level_for(names[SIDES[1 - sitting.color]])
        return replace(sitting, wish=replace(sitting.wish, level=level))

    def take(self, said: list[Action], desk: Desk) -> None:
        """The session has said this."""
        for action in said:
            if isinstance(action, NewGame | Given):
                self._begin(desk)
            elif isinstance(action, Picked):
                self._seat_picked(action, desk)
            elif self._seat and isinstance(action, Consulted):
                self._seat.ask(action.situation)
            elif self._seat and isinstance(action, Released):
                self._seat.cancel()

    async def leave(self) -> None:
        """Send the opponents away; nothing of them is left behind."""
        self._stand_up()
        await asyncio.gather(*self._leaving)

    # --- how it is done

    def _take_seat(self, sitting: Sitting) -> None:
        def hear(answer: Answer) -> None:
            if sitting is self._sitting:  # who has left is not listened to any more
                self._answer(answer)

        seated = seat(sitting.wish, hear)
        self._seat = seated.opponent
        if seated.text:
            self._answer(Stumbles(None, seated.text))

    def _stand_up(self) -> None:
        if self._seat:
            leaving = asyncio.get_running_loop().create_task(self._seat.close())
            self._leaving.add(leaving)
            leaving.add_done_callback(self._leaving.discard)
        self._seat = None

    def _seat_picked(self, picked: Picked, desk: Desk) -> None:
        """Let the opponent sit down at once that was chosen on the board before the first move."""
        sitting = None
        if picked.level is not None:
            wish = at_level(self.usual, str(picked.level))
            sitting = Sitting(BLACK if picked.side == "white" else WHITE, wish)
        self._next = sitting
        self._begin(desk)
        if self._tell:
            self._tell(Seated(self._clock.now_us(), sitting.chosen if sitting else None))

    def _begin(self, desk: Desk) -> None:
        """A new game has begun: who was chosen for it sits down, and its players get names."""
        self._adapt_next(desk)
        names = self._names_with(self._next, desk)
        before, self._sitting = self._sitting, self._next
        if names != self._called(desk):
            self._names.say(desk.session.record, names, is_given=False)
        if before and self._sitting and before.is_same(self._sitting):
            self._sitting = before  # who is chosen once more stays, and is listened to
            return
        self._stand_up()
        if self._sitting:
            try:
                self._take_seat(self._sitting)
            except ConfigError as error:  # it was there when it was chosen
                self._answer(Gone(None, str(error)))

    def _called(self, desk: Desk) -> dict[str, str]:
        """How White and Black are called now."""
        return players_of(desk.settings) | self._names.last

    def _names_with(self, sitting: Sitting | None, desk: Desk) -> dict[str, str]:
        """How the players of a game are called that begins with this opponent."""
        given = self._names.given(desk.session.record)
        usual = players_of(desk.settings) | self._unknown
        return called(self._called(desk), self._sitting, sitting, given, usual)

    def _adapt_next(self, desk: Desk) -> None:
        """Let the next opponent, if it adapts, be as strong as the games until now say."""
        if self._next is None:
            return
        try:
            adapted = self.adapted(self._next, desk)
        except BoardError as error:
            self._answer(Stumbles(None, f"{error}; the opponent is as strong as before"))
            return
        if self._tell and not adapted.is_same(self._next):
            self._tell(Seated(self._clock.now_us(), adapted.chosen))
        self._next = adapted

    def _answer(self, answer: Answer) -> None:
        if self._tell:
            self._tell(Answered(self._clock.now_us(), answer))
