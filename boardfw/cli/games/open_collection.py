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
from boardfw.shell.store.record_check import damage_report

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
    """The collection for who looks at it, or reads ``texts`` of games. Raises BoardError.

    Then every game of the record is checked: nobody waits for that before seeing the answer.
    """
    with closing(Collection.to_read(place)) as collection:
        reported = bring_up_to_date(collection, texts=texts)
        yield collection
        if line := damage_report(place, collection.damaged() - reported):
            complain(line)


def bring_up_to_date(collection: Collection, *, texts: bool = False) -> set[int]:
    """Renew the cards that are stale; report what is lost, and return the games reported so."""
    if short := collection.lacking():
        complain(short)
    stale, reported = collection.stale(texts=texts), set()
    with progress(len(stale), least=LONG_WORK) as advance:
        for number, trouble in zip(stale, collection.renew(stale), strict=True):
            if trouble is not None:
                complain(trouble)
                reported.add(number)
            advance()
    return reported
