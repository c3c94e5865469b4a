"""Time controls as text: the form of the PGN tag TimeControl, and more where PGN has no word.

As in the standard (9.6.1): ``300`` sudden death, ``300+3`` increment, ``40/7200:3600`` stages,
``*60`` hourglass; times in seconds. Beyond it: ``300d5`` delay, ``300b5`` Bronstein's delay,
``600y3x30`` three periods of byo-yomi of 30 seconds.

People say ``5+3`` and mean minutes: in what they write, the time of a stage is in minutes up to
180, as on chess clocks and servers, and in seconds above; ``180s+2`` and ``240m`` say which.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from boardfw.errors import NotationError
from boardfw.game.clock.chess_clock import SECOND_US, Stage, TimeControl
from boardfw.notation.errors import quoted

_TIME = r"[0-9]{1,7}(?:\.[0-9]{1,6})?"
_STAGE = re.compile(
    rf"(?:(?P<moves>[0-9]{{1,3}})/)?(?P<time>{_TIME})(?P<unit>[sm]?)"
    rf"(?:(?P<way>[+db])(?P<each>{_TIME})|y(?P<periods>[0-9]{{1,3}})x(?P<period>{_TIME}))?"
)
_HOURGLASS = re.compile(rf"\*(?P<time>{_TIME})(?P<unit>[sm]?)")
_WAYS = {"+": "increment_us", "d": "delay_us", "b": "refund_us"}
MOST_MINUTES = 180
"""A time above this without a unit is in seconds: no stage lasts so many minutes."""
REMEDY = (
    "write minutes and seconds for each move, such as 5+3; 180s+2 has 180 seconds; others are "
    "5d3 (delay), 5b3 (Bronstein), 10y3x30 (byo-yomi), 40/120:60 (stages) and *1 (hourglass)"
)


def parse_control(text: str, *, in_minutes: bool = False) -> TimeControl:
    """The time control of a text. Raises NotationError, one line: what, where, how to mend it.

    ``in_minutes``: the text was written for people, not for PGN.
    """
    try:
        control = _read("".join(text.split()), in_minutes=in_minutes)
        _check(control)
    except NotationError as error:
        raise NotationError(f"time control {quoted(text)}: {error}") from None
    return control


def _read(text: str, *, in_minutes: bool) -> TimeControl:
    if found := _HOURGLASS.fullmatch(text):
        return TimeControl((Stage(_main_us(found, in_minutes=in_minutes)),), hourglass=True)
    parts = text.split(":")
    if len(parts) == 1 and not _STAGE.fullmatch(text):
        raise NotationError(f"not understood; {REMEDY}")
    return TimeControl(tuple(_stage(part, in_minutes=in_minutes) for part in parts))


def _stage(part: str, *, in_minutes: bool) -> Stage:
    found = _STAGE.fullmatch(part)
    if found is None:
        raise NotationError(f"{quoted(part)} is no stage; {REMEDY}")
    each = {_WAYS[found["way"]]: _microseconds(found["each"])} if found["way"] else {}
    return Stage(
        _main_us(found, in_minutes=in_minutes),
        int(found["moves"]) if found["moves"] else None,
        periods=int(found["periods"] or 0),
        period_us=_microseconds(found["period"] or "0"),
        **each,
    )


def _main_us(found: re.Match[str], *, in_minutes: bool) -> int:
    """The time of a stage, in microseconds."""
    time_us = _microseconds(found["time"])
    is_small = in_minutes and time_us <= MOST_MINUTES * SECOND_US
    return 60 * time_us if found["unit"] == "m" or (not found["unit"] and is_small) else time_us


def _microseconds(text: str) -> int:
    whole, _, part = text.partition(".")
    return int(whole) * SECOND_US + int(part.ljust(6, "0"))


def _check(control: TimeControl) -> None:
    """Raises NotationError for a control that can be read but not played."""
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
    """The text that ``parse_control`` reads back as this."""
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


# --- in words


def control_in_words(control: TimeControl) -> str:
    """The time control in spoken words: "5 minutes and 3 seconds for each move"."""
    if control.hourglass:
        time = _duration(control.stages[0].time_us)
        return f"{time} each, and what one player uses the other gains"
    return ", then ".join(map(_stage_in_words, control.stages))


def _stage_in_words(stage: Stage) -> str:
    main = _duration(stage.time_us) if stage.time_us or stage.moves else ""
    if stage.moves is not None:
        main += f" for {_counted(stage.moves, 'move')}"
    said = [main] if main else []
    if stage.increment_us:
        said.append(f"{_duration(stage.increment_us)} for each move")
    if stage.delay_us:
        said.append(f"a delay of {_duration(stage.delay_us)} before each move")
    if stage.refund_us:
        said.append(f"up to {_duration(stage.refund_us)} given back after each move")
    if stage.periods:
        said.append(f"{_counted(stage.periods, 'period')} of {_duration(stage.period_us)}")
    return " and ".join(said)


def _duration(time_us: int) -> str:
    """A time in hours, minutes and seconds, without those that are 0."""
    minutes, seconds_us = divmod(time_us, 60 * SECOND_US)
    hours, minutes = divmod(minutes, 60)
    parts = ((hours, "hour"), (minutes, "minute"))
    said = [_counted(number, unit) for number, unit in parts if number]
    if seconds_us or not said:
        seconds = _seconds(seconds_us)
        said.append(f"{seconds} second{'' if seconds == '1' else 's'}")
    return " ".join(said)


def _counted(number: int, unit: str) -> str:
    return f"{number} {unit}{'' if number == 1 else 's'}"
