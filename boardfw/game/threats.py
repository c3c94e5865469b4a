"""A ply that may have been a slip: what it lets the enemy do, and for how long the board asks."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from boardfw.rules import KING, Color, Move, Position
from boardfw.rules.board import PIECE_NAMES, SIDE
from boardfw.rules.outcome import mates
from boardfw.rules.reasons import Reason, why_none
from boardfw.rules.static_exchange import contact, contacts, needless_loss, static_exchange
from boardfw.squares import NAMES, Occupancy, Square, occupancy_of

DWELL_US = 2_000_000
"""A doubtful ply that stands for so long is meant."""


class Doubt(NamedTuple):
    """``reply``: what the enemy may do after ``move``, in the position ``after`` it."""

    move: Move
    after: Position
    reply: Move
    is_mate: bool = False

    @property
    def text(self) -> str:
        """``really? the queen on h5 can be taken: take it back, or let it stand``."""
        return f"really? {self._what()}: take it back, or let it stand"

    def _what(self) -> str:
        if self.is_mate:
            return "it allows mate in one"
        captured = None if self.reply.captured is None else self.after.piece_at(self.reply.captured)
        if captured is None or self.reply.captured is None:
            return f"the pawn on {NAMES[self.reply.origin]} gets through"
        return (
            f"the {PIECE_NAMES[captured.piece_type]} on {NAMES[self.reply.captured]} can be taken"
        )


@lru_cache(maxsize=2)
def doubt(position: Position, move: Move) -> Doubt | None:
    """What speaks against a move, if another one would have been spared it."""
    after = position.play_unchecked(move)
    mating = mates(after)
    others = (other for other in position.legal_moves() if other is not move)
    if mating and any(not mates(position.play_unchecked(other)) for other in others):
        return Doubt(move, after, mating[0], is_mate=True)
    reply = needless_loss(position, move).reply
    return None if reply is None else Doubt(move, after, reply)


# FROM eyes.py: What a trained eye sees on the board: who is attacked, who is guarded, who would be lost.

REMEMBERED = 16
"""A man in a hand is looked at many times in between."""


class Seen(NamedTuple):
    """Who looks at a man."""

    attackers: Occupancy = 0
    defenders: Occupancy = 0


@lru_cache(maxsize=REMEMBERED)
def dangers(position: Position, origin: Square) -> Occupancy:
    """Legal targets of a man on which he would be lost, wholly or in part."""
    moves = (move for move in position.legal_moves() if move.origin == origin)
    return occupancy_of(move.target for move in moves if static_exchange(position, move) < 0)


@lru_cache(maxsize=REMEMBERED)
def seen(position: Position, square: Square) -> Seen:
    """Who attacks and who guards the man of a square; of a king, whom all guard, nothing."""
    if position.placement[KING] >> square & 1:
        return Seen()
    found, _ = contact(position, square)
    return Seen(found.attackers, found.defenders)


@lru_cache(maxsize=REMEMBERED)
def hanging(position: Position, color: Color) -> Occupancy:
    """The men of a colour that would be lost, wholly or in part, if the enemy might take now."""
    own = position.placement[SIDE[color]]
    found = (square for square, looks in contacts(position).items() if looks.loss > 0)
    return occupancy_of(found) & own


@lru_cache(maxsize=REMEMBERED)
def held_fast(position: Position, origin: Square) -> Reason | None:
    """Why a man of the side to move has no legal move; None: he has one."""
    return why_none(position, origin)
