"""Which games are meant: what a person asks for, as conditions on the cards."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from unicodedata import combining, normalize

from boardfw.errors import BoardError, NotationError
from boardfw.notation.errors import quoted
from boardfw.notation.fen import parse_fen
from boardfw.notation.game_text import parse_either, words
from boardfw.notation.result import RESULTS, parse_result
from boardfw.rules import Position
from boardfw.shell.collection.game_summary import KEY_BYTES, key_of

_DAY = re.compile(r"\d{4}(?:[-.](?:0[1-9]|1[0-2])(?:[-.](?:0[1-9]|[12]\d|3[01]))?)?")
_FIRST, _LAST = "0000-00-00", "9999-99-99"
"""Before and behind every day. What of a date is not known may be any day of these."""

_OPENINGS = """
WITH spelt AS MATERIALIZED (SELECT DISTINCT opening FROM cards)
SELECT opening FROM spelt WHERE instr(fold(opening), ?)
"""
"""Many games have the same opening, so Python folds each spelling once; not materialized, it would
be asked for each game. Names are too many for that: there it takes longer."""


def first_of(date: str) -> str:
    """The first day that a date may mean of which only the year or the month is known."""
    return date + _FIRST[len(date) :]


def last_of(date: str) -> str:
    """The last one."""
    return date + _LAST[len(date) :]


def folded(text: str) -> str:
    """As it is searched: Grunfeld and GRÜNFELD find Grünfeld."""
    if not text.isascii():
        text = "".join(c for c in normalize("NFKD", text) if not combining(c))
    return text.casefold()


@dataclass(frozen=True, slots=True)
class Filters:
    """What holds for all games that are meant; without anything: all games."""

    numbers: tuple[int, ...] = ()
    """These games and no others; none: whatever their numbers are."""
    player: str | None = None
    """Part of either name, folded."""
    dates: tuple[str, str] | None = None
    """First and last day; a date of which a part is unknown must lie between as a whole."""
    result: str | None = None
    key: bytes | None = None
    """Of a position that stood in the game."""
    beginning: bytes | None = None
    """Keys of the positions with which it began."""
    opening: str | None = None
    """Part of how the opening is called, folded."""

    @classmethod
    def parse(  # each is an option of its own
        cls,
        *,
        player: str | None = None,
        date: str | None = None,
        result: str | None = None,
        position: str | None = None,
        moves: str | None = None,
        opening: str | None = None,
    ) -> Filters:
        """What the options ask for. Raises BoardError: which option, and how to mend it."""
        return cls(
            (),
            player and folded(player),
            _given("--date", date, _dates),
            _given("--result", result, _result),
            _given("--position", position, lambda fen: key_of(parse_fen(fen))),
            _given("--moves", moves, _beginning),
            opening and folded(opening),
        )

    def conditions(self) -> Iterator[tuple[str, Sequence[Any]]]:
        """Conditions in SQL on ``cards``, each with its parameters; ``fold`` is ``folded``."""
        if self.numbers:
            yield "game IN (SELECT value FROM json_each(?))", [str(list(self.numbers))]
        if self.player:
            yield "(instr(fold(white), ?) OR instr(fold(black), ?))", [self.player] * 2
        if self.dates:
            low, high = self.dates
            yield f"date || substr('{_FIRST}', length(date) + 1) >= ?", [low]
            yield f"date || substr('{_LAST}', length(date) + 1) <= ?", [high]
        if self.result:
            yield "result = ?", [self.result]
        if self.opening:
            yield f"opening IN ({_OPENINGS})", [self.opening]
        if self.beginning:
            began = f"SELECT game FROM keys WHERE substr(keys, 1, {len(self.beginning)}) = ?"
            yield f"game IN ({began})", [self.beginning]
        if self.key:
            stood = f"SELECT game FROM keys WHERE instr(keys, ?) % {KEY_BYTES} = 1"
            yield f"game IN ({stood})", [self.key]


def _given(option: str, text: str | None, parse: Callable[[str], Any]) -> Any:
    if text is None:
        return None
    try:
        return parse(text)
    except NotationError as error:
        raise BoardError(f"{option}: {error}") from error


def _result(text: str) -> str:
    result = parse_result(text)
    if result is None:
        raise NotationError(f"{quoted(text)} is no result; write one of {' '.join(RESULTS)}")
    return result


def _dates(text: str) -> tuple[str, str]:
    low, dots, high = (part.strip() for part in text.partition(".."))
    if not dots:
        high = low
    if not (low or high) or not all(_DAY.fullmatch(day) for day in (low, high) if day):
        raise NotationError(
            f"{quoted(text)} is no date; write 2026, 2026-11, 2026-11-05, or FROM..TO of these"
        )
    low, high = first_of(low.replace(".", "-")), last_of(high.replace(".", "-"))
    if low > high:
        raise NotationError(f"{quoted(text)} ends before it begins; write the earlier one first")
    return low, high


def _beginning(text: str) -> bytes:
    position = Position.start()
    keys = [key_of(position)]
    for word in words(text):
        position = position.play_unchecked(parse_either(position, word))
        keys.append(key_of(position))
    if len(keys) == 1:
        raise NotationError(f"{quoted(text)} has no moves; write for example 'e4 c5 Nf3'")
    return b"".join(keys)
