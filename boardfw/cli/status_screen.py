"""How a running board is, on one screen."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from boardfw.shell.scanner import duration as late_words
from boardfw.shell.status.status_report import (
    BoardReport,
    ClockReport,
    ErrorReport,
    GameReport,
    LateReport,
    Report,
    SilentReport,
)
from boardfw.terminal.panels import time_words

MINUTE_S, HOUR_S, DAY_S = 60, 3600, 86_400


def lines(report: Report, now_s: int) -> Iterator[str]:
    """A report as text, at an instant of the machine's monotonic clock, seconds."""
    up_s = max(0, now_s - report.since_s)
    since = f" since {_moment(report.since)}" if report.since else ""
    yield f"boardfw {report.version} plays{since}, for {duration(up_s)} (process {report.pid})"
    for silent in report.silent:
        yield f"not answering {_silent(silent, now_s)}"
    yield from _board(report.board)
    yield from _game(report.game)
    yield f"recorded in   {', '.join(report.records) or 'nothing'}"
    yield f"last error    {_error(report.error, up_s)}"


def duration(seconds: int) -> str:
    """``45 s``, ``3 min``, ``2 h 5 min``, ``3 d 4 h``."""
    if seconds < MINUTE_S:
        return f"{seconds} s"
    if seconds < HOUR_S:
        return f"{seconds // MINUTE_S} min"
    if seconds < DAY_S:
        return f"{seconds // HOUR_S} h {seconds % HOUR_S // MINUTE_S} min"
    return f"{seconds // DAY_S} d {seconds % DAY_S // HOUR_S} h"


def _silent(silent: SilentReport, now_s: int) -> str:
    """The thread that does not answer, for how long, and what follows."""
    then = "the board restarts unless it answers soon" if silent.restarts else "the game goes on"
    return f"{silent.thread}, for {duration(max(0, now_s - silent.since_s))}; {then}"


def _moment(iso: str) -> str:
    """Where the board stands."""
    return f"{datetime.fromisoformat(iso).astimezone():%Y-%m-%d %H:%M}"


def _board(board: BoardReport) -> Iterator[str]:
    health = "all switches can be read"
    if board.outage:
        health = f"switches cannot be read: {board.outage}"
    yield f"board         {board.url}: {health}"
    if board.stuck:
        yield f"stuck         {' '.join(board.stuck)}"
    troubles = ", ".join(f"{what} {times}" for what, times in sorted(board.troubles.items()))
    yield f"troubles      {troubles or 'none'}"
    yield f"late scans    {_late(board.late)}"


def _late(late: LateReport) -> str:
    """How often the board was not read for a while, and for how long at most."""
    if not late.count:
        return "none"
    return f"{late.count}, the longest after {late_words(late.longest_ms * 1000)}"


def _game(game: GameReport) -> Iterator[str]:
    yield f"game          {game.number} since the start: {_state(game)}"
    if game.last_move:
        kept = "" if game.is_kept else " (not on the disk yet)"
        yield f"last move     {game.last_move}, ply {game.plies}{kept}"
    if game.clock is not None:
        yield f"clocks        {_clocks(game.clock)}"


def _state(game: GameReport) -> str:
    if game.result != "*":
        return f"{game.result} ({game.termination.replace('_', ' ')})"
    if game.table == "setup":
        return "the pieces are being set up"
    if game.missing or game.extra:
        missing, extra = (" ".join(one) or "nothing" for one in (game.missing, game.extra))
        return f"the board does not match the game: missing {missing}, too many {extra}"
    if game.asked:
        return f"the board asks: {' or '.join(game.asked)}"
    return f"{game.turn} to move"


def _clocks(clock: ClockReport) -> str:
    white, black = (time_words(ms * 1000) for ms in (clock.white_ms, clock.black_ms))
    runs = f", {clock.running}'s time runs" if clock.running else ", both stopped"
    return f"White {white}, Black {black}{runs}"


def _error(error: ErrorReport | None, up_s: int) -> str:
    if error is None:
        return "none"
    return f"{error.text} ({duration(max(0, up_s - error.after_s))} ago)"
