"""What the validator says beside faults: remarks, the matrix, and the counts."""

from __future__ import annotations

import tomllib
from pathlib import Path

import msgspec
import pytest

from boardfw.learning.checking.coverage import between, matrix
from boardfw.learning.checking.text_checks import remarks_on
from boardfw.learning.course import Exercise
from boardfw.learning.reading.draft import task_of
from boardfw.learning.reading.sheet import TaskSheet
from boardfw.learning.task import Place, State, Verdict
from boardfw.notation.fen import parse_fen
from boardfw.shell.learning.course_files import Library, read_library
from tests.learning.lessons import FILES, ROOK, changed, written

STATEMENTS = """\
[[statement]]
number = 5
text = "A rook stops before its own pieces"
documents = ["A"]
taught = "lesson"

[[statement]]
number = 58
text = "No castling over an attacked square"
documents = ["B", "C"]
taught = "lesson"

[[statement]]
number = 60
text = "The rook may be attacked"
documents = ["B", "E"]
taught = "lesson"

[[statement]]
number = 61
text = "No piece may stand between"
documents = ["B"]
taught = "lesson"

[[statement]]
number = 69
text = "Draws may be agreed"
documents = ["E"]
taught = "trainer"
trainer = "game"

[[statement]]
number = 97
text = "Results in brackets"
documents = ["E"]
taught = "parsing"
"""


def library(directory: Path, files: dict[str, str] = FILES) -> Library:
    found = read_library(written(directory, {**files, "course/statements.toml": STATEMENTS}))
    assert found.complaints == []
    return found


def remarks(directory: Path, files: dict[str, str] = FILES) -> list[str]:
    found = library(directory, files)
    lines = [remark.line() for remark in remarks_on(found.drafts, found.statements)]
    return [line.replace(f"{directory}/course/", "") for line in lines]


def test_the_matrix_tells_which_statements_are_met(tmp_path: Path) -> None:
    found = library(tmp_path)
    assert list(matrix(found.drafts, found.statements)) == [
        "lesson  A  B      C  D  E",
        "rook    5",
        "castle     58 60        60",
        "",
        "lessons: 2, exercises: 6, their variants: 4",
        "of each type: find 0, place 0, touch 1, reach 1, stars 1, "
        "move 0, all 1, may 1, verdict 0, line 1, play 0",
        "pieces to carry, median: 3.5 within a lesson, 5 between lessons; 45 in all",
        "statements met: 4 of 5 that can be taught, 1 of them by trainers alone",
        "not met: 61 No piece may stand between",
    ]


@pytest.mark.parametrize(
    ("numbers", "cell"),
    [("[58, 60]", "58 60"), ("[58, 60, 61]", "58 60 61"), ("[61, 60]", "60 61")],
)
def test_numbers_stand_in_order(tmp_path: Path, numbers: str, cell: str) -> None:
    found = library(tmp_path, changed("castle", "[58, 60]", numbers))
    row = list(matrix(found.drafts, found.statements))[2]
    assert row.startswith(f"castle     {cell} ")


def test_what_is_new_comes_one_thing_at_a_time(tmp_path: Path) -> None:
    new = [line for line in remarks(tmp_path) if "new at once" in line]
    assert new == [
        "01_rook.toml:9: new at once: 'reach' and the rook; one new thing is easier",
        "02_castle.toml:10: new at once: 'may' and the king; one new thing is easier",
        "02_castle.toml:19: new at once: 'all' of 'check' and the knight; one new thing is easier",
    ]


def test_documents_and_statements_belong_together(tmp_path: Path) -> None:
    files = changed("castle", 'documents = ["B", "E"]', 'documents = ["C", "D"]')
    said = [line for line in remarks(tmp_path, files) if "new at once" not in line]
    assert said == [
        "02_castle.toml:5: statement 60 is of B, E, which 'documents' does not name",
        "02_castle.toml:4: no statement of this lesson is of document D",
    ]


def test_hands_have_not_too_much_to_carry(tmp_path: Path) -> None:
    fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w Qkq - 0 1"
    many = f'fen = "{fen}"\ntask = {{ find = ["a1"] }}'
    said = remarks(tmp_path, {**FILES, "course/01_rook.toml": ROOK.replace(*_stars(many))})
    assert "01_rook.toml:15: 31 pieces to carry before this exercise; 12 are enough" in said
    assert not [line for line in remarks(tmp_path) if "carry" in line]  # the start is worth it


def _stars(instead: str) -> tuple[str, str]:
    return ROOK[ROOK.rindex("fen = ") :], instead + "\n"


START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
BEFORE = [
    ("4k3/8/8/8/4N3/8/8/4K3 w - - 0 1", 'all = "check"', 0),  # taken back
    ("4k3/8/8/8/4N3/8/8/4K3 w - - 0 1", 'move = "san:Nd6+"', 1),
    ("4k3/8/8/8/4N3/8/8/4K3 w - - 0 1", 'may = "e4d6"', 1),
    ("4k3/8/8/8/4N3/8/8/4K3 w - - 0 1", 'may = "e4e5"', 0),
    ("4k3/8/8/8/4N3/8/8/4K3 w - - 0 1", 'line = "Nd6+ Ke7 Ne4", you = "both"', 1),
    ("4k3/8/8/8/4N3/8/8/4K3 w - - 0 1", 'stars = ["d6"]', 1),
    ("4k3/8/8/8/4N3/8/8/4K3 w - - 0 1", 'play = "hold"', None),  # it is unknown
]


@pytest.mark.parametrize(("fen", "task", "carried"), BEFORE)
def test_pieces_stand_where_the_exercise_before_has_left_them(
    fen: str, task: str, carried: int | None
) -> None:
    sheets = [
        msgspec.convert(tomllib.loads(f"task = {{ {text} }}")["task"], TaskSheet)
        for text in (task, "verdict = true")
    ]
    position = parse_fen(fen)
    before, exercise = (Exercise("a.b", position, task_of(position, sheet)) for sheet in sheets)
    assert between(before, exercise) == carried


def test_setting_up_is_the_task_of_some_exercises() -> None:
    position = parse_fen(START)
    before = Exercise("a.b", parse_fen(BEFORE[0][0]), Verdict(State.GOES_ON))
    assert between(before, Exercise("a.c", position, Place(guided=True))) is None
