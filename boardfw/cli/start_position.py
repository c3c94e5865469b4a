"""``--from START`` and ``board.start``: the position from which the game of a run begins."""

from __future__ import annotations

import re
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from boardfw.errors import BoardError, ConfigError, NotationError
from boardfw.notation.fen import format_fen, parse_fen
from boardfw.rules import Position
from boardfw.rules.chess960 import start_position
from boardfw.rules.faults import Problem
from boardfw.rules.outcome import outcome
from boardfw.rules.setup import SetupError
from boardfw.shell.store.database import open_as_it_is
from boardfw.shell.store.game_store import Store, read_game, there_are, wall_ms

KINDS = "start, a FEN in quotes, 960:518 or game:7:30"
_NUMBERED = re.compile(r"(960|game):(\d{1,9})(?::(\d{1,9}))?")


@dataclass(frozen=True, slots=True)
class Beginning:
    """Where a game begins. With ``problems`` it cannot: then ``position`` is the usual start."""

    position: Position
    fen: str
    """The set-up, as a FEN."""
    problems: tuple[Problem, ...] = ()
    remarks: tuple[str, ...] = ()
    """A line of each thing that was read otherwise than it was written."""

    @classmethod
    def of(cls, position: Position) -> Beginning:
        """A game that can begin."""
        return cls(position, format_fen(position))


def beginning(text: str, record: Path | None, place: str = "--from") -> Beginning:
    """What START names. ``record``: the database of games; ``place``: the option or setting.

    Raises ConfigError.
    """
    try:
        return _beginning(text, record)
    except BoardError as error:
        raise ConfigError(f"{place}: {error}") from error


def _beginning(text: str, record: Path | None) -> Beginning:
    if text == "start":
        return Beginning.of(Position.start())
    if numbered := _NUMBERED.fullmatch(text):
        kind, number, ply = numbered.groups()
        if kind == "game":
            return _playable(text, _of_game(text, record, int(number), ply))
        if ply is None:
            return Beginning.of(start_position(int(number)))
    if "/" not in text:
        raise ConfigError(f"{text[:40]!r} is not a start; write {KINDS}")
    return _of_fen(text)


def goes_on(record: Path, start: Position) -> bool:
    """Whether the last game of a record was cut off, and began from here. Raises BoardError."""
    with closing(Store(record, wall_ms)) as store:
        last = store.last()
    return last is not None and not last.is_over and last.record.start == start


def _of_fen(text: str) -> Beginning:
    remarks: list[str] = []
    try:
        began = _playable(text, parse_fen(text, tell=remarks.append))
        return replace(began, remarks=tuple(remarks))
    except NotationError as error:
        if isinstance(error.__cause__, SetupError):
            return Beginning(Position.start(), text, error.__cause__.problems)
        raise


def _of_game(text: str, record: Path | None, number: int, ply: str | None) -> Position:
    if record is None or not record.exists():
        missing = "no games are kept" if record is None else f"there is no {record}"
        raise ConfigError(f"{text}: {missing}; name their database with --record")
    with closing(open_as_it_is(record)) as connection:
        try:
            positions = read_game(connection, record, number).record.positions()
        except BoardError as error:
            if not isinstance(error.__cause__, NotationError):
                raise
            what = f"{record} holds no game {number} that can be read"
            raise ConfigError(f"{what}; {there_are(connection)}") from error
    at = len(positions) - 1 if ply is None else int(ply)
    if at >= len(positions):
        last = len(positions) - 1
        raise ConfigError(f"{text}: game {number} has {last} plies; name one from 0 to {last}")
    return positions[at]


def _playable(text: str, position: Position) -> Beginning:
    """Raises ConfigError where nothing is left to be played."""
    if over := outcome(position):
        from boardfw.terminal.messages import result_in_words

        told = result_in_words(*over)
        raise ConfigError(f"{text}: the game is over here ({told}); name another position")
    return Beginning.of(position)
