"""``boardfw learn progress``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import click
import msgspec

from boardfw.cli.games.place import place_of
from boardfw.errors import BoardError
from boardfw.learning.log import Answered
from boardfw.learning.progress import Progress, Session
from boardfw.shell.dates import Calendar
from boardfw.shell.learning.answers import Answers
from boardfw.shell.learning.export import as_csv, as_values
from boardfw.shell.learning.outlines import OURS, read_outlines


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
