"""``boardfw learn``: lessons on the board, who learns there, and what authors need."""

from __future__ import annotations

import click

from boardfw.cli.learn.check import check
from boardfw.cli.learn.learners import profiles, progress
from boardfw.cli.learn.lessons import list_, next_, play, start


@click.group()
def learn() -> None:
    """Learn chess at the board: lights ask, hands answer. docs/learning.md."""


for command in (list_, start, next_, progress, profiles, play, check):
    learn.add_command(command)
