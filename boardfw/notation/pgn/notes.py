"""Data in comments, such as ``[%clk 0:05:00]``, read and written in place.

The text of the comment is the only copy: data are parsed only when they are read, and the rest of
the comment stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar, overload

from boardfw.squares import BY_NAME, NAMES, Square

T = TypeVar("T")

COMMAND = re.compile(r"\[%(?P<name>[^\s\[\]]+)\s*(?P<value>[^\[\]]*)\]")
"""A command of any kind; unknown ones are plain text here."""

_TIME = re.compile(
    r"(?:(?:(?P<hours>[0-9]{1,9}):)?(?P<minutes>[0-9]{1,4}):)?(?P<seconds>[0-9]{1,6})(?:\.(?P<part>[0-9]{1,9}))?"
)
_EVALUATION = re.compile(
    r"(?:#(?P<mate>[+-]?[0-9]{1,9})|(?P<pawns>[+-]?(?:[0-9]{1,9}(?:\.[0-9]{0,4})?|\.[0-9]{1,4})))"
    r"(?:,(?P<depth>[0-9]{1,9}))?"
)
_CENTIPAWNS = 100


@dataclass(frozen=True, slots=True)
class Evaluation:
    """An engine's evaluation from White's side: centipawns, or the number of moves to mate."""

    centipawns: int | None = None
    mate: int | None = None
    """Negative: Black mates."""
    depth: int | None = None
    """Plies searched; None: unknown."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A coloured square. ``color`` is a letter: G green, R red, Y yellow, B blue."""

    color: str
    square: Square


@dataclass(frozen=True, slots=True)
class Arrow:
    """A coloured arrow; ``color`` as in Mark."""

    color: str
    origin: Square
    target: Square


class Commented(Protocol):
    """Anything with comments."""

    comments: tuple[str, ...]


class Note(Generic[T]):
    """An attribute that is the value of a command in the comments.

    None if no comment has it in a readable form. Assigning replaces it in place, or puts it in
    front of the first comment; assigning None, or an empty value, removes it. Assigning a value
    that could not be read back raises ValueError.
    """

    def __init__(
        self, command: str, parse: Callable[[str], T | None], write: Callable[[T], str]
    ) -> None:
        self._command = command
        self._parse = parse
        self._write = write

    @overload
    def __get__(self, spot: None, owner: type) -> Note[T]: ...
    @overload
    def __get__(self, spot: Commented, owner: type) -> T | None: ...
    def __get__(self, spot: Commented | None, owner: type) -> T | Note[T] | None:
        if spot is None:
            return self
        for comment in spot.comments:
            for command in COMMAND.finditer(comment):
                if command["name"] == self._command:
                    return self._parse(command["value"].strip())
        return None

    def __set__(self, spot: Commented, value: T | None) -> None:
        text = ""
        if value is not None and (written := self._write(value)):
            again = self._parse(written)
            if again is None or self._write(again) != written:
                raise ValueError(f"{value!r} cannot be read back from [%{self._command} {written}]")
            text = f"[%{self._command} {written}]"
        spot.comments = _with(spot.comments, self._command, text)


def prose(comment: str) -> str:
    """The text of a comment without any command."""
    return " ".join(COMMAND.sub(" ", comment).split())


def _with(comments: tuple[str, ...], name: str, text: str) -> tuple[str, ...]:
    """The comments with this text in place of the command; an empty text removes it."""
    for number, comment in enumerate(comments):
        for command in COMMAND.finditer(comment):
            if command["name"] == name:
                # Without the command, the words around it stay apart.
                changed = comment[: command.start()] + (text or " ") + comment[command.end() :]
                changed = " ".join(changed.split())
                return (*comments[:number], *filter(None, [changed]), *comments[number + 1 :])
    if not text:
        return comments
    return (" ".join([text, *comments[:1]]), *comments[1:])


def parse_time(text: str) -> int | None:
    """Milliseconds of ``1:05:23``, ``5:23`` or ``23.5``; None if the text is no time."""
    found = _TIME.fullmatch(text)
    if found is None:
        return None
    hours, minutes = int(found["hours"] or 0), int(found["minutes"] or 0)
    seconds = (60 * hours + minutes) * 60 + int(found["seconds"])
    return 1000 * seconds + int((found["part"] or "").ljust(3, "0")[:3])


def format_time(time_ms: int) -> str:
    """``1:05:23``, or ``1:05:23.5`` where the seconds are not whole. Raises ValueError below 0."""
    if time_ms < 0:
        raise ValueError(f"{time_ms} ms: PGN has no time below 0")
    minutes, rest_ms = divmod(time_ms, 60_000)
    seconds, part = divmod(rest_ms, 1000)
    whole = f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"
    return f"{whole}.{part:03}".rstrip("0") if part else whole


def parse_evaluation(text: str) -> Evaluation | None:
    """The evaluation of ``0.25``, ``#-3`` or ``-1.5,20``; None if the text is not one."""
    found = _EVALUATION.fullmatch(text.replace(" ", ""))
    if found is None:
        return None
    depth = int(found["depth"]) if found["depth"] else None
    if found["mate"]:
        return Evaluation(mate=int(found["mate"]), depth=depth)
    return Evaluation(round(float(found["pawns"]) * _CENTIPAWNS), depth=depth)


def format_evaluation(evaluation: Evaluation) -> str:
    """``0.25``, ``#-3``, ``-1.50,20``. Raises ValueError for an empty one."""
    depth = "" if evaluation.depth is None else f",{evaluation.depth}"
    if evaluation.mate is not None:
        return f"#{evaluation.mate}{depth}"
    if evaluation.centipawns is None:
        raise ValueError("an evaluation needs centipawns or a mate")
    return f"{evaluation.centipawns / _CENTIPAWNS:.2f}{depth}"


def parse_marks(text: str) -> tuple[Mark, ...] | None:
    """The coloured squares of ``Ge4,Rd5``; None if any of them cannot be read."""
    found = _coloured(text, 1)
    return None if found is None else tuple(Mark(color, *squares) for color, squares in found)


def format_marks(marks: tuple[Mark, ...]) -> str:
    """``Ge4,Rd5``."""
    return ",".join(mark.color + NAMES[mark.square] for mark in marks)


def parse_arrows(text: str) -> tuple[Arrow, ...] | None:
    """The arrows of ``Ge2e4,Rd1h5``; None if any of them cannot be read."""
    found = _coloured(text, 2)
    return None if found is None else tuple(Arrow(color, *squares) for color, squares in found)


def format_arrows(arrows: tuple[Arrow, ...]) -> str:
    """``Ge2e4,Rd1h5``."""
    return ",".join(arrow.color + NAMES[arrow.origin] + NAMES[arrow.target] for arrow in arrows)


def _coloured(text: str, count: int) -> list[tuple[str, list[Square]]] | None:
    """The colour and the squares, ``count`` of them, of each item; None: one cannot be read."""
    found = []
    for item in map(str.strip, text.split(",")):
        names = [item[at : at + 2] for at in range(1, len(item), 2)]
        is_read = len(names) == count and all(name in BY_NAME for name in names)
        if not is_read or not item[0].isalpha():
            return None
        found.append((item[0], [BY_NAME[name] for name in names]))
    return found
