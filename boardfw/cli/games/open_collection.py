"""The collection that the options name, open and up to date."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from boardfw.cli.interaction import progress
from boardfw.cli.journal import complain
from boardfw.errors import BoardError
from boardfw.shell.collection.collection import Collection
from boardfw.shell.config import load_config
from boardfw.shell.places import record_place

LONG_WORK = 200
"""From so many games on, a progress bar is shown."""


def place_of(record: Path | None, config: Path | None) -> Path:
    """The file that the options name, else the settings. Raises BoardError."""
    place = record_place(record, load_config(config))
    if place is None:
        raise BoardError("record.database of the configuration keeps none; name one with --record")
    return place


@contextmanager
def reading(place: Path, *, texts: bool = False) -> Iterator[Collection]:
    """The collection for who looks at it, or reads ``texts`` of games. Raises BoardError."""
    with closing(Collection.to_read(place)) as collection:
        bring_up_to_date(collection, texts=texts)
        yield collection


def bring_up_to_date(collection: Collection, *, texts: bool = False) -> None:
    """Renew the cards that are stale; what is lost, or cannot be read, is said, a line each."""
    if short := collection.lacking():
        complain(short)
    stale = collection.stale(texts=texts)
    with progress(len(stale), least=LONG_WORK) as advance:
        for trouble in collection.renew(stale):
            if trouble is not None:
                complain(trouble)
            advance()
