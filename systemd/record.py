"""The service's database of games, copied before another program opens it, and put back.

Of what stands in it nothing is known here: whatever a new version makes of it, the old one gets
back what it wrote. docs/record.md is for the owner.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tomllib
from contextlib import closing
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from place import InstallError, Place, say

CONFIG = "/etc/boardfw/boardfw.toml"
GAMES = "/var/lib/boardfw"
"""Where relative names of the settings begin."""
USUAL = "games/boardfw.db"
PLIES, INDEX = "-wal", "-shm"
"""Files that SQLite keeps beside a database: its last plies, and what can be made again."""
COPY, FAILED = ".before-upgrade", ".failed-upgrade"
"""What is added to its name for the copy, and for what a version left that did not start."""


@dataclass(frozen=True)
class Copy:
    """A record as it was before an upgrade, beside it."""

    record: Path
    looks: tuple[tuple[int, ...] | None, ...]

    def put_back(self) -> None:
        """Let the record be as it was; if the new version changed it, that is kept, too."""
        if _looks(self.record) != self.looks:
            failed = _beside(self.record, FAILED)
            for file in (failed, _beside(failed, PLIES)):
                file.unlink(missing_ok=True)
            # Its plies first: beside another database they would damage it. The database has its
            # name at every moment, so that no new one is begun.
            _beside(self.record, INDEX).unlink(missing_ok=True)
            _move(_beside(self.record, PLIES), _beside(failed, PLIES))
            if self.record.exists():
                os.link(self.record, failed)
                say(f"kept {failed}: the record as the new version left it")
            copy = _beside(self.record, COPY)
            _move(_beside(copy, PLIES), _beside(self.record, PLIES))
            if self.looks[0] is None:
                self.record.unlink(missing_ok=True)
            _move(copy, self.record)
            say(f"put back {self.record} as it was before")
        self.remove()

    def remove(self) -> None:
        """It is needed no more."""
        copy = _beside(self.record, COPY)
        for file in (copy, _beside(copy, PLIES)):
            file.unlink(missing_ok=True)


def copied(place: Place) -> Copy | None:
    """A copy of the record of a stopped service; None: it keeps none. Raises InstallError."""
    record = _place(place)
    if record is None:
        return None
    copy = _beside(record, COPY)
    try:
        _set_aside(copy)
        if record.is_file():
            _copy(record, copy)
        return Copy(record, _looks(record))
    except (OSError, sqlite3.OperationalError) as error:
        for file in (copy, _beside(copy, PLIES)):
            file.unlink(missing_ok=True)
        why = error.strerror if isinstance(error, OSError) else error
        raise InstallError(f"{record}: cannot be copied to {copy}: {why}") from error


def _place(place: Place) -> Path | None:
    text = place.text(CONFIG)
    try:
        settings = tomllib.loads(text or "")
    except tomllib.TOMLDecodeError:
        settings = {}  # the service will say so
    table = settings.get("record")
    name = table.get("database", USUAL) if isinstance(table, dict) else USUAL
    if not name or not isinstance(name, str):
        return None
    return place.at(str(Path(GAMES, name))).resolve()


def _copy(record: Path, copy: Path) -> None:
    """All of the copy or none of it, for those to read who may read the record."""
    was = record.stat()
    part = _beside(copy, ".part")
    part.unlink(missing_ok=True)
    os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    try:
        _copy_pages(record, part)
    except sqlite3.OperationalError:  # no room, or a card that cannot be read
        part.unlink()
        raise
    except sqlite3.DatabaseError:  # it is damaged, and stays what it is
        shutil.copyfile(record, part)
        plies = _beside(record, PLIES)
        if plies.exists():
            shutil.copyfile(plies, _beside(copy, PLIES))
            _as(was, _beside(copy, PLIES))
    _as(was, part)
    part.replace(copy)


def _copy_pages(record: Path, part: Path) -> None:
    """Copy a database with the plies beside it. Raises sqlite3.DatabaseError if it is none."""
    if not record.stat().st_size:
        raise sqlite3.DatabaseError("cut to nothing, which SQLite takes for a new one")
    with closing(sqlite3.connect(record)) as old, closing(sqlite3.connect(part)) as new:
        old.backup(new)


def _as(was: os.stat_result, file: Path) -> None:
    os.chown(file, was.st_uid, was.st_gid)
    file.chmod(was.st_mode & 0o777)


def _set_aside(copy: Path) -> None:
    """A copy that is there is of an upgrade that was cut off: it may be incomplete."""
    if copy.exists():
        names = (_beside(copy, f"-{number}") for number in count(1))
        kept = next(name for name in names if not name.exists())
        _move(copy, kept)
        _move(_beside(copy, PLIES), _beside(kept, PLIES))
        say(f"kept {kept}: the record before an upgrade that was cut off")


def _looks(record: Path) -> tuple[tuple[int, ...] | None, ...]:
    """What differs once it has been written to."""
    return tuple(_look(file) for file in (record, _beside(record, PLIES)))


def _look(file: Path) -> tuple[int, ...] | None:
    if not file.exists():
        return None
    seen = file.stat()
    # An empty list of plies is what reading leaves, too.
    is_nothing = file.name.endswith(PLIES) and not seen.st_size
    return None if is_nothing else (seen.st_ino, seen.st_size, seen.st_mtime_ns)


def _move(file: Path, to: Path) -> None:
    if file.exists():
        file.replace(to)


def _beside(file: Path, ending: str) -> Path:
    return file.with_name(f"{file.name}{ending}")
