"""An opponent that is not at the board, in one run: it is asked, heard, and at the end let go."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from boardfw.game.events import Action, Answered, Consulted, Event, Owed, Released, Seated
from boardfw.game.opponent import Answer, Stumbles
from boardfw.ports import Clock
from boardfw.rules import Color, Move, Position
from boardfw.services.opponents import Wish, seat
from boardfw.services.seat import Seat
from boardfw.shell.desk import Desk
from boardfw.squares import Orientation

MoveByHand = Callable[[Position, Move, int, Orientation], None]
"""Lets simulated hands make a move in a position, from an instant on, on a board that lies so."""
SHOWN_US = 800_000
"""Simulated hands make the opponent's move once its lights have been seen for so long."""


class RemoteSide(Protocol):
    """Whoever plays a side of a run without being at the board; all in the loop's thread."""

    def sit(self, tell: Callable[[Event], None]) -> None:
        """The run begins; ``tell`` brings events to the session. Raises ConfigError."""

    def take(self, said: list[Action], desk: Desk, /) -> None:
        """The session has said this."""

    async def leave(self) -> None:
        """The run is over; nothing is left behind."""


class AwaySeat:
    """Passes on what the session asks of the opponent, and what that answers.

    All of it happens in the thread of the loop.
    """

    def __init__(
        self, color: Color, wish: Wish, clock: Clock, hands: MoveByHand | None = None
    ) -> None:
        """``hands``: make its moves on a simulated board; None: a person does."""
        self._color = color
        self._wish = wish
        self._clock = clock
        self._hands = hands
        self._seat: Seat | None = None
        self._tell: Callable[[Event], None] | None = None

    def sit(self, tell: Callable[[Event], None]) -> None:
        """Take the seat, in a running loop; ``tell`` brings events to the session.

        Raises ConfigError if the engine that is wanted is not there.
        """
        self._tell = tell
        seated = seat(self._wish, self._answer)
        self._seat = seated.opponent
        if seated.text:
            self._answer(Stumbles(None, seated.text))
        tell(Seated(self._clock.now_us(), self._color))

    def _answer(self, answer: Answer) -> None:
        if self._tell:
            self._tell(Answered(self._clock.now_us(), answer))

    def take(self, said: list[Action], desk: Desk) -> None:
        """The session has said this."""
        for action in said:
            if self._seat and isinstance(action, Consulted):
                self._seat.ask(action.situation)
            elif self._seat and isinstance(action, Released):
                self._seat.cancel()
            elif self._hands and isinstance(action, Owed):
                self._make_move(self._hands, desk)

    def _make_move(self, hands: MoveByHand, desk: Desk) -> None:
        session = desk.session
        move, game = session.away.owed(session.course), session.hypothesis
        if move is not None:
            begins_us = self._clock.now_us() + SHOWN_US
            hands(game.position, move, begins_us, game.orientation)

    async def leave(self) -> None:
        """Send the opponent away; nothing of it is left behind."""
        if self._seat:
            await self._seat.close()
