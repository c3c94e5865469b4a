"""``boardfw games export``."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import click

from boardfw.cli.games.listing import none_is_meant
from boardfw.cli.games.place import LONG_WORK, place_of, reading
from boardfw.cli.progress import progress
from boardfw.errors import BoardError
from boardfw.shell.collection.collection import Collection
from boardfw.shell.collection.filters import Filters
from boardfw.shell.files import place_for, write_whole

GAMES = 100
"""Games that are written at once."""


@dataclass(frozen=True, slots=True)
class Exporting:
    """The options, and what comes of them."""

    numbers: tuple[int, ...]
    asked: dict[str, str | None]
    every: bool
    out: Path | None
    force: bool
    record: Path | None
    config: Path | None

    def run(self) -> None:
        """Write the games. Raises BoardError; then no file was touched."""
        filters = self._filters()
        if self.out is not None:
            self._check(self.out)
        with reading(self.record, self.config, texts=True) as collection:
            collection.check(self.numbers)
            count = collection.count(filters)
            if not count:
                raise BoardError(f"{none_is_meant(collection)}; nothing was written")
            if self.out is None:
                _print(collection.texts(filters))
            else:
                _write(self.out, collection, filters, count)
                click.echo(f"{self.out}: {count} game{'s' if count > 1 else ''}", err=True)

    def _check(self, out: Path) -> None:
        """To be asked first: the games may have to be put into words, which takes its time."""
        if os.path.realpath(out) == os.path.realpath(place_of(self.record, self.config)):
            raise BoardError(f"{out}: is the database itself; name another file")
        if place_for(out).exists() and not self.force:
            raise BoardError(f"{out}: is there already; name another file, or add --force")

    def _filters(self) -> Filters:
        ways = bool(self.numbers) + any(self.asked.values()) + self.every
        if ways != 1:
            raise BoardError("which games? give either numbers, or filters as of 'list', or --all")
        return Filters(numbers=self.numbers) if self.numbers else Filters.parse(**self.asked)


def _print(texts: Iterator[str]) -> None:
    while lot := "".join(islice(texts, GAMES)):
        click.echo(lot, nl=False)


def _write(out: Path, collection: Collection, filters: Filters, count: int) -> None:
    with progress(count, least=LONG_WORK) as advance:
        write_whole(out, _counted(collection.texts(filters), advance))


def _counted(texts: Iterator[str], advance: Callable[[], None]) -> Iterator[str]:
    for text in texts:
        yield text
        advance()
