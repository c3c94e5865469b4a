"""``boardfw games show``."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import click
from rich.console import Console

from boardfw.cli.games.drawing import drawn
from boardfw.cli.games.place import reading
from boardfw.errors import BoardError
from boardfw.notation.san import numbered_san
from boardfw.shell.collection.filters import Filters


@dataclass(frozen=True, slots=True)
class Showing:
    """The options, and what comes of them."""

    number: int
    ply: int | None
    record: Path | None
    config: Path | None

    def run(self) -> None:
        """Show the game. Raises BoardError."""
        with reading(self.record, self.config, texts=True) as collection:
            record = collection.game(self.number).record
            texts = "".join(collection.texts(Filters(numbers=(self.number,))))
        plies = len(record.moves)
        ply = plies if self.ply is None else self.ply
        if ply > plies:
            raise BoardError(f"--ply {ply}: the plies of game {self.number} are 1 to {plies}")
        positions = record.positions()
        click.echo(texts, nl=False)
        if record.outcome is not None and record.outcome.termination and ply == plies:
            click.echo(f"{record.outcome.termination.replace('_', ' ')}\n")
        elif self.ply:
            last = numbered_san(positions[ply - 1], record.moves[ply - 1 : ply])
            click.echo(f"after ply {ply}, {last}\n")
        Console(file=sys.stdout, highlight=False).print(drawn(positions[ply]))
