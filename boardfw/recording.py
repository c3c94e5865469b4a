"""The board trace on paper: what all switches read, scan by scan, and the buttons pressed.

JSON Lines, one object a line: a header with the format's version and the starting position,
then scans, button presses and an end line, their times in microseconds since the start and
never decreasing. A recording that was cut off (power, disk) is played as far as it goes;
anything else that is not in the format is refused with ``FILE:LINE: what is wrong``.
Whether ``start_fen`` is a FEN is for the reader of positions to say, not for this file.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO, TypeAlias

import msgspec

from boardfw.errors import TraceError
from boardfw.given import database_of, open_given, read_given
from boardfw.ports import Pressed, button_named
from boardfw.squares import NO_SWITCHES, Occupancy

SUFFIX = ".trace.jsonl"
"""How the name of a trace ends."""
VERSION = 1
START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
_HEADER = f'{{"boardfw_trace": {VERSION}, "start_fen": ...}}'
_HEX = frozenset("0123456789abcdef")
_OCC_DIGITS = 16


@dataclass(frozen=True, slots=True)
class Scan:
    """What one scan of all 64 switches read, before any debouncing."""

    t_us: int
    occupancy: Occupancy
    since_us: int | None = None
    """Since when the switches could not be read; None: since the scan before."""


@dataclass(frozen=True, slots=True)
class Press:
    """A button of the panel was pressed."""

    t_us: int
    button: Pressed


@dataclass(frozen=True, slots=True)
class End:
    """The board was watched, unchanged, until here."""

    t_us: int


Entry: TypeAlias = Scan | Press | End


@dataclass(slots=True)
class Recording:
    """A trace as read. ``warnings`` are lines ``FILE:LINE: ...`` for what was skipped."""

    start_fen: str
    entries: list[Entry] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    dead: Occupancy = NO_SWITCHES
    """Switches that were known to tell nothing when the recording began."""

    @property
    def complete(self) -> bool:
        """Whether the recording has its end line; without it, it was cut off."""
        return bool(self.entries) and isinstance(self.entries[-1], End)

    @property
    def end_us(self) -> int:
        """Time of the last entry, 0 where there is none."""
        return self.entries[-1].t_us if self.entries else 0


MOST_HEAD = 200
MOST_BYTES = 64 << 20
"""Of a recording; one of a thousand games, if need be."""


def is_trace(text: str) -> bool:
    """Whether a text begins as a recording does."""
    return text.startswith('{"boardfw_trace":')


def is_recording(path: str | Path) -> bool:
    """Whether a file may be recorded into: it is none, empty, or a recording already."""
    try:
        with open_given(path) as file:
            head = file.read(MOST_HEAD)
    except OSError:
        return True  # the program that writes there says what is wrong
    return not head or is_trace(head.decode(errors="replace"))


def read_trace(path: str | Path) -> Recording:
    """The recording in a file. Raises TraceError where it is not in the format."""
    try:
        data = read_given(path, MOST_BYTES)
    except OSError as error:
        raise TraceError(f"{path}: cannot be read: {error.strerror}") from error
    return parse_trace(data, str(path))


def parse_trace(data: bytes, name: str) -> Recording:
    """The recording in these bytes; ``name`` stands for FILE in messages."""
    reader = _Reader(name)
    lines = data.removeprefix(BOM_UTF8).split(b"\n")  # some editors put the mark before the text
    unterminated = lines.pop()
    for line in lines:
        reader.take(line)
    if unterminated:
        reader.take(unterminated, last=True)
    return reader.recording()


class _LineError(Exception):
    """What is wrong with a line; the reader adds where it is."""


def _fields(line: bytes) -> dict[str, object] | None:
    """The object on a line; None where the line is no JSON at all. Raises _LineError."""
    try:
        value = msgspec.json.decode(line.decode("utf-8"))
    except (UnicodeDecodeError, msgspec.DecodeError, RecursionError):
        return None
    if not isinstance(value, dict):
        raise _LineError("not a JSON object")
    return value


@dataclass(frozen=True, slots=True)
class _Unknown:
    """A press of a button that this program does not know."""

    t_us: int
    name: str


class _Reader:
    """Takes a trace line by line and keeps what the next line is checked against."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._number = 0
        self._start_fen: str | None = None
        self._dead = NO_SWITCHES
        self._entries: list[Entry] = []
        self._warnings: list[str] = []
        self._t_us = 0
        self._scanned = False

    def take(self, line: bytes, *, last: bool = False) -> None:
        """Read one line; ``last``: it has no newline, so it may have been cut off."""
        self._number += 1
        try:
            fields = _fields(line)
            if fields is not None:
                self._take_fields(fields)
            elif not last or self._start_fen is None:
                begun = self._start_fen is not None
                raise _LineError("not JSON" if begun else f"not JSON; a trace begins {_HEADER}")
        except _LineError as error:
            raise TraceError(f"{self._name}:{self._number}: {error}") from error

    def recording(self) -> Recording:
        """Everything that was read. Raises TraceError where not even a header was."""
        if self._start_fen is None:
            raise TraceError(f"{self._name}:1: is empty; a trace begins {_HEADER}")
        return Recording(self._start_fen, self._entries, self._warnings, self._dead)

    def _take_fields(self, fields: dict[str, object]) -> None:
        if self._start_fen is None:
            self._start_fen, self._dead = _header(fields)
        else:
            self._take_entry(fields)

    def _take_entry(self, fields: dict[str, object]) -> None:
        if self._entries and isinstance(self._entries[-1], End):
            raise _LineError("a line after the end line")
        entry = _entry(fields)
        self._check_time(entry)
        self._t_us = entry.t_us
        self._scanned = self._scanned or isinstance(entry, Scan)
        if isinstance(entry, _Unknown):
            self._warn(f"unknown button {_shown(entry.name)}, skipped")
        else:
            self._entries.append(entry)

    def _check_time(self, entry: Entry | _Unknown) -> None:
        if entry.t_us < self._t_us:
            raise _LineError(f"time runs backwards, from {self._t_us} to {entry.t_us}")
        if self._scanned:
            return
        if isinstance(entry, End):
            raise _LineError("the end comes before any scan")
        if entry.t_us:
            raise _LineError(f"the first scan must be at t 0; nothing was scanned by {entry.t_us}")

    def _warn(self, text: str) -> None:
        self._warnings.append(f"{self._name}:{self._number}: {text}")


def _header(fields: dict[str, object]) -> tuple[str, Occupancy]:
    if "boardfw_trace" not in fields:
        raise _LineError('the first line has no "boardfw_trace"')
    version = _integer(fields, "boardfw_trace")
    if version != VERSION:
        raise _LineError(f"unknown trace version {_shown(version)}; this program reads {VERSION}")
    dead = _occupancy(_text(fields, "dead"), "dead") if "dead" in fields else NO_SWITCHES
    return _text(fields, "start_fen"), dead


def _entry(fields: dict[str, object]) -> Entry | _Unknown:
    kinds = [kind for kind in ("occ", "button", "end") if kind in fields]
    if len(kinds) != 1:
        found = " and ".join(f'"{kind}"' for kind in kinds) or "none"
        raise _LineError(f'a line has one of "occ", "button", "end"; here is {found}')
    t_us = _time(fields)
    if kinds == ["occ"]:
        return Scan(t_us, _occupancy(_text(fields, "occ"), "occ"), _since(fields, t_us))
    if kinds == ["button"]:
        name = _text(fields, "button")
        button = button_named(name)
        return Press(t_us, button) if button else _Unknown(t_us, name)
    if fields["end"] is not True:
        raise _LineError(f'"end" must be true, not {_shown(fields["end"])}')
    return End(t_us)


def _time(fields: dict[str, object]) -> int:
    t_us = _integer(fields, "t")
    if t_us < 0:
        raise _LineError(f'"t" must not be negative, {_shown(t_us)}')
    return t_us


def _since(fields: dict[str, object], t_us: int) -> int | None:
    since_us = _integer(fields, "since") if "since" in fields else None
    if since_us is not None and not 0 <= since_us <= t_us:
        raise _LineError(f'"since" must lie between 0 and "t", not be {_shown(since_us)}')
    return since_us


def _integer(fields: dict[str, object], key: str) -> int:
    value = _present(fields, key)
    if type(value) is not int:  # a bool is an int to isinstance, and 1 == True
        raise _LineError(f'"{key}" must be an integer, not {_shown(value)}')
    return value


def _text(fields: dict[str, object], key: str) -> str:
    value = _present(fields, key)
    if not isinstance(value, str):
        raise _LineError(f'"{key}" must be a string, not {_shown(value)}')
    return value


def _present(fields: dict[str, object], key: str) -> object:
    if key not in fields:
        raise _LineError(f'"{key}" is missing')
    return fields[key]


def _occupancy(text: str, key: str) -> Occupancy:
    if len(text) != _OCC_DIGITS:
        raise _LineError(f'"{key}" must have {_OCC_DIGITS} hex digits, not {len(text)}')
    if not _HEX.issuperset(text):
        raise _LineError(f'"{key}" must be lower-case hex digits, not {_shown(text)}')
    return Occupancy(int(text, 16))


def _shown(value: object) -> str:
    """A value as an error message shows it: one line, not long."""
    text = repr(value)
    return text if len(text) <= 40 else text[:39] + "…"


class TraceWriter:
    """Writes a trace line by line as things happen.

    Every line reaches the file at once, so that whatever ends the program leaves a recording
    that was cut off, never a broken one. Times may come from any clock: the first scan becomes
    t 0, and a line that comes late (a press from another thread) gets the time of the line
    before, because time in a trace never decreases. Raises TraceError where nothing can be
    written.
    """

    def __init__(
        self,
        target: str | Path | TextIO,
        start_fen: str = START_FEN,
        dead: Occupancy = NO_SWITCHES,
    ) -> None:
        """``dead``: switches that are known to tell nothing."""
        self._owned = isinstance(target, str | Path)
        self._name = str(target) if isinstance(target, str | Path) else "trace"
        self._origin_us: int | None = None
        self._t_us = 0
        self._occupancy: Occupancy | None = None
        self._open = True
        self._stream = _opened(target) if isinstance(target, str | Path) else target
        try:
            known = {"dead": f"{dead:016x}"} if dead else {}
            self._write({"boardfw_trace": VERSION, "start_fen": start_fen, **known})
        except TraceError:
            self._discard()
            raise

    def scan(self, t_us: int, occupancy: Occupancy, since_us: int | None = None) -> None:
        """What a scan read at this time; written when it differs from the scan before.

        ``since_us``: as of ``Scan``; then it is written even if it reads the same.
        """
        if self._origin_us is None:
            self._origin_us, since_us = t_us, None
        if occupancy != self._occupancy or since_us is not None:
            self._occupancy = occupancy
            # Not before the line before: a press may have been written meanwhile.
            since = {} if since_us is None else {"since": self._time(since_us)}
            self._write({"t": self._time(t_us), "occ": f"{occupancy:016x}", **since})

    def button(self, t_us: int, name: str) -> None:
        """A button that was pressed."""
        self._write({"t": self._time(t_us), "button": name})

    def end(self, t_us: int) -> None:
        """The board was watched until here. Nothing is written after it."""
        if self._origin_us is not None:  # without any scan there is nothing that ends
            self._write({"t": self._time(t_us), "end": True})
        self.close()

    def close(self) -> None:
        """Let go of the file; without an end line before, the recording is a cut-off one."""
        if self._open and self._owned:
            self._stream.close()
        self._open = False

    def _discard(self) -> None:
        """Leave no file behind that holds nothing; a device stays."""
        with suppress(OSError):  # what could not be written cannot be flushed either
            self.close()
        if self._owned and Path(self._name).is_file():
            Path(self._name).unlink()

    def _time(self, t_us: int) -> int:
        since_start = t_us - self._origin_us if self._origin_us is not None else 0
        self._t_us = max(self._t_us, since_start)
        return self._t_us

    def _write(self, fields: dict[str, object]) -> None:
        if not self._open:
            return
        try:
            self._stream.write(msgspec.json.encode(fields).decode("utf-8") + "\n")
            self._stream.flush()
        except OSError as error:
            raise TraceError(f"{self._name}: cannot be written: {error.strerror}") from error


def _opened(path: str | Path) -> TextIO:
    try:
        if database := database_of(path):
            raise TraceError(f"{path}: belongs to the database {database}; name another file")
        if Path(path).is_fifo():  # without a reader, it would block the game
            raise TraceError(f"{path}: is a pipe; name a file")
        return Path(path).open("w", encoding="utf-8", newline="\n", buffering=1)
    except OSError as error:
        raise TraceError(f"{path}: cannot be written: {error.strerror}") from error
