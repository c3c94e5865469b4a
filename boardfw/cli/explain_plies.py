"""``boardfw explain``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import click

from boardfw.cli.games.open_collection import place_of
from boardfw.errors import BoardError
from boardfw.shell.config import Settings, load_config
from boardfw.shell.replay import load
from boardfw.shell.store.game_traces import tapes_of
from boardfw.shell.story import PlyStory, tell
from boardfw.shell.telling import as_json, as_text

_GAME = re.compile(r"game:(\d+)")


@dataclass(frozen=True, slots=True)
class Explaining:
    """The options, and what comes of them."""

    trace: str
    ply: int | None
    as_lines: bool
    record: Path | None
    config: Path | None

    def run(self) -> None:
        """Tell the stories that are asked for. Raises BoardError."""
        settings = load_config(self.config)
        stories = [story for path, first in self._tapes() for story in _told(path, first, settings)]
        chosen = [story for story in stories if self.ply in (None, story.ply)]
        if self.ply is not None and not chosen:
            if not stories:
                raise BoardError(f"--ply {self.ply}: no ply was played in {self.trace}")
            first, last = (f(story.ply for story in stories) for f in (min, max))
            raise BoardError(f"--ply {self.ply}: the plies of {self.trace} are {first} to {last}")
        for story in chosen:
            click.echo(as_json(story) if self.as_lines else f"{as_text(story)}\n", nl=False)

    def _tapes(self) -> Iterator[tuple[Path, int]]:
        """The recordings, and the ply of the game with which each begins."""
        if (name := _GAME.fullmatch(self.trace)) is None:
            yield Path(self.trace), 1
            return
        record = place_of(self.record, self.config)
        tapes = tapes_of(record, int(name[1]))
        if not tapes:
            raise BoardError(
                f"{self.trace}: {record} does not keep the switches of that game; they are of the "
                "last games that were played on the board (record.traces_mb)"
            )
        for first, path in tapes.items():
            yield path, first


def _told(path: Path, first: int, settings: Settings) -> Iterator[PlyStory]:
    """The stories of a recording, counted as the plies of its game."""
    for story in tell(load(path), settings):
        yield replace(story, ply=story.ply + first - 1)
