"""Profiles and their answers in the database of games: rows that are only added.

A thread writes the answers, so a lesson does not wait for the disk; CSV and JSON read them.
"""

from __future__ import annotations

import csv
import io
import logging
import sqlite3
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from boardfw.errors import BoardError
from boardfw.learning.answer_log import Answered
from boardfw.shell.outbox import Outbox, Words
from boardfw.shell.store.damaged_file import read_log
from boardfw.shell.store.database import (
    open_as_it_is,
    open_database,
    remove_before,
    told,
    transaction,
)
from boardfw.shell.store.learners import (
    GUEST,
    add_answer,
    add_name,
    answers_of,
    damaged_answers,
    names,
    remove,
)

LONGEST_NAME = 40


class Answers:
    """A file that is open. Any thread may call it, one at a time; everything raises BoardError.

    A profile is a name; large and small letters are the same. The guest is always there.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection | None = None) -> None:
        """Where no file is, one is made. ``connection``: to it, if it is open already."""
        self.path = path
        self._connection = connection or open_database(path)
        self._is_damage_told = False

    @classmethod
    def to_read(cls, path: Path) -> Answers:
        """A file that is there, also where nothing may be written."""
        _check(path)
        return cls(path, open_as_it_is(path))

    @classmethod
    def to_write(cls, path: Path, profile: str | None = None) -> Answers:
        """A file that is there. For the ``profile`` of the guest one that is not there is made."""
        if profile is None or path.exists():
            _check(path)
        else:
            _one_of([GUEST], profile, path)
        return cls(path)

    def close(self) -> None:
        """Let go of the file. May be called twice."""
        self._connection.close()

    def add(self, profile: str, answered: Answered) -> None:
        """Add a row; when this returns it is on the disk."""
        with told(self.path), transaction(self._connection):
            add_answer(self._connection, self.profile(profile), answered)

    def rows(self, profile: str) -> list[Answered]:
        """All rows of a profile, in the order in which they were added.

        Those that are damaged, of any profile, are left out, and told once.
        """
        name = self.profile(profile)
        with told(self.path):
            damaged = damaged_answers(self._connection)
            rows = answers_of(self._connection, name)
        if damaged and not self._is_damage_told:
            self._is_damage_told = True
            log.warning(_DAMAGED, self.path, damaged, "" if damaged == 1 else "s")
        return rows

    def profiles(self) -> list[str]:
        """All names, the guest first."""
        with told(self.path):
            return [GUEST, *names(self._connection)]

    def profile(self, name: str) -> str:
        """The profile that is meant, as it is spelt."""
        return _one_of(self.profiles(), name, self.path)

    def add_profile(self, name: str, created_ms: int | None) -> str:
        """Make a profile; its name, as it is spelt. ``created_ms`` None: unknown."""
        name = _checked(name)
        with told(self.path), transaction(self._connection):
            for one in self.profiles():
                if one.casefold() == name.casefold():
                    raise BoardError(f"{self.path}: there is a profile {one} already")
            add_name(self._connection, name, created_ms)
        return name

    def delete_profile(self, name: str) -> int:
        """Remove a profile and all its answers for good; how many these were."""
        with told(self.path), transaction(self._connection):
            answers = remove(self._connection, self.profile(name))
        remove_before(self.path)
        return answers


def _one_of(names: Sequence[str], name: str, path: Path) -> str:
    """The profile that is meant. Raises BoardError."""
    for one in names:
        if one.casefold() == name.strip().casefold():
            return one
    raise BoardError(
        f"{path}: there is no profile {name!r}; there are {', '.join(names)}; 'boardfw learn "
        "profiles add NAME' makes one"
    )


def _check(path: Path) -> None:
    """Raises BoardError for a file that is not there, or was emptied: there is no record without
    a byte."""
    if not path.exists():
        raise BoardError(
            f"{path}: nothing has been learnt there yet; begin, or name another file with --record"
        )
    if path.is_file() and not path.stat().st_size and not read_log(path):
        raise BoardError(
            f"{path}: is empty, and whatever was kept there is gone; put a backup in its place, "
            "or remove it to begin anew"
        )


def _checked(name: str) -> str:
    name = " ".join(name.split())
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise BoardError(f"{name[:LONGEST_NAME]!r} is no name; write 1 to {LONGEST_NAME} letters")
    return name


log = logging.getLogger(__name__)

_DAMAGED = "%s: %d damaged answer%s left out; 'boardfw games rescue' puts the damaged file aside"


class AnswerWriter(Outbox[Answered]):
    """Owns ``answers`` until it is stopped; rows are kept in the order in which they are put."""

    def __init__(self, answers: Answers, profile: str, *, retry_s: float | None = None) -> None:
        words = Words(
            str(answers.path),
            "lessons go on, and answers wait in memory",
            "the answers that had to wait are written now",
        )
        super().__init__("answers", self._write, words, retry_s=retry_s)
        self._answers = answers
        self._profile = profile
        self._is_open = True
        self.start()

    def stop(self, patience_s: float | None = None) -> bool:
        """Keep what is left, and let go of the file; what the disk will not have is said.

        May be called twice.
        """
        has_ended = super().stop(patience_s)
        if self.left and self._is_open:
            text = "%s: the last %d answers could not be written"
            log.error(text, self._answers.path, len(self.left))
        self._is_open = False
        self._answers.close()
        return has_ended

    def _write(self, waiting: list[Answered]) -> None:
        while waiting:
            self._answers.add(self._profile, waiting[0])
            del waiting[0]


COLUMNS = (*Answered._fields[:2], "asked_at", *Answered._fields[3:])
"""As in the log; instants in ISO 8601, as the machine's clock showed them."""


def values_of(log: Iterable[Answered]) -> list[dict[str, Any]]:
    """An object a row."""
    return [dict(zip(COLUMNS, _values(answered), strict=True)) for answered in log]


def _values(answered: Answered) -> tuple[Any, ...]:
    exercise, variant, asked_at_ms, *plain, result, unsure = answered
    return exercise, variant, _instant(asked_at_ms), *plain, result.value, unsure


def csv_of(log: Iterable[Answered]) -> str:
    """A line a row, below the names of the columns."""
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows({**row, "unsure": int(row["unsure"])} for row in values_of(log))
    return text.getvalue()


def _instant(at_ms: int) -> str:
    """To the second."""
    try:
        return f"{datetime.fromtimestamp(at_ms // 1000, UTC):%Y-%m-%dT%H:%M:%SZ}"
    except (OverflowError, ValueError, OSError):  # a clock that is badly wrong
        return ""
