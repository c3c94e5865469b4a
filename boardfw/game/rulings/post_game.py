"""An arbiter's ruling on a game that is no longer played: the entries added to its journal."""

from __future__ import annotations

from boardfw.game.chronicle import Chronicle
from boardfw.game.clock import ChessClock, ClockUse
from boardfw.game.journal import Clocked, Entry, Over, ruled_entry
from boardfw.game.recorder import Recorder
from boardfw.game.rulings.arbiter import enter
from boardfw.game.rulings.decision import given, parse_decision
from boardfw.game.rulings.ruling import Judged, judge
from boardfw.game.timekeeper import Timekeeper


def ruled_entries(told: Chronicle, text: str, who: str, why: str) -> tuple[list[Entry], str]:
    """The entries that this ruling adds, and the ruling in words; ``text`` as in ``decision``.

    The chronicle becomes the game after it. Raises NotationError if the ruling is impossible.
    """
    record = told.record
    who, why = given("who", who), given("why", why)
    judged = judge(record, parse_decision(record.start, text))
    moves, outcome, took_us = record.moves, record.outcome, told.took_us
    taken_us = enter(told.now_us, judged, who, why, told.recorder, _clock(told), took_us)
    entry = ruled_entry(record, moves, took_us, taken_us, base_us=told.base_us, turned=told.turned)
    told.took_us, told.asked = taken_us, ()
    entries: list[Entry] = [entry, *_from_file(told.recorder, judged)]
    if record.outcome != outcome:
        over = ("", "") if record.outcome is None else record.outcome
        entries.append(Over(entry.t_us, *over))
    return entries, record.rulings[-1].told


def _clock(told: Chronicle) -> ChessClock | None:
    """The clock as it stood when the game was left; None if there was none."""
    control = told.record.control
    if control is None:
        return None
    return Timekeeper(told.recorder, ClockUse(control), told.took_us).clock


def _from_file(recorder: Recorder, judged: Judged) -> list[Entry]:
    """The times of a game from a file, as far as they still belong to its plies."""
    record = recorder.record
    if record.control is not None or not record.ply_times:
        return []
    splice = judged.splice
    end = len(record.ply_times) if splice.gone == splice.new else splice.at
    recorder.note_clock(record.ply_times[:end], ())
    times = record.ply_times
    return [Clocked([time.left_ms for time in times], [time.took_ms for time in times])]
