"""``boardfw learn``: lessons on the board, who learns there, and what authors need."""

from __future__ import annotations

import click

from boardfw.cli.learn.check import check
from boardfw.cli.learn.learners import profiles, progress
from boardfw.cli.learn.lessons import list_, next_, play, start
from boardfw.cli.learn.trainers import endings, guess, openings, replay, set_up


@click.group()
def learn() -> None:
    """Learn chess at the board: lights ask, hands answer. docs/learning.md."""


TRAINERS = (openings, replay, guess, endings, set_up)

for command in (list_, start, next_, progress, profiles, *TRAINERS, play, check):
    learn.add_command(command)
