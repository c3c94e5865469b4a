"""No text that the web sends becomes a file, a program or a format string, whoever sends it."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import inspect

from boardfw.services.opponents import OWN
from boardfw.services.web.roles import Role
from boardfw.services.web.routes import ROUTES
from boardfw.shell.dates import Calendar
from boardfw.shell.store.database import open_database
from boardfw.shell.web.lessons import Lessons
from boardfw.shell.web.library import KeptGames
from tests.shell.web.served import NAME as BOARD
from tests.shell.web.served import Served

NAME = "canary %s %n {0} {what} {0.__class__}"
QUERIES = ("/games?q={}", "/games?fen={}", "/games.pgn?q={}", "/learn?profile={}")
USED = ("open", "os.", "subprocess.", "shutil.", "sqlite3.", "import")
"""What Python reports of files and programs begins so."""


class Watch:
    """Records which files and programs Python is about to use that are called like the canary."""

    def __init__(self) -> None:
        self.seen: list[str] = []
        self.is_on = False
        sys.addaudithook(self._note)

    def _note(self, event: str, args: tuple[object, ...]) -> None:
        if self.is_on and event.startswith(USED) and "canary" in repr(args):
            self.seen.append(f"{event}: {args!r}")


@pytest.fixture
def watch() -> Iterator[Watch]:
    """An audit hook cannot be removed, so it is switched off."""
    one = Watch()
    yield one
    one.is_on = False


def free_texts(kind: inspect.Type, text: str) -> Iterator[Any]:
    """Return each value of a type in which one text that may be anything is ``text``."""
    if isinstance(kind, inspect.UnionType):
        kind = next(one for one in kind.types if not isinstance(one, inspect.NoneType))
    if isinstance(kind, inspect.StrType) and kind.pattern is None:
        yield text[: kind.max_length]
    if isinstance(kind, inspect.StructType):
        needed = {field.encode_name: usual(field.type) for field in kind.fields if field.required}
        for field in kind.fields:
            for value in free_texts(field.type, text):
                yield needed | {field.encode_name: value}
    if isinstance(kind, inspect.DictType):
        yield {text: "x"}
        for key in ("tags.white", "opponent.engine", "record.database", "record.export_to"):
            yield {key: text}


def usual(kind: inspect.Type) -> Any:
    """Return a value that the type takes."""
    if isinstance(kind, inspect.LiteralType):
        return kind.values[0]
    return 0 if isinstance(kind, inspect.IntType) else "x"


def requests(text: str) -> Iterator[tuple[str, str, Any]]:
    """Return a request for each text that the API takes."""
    for route in ROUTES:
        if route.body is not None:
            path = route.path.format(button="pause", number=1)
            for body in free_texts(inspect.type_info(route.body), text):
                yield route.method, path, body
    quoted = text.replace("%", "%25").replace(" ", "%20").replace("{", "%7B").replace("}", "%7D")
    for query in QUERIES:
        yield "GET", "/api/v1" + query.format(quoted), None


async def test_no_field_reaches_a_file_or_a_program(
    apart: Path | None,
    tmp_path: Path,
    watch: Watch,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    program = tmp_path / "bin" / NAME
    program.parent.mkdir()
    program.write_text('#!/bin/sh\n: > "$0.ran"\n')
    program.chmod(0o755)
    for name in ("PATH", "HOME"):
        monkeypatch.setenv(name, str(program.parent))
    record = tmp_path / "games.db"
    open_database(record).close()
    async with Served(apart=apart, lessons=Lessons(record, Calendar("always"))) as served:
        served.pages.library = KeptGames(record, lambda number, ply: f"{number} {ply}")
        caplog.set_level(logging.INFO)
        for text in (str(program), f"{'../' * 20}{program}", NAME, f"~/{NAME}"):
            for method, path, body in requests(text):
                page = served.page()
                token, _ = served.pages.sessions.begin(
                    Role.OWNER, "one page each: commands are limited"
                )
                page.cookies[f"bfw_{BOARD}"] = token
                watch.is_on = True
                reply = await page.ask(method, path, body)
                watch.is_on = False
                assert reply.status < 500, (path, body, reply.body)
    assert watch.seen == []
    assert list(program.parent.iterdir()) == [program]
    assert not [one for one in caplog.records if one.levelno >= logging.ERROR]


@pytest.mark.parametrize("role", [Role.PLAYER, Role.ARBITER, Role.OWNER])
async def test_a_page_chooses_an_opponent_that_the_board_lists(
    served: Served, tmp_path: Path, role: Role
) -> None:
    page, there = await served.known(role), tmp_path / "there"
    there.write_text("#!/bin/sh\n")
    there.chmod(0o755)
    listed = (await page.get("/api/v1/setup")).json["opponents"]
    assert OWN in listed

    async def chosen(engine: str) -> tuple[int, Any]:
        reply = await page.post("/api/v1/setup", {"opponent": {"side": "b", "engine": engine}})
        return reply.status, reply.json

    for engine in [*listed, ""]:
        assert (await chosen(engine))[0] == 200, engine
    refused = [
        await chosen(engine)
        for engine in (str(there), str(tmp_path / "none"), "sh", "none", f"../..{there}", " own")
    ]
    assert {status for status, _ in refused} == {422}
    assert len({msgspec.json.encode(problem) for _, problem in refused}) == 1
    assert refused[0][1]["where"] == "opponent.engine"
    assert refused[0][1]["also"]["de"]["what"]


async def test_the_engine_of_the_settings_is_chosen_by_its_name(
    served: Served, tmp_path: Path
) -> None:
    """Its path is read from the settings, and is not sent to a page."""
    engine = tmp_path / "quiet-engine"
    engine.write_text("#!/bin/sh\nexec cat >/dev/null\n")
    engine.chmod(0o755)
    page = await served.known(Role.PLAYER)
    served.away.usual = replace(served.away.usual, name=str(engine))
    choices = (await page.get("/api/v1/setup")).json
    assert "quiet-engine" in choices["opponents"]
    wish = {"opponent": {"side": "w", "engine": "quiet-engine"}}
    assert (await page.post("/api/v1/setup", wish)).status == 200
    assert served.away.chosen is not None
    assert served.away.chosen.wish.name == str(engine)
    engine.unlink()
    assert "quiet-engine" not in (await page.get("/api/v1/setup")).json["opponents"]
