"""A progress bar at a terminal, and a question before something is deleted for good."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from boardfw.errors import BoardError


@contextmanager
def progress(count: int, least: int = 0, unit: str = "games") -> Iterator[Callable[[], None]]:
    """A bar on standard error, if that is a terminal; call what it gives after each of them.

    Where there are fewer than ``least``, it would be gone before anybody has read it.
    """
    if count < least or sys.stderr is None or not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = (unit, BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(unit, total=count)
        yield lambda: bar.advance(task)


def is_meant(question: str, what: str = "") -> bool:
    """Whether the user at the terminal says yes. ``what`` is shown first.

    Raises BoardError without a terminal.
    """
    if not sys.stdin.isatty():
        raise BoardError("this needs a confirmation, and there is no terminal to ask at; add --yes")
    if what:
        click.echo(what)
    return click.confirm(question)
