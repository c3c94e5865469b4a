"""The game of a desk, as its report has it."""

from __future__ import annotations

from boardfw.game.clock import ChessClock
from boardfw.game.record import Record
from boardfw.notation.san import format_san, move_number
from boardfw.rules import BLACK, WHITE
from boardfw.rules.board import COLOR_NAMES
from boardfw.shell.desk import Desk
from boardfw.shell.status.report import ClockReport, GameReport
from boardfw.squares import names_of


def game_report(desk: Desk, t_us: int) -> GameReport:
    """The game at an instant of the session's clock."""
    view, record = desk.view, desk.session.record
    outcome = record.outcome
    return GameReport(
        number=len(desk.session.games),
        plies=len(record.moves),
        turn=COLOR_NAMES[view.position.turn].lower(),
        last_move=_last_move(record),
        result="*" if outcome is None else outcome.result,
        termination="" if outcome is None else outcome.termination,
        table=view.table.name.lower(),
        clock=None if view.clock is None else _clock(view.clock, t_us),
        is_kept=not view.unkept,
        missing=tuple(names_of(view.missing)),
        extra=tuple(names_of(view.extra)),
        asked=tuple(move.uci() for move in view.candidates),
    )


def _last_move(record: Record) -> str:
    if not record.moves:
        return ""
    *_, before, _ = record.positions()
    number = move_number(record.start, len(record.moves))
    return f"{number}{format_san(before, record.moves[-1])}"


def _clock(clock: ChessClock, t_us: int) -> ClockReport:
    runs = clock.is_running and clock.flag_fallen(t_us) is None
    return ClockReport(
        white_ms=clock.remaining_us(WHITE, t_us) // 1000,
        black_ms=clock.remaining_us(BLACK, t_us) // 1000,
        running=COLOR_NAMES[clock.turn].lower() if runs else "",
    )
