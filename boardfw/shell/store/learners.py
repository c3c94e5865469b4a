"""Learners in the file: their names and their answers."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, TypeAlias

from boardfw.learning.answer_log import Answered, Result
from boardfw.shell.files import UNREADABLE
from boardfw.shell.store.damaged_file import DAMAGE, rows

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
"""What the columns hold; behind those of an answer stands its sum."""
_RESULTS = frozenset(result.value for result in Result)
_ADD_PROFILE = f"INSERT INTO profiles VALUES ({', '.join('?' * len(_PROFILE))})"
_ADD_ANSWER = f"INSERT INTO answers VALUES ({', '.join('?' * (len(_ANSWER) + 1))})"


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
    is_unsure = int(unsure or answered.asked_at_ms < last_ms)
    connection.execute(_ADD_ANSWER, _summed((profile, number, *plain, result.value, is_unsure)))


def answers_of(connection: sqlite3.Connection, profile: str) -> list[Answered]:
    """The rows of a profile that are as they were written, in their order."""
    rows = _every_answer(connection)
    return [_answered(row) for row in rows if row[0] == profile and _is_answer(row)]


def damaged_answers(connection: sqlite3.Connection) -> int:
    """How many rows, of whichever profile, are not as they were written."""
    return sum(not _is_answer(row) for row in _every_answer(connection))


def _every_answer(connection: sqlite3.Connection) -> list[Row]:
    """All rows; what is no text any more is read as far as it is."""
    usual, connection.text_factory = connection.text_factory, _as_far_as_it_is_text
    try:
        return connection.execute("SELECT * FROM answers ORDER BY profile, number").fetchall()
    finally:
        connection.text_factory = usual


def _as_far_as_it_is_text(content: bytes) -> str:
    return content.decode("utf-8", "replace")


def _answered(row: Row) -> Answered:
    *plain, result, unsure = row[2 : len(_ANSWER)]
    return Answered._make((*plain, Result(result), bool(unsure)))


# Like an entry of a game, an answer has a sum over itself and its place. Those of files before
# version 6 have none.


def _summed(row: Row) -> Row:
    """An answer as it stands in the file; one of an old file has no sum yet."""
    told = row[: len(_ANSWER)]
    return *told, zlib.crc32(json.dumps(told).encode())


def _is_answer(row: Row) -> bool:
    """Whether a row is an answer as it was written."""
    told, behind = row[: len(_ANSWER)], row[len(_ANSWER) :]
    if not _fits(told, _ANSWER) or told[8] not in _RESULTS:
        return False
    if behind in ((), (None,)):
        return _is_likely(told)
    return behind == _summed(row)[len(_ANSWER) :]


def _is_likely(told: Row) -> bool:
    """Whether an answer without a sum shows no damage; not all damage shows."""
    texts = [value for value in told if isinstance(value, str)]
    numbers = [value for value in told if isinstance(value, int)]
    return UNREADABLE not in "".join(texts) and min(numbers) >= 0 and told[-1] in (0, 1)


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
    new.executemany(_ADD_ANSWER, map(_summed, answers.values()))
    return len(answers)


def _listed(damaged: sqlite3.Connection, table: str) -> Iterator[Row]:
    for query in _EVERY_ROW:
        with suppress(*DAMAGE):
            yield from damaged.execute(query.format(table))


def _as_text(row: Row) -> Row:
    """Of a page, where text is told as bytes."""
    return tuple(
        _as_far_as_it_is_text(value) if isinstance(value, bytes) else value for value in row
    )


def _fits(row: Row, kinds: tuple[Any, ...]) -> bool:
    return len(row) == len(kinds) and all(map(isinstance, row, kinds))
