"""``boardfw learn profiles`` and ``progress``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import click
import msgspec

from boardfw.cli.games.open_collection import place_of
from boardfw.cli.interaction import is_meant
from boardfw.errors import BoardError
from boardfw.learning.answer_log import Answered
from boardfw.learning.progress import Progress, Session
from boardfw.shell.config import load_config
from boardfw.shell.dates import Calendar
from boardfw.shell.learning.answer_store import Answers, as_csv, as_values
from boardfw.shell.learning.course_files import OURS, read_outlines


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
            raise BoardError(f"which profile? write 'boardfw learn profiles {self.action} NAME'")
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


@dataclass(frozen=True, slots=True)
class Showing:
    """The options, and what comes of them."""

    profile: str
    as_csv: bool
    as_json: bool
    course: Path | None
    record: Path | None
    config: Path | None

    def run(self) -> None:
        """Show the progress. Raises BoardError."""
        if self.as_csv and self.as_json:
            raise BoardError("which one? give either --csv or --json")
        with closing(Answers.to_read(place_of(self.record, self.config))) as answers:
            name = answers.profile(self.profile)
            log = answers.rows(name)
        if self.as_csv:
            click.echo(as_csv(log), nl=False)
            return
        progress = Progress(read_outlines(self.course or OURS), log)
        if self.as_json:
            click.echo(msgspec.json.encode(_values(name, progress, log)))
        else:
            click.echo("\n".join(_lines(name, progress)))


def _lines(name: str, progress: Progress) -> Iterator[str]:
    """A table of the lessons, and what it comes to."""
    passed, gold, solved = progress.passed(), progress.gold(), 0
    width = max(map(len, ("lesson", *progress.lessons)))
    yield f"{'lesson':{width}}  solved"
    for lesson, outline in progress.lessons.items():
        done, count = len(progress.solved.intersection(outline.exercises)), len(outline.exercises)
        mark = "gold" if lesson in gold else "passed" if lesson in passed else ""
        yield f"{lesson:{width}}  {done:2} of {count:2}  {mark}".rstrip()
        solved += done
    exercises = sum(len(outline.exercises) for outline in progress.lessons.values())
    yield (
        f"{name}: {len(passed)} of {len(progress.lessons)} lessons passed, {len(gold)} gold; "
        f"{solved} of {exercises} exercises solved; {len(progress.due(_tonight_ms()))} to repeat "
        "today"
    )
    if following := progress.next(_now_ms(), Session()):
        yield f"next: {following.exercise}{' again' * following.is_repetition}"


def _values(name: str, progress: Progress, log: list[Answered]) -> dict[str, Any]:
    passed, gold = progress.passed(), progress.gold()
    following = progress.next(_now_ms(), Session())
    return {
        "profile": name,
        "lessons": [
            {
                "id": lesson,
                "exercises": len(outline.exercises),
                "solved": len(progress.solved.intersection(outline.exercises)),
                "passed": lesson in passed,
                "gold": lesson in gold,
            }
            for lesson, outline in progress.lessons.items()
        ],
        "due": progress.due(_now_ms()),
        "due_today": progress.due(_tonight_ms()),
        "next": following and following.exercise,
        "answers": as_values(log),
    }


def _now_ms() -> int:
    return Calendar().shown_ms()[0]


def _tonight_ms() -> int:
    """The end of this day where the board stands."""
    now = datetime.now(UTC).astimezone()
    night = now.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
    return int(night.timestamp() * 1000)
