"""Entering a ply, its undoing, or a late edge in a line: what the ledger says after it."""

from __future__ import annotations

from boardfw.inference.choice import chosen_twin, objection
from boardfw.inference.explain import Evidence
from boardfw.inference.finding import Reason
from boardfw.inference.line import UNSEEN, Ledger, Line
from boardfw.inference.noticing import without_used
from boardfw.rules.attacks import SQUARES
from boardfw.rules.exchange import exchange
from boardfw.rules.move import Move
from boardfw.rules.position import Position
from boardfw.sensing.debounce import Blip, Edge
from boardfw.sensing.trace import Trace
from boardfw.squares import Occupancy, Square, occupancy_of


def played(line: Line, move: Move, evidence: Evidence, trace: Trace) -> Line:
    """The line after this ply, for which there is this evidence."""
    overdue = line.ledger.without_debts_on(evidence.since_us)
    ledger = _ledger_after(line.ledger, evidence, overdue)
    ledger.won += _won_unseen(line, move, evidence)
    ledger.begun = line.ledger.copy()
    ledger.begun.begun = None
    for switch in overdue:
        ledger.note(Reason.OVERDUE, switch)
    begun = trace.stood(evidence.left_us)
    wrong = line.wrong(begun)
    if wrong:
        own = occupancy_of(evidence.since_us) | line.switches(move.passed)
        ledger.before = wrong & ~line.pending & ~own
    for switch, why in line.ledger.charged.items():
        if switch in evidence.since_us:
            _note_taken(ledger, switch, why, (line, move), evidence)
    _note_crossed(ledger, line, move, evidence)
    if ledger.before:
        for switch in SQUARES[_overlooked(line, ledger.before, begun, evidence)]:
            ledger.note(Reason.IGNORED, switch)
    against = objection(line, trace, evidence.landed_us)
    if against:
        ledger.note(against)  # what he became can no longer be chosen again
        if ledger.twin is None:  # the older doubt is the better known
            ledger.twin = chosen_twin(line, trace, evidence.landed_us)
    if ledger.twin is not None:
        _play_in_twin(ledger, ledger.twin, line, move)
    return line.played(move, ledger)


def _won_unseen(line: Line, move: Move, evidence: Evidence) -> int:
    """What a ply wins if it is a capture that nobody saw, in pawns; else 0."""
    is_unseen = any(finding.reason in UNSEEN for finding in evidence.found)
    return exchange(line.position, move) if is_unseen else 0


def _note_taken(
    ledger: Ledger, switch: Square, why: Reason, ply: tuple[Line, Move], evidence: Evidence
) -> None:
    """Give back what it cost that somebody was gone who, as it turns out, had been taken.

    Who had hardly come was taken at once only if his taker was in a hand by then, too; and where a
    piece too many stood elsewhere, that was the one who had gone.
    """
    line, move = ply
    if why is Reason.AWAY:
        path = line.switches(move.passed)
        charged = line.ledger.charged.items()
        if not any(r is Reason.STOOD and not path >> s & 1 for s, r in charged):
            ledger.note(Reason.TAKEN, switch)
            is_victim = move.victim is not None and switch == line.switch(move.victim)
            for found in line.ledger.found if is_victim else ():
                if (found.reason, found.switch) == (Reason.STILL, switch):
                    ledger.note(Reason.AWAITED, switch)
    elif why is Reason.FLED:
        paid = (f.t_us for f in line.ledger.found if (f.reason, f.switch) == (why, switch))
        if evidence.left_us <= max(paid, default=0):
            ledger.note(Reason.RETAKEN, switch)


def _note_crossed(ledger: Ledger, line: Line, move: Move, evidence: Evidence) -> None:
    """Give back what it cost that the piece of a ply rested on switches of its path."""
    path, left_us = line.switches(move.passed), evidence.left_us
    stood = [f for f in line.ledger.found if f.reason is Reason.STOOD] if path else ()
    for _, switch, t_us in stood:
        if switch is not None and path >> switch & 1 and t_us >= left_us:
            ledger.note(Reason.CROSSED, switch)


def _play_in_twin(ledger: Ledger, twin: Position, line: Line, move: Move) -> None:
    """Let a ply pay if it is legal only because a pawn became another man than was chosen.

    That man's own moves show best who he is; with one that the other could not have made, or once
    it is paid for, the doubt ends.
    """
    ledger.twin = None
    way = move.steps(), move.victim, move.promotion
    alike = [m for m in twin.legal_moves() if (m.steps(), m.victim, m.promotion) == way]
    if alike:
        ledger.twin = twin.play_unchecked(alike[0])
    elif twin.piece_at(move.origin) == line.position.piece_at(move.origin):
        ledger.note(Reason.EXCUSED)


def _overlooked(line: Line, wrong: Occupancy, standing: Occupancy, evidence: Evidence) -> Occupancy:
    """What players would have put right before the reply was begun."""
    if evidence.left_us < line.ledger.landed_us:
        return wrong & standing  # the other hand was still at work: whoever is away is in it
    own = line.own
    return wrong & ~(line.expected & own)


def taken_back(line: Line, before: Line, evidence: Evidence) -> Line:
    """The line ``before`` its last ply again; what that ply and its undoing earned stays."""
    debts = line.ledger.without_debts_on(line.touched_by(line.moves[-1]))
    ledger = _ledger_after(line.ledger, evidence, debts)
    ledger.begun = before.ledger.begun
    kept = before.ledger.found[: line.ledger.after]
    ledger.found = [*kept, *line.ledger.found, *evidence.found]
    ledger.took_back, ledger.twin, ledger.won = True, before.ledger.twin, before.ledger.won
    return line.taken_back(ledger)


def _ledger_after(before: Ledger, evidence: Evidence, debts: dict[Square, bool | None]) -> Ledger:
    """The ledger after a ply, or its undoing, has been entered."""
    ledger = Ledger(
        score=before.score + evidence.score,
        found=evidence.found,
        since_us=before.since_us | evidence.since_us,
        debts=debts | evidence.debts,
        charged={s: why for s, why in before.charged.items() if s not in evidence.since_us},
        left_us=evidence.left_us,
        landed_us=evidence.landed_us,
        overlap_us=max(before.overlap_us, evidence.overlap_us),
        dead=before.dead,
        suspected_at=before.suspected_at,
        won=before.won,
        twin=before.twin,
    )
    without_used(before, ledger, evidence.found)
    return ledger


def paid_by(line: Line, known: Edge | Blip) -> Line:
    """The line, its debt on this switch paid if the edge is the one that was owed."""
    debts = line.ledger.debts
    if known.square not in debts:
        return line
    owed = debts[known.square]
    if isinstance(known, Blip):
        swapped = owed is None and not known.closed
        return line.paid(known.square, known.t_us, Reason.BLINKED_LATE) if swapped else line
    if owed is not known.closed:
        return line
    paid = line.paid(known.square, known.t_us, Reason.CAME_LATE)
    if line.parent is not None and line.parent.has_fled(known.square, known.t_us):
        paid.ledger.note(Reason.SNATCHED, known.square)
    return paid
