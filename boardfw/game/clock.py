"""Chess clocks of every kind as immutable values of whole microseconds; time is an argument.

A time control says what time each player gets: one or more stages, each with one way of giving
time for a move. The clock keeps what each player has left and since when the present move is
thought about. Nothing is ever added up tick by tick, so nothing drifts.

As text a time control has the form of the PGN tag TimeControl (9.6.1): ``300`` sudden death,
``300+3`` increment, ``40/7200:3600`` stages, ``*60`` hourglass; times in seconds. Beyond it:
``300d5`` delay, ``300b5`` Bronstein's delay, ``600y3x30`` three periods of byo-yomi of 30 seconds.
People say ``5+3`` and mean minutes: in what they write, the time of a stage is in minutes up to
180, as on chess clocks and servers, and in seconds above; ``180s+2`` and ``240m`` say which.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from boardfw.errors import NotationError
from boardfw.notation.errors import quoted
from boardfw.rules.board import BLACK, WHITE, Color

SECOND_US = 1_000_000
TENTHS_US = 10 * SECOND_US
"""Clocks show whole seconds, and tenths when no more than this is left."""


@dataclass(frozen=True, slots=True)
class Stage:
    """Time for a number of moves, or for the rest of the game. Times are microseconds.

    Each way to give time for a move is a number that is 0 where it is not in use, so that one
    formula serves all clocks.
    """

    time_us: int
    """Given before the first move of the stage; what was left before it is kept."""
    moves: int | None = None
    """How many moves of one player; None for all that follow."""
    increment_us: int = 0
    """Fischer's: given before each move, the first too (FIDE Laws, glossary, cumulative mode)."""
    delay_us: int = 0
    """The American delay: before each move the clock waits for this long."""
    refund_us: int = 0
    """Bronstein's: after each move the time it took is given back, at most this much."""
    periods: int = 0
    """Byo-yomi: how often the clock may run through a period once the time is used up."""
    period_us: int = 0
    """Byo-yomi: a period that a move does not use up begins again with the next."""


class Placed(NamedTuple):
    """The stage that a move belongs to, and whether it is the first move of it."""

    stage: Stage
    is_first: bool


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Stages, one after the other. A last stage with a number of moves is repeated.

    All stages but the last have a number of moves.
    """

    stages: tuple[Stage, ...]
    hourglass: bool = False
    """What one player's time loses, the other's gains."""

    def place(self, move: int) -> Placed:
        """The stage of a player's move (1 = the first)."""
        before = move - 1
        *others, last = self.stages
        for stage in others:
            moves = stage.moves or 0
            if before < moves:
                return Placed(stage, before == 0)
            before -= moves
        return Placed(last, before % last.moves == 0 if last.moves else before == 0)


@dataclass(frozen=True, slots=True)
class ClockUse:
    """Which clock is used, and how it is pressed."""

    control: TimeControl
    by_button: bool = False
    """Whether the players press; else the ply itself does."""
    pauses_on_mismatch: bool = False
    """Whether both clocks stop while no legal move explains the board."""
    runs_while_owed: bool = False
    """Whether the player's time runs while an opponent's move is lit; else both clocks stand."""


@dataclass(frozen=True, slots=True)
class Side:
    """What a player has before the present or next move."""

    left_us: int
    moves: int = 0
    """Moves made."""
    periods: int = 0
    """Periods of byo-yomi left."""

    def given(self, control: TimeControl) -> Side:
        """With what the next move brings: the time of a new stage, the increment."""
        stage, is_first = control.place(self.moves + 1)
        left_us = self.left_us + stage.increment_us
        if not is_first:
            return replace(self, left_us=left_us)
        return replace(self, left_us=left_us + stage.time_us, periods=stage.periods)

    def life_us(self, stage: Stage) -> int:
        """How long the player may think about this move."""
        return self.left_us + stage.delay_us + self.periods * stage.period_us

    def thinking(self, stage: Stage, spent_us: int) -> tuple[int, int]:
        """What is left after so much thought, and for how long there was no time left."""
        used_us = max(0, spent_us - stage.delay_us)
        return max(0, self.left_us - used_us), max(0, used_us - self.left_us)

    def shown_us(self, stage: Stage, spent_us: int) -> int:
        """What the clock shows: the player's time, or the rest of the running period."""
        if spent_us >= self.life_us(stage):
            return 0
        left_us, over_us = self.thinking(stage, spent_us)
        if left_us or not self.periods:
            return left_us
        return stage.period_us - over_us % stage.period_us

    def moved(self, control: TimeControl, spent_us: int) -> Side:
        """After a move that took so long, with what the next one brings."""
        stage = control.place(self.moves + 1).stage
        left_us, over_us = self.thinking(stage, spent_us)
        used_up = over_us // stage.period_us if self.periods else 0
        back_us = min(spent_us, stage.refund_us)
        return Side(left_us + back_us, self.moves + 1, self.periods - used_up).given(control)


@dataclass(frozen=True, slots=True)
class ChessClock:
    """Both times at work. Instants are microseconds and must not run backwards.

    A flag that has fallen stays down: pressing later is too late.
    """

    control: TimeControl
    sides: tuple[Side, Side]
    """White's and Black's."""
    turn: Color = WHITE
    """The side whose time runs, or would run if the clock did."""
    has_begun: bool = False
    since_us: int | None = None
    """Since when it runs; None if it stands."""
    spent_us: int = 0
    """Time already thought about this move before that."""

    @classmethod
    def of(cls, control: TimeControl, turn: Color = WHITE) -> ChessClock:
        """A clock that stands before the first move, which ``turn`` will make."""
        side = Side(0).given(control)
        return cls(control, (side, side), turn)

    # --- what it shows

    def remaining_us(self, color: Color, t_us: int) -> int:
        """The time that a player's clock shows at an instant; 0 once the flag has fallen.

        In byo-yomi that is the rest of the running period; ``periods`` is the number of periods.
        """
        side = self.sides[color]
        stage = self._stage(color)
        if color == self.turn:
            return side.shown_us(stage, self.elapsed_us(t_us))
        return side.shown_us(stage, 0) + self._gained_us(t_us)

    def periods(self, color: Color, t_us: int) -> int:
        """Periods of byo-yomi that a player has left, the running one among them."""
        side, stage = self.sides[color], self._stage(color)
        if color != self.turn or not side.periods:
            return side.periods
        _, over_us = side.thinking(stage, self.elapsed_us(t_us))
        return max(0, side.periods - over_us // stage.period_us)

    def elapsed_us(self, t_us: int) -> int:
        """For how long the present move has been thought about."""
        return self.spent_us + (0 if self.since_us is None else max(0, t_us - self.since_us))

    @property
    def is_running(self) -> bool:
        """Whether a player's time runs."""
        return self.since_us is not None

    @property
    def presses(self) -> int:
        """Moves made by both."""
        return self.sides[WHITE].moves + self.sides[BLACK].moves

    @property
    def flag_us(self) -> int | None:
        """When the flag falls if the clock is not pressed before; None if the clock stands."""
        if self.since_us is None:
            return None
        return self.since_us + self._life_us - self.spent_us

    def flag_fallen(self, t_us: int) -> Color | None:
        """The side whose flag has fallen by an instant; None if none has."""
        return self.turn if self.has_begun and self.elapsed_us(t_us) >= self._life_us else None

    def next_change_us(self, t_us: int) -> int | None:
        """When a shown time next changes; None if none will as the clock stands.

        Times are shown rounded up, in whole seconds, from ten seconds down in tenths: 0 is shown
        when the flag falls, and not before.
        """
        if self.since_us is None or self.flag_fallen(t_us) is not None:
            return None
        shown_us = self.remaining_us(self.turn, t_us)
        waits_us = max(0, self._stage(self.turn).delay_us - self.elapsed_us(t_us))
        changes_us = [self._life_us - self.elapsed_us(t_us)]
        if shown_us:
            step_us = shown_step_us(shown_us)
            changes_us.append(waits_us + (shown_us - 1) % step_us + 1)
        if self.control.hourglass:
            gains_us = self.remaining_us(1 - self.turn, t_us)
            changes_us.append(-gains_us % shown_step_us(gains_us + 1) + 1)
        return max(t_us, self.since_us) + min(changes_us)

    # --- what is done with it

    def left_us(self, t_us: int) -> tuple[int, int]:
        """White's time and Black's, periods of byo-yomi and the delay of this move left out."""
        side = self.sides[self.turn]
        thinking_us, _ = side.thinking(self._stage(self.turn), self.elapsed_us(t_us))
        waiting_us = self.sides[1 - self.turn].left_us + self._gained_us(t_us)
        return (waiting_us, thinking_us) if self.turn else (thinking_us, waiting_us)

    def set_to(self, left_us: tuple[int, int], periods: tuple[int, int], t_us: int) -> ChessClock:
        """With these times, White's first; what was thought about this move is not counted."""
        white, black = (
            replace(side, left_us=left, periods=rest)
            for side, left, rest in zip(self.sides, left_us, periods, strict=True)
        )
        since_us = None if self.since_us is None else t_us
        return replace(self, sides=(white, black), spent_us=0, since_us=since_us)

    def press(self, color: Color, t_us: int, *, is_past: bool = False) -> ChessClock:
        """A player has moved and starts the other player's time; a pause is over.

        The first press starts the clock: that move took no time. If the other player presses
        before the first move, that starts the time of the side to move and is no move. Otherwise
        pressing while one's own time does not run changes nothing. ``is_past``: the press is known
        to have been made, and in time.
        """
        if color != self.turn:
            return self if self.has_begun else replace(self, has_begun=True, since_us=t_us)
        if self.flag_fallen(t_us) is not None and not is_past:
            return self
        moved = self.sides[color].moved(self.control, self.elapsed_us(t_us))
        other = self.sides[1 - color]
        other = replace(other, left_us=other.left_us + self._gained_us(t_us))
        sides = (moved, other) if color == WHITE else (other, moved)
        since_us = t_us if self.since_us is None else max(t_us, self.since_us)
        return ChessClock(self.control, sides, 1 - color, True, since_us)

    def pause(self, t_us: int) -> ChessClock:
        """Both times stand from now on."""
        return replace(self, since_us=None, spent_us=self.elapsed_us(t_us))

    def go_on(self, t_us: int) -> ChessClock:
        """The time that was stopped runs again; before the first move neither does."""
        if not self.has_begun or self.since_us is not None:
            return self
        return replace(self, since_us=t_us)

    # --- how it is done

    def _stage(self, color: Color) -> Stage:
        return self.control.place(self.sides[color].moves + 1).stage

    @property
    def _life_us(self) -> int:
        return self.sides[self.turn].life_us(self._stage(self.turn))

    def _gained_us(self, t_us: int) -> int:
        """What the waiting player has gained from the other's sand."""
        if not self.control.hourglass:
            return 0
        return min(self.elapsed_us(t_us), self.sides[self.turn].left_us)


def shown_step_us(shown_us: int) -> int:
    """By how much a shown time changes."""
    return SECOND_US if shown_us > TENTHS_US else SECOND_US // 10


# --- time controls as text

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
        if trouble := next(_troubles(control), ""):
            raise NotationError(trouble)
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


def _troubles(control: TimeControl) -> Iterator[str]:
    """Why a control that can be read cannot be played."""
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
