"""A line: one game that the switches may have told so far.

Lines are immutable and share their past: a ply is a new line whose parent is the line before
it, and a take-back is a new line that goes on from its grandparent's position. So rival games
cost little, and nothing that was played is ever lost.
"""

from __future__ import annotations

from collections.abc import Mapping

from boardfw.rules.move import Move
from boardfw.rules.position import Position
from boardfw.squares import Occupancy, Square, occupancy_of, turned_occupancy

HALF_TURN = 63
"""``square ^ HALF_TURN`` is the square that lies there when the board is turned round."""


class Line:
    """A candidate game, and what of the trace it has used up.

    Squares in ``since_us`` and ``debts`` are switches (as wired); squares of moves are squares of
    the game. ``switch`` leads from the one to the other.
    """

    __slots__ = (
        "_by_square",
        "charged",
        "debts",
        "expected",
        "landed_us",
        "left_us",
        "moves",
        "parent",
        "position",
        "score",
        "since_us",
        "start_us",
        "turn",
    )

    def __init__(
        self,
        position: Position,
        start_us: int,
        *,
        turn: int = 0,
        parent: Line | None = None,
        moves: tuple[Move, ...] = (),
        since_us: Mapping[Square, int] | None = None,
        left_us: int | None = None,
        landed_us: int | None = None,
        score: float = 0.0,
        debts: Mapping[Square, bool | None] | None = None,
    ) -> None:
        self.position = position
        self.start_us = start_us
        self.turn = turn
        """0, or ``HALF_TURN`` when the board stands the other way round."""
        self.parent = parent
        """The line before its last ply; None for the start of a game."""
        self.moves = moves
        self.since_us: Mapping[Square, int] = {} if since_us is None else since_us
        """For each switch, the last edge that this line has explained."""
        self.left_us = start_us if left_us is None else left_us
        """When the first man of the last ply left his square."""
        self.landed_us = start_us if landed_us is None else landed_us
        """When the last man of the last ply stood."""
        self.score = score
        """Evidence gathered so far, without what stands wrong at the moment."""
        self.debts: Mapping[Square, bool | None] = {} if debts is None else debts
        """Edges that the plies want and the trace still lacks: closed, open, or (None) touched."""
        self.charged: Occupancy = 0
        """Switches that stood closed without a reason and have been paid for."""
        self.expected: Occupancy = (
            turned_occupancy(position.occupied) if turn else position.occupied
        )
        """Switches that are closed when every man stands where this line has him."""
        self._by_square: dict[Square, list[Move]] | None = None

    def switch(self, square: Square) -> Square:
        """The switch under a square of the game (and, being a half turn, the reverse)."""
        return square ^ self.turn

    def used_us(self, switch: Square) -> int:
        """Up to when the edges of a switch are explained by this line."""
        return self.since_us.get(switch, self.start_us)

    def moves_touching(self, switch: Square) -> list[Move]:
        """Legal moves that lift a man from, or land a man on, the square over this switch."""
        if self._by_square is None:
            self._by_square = {}
            for move in self.position.legal_moves():
                for step in move.steps():
                    for square in step:
                        self._by_square.setdefault(square, []).append(move)
        return self._by_square.get(self.switch(switch), [])

    @property
    def pending(self) -> Occupancy:
        """Switches on which an edge is still to come."""
        return occupancy_of(switch for switch, level in self.debts.items() if level is not None)

    @property
    def owed(self) -> bool:
        """Whether a man of one of its plies has still to arrive or to go."""
        return any(level is not None for level in self.debts.values())

    def with_paid(self, switch: Square, t_us: int, gain: float) -> Line:
        """This line after a late edge has paid one of its debts."""
        debts = {square: level for square, level in self.debts.items() if square != switch}
        paid = Line(
            self.position,
            self.start_us,
            turn=self.turn,
            parent=self.parent,
            moves=self.moves,
            since_us={**self.since_us, switch: t_us},
            left_us=self.left_us,
            landed_us=max(self.landed_us, t_us),
            score=self.score + gain,
            debts=debts,
        )
        paid.charged = self.charged
        return paid
