"""``boardfw learn profiles`` and ``progress``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
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
from boardfw.shell.learning.answer_store import Answers, csv_of, values_of
from boardfw.shell.learning.course_files import OURS, read_outlines


def profiles(
    action: str | None, name: str | None, yes: bool, record: Path | None, config: Path | None
) -> None:
    """List the profiles, ``add`` one, or ``delete`` one. Raises BoardError."""
    place = place_of(record, config)
    if action is None:
        with closing(Answers.to_read(place)) as answers:
            for one in answers.profiles():
                click.echo(f"{one}: {_count(len(answers.rows(one)))}")
    elif name is None:
        raise BoardError(f"which profile? write 'boardfw learn profiles {action} NAME'")
    elif action == "add":
        calendar = Calendar(load_config(config).record.dates)
        with closing(Answers(place)) as answers:
            click.echo(f"added: {answers.add_profile(name, calendar.now_ms())}")
    else:
        _delete(place, name, is_sure=yes)


def _delete(place: Path, name: str, *, is_sure: bool) -> None:
    with closing(Answers.to_write(place)) as answers:
        name = answers.profile(name)
        question = f"Delete {name} with {_count(len(answers.rows(name)))} for good?"
        if is_sure or is_meant(question):
            click.echo(f"deleted: {name}, {_count(answers.delete_profile(name))}")
        else:
            click.echo("nothing was deleted")


def _count(answers: int) -> str:
    return f"{answers} answer{'' if answers == 1 else 's'}"


def show_progress(
    profile: str,
    as_csv: bool,
    as_json: bool,
    course: Path | None,
    record: Path | None,
    config: Path | None,
) -> None:
    """Show the progress, or every answer. Raises BoardError."""
    if as_csv and as_json:
        raise BoardError("which one? give either --csv or --json")
    with closing(Answers.to_read(place_of(record, config))) as answers:
        name = answers.profile(profile)
        log = answers.rows(name)
    if as_csv:
        click.echo(csv_of(log), nl=False)
        return
    progress = Progress(read_outlines(course or OURS), log)
    if as_json:
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
    if following := progress.next(Calendar().shown_ms()[0], Session()):
        yield f"next: {following.exercise}{' again' * following.is_repetition}"


def _values(name: str, progress: Progress, log: list[Answered]) -> dict[str, Any]:
    passed, gold, now_ms = progress.passed(), progress.gold(), Calendar().shown_ms()[0]
    following = progress.next(now_ms, Session())
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
        "due": progress.due(now_ms),
        "due_today": progress.due(_tonight_ms()),
        "next": following and following.exercise,
        "answers": values_of(log),
    }


def _tonight_ms() -> int:
    """The end of this day where the board stands."""
    now = datetime.now(UTC).astimezone()
    night = now.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
    return int(night.timestamp() * 1000)
