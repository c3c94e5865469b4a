"""``boardfw learn check``: what an author reads of their lessons."""

from __future__ import annotations

import re
from pathlib import Path

from click.testing import CliRunner, Result

from boardfw.cli import main
from tests.learning.lessons import FILES, changed, written


def check(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["learn", "check", *arguments])


def test_sound_lessons_are_counted(tmp_path: Path) -> None:
    result = check(str(written(tmp_path, FILES)))
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    lines = result.output.splitlines()
    assert "lessons: 2, exercises: 6, their variants: 4" in lines
    assert f"{tmp_path}/course/01_rook.toml:9: new at once" in lines[0]
    assert lines[0].endswith("(a remark)")
    assert "texts in" not in result.output


def test_texts_of_another_language_are_counted(tmp_path: Path) -> None:
    german = '[rook]\nname = "Der Turm"\n[castle.game]\nsolved = "Gut."\n'
    result = check(str(written(tmp_path, {**FILES, "text/de.toml": german})))
    assert result.exit_code == 0, result.output
    # "Well done." is said in two exercises.
    assert result.output.splitlines()[-1] == "texts in de: 3 of 28"


def test_statements_that_no_lesson_names_are_not_listed_to_authors_of_their_own(
    tmp_path: Path,
) -> None:
    files = {
        name: re.sub(r"(?m)^(statements|documents) = .*\n", "", text)
        for name, text in FILES.items()
        if not name.endswith("statements.toml")
    }
    result = check(str(written(tmp_path, files)))
    assert result.exit_code == 0, result.output
    assert "met" not in result.output


def test_a_fault_is_a_line_and_the_exit_status_is_2(tmp_path: Path) -> None:
    result = check(str(written(tmp_path, changed("rook", "answer = 3", "answer = 4"))))
    assert result.exit_code == 2
    assert result.stderr.splitlines() == [
        f"{tmp_path}/course/01_rook.toml:17: 'answer' is 4, the rules say 3; "
        "write that, or mend the exercise"
    ]
    assert "lessons: 1, exercises: 4, their variants: 1" in result.stdout
