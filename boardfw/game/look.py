"""How a session looks from outside: the ``View`` that lights and screens are drawn from."""

from __future__ import annotations

from boardfw.game.placing import Placing
from boardfw.game.session import Session
from boardfw.game.table import Table
from boardfw.game.view import View
from boardfw.inference.choice import open_until_us
from boardfw.inference.planner import plan
from boardfw.rules import Move
from boardfw.rules.board import kept
from boardfw.squares import Occupancy, Square, squares_in, turned_occupancy


def look(session: Session, help_level: int = 1, help_delay_us: int = 0) -> View:
    """The session at this instant.

    ``help_level`` 0 keeps the legal destinations dark; else they are shown ``help_delay_us``
    after the lift.
    """
    course, line = session.course, session.line
    if course.placing is not None:
        return _setting_up(session, course.placing)
    standing = line.switches(_believed(session, line.expected, line.ledger.dead))
    in_hand = _in_hand(session, standing) if course.is_playing else None
    return View(
        position=line.position,
        table=course.table,
        turned=bool(line.turn),
        standing=standing,
        in_hand=in_hand,
        destinations=_destinations(session, in_hand, help_delay_us) if help_level else (),
        last_move=line.moves[-1] if line.moves else None,
        provisional=course.provisional,
        missing=course.mismatch.missing,
        extra=course.mismatch.extra,
        repair=course.mismatch.repair,
        candidates=course.question.candidates,
        promotion=_being_chosen(session),
        stuck=line.switches(session.stuck.known),
        blind=line.switches(session.blind),
        outcome=course.record.outcome,
        clock=course.time.clock,
    )


def _setting_up(session: Session, placing: Placing) -> View:
    course, now = session.course, session.trace.now
    turned = turned_occupancy if placing.turn else _as_it_is
    standing = turned(_believed(session, placing.switches, placing.dead))
    problems = session.problems
    asked = None if problems else placing.asked(now)
    wanted = 0 if problems else placing.missing(now)
    surplus = 0 if problems else placing.surplus(now)
    known = kept(placing.known, standing)
    unknown = standing & ~(known[0] | known[7])
    return View(
        position=placing.position,
        table=Table.SETUP,
        turned=bool(placing.turn),
        standing=standing,
        wanted=wanted,
        surplus=surplus,
        asked=asked,
        problems=problems,
        blind=turned(session.blind),
        repair=() if problems else plan(known, placing.position.placement, unknown),
        clock=course.time.clock,
    )


def _as_it_is(squares: Occupancy) -> Occupancy:
    return squares


def _believed(session: Session, wanted: Occupancy, dead: Occupancy) -> Occupancy:
    """The switches that are closed, those of dead ones as they should be."""
    return session.trace.now & ~dead | wanted & dead


def _in_hand(session: Session, standing: Occupancy) -> Square | None:
    """The square that the man to move, lifted last, has left; a man who cannot move asks too."""
    position = session.line.position
    lifted = position.men(position.turn) & ~standing
    squares = [s for s in squares_in(lifted) if session.lifted_us(s) is not None]
    return max(squares, key=lambda s: session.lifted_us(s) or 0, default=None)


def _destinations(session: Session, in_hand: Square | None, delay_us: int) -> tuple[Move, ...]:
    if in_hand is None or session.t_us - (session.lifted_us(in_hand) or 0) < delay_us:
        return ()
    moves = session.line.position.legal_moves()
    return tuple(move for move in moves if move.origin == in_hand)


def _being_chosen(session: Session) -> int | None:
    until_us = open_until_us(session.line, session.trace)
    if until_us is None or session.t_us >= until_us:
        return None
    return session.line.moves[-1].promotion
