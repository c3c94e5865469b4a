"""``boardfw games import`` and ``export``."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from functools import partial
from itertools import islice
from pathlib import Path

import click

from boardfw.cli.games.listing import none_is_meant
from boardfw.cli.games.open_collection import LONG_WORK, bring_up_to_date, reading
from boardfw.cli.interaction import progress
from boardfw.cli.journal import complain
from boardfw.errors import BoardError
from boardfw.given import open_given
from boardfw.notation.pgn import Encoding, Fault, encoding_of
from boardfw.shell.collection.collection import Collection
from boardfw.shell.collection.filters import Filters
from boardfw.shell.collection.pgn_import import Importer, Tally
from boardfw.shell.files import place_for, write_whole
from boardfw.shell.store.game_store import wall_ms

LEFT_OUT = 1
"""Exit status when a game could not be imported."""
MOST_TOLD = 10
"""Faults of one game that are told each."""
_FIRST_TAG = b"[Event "
_LONGEST_PIECE = 1 << 16
"""Bytes of a line that are held in memory."""


def import_games(files: tuple[Path, ...], again: bool, encoding: str | None, place: Path) -> int:
    """Import all files, as ``import`` says; the exit status. Raises BoardError."""
    _check(encoding)
    counts = [_about(file) for file in files]
    with closing(Collection.to_import(place)) as collection:
        bring_up_to_date(collection)
        importer = Importer(collection, wall_ms, again=again)
        tallies = [
            _import(importer, file, count, encoding)
            for file, count in zip(files, counts, strict=True)
        ]
    return LEFT_OUT if any(tally.broken for tally in tallies) else 0


def _import(importer: Importer, file: Path, count: int, encoding: str | None) -> Tally:
    tally = Tally()
    found = None if encoding else encoding_of(file)
    try:
        with progress(count, least=LONG_WORK) as advance:
            for faults in importer.take(file, tally, encoding):
                _complain(faults)
                advance()
    finally:  # also after Ctrl-C
        for line in _told(file, tally):
            click.echo(line)
        if found:
            complain(f"{file}: {_about_letters(found)}")
    return tally


def _complain(faults: tuple[Fault, ...]) -> None:
    """Say why a game is left out; of one that is kept, the first things that could not be read."""
    if faults and faults[0].ends_game:
        complain(f"{faults[0]}; this game is left out")
        return
    for fault in faults[:MOST_TOLD]:
        rest = "; the rest of this variation is kept as a comment" if fault.breaks else ""
        complain(f"{fault}{rest}")
    if faults[MOST_TOLD:]:
        last = faults[-1]
        complain(f"{last.name}:{last.line}: {len(faults) - MOST_TOLD} faults more in this game")


def _check(encoding: str | None) -> None:
    """Raises BoardError where there is none of this name."""
    try:
        "".encode(encoding or "utf-8")
    except (LookupError, ValueError) as error:
        raise BoardError(
            f"--encoding {encoding!r}: there is none of this name; "
            "utf-8, cp1252, cp1250 and cp1251 are common ones"
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
    for language, count in tally.letters.items():
        yield f"{file}: the pieces of {_games(count)} have {language} letters"
    if tally.shortened:
        yield f"{file}: dropped from {_games(tally.shortened)}: {_dropped(tally.dropped)}"


def _dropped(counts: Mapping[str, int]) -> str:
    return ", ".join(
        f"{count} {sort if count > 1 else sort.removesuffix('s')}"
        for sort, count in sorted(counts.items())
    )


def _games(count: int) -> str:
    return f"{count} game{'' if count == 1 else 's'}"


def _about(file: Path) -> int:
    """About how many games a file has: for the bar. Raises BoardError where it cannot be read."""
    try:
        with open_given(file) as lines:
            pieces = iter(partial(lines.readline, _LONGEST_PIECE), b"")
            return sum(piece.startswith(_FIRST_TAG) for piece in pieces)
    except OSError as error:
        raise BoardError(f"{file}: cannot be read: {error.strerror}") from error


GAMES = 100
"""Games that are written at once."""


def export_games(
    numbers: tuple[int, ...],
    asked: dict[str, str | None],
    every: bool,
    out: Path | None,
    force: bool,
    place: Path,
) -> None:
    """Write games, as ``export`` says. Raises BoardError; then no file was touched."""
    if bool(numbers) + any(asked.values()) + every != 1:
        raise BoardError("which games? give either numbers, or filters as of 'list', or --all")
    filters = Filters(numbers=numbers) if numbers else Filters.parse(**asked)
    if out is not None:  # first: the games may have to be put into words, which takes its time
        if os.path.realpath(out) == os.path.realpath(place):
            raise BoardError(f"{out}: is the database itself; name another file")
        if place_for(out).exists() and not force:
            raise BoardError(f"{out}: is there already; name another file, or add --force")
    with reading(place, texts=True) as collection:
        collection.check(numbers)
        count = collection.count(filters)
        if not count:
            raise BoardError(f"{none_is_meant(collection)}; nothing was written")
        if out is None:
            _print(collection.texts(filters))
        else:
            _write(out, collection, filters, count)
            click.echo(f"{out}: {count} game{'s' if count > 1 else ''}", err=True)


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
