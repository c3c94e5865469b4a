"""Applies rulings: changes the record of a game as an arbiter decides.

What follows is the same as after a power cut (``planned_game.py``): the plies are final, the lights
lead misplaced pieces to where they belong, and the clock waits until play goes on.
"""

from __future__ import annotations

from collections.abc import Sequence

from boardfw.game.clock import ChessClock
from boardfw.game.course import Course
from boardfw.game.events import Action, Checked, Ended, Finalised, Moved, TakenBack
from boardfw.game.events import Ruled as Said
from boardfw.game.record import ClockSet, Record, Ruled
from boardfw.game.recorder import Recorder
from boardfw.game.rulings.decision import Decision
from boardfw.game.rulings.ruling import Judged, judge
from boardfw.game.setup.planned_game import Unfinished
from boardfw.notation.san import format_san
from boardfw.rules.move import common


def rule(
    t_us: int, decision: Decision, who: str, why: str, course: Course
) -> tuple[list[Action], Unfinished]:
    """Change the record of a game; return what is to be said, and the game as it goes on.

    Raises NotationError, one sentence, if the ruling is impossible; then nothing has changed.
    """
    record, clock = course.record, course.clock
    judged = judge(record, decision)
    old, outcome = record.moves, record.outcome
    took_us = enter(t_us, judged, who, why, course.recorder, clock)
    said = course.mismatch.clear(t_us) + _difference(t_us, old, record, course.final)
    if record.outcome is not None and record.outcome != outcome:
        said.append(Ended(t_us, record.outcome.result, record.outcome.termination))
    said.append(Said(t_us, who, why, judged.what))
    return said, course.interrupted(took_us)


def enter(
    t_us: int,
    judged: Judged,
    who: str,
    why: str,
    recorder: Recorder,
    clock: ChessClock | None,
    took_us: Sequence[int] | None = None,
) -> tuple[int, ...]:
    """Record what was judged; return how long each ply took that was pressed on the clock.

    ``took_us``: how long each took before; None: as recorded.
    """
    record = recorder.record
    took = record.took_us if took_us is None else tuple(took_us)
    taken = judged.splice.pressed(took)
    ruled = Ruled(t_us, judged.ply, who, why, judged.what)
    kept = common(record.moves, judged.moves)
    times_us = (*record.times_us[:kept], *judged.splice.of(record.times_us, t_us)[kept:])
    recorder.rule(ruled, judged.moves, times_us, judged.illegal)
    recorder.end(judged.outcome)
    if clock is not None:
        last = _clock_set(t_us, judged, clock, len(taken))
        recorder.set_clock(common(took, taken), last)
    return taken


def _clock_set(t_us: int, judged: Judged, clock: ChessClock, presses: int) -> ClockSet:
    """What the clocks show from now on: unchanged where nothing else was decided."""
    white, black = (
        now_us if left_us is None else left_us
        for left_us, now_us in zip(judged.left_us, clock.left_us(t_us), strict=True)
    )
    periods = clock.periods(0, t_us), clock.periods(1, t_us)
    return ClockSet(presses, (white, black), periods)


def _difference(t_us: int, old: Sequence[object], record: Record, final: int) -> list[Action]:
    """The changes for a listener that has followed each ply so far."""
    kept = common(old, record.moves)
    said: list[Action] = [TakenBack(t_us, len(old) - kept)] if kept < len(old) else []
    positions = record.positions()
    for ply, move in list(enumerate(record.moves))[kept:]:
        san = format_san(positions[ply], move)
        said.append(Moved(t_us, ply + 1, move.uci(), san, False))
    if kept < len(record.moves) and positions[-1].is_check():
        said.append(Checked(t_us, positions[-1].king(positions[-1].turn)))
    moves = list(enumerate(record.moves, 1))[min(kept, final) :]
    return said + [Finalised(t_us, ply, move.uci()) for ply, move in moves]
