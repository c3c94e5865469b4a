"""The export thread: finished games go to their directory as soon as it is there.

Games that wait are files of a directory, so that a restart does not lose them.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from boardfw.errors import BoardError
from boardfw.game.events import Action
from boardfw.game.record import Record
from boardfw.shell.desk import Desk, is_another_game
from boardfw.shell.files import make_directory, write_whole
from boardfw.shell.outbox import Outbox, Words
from boardfw.shell.pgn_file import Pgn
from boardfw.shell.places import numbered

COUNT = "number"
"""The file that says how many games were numbered so far."""


class Waiting:
    """A directory of games, and another one to which they are to go. Raises BoardError where
    either cannot be written to."""

    def __init__(self, directory: Path, target: Path) -> None:
        self.directory = directory
        self.target = target
        self._gone: dict[str, Path] = {}
        """Where games of this run went, by their name here."""

    def next_number(self) -> int:
        """A number that no game has had."""
        make_directory(self.directory)
        number = max(self._count(), *map(_number_of, self.names()), 0) + 1
        write_whole(self.directory / COUNT, f"{number}\n")
        return number

    def _count(self) -> int:
        with suppress(OSError, ValueError):
            return int((self.directory / COUNT).read_text("utf-8"))
        return 0

    def put(self, name: str, text: str) -> None:
        """Let a game wait; when this returns it is on the disk."""
        make_directory(self.directory)
        write_whole(self.directory / name, text)

    def names(self) -> list[str]:
        """Which games wait, the oldest first."""
        try:
            return sorted(path.name for path in self.directory.glob("*.pgn"))
        except OSError:
            return []

    def export(self) -> int:
        """Copy all that wait, whole or not at all; how many there were.

        One that cannot be copied keeps no other one waiting; the first of them is raised.
        """
        count, failed = 0, None
        for name in self.names():
            try:
                self._export(name)
                count += 1
            except BoardError as error:
                failed = failed or error
        if failed is not None:
            raise failed
        return count

    def _export(self, name: str) -> None:
        here = self.directory / name
        try:
            text = here.read_text("utf-8")
            end = self._gone.get(name) or next(self._free(name, text))
            write_whole(end, text)
            self._gone[name] = end
            here.unlink()
        except (OSError, UnicodeError) as error:
            reason = getattr(error, "strerror", None) or error
            raise BoardError(f"{here}: cannot be exported: {reason}") from error

    def _free(self, name: str, text: str) -> Iterator[Path]:
        """Names in the target that are free, or hold this very game: it was cut off just then."""
        for path in numbered(self.target / name):
            if not path.exists() or path.read_text("utf-8", "replace") == text:
                yield path


def _number_of(name: str) -> int:
    """The number in a game's name: behind its date, or behind the word that there is none."""
    parts = name.removesuffix(".pgn").split("-")
    place = 1 if parts[0] == "undated" else 3
    number = parts[place] if len(parts) > place else ""
    return int(number) if number.isascii() and number.isdigit() else 0


LONGEST = 24
"""Signs of a player's name: a file's may have 255 bytes, and a sign up to four."""


def file_name(tags: Mapping[str, str], number: int) -> str:
    """Date, number and players, in signs that every file system takes."""
    date = tags.get("Date", "?").replace(".", "-")
    players = [_plain(tags.get(player, "?")) for player in ("White", "Black")]
    parts = ["undated" if "?" in date else _plain(date), f"{number:04d}"]
    known = [player or "unknown" for player in players] if any(players) else []
    return "-".join([*parts, *known]) + ".pgn"


def _plain(text: str) -> str:
    """Without what a stick, a share or another system may not take; nothing of who is unknown."""
    signs = (sign if sign.isalnum() or sign in "-_" else "_" for sign in text[:LONGEST])
    return "" if text == "?" else "".join(signs).strip("_-")


log = logging.getLogger(__name__)

PATIENCE_S = 5.0
"""How long a slow stick, or a share that hangs, is waited for at the end."""
RETRY_S = 10.0
"""A stick that was pulled is looked for so often, while a game waits for it."""


class _Game:
    """One game as it was when it was last looked at; it has a name once it is written."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.tags: dict[str, str] = {}
        self.text = ""
        self.name = ""


class Exporter:
    """A Follower. A game that ends is exported at once; one that ends otherwise, once more."""

    def __init__(self, waiting: Waiting, words: Pgn) -> None:
        self._waiting = waiting
        self._words = words
        self._desk: Desk | None = None
        self._games: list[_Game] = []
        meanwhile = f"games wait in {waiting.directory} until they can be exported"
        said = Words("export", meanwhile, "games that had to wait are exported")
        self._outbox: Outbox[_Game] = Outbox(
            "export", self._export, said, retry_s=RETRY_S, is_eager=True
        )

    def start(self, desk: Desk) -> None:
        """Export what still waits, and what comes."""
        self._desk = desk
        self._outbox.start()
        self._outbox.put()

    def take(self, said: list[Action]) -> None:
        """Look whether a game has ended."""
        if self._desk is None or not is_another_game(said):
            return
        games = self._desk.session.games
        for record in games[-2:]:
            if record.moves and (record.outcome is not None or record is not games[-1]):
                self._finish(record)

    def _finish(self, record: Record) -> None:
        game = next((one for one in self._games if one.record is record), None)
        if game is None:
            game = _Game(record)
            self._games.append(game)
        text = self._words.game(record)
        if text != game.text:
            game.text, game.tags = text, self._words.tags(record)
            self._outbox.put(game)

    def stop(self) -> None:
        """Export what can be, then stop; the rest waits for the next run."""
        if self._desk is not None and not self._outbox.stop(PATIENCE_S):
            log.error("export: %s does not answer; not waited for", self._waiting.target)

    def _export(self, new: list[_Game]) -> None:
        """In the thread: let these games wait on the disk, and copy all that do. Raises
        BoardError."""
        while new:
            game = new[0]
            game.name = game.name or file_name(game.tags, self._waiting.next_number())
            self._waiting.put(game.name, game.text)
            del new[0]
        if self._waiting.target.is_dir():
            self._waiting.export()
        elif self._waiting.names():
            raise BoardError(f"export: {self._waiting.target} is not there")
