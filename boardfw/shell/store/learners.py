"""Learners in the file: their names and their answers."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, TypeAlias

from boardfw.learning.answer_log import Answered, Result
from boardfw.shell.store.damaged_file import rows

Row: TypeAlias = tuple[Any, ...]
"""Of the table of answers, or of that of profiles."""

GUEST = "guest"
"""The learner without a name; always there, and in no table."""

_EVERY_ROW = (
    "SELECT * FROM {} ORDER BY 1, 2",
    "SELECT * FROM {} ORDER BY 1 DESC, 2 DESC",
)
"""Each may break off where a page is damaged: so from both ends."""
_ANSWER = (str, int, str, str, int, int | None, int, int, str, int)
_PROFILE = (str, int | None)
"""What the columns hold."""
_RESULTS = frozenset(result.value for result in Result)
_ADD_PROFILE = f"INSERT INTO profiles VALUES ({', '.join('?' * len(_PROFILE))})"
_ADD_ANSWER = f"INSERT INTO answers VALUES ({', '.join('?' * len(_ANSWER))})"


def names(connection: sqlite3.Connection) -> list[str]:
    """The profiles that were made, in the order of the alphabet."""
    return [name for (name,) in connection.execute("SELECT name FROM profiles ORDER BY name")]


def add_name(connection: sqlite3.Connection, name: str, created_ms: int | None) -> None:
    """Make a profile."""
    connection.execute(_ADD_PROFILE, (name, created_ms))


def remove(connection: sqlite3.Connection, name: str) -> int:
    """Remove a profile with its answers; how many these were."""
    connection.execute("DELETE FROM profiles WHERE name = ?", (name,))
    return connection.execute("DELETE FROM answers WHERE profile = ?", (name,)).rowcount


def add_answer(connection: sqlite3.Connection, profile: str, answered: Answered) -> None:
    """Add a row to a profile; it is unsure where the one before it is of a later time."""
    query = """
        SELECT number + 1, asked_at_ms FROM answers WHERE profile = ? ORDER BY number DESC LIMIT 1
    """
    last = connection.execute(query, (profile,)).fetchone()
    number, last_ms = last or (0, answered.asked_at_ms)
    *plain, result, unsure = answered
    unsure = unsure or answered.asked_at_ms < last_ms
    connection.execute(_ADD_ANSWER, (profile, number, *plain, result.value, unsure))


def answers_of(connection: sqlite3.Connection, profile: str) -> list[Answered]:
    """All rows of a profile, in their order. Raises ValueError where one makes no sense."""
    query = "SELECT * FROM answers WHERE profile = ? ORDER BY number"
    return [_answered(row) for row in connection.execute(query, (profile,))]


def _answered(row: Row) -> Answered:
    *plain, result, unsure = row[2:]
    return Answered._make((*plain, Result(result), bool(unsure)))


def save_learners(damaged: sqlite3.Connection, content: bytes, new: sqlite3.Connection) -> int:
    """Put into a new file what a damaged one still tells of learners; how many answers.

    ``content``: the damaged file itself. Each row is whole without the others: any is saved.
    """
    on_pages = [_as_text(row) for row in rows(content)]
    profiles = {
        row[0]: row for row in (*on_pages, *_listed(damaged, "profiles")) if _fits(row, _PROFILE)
    }
    answers = {row[:2]: row for row in (*on_pages, *_listed(damaged, "answers")) if _is_answer(row)}
    for name, _ in answers:
        if name != GUEST:
            profiles.setdefault(name, (name, None))
    new.executemany(_ADD_PROFILE, profiles.values())
    new.executemany(_ADD_ANSWER, answers.values())
    return len(answers)


def _listed(damaged: sqlite3.Connection, table: str) -> Iterator[Row]:
    for query in _EVERY_ROW:
        with suppress(sqlite3.DatabaseError, UnicodeDecodeError):
            yield from damaged.execute(query.format(table))


def _as_text(row: Row) -> Row:
    """Of a page, where text is told as bytes."""
    return tuple(
        value.decode("utf-8", "replace") if isinstance(value, bytes) else value for value in row
    )


def _is_answer(row: Row) -> bool:
    return _fits(row, _ANSWER) and row[8] in _RESULTS


def _fits(row: Row, kinds: tuple[Any, ...]) -> bool:
    return len(row) == len(kinds) and all(map(isinstance, row, kinds))
