"""What a session looks like from outside at one instant: the only thing lights and screens see."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from boardfw.game.clock import ChessClock
from boardfw.game.phase import GamePhase
from boardfw.game.setup.placing import Asked
from boardfw.game.threats import Doubt
from boardfw.rules.faults import Problem
from boardfw.rules.move import Move
from boardfw.rules.outcome import Outcome
from boardfw.rules.position import Position
from boardfw.rules.reasons import Reason
from boardfw.squares import Occupancy, Square


@dataclass(frozen=True, slots=True)
class Choosing:
    """How another piece may be chosen for a pawn that was promoted."""

    then: int
    """The kind of piece (``rules``' KNIGHT..QUEEN) that one more put-back chooses."""
    until_us: int
    """A put-back before this instant of the session's clock counts."""
    is_exchanged: bool
    """Whether a piece was put in the pawn's place; before that a put-back does just this, however
    late."""


class View(NamedTuple):
    """A session at one instant. All squares are squares of the game, not of the wiring.

    The defaults describe a board on which nothing goes on. A tuple, since one is made, and compared
    with the one before, at every event: a frozen dataclass of so many fields takes far longer.
    """

    position: Position
    phase: GamePhase = GamePhase.PLAY
    turned: bool = False
    """The board stands the other way round: game square *s* lies over switch ``63 - s``."""
    standing: Occupancy = 0
    """Squares whose switch is closed, settled."""
    in_hand: Square | None = None
    """Where the man that was lifted stood; its legal moves are ``destinations``."""
    destinations: tuple[Move, ...] = ()
    dangers: Occupancy = 0
    """Targets among them on which the man would be lost."""
    looked_at: Square | None = None
    """Whose attackers and guards are shown, or whose king asks which men hang."""
    attackers: Occupancy = 0
    defenders: Occupancy = 0
    hanging: Occupancy = 0
    """Men of the side to move that would be lost if the enemy might take now."""
    last_move: Move | None = None
    unkept: bool = False
    """The last ply is not on the disk yet."""
    unwritten: str = ""
    """Why plies wait in memory for the disk, and how to mend it; empty: they do not."""
    is_clouded: bool = False
    """Several pieces of this game moved while nobody looked at the board: its plies since then are
    guessed."""
    late: tuple[str, ...] = ()
    """That scans come late, and what to do about it; empty: they come in time."""
    provisional: bool = False
    """The last ply may yet become another one: rivals are alive."""
    doubted: Doubt | None = None
    """The last ply may have been a slip: nothing that cannot be taken back follows from it yet."""
    missing: Occupancy = 0
    """Squares that want a man, while the board stands as no legal move explains."""
    extra: Occupancy = 0
    """Squares whose man should not stand there, likewise."""
    repair: tuple[tuple[Square | None, Square | None], ...] = ()
    """The shortest way back: (from, to), first step first; None = the box beside the board."""
    reason: Reason | None = None
    """Why what stands on the board is no move, or why the man in the hand has none."""
    tried: Square | None = None
    """Whom the reason is about: where he stands in the game."""
    candidates: tuple[Move, ...] = ()
    """Moves among which the board asks the players to choose."""
    promotion: int | None = None
    """Kind of man (``rules``' KNIGHT..QUEEN) while a promotion may still be chosen again."""
    choosing: Choosing | None = None
    """How that is done; None: nothing is being chosen."""
    wanted: Occupancy = 0
    """While setting up: squares that still want a man."""
    surplus: Occupancy = 0
    """While setting up: squares that should be empty, or hold another man."""
    asked: Asked | None = None
    """While setting up: who is to be put next, and on which of the ``wanted`` squares."""
    problems: tuple[Problem, ...] = ()
    """Why no game can begin from the position that was wished."""
    stuck: Occupancy = 0
    """Squares whose switch does not move: what stands there is known from the game alone."""
    blind: Occupancy = 0
    """Squares whose switch cannot be read: the game waits until all can be again."""
    good_bye: int | None = None
    """The board is being shut down; so many steps of its good-bye have been shown."""
    outcome: Outcome | None = None
    clock: ChessClock | None = None
    """What both players have left at any instant; None: they play without a clock."""
