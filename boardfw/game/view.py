"""What a session looks like from outside at one instant: the only thing lights and screens see."""

from __future__ import annotations

from typing import NamedTuple

from boardfw.game.clock import ChessClock
from boardfw.game.help import Doubt
from boardfw.game.phase import GamePhase
from boardfw.game.setup.placing import NextPieces
from boardfw.game.setup.seat_choice import Picking
from boardfw.inference import Choosing
from boardfw.rules.faults import Problem
from boardfw.rules.move import Move
from boardfw.rules.outcome import Outcome
from boardfw.rules.position import Position
from boardfw.rules.reasons import Reason
from boardfw.squares import Bitboard, Orientation, Square


class View(NamedTuple):
    """A session at one instant. All squares are squares of the game, not of the wiring.

    The defaults describe a board on which nothing happens. It is a tuple, since one is made and
    compared with the one before at every event; a frozen dataclass with so many fields is slower.
    """

    position: Position
    phase: GamePhase = GamePhase.PLAY
    orientation: Orientation = Orientation.AS_WIRED
    standing: Bitboard = 0
    """Squares whose switch is closed, settled."""
    in_hand: Square | None = None
    """Where the piece that was lifted stood; its legal moves are ``destinations``."""
    destinations: tuple[Move, ...] = ()
    dangers: Bitboard = 0
    """Targets among them on which the piece would be lost."""
    looked_at: Square | None = None
    """The piece whose attackers and defenders are shown, or the king that shows hanging pieces."""
    attackers: Bitboard = 0
    defenders: Bitboard = 0
    hanging: Bitboard = 0
    """Pieces of the side to move that would be lost if the enemy moved now."""
    coached: tuple[Bitboard, Bitboard, Bitboard] = (0, 0, 0)
    """Targets among the destinations that are good, doubtful and losing, as the coach has it."""
    hint: Move | None = None
    """The best move, shown because a player has asked for a hint."""
    picking: Picking | None = None
    """How far the choice of an opponent on the board has come; None: nobody chooses."""
    owed: Move | None = None
    """The move of an opponent that is not at the board, while it is still to be made by hand."""
    is_awaited: bool = False
    """Whether that opponent is to move, and has not answered yet."""
    last_move: Move | None = None
    unkept: bool = False
    """Whether the last ply is not on the disk yet."""
    unwritten: str = ""
    """Why plies wait in memory for the disk, and how to mend it; empty if they do not."""
    is_clouded: bool = False
    """Whether several pieces of this game moved while the board was not read: its plies since then
    are guessed."""
    notes: tuple[str, ...] = ()
    """Sentences on what is wrong besides, and what to do: scans come late, an earlier game is
    damaged."""
    provisional: bool = False
    """Whether the last ply may yet become another one: rivals are alive."""
    doubted: Doubt | None = None
    """Why the last ply may be a slip: nothing that cannot be taken back follows from it yet."""
    missing: Bitboard = 0
    """Squares that lack a piece, while no legal move explains the board."""
    extra: Bitboard = 0
    """Squares with a piece that should not stand there, likewise."""
    repair: tuple[tuple[Square | None, Square | None], ...] = ()
    """The shortest repair: (from, to), first step first; None = the box beside the board."""
    reason: Reason | None = None
    """Why what stands on the board is no move, or why the piece in the hand has none."""
    tried: Square | None = None
    """The piece that the reason is about: its square in the game."""
    candidates: tuple[Move, ...] = ()
    """Moves among which the board asks the players to choose."""
    promotion: int | None = None
    """Type of piece (``rules``' KNIGHT..QUEEN) while a promotion may still be chosen again."""
    choosing: Choosing | None = None
    """How that is done; None if nothing is being chosen."""
    wanted: Bitboard = 0
    """While setting up: squares that still lack a piece."""
    surplus: Bitboard = 0
    """While setting up: squares that should be empty, or hold another piece."""
    asked: NextPieces | None = None
    """While setting up: the piece to be placed next, and on which of the ``wanted`` squares."""
    problems: tuple[Problem, ...] = ()
    """Why no game can begin from the planned position."""
    stuck: Bitboard = 0
    """Squares whose switch does not move: what stands there is known from the game alone."""
    blind: Bitboard = 0
    """Squares whose switch cannot be read: the game waits until all can be read again."""
    good_bye: int | None = None
    """How many steps of the good-bye have been shown while the board shuts down; None: it runs."""
    outcome: Outcome | None = None
    clock: ChessClock | None = None
    """What both players have left at any instant; None if they play without a clock."""

    @property
    def to_go(self) -> int:
        """While setting up: how many squares are not yet as they should be."""
        return (self.wanted | self.surplus).bit_count()

    @property
    def asks_which_piece(self) -> bool:
        """Whether the only doubt is what a pawn became, which no lift can tell."""
        return len(self.candidates) > 1 and len({move.steps() for move in self.candidates}) == 1
