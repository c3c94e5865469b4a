"""How well a trace supports a ply, or the undoing of one.

A ply asks of the switches what its steps say: each piece's origin opens, then its target closes,
and the square of a captured piece opens. No kind of move is a special case here.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from boardfw.inference.choice import chooses
from boardfw.inference.evidence import (
    FLEETING_US,
    GLANCE_US,
    GRASP_US,
    LOOSE_US,
    PUT_BACK_US,
    RARELY,
    REST_US,
    Finding,
    Reason,
)
from boardfw.inference.hypothesis import SWITCHES, SWITCHES_BETWEEN, Hypothesis
from boardfw.rules.move import Move
from boardfw.sensing.trace import Trace
from boardfw.squares import Switch, distance, occupancy_of

_PLY = Finding(Reason.PLY)


@dataclass(slots=True)
class Evidence:
    """What the trace says for a ply, gathered step by step; switches as in ``Hypothesis``."""

    found: list[Finding]
    """The findings for and against the ply."""
    since_us: dict[Switch, int] = field(default_factory=dict)
    """For each switch, the last edge used."""
    pending_edges: dict[Switch, bool | None] = field(default_factory=dict)
    """Edges wanted and not seen: closing (True), opening (False), being touched (None)."""
    landed_us: int = -1
    """When the last piece arrived, as far as seen; -1 if not seen."""
    left_us: int = 1 << 62
    """When the first piece left."""
    is_pushed: bool = False
    """Whether the captured piece was not seen to leave: when the other one arrived is unknown."""
    overlap_us: int = 0
    """How long a piece held both the switch that it left and the one that it came to."""

    @property
    def score(self) -> float:
        """The sum of what was found, in settled edges."""
        return sum([finding.reason.points for finding in self.found])

    def note(self, reason: Reason, switch: Switch | None = None) -> None:
        """Note a finding about the ply, or about an edge missing on a switch."""
        self.found.append(Finding(reason, switch))

    def use(self, reason: Reason, switch: Switch, t_us: int) -> None:
        """Count an edge for the ply."""
        self.since_us[switch] = max(t_us, self.since_us.get(switch, t_us))
        self.found.append(Finding(reason, switch, t_us))

    def owe(self, switch: Switch, *, level: bool) -> None:
        """Note an edge that is still to come."""
        self.pending_edges[switch] = level
        self.note(Reason.TO_CLOSE if level else Reason.TO_OPEN, switch)


def explain(hypothesis: Hypothesis, move: Move, trace: Trace) -> Evidence | None:
    """The evidence for ``move`` as the next ply of ``hypothesis``.

    None if no piece of it has arrived, or all had before the previous ply began.
    """
    steps, captured = hypothesis.steps(move), hypothesis.captured(move)
    targets = {target for _, target in steps}
    takes = captured is not None
    weighing = _Weighing(hypothesis, trace, Evidence([_PLY]), targets, hypothesis.parent, takes)
    arrived = [weighing.step(start, end, taking=end == captured) for start, end in steps]
    if not any(arrived):
        return None
    if captured is not None and captured not in targets:
        weighing.removed(captured)
    return weighing.in_order()


def explain_take_back(hypothesis: Hypothesis, trace: Trace) -> Evidence | None:
    """The evidence that the last ply of ``hypothesis`` was undone; None if no piece came back."""
    move = hypothesis.moves[-1]
    steps, captured = hypothesis.steps(move), hypothesis.captured(move)
    refilled = {origin for origin, _ in steps}
    surely_empty = ~(trace.now | hypothesis.state.dead)
    if move.rook_step is None and surely_empty & occupancy_of(refilled):
        return None
    if captured is not None:
        refilled.add(captured)
    evidence = Evidence([Finding(Reason.TAKE_BACK)])
    weighing = _Weighing(hypothesis, trace, evidence, refilled, hypothesis)
    arrived = [weighing.step(target, origin, taking=False) for origin, target in steps]
    if not any(arrived):
        return None
    if captured is not None:
        weighing.restored(captured)
    return weighing.in_order()


def passed_over(hypothesis: Hypothesis, trace: Trace, switch: Switch, left_us: int) -> bool:
    """Whether a piece that left its square then was seen on this one, on its path, and went on.

    A strong magnet closes the next switch long before its own opens, and a slow hand may stay as
    long as it likes. What bounds both is the previous ply, since when no other piece was due there.
    """
    gone_us = trace.opened(switch, left_us, trace.t_us)
    return gone_us is not None and trace.closed(switch, hypothesis.state.left_us) is not None


@dataclass(slots=True)
class _Weighing:
    """One ply, or its undoing, weighed against the trace."""

    hypothesis: Hypothesis
    trace: Trace
    evidence: Evidence
    refilled: set[Switch]
    """Switches on which a piece of this ply comes to stand; the others that it leaves are empty."""
    mover: Hypothesis | None
    """The hypothesis after the last ply of the same side."""
    takes: bool = False
    """Whether the ply captures a piece."""

    def step(self, start: Switch, end: Switch, *, taking: bool) -> bool:
        """Weigh the path of one piece; return whether it has arrived."""
        dead = self.hypothesis.state.dead
        if (dead >> start | dead >> end) & 1:
            return self._half_seen(start, end)
        left_us, stood_us = self._step_times(start, end, taking, empty=start not in self.refilled)
        if left_us is None:
            self.evidence.owe(start, level=False)
            self.evidence.owe(end, level=True)
            return False
        self._left(start, left_us)
        if not self.trace.is_closed(end):
            self.evidence.owe(end, level=True)
            return False
        self._passed(start, end, left_us)
        overlap_us = 0 if stood_us is None else left_us - stood_us
        # In a capture the square itself or, en passant, the one behind it may have been closed by
        # the captured piece.
        by_other = taking or self.takes
        if by_other and overlap_us > self.hypothesis.state.overlap_us:
            self._lingered(end, left_us)
        elif stood_us is not None:
            self._arrived(end, stood_us, taking=taking)
            if overlap_us > 0:
                self._bridged(end, overlap_us, taking=by_other)
        elif taking:
            self._pushed(end, left_us)
        return taking or stood_us is not None

    def _bridged(self, end: Switch, overlap_us: int, *, taking: bool) -> None:
        """Weigh that a piece closed one switch before the other opened.

        On an empty square that can only have been itself, so the board's overlap is learnt there.
        """
        if taking:
            self.evidence.note(Reason.BRIDGED, end)
        else:
            self.evidence.overlap_us = max(self.evidence.overlap_us, overlap_us)

    def _lingered(self, end: Switch, left_us: int) -> None:
        """Weigh that a switch opened and closed long before a piece left to capture there."""
        self.evidence.landed_us = max(self.evidence.landed_us, left_us)
        self.evidence.pending_edges[end] = None
        self.evidence.note(Reason.PUSHED if self.hypothesis.is_told else Reason.LINGERED, end)

    def _passed(self, start: Switch, end: Switch, left_us: int) -> None:
        """Weigh that the piece was seen on its path, square by square."""
        for switch in SWITCHES[SWITCHES_BETWEEN[start][end]]:
            if passed_over(self.hypothesis, self.trace, switch, left_us):
                self.evidence.note(Reason.PASSED, switch)

    def _half_seen(self, start: Switch, end: Switch) -> bool:
        """Weigh the path of a piece that comes from a dead switch, or to one, or both."""
        trace, hypothesis = self.trace, self.hypothesis
        for switch in (start, end):
            if self._is_dead(switch):
                self.evidence.note(Reason.UNSEEN, switch)
        if not self._is_dead(start):
            openings = [] if trace.is_closed(start) else self._openings(start)
            for left_us in openings[:1]:
                self._left(start, left_us)
                self.evidence.landed_us = max(self.evidence.landed_us, left_us)
            return bool(openings)
        if not self._is_dead(end):
            # When it left is unknown: it stands since a piece first stayed there.
            stood_us = trace.stayed(end, hypothesis.used_us(end), FLEETING_US)
            if stood_us is None or not trace.is_closed(end):
                return False
            self._arrived(end, stood_us, taking=True)
            self.evidence.left_us = min(self.evidence.left_us, stood_us)
            return True
        self.evidence.left_us = min(self.evidence.left_us, hypothesis.state.landed_us)
        self.evidence.landed_us = max(self.evidence.landed_us, hypothesis.state.landed_us)
        return True

    def _is_dead(self, switch: Switch) -> bool:
        return bool(self.hypothesis.state.dead >> switch & 1)

    def _left(self, start: Switch, left_us: int) -> None:
        self.evidence.use(Reason.LEFT, start, left_us)
        self.evidence.left_us = min(self.evidence.left_us, left_us)
        if self._slides(start, left_us):
            self.evidence.note(Reason.FLEETING, start)

    def _slides(self, start: Switch, left_us: int) -> bool:
        """Whether the piece goes on from a square where it had just arrived.

        If the opponent has made a whole ply meanwhile, it was not sliding, unless no hand could
        have let go of it and taken it up again.
        """
        last = self.mover
        if last is None or last.state.took_back:  # a piece that a take-back put home stays there
            return False
        if start not in last.targets():
            return False
        arrived_us = last.state.landed_us
        between = self.hypothesis.state
        # Hands in a hurry do not wait until the piece of the other side stands.
        answered = last is not self.hypothesis and arrived_us <= between.landed_us
        least_us = GRASP_US if answered else FLEETING_US
        return left_us - arrived_us < least_us or self._trembles(start, arrived_us, least_us)

    def _trembles(self, start: Switch, arrived_us: int, least_us: int) -> bool:
        """Whether a piece has come and gone ever since it arrived, and never stayed for so long."""
        has_come = self.trace.closed(start, arrived_us - 1) is not None
        return has_come and self.trace.stayed(start, arrived_us - 1, least_us) is None

    def _arrived(self, end: Switch, stood_us: int, *, taking: bool) -> None:
        gone_us = self.trace.opened(end, self.hypothesis.used_us(end), stood_us) if taking else None
        if gone_us is not None:
            self._taken_off(Reason.EMPTIED, end, gone_us)
        self.evidence.use(Reason.ARRIVED, end, stood_us)
        self.evidence.landed_us = max(self.evidence.landed_us, stood_us)

    def _taken_off(self, reason: Reason, switch: Switch, gone_us: int) -> None:
        """Weigh that the captured piece has left.

        If it had just arrived, it may have been sliding on; if the previous ply had not begun, it
        cannot have been lifted to be captured. No pawn slides on after a double step, but the
        switch may have closed for a glance when the pawn had gone one step only.
        """
        self.evidence.use(reason, switch, gone_us)
        self._note_early(gone_us)
        last, stood_us = self.hypothesis.moves[-1:], gone_us - self.hypothesis.state.landed_us
        is_at_its_end = bool(last) and last[0].skipped is not None and stood_us >= GLANCE_US
        if self.hypothesis.has_fled(switch, gone_us) and not is_at_its_end:
            self.evidence.note(Reason.SNATCHED, switch)

    def _pushed(self, end: Switch, left_us: int) -> None:
        """Weigh a capture whose square was not seen empty: pushed off, or swapped too quickly."""
        self.evidence.landed_us = max(self.evidence.landed_us, left_us)
        self.evidence.is_pushed = True
        if left_us <= self.trace.unwatched_us:
            self.evidence.note(Reason.UNWATCHED, end)
            return
        # A piece is swapped for another only once that one is in the hand, or over the border.
        since_us = left_us - self.hypothesis.state.overlap_us
        blinked = self.trace.blinked(end, max(self.hypothesis.used_us(end), since_us))
        self.evidence.pending_edges[end] = None
        untouched = Reason.PUSHED if self.hypothesis.is_told else Reason.UNTOUCHED
        self.evidence.note(Reason.BLINKED if blinked else untouched, end)

    def _step_times(
        self, start: Switch, end: Switch, taking: bool, *, empty: bool
    ) -> tuple[int | None, int | None]:
        """When the piece left its square, and when it stood on the other; None if not seen."""
        trace = self.trace
        if empty and trace.is_closed(start):
            return None, None
        openings = self._openings(start)
        if not openings:
            return None, None
        # A put-back that chooses a promotion piece is no capture.
        slid = distance(start, end) == 1 and not chooses(self.hypothesis, end)
        since_us = max(self.hypothesis.used_us(end), self.hypothesis.state.left_us - 1)
        for left_us in openings:
            if taking and left_us < openings[0] and left_us < self.hypothesis.state.left_us:
                break  # it was put back before the previous ply; what it takes was adjusted
            # A piece over the border of two squares holds both switches for as long as a hand
            # likes: its arrival is bounded by what happened before, never by a time.
            slid_us = trace.closed_since(end, left_us) if slid else None
            if slid_us is not None and slid_us <= since_us:
                slid_us = None
            stood_us = slid_us
            if slid_us is None or (taking and left_us - slid_us > self.hypothesis.state.overlap_us):
                # The captured piece may have been adjusted before, and lifted only then.
                stood_us = trace.stayed(end, max(left_us, since_us), GLANCE_US) or slid_us
            if stood_us is not None:
                return left_us, self._swapped(end, left_us) or stood_us
        return openings[0], None

    def _swapped(self, end: Switch, left_us: int) -> int | None:
        """When the piece took another one's place at once, after leaving; None if it did not.

        A piece that came over the border before it left may have been another one.
        """
        stood_us = self.trace.closed(end, left_us)
        gone_us = None if stood_us is None else self.trace.opened(end, left_us, stood_us)
        is_swap = gone_us is not None and stood_us is not None and stood_us - gone_us < PUT_BACK_US
        return stood_us if is_swap else None

    def _openings(self, start: Switch) -> list[int]:
        """When a piece may have left, the latest time first.

        A piece that was there for a glance only passed by, unless the glance is all that happened
        since the previous ply: then it is the piece that has just left. Nor did one pass by that
        came with the last ply of its side.
        """
        used_us, begun_us = self.hypothesis.used_us(start), self.hypothesis.state.left_us
        found = self.trace.openings(start, used_us, GLANCE_US)
        if found[0] >= begun_us if found else not self._came_before(start):
            return found
        glances = self.trace.openings(start, used_us)[:1]
        return [last_us for last_us in glances if last_us >= begun_us] + found

    def _came_before(self, start: Switch) -> bool:
        """Whether a piece came here with the last ply of its side, and was answered."""
        last = self.mover
        if last is None or last is self.hypothesis or last.state.took_back:
            return False
        return start in last.targets() and not self.hypothesis.state.took_back

    def in_order(self) -> Evidence | None:
        """The evidence, charged if this ply's pieces arrived before those of the previous ply.

        None if they arrived before the previous ply had even begun.
        """
        evidence, hypothesis = self.evidence, self.hypothesis
        if evidence.landed_us < hypothesis.state.left_us:
            return None
        if evidence.left_us < hypothesis.state.left_us:
            self._note_early(evidence.left_us)
        elif evidence.left_us < hypothesis.state.landed_us:
            is_rare = (hypothesis.state.hasty + 1) * RARELY <= len(hypothesis.moves)
            evidence.note(Reason.RUSHED if is_rare else Reason.HASTY)
        if evidence.landed_us < hypothesis.state.landed_us:
            # When a piece arrived whose capture was unseen is not known; but not before the hands
            # rested, if they did so between its lift and the end of the previous ply.
            if not evidence.is_pushed or hypothesis.state.landed_us - evidence.left_us >= REST_US:
                evidence.note(Reason.OUT_OF_ORDER)
            evidence.landed_us = hypothesis.state.landed_us
        return evidence

    def _note_early(self, left_us: int) -> None:
        """Note if a piece left before the previous ply had begun."""
        early_us = self.hypothesis.state.left_us - left_us
        if early_us > 0:
            self.evidence.note(Reason.LOOSENED if early_us <= LOOSE_US else Reason.EARLY)

    def removed(self, switch: Switch) -> None:
        """Weigh that a piece was captured on a square where no piece arrived."""
        if self._is_dead(switch):
            return
        gone_us = self.trace.opened(switch, self.hypothesis.used_us(switch), self.trace.t_us)
        if self.trace.is_closed(switch) or gone_us is None:
            self.evidence.owe(switch, level=False)
        else:
            self._taken_off(Reason.REMOVED, switch, gone_us)

    def restored(self, switch: Switch) -> None:
        """Weigh that a captured piece was put back."""
        if self._is_dead(switch):
            return
        back_us = self.trace.closed(switch, self.hypothesis.used_us(switch))
        if back_us is None:  # it may have been lifted again since it was back
            self.evidence.owe(switch, level=True)
        else:
            self.evidence.use(Reason.RESTORED, switch, back_us)
