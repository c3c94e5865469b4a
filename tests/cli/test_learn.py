"""``boardfw learn``: what a learner types, and what comes of it."""

from __future__ import annotations

import csv
import json
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from boardfw.cli import main
from boardfw.learning import answer_log
from boardfw.learning.answer_log import Answered
from boardfw.shell.learning.answer_store import Answers
from boardfw.shell.store.game_store import wall_ms
from tests.learning.test_schedule import DAY, MINUTE

RECORD = Path("games/boardfw.db")
LESSONS = {
    "01_rook.toml": 'id = "rook"\n[[exercise]]\nid = "a"\nfen = "8"\n[[exercise]]\nid = "b"\n',
    "02_king.toml": 'id = "king"\nafter = ["rook"]\n[[exercise]]\nid = "walk"\n',
}


@pytest.fixture(autouse=True)
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)


@pytest.fixture
def course() -> Path:
    """Where lessons are."""
    directory = Path()
    (directory / "course").mkdir()
    for name, text in LESSONS.items():
        (directory / "course" / name).write_text(text)
    return directory


def answer(profile: str, key: str, ago_ms: int, errors: int = 0) -> None:
    at_ms = (wall_ms() or 0) - ago_ms
    with closing(Answers(RECORD)) as answers:
        answers.add(profile, Answered(key, "", at_ms, 5_000, errors, 0, answer_log.Result.SOLVED))


def boardfw(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["learn", *map(str, arguments)])


def said(*arguments: str | Path) -> str:
    result = boardfw(*arguments)
    assert result.exit_code == 0, result.output
    return result.output


def refused(*arguments: str | Path) -> str:
    """The one line that is said of a mistake."""
    result = boardfw(*arguments)
    assert result.exit_code == 2
    assert isinstance(result.exception, SystemExit)
    (line,) = result.output.splitlines()
    return line


def test_progress_has_a_line_for_each_lesson_and_says_what_comes_next(course: Path) -> None:
    said("profiles", "add", "Anna")
    answer("Anna", "rook.a", 30 * DAY)
    answer("Anna", "rook.a", 30 * DAY - 10 * MINUTE)
    answer("Anna", "rook.b", 0, errors=1)
    assert said("progress", "--profile", "anna", "--course", course).splitlines() == [
        "lesson  solved",
        "rook     2 of  2  passed",
        "king     0 of  1",
        "Anna: 1 of 2 lessons passed, 0 gold; 2 of 3 exercises solved; "
        f"{len(due_today(course))} to repeat today",
        "next: rook.a again",
    ]
    answer("Anna", "rook.b", 0)
    assert "rook     2 of  2  gold" in said("progress", "--profile", "Anna", "--course", course)


def test_progress_is_in_the_course_of_the_board_where_no_other_is_named() -> None:
    answer("guest", "rook.open_board", 0)
    assert "\nrook " in said("progress")


def due_today(course: Path) -> list[str]:
    """Of Anna; shortly before midnight it is one less."""
    told = json.loads(said("progress", "--profile", "Anna", "--course", course, "--json"))
    assert "rook.a" in told["due_today"]
    due: list[str] = told["due_today"]
    return due


def test_progress_as_json_is_one_object_with_the_whole_log(course: Path) -> None:
    answer("guest", "rook.a", DAY)
    told = json.loads(said("progress", "--course", course, "--json"))
    assert told["lessons"][0] == {
        "id": "rook",
        "exercises": 2,
        "solved": 1,
        "passed": False,
        "gold": False,
    }
    assert (told["profile"], told["due"], told["next"]) == ("guest", ["rook.a"], "rook.a")
    assert [row["exercise"] for row in told["answers"]] == ["rook.a"]


def test_progress_as_csv_is_the_log() -> None:
    for key in ("rook.a", "rook.b"):
        answer("guest", key, 0)
    rows = csv.DictReader(said("progress", "--csv").splitlines())
    assert [row["exercise"] for row in rows] == ["rook.a", "rook.b"]


def test_profiles_are_listed_added_and_deleted() -> None:
    assert said("profiles", "add", "Anna") == "added: Anna\n"
    answer("Anna", "rook.a", 0)
    assert said("profiles") == "guest: 0 answers\nAnna: 1 answer\n"
    assert refused("profiles", "delete", "Anna").endswith("; add --yes")
    assert said("profiles", "delete", "anna", "--yes") == "deleted: Anna, 1 answer\n"
    assert said("profiles") == "guest: 0 answers\n"


def test_mistakes_are_told_in_a_line() -> None:
    for command in (["progress"], ["profiles"], ["profiles", "delete", "Anna", "--yes"]):
        assert "nothing has been learnt there yet" in refused(*command)
    assert not RECORD.exists()
    said("profiles", "add", "Anna")
    assert "there is a profile Anna already" in refused("profiles", "add", "ANNA")
    assert "there are guest, Anna; " in refused("progress", "--profile", "Ben")
    assert refused("progress", "--csv", "--json") == "which one? give either --csv or --json"
    assert refused("profiles", "add").startswith("which profile? ")


def test_a_broken_lesson_is_told_with_its_file(course: Path) -> None:
    answer("guest", "rook.a", 0)
    (course / "course" / "03_broken.toml").write_text("id = 3\n")
    assert refused("progress", "--course", course).startswith("course/03_broken.toml: is no lesson")
    (course / "course" / "03_broken.toml").write_text("id = \n")
    assert refused("progress", "--course", course).startswith("course/03_broken.toml:1: not TOML")
