"""An arbiter's decision about a game, and how it is typed.

    12.Nf3              White's twelfth move was this; further moves replace the plies after it
    insert 12.Nf3 Nc6   these were played before the twelfth move, and not recorded
    drop 12...          Black's twelfth move and all after it were not played
    drop 12. to 13...   these plies were not played
    illegal 12.e1e3     this was played against the rules, and stands
    clocks 1:20:00 58:10   both clocks, White's first; ``-`` leaves one unchanged
    result 1-0 time     the game has ended so; ``result *``: it has not ended, and goes on

A number without dots is that of a ply, as of ``games show --ply``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from boardfw.errors import NotationError
from boardfw.game.clock import SECOND_US
from boardfw.notation.errors import quoted
from boardfw.notation.san import move_number
from boardfw.rules import Outcome, Position

REMEDY = (
    "write for example '12.Nf3', 'insert 12.Nf3 Nc6', 'drop 12...', 'illegal 12.e1e3' or "
    "'clocks 1:20:00 0:58:10'"
)
_PLACE = re.compile(r"(\d{1,4})(\.{1,3}|…)?(.*)", re.DOTALL)
_NUMBERED = re.compile(r"(\d{1,4})(\.{1,3}|…)(.*)")
_TIME = re.compile(r"(?:(\d{1,3}):)?(\d{1,3}):(\d\d)")
_UNCHANGED = "-"
_WINS = ("resignation", "time", "abandoned")
NO_RESULT = "*"
ENDS = {"1-0": _WINS, "0-1": _WINS, "1/2-1/2": ("agreement", "time", "abandoned")}
"""Results that an arbiter can decide, and how such a game has ended; all else the rules tell."""
_DATA = "[%"
"""In a PGN comment this begins data for programs."""


@dataclass(frozen=True, slots=True)
class Replaced:
    """These moves were played instead of ``plies`` plies from ply ``first`` on (1 = the first)."""

    first: int
    plies: int | None
    """None for all from there on."""
    moves: tuple[str, ...] = ()
    """In SAN or UCI."""
    is_lawful: bool = True
    """Whether all are legal; else some are not (``notation.unlawful``), and stand."""


@dataclass(frozen=True, slots=True)
class ClocksSet:
    """The clocks show these times, White's first; None leaves a clock unchanged."""

    left_us: tuple[int | None, int | None]


@dataclass(frozen=True, slots=True)
class ResultSet:
    """The game has ended like this."""

    outcome: Outcome | None
    """None: it has not ended."""


Decision: TypeAlias = Replaced | ClocksSet | ResultSet


def parse_ruling(start: Position, text: str) -> tuple[Decision, str, str]:
    """What, who and why of ``12.Nf3 by NAME: WHY``. Raises NotationError."""
    what, by, rest = text.partition(" by ")
    who, colon, why = rest.partition(":")
    if not (by and colon):
        raise NotationError(
            "who rules, and why? write for example '12.Nf3 by Ann Berg: both say so'"
        )
    return parse_decision(start, what), given("who", who), given("why", why)


def given(name: str, text: str) -> str:
    """Who or why, in one line. Raises NotationError if it is empty or PGN cannot hold it."""
    text = " ".join(text.split())
    if not text:
        raise NotationError(f"{name} is missing: a ruling is stored with who made it and why")
    if _DATA in text or "{" in text or "}" in text or not text.isprintable():
        raise NotationError(
            f"{name}: {quoted(text)} cannot be stored; leave out '{{', '}}' and '[%'"
        )
    return text


def parse_decision(start: Position, text: str) -> Decision:
    """The decision in a text, about a game from ``start``. Raises NotationError."""
    word, _, rest = text.strip().partition(" ")
    kind = word.lower()
    if kind == "clocks":
        return _clocks(rest)
    if kind == "result":
        return _result(rest)
    if kind == "drop":
        return _drop(start, rest)
    if kind in ("insert", "illegal"):
        return _moves(start, rest, kind)
    return _moves(start, text, "")


def _moves(start: Position, text: str, kind: str) -> Replaced:
    first, rest = _place(start, text)
    moves = tuple(_words(start, first, rest))
    if not moves:
        raise NotationError(f"{quoted(text)}: which move? {REMEDY}")
    plies = 0 if kind == "insert" else len(moves)
    return Replaced(first, plies, moves, kind != "illegal")


def _words(start: Position, first: int, text: str) -> Iterator[str]:
    """The moves of a text without their numbers. Raises NotationError if a number is wrong."""
    ply = first
    for word in text.split():
        found = _NUMBERED.fullmatch(word)
        if found is not None and _ply(start, found[1], found[2]) != ply:
            raise NotationError(f"{quoted(word)}: expected {move_number(start, ply)}")
        move = word if found is None else found[3]
        if move:
            yield move
            ply += 1


def _drop(start: Position, text: str) -> Replaced:
    from_, to, until = text.partition(" to ")
    first, rest = _place(start, from_)
    last, behind = _place(start, until) if to else (None, "")
    if rest.strip() or behind.strip():
        raise NotationError(
            f"{quoted(text)}: write for example 'drop 12...' or 'drop 12. to 13...'"
        )
    if last is not None and last < first:
        raise NotationError(f"{quoted(text)} ends before it begins; write the earlier ply first")
    return Replaced(first, None if last is None else last - first + 1)


def _place(start: Position, text: str) -> tuple[int, str]:
    """The ply that a text begins with, and the rest of it."""
    found = _PLACE.fullmatch(text.strip())
    if found is None:
        raise NotationError(f"{quoted(text)} is not a ruling; {REMEDY}")
    number, dots, rest = found.groups()
    if dots is None:
        return int(number), rest
    return _ply(start, number, dots), rest


def _ply(start: Position, number: str, dots: str) -> int:
    half = 2 * (int(number) - start.fullmove_number) + (dots != ".")
    return half - start.turn + 1


def _clocks(text: str) -> ClocksSet:
    words = text.split()
    if len(words) != 2 or words == [_UNCHANGED] * 2:
        raise NotationError(
            "write White's time and Black's time, for example 'clocks 1:20:00 58:10'"
        )
    white, black = map(_time, words)
    return ClocksSet((white, black))


def _result(text: str) -> ResultSet:
    result, _, how = text.strip().lower().partition(" ")
    if result == NO_RESULT and not how:
        return ResultSet(None)
    if how not in ENDS.get(result, ()):
        known = ", ".join(f"'result {one} {ways[0]}'" for one, ways in ENDS.items())
        raise NotationError(f"{quoted(text)} is not how a game ends; write {known} or 'result *'")
    return ResultSet(Outcome(result, how))


def _time(text: str) -> int | None:
    if text == _UNCHANGED:
        return None
    found = _TIME.fullmatch(text)
    if found is None or int(found[3]) > 59 or (found[1] and int(found[2]) > 59):
        raise NotationError(f"{quoted(text)} is not a time; write for example 1:20:00 or 58:10")
    hours, minutes, seconds = (int(part or 0) for part in found.groups())
    return ((hours * 60 + minutes) * 60 + seconds) * SECOND_US
