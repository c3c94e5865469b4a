"""A ply that may have been a slip: what it lets the enemy do, and for how long the board asks."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from boardfw.rules import Move, Position
from boardfw.rules.board import KIND_NAMES
from boardfw.rules.exchange import needless_loss
from boardfw.rules.mates import mates
from boardfw.squares import NAMES

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
        victim = None if self.reply.victim is None else self.after.piece_at(self.reply.victim)
        if victim is None or self.reply.victim is None:
            return f"the pawn on {NAMES[self.reply.origin]} gets through"
        return f"the {KIND_NAMES[victim.kind]} on {NAMES[self.reply.victim]} can be taken"


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
