"""A hypothesis: one complete explanation of everything that the switches have done so far."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from boardfw.inference.reading import constants
from boardfw.inference.reading.faults import Fault, FaultKind, squares_of
from boardfw.inference.reading.seating import BOTH_AT_THE_BOARD, Seating
from boardfw.inference.reading.touches import Kind, Touch
from boardfw.rules.board import QUEEN
from boardfw.rules.move import Move
from boardfw.rules.position import Position
from boardfw.squares import Bitboard, Square

if TYPE_CHECKING:
    from boardfw.inference.reading.read_game import Game

NEVER_US = -(10**12)
CHOICE_US = 4_000_000
"""Within this time of the drop before, putting a new piece back chooses again (contract)."""


class Choice:
    """A promotion that may still be chosen otherwise: how often its piece was put back, and when.

    The first time is the exchange of the pawn; each further one within four seconds chooses.
    """

    __slots__ = ("dropped_us", "put_back", "square")

    def __init__(self, square: Square, dropped_us: int, put_back: int = 0) -> None:
        self.square = square
        self.dropped_us = dropped_us
        self.put_back = put_back

    @property
    def until_us(self) -> int | None:
        """A put-back before this instant counts; None: however late, as none has come yet."""
        return self.dropped_us + CHOICE_US if self.put_back else None

    def is_open(self, t_us: int) -> bool:
        """True if a put-back still counts."""
        return self.until_us is None or t_us <= self.until_us


class Unshown(NamedTuple):
    """How the board differs from a position, and what that costs at once, in nats."""

    shown: Bitboard
    handled: bool
    """True if no hand that plays leaves pieces so."""
    on_border: bool
    """True if a piece may hold the switch of its square and of the next one."""
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
    """How the hand may go on with a ply."""

    slid: float
    """Probability that the piece was slid here."""
    by_slide: float
    """Odds that it goes on: the squares beyond, if it was surely slid."""
    by_castling: bool
    """It is a rook's move, and castling would begin alike."""


class Hypothesis:
    """A game, what the hands are at since its last ply, and what it costs to believe both.

    A touch is *loose* until a ply or a take-back of the game explains it; then it belongs to that
    for good, and nothing else may use it. The pieces in the hands are what loose touches lifted.
    """

    __slots__ = (
        "at_rest",
        "away_us",
        "before",
        "choice",
        "dead",
        "depth",
        "faults",
        "goes_on",
        "grown",
        "handled_us",
        "is_hidden",
        "is_unseen",
        "landed_us",
        "line",
        "loose",
        "move",
        "occupied",
        "off_us",
        "others",
        "own",
        "paid",
        "parked",
        "position",
        "seating",
        "straightened",
        "trail",
        "undone",
        "unshown",
        "view",
        "way",
        "worst",
    )

    # The board.
    faults: tuple[Fault, ...]
    """What is wrong with it, as this hypothesis has it."""
    dead: Bitboard
    """The squares that their switches do not show."""
    parked: Bitboard
    """Those of them on which captured pieces stand."""
    seating: Seating
    # The game.
    view: Game | None
    """The game as others see it, once somebody has asked for it."""
    before: Hypothesis | None
    """The game without its last ply."""
    line: int
    """The same for games with the same moves."""
    own: Bitboard
    """The pieces of the side to move."""
    others: Bitboard
    paid: float
    """Nats for everything that is explained."""
    # Its last ply.
    landed_us: int
    """When it was complete."""
    way: Trail
    """What its piece did on its way."""
    away_us: int
    """How long its piece closed no switch before it arrived."""
    goes_on: GoesOn | None
    """Whether the hand may go on with it; None: not known yet."""
    is_unseen: bool
    """True if it is a capture whose switch never opened."""
    is_hidden: bool
    """True if nothing was seen of one end of it, since that switch may be dead."""
    undone: Move | None
    """The ply that was taken back to come here: more may follow, and its victim is put back."""
    choice: Choice | None
    # What the hands do since.
    loose: tuple[Touch, ...]
    trail: Trail
    straightened: tuple[Touch, ...]
    """What it has paid for as straightening a piece that one in the hand attacks."""
    grown: set[tuple[Move, int, int, int]]
    """The plies that it has grown by, when they left, landed, and left the last square before."""
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
        seating: Seating = BOTH_AT_THE_BOARD,
    ) -> None:
        """``seating``: that of the game before counts, if there is one."""
        self.position = position
        self.seating = before.seating if before else seating
        self.faults = before.faults if before else ()
        self.dead = before.dead if before else 0
        self.parked = before.parked if before else 0
        self.view = None
        self.before = before
        self.move = move
        self.depth: int = before.depth + 1 if before else 0
        self.line: int = hash((before.line, move)) if before else 0
        self.occupied = position.occupied
        self.own = position.pieces(position.turn)
        self.others = self.occupied ^ self.own
        self.paid = paid
        self.landed_us = NEVER_US
        self.way = self.trail = NO_TRAIL
        self.away_us = 0
        self.is_unseen = self.is_hidden = False
        self.goes_on = self.choice = self.undone = self.unshown = None
        self.loose = self.straightened = ()
        self.grown = set()
        self.at_rest = True
        self.off_us = self.handled_us = 0
        self.worst = 0.0

    def __repr__(self) -> str:
        return f"<{' '.join(move.uci() for move in self.moves())}: {self.paid:.1f} {self.loose}>"

    def believe(self, faults: tuple[Fault, ...]) -> None:
        """Take these to be the faults of the board."""
        self.faults, self.dead = faults, squares_of(faults)
        self.parked = squares_of(one for one in faults if one.kind is FaultKind.PARKED)
        self.unshown = None

    def as_shown(self, board: Bitboard) -> Bitboard:
        """Return what a board shows of this game: a dead switch, always what the game has there."""
        return board & ~self.dead | self.occupied & self.dead if self.dead else board

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

    @property
    def is_away_to_move(self) -> bool:
        """True if the player of the side to move is not at the board."""
        away = self.seating.away
        return away is not None and away.color == self.position.turn

    def hand_moves(self) -> Iterator[Move]:
        """Yield the moves that hands may make now; a pawn's arrival makes a queen (contract).

        Of a side whose player is not at the board that is only the move that it has made.
        """
        away = self.seating.away
        if away is not None and away.color == self.position.turn:
            yield from away.moves_after(self.moves())
            return
        for move in self.position.legal_moves():
            if move.promotion in (0, QUEEN):
                yield move

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

    def first_lifted_us(self, square: Square) -> int | None:
        """When the piece on a square was first lifted since the last ply, if it was."""
        return next(
            (one.t_us for one in self.loose if one.square == square and one.kind is Kind.LIFT), None
        )

    def settle_touches(self, t_us: int) -> None:
        """Pay for touches that left the position as it was and that no ply can still use.

        A piece that is slid into a capture may let its own switch go after all others.
        """
        if self.loose and self.loose[-1].t_us < t_us - constants.SLACK_US:
            self.paid += self.loose_price
            self.loose = ()
