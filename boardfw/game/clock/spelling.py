"""Time controls as text: the form of the PGN tag TimeControl, and more where PGN has no word.

As in the standard (9.6.1): ``300`` sudden death, ``300+3`` increment, ``40/7200:3600`` stages,
``*60`` hourglass; times in seconds. Beyond it: ``300d5`` delay, ``300b5`` Bronstein's delay,
``600y3x30`` three periods of byo-yomi of 30 seconds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from boardfw.errors import NotationError
from boardfw.game.clock.control import SECOND_US, Stage, TimeControl
from boardfw.notation.errors import quoted

_TIME = r"[0-9]{1,7}(?:\.[0-9]{1,6})?"
_STAGE = re.compile(
    rf"(?:(?P<moves>[0-9]{{1,3}})/)?(?P<time>{_TIME})"
    rf"(?:(?P<way>[+db])(?P<each>{_TIME})|y(?P<periods>[0-9]{{1,3}})x(?P<period>{_TIME}))?"
)
_HOURGLASS = re.compile(rf"\*(?P<time>{_TIME})")
_WAYS = {"+": "increment_us", "d": "delay_us", "b": "refund_us"}
REMEDY = (
    "write seconds, such as 300, 300+3 (increment), 300d5 (delay), 300b5 (Bronstein), "
    "600y3x30 (byo-yomi), 40/7200:3600 (stages) or *60 (hourglass)"
)


def parse_control(text: str) -> TimeControl:
    """The time control of a text. Raises NotationError, one line: what, where, how to mend it."""
    try:
        control = _read("".join(text.split()))
        _check(control)
    except NotationError as error:
        raise NotationError(f"time control {quoted(text)}: {error}") from None
    return control


def _read(text: str) -> TimeControl:
    if found := _HOURGLASS.fullmatch(text):
        return TimeControl((Stage(_microseconds(found["time"])),), hourglass=True)
    parts = text.split(":")
    if len(parts) == 1 and not _STAGE.fullmatch(text):
        raise NotationError(f"not understood; {REMEDY}")
    return TimeControl(tuple(map(_stage, parts)))


def _stage(part: str) -> Stage:
    found = _STAGE.fullmatch(part)
    if found is None:
        raise NotationError(f"{quoted(part)} is no stage; {REMEDY}")
    each = {_WAYS[found["way"]]: _microseconds(found["each"])} if found["way"] else {}
    return Stage(
        _microseconds(found["time"]),
        int(found["moves"]) if found["moves"] else None,
        periods=int(found["periods"] or 0),
        period_us=_microseconds(found["period"] or "0"),
        **each,
    )


def _microseconds(text: str) -> int:
    whole, _, part = text.partition(".")
    return int(whole) * SECOND_US + int(part.ljust(6, "0"))


def _check(control: TimeControl) -> None:
    """Raises NotationError for what cannot be played, though it can be read."""
    for trouble in _troubles(control):
        raise NotationError(trouble)


def _troubles(control: TimeControl) -> Iterator[str]:
    last = len(control.stages)
    for number, stage in enumerate(control.stages, 1):
        here = f"stage {number}" if last > 1 else "it"
        if stage.moves is None and number < last:
            yield f"{here} never ends; give it a number of moves, such as 40/7200"
        if stage.moves == 0:
            yield f"{here} has no moves; give it at least 1"
        if stage.periods and number < last:
            yield f"{here} has byo-yomi, which never ends; let it be the last stage"
        if stage.periods and stage.moves is not None:
            yield f"{here} has byo-yomi, which never ends; leave out the number of moves"
        if (stage.periods > 0) != (stage.period_us > 0):
            yield f"{here} has byo-yomi without time; write such as 600y3x30"
        if not (stage.time_us or stage.increment_us or stage.periods):
            yield f"{here} gives no time; write more than 0 seconds"


def format_control(control: TimeControl) -> str:
    """The text that ``parse_control`` reads as this."""
    if control.hourglass:
        return f"*{_seconds(control.stages[0].time_us)}"
    return ":".join(map(_text, control.stages))


def _text(stage: Stage) -> str:
    text = _seconds(stage.time_us)
    if stage.moves is not None:
        text = f"{stage.moves}/{text}"
    for way, name in _WAYS.items():
        if each_us := getattr(stage, name):
            text += way + _seconds(each_us)
    if stage.periods:
        text += f"y{stage.periods}x{_seconds(stage.period_us)}"
    return text


def _seconds(time_us: int) -> str:
    whole, part = divmod(time_us, SECOND_US)
    return f"{whole}.{part:06}".rstrip("0") if part else str(whole)
