"""A hypothesis: one complete explanation of everything that the switches have done so far."""

from __future__ import annotations

from typing import NamedTuple

from boardfw.inference.reading import constants
from boardfw.inference.reading.faults import Fault, squares_of
from boardfw.inference.reading.touches import Kind, Touch
from boardfw.rules.move import Move
from boardfw.rules.position import Position
from boardfw.squares import Bitboard, Square

NEVER_US = -(10**12)


class Choice:
    """A promotion that may still be chosen otherwise: how often its piece was put back, and when.

    The first time is the exchange of the pawn; each further one within four seconds chooses.
    """

    __slots__ = ("dropped_us", "put_back", "square")

    def __init__(self, square: Square, dropped_us: int, put_back: int = 0) -> None:
        self.square = square
        self.dropped_us = dropped_us
        self.put_back = put_back


class Unshown(NamedTuple):
    """How the board differs from a position, and what that costs at once, in nats."""

    shown: Bitboard
    handled: bool
    """True if no hand that plays leaves pieces so."""
    held_more: float
    """For holding more than one piece."""
    out_of_turn: float
    """For lifted pieces of the player who is not to move."""
    waits: bool
    """True if only such pieces are lifted: nobody thinks for long with one in the hand."""


class Trail(NamedTuple):
    """What lifted pieces did to the squares on their way."""

    passed: Bitboard = 0
    """The squares that closed under them and opened again."""
    stops_us: tuple[int, ...] = ()
    """For how long each of these was closed."""
    left_us: int = NEVER_US
    """When the last of them opened."""


NO_TRAIL = Trail()


class GoesOn(NamedTuple):
    """Whether the hand may go on with a ply."""

    by_slide: bool
    """The piece was slid here and could be slid further."""
    by_castling: bool
    """It is a rook's move, and castling would begin alike."""


class Hypothesis:
    """A game, what the hands are at since its last ply, and what it costs to believe both.

    A touch is *loose* until a ply or a take-back of the game explains it; then it belongs to that
    for good, and nothing else may use it. The pieces in the hands are what loose touches lifted.
    """

    __slots__ = (
        "at_rest",
        "before",
        "choice",
        "dead",
        "depth",
        "faults",
        "goes_on",
        "grown",
        "handled_us",
        "is_hidden",
        "is_resumed",
        "is_unseen",
        "is_vague",
        "landed_us",
        "line",
        "loose",
        "move",
        "occupied",
        "off_us",
        "others",
        "own",
        "paid",
        "position",
        "trail",
        "unshown",
        "was_slid",
        "way",
        "worst",
    )

    # The board.
    faults: tuple[Fault, ...]
    """What is wrong with it."""
    dead: Bitboard
    """The squares that their switches do not show."""
    # The game.
    before: Hypothesis | None
    """The game without its last ply."""
    line: int
    """The same for games with the same moves."""
    own: Bitboard
    """The pieces of the side to move that switches show."""
    others: Bitboard
    paid: float
    """Nats for everything that is explained."""
    # Its last ply.
    landed_us: int
    """When it was complete."""
    way: Trail
    """What its piece did on its way."""
    was_slid: bool
    """True if its piece touched every square on its way."""
    goes_on: GoesOn | None
    """Whether the hand may go on with it; None: not known yet."""
    is_unseen: bool
    """True if it is a capture whose switch never opened."""
    is_hidden: bool
    """True if its piece went to a square that no switch shows."""
    is_resumed: bool
    """True if later plies were just taken back: more may follow."""
    is_vague: bool
    """True if plies of it were played in a gap between two scans: their order is not known."""
    choice: Choice | None
    # What the hands do since.
    loose: tuple[Touch, ...]
    trail: Trail
    grown: set[tuple[Move, int, int]]
    """The plies that it has grown by, and when they left and landed."""
    at_rest: bool
    """True while the board shows the position."""
    off_us: int
    """Since when it does not."""
    handled_us: int
    """For how long since then pieces were where no hand of a player leaves them."""
    worst: float
    """The most that this has cost since then."""
    unshown: Unshown | None
    """What was reckoned for the board as it was shown last."""

    def __init__(
        self,
        position: Position,
        paid: float,
        before: Hypothesis | None,
        move: Move | None,
        faults: tuple[Fault, ...] = (),
    ) -> None:
        self.position = position
        self.before = before
        self.move = move
        self.depth: int = before.depth + 1 if before else 0
        self.line: int = hash((before.line, move)) if before else 0
        self.faults = faults
        self.dead = squares_of(faults) if faults else 0
        self.occupied = position.occupied & ~self.dead
        self.own = position.pieces(position.turn) & ~self.dead
        self.others = self.occupied ^ self.own
        self.paid = paid
        self.landed_us = NEVER_US
        self.way = self.trail = NO_TRAIL
        self.was_slid = self.is_unseen = self.is_hidden = self.is_resumed = False
        self.is_vague = before is not None and before.is_vague
        self.goes_on = self.choice = self.unshown = None
        self.loose = ()
        self.grown = set()
        self.at_rest = True
        self.off_us = self.handled_us = 0
        self.worst = 0.0

    def __repr__(self) -> str:
        return f"<{' '.join(move.uci() for move in self.moves())}: {self.paid:.1f} {self.loose}>"

    def seen(self, squares: Bitboard) -> Bitboard:
        """Return those of some squares that switches show."""
        return squares & ~self.dead

    @property
    def hidden(self) -> Bitboard:
        """The pieces of the side to move that no switch shows."""
        return self.position.pieces(self.position.turn) & self.dead

    @property
    def loose_price(self) -> float:
        """Nats for the touches that nothing explains yet."""
        price = 0.0
        for touch in self.loose:
            price += touch.price
        return price

    def at(self, depth: int) -> Hypothesis:
        """The game up to this number of plies."""
        node = self
        while node.depth > depth:
            assert node.before is not None  # noqa: S101  # only the start has depth 0
            node = node.before
        return node

    def moves(self, since: int = 0) -> tuple[Move, ...]:
        """The moves of the game, from this ply on."""
        found = []
        node = self
        while node.depth > since and node.before is not None and node.move is not None:
            found.append(node.move)
            node = node.before
        return tuple(reversed(found))

    def shared_with(self, other: Hypothesis) -> int:
        """Return the number of plies that two games have in common from the start."""
        shared = min(self.depth, other.depth)
        one, other = self.at(shared), other.at(shared)
        while one is not other and one.before and other.before:
            if one.move is not other.move:
                shared = one.depth - 1
            one, other = one.before, other.before
        return shared

    def lifted_us(self, square: Square) -> int | None:
        """When the piece on a square was last lifted, if it is in the hand."""
        for touch in reversed(self.loose):
            if touch.square == square:
                return touch.t_us if touch.kind is Kind.LIFT else None
        return None

    def settle_touches(self, t_us: int) -> None:
        """Pay for touches that left the position as it was and that no ply can still use.

        A piece that is slid into a capture may let its own switch go after all others.
        """
        if self.loose and self.loose[-1].t_us < t_us - constants.SLACK_US:
            self.paid += self.loose_price
            self.loose = ()
