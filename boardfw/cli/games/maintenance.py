"""``boardfw games tag``, ``rule``, ``delete`` and ``rescue``."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import click

from boardfw.cli.games.listing import table
from boardfw.cli.games.open_collection import bring_up_to_date, place_of, writing
from boardfw.cli.interaction import is_meant
from boardfw.errors import BoardError
from boardfw.shell.collection.filters import Filters
from boardfw.shell.store.database import open_as_it_is
from boardfw.shell.store.game_store import wall_ms
from boardfw.shell.store.record_lock import Mark, left_word, own
from boardfw.shell.store.rescue import is_ours, mend


def tag_game(number: int, tags: tuple[str, ...], record: Path | None, config: Path | None) -> None:
    """Tag a game, as ``tag`` says. Raises BoardError."""
    parsed = dict(map(_parsed, tags))
    with writing(record, config) as collection:
        collection.tag(number, parsed, wall_ms())
        bring_up_to_date(collection)


def _parsed(text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not sign:
        raise BoardError(f"{text!r} is not a tag; write NAME=VALUE, for example White='Anna Berg'")
    return name, value


def rule_on_game(
    number: int,
    words: tuple[str, ...],
    who: str,
    why: str,
    record: Path | None,
    config: Path | None,
) -> None:
    """Let an arbiter correct a game, as ``rule`` says. Raises BoardError."""
    with writing(record, config) as collection:
        told = collection.rule(number, " ".join(words), who, why, wall_ms())
        bring_up_to_date(collection)
    click.echo(f"game {number}: {told}")


def delete_games(
    numbers: tuple[int, ...], yes: bool, record: Path | None, config: Path | None
) -> None:
    """Delete games, if that is really meant. Raises BoardError."""
    numbers = tuple(dict.fromkeys(numbers))
    with writing(record, config) as collection:
        collection.check(numbers)
        bring_up_to_date(collection)
        rows = collection.rows(Filters(numbers=numbers))
        if yes or is_meant("Delete for good?", "\n".join(table(rows))):
            collection.delete(numbers)
            click.echo(f"deleted: {' '.join(map(str, numbers))}")
        else:
            click.echo("nothing was deleted")


def rescue_record(record: Path | None, config: Path | None) -> None:
    """Rescue the games of a record, if it is in need of it. Raises BoardError."""
    path = place_of(record, config)
    if not path.exists() and left_word(path) is None:
        raise BoardError(f"{path}: there is no such file; name another one with --record")
    with own(path) as owned:
        rescued = mend(path, owned.mark, thoroughly=True)
        if rescued and path.exists():
            with closing(open_as_it_is(path)) as connection:
                owned.leave_word(Mark.of(connection))
        elif rescued:
            owned.leave_word(None)
        if not rescued and not is_ours(path):
            raise BoardError(f"{path}: not a file of boardfw; name another one")
    click.echo(rescued.told(path) if rescued else f"{path}: is sound; nothing was done")
