"""Builds the ``View`` of a session, from which lights and screens are drawn."""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter
from typing import NamedTuple

from boardfw.game.help import (
    CONTACT_US,
    HANGING_US,
    THREATS,
    Help,
    contact_of,
    dangers,
    hanging,
    held_fast,
)
from boardfw.game.help_policy import HelpPolicy
from boardfw.game.phase import GamePhase, Playing, SettingUp
from boardfw.game.session import Session
from boardfw.game.view import View
from boardfw.inference import Choosing, Interpretation, ReadGame
from boardfw.ports import earliest
from boardfw.rules import KING, PieceType
from boardfw.rules.board import kept
from boardfw.rules.planner import plan
from boardfw.rules.position import Position
from boardfw.squares import Bitboard, Occupancy, Square


def look(session: Session, help_policy: HelpPolicy | None = None) -> View:
    """The session at this instant, with the help of ``help_policy``; None for the default."""
    course, help_policy = session.course, help_policy or HelpPolicy()
    phase = course.phase
    if isinstance(phase, SettingUp):
        return _setting_up(session, phase)
    if session.seat_choice.color is not None:
        return _choosing_seat(session)
    read, away = course.read, session.away.side.color
    game, orientation = read.game, read.game.orientation
    standing = orientation.squares(_believed(read.standing, game.expected, read.dead))
    choosing, owed = _being_chosen(read, session.t_us), session.away.owed(course)
    view = View(
        position=game.position,
        phase=phase.kind,
        orientation=orientation,
        standing=standing,
        owed=owed,
        picking=session.seat_choice.shown,
        is_awaited=away == game.position.turn and owed is None and isinstance(phase, Playing),
        last_move=game.moves[-1] if game.moves else None,
        provisional=bool(read.rivals),
        doubted=help_policy.doubt,
        missing=course.mismatch.missing,
        extra=course.mismatch.extra,
        repair=course.mismatch.repair,
        candidates=read.candidates,
        promotion=_promoted(game) if choosing or away == 1 - game.position.turn else None,
        choosing=choosing,
        stuck=orientation.squares(session.stuck.known),
        blind=orientation.squares(session.blind),
        is_clouded=read.is_clouded,
        outcome=course.record.outcome,
        clock=course.clock,
    )
    return (
        _objecting(session, help_policy, _helping(session, help_policy, view))
        if phase.reads_plies
        else view
    )


def _choosing_seat(session: Session) -> View:
    """While an opponent is chosen on the board nothing else is shown."""
    course, orientation = session.course, session.series.begun_as
    return View(
        position=course.record.start,
        phase=course.phase.kind,
        orientation=orientation,
        standing=orientation.squares(session.standing),
        picking=session.seat_choice.shown,
        clock=course.clock,
    )


def _setting_up(session: Session, phase: SettingUp) -> View:
    placing, now = phase.placing, session.standing
    orientation = placing.orientation
    standing = orientation.squares(_believed(now, placing.switches, placing.dead))
    problems = phase.planned.problems
    asked = None if problems else placing.asked(now)
    wanted = 0 if problems else placing.missing(now)
    surplus = 0 if problems else placing.surplus(now)
    known = kept(placing.known, standing)
    unknown = standing & ~(known[0] | known[7])
    return View(
        position=placing.position,
        phase=phase.kind,
        orientation=orientation,
        standing=standing,
        wanted=wanted,
        surplus=surplus,
        asked=asked,
        problems=problems,
        blind=orientation.squares(session.blind),
        repair=() if problems else plan(known, placing.position.placement, unknown),
        clock=session.course.clock,
    )


def _believed(standing: Occupancy, wanted: Occupancy, dead: Occupancy) -> Occupancy:
    """The switches that are closed, dead ones as they should be."""
    return standing & ~dead | wanted & dead


class Holding(NamedTuple):
    """The piece that was lifted last, for how long, and the help for the player to move."""

    square: Square
    held_us: int
    help: Help


def _holding(session: Session, help_policy: HelpPolicy, lifted: Bitboard) -> Holding | None:
    """The one of these squares that was left last; None if that is not remembered."""
    read = session.course.read
    away = (one for one in read.lifted if lifted >> one.square & 1)
    known = [(one.since_us, one.square) for one in away if one.since_us is not None]
    if not known:
        return None
    last_us, last = max(known, key=itemgetter(0))
    help_ = help_policy.help_with(read.game.position.turn, last)
    return Holding(last, session.t_us - last_us, help_)


def _helping(session: Session, help_policy: HelpPolicy, view: View) -> View:
    """Add what is shown to a player with a piece in the hand, even one that cannot move."""
    position = view.position
    away = position.occupied & ~view.standing
    if not away or session.away.side.color == position.turn:
        return _with_advice(help_policy, view)  # nearly always
    in_hand = _holding(session, help_policy, away & position.pieces(position.turn))
    if in_hand is not None:
        view = _with_targets(view, in_hand)
    view = _with_advice(help_policy, view)
    held = _holding(session, help_policy, away)
    if held is None or held.help.level < THREATS or away.bit_count() > 1:
        return view
    return _with_attackers(view, held)


def _with_targets(view: View, hand: Holding) -> View:
    position, square = view.position, hand.square
    if not hand.help.level or hand.held_us < hand.help.delay_us:
        return view._replace(in_hand=square)
    if view.outcome is None and (reason := held_fast(position, square)) is not None:
        return view._replace(in_hand=square, reason=reason, tried=square)
    moves = tuple(move for move in position.legal_moves() if move.origin == square)
    lost = dangers(position, square) if hand.help.level >= THREATS else 0
    return view._replace(in_hand=square, destinations=moves, dangers=lost)


def _with_advice(help_policy: HelpPolicy, view: View) -> View:
    """Add what the coach knows of this position and of the piece in the hand."""
    advice = help_policy.coach.advice
    if advice is None or view.position != advice.to.position or view.outcome is not None:
        return view
    if (hint := help_policy.coach.hint) is not None:
        return view._replace(hint=hint)
    if view.destinations and advice.to.square == view.in_hand:
        return view._replace(coached=advice.targets())
    return view


def _with_attackers(view: View, held: Holding) -> View:
    """Add attackers and defenders of a piece held for long; for a king, all hanging pieces."""
    position, square = view.position, held.square
    if held.held_us < _asks_us(position, held):
        return view
    if position.placement[KING] >> square & 1:
        return view._replace(looked_at=square, hanging=hanging(position, position.turn))
    found, _ = contact_of(position, square)
    return view._replace(looked_at=square, attackers=found.attackers, defenders=found.defenders)


def _asks_us(position: Position, held: Holding) -> int:
    """How long a piece is to be held before more is shown."""
    is_king = position.placement[KING] >> held.square & 1
    return max(held.help.delay_us, HANGING_US if is_king else CONTACT_US)


def _objecting(session: Session, help_policy: HelpPolicy, view: View) -> View:
    """Add why what stands is no move, and how to undo a capture, which no switch tells."""
    objection = session.course.mismatch.objection
    if objection is None:
        return view
    if objection.is_capture:
        missing, extra = 1 << objection.origin, 1 << objection.target
        view = view._replace(missing=missing, extra=extra, repair=objection.repair)
    piece = view.position.piece_at(objection.origin)
    is_told = piece is not None and help_policy.helps[piece.color].level
    reason, tried = (objection.reason, objection.origin) if is_told else (None, None)
    return view._replace(reason=reason, tried=tried)


def next_look_us(session: Session, help_policy: HelpPolicy, view: View) -> int | None:
    """When the view changes though nothing happens; None if never."""
    now_us = session.t_us
    times = (*_asking_us(session, help_policy, view), help_policy.deadline_us(now_us))
    return earliest(*times, after_us=now_us)


def _asking_us(session: Session, help_policy: HelpPolicy, view: View) -> Iterator[int]:
    position = view.position
    away = position.occupied & ~view.standing
    if not away:
        return  # nearly always
    for lifted in {away & position.pieces(position.turn), away}:
        held = _holding(session, help_policy, lifted) if view.phase is not GamePhase.SETUP else None
        if held is not None:
            since_us = session.t_us - held.held_us
            yield since_us + held.help.delay_us
            if held.help.level >= THREATS:
                yield since_us + _asks_us(position, held)


def _promoted(game: ReadGame) -> PieceType | None:
    """What the last ply made of a pawn; None if it made nothing of one."""
    return (game.moves[-1].promotion or None) if game.moves else None


def _being_chosen(read: Interpretation, t_us: int) -> Choosing | None:
    choosing = read.choosing
    return choosing if choosing and t_us < choosing.until_us else None
