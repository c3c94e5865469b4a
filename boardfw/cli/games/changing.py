"""``boardfw games tag``, ``rule`` and ``delete``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click

from boardfw.cli.games.listing import table
from boardfw.cli.games.place import bring_up_to_date, writing
from boardfw.cli.meant import is_meant
from boardfw.errors import BoardError
from boardfw.shell.collection.filters import Filters
from boardfw.shell.store.store import wall_ms


@dataclass(frozen=True, slots=True)
class Tagging:
    """The options of ``tag``, and what comes of them."""

    number: int
    tags: tuple[str, ...]
    record: Path | None
    config: Path | None

    def run(self) -> None:
        """Tag the game. Raises BoardError."""
        tags = dict(map(_parsed, self.tags))
        with writing(self.record, self.config) as collection:
            collection.tag(self.number, tags, wall_ms())
            bring_up_to_date(collection)


def _parsed(text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not sign:
        raise BoardError(f"{text!r} is no tag; write NAME=VALUE, such as White='Anna Berg'")
    return name, value


@dataclass(frozen=True, slots=True)
class Deciding:
    """The options of ``rule``, and what comes of them."""

    number: int
    words: tuple[str, ...]
    who: str
    why: str
    record: Path | None
    config: Path | None

    def run(self) -> None:
        """Let the game be as it is decided. Raises BoardError."""
        with writing(self.record, self.config) as collection:
            told = collection.rule(self.number, " ".join(self.words), self.who, self.why, wall_ms())
            bring_up_to_date(collection)
        click.echo(f"game {self.number}: {told}")


@dataclass(frozen=True, slots=True)
class Deleting:
    """The options of ``delete``, and what comes of them."""

    numbers: tuple[int, ...]
    yes: bool
    record: Path | None
    config: Path | None

    def run(self) -> None:
        """Delete the games, if that is really meant. Raises BoardError."""
        numbers = tuple(dict.fromkeys(self.numbers))
        with writing(self.record, self.config) as collection:
            collection.check(numbers)
            bring_up_to_date(collection)
            rows = collection.rows(Filters(numbers=numbers))
            if self.yes or is_meant("Delete for good?", "\n".join(table(rows))):
                collection.delete(numbers)
                click.echo(f"deleted: {' '.join(map(str, numbers))}")
            else:
                click.echo("nothing was deleted")
