"""``boardfw games rescue``."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import click

from boardfw.cli.games.place import place_of
from boardfw.errors import BoardError
from boardfw.shell.store.owner import Mark, left_word, own
from boardfw.shell.store.reading import open_as_it_is
from boardfw.shell.store.rescue import is_ours, mend


@dataclass(frozen=True, slots=True)
class Rescuing:
    """The options, and what comes of them."""

    record: Path | None
    config: Path | None

    def run(self) -> None:
        """Rescue the games, if they are in need of it. Raises BoardError."""
        path = place_of(self.record, self.config)
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
                raise BoardError(f"{path}: it is no file of boardfw; name another one")
        click.echo(rescued.told(path) if rescued else f"{path}: is sound; nothing was done")
