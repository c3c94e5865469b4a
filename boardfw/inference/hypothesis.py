"""A hypothesis: one game that the switches may have told so far.

Hypotheses share their past. A ply is a new hypothesis whose parent is the one before it; a
take-back is a new hypothesis that goes on from its grandparent's position. So rival games cost
little, and nothing that was played is ever lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import NamedTuple, cast

from boardfw.inference.evidence import FLEETING_US, OVERLAP_US, Finding, Reason
from boardfw.inference.interpretation import AwaySide
from boardfw.rules.attacks import BETWEEN, KING_ATTACKS, SQUARES
from boardfw.rules.memo import Memo
from boardfw.rules.move import Move, alike
from boardfw.rules.position import Position
from boardfw.sensing.trace import Trace
from boardfw.squares import (
    EVERY_SWITCH,
    NO_SWITCHES,
    Occupancy,
    Orientation,
    Switch,
    occupancy_of,
    switches_in,
)

LATELY = 3
"""Plies that may have been made since the board was last at rest."""
PLIES_TELL = 3
"""So many plies that make sense only with a dead switch prove it; one odd gesture does not."""
UNSEEN = (Reason.UNTOUCHED, Reason.LINGERED)
"""Captures that look just like a piece in a hand."""
NEVER_US = -(1 << 62)
"""Before everything: no piece has arrived there yet."""
SWITCHES = cast("Memo[Occupancy, tuple[Switch, ...]]", SQUARES)
"""The switches of a set: the same table as of squares."""
SWITCHES_BETWEEN = cast("Memo[Switch, tuple[Occupancy, ...]]", BETWEEN)
"""The switches between two others: whichever way round the board lies, a line is a line."""


class PutBack(NamedTuple):
    """A piece was lifted from a switch and stood there again."""

    switch: Switch
    lifted_us: int
    stood_us: int
    is_by_hand: bool
    """Else it may have lost contact by itself."""


@dataclass(slots=True)
class HypothesisState:
    """What a hypothesis has made of the trace."""

    score: float = 0.0
    """Evidence gathered so far, without what stands wrong at the moment, in settled edges."""
    begun: HypothesisState | None = None
    """The state of the hypothesis before, as it was when the last ply was applied; None if there
    is no ply, or if this is itself that earlier state."""
    found: list[Finding] = field(default_factory=list)
    """The findings since then."""
    since_us: dict[Switch, int] = field(default_factory=dict)
    """For each switch, the last edge that the hypothesis has explained."""
    pending_edges: dict[Switch, bool | None] = field(default_factory=dict)
    """Edges that the plies want and the trace still lacks: closing (True), opening (False), being
    touched (None)."""
    charged: dict[Switch, Reason] = field(default_factory=dict)
    """Switches that stand otherwise than the hypothesis has them, and the reason they were charged
    for."""
    put_back: tuple[PutBack, ...] = ()
    """Pieces that were lifted and stand again, in no ply, while something else stood wrong."""
    adjusted: dict[Switch, PutBack] = field(default_factory=dict)
    """The last time that each switch's piece was put back while all stood as the hypothesis has
    it."""
    before: Occupancy = NO_SWITCHES
    """Switches that stood otherwise than the hypothesis has them when the last ply began."""
    left_us: int = 0
    """When the first piece of the last ply left its square."""
    landed_us: int = 0
    """When the last piece of the last ply stood."""
    overlap_us: int = OVERLAP_US
    """How long a piece over the border of two squares has held both switches on this board."""
    hasty: int = 0
    """How many plies were begun before the previous one was over."""
    dead: Occupancy = NO_SWITCHES
    """Switches believed stuck: their readings are ignored."""
    suspected_at: int = -PLIES_TELL
    """How many plies the game had when the last dead switch was first suspected."""
    won: int = 0
    """What the unseen captures win, in pawns: of captures that look alike on the board, players
    more likely made the one that wins most."""
    twin: Position | None = None
    """The position with the chosen piece, where the hypothesis believes that a pawn became another
    piece than was chosen; else None."""
    took_back: bool = False
    """Whether the newest change is the undoing of a ply: ``left_us``, ``landed_us`` and
    ``pending_edges`` are of the take-back, not of the last ply."""

    @property
    def after(self) -> int:
        """How many findings the hypothesis before had when the last ply was applied."""
        return len(self.begun.found) if self.begun else 0

    def copy(self) -> HypothesisState:
        """The same, with findings of its own; faster than ``replace``."""
        state = HypothesisState(*_entries(self))
        state.found = self.found.copy()
        return state

    def note(self, reason: Reason, switch: Switch | None = None, t_us: int = 0) -> None:
        """Add a finding."""
        self.found.append(Finding(reason, switch, t_us))
        self.score += reason.points

    def without_pending_edges_on(self, switches: Iterable[Switch]) -> dict[Switch, bool | None]:
        """Edges still to come on other switches; touches (None) matter to one ply only."""
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
"""Positions after plies, with their legal moves: at rest the same plies are tried again."""


class Hypothesis:
    """A candidate game. Its position and its moves have squares, its state has switches."""

    __slots__ = ("away", "expected", "moves", "orientation", "own", "parent", "position", "state")

    def __init__(
        self,
        position: Position,
        state: HypothesisState,
        *,
        parent: Hypothesis | None = None,
        moves: tuple[Move, ...] = (),
        orientation: Orientation = Orientation.AS_WIRED,
        away: AwaySide | None = None,
    ) -> None:
        self.away = away
        """The side that is not at the board, the same for all hypotheses; None: both are."""
        self.position = position
        self.state = state
        self.parent = parent
        """The hypothesis before the last ply; None for the start of a game."""
        self.moves = moves
        self.orientation = orientation
        self.expected = orientation.switches(position.occupied)
        """Switches that are closed when every piece stands where this hypothesis has it."""
        self.own = orientation.switches(position.pieces(position.turn))
        """Switches under the pieces of the side to move, as this hypothesis has them."""

    @classmethod
    def root(
        cls,
        position: Position,
        t_us: int,
        *,
        orientation: Orientation = Orientation.AS_WIRED,
        cost: float = 0.0,
        dead: Occupancy = NO_SWITCHES,
    ) -> Hypothesis:
        """The start of a game at an instant."""
        state = HypothesisState(score=-cost, left_us=t_us, landed_us=t_us, dead=dead)
        state.since_us = dict.fromkeys(EVERY_SWITCH, NEVER_US)
        return cls(position, state, orientation=orientation)

    @classmethod
    def told(
        cls,
        position: Position,
        moves: tuple[Move, ...],
        t_us: int,
        *,
        orientation: Orientation = Orientation.AS_WIRED,
        dead: Occupancy = NO_SWITCHES,
    ) -> Hypothesis:
        """The game that began here and had come so far when watching began."""
        hypothesis = cls.root(position, t_us, orientation=orientation, dead=dead)
        for move in moves:
            hypothesis = hypothesis.played(move, hypothesis.state.copy())
        return hypothesis

    def played(self, move: Move, state: HypothesisState) -> Hypothesis:
        """The hypothesis that goes on from this one with a ply."""
        moves = (*self.moves, move)
        position = _after[self.position, move]
        way, away = self.orientation, self.away
        return Hypothesis(position, state, parent=self, moves=moves, orientation=way, away=away)

    def taken_back(self, state: HypothesisState) -> Hypothesis:
        """The hypothesis whose last ply was undone on the board. Raises ValueError at the start."""
        before = self.parent
        if before is None:
            raise ValueError("no ply to take back")
        return Hypothesis(
            before.position,
            state,
            parent=before.parent,
            moves=before.moves,
            orientation=self.orientation,
            away=self.away,
        )

    def paid(self, switch: Switch, t_us: int, reason: Reason) -> Hypothesis:
        """This hypothesis after one of its pending edges has come."""
        state = self.state.copy()
        state.since_us = {**state.since_us, switch: t_us}
        state.pending_edges = {s: level for s, level in state.pending_edges.items() if s != switch}
        state.landed_us = max(state.landed_us, t_us)
        state.note(reason, switch, t_us)
        return self.with_state(state)

    def with_state(self, state: HypothesisState) -> Hypothesis:
        """The same game with another state; faster than ``__init__``."""
        hypothesis = _blank(Hypothesis)
        hypothesis.position, hypothesis.orientation = self.position, self.orientation
        hypothesis.parent, hypothesis.moves = self.parent, self.moves
        hypothesis.expected, hypothesis.own = self.expected, self.own
        hypothesis.away = self.away
        hypothesis.state = state
        return hypothesis

    def undisturbed(self, trace: Trace, score: float, findings: int) -> Hypothesis:
        """The same game now: the pieces were handled up to now, and then put back.

        ``score``, ``findings``: its score and its number of findings before that. A piece that is
        away was lifted before, and has not been put back.
        """
        state, away = self.state.copy(), self.wrong(trace.now) & self.expected
        state.score, state.found = score, state.found[:findings]
        handled = (switch for switch in EVERY_SWITCH if not away >> switch & 1)
        state.since_us = state.since_us | dict.fromkeys(handled, trace.t_us)
        state.charged, state.pending_edges = {}, {}
        state.put_back, state.adjusted = (), {}
        return self.with_state(state)

    def before_last(self) -> Hypothesis:
        """The hypothesis before its last ply, as it was when that ply was applied.

        It has not paid for what stood wrong since then, as on the path of a slide. Raises
        ValueError if no ply was applied.
        """
        before, begun = self.parent, self.state.begun
        if before is None or begun is None:
            raise ValueError("no ply was entered")
        state = begun.copy()
        state.dead &= self.state.dead
        return before.with_state(state)

    def plies_since(self, plies: int) -> Iterator[tuple[Hypothesis, Hypothesis]]:
        """The game before and after each ply but the first ``plies``, the last ply first."""
        node = self
        while node.parent is not None and len(node.moves) > plies:
            yield node.parent, node
            node = node.parent

    def hides_one_end(self, before: Hypothesis) -> bool:
        """Whether a game goes on from another by one ply of which a dead switch hid one end."""
        is_next = len(self.moves) == len(before.moves) + 1
        has_new_dead = bool(self.state.dead & ~before.state.dead)
        return is_next and has_new_dead and self.begins_with(before.moves)

    def begins_with(self, moves: tuple[Move, ...]) -> bool:
        """Whether its first plies are these."""
        if self.moves is moves:
            return True
        node, plies = self, len(moves)
        if len(node.moves) < plies:
            return False
        # Games share their past, so usually nothing is compared, however long they are.
        while len(node.moves) > plies and node.parent is not None:
            node = node.parent
        return alike(node.moves[:plies], moves)

    def play_against(self, away: AwaySide | None) -> None:
        """Let this side be away in this game, from its start on, and in all that go on from it."""
        node: Hypothesis | None = self
        while node is not None:
            node.away, node = away, node.parent

    def legal_moves(self) -> Sequence[Move]:
        """The moves that may be made by hand now: of a side that is away, only the one it made."""
        if self.away is None or self.position.turn != self.away.color:
            return self.position.legal_moves()
        return self.away.moves_after(self.moves)

    @property
    def landed_us(self) -> int:
        """When the last piece of the last ply stood, or was home again after a take-back."""
        return self.state.landed_us

    @property
    def took_back(self) -> bool:
        """Whether the newest change is the undoing of a ply."""
        return self.state.took_back

    @property
    def is_told(self) -> bool:
        """Whether the side to move is away, so that nobody at the board chooses its move."""
        return self.away is not None and self.away.color == self.position.turn

    @property
    def was_told(self) -> bool:
        """Whether the side that has moved last is away."""
        return self.away is not None and self.away.color == 1 - self.position.turn

    def wrong(self, standing: Occupancy) -> Occupancy:
        """Switches that stand otherwise than this hypothesis has them, without dead ones."""
        return (self.expected ^ standing) & ~self.state.dead

    def distrusting(self, dead: Occupancy, worked: Occupancy, told_by: int = 0) -> Hypothesis:
        """This hypothesis with these switches dead as well.

        ``worked``: switches that have worked; ``told_by``: how many plies point to it already.
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
        for switch in SWITCHES[dead]:
            state.note(Reason.DEAD, switch)
            if worked >> switch & 1:
                state.note(Reason.WORKED, switch)
        return self.with_state(state)

    def has_told(self, plies: int = PLIES_TELL) -> bool:
        """Whether this many plies point to the switches that it believes dead.

        An unseen capture does not count, nor what was begun before the ply before stood: both may
        be one gesture.
        """
        told, node = len(self.moves) - self.state.suspected_at, self
        for _ in range(min(told, LATELY)) if self.state.dead else ():
            before = node.parent
            if before is None:
                break
            told -= node.is_unseen or node.state.left_us < before.state.landed_us
            node = before
        return told >= plies

    def revive(self, switch: Switch, t_us: int) -> None:
        """The switch has moved: it is not dead."""
        if self.state.dead >> switch & 1:
            self.state.dead &= ~(1 << switch)
            self.state.note(Reason.REVIVED, switch, t_us)

    def unseen(self) -> list[Move]:
        """Legal moves from a dead switch to another, which cannot be seen."""
        dead = self.state.dead
        if dead.bit_count() < 2:
            return []
        moves = {move for switch in switches_in(dead) for move in self.moves_touching(switch)}
        return [move for move in moves if not occupancy_of(self.touched_by(move)) & ~dead]

    @property
    def lasting(self) -> Occupancy:
        """Switches that stood otherwise than the hypothesis has them when each of its last two
        plies began."""
        return self.state.before & self.parent.state.before if self.parent else NO_SWITCHES

    @property
    def is_unseen(self) -> bool:
        """Whether its last ply is a capture whose square never opened: a piece in a hand looks
        just like it."""
        return any(finding.reason in UNSEEN for finding in self.state.found)

    def beside_pushed(self) -> Occupancy:
        """Empty switches beside a square of an unseen capture, where the piece that was pushed off
        may lie until it is taken away."""
        if not self.is_unseen:
            return NO_SWITCHES
        beside = KING_ATTACKS[self.moves[-1].target]
        return self.orientation.switches(beside) & ~self.expected

    @property
    def has_blinked(self) -> bool:
        """Whether its last ply is a capture that only a blink of its square tells."""
        blinks = (Reason.BLINKED, Reason.BLINKED_LATE)
        return any(finding.reason in blinks for finding in self.state.found)

    @property
    def has_lingered(self) -> bool:
        """Whether its last ply is a capture whose piece was over both squares for so long that the
        captured piece may have been adjusted instead."""
        return any(finding.reason is Reason.LINGERED for finding in self.state.found)

    def was_untouched(self) -> bool:
        """Whether one of the last plies captured a piece whose switch never opened."""
        hypothesis: Hypothesis | None = self
        for _ in range(LATELY):
            if hypothesis is None:
                return False
            if Reason.UNTOUCHED in [finding.reason for finding in hypothesis.state.found]:
                return True
            hypothesis = hypothesis.parent
        return False

    def used_us(self, switch: Switch) -> int:
        """Up to when the edges of a switch are explained by this hypothesis."""
        return self.state.since_us[switch]

    def targets(self) -> tuple[Switch, ...]:
        """The switches on which the pieces of the last ply came to stand."""
        return tuple(map(self.orientation.switch, self.moves[-1].targets)) if self.moves else ()

    def has_fled(self, switch: Switch, left_us: int) -> bool:
        """Whether the piece that left this switch then had just arrived there with the last ply."""
        if self.state.took_back:
            return False  # a piece that a take-back put home stays there
        fleeting = left_us - self.state.landed_us < FLEETING_US
        return fleeting and switch in self.targets()

    def may_go_on_to_take(self, switch: Switch) -> bool:
        """Whether the piece moved last may be sliding on to capture the one on this switch."""
        if self.parent is None or self.state.took_back:
            return False
        last, captured = self.moves[-1], self.orientation.square(switch)
        return any(
            move.origin == last.origin
            and move.captured == captured
            and move.passed >> last.target & 1
            for move in self.parent.legal_moves()
        )

    def steps(self, move: Move) -> list[tuple[Switch, Switch]]:
        """From which switch to which one each piece of a move goes."""
        switch = self.orientation.switch
        return [(switch(origin), switch(target)) for origin, target in move.steps()]

    def captured(self, move: Move) -> Switch | None:
        """The switch of the piece that a move captures; None if it captures none."""
        return None if move.captured is None else self.orientation.switch(move.captured)

    def passed(self, move: Move) -> Occupancy:
        """The switches between, over which the pieces of a move pass."""
        return self.orientation.switches(move.passed)

    def touched_by(self, move: Move) -> set[Switch]:
        """The switches that change when a move is made by hand."""
        touched = {switch for step in self.steps(move) for switch in step}
        captured = self.captured(move)
        return touched if captured is None else touched | {captured}

    def moves_touching(self, switch: Switch) -> list[Move]:
        """Legal moves that lift a piece from, or land one on, the square over this switch."""
        square = 1 << self.orientation.square(switch)
        return [move for move in self.legal_moves() if move.touched & square]

    @property
    def pending(self) -> Occupancy:
        """Switches on which an edge is still to come."""
        pending_edges = self.state.pending_edges
        return (
            occupancy_of(s for s, level in pending_edges.items() if level is not None)
            if pending_edges
            else NO_SWITCHES
        )

    @property
    def overdue(self) -> Occupancy:
        """Switches with an edge pending for a ply before the last one."""
        pending = self.pending
        if not pending or self.state.took_back:  # what a take-back still needs is not late
            return NO_SWITCHES
        return pending & ~occupancy_of(self.touched_by(self.moves[-1]))

    @property
    def owed(self) -> bool:
        """Whether a piece of one of its plies has still to arrive or to leave."""
        return bool(self.pending)
