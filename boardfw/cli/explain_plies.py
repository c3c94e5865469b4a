"""``boardfw explain``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
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


def explain_plies(
    trace: str, ply: int | None, as_lines: bool, record: Path | None, config: Path | None
) -> None:
    """Tell the stories that are asked for. Raises BoardError."""
    settings, tapes = load_config(config), _tapes(trace, record, config)
    stories = [story for path, first in tapes for story in _told(path, first, settings)]
    chosen = [story for story in stories if ply in (None, story.ply)]
    if ply is not None and not chosen:
        if not stories:
            raise BoardError(f"--ply {ply}: no ply was played in {trace}")
        first, last = (f(story.ply for story in stories) for f in (min, max))
        raise BoardError(f"--ply {ply}: the plies of {trace} are {first} to {last}")
    for story in chosen:
        click.echo(as_json(story) if as_lines else f"{as_text(story)}\n", nl=False)


def _tapes(trace: str, record: Path | None, config: Path | None) -> Iterator[tuple[Path, int]]:
    """The recordings, and the ply of the game with which each begins."""
    if (name := _GAME.fullmatch(trace)) is None:
        yield Path(trace), 1
        return
    place = place_of(record, config)
    tapes = tapes_of(place, int(name[1]))
    if not tapes:
        raise BoardError(
            f"{trace}: {place} does not keep the switches of that game; they are of the "
            "last games that were played on the board (record.traces_mb)"
        )
    for first, path in tapes.items():
        yield path, first


def _told(path: Path, first: int, settings: Settings) -> Iterator[PlyStory]:
    """The stories of a recording, counted as the plies of its game."""
    for story in tell(load(path), settings):
        yield replace(story, ply=story.ply + first - 1)
