"""The help that each player is given: levels, and what they show and when.

A doubt is about a ply that may have been a slip; threats are what attacks and defends a piece, and
what hangs.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from boardfw.phrase import Phrase
from boardfw.rules import Color, Move, Position
from boardfw.rules.board import PIECE_NAMES, SIDE
from boardfw.rules.outcome import mates
from boardfw.rules.reasons import why_none
from boardfw.rules.static_exchange import contact, contacts, needless_loss, static_exchange
from boardfw.squares import NAMES, Bitboard, Square, bitboard_of

LEVELS = range(5)
LEGAL, THREATS, GUARD, COACH = 1, 2, 3, 4
"""What a level adds: where a piece may go and why not; what hangs; a warning after the ply; what
each move of a lifted piece is worth."""

CONTACT_US = 1_500_000
"""A piece held for this long shows its attackers and defenders."""
HANGING_US = 2_000_000
"""A king held for this long shows which pieces of its side hang."""


@dataclass(frozen=True, slots=True)
class Help:
    """The help that one player is given."""

    level: int = LEGAL
    """0: repairs only, 1: the rules, 2: threats, 3: a warning after a doubtful ply, 4: a
    coach."""
    delay_us: int = 0
    """How long a piece must be in the hand."""
    budget: int = 0
    """How many pieces are helped with in a turn; 0 for all."""
    is_locked: bool = False
    """Whether the level is fixed while the board runs."""
    hints: int = 10
    """How often the coach helps in a game; 0 for always."""


Helps: TypeAlias = tuple[Help, Help]
"""By colour."""
ALIKE: Helps = (Help(), Help())


# --- slips

DWELL_US = 2_000_000
"""A doubtful ply that stands for this long was meant."""


class Doubt(NamedTuple):
    """A doubtful ``move``: ``reply`` is what the enemy may do in the position ``after`` it."""

    move: Move
    after: Position
    reply: Move
    is_mate: bool = False

    @property
    def text(self) -> Phrase:
        """``really? the queen on h5 can be taken: take it back, or let it stand``."""
        return Phrase("really? {0}: take it back, or let it stand", self._what())

    def _what(self) -> str:
        if self.is_mate:
            return "it allows mate in one"
        captured = None if self.reply.captured is None else self.after.piece_at(self.reply.captured)
        if captured is None or self.reply.captured is None:
            return Phrase("the pawn on {0} gets through", NAMES[self.reply.origin])
        name = PIECE_NAMES[captured.piece_type]
        return Phrase("the {0} on {1} can be taken", name, NAMES[self.reply.captured])


@lru_cache(maxsize=2)
def doubt(position: Position, move: Move) -> Doubt | None:
    """What speaks against a move that another move would have avoided; None if nothing."""
    after = position.play_unchecked(move)
    mating = mates(after)
    others = (other for other in position.legal_moves() if other is not move)
    if mating and any(not mates(position.play_unchecked(other)) for other in others):
        return Doubt(move, after, mating[0], is_mate=True)
    reply = needless_loss(position, move).reply
    return None if reply is None else Doubt(move, after, reply)


# --- attackers and defenders

REMEMBERED = 16
"""A piece in a hand is looked at many times in between."""
contact_of = lru_cache(maxsize=REMEMBERED)(contact)
held_fast = lru_cache(maxsize=REMEMBERED)(why_none)
"""Why a piece of the side to move has no legal move; None if it has one."""


@lru_cache(maxsize=REMEMBERED)
def dangers(position: Position, origin: Square) -> Bitboard:
    """Legal targets of a piece on which it would be lost, wholly or in part."""
    moves = (move for move in position.legal_moves() if move.origin == origin)
    return bitboard_of(move.target for move in moves if static_exchange(position, move) < 0)


@lru_cache(maxsize=REMEMBERED)
def hanging(position: Position, color: Color) -> Bitboard:
    """The pieces of a colour that would be lost, wholly or in part, if the enemy moved now."""
    own = position.placement[SIDE[color]]
    found = (square for square, one in contacts(position).items() if one.loss > 0)
    return bitboard_of(found) & own
