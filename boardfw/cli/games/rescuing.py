"""``boardfw games rescue``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click

from boardfw.cli.games.place import place_of
from boardfw.errors import BoardError
from boardfw.shell.store.owner import own
from boardfw.shell.store.rescue import mend


@dataclass(frozen=True, slots=True)
class Rescuing:
    """The options, and what comes of them."""

    record: Path | None
    config: Path | None

    def run(self) -> None:
        """Rescue the games, if they are in need of it. Raises BoardError."""
        path = place_of(self.record, self.config)
        if not path.exists():
            raise BoardError(f"{path}: there is no such file; name another one with --record")
        with own(path):
            rescued = mend(path)
        click.echo(rescued.told(path) if rescued else f"{path}: is sound; nothing was done")
