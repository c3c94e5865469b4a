"""Lessons in other languages: all that they say is there, and has the same places to fill."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import boardfw
from boardfw.languages import table_of
from boardfw.learning.course import Course
from boardfw.learning.goals import Cause
from boardfw.learning.reading.placeholders import open_places
from boardfw.phrase import LANGUAGES, Phrase, translated
from boardfw.rules.board import COLOR_NAMES, PIECE_NAMES
from boardfw.services.web.refusals import RefusedError, too_often
from boardfw.shell.learning.course_files import LONGEST, load_course
from tests.learning.courses import varied
from tests.learning.lessons import FILES, written

HOME = Path(boardfw.__file__).parent
MADE_IN = [
    *(HOME / "learning" / "judge").glob("*.py"),
    *(HOME / "learning" / f"{name}.py" for name in ("sentences", "exercise_attempt", "tutor")),
    HOME / "rules" / "reasons" / "reason.py",
    HOME / "shell" / "learning" / "learner.py",
]
"""Where sentences are made that are not of one lesson."""
WORDS = {
    *COLOR_NAMES,
    *PIECE_NAMES[1:],
    *(f"{name}s" for name in PIECE_NAMES[1:]),
    *(cause.value.replace("_", " ") for cause in Cause),
}
"""What is put into sentences."""
COURSE, COMPLAINTS = load_course()


def sentences(path: Path) -> Iterator[str]:
    """The texts of a module with a blank or a place in them, and a letter; not its docstrings."""
    module = ast.parse(path.read_text(encoding="utf-8"))
    told = {id(one.value) for one in ast.walk(module) if isinstance(one, ast.Expr)}
    for one in ast.walk(module):
        if not isinstance(one, ast.Constant) or not isinstance(one.value, str) or id(one) in told:
            continue
        if set(one.value) & set(" {") and any(map(str.isalpha, one.value)):
            yield one.value


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_and_word_is_there(language: str) -> None:
    table = table_of(language)
    needed = {sentence for path in MADE_IN for sentence in sentences(path)} | WORDS
    assert needed - table.keys() == set()


REFUSE = ("RefusedError", "too_often")
OF_PROGRAMS = {
    "core.py",
    "core_socket.py",
    "door.py",
    "gate.py",
    "routes.py",
}
"""What these refuse is for who writes programs, but for what people meet in the table."""
FOR_PROGRAMS = {
    "the board has no pages",
    "there is nothing to be watched",
    "this address is a WebSocket",
    "this is no number",
    "write one of lift, drop, take, touch, back, set_up, end_demo",
}


def refusals(path: Path) -> Iterator[str]:
    """What is refused, and how to mend it, as far as it is written there; and all phrases."""
    code = path.read_text(encoding="utf-8")
    if not any(name in code for name in (*REFUSE, "Phrase")):
        return
    for one in ast.walk(ast.parse(code)):
        name = one.func.id if isinstance(one, ast.Call) and isinstance(one.func, ast.Name) else ""
        if name not in (*REFUSE, "Phrase") or not isinstance(one, ast.Call):
            continue
        told = one.args[1:2] if name == "RefusedError" else one.args[:1]
        told += [more.value for more in one.keywords if name in REFUSE and more.arg == "remedy"]
        for text in told:
            assert not isinstance(text, ast.JoinedStr) or path.name in OF_PROGRAMS, ast.unparse(one)
            if isinstance(text, ast.Constant) and any(map(str.isalpha, str(text.value))):
                yield str(text.value)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_refused_is_there(language: str) -> None:
    paths = [path for path in HOME.rglob("*.py") if path.name not in OF_PROGRAMS]
    needed = {text for path in paths for text in refusals(path)}
    assert needed - table_of(language).keys() == FOR_PROGRAMS


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_of_a_table_is_said_somewhere(language: str) -> None:
    said = {sentence for path in HOME.rglob("*.py") for sentence in sentences(path)} | WORDS
    assert {key for key in table_of(language) if " " in key} - said == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_fills_only_places_that_the_english_one_has(language: str) -> None:
    for english, other in table_of(language).items():
        assert set(open_places(other)) <= set(open_places(english)), english
        assert other, english


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_lesson_is_there_and_not_too_long(language: str) -> None:
    assert COMPLAINTS == []
    table = COURSE.languages[language]
    said = {text for lesson in COURSE.lessons for text in (lesson.name, lesson.goal)}
    for exercise in varied():
        words = exercise.words
        said |= {words.say, words.hint1, words.hint2, words.solved}
    for text in said:
        assert (text.pattern if isinstance(text, Phrase) else text) in table
        other = translated(text, table)
        assert len(other) <= LONGEST, other
        assert "{" not in other, other


def test_words_of_variants_are_those_of_the_language() -> None:
    exercise = COURSE.get("castle_not.through_check/colours")
    assert exercise is not None
    assert "Du bist Schwarz." in translated(exercise.words.say, COURSE.languages["de"])


def test_a_refusal_is_not_half_translated() -> None:
    known = RefusedError(409, "no game is being played", remedy="open /pair").refusal
    assert known.also == {"de": {"what": "es wird keine Partie gespielt", "remedy": "öffne /pair"}}
    assert RefusedError(409, "no game is being played", remedy="dance").refusal.also == {}
    assert RefusedError(409, "nobody sings", remedy="open /pair").refusal.also == {}
    assert too_often("too many commands", 3).refusal.also["de"]["remedy"] == "warte 3 s"


# ---------------------------------------------------------------------------- files of authors


def spoken(folder: Path, german: str) -> tuple[Course, list[str]]:
    """The small course with texts in German, and what is said against it."""
    return load_course(written(folder, {**FILES, "text/de.toml": german}))


def test_what_is_missing_is_said_in_english(tmp_path: Path) -> None:
    course, complaints = spoken(tmp_path, '[rook]\nname = "Der Turm"\n')
    assert complaints == []
    lesson = course.lessons[0]
    table = course.languages["de"]
    assert translated(lesson.name, table) == "Der Turm"
    assert translated(lesson.goal, table) == lesson.goal
    assert translated(Phrase("No: {0}.", "a king is never pinned"), table) == (
        "Nein: ein König ist nie gefesselt."
    )


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('[rook]\nname = "{you}"\n', "de.toml:2: the English text has other places to fill: none"),
        ('[rook]\n\ngaol = "Ziel"\n', "de.toml:3: is no text, or text/en.toml has none here"),
        ("[rook]\nname = 3\n", "de.toml:2: is no text"),
        (f'[rook]\ngoal = "{"x" * (LONGEST + 1)}"\n', f"has {LONGEST + 1} characters"),
        (
            '[rook.way_round]\nsolved = "Gut."\n[castle.game]\nsolved = "Toll."\n',
            "de.toml:4: the same English text is 'Gut.' further up",
        ),
        ("[rook\n", "de.toml:1"),
    ],
)
def test_faults_of_a_language_are_told_and_the_lesson_is_given_in_english(
    tmp_path: Path, text: str, complaint: str
) -> None:
    course, (told,) = spoken(tmp_path, text)
    assert complaint in told
    lesson = course.lessons[0]
    assert translated(lesson.name, course.languages["de"]) == lesson.name
