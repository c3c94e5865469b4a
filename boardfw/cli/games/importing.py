"""``boardfw games import``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import click

from boardfw.cli.games.place import LONG_WORK, bring_up_to_date, place_of
from boardfw.cli.journal import complain
from boardfw.cli.progress import progress
from boardfw.errors import BoardError
from boardfw.given import open_given
from boardfw.notation.pgn import Encoding, Fault, encoding_of
from boardfw.shell.collection.collection import Collection
from boardfw.shell.collection.importing import Importer, Tally
from boardfw.shell.store.store import wall_ms

LEFT_OUT = 1
"""Exit status when a game could not be imported."""
MOST_TOLD = 10
"""Faults of one game that are told each."""
_FIRST_TAG = b"[Event "


@dataclass(frozen=True, slots=True)
class Importing:
    """The options, and what comes of them."""

    files: tuple[Path, ...]
    again: bool
    encoding: str | None
    record: Path | None
    config: Path | None

    def run(self) -> int:
        """Import all files; the exit status. Raises BoardError."""
        _check(self.encoding)
        counts = [_about(file) for file in self.files]
        with closing(Collection.to_import(place_of(self.record, self.config))) as collection:
            bring_up_to_date(collection)
            importer = Importer(collection, wall_ms, again=self.again)
            tallies = [
                self._import(importer, file, count)
                for file, count in zip(self.files, counts, strict=True)
            ]
        return LEFT_OUT if any(tally.broken for tally in tallies) else 0

    def _import(self, importer: Importer, file: Path, count: int) -> Tally:
        tally = Tally()
        found = None if self.encoding else encoding_of(file)
        try:
            with progress(count, least=LONG_WORK) as advance:
                for faults in importer.take(file, tally, self.encoding):
                    _complain(faults)
                    advance()
        finally:  # also where somebody presses Ctrl-C
            for line in _told(file, tally):
                click.echo(line)
            if found:
                complain(f"{file}: {_about_letters(found)}")
        return tally


def _complain(faults: tuple[Fault, ...]) -> None:
    """Say why a game is left out; of one that is kept, the first things that could not be read."""
    if faults and faults[0].breaks:
        complain(f"{faults[0]}; this game is left out")
        return
    for fault in faults[:MOST_TOLD]:
        complain(str(fault))
    if faults[MOST_TOLD:]:
        last = faults[-1]
        complain(f"{last.name}:{last.line}: {len(faults) - MOST_TOLD} faults more in this game")


def _check(encoding: str | None) -> None:
    """Raises BoardError where there is none of this name."""
    try:
        "".encode(encoding or "utf-8")
    except (LookupError, ValueError) as error:
        raise BoardError(
            f"--encoding {encoding}: there is none of this name; utf-8, cp1252, cp1250 and cp1251 "
            "are common ones"
        ) from error


def _about_letters(found: Encoding) -> str:
    if found.doubtful is None:
        return f"is not in UTF-8; its letters were read as {found.name}"
    other, one, two = found.doubtful
    return (
        f"is not in UTF-8; its letters were read as {found.name}, so a word is {one!r}; if it "
        f"should be {two!r}, delete these games and import the file with --encoding {other}"
    )


def _told(file: Path, tally: Tally) -> Iterator[str]:
    numbers = f": number {tally.first}" if tally.imported == 1 else ""
    if tally.imported > 1:
        numbers = f": numbers {tally.first} to {tally.last}"
    yield f"{file}: {_games(tally.imported)} imported{numbers}"
    if tally.known:
        yield f"{file}: {_games(tally.known)} there already, and skipped; --again imports them"
    if tally.broken:
        yield f"{file}: {_games(tally.broken)} left out, as said above"
    if tally.shortened:
        yield f"{file}: of {_games(tally.shortened)} comments, variations or signs were not kept"


def _games(count: int) -> str:
    return f"{count} game{'' if count == 1 else 's'}"


def _about(file: Path) -> int:
    """About how many games a file has: for the bar. Raises BoardError where it cannot be read."""
    try:
        with open_given(file) as lines:
            return sum(line.startswith(_FIRST_TAG) for line in lines)
    except OSError as error:
        raise BoardError(f"{file}: cannot be read: {error.strerror}") from error
