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
from pathlib import Path
from typing import Any

from place import InstallError, Place, say, sync

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

    def saved(self) -> dict[str, Any]:
        """Return it as JSON can hold it."""
        return {"record": str(self.record), "looks": self.looks}

    @classmethod
    def of(cls, saved: dict[str, Any]) -> Copy:
        """Return the one that was saved."""
        looks = (None if look is None else tuple(look) for look in saved["looks"])
        return cls(Path(saved["record"]), tuple(looks))

    def put_back(self) -> None:
        """Let the record be as it was; if the new version changed it, that is kept, too.

        It can be done again after it was cut off.
        """
        is_back = self.looks[0] is not None and not _beside(self.record, COPY).exists()
        if not is_back and _looks(self.record) != self.looks:
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
            sync(self.record.parent)
            say(f"put back {self.record} as it was before")
        self.remove()

    def remove(self) -> None:
        """It is needed no more."""
        _remove(_beside(self.record, COPY))


def copied(place: Place) -> Copy | None:
    """A copy of the record of a stopped service; None: it keeps none. Raises InstallError."""
    record = _place(place)
    if record is None:
        return None
    copy = _beside(record, COPY)
    _remove(copy)
    try:
        if record.is_file():
            _copy(record, copy)
        return Copy(record, _looks(record))
    except (OSError, sqlite3.OperationalError) as error:
        _remove(copy)
        why = error.strerror if isinstance(error, OSError) else error
        raise InstallError(f"{record}: cannot be copied to {copy}: {why}") from error


def set_aside(place: Place) -> None:
    """Keep one copy that an earlier upgrade left behind: its new version may have run since."""
    record = _place(place)
    if record is not None and (copy := _beside(record, COPY)).exists():
        kept = _beside(copy, "-1")
        _remove(kept)
        _move(_beside(copy, PLIES), _beside(kept, PLIES))
        _move(copy, kept)
        say(f"kept {kept}: the record before an upgrade that was cut off")


def discard(place: Place) -> None:
    """Remove the copy of a record that no new version has opened."""
    record = _place(place)
    if record is not None:
        _remove(_beside(record, COPY))


def _remove(copy: Path) -> None:
    for file in (copy, _beside(copy, PLIES), _beside(copy, ".part")):
        file.unlink(missing_ok=True)


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
    with part.open("rb") as written:
        os.fsync(written.fileno())
    part.replace(copy)
    sync(copy.parent)


def _copy_pages(record: Path, part: Path) -> None:
    """Copy a database with the plies beside it. Raises sqlite3.DatabaseError if it is none."""
    if not record.stat().st_size:
        raise sqlite3.DatabaseError("cut to nothing, which SQLite takes for a new one")
    with closing(sqlite3.connect(record)) as old, closing(sqlite3.connect(part)) as new:
        old.backup(new)


def _as(was: os.stat_result, file: Path) -> None:
    os.chown(file, was.st_uid, was.st_gid)
    file.chmod(was.st_mode & 0o777)


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
