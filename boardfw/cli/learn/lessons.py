"""``boardfw learn list``, ``start``, ``next`` and ``play``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from boardfw.cli.learn.place import Place, at_place
from boardfw.cli.options import CONFIG, RECORD

COURSE = click.option(
    "--course",
    "directory",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Lessons of your own (docs/authoring.md).  [default: the course of the board]",
)
PROFILE = click.option(
    "--profile", default="guest", metavar="NAME", show_default=True, help="Whose answers these are."
)


@click.command("list")
@COURSE
@PROFILE
@RECORD
@CONFIG
def list_(**options: Any) -> None:
    """List the lessons: what each teaches, and which are passed."""
    from boardfw.cli.learn.giving import lines_of_lessons

    for line in lines_of_lessons(**options):
        click.echo(line)


@click.command()
@click.argument("lesson", metavar="[LESSON]", required=False)
@COURSE
@PROFILE
@RECORD
@at_place
def start(place: Place, **options: Any) -> None:
    """Start a lesson, or go on in it; without LESSON, what 'next' asks.

    In a terminal: the terminal board, with the words beside the lights. Without one the words
    are printed, a line each.
    """
    from boardfw.cli.learn.giving import give

    sys.exit(give(place, **options))


@click.command("next")
@COURSE
@PROFILE
@RECORD
@at_place
def next_(place: Place, **options: Any) -> None:
    """What is due again, then the course from where you are."""
    from boardfw.cli.learn.giving import give

    sys.exit(give(place, lesson=None, **options))


@click.command()
@click.argument("key", metavar="LESSON.EXERCISE")
@COURSE
@at_place
def play(key: str, directory: Path | None, place: Place) -> None:
    """Try one exercise, such as rook.stopped or rook.stopped/mirror; nothing is kept."""
    from boardfw.cli.learn.giving import try_out

    sys.exit(try_out(place, key, directory))
