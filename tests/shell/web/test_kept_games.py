"""Games, settings and the board's health over HTTP."""

from __future__ import annotations

import asyncio
import io
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import chess.pgn
import msgspec
import pytest

from boardfw.errors import BoardError
from boardfw.services.web.api import Imported
from boardfw.services.web.roles import Role
from boardfw.shell.config import Settings
from boardfw.shell.web import library
from boardfw.shell.web.library import KeptGames
from tests.patience import PATIENCE_S
from tests.shell.web.served import Page, Served

PGN = """\
[Event "One"]
[White "<script>alert(1)</script>"]
[Black "Müller & Söhne"]

1. e4 e5 2. Nf3 *

[Event "Two"]
[White "Ann"]

1. d4 {why not} d5 1-0

[Event "Broken"]

1. e4 e4 *
"""
AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"


def story(game: int, ply: int) -> str:
    if ply > 3:
        raise BoardError("no such ply; look again")
    return f"the story of {game}, {ply}"


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    one = Served()
    one.pages.library = KeptGames(tmp_path / "games.db", story)
    async with one:
        yield one


@pytest.fixture
async def owner(served: Served) -> Page:
    page = await served.known(Role.OWNER)
    told = (await page.post("/api/v1/games", {"pgn": PGN})).json
    assert (told["kept"], told["known"]) == (2, 0)
    assert [(one["line"], bool(one["why"])) for one in told["refused"]] == [(14, True)]
    return page


async def test_all_games_or_those_that_are_looked_for_are_one_file(owner: Page) -> None:
    for query, whites in {
        "": ["<script>alert(1)</script>", "Ann"],
        "?q=ann": ["Ann"],
        f"?fen={AFTER_E4.replace(' ', '%20')}": ["<script>alert(1)</script>"],
        "?q=nobody": [],
    }.items():
        reply = await owner.get(f"/api/v1/games.pgn{query}")
        assert reply.status == 200
        assert reply.headers["Content-Disposition"].startswith("attachment")
        assert reply.headers["Content-Type"].endswith("charset=utf-8")
        file, found = io.StringIO(reply.body.decode()), list[str]()
        while game := chess.pgn.read_game(file):
            found.append(game.headers["White"])
        assert found == whites, query
    assert (await owner.get("/api/v1/games.pgn?fen=nonsense")).status == 422
    await owner.ask("DELETE", "/api/v1/games/1", {})
    assert b"<script>" not in (await owner.get("/api/v1/games.pgn")).body  # it is being removed
    await owner.ask("DELETE", "/api/v1/games/2", {})
    assert (await owner.get("/api/v1/games.pgn")).body == b""


async def test_no_more_games_are_held_in_memory_than_fit_into_an_answer(
    owner: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library, "ANSWER_BYTES", 200)
    refused = await owner.get("/api/v1/games.pgn")
    assert refused.status == 413
    assert "search for fewer" in refused.json["remedy"]
    assert (await owner.get("/api/v1/games.pgn?q=ann")).status == 200


async def test_games_are_listed_and_looked_for(owner: Page) -> None:
    listed = (await owner.get("/api/v1/games")).json
    assert listed["total"] == 2
    assert [game["white"] for game in listed["games"]] == ["Ann", "<script>alert(1)</script>"]
    for query, numbers in {
        "?q=MULLER": [1],
        "?q=nobody": [],
        f"?fen={AFTER_E4.replace(' ', '%20')}": [1],
        "?limit=1": [2],
        "?offset=1": [1],
    }.items():
        found = (await owner.get(f"/api/v1/games{query}")).json["games"]
        assert [game["id"] for game in found] == numbers, query
    for query in ("?fen=nonsense", "?limit=x", "?offset=-1"):
        assert (await owner.get(f"/api/v1/games{query}")).status in (404, 422)
    again = (await owner.post("/api/v1/games", {"pgn": PGN})).json
    assert (again["kept"], again["known"]) == (0, 2)


async def test_comments_and_clocks_of_a_file_are_shown(owner: Page) -> None:
    pgn = "{so} 1. c4 {[%clk 0:05:00] why not} e5 2. d3 {[%clk 0:04:00]} *"
    assert (await owner.post("/api/v1/games", {"pgn": pgn})).json["kept"] == 1
    game = (await owner.get("/api/v1/games/3")).json
    assert game["comments"] == {"0": "so", "1": "why not"}
    assert [left_ms for *_, left_ms in game["plies"]] == [300_000, None, 240_000]


async def test_an_import_says_which_games_come_without_their_comments(owner: Page) -> None:
    pgn = f"1. c4 {{{'word ' * 120_000}}} *\n\n1. c4 c5 {{good}} *\n"
    told = (await owner.post("/api/v1/games", {"pgn": pgn})).json
    assert (told["kept"], told["shortened"], told["refused"]) == (2, 1, [])


MANY = "".join(f'[White "Ann {n}"]\n\n1. e4 e5 {n + 2}. Nf3 *\n\n' for n in range(5))


@pytest.mark.parametrize("limit", ["games", "seconds"])
async def test_an_import_that_is_too_long_keeps_what_it_has_read(
    owner: Page, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    before = (await owner.get("/api/v1/games")).json["total"]
    monkeypatch.setattr(library, *(("MOST_GAMES", 3) if limit == "games" else ("IMPORT_S", 0.0)))
    told = (await owner.post("/api/v1/games", {"pgn": MANY})).json
    kept = 3 if limit == "games" else 1
    assert told["kept"] == kept
    assert "send the others again" in told["refused"][-1]["why"]
    assert (await owner.get("/api/v1/games")).json["total"] == before + kept
    monkeypatch.undo()
    told = (await owner.post("/api/v1/games", {"pgn": MANY})).json
    assert (told["kept"], told["known"], told["refused"]) == (5 - kept, kept, [])


async def test_an_import_of_exactly_the_most_games_leaves_none(
    owner: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library, "MOST_GAMES", 5)
    told = (await owner.post("/api/v1/games", {"pgn": MANY})).json
    assert (told["kept"], told["refused"]) == (5, [])


async def test_one_import_goes_on_at_a_time(
    owner: Page, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    goes_on, begun = threading.Event(), threading.Event()
    imported = library._imported

    def waiting(path: Path, pgn: str) -> Imported:
        begun.set()
        goes_on.wait(PATIENCE_S)
        return imported(path, pgn)

    monkeypatch.setattr(library, "_imported", waiting)
    first = asyncio.create_task(owner.post("/api/v1/games", {"pgn": MANY}))
    assert await asyncio.to_thread(begun.wait, PATIENCE_S)
    second = await owner.post("/api/v1/games", {"pgn": MANY})
    assert (second.status, bool(second.json["remedy"])) == (409, True)
    goes_on.set()
    assert (await first).status == 200
    assert (await owner.post("/api/v1/games", {"pgn": MANY})).status == 200


async def test_a_game_is_shown_ply_by_ply_and_as_a_file(owner: Page) -> None:
    game = (await owner.get("/api/v1/games/1")).json
    assert [ply[:2] for ply in game["plies"]] == [["e2e4", "e4"], ["e7e5", "e5"], ["g1f3", "Nf3"]]
    assert len(game["placements"]) == 4
    assert game["placements"][1] == AFTER_E4.split(maxsplit=1)[0]
    assert game["tags"]["Black"] == "Müller & Söhne"
    file = await owner.get("/api/v1/games/1.pgn")
    assert file.headers["Content-Disposition"].startswith("attachment")
    assert not file.headers["Content-Type"].startswith("text/html")

    read = chess.pgn.read_game(io.StringIO(file.body.decode()))
    assert read is not None
    assert read.headers["White"] == "<script>alert(1)</script>"
    for path in ("/api/v1/games/7", "/api/v1/games/7.pgn", "/api/v1/games/x", "/api/v1/games/1e9"):
        assert (await owner.get(path)).status in (404, 422), path


async def test_why_a_ply_was_believed_is_told(owner: Page) -> None:
    assert (await owner.get("/api/v1/games/2/explain/3")).json == {"text": "the story of 2, 3"}
    refused = await owner.get("/api/v1/games/2/explain/4")
    assert (refused.status, refused.json["remedy"]) == (422, "look again")


async def test_a_removed_game_can_be_had_back_for_a_while(
    owner: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def listed() -> list[int]:
        return [game["id"] for game in (await owner.get("/api/v1/games")).json["games"]]

    assert (await owner.ask("DELETE", "/api/v1/games/1", {})).status == 200
    assert await listed() == [2]
    assert (await owner.post("/api/v1/games/1/restore")).status == 200
    assert await listed() == [2, 1]
    assert (await owner.post("/api/v1/games/1/restore")).status == 404
    monkeypatch.setattr(library, "UNDO_S", 0.0)
    assert (await owner.ask("DELETE", "/api/v1/games/1", {})).status == 200
    async with asyncio.timeout(PATIENCE_S):
        while (await owner.get("/api/v1/games/1")).status == 200:
            pass
    assert await listed() == [2]
    assert (await owner.ask("DELETE", "/api/v1/games/9", {})).status == 422


async def test_without_a_collection_there_are_no_games() -> None:
    async with Served() as served:
        page = await served.known(Role.OWNER)
        assert (await page.get("/api/v1/games")).status == 404


async def test_the_settings_are_shown_and_some_can_be_changed(owner: Page, served: Served) -> None:
    shown = {one["key"]: one for one in (await owner.get("/api/v1/settings")).json["settings"]}
    values = msgspec.to_builtins(Settings())
    assert shown["lights.brightness"]["value"] == values["lights"]["brightness"]
    assert (shown["lights.brightness"]["min"], shown["lights.brightness"]["max"]) == (0, 1)
    assert shown["lights.mono"]["kind"] == "bool"
    assert shown["clock.press"]["choices"] == ["button", "ply"]
    level = shown["help.black.level"]
    assert (level["kind"], level["min"], level["max"]) == ("number", 0, 4)
    assert "usual" not in level["says"]  # the page could not set it
    sections = {key.partition(".")[0] for key in shown}
    assert sections == set(values)
    changed = await owner.ask("PUT", "/api/v1/settings", {"help.white.level": 3})
    assert changed.status == 200
    assert served.desk.help_policy.helps[0].level == 3
    assert (await owner.ask("PUT", "/api/v1/settings", {"tags.white": "Ann"})).status == 200
    after = {
        one["key"]: one["value"] for one in (await owner.get("/api/v1/settings")).json["settings"]
    }
    assert (after["help.white.level"], after["tags.white"]) == (3, "Ann")
    for key, value, status in (
        ("help.white.level", 5, 422),
        ("help.white.level", True, 422),
        ("tags.white", "", 422),
        ("tags.white", "two\nlines", 422),
        ("tags.white", 3, 422),
        ("lights.brightness", 0.5, 409),
        ("no.such", 1, 422),
    ):
        refused = await owner.ask("PUT", "/api/v1/settings", {key: value})
        assert (refused.status, refused.json["where"]) == (status, key)


async def test_the_boards_health_counts_touches(owner: Page, served: Served) -> None:
    async with owner.watch() as watching:
        await watching.read()
        served.lift("e2")
        await watching.until("lift")
        served.drop("e2", "P")
        await watching.until("drop")
    health = (await owner.get("/api/v1/board/health")).json
    square = health["squares"]["e2"]
    assert square["touches"] + square["short"] >= 1  # how quick it was this machine decides
    assert health["scan_hz"] == 500
    assert health["bus_errors"] == {}
