"""A line: one game that the switches may have told so far.

Lines share their past: a ply is a new line whose parent is the line before it, and a take-back
is a new line that goes on from its grandparent's position. So rival games cost little, and
nothing that was played is ever lost.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import NamedTuple

from boardfw.inference.evidence import FLEETING_US, OVERLAP_US, WORTH, Finding, Reason
from boardfw.rules.attacks import KING_ATTACKS, SQUARES
from boardfw.rules.memo import Memo
from boardfw.rules.move import Move, alike
from boardfw.rules.position import Position
from boardfw.sensing.trace import Trace
from boardfw.squares import Occupancy, Square, occupancy_of, squares_in, turned_occupancy

LATELY = 3
"""Plies that may have been made since the board was last at rest."""
PLIES_TELL = 3
"""Plies that make sense only with a dead switch tell of it: one odd gesture does not."""
UNSEEN = (Reason.UNTOUCHED, Reason.LINGERED)
"""Nothing tells such a capture from a piece in a hand."""
NEVER_US = -(1 << 62)
"""Before everything: no man has arrived there yet."""


class PutBack(NamedTuple):
    """A man was lifted from a switch and stood there again."""

    switch: Square
    lifted_us: int
    stood_us: int


@dataclass(slots=True)
class HypothesisState:
    """What a line has made of the trace: found, used and owed. Squares here are switches."""

    score: float = 0.0
    """Evidence gathered so far, without what stands wrong at the moment; in settled edges."""
    begun: HypothesisState | None = None
    """The ledger of the line before, as it was when the last ply was entered; None: there is no
    ply, or this is itself such a ledger."""
    found: list[Finding] = field(default_factory=list)
    """The rest, reason by reason."""
    since_us: dict[Square, int] = field(default_factory=dict)
    """For each switch, the last edge that the line has explained."""
    pending_edges: dict[Square, bool | None] = field(default_factory=dict)
    """Edges that the plies want and the trace still lacks: to close, to open, to be touched."""
    charged: dict[Square, Reason] = field(default_factory=dict)
    """Switches that stand otherwise than the line says and have been paid for, and why."""
    put_back: tuple[PutBack, ...] = ()
    """Men who were lifted and stand again, in no ply, while something else stood wrong."""
    adjusted: dict[Square, PutBack] = field(default_factory=dict)
    """The last time that the man over a switch was put back, and all stood as the line says."""
    before: Occupancy = 0
    """Switches that stood otherwise than the line says when the last ply began."""
    left_us: int = 0
    """When the first man of the last ply left his square."""
    landed_us: int = 0
    """When the last man of the last ply stood."""
    overlap_us: int = OVERLAP_US
    """For how long a piece over the border of two squares has held both switches on this board."""
    dead: Occupancy = 0
    """Switches believed stuck: what they read tells nothing."""
    suspected_at: int = -PLIES_TELL
    """How many plies the game had when the last of these was first thought of."""
    won: int = 0
    """What the captures that nobody saw win: of those that the board shows alike, players have
    rather made the one that wins most."""
    twin: Position | None = None
    """Where the line believes that a pawn became another man than was chosen: the position with
    the man chosen."""
    took_back: bool = False
    """Whether the newest thing entered is the undoing of a ply: ``left_us``, ``landed_us`` and
    ``pending_edges`` are of that, not of the line's last ply."""

    @property
    def after(self) -> int:
        """How many findings the line before had when the last ply was entered."""
        return len(self.begun.found) if self.begun else 0

    def copy(self) -> HypothesisState:
        """The same, with findings of its own; ``replace`` would ask the name of every field."""
        state = HypothesisState(*_entries(self))
        state.found = self.found.copy()
        return state

    def note(self, reason: Reason, switch: Square | None = None, t_us: int = 0) -> None:
        """Enter a finding."""
        self.found.append(Finding(reason, switch, t_us))
        self.score += WORTH[reason]

    def without_pending_edges_on(self, switches: Iterable[Square]) -> dict[Square, bool | None]:
        """Edges still to come elsewhere; whether a switch was touched matters to one ply only."""
        if not self.pending_edges:
            return {}  # nearly always
        gone = set(switches)
        return {
            s: level
            for s, level in self.pending_edges.items()
            if level is not None and s not in gone
        }


_blank = object.__new__
_entries = attrgetter(*(entry.name for entry in fields(HypothesisState)))
_after: Memo[tuple[Position, Move], Position] = Memo(lambda ply: ply[0].play_unchecked(ply[1]), 256)
"""Positions after plies, with their legal moves: at rest much the same is thought of each time."""


class Hypothesis:
    """A candidate game. Moves name squares of the game; ``switch`` leads to the wiring."""

    __slots__ = ("expected", "moves", "orientation", "own", "parent", "position", "state")

    def __init__(
        self,
        position: Position,
        state: HypothesisState,
        *,
        parent: Hypothesis | None = None,
        moves: tuple[Move, ...] = (),
        orientation: int = 0,
    ) -> None:
        self.position = position
        self.state = state
        self.parent = parent
        """The line before its last ply; None for the start of a game."""
        self.moves = moves
        self.orientation = orientation
        """0, or ``HALF_TURN`` when the board stands the other way round."""
        self.expected: Occupancy = (
            turned_occupancy(position.occupied) if orientation else position.occupied
        )
        """Switches that are closed when every man stands where this line has him."""
        self.own: Occupancy = self.switches(position.pieces(position.turn))
        """Switches under the men of the side to move, as this line has them."""

    @classmethod
    def root(
        cls,
        position: Position,
        t_us: int,
        *,
        orientation: int = 0,
        cost: float = 0.0,
        dead: Occupancy = 0,
    ) -> Hypothesis:
        """The start of a game at an instant."""
        state = HypothesisState(score=-cost, left_us=t_us, landed_us=t_us, dead=dead)
        state.since_us = dict.fromkeys(range(64), NEVER_US)
        return cls(position, state, orientation=orientation)

    @classmethod
    def told(
        cls,
        position: Position,
        moves: tuple[Move, ...],
        t_us: int,
        *,
        orientation: int = 0,
        dead: Occupancy = 0,
    ) -> Hypothesis:
        """The game that began here and has come so far before anybody watched, at an instant."""
        hypothesis = cls.root(position, t_us, orientation=orientation, dead=dead)
        for move in moves:
            hypothesis = hypothesis.played(move, hypothesis.state.copy())
        return hypothesis

    def played(self, move: Move, state: HypothesisState) -> Hypothesis:
        """The line that goes on from this one with a ply."""
        moves = (*self.moves, move)
        position = _after[self.position, move]
        return Hypothesis(position, state, parent=self, moves=moves, orientation=self.orientation)

    def taken_back(self, state: HypothesisState) -> Hypothesis:
        """The line whose last ply was undone on the board. Raises ValueError at the start."""
        before = self.parent
        if before is None:
            raise ValueError("no ply to take back")
        return Hypothesis(
            before.position,
            state,
            parent=before.parent,
            moves=before.moves,
            orientation=self.orientation,
        )

    def paid(self, switch: Square, t_us: int, reason: Reason) -> Hypothesis:
        """This line after a late edge has paid one of its debts."""
        state = self.state.copy()
        state.since_us = {**state.since_us, switch: t_us}
        state.pending_edges = {s: level for s, level in state.pending_edges.items() if s != switch}
        state.landed_us = max(state.landed_us, t_us)
        state.note(reason, switch, t_us)
        return self.with_state(state)

    def with_state(self, state: HypothesisState) -> Hypothesis:
        """The same game, with another ledger: what ``__init__`` would compute is known already."""
        hypothesis = _blank(Hypothesis)
        hypothesis.position, hypothesis.orientation = self.position, self.orientation
        hypothesis.parent, hypothesis.moves = self.parent, self.moves
        hypothesis.expected, hypothesis.own = self.expected, self.own
        hypothesis.state = state
        return hypothesis

    def undisturbed(self, trace: Trace, score: float, findings: int) -> Hypothesis:
        """The same game now: up to now the pieces were handled, and they were put back.

        ``score``, ``findings``: its score, and how many findings it had, before that. Who is away
        has been lifted before, and not been put back.
        """
        state, away = self.state.copy(), self.wrong(trace.now) & self.expected
        state.score, state.found = score, state.found[:findings]
        handled = (switch for switch in range(64) if not away >> switch & 1)
        state.since_us = state.since_us | dict.fromkeys(handled, trace.t_us)
        state.charged, state.pending_edges = {}, {}
        state.put_back, state.adjusted = (), {}
        return self.with_state(state)

    def before_last(self) -> Hypothesis:
        """The line before its last ply, as it was when that ply was entered.

        What stood wrong since then, as on the way of a slide, has cost it nothing. Raises
        ValueError where there is no last ply that was entered.
        """
        before, begun = self.parent, self.state.begun
        if before is None or begun is None:
            raise ValueError("no ply was entered")
        state = begun.copy()
        state.dead &= self.state.dead
        return before.with_state(state)

    def begins_with(self, moves: tuple[Move, ...]) -> bool:
        """Whether its plies are these, and perhaps more."""
        if self.moves is moves:
            return True
        node, plies = self, len(moves)
        if len(node.moves) < plies:
            return False
        # Games share their past: mostly nothing needs to be compared, however long they are.
        while len(node.moves) > plies and node.parent is not None:
            node = node.parent
        return alike(node.moves[:plies], moves)

    def switch(self, square: Square) -> Square:
        """The switch under a square of the game (and, being a half orientation, the reverse)."""
        return square ^ self.orientation

    def switches(self, squares: Occupancy) -> Occupancy:
        """The switches under squares of the game (and the reverse)."""
        return turned_occupancy(squares) if self.orientation else squares

    def wrong(self, standing: Occupancy) -> Occupancy:
        """Switches that stand otherwise than this line has them; a dead one is never wrong."""
        return (self.expected ^ standing) & ~self.state.dead

    def distrusting(self, dead: Occupancy, worked: Occupancy, told_by: int = 0) -> Hypothesis:
        """This line, were these switches dead as well.

        ``worked``: those that once did work; ``told_by``: how many plies have told of it already.
        """
        state = self.state.copy()
        state.dead |= dead
        state.suspected_at = len(self.moves) - told_by
        if state.charged:
            state.charged = {s: why for s, why in state.charged.items() if not dead >> s & 1}
        if state.pending_edges:
            state.pending_edges = {
                s: level for s, level in state.pending_edges.items() if not dead >> s & 1
            }
        for switch in SQUARES[dead]:
            state.note(Reason.DEAD, switch)
            if worked >> switch & 1:
                state.note(Reason.WORKED, switch)
        return self.with_state(state)

    def has_told(self, plies: int = PLIES_TELL) -> bool:
        """Whether as many plies as these have told of the switches that it believes dead.

        A capture that nobody saw tells of nothing.
        """
        told, node = len(self.moves) - self.state.suspected_at, self
        for _ in range(min(told, LATELY)) if self.state.dead else ():
            told -= node.is_unseen
            node = node.parent or node
        return told >= plies

    def revive(self, switch: Square, t_us: int) -> None:
        """The switch has moved: it is not dead."""
        if self.state.dead >> switch & 1:
            self.state.dead &= ~(1 << switch)
            self.state.note(Reason.REVIVED, switch, t_us)

    def unseen(self) -> list[Move]:
        """Legal moves from a dead switch to another, which nobody can see."""
        dead = self.state.dead
        if dead.bit_count() < 2:
            return []
        moves = {move for switch in squares_in(dead) for move in self.moves_touching(switch)}
        return [move for move in moves if not occupancy_of(self.touched_by(move)) & ~dead]

    @property
    def lasting(self) -> Occupancy:
        """Switches that stood otherwise than the line says when each of its last plies began."""
        return self.state.before & self.parent.state.before if self.parent else 0

    @property
    def is_unseen(self) -> bool:
        """Whether its last ply is a capture whose square never opened: a piece in a hand looks
        just like it."""
        return any(finding.reason in UNSEEN for finding in self.state.found)

    def beside_pushed(self) -> Occupancy:
        """Empty switches on which a piece may lie that the last ply has pushed off, unseen, until
        somebody takes it away: those beside its own."""
        if not self.is_unseen:
            return 0
        return KING_ATTACKS[self.switch(self.moves[-1].target)] & ~self.expected

    @property
    def has_blinked(self) -> bool:
        """Whether its last ply is a capture of which only a blink of its square tells."""
        blinks = (Reason.BLINKED, Reason.BLINKED_LATE)
        return any(finding.reason in blinks for finding in self.state.found)

    def was_untouched(self) -> bool:
        """Whether one of the last plies took a man whose switch never opened."""
        hypothesis: Hypothesis | None = self
        for _ in range(LATELY):
            if hypothesis is None:
                return False
            if Reason.UNTOUCHED in [finding.reason for finding in hypothesis.state.found]:
                return True
            hypothesis = hypothesis.parent
        return False

    def used_us(self, switch: Square) -> int:
        """Up to when the edges of a switch are explained by this line."""
        return self.state.since_us[switch]

    def targets(self) -> tuple[Square, ...]:
        """The squares on which the men of the last ply came to stand."""
        return self.moves[-1].targets if self.moves else ()

    def has_fled(self, switch: Square, left_us: int) -> bool:
        """Whether who left this switch then had hardly arrived there with the last ply."""
        if self.state.took_back:
            return False  # whoever went home by a take-back stays there
        fleeting = left_us - self.state.landed_us < FLEETING_US
        return fleeting and any(self.switch(target) == switch for target in self.targets())

    def may_go_on_to_take(self, switch: Square) -> bool:
        """Whether the piece moved last may be sliding on to take the one of this switch."""
        if self.parent is None or self.state.took_back:
            return False
        last, captured = self.moves[-1], self.switch(switch)
        return any(
            way.origin == last.origin and way.captured == captured and way.passed >> last.target & 1
            for way in self.parent.position.legal_moves()
        )

    def touched_by(self, move: Move) -> set[Square]:
        """The switches that a move's hands change."""
        touched = {self.switch(square) for step in move.steps() for square in step}
        if move.captured is not None:
            touched.add(self.switch(move.captured))
        return touched

    def moves_touching(self, switch: Square) -> list[Move]:
        """Legal moves that lift a man from, or land a man on, the square over this switch."""
        square = 1 << self.switch(switch)
        return [move for move in self.position.legal_moves() if move.touched & square]

    @property
    def pending(self) -> Occupancy:
        """Switches on which an edge is still to come."""
        pending_edges = self.state.pending_edges
        return (
            occupancy_of(s for s, level in pending_edges.items() if level is not None)
            if pending_edges
            else 0
        )

    @property
    def overdue(self) -> Occupancy:
        """Switches that owe an edge to a ply before the last one."""
        pending = self.pending
        if not pending or self.state.took_back:  # what a take-back owes is not late
            return 0
        return pending & ~occupancy_of(self.touched_by(self.moves[-1]))

    @property
    def owed(self) -> bool:
        """Whether a man of one of its plies has still to arrive or to go."""
        return bool(self.state.pending_edges) and self.pending != 0
