"""The seam for an opponent without hands at this board: an engine, a server, a person far away.

Nothing here knows how such an opponent thinks or where it is. It is told the game as a
``Situation`` and answers with one of the values below. Only plies that are final are told, since
some opponents cannot be told that a ply was another one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol, TypeAlias

from boardfw.game.clock import ChessClock, TimeControl
from boardfw.rules import BLACK, WHITE, Color, Move, Position


class Chosen(NamedTuple):
    """The opponent that was chosen for a side."""

    color: Color
    name: str = ""
    """What it was asked for by, such as ``engine:stockfish?level=7``; only services read it."""


@dataclass(frozen=True, slots=True)
class Replied:
    """The opponent's last move in a game that was cut off; it may have still to be made."""

    game: tuple[Move, ...]
    """All plies, of both sides, up to it."""
    offers_draw: bool = False


@dataclass(frozen=True, slots=True)
class Times:
    """What the clocks show when an opponent is asked, White's first."""

    control: TimeControl
    left_us: tuple[int, int]
    """Microseconds; in byo-yomi the rest of the period."""
    moves_made: tuple[int, int] = (0, 0)
    """Of each player, by the clock: they decide which stage of the control is played."""

    @classmethod
    def of(cls, clock: ChessClock, t_us: int) -> Times:
        """What a clock shows at an instant."""
        white, black = clock.sides
        left_us = (clock.remaining_us(WHITE, t_us), clock.remaining_us(BLACK, t_us))
        return cls(clock.control, left_us, (white.moves, black.moves))

    def moves_to_control(self, color: Color) -> int | None:
        """How many moves a player still has to make in this stage; None: all that follow."""
        made = self.moves_made[color]
        if self.control.place(made + 1).stage.moves is None:
            return None
        left = 1
        while not self.control.place(made + left + 1).is_first:
            left += 1
        return left


@dataclass(frozen=True, slots=True)
class Situation:
    """All that an opponent is told when it is asked."""

    start: Position
    moves: tuple[Move, ...]
    """All plies since the start, of both sides."""
    color: Color
    """The side that the opponent plays."""
    times: Times | None = None
    """None: the game is played without a clock."""
    draw_offered: bool = False
    """Whether the player has offered a draw that is not answered yet."""
    taken_back: int = 0
    """How many plies were taken back since the opponent was last asked."""

    @property
    def position(self) -> Position:
        """The position after all moves."""
        position = self.start
        for move in self.moves:
            position = position.play_unchecked(move)
        return position

    @property
    def wants_move(self) -> bool:
        """Whether it is the opponent's turn; else only the offer of a draw is to be answered."""
        return (self.start.turn ^ len(self.moves) & 1) == self.color

    def is_same_turn(self, other: Situation) -> bool:
        """Whether this is the same game after the same moves; clocks and offers may differ."""
        return replace(self, times=None, draw_offered=False, taken_back=0) == replace(
            other, times=None, draw_offered=False, taken_back=0
        )


@dataclass(frozen=True, slots=True)
class _Answered:
    """``to``: what was asked; None: it comes unasked, as from a person far away."""

    to: Situation | None


@dataclass(frozen=True, slots=True)
class Plays(_Answered):
    """It makes this legal move, which refuses a draw that was offered, and may offer one."""

    move: Move
    offers_draw: bool = False


@dataclass(frozen=True, slots=True)
class AcceptsDraw(_Answered):
    """The draw that the player offered is agreed."""


@dataclass(frozen=True, slots=True)
class RefusesDraw(_Answered):
    """The draw that the player offered is refused, and no move comes with it."""


@dataclass(frozen=True, slots=True)
class Resigns(_Answered):
    """It gives the game up."""


@dataclass(frozen=True, slots=True)
class Stumbles(_Answered):
    """Something broke and is being mended; the answer is still to come. ``text`` says what."""

    text: str


@dataclass(frozen=True, slots=True)
class Gone(_Answered):
    """It will not answer any more; ``text`` says why, and how to mend it. The game waits."""

    text: str


Answer: TypeAlias = Plays | AcceptsDraw | RefusesDraw | Resigns | Stumbles | Gone

Tell: TypeAlias = Callable[[Answer], None]
"""Where answers go; called in the thread of the loop, never within ``ask`` or ``cancel``."""


class Opponent(Protocol):
    """Whoever plays one side. All calls return at once but ``close``, all in the loop's thread.

    Each question has one answer, with any number of ``Stumbles`` before it. What was asked before
    is no longer answered once something else is asked, or after ``cancel``.
    """

    def ask(self, situation: Situation) -> None:
        """Ask for a move, or outside of its turn whether it accepts the draw that is offered.

        To be asked again about the same turn changes only the clocks and the offer: it goes on
        thinking. Raises ValueError where there is nothing to answer: no legal move, or not its
        turn and no draw offered.
        """

    def cancel(self) -> None:
        """No answer is wanted any more, as after a take-back; without a question nothing."""

    async def close(self) -> None:
        """Leave for good, and leave nothing behind; whatever was asked is not answered."""
