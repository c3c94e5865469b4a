"""The state of an exercise that is played out: goal reached, spoiled and why, or still going on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import NamedTuple, TypeAlias

from boardfw.learning.endings import value
from boardfw.learning.task import Goal, Play
from boardfw.rules import PAWN, Color, Move, Outcome, Position
from boardfw.rules.board import PIECE_NAMES
from boardfw.rules.material import lacks_mating_material
from boardfw.rules.outcome import outcome


class Fate(Enum):
    """Whether the goal is reached."""

    GOING = "going"
    REACHED = "reached"
    SPOILED = "spoiled"


class Cause(Enum):
    """What decided the task. A draw spoils one goal and reaches another."""

    MATE = "mate"
    """The other side is mated."""
    PROMOTED = "promoted"
    """A pawn of yours was promoted, and the new piece was not captured at once."""
    PAWNS_TAKEN = "pawns_taken"
    """The other side has no pawn left to race with."""
    HELD = "held"
    """So many plies, and not lost."""
    MATED = "mated"
    """You are mated."""
    STALEMATE = "stalemate"
    DEAD = "dead"
    """Neither side can mate any more, or you cannot."""
    REPETITION = "repetition"
    """Five times the same position."""
    NO_PROGRESS = "no_progress"
    """Seventy-five moves without capture or pawn move."""
    LOST_PAWN = "lost_pawn"
    LOST_KNIGHT = "lost_knight"
    LOST_BISHOP = "lost_bishop"
    LOST_ROOK = "lost_rook"
    LOST_QUEEN = "lost_queen"
    """The piece whose loss leaves you without what the goal needs."""
    TAKEN_AT_ONCE = "taken_at_once"
    """Your last pawn was promoted, and the new piece was captured."""
    PROMOTED_FIRST = "promoted_first"
    """The other side promoted."""
    LOST = "lost"
    """The plies are over, but the other side mates by force."""
    TOO_LONG = "too_long"


DRAWS = {
    "stalemate": Cause.STALEMATE,
    "insufficient_material": Cause.DEAD,
    "dead_position": Cause.DEAD,
    "fivefold_repetition": Cause.REPETITION,
    "seventyfive_moves": Cause.NO_PROGRESS,
}
"""By termination."""


class Standing(NamedTuple):
    """The state of a task that is played.

    ``cause``: None while it goes on. ``back``: after how many of the plies the goal was last within
    reach; fewer than were played while it still goes on mean that it has slipped away.
    """

    fate: Fate
    cause: Cause | None
    back: int


Decision: TypeAlias = tuple[Fate, Cause] | None
REACHED, SPOILED = Fate.REACHED, Fate.SPOILED


def in_reach(task: Play, position: Position, ply: int) -> bool | None:
    """Whether the goal can be reached by force from here, after so many plies; None: not known."""
    known = value(position)
    if known is None:
        return None
    is_yours = known.stronger == task.you
    if task.goal is Goal.MATE:
        return is_yours and known.plies is not None and known.plies <= task.plies - ply
    if task.goal is Goal.HOLD:
        return is_yours or not known.is_won
    if task.goal is Goal.PROMOTE or is_yours:
        return is_yours and known.is_won
    # The other side's last pawn may still be captured, unless it gets through.
    return False if task.goal is Goal.RACE and known.is_won else None


@dataclass(frozen=True)
class Played:
    """A task, its positions until it was decided, and the moves between them."""

    task: Play
    positions: tuple[Position, ...]
    moves: tuple[Move, ...]

    @classmethod
    def begin(cls, task: Play, start: Position) -> Played:
        """The task before the first move."""
        return cls(task, (start,), ())

    def after(self, move: Move) -> Played:
        """The task after one more move; itself if it is decided already."""
        if self.decision:
            return self
        return Played(self.task, (*self.positions, self.now.play(move)), (*self.moves, move))

    @property
    def standing(self) -> Standing:
        """The state of the task.

        Where a spoiled task is taken up again it is your move, unless it was not at the start.
        It is the last position from which a table says that the goal can be reached, with the
        plies left where it is mate; where no table covers it, the one before your last
        move. If you were too slow, the task restarts, unless a table offers a later position.
        """
        ply = len(self.moves)
        fate, cause = self.decision or (Fate.GOING, None)
        if fate is Fate.GOING:
            is_lost = in_reach(self.task, self.now, ply) is False
        else:
            is_lost = fate is SPOILED
        return Standing(fate, cause, _back(self, cause) if is_lost else ply)

    @cached_property
    def decision(self) -> Decision:
        """What the last ply decided; None: nothing."""
        return _mated(self) or GOALS[self.task.goal](self) or _too_long(self)

    @property
    def now(self) -> Position:
        """The last position."""
        return self.positions[-1]

    @cached_property
    def ended(self) -> Outcome | None:
        """How the game has ended by itself."""
        return outcome(self.now, [position.key for position in self.positions[:-1]])

    @property
    def is_promoting(self) -> bool:
        """Whether a pawn was promoted by the last move, so that it still may be captured."""
        return bool(self.moves and self.moves[-1].promotion)

    @property
    def promoted(self) -> Color | None:
        """The colour whose promotion was not answered by capturing the new piece, just now."""
        if len(self.moves) < 2 or not self.moves[-2].promotion:
            return None
        is_taken = self.moves[-1].captured == self.moves[-2].target
        return None if is_taken else self.now.turn

    def pawns(self, color: Color) -> bool:
        """Whether a colour has pawns."""
        return bool(self.now.pieces_of(PAWN, color))

    def lost_pawns(self, color: Color) -> bool:
        """Whether it had some at the start, and has none now."""
        return bool(self.positions[0].pieces_of(PAWN, color)) and not self.pawns(color)


def _mated(played: Played) -> Decision:
    """A mate decides every goal."""
    if played.ended is None or played.ended.termination != "checkmate":
        return None
    if played.now.turn != played.task.you:
        return REACHED, Cause.MATE
    return (REACHED if played.task.goal is Goal.GAME else SPOILED), Cause.MATED


def _mate(played: Played) -> Decision:
    if lacks_mating_material(played.now.placement, played.task.you):
        return SPOILED, _last_loss(played)
    return _drawn(played, SPOILED)


def _promote(played: Played) -> Decision:
    you = played.task.you
    if played.promoted == you:
        return REACHED, Cause.PROMOTED
    if played.is_promoting or played.pawns(you):
        return _drawn(played, SPOILED)
    was_promoted = len(played.moves) > 1 and played.moves[-2].promotion
    return SPOILED, Cause.TAKEN_AT_ONCE if was_promoted else Cause.LOST_PAWN


def _race(played: Played) -> Decision:
    you = played.task.you
    if played.promoted is not None:
        is_yours = played.promoted == you
        return (REACHED, Cause.PROMOTED) if is_yours else (SPOILED, Cause.PROMOTED_FIRST)
    if not played.is_promoting:
        if played.lost_pawns(1 - you):
            return REACHED, Cause.PAWNS_TAKEN
        if played.lost_pawns(you):
            return SPOILED, Cause.LOST_PAWN
    return _drawn(played, SPOILED)


def _hold(played: Played) -> Decision:
    task = played.task
    if played.promoted == 1 - task.you:
        return SPOILED, Cause.PROMOTED_FIRST
    if len(played.moves) < task.plies or played.ended:
        return _drawn(played, REACHED)
    is_lost = in_reach(task, played.now, len(played.moves)) is False
    return (SPOILED, Cause.LOST) if is_lost else (REACHED, Cause.HELD)


GOALS: dict[Goal, Callable[[Played], Decision]] = {
    Goal.MATE: _mate,
    Goal.PROMOTE: _promote,
    Goal.RACE: _race,
    Goal.HOLD: _hold,
    Goal.GAME: lambda played: _drawn(played, REACHED),
}


def _drawn(played: Played, fate: Fate) -> Decision:
    return (fate, DRAWS[played.ended.termination]) if played.ended else None


def _too_long(played: Played) -> Decision:
    """A pawn promoted by the last ply of all has its answer yet to come."""
    is_waiting = played.is_promoting and played.now.turn != played.task.you
    promotes = played.task.goal in (Goal.PROMOTE, Goal.RACE)
    if len(played.moves) < played.task.plies or (is_waiting and promotes):
        return None
    return SPOILED, Cause.TOO_LONG


def _last_loss(played: Played) -> Cause:
    """The type of the piece that you lost last."""
    for before, move in zip(reversed(played.positions[:-1]), reversed(played.moves), strict=True):
        if before.turn != played.task.you and move.captured is not None:
            piece = before.piece_at(move.captured)
            return Cause(f"lost_{PIECE_NAMES[piece.piece_type]}") if piece else Cause.DEAD
    return Cause.DEAD


def _back(played: Played, cause: Cause | None) -> int:
    """The number of plies after which the task continues."""
    task = played.task
    is_slow = cause is Cause.TOO_LONG
    for ply in range(len(played.moves) - 1, -1, -1):
        position = played.positions[ply]
        if position.turn != task.you:
            continue
        known = in_reach(task, position, ply)
        if (known and task.goal is Goal.MATE) if is_slow else known is not False:
            return ply
    return 0
