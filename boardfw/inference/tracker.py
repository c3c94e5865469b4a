"""The tracker: keeps rival games alive and tells which of them the switches tell best.

Every settled edge may be the last of a ply, so every line is tried with every ply that the edge
could complete; the parent stays beside its children, because the edge may have meant nothing.
Lines far behind the best are dropped. Slides, changed minds, wrong squares and overlapping plies
need no case of their own: the game in which they make sense overtakes the others.
"""

from __future__ import annotations

from collections import deque
from itertools import chain

from boardfw.inference.choice import choice_cost
from boardfw.inference.credit import charge, credit, next_change_us
from boardfw.inference.explain import Evidence, candidates, explain, explain_take_back
from boardfw.inference.finding import Reason
from boardfw.inference.line import Ledger, Line
from boardfw.inference.survivors import survivors
from boardfw.inference.suspicion import hidden_plies, wrong_readings
from boardfw.inference.weights import LEAD, REST_US, TURNED
from boardfw.rules.move import Move
from boardfw.rules.position import Position
from boardfw.sensing.debounce import Blip, Edge
from boardfw.sensing.trace import Trace
from boardfw.squares import HALF_TURN, Occupancy, Square, occupancy_of, squares_in

UPSET = 8
"""So many squares that stand otherwise than a line has them cannot be a ply in the making."""
RESTS_KEPT = 8
"""Rests remembered: a ply that is understood only so much later has no chance."""
SUSPECTED = 8
"""Lines for which dead switches are thought of: the others are not worth the time."""
NEAR = 4
"""Lines of which one may be the true one."""
CATCH_UP = 4
"""Plies that may become known at once, when an edge that came late makes sense of others."""


class Tracker:
    """Rival games over one trace."""

    def __init__(self, roots: list[Line], trace: Trace) -> None:
        self.trace = trace
        self.now_us = trace.t_us
        self._rests: deque[tuple[int, Occupancy]] = deque(maxlen=RESTS_KEPT)
        """When the hands went off the board, and what stood there then."""
        self.lines: list[Line] = roots
        """The lines alive, the most credible first."""
        self.best: Line = roots[0]
        """The most credible line of which nothing is owed."""
        self.deadline_us: int | None = None
        """When a line's credit changes by the passing of time alone; None: never."""
        self._worth: dict[Line, float] = {}
        self._trusted: tuple[Move, ...] = ()
        self._rested_us = -1
        self._choose(roots)

    @classmethod
    def of(
        cls, position: Position, trace: Trace, *, turnable: bool = False, dead: Occupancy = 0
    ) -> Tracker:
        """A tracker of a game that starts here; ``turnable``: from either side of the board.

        ``dead``: switches known to be stuck.
        """
        roots = [Line.root(position, trace.t_us, dead=dead)]
        if turnable:
            turned = Line.root(position, trace.t_us, turn=HALF_TURN, cost=TURNED, dead=dead)
            roots.append(turned)
        return cls(roots, trace)

    def credit(self, line: Line) -> float:
        """How credible a line is now, in settled edges."""
        worth = self._worth.get(line)
        return credit(line, self.trace, self.now_us) if worth is None else worth

    def trust(self, moves: tuple[Move, ...]) -> None:
        """A game that begins with these moves wins a tie from now on."""
        self._trusted = moves

    def _is_trusted(self, line: Line) -> bool:
        """Whether a game keeps what is trusted, and the board at rest does not refute it."""
        refuted = self.is_at_rest and line.wrong(self.trace.now)
        return not refuted and line.moves[: len(self._trusted)] == self._trusted

    @property
    def is_at_rest(self) -> bool:
        """Whether the hands are off the board: nothing has changed for half a second."""
        return self.now_us - self.trace.t_us >= REST_US

    def feed(self, known: Edge | Blip) -> None:
        """Take what a switch did, and think again."""
        self._rest(known.t_us)
        self.trace.append(known)
        self.now_us = max(self.now_us, known.t_us)
        if isinstance(known, Edge):
            for line in self.lines:
                line.revive(known.square, known.t_us)
        paid = [_pay(line, known) for line in self.lines]
        # An edge that pays a debt may as well be part of the next ply, so both are tried.
        lines = self.lines + [line for line in paid if line not in self.lines]
        children = [child for line in lines for child in self._children(line, known.square)]
        self._choose(paid + children)

    def wait(self, t_us: int) -> None:
        """Let time pass without an edge: a man long in the air may have been put to use."""
        due_us, self.now_us = self.deadline_us, max(self.now_us, t_us)
        self._rest(t_us)
        if due_us is not None and due_us <= t_us:
            self._choose(self.lines)

    def _rest(self, t_us: int) -> None:
        """Let every line pay, once for each rest of the hands, for what stands wrong.

        Where the board makes little sense, dead switches are thought of first.
        """
        if t_us - self.trace.t_us < REST_US or self._rested_us == self.trace.t_us:
            return
        self._rested_us = self.trace.t_us
        if not self._makes_sense():
            suspicions = [self._suspicions(line) for line in self.lines[:SUSPECTED]]
            self.lines = [*self.lines, *chain.from_iterable(suspicions)]
        self._rests.append((self.trace.t_us, self.trace.now))
        for line in self.lines:
            charge(line, self.trace, self.trace.now)

    def _makes_sense(self) -> bool:
        """Whether the best game tells all that stands, but for one man of its own in a hand.

        A man who was taken unseen makes little sense, even in a game that is not quite the best.
        """
        if any(line.was_untouched() for line in self.lines[:NEAR]):
            return False
        best = self.best
        wrong = best.wrong(self.trace.now)
        in_hand = wrong & best.expected & best.own
        return not self.lines[0].owed and wrong == in_hand and wrong.bit_count() <= 1

    def _suspicions(self, line: Line) -> list[Line]:
        """Games in which a switch is dead, and what the hands have done else since then."""
        worked = self.trace.moved
        children = [line.distrusting(dead, worked) for dead in wrong_readings(line, self.trace)]
        for move, dead in hidden_plies(line, self.trace):
            child = self._entered(line.distrusting(dead, worked), move)
            if child is not None:
                children.append(child)
        return self._caught_up(children, depth=0)

    def _entered(self, line: Line, move: Move) -> Line | None:
        """The line with this move as its next ply, if anything speaks for it."""
        evidence = explain(line, move, self.trace)
        return None if evidence is None else _played(line, move, evidence, self.trace)

    def decide(self, line: Line) -> None:
        """Drop all games but this one: somebody has said which it is."""
        self.best = line
        self._choose([line])

    def keep(self, lines: list[Line]) -> None:
        """Drop all games but these: somebody has ruled the others out."""
        self._choose(lines)
        self.best = self.lines[0]

    def _charge_belatedly(self, line: Line) -> None:
        """Let a line that is thought of only now pay for the rests since its last man stood."""
        for rested_us, standing in self._rests:
            if rested_us >= line.ledger.landed_us:
                charge(line, self.trace, standing)

    def _choose(self, lines: list[Line]) -> None:
        """Keep the best line of each position, and of those the credible ones."""
        # Of equals the one wins that the board shows, or else the one chosen before: nothing is
        # announced without a reason.
        standing = self.trace.now
        ranked = [
            (
                credit(line, self.trace, self.now_us),
                not line.wrong(standing),
                line is self.best,
                line,
            )
            for line in lines
        ]
        ranked.sort(key=self._rank, reverse=True)
        self.lines = survivors((worth, line) for worth, _, _, line in ranked)
        self._worth = {line: worth for worth, _, _, line in ranked}
        self.deadline_us = self._next_change_us()
        self.best = next((line for line in self.lines if self._is_whole(line)), self.best)

    def _rank(self, entry: tuple[float, bool, bool, Line]) -> tuple[float, bool, bool]:
        worth, shown, chosen, line = entry
        return worth + LEAD * self._is_trusted(line), shown, chosen

    def _next_change_us(self) -> int | None:
        times = [next_change_us(line, self.trace, self.now_us) for line in self.lines]
        rest_us = self.trace.t_us + REST_US
        if rest_us > self.now_us and any(line.wrong(self.trace.now) for line in self.lines):
            times.append(rest_us)
        return min((t_us for t_us in times if t_us is not None), default=None)

    def _is_whole(self, line: Line) -> bool:
        """Whether the hands may have finished: nobody is still to come or just put down wrong.

        What was not done after the reply, or stood wrong before each of the last two plies began,
        does not hold up the game.
        """
        overdue = line.overdue
        extra = line.wrong(self.trace.now) & self.trace.now & ~line.lasting & ~overdue
        return not line.pending & ~overdue and (not extra or line is self.best)

    def _children(self, line: Line, switch: Square, depth: int = 0) -> list[Line]:
        """Lines that go on from this one with a ply that this switch may have completed."""
        if line.wrong(self.trace.now).bit_count() > UPSET:
            return []
        children = []
        for move in candidates(line, switch, self.trace):
            child = self._entered(line, move)
            if child is not None:
                children.append(child)
        if line.parent is not None and depth == 0:
            evidence = explain_take_back(line, self.trace)
            if evidence is not None:
                children.append(_taken_back(line, line.parent, evidence))
        children = self._caught_up(children, depth)
        for move in line.unseen() if depth == 0 else ():
            unseen = self._entered(line, move)
            children += [unseen, *self._children(unseen, switch, 1)] if unseen else []
        return children

    def _caught_up(self, children: list[Line], depth: int) -> list[Line]:
        """These lines, and those that go on with what they leave unexplained."""
        for child in children:
            self._charge_belatedly(child)
        if depth < CATCH_UP:
            for child in list(children):
                for other in self._unexplained(child):
                    children += self._children(child, other, depth + 1)
        return children

    def _unexplained(self, line: Line) -> list[Square]:
        """Switches that tell of more than the line: a man too many, or one of its own in hand."""
        wrong = line.wrong(self.trace.now)
        own = line.own
        return list(squares_in(wrong & (self.trace.now | own)))


def _played(line: Line, move: Move, evidence: Evidence, trace: Trace) -> Line:
    overdue = line.ledger.without_debts_on(evidence.since_us)
    ledger = _ledger_after(line.ledger, evidence, overdue)
    ledger.inherited, ledger.after = line.ledger.score, len(line.ledger.found)
    for switch in overdue:
        ledger.note(Reason.OVERDUE, switch)
    begun = trace.stood(evidence.left_us)
    ledger.before = line.wrong(begun) & ~line.pending & ~occupancy_of(evidence.since_us)
    for switch, why in line.ledger.charged.items():
        if why is Reason.AWAY and switch in evidence.since_us:
            ledger.note(Reason.TAKEN, switch)
    for switch in squares_in(_overlooked(line, ledger.before, begun, evidence)):
        ledger.note(Reason.IGNORED, switch)
    if choice_cost(line, trace, evidence.landed_us):
        ledger.note(Reason.OTHER_MAN)  # what he became can no longer be chosen again
    return line.played(move, ledger)


def _overlooked(line: Line, wrong: Occupancy, standing: Occupancy, evidence: Evidence) -> Occupancy:
    """What players would have put right before the reply was begun."""
    if evidence.left_us < line.ledger.landed_us:
        return wrong & standing  # the other hand was still at work: whoever is away is in it
    own = line.own
    return wrong & ~(line.expected & own)


def _taken_back(line: Line, before: Line, evidence: Evidence) -> Line:
    """The line ``before`` its last ply again; what that ply and its undoing earned stays."""
    debts = line.ledger.without_debts_on(line.touched_by(line.moves[-1]))
    ledger = _ledger_after(line.ledger, evidence, debts)
    ledger.inherited, ledger.after = before.ledger.inherited, before.ledger.after
    kept = before.ledger.found[: line.ledger.after]
    ledger.found = [*kept, *line.ledger.found, *evidence.found]
    ledger.has_chosen = True
    return line.taken_back(ledger)


def _ledger_after(before: Ledger, evidence: Evidence, debts: dict[Square, bool | None]) -> Ledger:
    """The ledger after a ply, or its undoing, has been entered."""
    return Ledger(
        score=before.score + evidence.score,
        found=evidence.found,
        since_us={**before.since_us, **evidence.since_us},
        debts={**debts, **evidence.debts},
        charged={s: why for s, why in before.charged.items() if s not in evidence.since_us},
        left_us=evidence.left_us,
        landed_us=evidence.landed_us,
        dead=before.dead,
    )


def _pay(line: Line, known: Edge | Blip) -> Line:
    """The line, its debt on this switch paid if the edge is the one that was owed."""
    debts = line.ledger.debts
    if known.square not in debts:
        return line
    owed = debts[known.square]
    if isinstance(known, Blip):
        swapped = owed is None and not known.closed
        return line.paid(known.square, known.t_us, Reason.BLINKED_LATE) if swapped else line
    return line.paid(known.square, known.t_us, Reason.CAME_LATE) if owed is known.closed else line
