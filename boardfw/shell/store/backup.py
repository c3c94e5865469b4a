"""A copy of the record while it is played into: whole and checked, or not there at all."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from boardfw.errors import BoardError
from boardfw.shell.files import place_for
from boardfw.shell.store.database import copy_into, new_file, told
from boardfw.shell.store.record_check import damaged_games
from boardfw.shell.store.record_lock import Mark, left_word


class Copy(NamedTuple):
    """What is in a backup."""

    games: int
    size: int
    """Bytes."""
    troubles: tuple[str, ...]
    """What the record lacks, or what is damaged in it: so it is in the copy."""


def back_up(record: Path, copy: Path, *, replace: bool = False) -> Copy:
    """Copy a record, as it is at one instant. A game that is played meanwhile is not disturbed.

    Raises BoardError; then no copy is there, and one that was there is as it was.
    """
    _check(record, copy, replace=replace)
    mark = left_word(record)  # before the copy: play goes on meanwhile
    with new_file(place_for(copy)) as part:
        copy_into(part, record, copy)
        return _examine(part, record, mark)


def _check(record: Path, copy: Path, *, replace: bool) -> None:
    if not record.is_file():
        raise BoardError(f"{record}: there is no record to back up; name it with --record")
    if copy.exists() and copy.samefile(record):
        raise BoardError(f"{copy}: is the record itself; name another file")
    if copy.exists() and not replace:
        raise BoardError(f"{copy}: is there already; name another file, or replace it with --force")


def _examine(part: Path, record: Path, mark: Mark | None) -> Copy:
    with told(part), closing(sqlite3.connect(part)) as copied:
        verdict = copied.execute("PRAGMA integrity_check(1)").fetchone()[0]
        games = copied.execute("SELECT count(*) FROM games").fetchone()[0]
        troubles = tuple(_troubles(copied, record, mark))
    if verdict != "ok":
        told_of = " ".join(verdict.split())
        raise BoardError(
            f"{record}: is damaged and not backed up; go back to an older backup ({told_of})"
        )
    return Copy(games, part.stat().st_size, troubles)


def _troubles(copied: sqlite3.Connection, record: Path, mark: Mark | None) -> Iterator[str]:
    if mark and not mark.is_reached(copied):
        yield mark.lacking(record)
    for game in sorted(damaged_games(copied, record)):
        yield f"{record}: game {game} is damaged, and so it is in the copy"
