"""Each mistake of an author has its line, and says what to mend.

``mistakes.txt`` holds them: in which file, what stands there, what an author wrote instead, and
all that is said of it. A line break in a text is written ``\\n``.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from boardfw.shell.learning.course_files import load_course
from tests.learning.lessons import CASTLE, FILES, ROOK, TEXTS, changed, complaints, written

BLOCKS = Path(__file__).with_name("mistakes.txt").read_text(encoding="utf-8").strip().split("\n\n")


@pytest.mark.parametrize("block", BLOCKS, ids=range(len(BLOCKS)))
def test_a_mistake_is_told_with_its_line(tmp_path: Path, block: str) -> None:
    name, old, new, *said = (line[2:].replace("\\n", "\n") for line in block.splitlines())
    assert said
    assert complaints(tmp_path, changed(name.strip(), old, new)) == said


def test_without_a_mistake_nothing_is_said(tmp_path: Path) -> None:
    assert complaints(tmp_path, FILES) == []


def test_a_faulty_lesson_is_left_out_and_the_others_are_taught(tmp_path: Path) -> None:
    course, said = load_course(written(tmp_path, changed("rook", "answer = 3", "answer = 4")))
    assert len(said) == 1
    (castle,) = course.lessons  # which comes after the faulty one
    assert castle.id == "castle"


def test_a_file_that_is_no_lesson_is_no_hindrance(tmp_path: Path) -> None:
    course, said = load_course(written(tmp_path, changed("rook", "format = 1", "format =")))
    assert [lesson.id for lesson in course.lessons] == ["castle"]
    assert len(said) == 1  # nothing of the texts, nothing of what comes after it


def test_lessons_that_come_after_each_other_are_all_left_out(tmp_path: Path) -> None:
    files = {
        **FILES,
        "course/01_rook.toml": ROOK.replace("documents", 'after = ["castle"]\ndocuments'),
    }
    course, said = load_course(written(tmp_path, files))
    assert course.lessons == ()
    assert [line.rpartition("/")[2].split(";")[0] for line in said] == [
        "01_rook.toml:3: 'rook' and 'castle' come after each other",
        "02_castle.toml:3: 'castle' and 'rook' come after each other",
    ]


def test_a_lesson_that_is_there_twice_is_taught_once(tmp_path: Path) -> None:
    files = {**FILES, "course/03_castle.toml": CASTLE}
    course, said = load_course(written(tmp_path, files))
    assert [lesson.id for lesson in course.lessons] == ["rook", "castle"]
    (line,) = said
    assert line.startswith(f"{tmp_path}/course/03_castle.toml:2: lesson 'castle' is in ")


def test_a_directory_without_lessons_says_so(tmp_path: Path) -> None:
    (line,) = complaints(tmp_path, {})
    assert line.startswith("en.toml: cannot be read: No such file or directory; ")
    (line,) = complaints(tmp_path, {"text/en.toml": ""})
    assert line == "course: no lessons; write one, for example in 01_rook.toml"


def test_texts_of_nothing_are_told(tmp_path: Path) -> None:
    files = {**FILES, "text/en.toml": "bishop = 3\n" + TEXTS}
    course, said = load_course(written(tmp_path, files))
    assert len(course.lessons) == 2
    (line,) = said
    assert (
        line
        == f"{tmp_path}/text/en.toml:1: there is no lesson 'bishop'; remove its texts, or write it"
    )


START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
NO_SIDE = TEXTS.replace("You are {you}. Touch all {n} squares of the {piece} on {square}.", "Go.")
NO_SIDE = NO_SIDE.replace("So the rook goes: {squares}.", "So it is.")
SHUFFLE = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8"
SINGLE = [
    (START, '{ find = ["e4"] }', "", None),  # the side does not matter
    (START, '{ place = "alone" }', "", None),
    (START, '{ line = "e4 e5", you = "both" }', "", None),
    (START, '{ line = "e4 e5", you = "black" }', "", "'say' must tell which side is asked"),
    (START, '{ touch = "kind:Q" }', 'answer = ["d1", "d8"]', "'say' must tell which side is"),
    (START, f'{{ line = "{SHUFFLE}", you = "both", claims = true }}', "", None),
    (START, f'{{ line = "{SHUFFLE}", you = "both" }}', "", None),
    (START, f'{{ line = "{SHUFFLE}", you = "both", claims = false }}', "", "a draw can be claimed"),
    (START, '{ line = "e4", you = "both", claims = false }', "", None),
    (START, '{ line = "e4", you = "black" }', "", "no move of black in this line"),
    (START, '{ line = " " }', "", "no moves; write the line"),
    (START, '{ place = "alone", proof = ["kind:K", "checkers"] }', "", "no piece is 'checkers'"),
    ("7k/8/8/8/8/8/5q2/7K w - - 0 1", '{ play = "hold", you = "black" }', "", "no move is legal"),
]


@pytest.mark.parametrize(("fen", "task", "answer", "said"), SINGLE)
def test_an_exercise_alone(
    tmp_path: Path, fen: str, task: str, answer: str, said: str | None
) -> None:
    lesson = ROOK[: ROOK.index("fen =")] + f'fen = "{fen}"\ntask = {task}\n{answer}\n\n'
    lesson += ROOK[ROOK.rindex("[[exercise]]") :]
    found = complaints(tmp_path, {**FILES, "course/01_rook.toml": lesson, "text/en.toml": NO_SIDE})
    assert len(found) == (0 if said is None else 1)
    assert said is None or said in found[0]


def test_a_square_that_was_jumped_is_known_in_every_variant(tmp_path: Path) -> None:
    """A position forgets it where the capture is not legal; the reason depends on it."""
    castle = (
        CASTLE.replace("3rk3/8/8/8/8/8/8/R3K3 w Q - 0 1", "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 2")
        .replace("e1c1", "e5d6")
        .replace('"castle_through_check"', '"en_passant_bares_king"')
        .replace('["colours"]', '["mirror", "colours", "both"]')
    )
    files = {**FILES, "course/02_castle.toml": castle}
    course, found = load_course(written(tmp_path, files))
    assert found == []
    varied = course.get("castle.through_check/both")
    assert varied is not None
    assert varied.words.say == "You are Black. May you play dxe3?"
