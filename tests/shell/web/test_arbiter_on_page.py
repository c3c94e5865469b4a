"""What an arbiter decides from a page is what a ruling at the board is."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from boardfw.services.web.roles import Role
from boardfw.shell.config import ClockSettings, Settings
from tests.shell.web.served import Page, Served, Watching

RULING = "/api/v1/arbiter/ruling"
WHY = "both sheets say so"


@pytest.fixture
async def timed(apart: Path | None) -> AsyncIterator[Served]:
    """A real board on whose clocks five minutes are left."""
    async with Served(
        simulated=False, settings=Settings(clock=ClockSettings(control="5+0")), apart=apart
    ) as served:
        yield served


async def played(served: Served, page: Page, watching: Watching) -> None:
    assert await watching.read()
    served.lift("e2")
    served.drop("e4", "P")
    await watching.until("move")


async def test_a_move_is_corrected_with_who_and_why(timed: Served) -> None:
    page = await timed.known(Role.ARBITER)
    async with page.watch() as watching:
        await played(timed, page, watching)
        ruled = await page.post(RULING, {"what": "1.d4", "why": WHY, "who": "Ann Berg", "id": "1"})
        assert (ruled.status, ruled.json["text"]) == (200, "1.d4 instead of 1.e4")
        told = await watching.until("ruling")
        assert (told["who"], told["why"]) == ("Ann Berg", WHY)
        assert [ply[0] for ply in watching.state["game"]["plies"]] == ["d2d4"]
        again = await page.post(RULING, {"what": "1.d4", "why": WHY, "who": "Ann Berg", "id": "1"})
        assert again.body == ruled.body  # the same command
        listed = (await page.get("/api/v1/arbiter/rulings")).json["rulings"]
        assert [(one["who"], one["why"], one["ply"]) for one in listed] == [("Ann Berg", WHY, 1)]


async def test_clocks_and_the_result_are_decided(timed: Served) -> None:
    page = await timed.known(Role.ARBITER)
    async with page.watch() as watching:
        await played(timed, page, watching)
        clocks = {"what": "clocks 4:00 3:30", "why": "two minutes for an illegal move"}
        assert (await page.post(RULING, clocks)).status == 200
        told = await watching.until("ruling")
        assert told["who"] == "a page"  # as its device is called
        assert (watching.state["clock"]["w"], watching.state["clock"]["b"]) == (240_000, 210_000)
        result = {"what": "result 1-0 time", "why": "the flag had fallen"}
        assert (await page.post(RULING, result)).status == 200
        assert (await watching.until("result"))["result"] == "1-0"
        assert watching.state["phase"] == "over"


async def test_names_are_changed_while_a_game_is_played(timed: Served) -> None:
    page = await timed.known(Role.ARBITER)
    async with page.watch() as watching:
        await played(timed, page, watching)
        names = {"white": "Ann", "black": "Bob"}
        assert (await page.post("/api/v1/arbiter/names", names)).status == 200
        while watching.state["game"]["tags"] != {"White": "Ann", "Black": "Bob"}:
            assert await watching.read()
        for wrong in ({}, {"white": " "}, {"white": "two\nlines"}, {"white": "x" * 300}):
            assert (await page.post("/api/v1/arbiter/names", wrong)).status == 422, wrong


async def test_what_cannot_be_decided_is_said_and_changes_nothing(timed: Served) -> None:
    page = await timed.known(Role.ARBITER)
    async with page.watch() as watching:
        await played(timed, page, watching)
        for what, why in (
            ("1.Ke2", WHY),
            ("9.d4", WHY),
            ("1.e4", WHY),
            ("nonsense", WHY),
            ("result 1-0", WHY),
            ("1.d4", ""),
            ("1.d4", "{"),
        ):
            refused = await page.post(RULING, {"what": what, "why": why})
            assert (refused.status, bool(refused.json["what"])) == (422, True), what
        assert (await page.get("/api/v1/arbiter/rulings")).json == {"rulings": []}
        assert [ply[0] for ply in watching.state["game"]["plies"]] == ["e2e4"]
        served = {"id": "n", "seq": watching.state["seq"]}
        assert (await page.post("/api/v1/table/new_game", served)).status == 200
        while watching.state["phase"] != "setup":
            assert await watching.read()
        refused = await page.post(RULING, {"what": "1.d4", "why": WHY})
        assert (refused.status, bool(refused.json["remedy"])) == (409, True)
