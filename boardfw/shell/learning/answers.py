"""Profiles and their answers in the database of games: rows that are only added."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path

from boardfw.errors import BoardError
from boardfw.learning.log import Answered
from boardfw.shell.store.database import open_database, told, transaction
from boardfw.shell.store.learners import (
    GUEST,
    add_answer,
    add_name,
    answers_of,
    names,
    remove,
)
from boardfw.shell.store.reading import open_as_it_is

LONGEST_NAME = 40


class Answers:
    """A file that is open. Any thread may call it, one at a time; everything raises BoardError.

    A profile is a name; large and small letters are the same. The guest is always there.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection | None = None) -> None:
        """Where no file is, one is made. ``connection``: to it, if it is open already."""
        self.path = path
        self._connection = connection or open_database(path)

    @classmethod
    def to_read(cls, path: Path) -> Answers:
        """A file that is there, also where nothing may be written."""
        _check(path)
        return cls(path, open_as_it_is(path))

    @classmethod
    def to_learn(cls, path: Path, profile: str) -> Answers:
        """For this profile; a file that is not there is made for the guest alone."""
        if not path.exists():
            _one_of([GUEST], profile, path)
        return cls(path)

    @classmethod
    def to_write(cls, path: Path) -> Answers:
        """A file that is there, for who changes something."""
        _check(path)
        return cls(path)

    def close(self) -> None:
        """Let go of the file. May be called twice."""
        self._connection.close()

    def add(self, profile: str, answered: Answered) -> None:
        """Add a row; when this returns it is on the disk."""
        with told(self.path), transaction(self._connection):
            add_answer(self._connection, self.profile(profile), answered)

    def rows(self, profile: str) -> list[Answered]:
        """All rows of a profile, in the order in which they were added."""
        name = self.profile(profile)
        try:
            with told(self.path):
                return answers_of(self._connection, name)
        except ValueError as error:
            raise BoardError(f"{self.path}: an answer of {name} cannot be read: {error}") from error

    def profiles(self) -> list[str]:
        """All names, the guest first."""
        with told(self.path):
            return [GUEST, *names(self._connection)]

    def profile(self, name: str) -> str:
        """The profile that is meant, as it is spelt."""
        return _one_of(self.profiles(), name, self.path)

    def add_profile(self, name: str, created_ms: int | None) -> str:
        """Make a profile; its name, as it is spelt. ``created_ms``: None: nobody knows."""
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
            return remove(self._connection, self.profile(name))


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
    if not path.exists():
        raise BoardError(
            f"{path}: nothing has been learnt there yet; begin, or name another file with --record"
        )


def _checked(name: str) -> str:
    name = " ".join(name.split())
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise BoardError(f"{name[:LONGEST_NAME]!r} is no name; write 1 to {LONGEST_NAME} letters")
    return name
