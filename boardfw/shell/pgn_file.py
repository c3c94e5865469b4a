"""The text of a session's games, and the thread that keeps their PGN file in step with them."""

from __future__ import annotations

import errno
import logging
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from boardfw.errors import BoardError, refused_by_disk, why
from boardfw.game.events import Action
from boardfw.game.record import Record
from boardfw.game.setup.planned_game import Unfinished
from boardfw.notation.pgn import format_game
from boardfw.shell.config import Settings
from boardfw.shell.dates import Dating
from boardfw.shell.desk import Desk, is_another_game
from boardfw.shell.files import identity, make_directory, write_whole
from boardfw.shell.outbox import Outbox, Words
from boardfw.shell.places import claimed

log = logging.getLogger(__name__)

UNKNOWN_DATE = "????.??.??"
SIDES = ("White", "Black")
"""The tags of the players in PGN."""


def players_of(settings: Settings) -> dict[str, str]:
    """Return how the settings call White and Black, as tags."""
    return dict(zip(SIDES, (settings.tags.white, settings.tags.black), strict=True))


def tags_of(settings: Settings, began: datetime | None) -> dict[str, str]:
    """The tags of a game that began then; None: the time is unknown."""
    tags = settings.tags
    return {
        "Event": tags.event,
        "Site": tags.site,
        "Date": UNKNOWN_DATE if began is None else f"{began.astimezone():%Y.%m.%d}",
        "Round": tags.round,
        "White": tags.white,
        "Black": tags.black,
        **_in_utc(began),
    }


def _in_utc(began: datetime | None) -> dict[str, str]:
    """The same instant for readers elsewhere (PGN standard, 9.5)."""
    if began is None:
        return {}
    utc = began.astimezone(UTC)
    return {"UTCDate": f"{utc:%Y.%m.%d}", "UTCTime": f"{utc:%H:%M:%S}"}


class Names:
    """The players' names, where they are typed at the board.

    It counts for the game that is being played or has just ended, and for those after it.
    """

    def __init__(self) -> None:
        self._said: list[tuple[Record, dict[str, str]]] = []
        self._given: dict[str, str] = {}
        """What a person said of the last of these games."""

    def say(self, record: Record, tags: Mapping[str, str], *, is_given: bool = True) -> None:
        """From this game on the players are called so; tags as in PGN.

        ``is_given``: a person gave these names, which no change of the opponent replaces.
        """
        called = self.of(record) | dict(tags)
        self._given = self.given(record) | (dict(tags) if is_given else {})
        if self._said and self._said[-1][0] is record:
            self._said.pop()  # however often it is said of a game, the last word is kept
        self._said.append((record, called))

    def of(self, record: Record) -> dict[str, str]:
        """What was said of the players of a game, as tags; empty: nothing."""
        said = [tags for since, tags in self._said if since.started_us <= record.started_us]
        return dict(said[-1]) if said else {}

    def given(self, record: Record) -> dict[str, str]:
        """Return the names that a person gave for this very game, and not for one before it."""
        is_newest = bool(self._said) and self._said[-1][0] is record
        return dict(self._given) if is_newest else {}

    @property
    def last(self) -> dict[str, str]:
        """What was said last."""
        return dict(self._said[-1][1]) if self._said else {}


class TagsNow(Mapping[str, str]):
    """The tags of a game that begins at the instant at which they are read."""

    def __init__(
        self,
        settings: Settings,
        now: Callable[[], datetime | None],
        names: Names | None = None,
    ) -> None:
        self._settings = settings
        self._names = names or Names()
        self._now = now
        self._tags = tags_of(settings, None)

    def __getitem__(self, name: str) -> str:
        return self._names.last.get(name) or self._tags[name]

    def __iter__(self) -> Iterator[str]:
        self._tags = tags_of(self._settings, self._now())  # reading begins here
        return iter(self._tags)

    def __len__(self) -> int:
        return len(self._tags)


class Pgn:
    """The games of a session as PGN text; a finished game is put into words once."""

    def __init__(
        self,
        settings: Settings,
        dating: Dating,
        unfinished: Unfinished | None = None,
        names: Names | None = None,
    ) -> None:
        """``unfinished``: the game that was taken up again; it has its tags already."""
        self._settings = settings
        self._dating = dating
        self._unfinished = unfinished
        self._names = names or Names()
        self._began: list[tuple[Record, datetime]] = []
        self._finished: list[tuple[Record, str]] = []

    def text(self, games: Sequence[Record]) -> str:
        """All games; one without a ply only where it is the only one."""
        return "".join(self.texts(games))

    def texts(self, games: Sequence[Record]) -> tuple[str, ...]:
        """The same, a game each: those that are over are put into words once."""
        while self._finished and not self._is_over(len(self._finished) - 1, games):
            self._finished.pop()  # a new game was begun, and taken back
        for record in games[len(self._finished) : -1]:
            self._finished.append((record, self.game(record)))
        last = games[-1]
        shown = last.moves or last.outcome or len(games) == 1
        over = (text for _, text in self._finished)
        return (*over, self.game(last)) if shown else tuple(over)

    def _is_over(self, number: int, games: Sequence[Record]) -> bool:
        """Whether a game that was put into words is still followed by another one."""
        return number < len(games) - 1 and games[number] is self._finished[number][0]

    def game(self, record: Record) -> str:
        """One of them."""
        return format_game(record.to_pgn(self.tags(record)))

    def players(self, record: Record) -> dict[str, str]:
        """Return how the players of one of them are called, as tags."""
        is_unfinished = self._unfinished is not None and record is self._unfinished.record
        own = self._unfinished.tags if self._unfinished is not None and is_unfinished else {}
        called = players_of(self._settings) | dict(own) | self._names.of(record)
        return {side: called[side] for side in SIDES}

    def tags(self, record: Record) -> dict[str, str]:
        """The tags of one of them."""
        if self._unfinished is not None and record is self._unfinished.record:
            return dict(self._unfinished.tags) | self._names.of(record)
        return tags_of(self._settings, self._began_at(record)) | self._names.of(record)

    def _began_at(self, record: Record) -> datetime | None:
        """When the first ply was: a board may be switched on for weeks before it.

        Asked for again until it is known, and never after that: clocks are set.
        """
        for dated, began in self._began:
            if dated is record:
                return began
        began_at = self._dating(record.times_us[0]) if record.moves else None
        if began_at is not None:
            self._began.append((record, began_at))
        return began_at


Naming = Callable[[], str]


@dataclass(frozen=True, slots=True)
class _Laid:
    """What a file holds, as we have left it."""

    file: tuple[int, int]
    """Its device and its number there: another one may have been put in its place."""
    texts: tuple[str, ...]
    before: int
    """Bytes of all texts but the last."""
    rest: bytes
    """The last one, and line feeds where there was more once."""


class PgnFile:
    """Writes the newest texts of the games; a disk that is slow or full never delays the game.

    ``path`` is the file; with ``naming`` it is the directory until there is something to write,
    and then a file in it with that name, or one like it that is free.

    Of a file that is there only what has changed is written, in one piece, so a ply late in the
    evening costs what the first one did. A power cut in that instant may garble the end of the
    game that is being played, and never an earlier one.
    """

    def __init__(self, path: Path, naming: Naming | None = None, *, goes_on: bool = False) -> None:
        """``goes_on``: the first game was begun in an earlier run, which may have a file."""
        self.path = path
        self._naming = naming
        self._may_have_file = goes_on
        self._before: tuple[str, ...] = ()
        """Texts of the file before that game; the earlier run wrote them."""
        self._laid: _Laid | None = None
        self._texts: tuple[str, ...] = ()
        """What the file should hold."""
        said = Words("record", "the game goes on")
        self._worker: Outbox[tuple[str, ...]] = Outbox(
            "record", self._write_newest, said, is_newest=True
        )
        self._worker.repeat_if(self._is_gone)

    @property
    def is_named(self) -> bool:
        """Whether ``path`` is the file."""
        return self._naming is None

    def start(self) -> None:
        """Begin to write."""
        self._worker.start()

    def put(self, texts: tuple[str, ...]) -> None:
        """Let these be the content of the file, a game each; returns at once."""
        self._worker.put(texts)

    def stop(self) -> None:
        """Write what is still to be written, then stop."""
        self._worker.stop()
        if self._laid and self._laid.rest != _last(self._laid.texts):
            with suppress(BoardError):
                self._write_whole(self._laid.texts)  # without the line feeds

    @property
    def unwritten(self) -> str | None:
        """After the stop: what could not be written; None if all of it was."""
        is_written = self._worker.is_kept and not self._worker.trouble
        return None if is_written else "".join(self._texts)

    def _write_newest(self, waiting: list[tuple[str, ...]]) -> None:
        """In the thread; without anything new the file is gone."""
        self._texts = waiting[-1] if waiting else self._texts
        self.write(self._texts)
        waiting.clear()

    def _is_gone(self) -> bool:
        """True if somebody has deleted or replaced the file; it is reported."""
        is_gone = self._laid is not None and identity(self.path) != self._laid.file
        if is_gone:
            log.warning("%s: was deleted or replaced; it is written again", self.path)
        return is_gone

    def write(self, texts: tuple[str, ...]) -> None:
        """Let these be the content of the file, now. Raises BoardError."""
        make_directory(self.path if self._naming is not None else self.path.parent)
        if self._naming is not None:
            found = _file_of(self.path, texts[0]) if self._may_have_file and texts else None
            if found:
                self.path, self._before = found
            else:
                self.path = claimed(self.path / f"{self._naming()}.pgn")
            self._naming = None
        texts = (*self._before, *texts)
        laid, self._laid = (
            self._laid,
            None,
        )  # after a failure the file is written whole
        if laid is None or not self._goes_on(laid, texts):
            self._write_whole(texts)
        else:
            self._write_end(laid, texts)

    def _goes_on(self, laid: _Laid, texts: tuple[str, ...]) -> bool:
        """Whether only the end of the file is another one."""
        over = laid.texts[:-1]
        is_longer = texts[: len(over)] == over and len(texts) > len(over)
        return is_longer and self._state() == (laid.file, laid.before + len(laid.rest))

    def _state(self) -> tuple[tuple[int, int], int] | None:
        try:
            status = self.path.stat()
        except OSError:
            return None
        return (status.st_dev, status.st_ino), status.st_size

    def _write_whole(self, texts: tuple[str, ...]) -> None:
        write_whole(self.path, texts)
        if state := self._state():
            before = sum(len(text.encode()) for text in texts[:-1])
            self._laid = _Laid(state[0], texts, before, _last(texts))

    def _write_end(self, laid: _Laid, texts: tuple[str, ...]) -> None:
        new = [text.encode() for text in texts[max(len(laid.texts) - 1, 0) :]]
        end = b"".join(new)
        differ = (n for n, (old, now) in enumerate(zip(laid.rest, end, strict=False)) if old != now)
        same = next(differ, min(len(laid.rest), len(end)))
        end = end.ljust(len(laid.rest), b"\n")  # nothing of an old text is left behind
        try:
            _overwrite(self.path, laid.before + same, laid.rest[same:], end[same:])
        except OSError as error:
            told = f"{self.path}: cannot be written: {why(error)}"
            raise refused_by_disk(told, error) from error
        over = sum(map(len, new[:-1]))
        self._laid = _Laid(laid.file, texts, laid.before + over, end[over:])


def _file_of(directory: Path, game: str) -> tuple[Path, tuple[str, ...]] | None:
    """Return the newest file if it ends with this game or its first plies, and the text before it.

    None if it does not: then the game needs a file of its own.
    """
    with suppress(OSError, ValueError):  # there is none, or it is not ours
        newest_file = max(directory.glob("*.pgn"), key=lambda file: file.stat().st_mtime_ns)
        text = newest_file.read_text("utf-8")
        at = text.rfind("[Event ")
        played = text[at:].rstrip().removesuffix("*").rstrip() if at >= 0 else ""
        if played and game.startswith(played) and game[len(played) :][:1].isspace():
            return newest_file, (text[:at],) if at else ()
    return None


def _last(texts: tuple[str, ...]) -> bytes:
    return texts[-1].encode() if texts else b""


def _overwrite(path: Path, at: int, old: bytes, new: bytes) -> None:
    """Put the one in place of the other, on the disk, in one piece. Raises OSError; then the old
    end is there again."""
    file = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        if os.pwrite(file, new, at) < len(new):  # it is full
            os.pwrite(file, old, at)
            os.ftruncate(file, at + len(old))
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        os.fsync(file)
    finally:
        os.close(file)


class PgnFollower:
    """A Follower that keeps a file in step with the games.

    A file that has no name yet gets none before the first ply: a board that is switched on daily
    would fill the directory with nothing.
    """

    def __init__(self, file: PgnFile, words: Pgn) -> None:
        self._file = file
        self._words = words
        self._desk: Desk | None = None
        self._texts: tuple[str, ...] | None = None

    def start(self, desk: Desk) -> None:
        """Begin to write."""
        self._desk = desk
        self._file.start()
        self._renew(desk)

    def take(self, said: list[Action]) -> None:
        """Write the games if they are others."""
        if self._desk is not None and is_another_game(said):
            self._renew(self._desk)

    def stop(self) -> None:
        """Write what is still to be written, then stop."""
        if self._desk is not None:
            self._renew(self._desk)
        self._file.stop()

    def _renew(self, desk: Desk) -> None:
        games = desk.session.games
        is_begun = self._texts is not None or any(game.moves or game.outcome for game in games)
        if not is_begun and not self._file.is_named:
            return
        texts = self._words.texts(games)
        if texts != self._texts:
            self._texts = texts
            self._file.put(texts)
