"""Lessons from a page, over HTTP, on a board at work."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from boardfw.languages import table_of
from boardfw.learning.course import Course, Lesson
from boardfw.learning.task import Find
from boardfw.phrase import Phrase
from boardfw.players.game_player import read_game
from boardfw.services.web.roles import Role
from boardfw.shell.dates import Calendar
from boardfw.shell.learning.answer_store import Answers
from boardfw.shell.web.lessons import Lessons
from boardfw.squares import BY_NAME
from tests.learning.classroom import START, exercise
from tests.shell.web.served import Page, Served, Watching

LEARN = "/api/v1/learn"


def shown(name: str, square: str) -> Any:
    asked = exercise(START, Find((BY_NAME[square],)))
    return replace(asked, key=f"show.{name}", words=replace(asked.words, say=f"Show {square}."))


COURSE = Course(
    [
        Lesson(
            "show", "Showing", "You can show a square.", (shown("one", "e4"), shown("two", "d5"))
        ),
        Lesson("more", "More", "You can show another.", (shown("three", "h3"),), after=("show",)),
    ]
)


@pytest.fixture
async def taught(tmp_path: Path, apart: Path | None) -> AsyncIterator[Served]:
    """A real board at work that can give two lessons."""
    record = tmp_path / "games.db"
    with closing(Answers(record)) as answers:
        answers.add_profile("Ann", None)
    lessons = Lessons(record, Calendar("never"), lambda: (COURSE, []))
    async with Served(simulated=False, lessons=lessons, apart=apart) as served:
        yield served


async def until(watching: Watching, text: str, step: str = "asked") -> dict[str, Any]:
    """Read until this task is asked; the lesson then."""
    while True:
        lesson: dict[str, Any] = watching.state.get("lesson") or {}
        if lesson.get("text") == text and lesson["step"] == step:
            return lesson
        assert await watching.read()


async def send(page: Page, watching: Watching, what: str, name: str) -> int:
    body = {"id": name, "seq": watching.state["seq"]}
    return (await page.post(f"{LEARN}/{what}", body)).status


async def press(page: Page, watching: Watching, button: str) -> None:
    command = {"id": button, "seq": watching.state["seq"]}
    assert (await page.post(f"/api/v1/table/{button}", command)).status == 200


async def test_a_lesson_is_begun_answered_and_kept(taught: Served) -> None:
    page = await taught.known(Role.PLAYER)
    listed = (await page.get(LEARN)).json
    (course,) = listed["courses"]
    assert [(one["id"], one["done"], one["open"]) for one in course["lessons"]] == [
        ("show", 0, True),
        ("more", 0, False),
    ]
    assert (listed["next"], listed["profiles"]) == ("show", ["guest", "Ann"])
    async with page.watch() as watching:
        assert await watching.read()
        assert not watching.state["lesson"]
        taught.lift("e2")
        taught.drop("e4", "P")
        await watching.until("move")
        await press(page, watching, "resign_white")
        await watching.until("result")
        assert (await page.post(f"{LEARN}/start", {"lesson": "show"})).status == 200
        await until(watching, "", "setup")
        assert watching.state["game"]["plies"] == []  # what was played before is not the lesson's
        assert watching.state["setup"]["wanted"] == ["e2"]
        taught.lift("e4")
        taught.drop("e2", "P")
        lesson = await until(watching, "Show e4.")
        assert (lesson["title"], lesson["done"], lesson["of"]) == ("Showing", 0, 2)
        assert watching.state["game"]["plies"] == []
        await press(page, watching, "hint")
        while watching.state["lesson"]["say"] == "":
            assert await watching.read()
        assert watching.state["lesson"]["hints_left"] == lesson["hints_left"] - 1
        taught.lift("a2")
        await show(taught, watching, "e4")
        lesson = await until(watching, "Show d5.")
        assert lesson["done"] == 1
        assert watching.state["game"]["plies"] == []
        assert await send(page, watching, "leave", "l") == 200
        while watching.state["lesson"] is not None:
            assert await watching.read()
    course = (await page.get(LEARN)).json["courses"][0]
    assert course["lessons"][0]["done"] == 0.5
    anns = (await page.get(f"{LEARN}?profile=ann")).json
    assert (anns["profile"], anns["courses"][0]["lessons"][0]["done"]) == ("Ann", 0)


async def show(taught: Served, watching: Watching, square: str) -> None:
    """Show a square with a pawn in the hand, and put that back on a2."""
    taught.drop(square, "P")
    while "found" not in (watching.state["cues"] or {}) and "done" not in watching.state["cues"]:
        assert await watching.read()
    taught.lift(square)
    taught.drop("a2", "P")


async def test_other_languages_are_sent_beside_the_english_words(tmp_path: Path) -> None:
    asked = shown("one", "e4")
    words = replace(asked.words, say=Phrase("Show {square}.", square="e4"))
    lesson = Lesson("show", "Showing", "You can show it.", (replace(asked, words=words),))
    german = {**table_of("de"), "Showing": "Zeigen", "Show {square}.": "Zeig {square}."}
    record = tmp_path / "games.db"
    with closing(Answers(record)):
        pass  # now it is there
    lessons = Lessons(record, Calendar("never"), lambda: (Course([lesson], {"de": german}), []))
    async with Served(simulated=False, lessons=lessons) as taught:
        page = await taught.known(Role.PLAYER)
        (course,) = (await page.get(LEARN)).json["courses"]
        assert course["lessons"][0]["also"] == {"de": {"title": "Zeigen"}}
        async with page.watch() as watching:
            assert await watching.read()
            await page.post(f"{LEARN}/start", {"lesson": "show"})
            told = await until(watching, "Show e4.")
            assert told["also"]["de"] == {"title": "Zeigen", "text": "Zeig e4."}
            taught.lift("a2")
            taught.drop("e5", "P")
            while not watching.state["lesson"]["say"]:
                assert await watching.read()
            told = watching.state["lesson"]
            assert told["say"].startswith("No: that is e5; its file is right")
            assert told["also"]["de"]["say"].startswith("Nein: das ist e5; die Linie stimmt")


async def test_a_lesson_may_begin_while_simulated_hands_show_a_game(tmp_path: Path) -> None:
    record = tmp_path / "games.db"
    with closing(Answers(record)):
        pass  # now it is there
    lessons = Lessons(record, Calendar("never"), lambda: (COURSE, []))
    async with Served(lessons=lessons) as taught:
        page = await taught.known(Role.PLAYER)
        async with page.watch() as watching:
            assert await watching.read()
            taught.seat.watch(read_game("famous"))
            await watching.until("move")
            assert (await page.post(f"{LEARN}/start", {"lesson": "show"})).status == 200
            assert (await until(watching, "Show e4."))["title"] == "Showing"
            while watching.state["demo"]:
                assert await watching.read()
            assert watching.state["lesson"]["text"] == "Show e4."
            assert await send(page, watching, "leave", "l") == 200
            while watching.state["lesson"] is not None:
                assert await watching.read()
            while watching.state["phase"] != "play":
                assert await watching.read()
            assert watching.state["game"]["plies"] == []  # a new game: what was shown is over


async def test_an_exercise_is_skipped_or_asked_once_more(taught: Served, tmp_path: Path) -> None:
    page = await taught.known(Role.PLAYER)
    async with page.watch() as watching:
        assert await watching.read()
        assert (
            await page.post(f"{LEARN}/start", {"lesson": "show", "profile": "Ann"})
        ).status == 200
        await until(watching, "Show e4.")
        old = watching.state["seq"]
        await page.post("/api/v1/table/hint", {"id": "h", "seq": old})
        while not watching.state["lesson"]["say"]:
            assert await watching.read()
        assert await send(page, watching, "again", "a") == 200
        while watching.state["lesson"]["say"]:  # asked anew: nothing has been said of it
            assert await watching.read()
        assert watching.state["lesson"]["text"] == "Show e4."
        stale = await page.post(f"{LEARN}/skip", {"id": "s", "seq": old})
        assert (stale.status, stale.json["where"]) == (409, "seq")
        assert await send(page, watching, "skip", "t") == 200
        await until(watching, "Show d5.")
        assert await send(page, watching, "skip", "t") == 200  # the same command: done once
        assert watching.state["lesson"]["text"] == "Show d5."
    assert taught.pages.lessons is not None
    taught.pages.lessons.close()  # all answers are on the disk
    with closing(Answers.to_read(tmp_path / "games.db")) as answers:
        # That it was asked once more says nothing of what the learner knows.
        assert [row.exercise for row in answers.rows("Ann")] == ["show.one"]


async def test_what_cannot_be_taught_now_is_said_and_nothing_changes(taught: Served) -> None:
    page = await taught.known(Role.PLAYER)
    for body, status in (
        ({"lesson": "nothing"}, 404),
        ({"lesson": "show", "profile": "Nobody"}, 422),
        ({"lesson": 3}, 422),
        ({"lessons": "show"}, 422),
    ):
        refused = await page.post(f"{LEARN}/start", body)
        assert (refused.status, bool(refused.json["what"])) == (status, True), body
    assert (await page.get(f"{LEARN}?profile=Nobody")).status == 422
    async with page.watch() as watching:
        assert await watching.read()
        for what in ("skip", "again", "leave"):
            assert await send(page, watching, what, what) == 409
        taught.lift("e2")
        taught.drop("e4", "P")
        await watching.until("move")
        threads = threading.active_count()
        for _ in range(3):
            refused = await page.post(f"{LEARN}/start", {"lesson": "show"})
            assert (refused.status, bool(refused.json["remedy"])) == (409, True)
        assert threading.active_count() <= threads + 1  # what was prepared is let go of
        assert watching.state["lesson"] is None


async def test_a_board_that_keeps_no_answers_teaches_nothing(served: Served) -> None:
    page = await served.known(Role.PLAYER)
    assert (await page.get(LEARN)).status == 404
    assert (await page.post(f"{LEARN}/start", {"lesson": "show"})).status == 404
