"""``boardfw learn profiles``."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import click

from boardfw.cli.games.place import place_of
from boardfw.cli.meant import is_meant
from boardfw.errors import BoardError
from boardfw.shell.config import load_config
from boardfw.shell.dates import Calendar
from boardfw.shell.learning.answers import Answers


@dataclass(frozen=True, slots=True)
class Profiles:
    """The options, and what comes of them."""

    action: str | None
    name: str | None
    yes: bool
    record: Path | None
    config: Path | None

    def run(self) -> None:
        """List the profiles, make one, or delete one. Raises BoardError."""
        place = place_of(self.record, self.config)
        if self.action is None:
            self._list(place)
        elif self.name is None:
            raise BoardError(f"whom? write 'boardfw learn profiles {self.action} NAME'")
        elif self.action == "add":
            self._add(place, self.name)
        else:
            self._delete(place, self.name)

    def _list(self, place: Path) -> None:
        with closing(Answers.to_read(place)) as answers:
            for name in answers.profiles():
                click.echo(f"{name}: {_count(len(answers.rows(name)))}")

    def _add(self, place: Path, name: str) -> None:
        calendar = Calendar(load_config(self.config).record.dates)
        with closing(Answers(place)) as answers:
            click.echo(f"added: {answers.add_profile(name, calendar.now_ms())}")

    def _delete(self, place: Path, name: str) -> None:
        with closing(Answers.to_write(place)) as answers:
            name = answers.profile(name)
            question = f"Delete {name} with {_count(len(answers.rows(name)))} for good?"
            if self.yes or is_meant(question):
                click.echo(f"deleted: {name}, {_count(answers.delete_profile(name))}")
            else:
                click.echo("nothing was deleted")


def _count(answers: int) -> str:
    return f"{answers} answer{'' if answers == 1 else 's'}"
