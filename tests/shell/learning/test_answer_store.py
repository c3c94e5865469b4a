"""Profiles and answers in the database: added to, read back, deleted, and saved from damage."""

from __future__ import annotations

import csv
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from boardfw.errors import BoardError
from boardfw.learning.answer_log import Answered, Result
from boardfw.shell.learning.answer_store import COLUMNS, Answers, csv_of, values_of
from boardfw.shell.store.database import kept_before
from boardfw.shell.store.game_store import Store
from boardfw.shell.store.rescue import mend
from tests.shell.learning.child import LOG
from tests.shell.store.test_game_store import E4_E5
from tests.shell.store.test_versions import VERSIONS
from tests.sizes import sized

PAGE, MANY = 4096, 400
ONE = Answered("castle_not.through_check", "colours", 1_790_000_000_000, None, 2, 1, Result.SHOWN)
"""Of a learner who gave no answer at all."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


@pytest.fixture
def answers(path: Path) -> Iterator[Answers]:
    with closing(Answers(path)) as answers:
        yield answers


def test_what_was_added_is_there_for_whoever_opens_the_file_next(
    path: Path, answers: Answers
) -> None:
    answers.add_profile("Zoë", 1_790_000_000_000)
    for answered in (ONE, *LOG):
        answers.add("Zoë", answered)
        answers.add("guest", answered)
    with closing(Answers.to_read(path)) as others:
        assert others.rows("Zoë")[0] == ONE
        assert [row._replace(unsure=False) for row in others.rows("guest")] == [ONE, *LOG]


def test_an_answer_before_the_last_one_is_unsure_and_keeps_its_time(answers: Answers) -> None:
    times = [1_000, 999, 999, 2_000]
    for at_ms in times:
        answers.add("guest", ONE._replace(asked_at_ms=at_ms))
    answers.add("guest", ONE._replace(asked_at_ms=3_000, unsure=True))
    rows = answers.rows("guest")
    assert [row.asked_at_ms for row in rows] == [*times, 3_000]
    assert [row.unsure for row in rows] == [False, True, False, False, True]


def test_names_are_found_however_they_are_typed(answers: Answers) -> None:
    assert answers.profiles() == ["guest"]
    assert answers.add_profile(" Anna   Berg ", None) == "Anna Berg"
    assert answers.profiles() == ["guest", "Anna Berg"]
    assert answers.profile("anna berg ") == "Anna Berg"
    for name in ("ANNA BERG", "Guest"):
        with pytest.raises(BoardError, match="there is a profile"):
            answers.add_profile(name, None)
    with pytest.raises(BoardError, match="no profile 'Ann'; there are guest, Anna Berg; "):
        answers.add("Ann", ONE)


@pytest.mark.parametrize("name", ["", "  ", "a" * 41, "a\x1b[1m"])
def test_what_is_no_name_is_refused(answers: Answers, name: str) -> None:
    with pytest.raises(BoardError, match="is no name; write 1 to 40 letters"):
        answers.add_profile(name, None)
    assert answers.profiles() == ["guest"]


def test_who_is_deleted_leaves_nothing_and_others_stay(answers: Answers) -> None:
    answers.add_profile("Anna", None)
    for name in ("Anna", "guest"):
        answers.add(name, ONE)
    assert answers.delete_profile("anna") == 1
    assert answers.profiles() == ["guest"]
    answers.add_profile("Anna", None)
    assert answers.rows("Anna") == []
    assert answers.rows("guest") == [ONE]
    assert answers.delete_profile("guest") == 1
    assert answers.profiles() == ["guest", "Anna"]


def test_a_file_that_is_not_there_is_made_by_who_learns_and_by_nobody_else(path: Path) -> None:
    for opened in (Answers.to_read, Answers.to_write):
        with pytest.raises(BoardError, match="nothing has been learnt there yet"):
            opened(path)
    assert not path.exists()


def test_who_may_only_read_sees_all(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(Answers(path)) as answers:
        answers.add("guest", ONE)
    monkeypatch.setattr(os, "access", lambda *_: False)
    with closing(Answers.to_read(path)) as others:
        assert others.rows("guest") == [ONE]
    assert [there.name for there in path.parent.iterdir()] == ["games.db"]


@pytest.mark.parametrize("version", VERSIONS, ids=[file.stem for file in VERSIONS])
def test_a_file_of_an_old_version_takes_answers(version: Path, path: Path) -> None:
    shutil.copy(version, path)
    with closing(Answers(path)) as answers:
        answers.add("guest", ONE)
        assert answers.rows("guest") == [ONE]


def test_one_may_learn_while_a_game_is_played_into_the_file(path: Path, answers: Answers) -> None:
    with closing(Store(path, lambda: None)) as board:
        for noted in E4_E5:
            board.add([noted])
            answers.add("guest", ONE)
        game = board.last()
    assert game is not None
    assert len(game.record.moves) == 2
    assert len(answers.rows("guest")) == len(E4_E5)


# ---------------------------------------------------------------------------- damage


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("sound") / "games.db"
    with closing(Store(path, lambda: None)) as store:
        store.add(E4_E5)
    with closing(Answers(path)) as answers:
        for name in ("Anna", "Jörg"):
            answers.add_profile(name, 1_790_000_000_000)
        for n in range(MANY):
            for name in answers.profiles():
                answers.add(name, ONE._replace(asked_at_ms=n, errors=n))
    return path.read_bytes()


@pytest.mark.slow
@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(place=st.integers(0, 10**6), junk=st.sampled_from([b"\xff", b"\x00", b"junk"]))
def test_whatever_page_is_damaged_the_answers_of_the_others_are_saved(
    sound: bytes, path: Path, place: int, junk: bytes
) -> None:
    pages = len(sound) // PAGE
    page = 1 + place % (pages - 1)
    for old in path.parent.iterdir():
        old.unlink()
    path.write_bytes(sound[: page * PAGE] + (junk * PAGE)[:PAGE] + sound[(page + 1) * PAGE :])
    rescued = mend(path)
    if rescued is None:  # an unused page
        return
    with closing(Answers(path)) as answers:
        assert answers.profiles() == ["guest", "Anna", "Jörg"]
        left = [answers.rows(name) for name in answers.profiles()]
        answers.add("Anna", ONE)
    assert sum(map(len, left)) == rescued.answers >= 3 * MANY * (pages - 6) // pages
    for rows in left:
        assert rows == [ONE._replace(asked_at_ms=row.errors, errors=row.errors) for row in rows]
        assert [row.errors for row in rows] == sorted({row.errors for row in rows})
    told = rescued.told(path)
    assert f"{rescued.answers} answers of learners were saved" in told


def test_an_answer_that_is_not_as_it_was_written_is_told_and_left_out(
    path: Path, answers: Answers, caplog: pytest.LogCaptureFixture
) -> None:
    for n in range(3):
        answers.add("guest", ONE._replace(asked_at_ms=n))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE answers SET errors = 3 WHERE number = 1")
        connection.execute("UPDATE answers SET result = 'eaten' WHERE number = 2")
    assert answers.rows("guest") == [ONE._replace(asked_at_ms=0)]
    assert answers.rows("guest") == [ONE._replace(asked_at_ms=0)]
    assert caplog.messages == [
        f"{path}: 2 damaged answers left out; 'boardfw games rescue' puts the damaged file aside"
    ]


@pytest.mark.both
def test_no_bit_that_flips_changes_an_answer_unannounced(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with closing(Answers(tmp_path / "sound.db")) as answers:
        for n in range(20):
            answers.add("guest", ONE._replace(asked_at_ms=n))
        rows = answers.rows("guest")
    content, random = (tmp_path / "sound.db").read_bytes(), Random(7)
    first = content.index(b"castle_not") - 200
    silent = 0
    for n in range(sized(100, 300)):
        path, flipped = tmp_path / f"{n}.db", bytearray(content)
        flipped[random.randrange(first, len(content))] ^= 1 << random.randrange(8)
        path.write_bytes(flipped)
        caplog.clear()
        try:
            with closing(Answers(path)) as answers:
                left = answers.rows("guest")
        except BoardError:
            continue
        silent += left != rows and not caplog.messages
        assert [row for row in left if row not in rows] == []
    assert silent == 0


def test_a_damaged_answer_is_a_fault_that_a_rescue_mends(path: Path, answers: Answers) -> None:
    for n in range(3):
        answers.add("guest", ONE._replace(asked_at_ms=n))
    answers.close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE answers SET helps = 0 WHERE number = 1")
    rescued = mend(path, thoroughly=True)
    assert rescued is not None
    assert rescued.answers == 2
    with closing(Answers(path)) as mended:
        assert [row.asked_at_ms for row in mended.rows("guest")] == [0, 2]
    assert mend(path, thoroughly=True) is None


def test_answers_of_a_version_without_sums_are_read(tmp_path: Path) -> None:
    path = Path(shutil.copy(VERSIONS[-1], tmp_path / "games.db"))
    with closing(Answers(path)) as answers:
        before = answers.rows("Anna")
        answers.add("Anna", ONE)
        assert [(row.exercise, row.result) for row in before] == [
            ("rook.stars", Result.SOLVED),
            ("rook.stars", Result.SHOWN),
        ]
        assert [row._replace(unsure=False) for row in answers.rows("Anna")] == [*before, ONE]


@pytest.mark.parametrize(
    "damage",
    [
        "exercise = CAST(x'726f6fff' AS TEXT)",
        "variant = CAST(x'ff' AS TEXT)",
        "asked_at_ms = -1",
        "first_answer_ms = -1",
        "errors = -1",
        "helps = -1",
        "unsure = 2",
    ],
)
def test_what_can_be_no_answer_is_damaged_also_without_a_sum(
    damage: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = Path(shutil.copy(VERSIONS[-1], tmp_path / "games.db"))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"UPDATE answers SET {damage} WHERE number = 1")
    with closing(Answers(path)) as answers:
        assert [row.result for row in answers.rows("Anna")] == [Result.SOLVED]
    assert "1 damaged answer left out" in caplog.messages[-1]


def test_who_is_deleted_is_not_left_in_the_copy_from_before_an_upgrade(tmp_path: Path) -> None:
    path = Path(shutil.copy(VERSIONS[-1], tmp_path / "games.db"))
    with closing(Answers.to_write(path)) as answers:
        assert kept_before(path).exists()
        assert answers.delete_profile("Anna") == 2
    assert [file.name for file in tmp_path.iterdir()] == ["games.db"]


@pytest.mark.parametrize("opened", [Answers.to_read, lambda path: Answers.to_write(path, "guest")])
def test_a_file_that_was_emptied_is_not_taken_for_new(
    path: Path, opened: Callable[[Path], Answers]
) -> None:
    path.touch()
    with pytest.raises(BoardError, match="is empty, and whatever was kept there is gone; put a ba"):
        opened(path)
    assert path.stat().st_size == 0


# ---------------------------------------------------------------------------- export


def test_the_log_goes_out_as_csv_and_as_values() -> None:
    lines = list(csv.DictReader(csv_of([ONE, LOG[3]]).splitlines()))
    assert tuple(lines[0]) == COLUMNS
    assert [line["asked_at"] for line in lines] == ["2026-09-21T14:13:20Z"] * 2
    assert (lines[0]["first_answer_ms"], lines[1]["first_answer_ms"]) == ("", "2700")
    assert (lines[0]["result"], lines[0]["unsure"]) == ("shown", "0")
    values = values_of([ONE])
    assert values[0] | {"asked_at": ""} == {
        **dict(zip(COLUMNS, ONE, strict=True)),
        "asked_at": "",
        "result": "shown",
    }


def test_a_clock_that_was_badly_wrong_spoils_no_export() -> None:
    assert values_of([ONE._replace(asked_at_ms=1 << 62)])[0]["asked_at"] == ""
