"""Links that an owner gives to spectators, and codes for others, over HTTP."""

from __future__ import annotations

import pytest

from boardfw.services.web import door, session_handlers
from boardfw.services.web.roles import Role
from tests.shell.web.served import Page, Served

LINKS = "/api/v1/links"
MOVES = (("e2", "e4", "P"), ("e7", "e5", "p"), ("g1", "f3", "N"), ("b8", "c6", "n"))


async def made(owner: Page, **wish: object) -> tuple[int | None, str]:
    """A new link: its number and its code."""
    reply = await owner.post(LINKS, wish)
    assert reply.status == 200, reply.body
    path, code = reply.json["path"].split("#")
    assert path == "/pair"
    return reply.json["id"], code


async def test_a_spectator_sees_the_game_late_and_its_end_at_once(served: Served) -> None:
    owner = await served.known(Role.OWNER)
    _, code = await made(owner, name="stream", delay_plies=2)
    watcher, second = served.page(), served.page()
    await watcher.pair(code)
    await second.pair(code)  # a link counts for as many as like
    assert (await watcher.get("/api/v1/session")).json["role"] == "spectator"
    async with owner.watch() as seen, watcher.watch() as late:
        assert await seen.read()
        assert await late.read()
        for origin, target, letter in MOVES:
            served.lift(origin)
            served.drop(target, letter)
            await seen.until("move")
        assert [(await late.until("move"))["uci"] for _ in range(2)] == ["e2e4", "e7e5"]
        assert [ply[0] for ply in late.state["game"]["plies"]] == ["e2e4", "e7e5"]
        for path in ("/api/v1/state", "/plain"):
            told = (await watcher.get(path)).body
            assert b"Nf3" not in told
            assert b"Nf3" in (await owner.get(path)).body
        assert (await watcher.get("/api/v1/games")).status == 403
        resign = {"id": "r", "seq": seen.state["seq"]}
        assert (await owner.post("/api/v1/table/resign_white", resign)).status == 200
        while late.state["game"]["result"] == "*":
            assert await late.read()
        assert len(late.state["game"]["plies"]) == 4


async def test_a_link_is_ended_and_with_it_who_came_by_it(served: Served) -> None:
    owner = await served.known(Role.OWNER)
    number, code = await made(owner, name="stream", delay_plies=2)
    other_number, other_code = await made(owner)
    watcher, other = served.page(), served.page()
    await watcher.pair(code)
    await other.pair(other_code)
    listed = (await owner.get(LINKS)).json["links"]
    assert [(one["name"], one["delay_plies"], one["watching"]) for one in listed] == [
        ("stream", 2, 1),
        ("a device", 0, 1),
    ]
    assert code.encode() not in (await owner.get(LINKS)).body
    async with watcher.watch() as watching:
        assert await watching.read()
        assert (await owner.ask("DELETE", f"{LINKS}/{number}", {})).status == 200
        while await watching.read():
            pass
        assert watching.stream.close_code == door.SESSION_ENDED
    assert (await watcher.get("/api/v1/state")).status == 401
    assert (await served.page().post("/api/v1/pair", {"code": code})).status == 403
    assert (await other.get("/api/v1/state")).status == 200
    assert (await owner.ask("DELETE", f"{LINKS}/{number}", {})).status == 404
    assert [one["id"] for one in (await owner.get(LINKS)).json["links"]] == [other_number]


async def test_who_may_do_more_loses_nothing_by_a_link(served: Served) -> None:
    owner = await served.known(Role.OWNER)
    _, code = await made(owner)
    opened = await owner.post("/api/v1/pair", {"code": code})
    assert (opened.status, opened.json["role"]) == (200, "owner")
    assert (await owner.get(LINKS)).status == 200


async def test_an_owner_lets_in_players_arbiters_and_owners_once_each(served: Served) -> None:
    owner = await served.known(Role.OWNER)
    for role in (Role.PLAYER, Role.ARBITER, Role.OWNER):
        number, code = await made(owner, role=role.value)
        assert number is None
        page = served.page()
        await page.pair(code)
        assert (await page.get("/api/v1/session")).json["role"] == role.value
        assert (await served.page().post("/api/v1/pair", {"code": code})).status == 403
    for wrong in ({"role": "king"}, {"delay_plies": -1}, {"delay_plies": 401}):
        assert (await owner.post(LINKS, wrong)).status == 422
    late = await owner.post(LINKS, {"role": "player", "delay_plies": 3})
    assert (late.status, late.json["where"]) == (422, "delay_plies")


async def test_links_and_those_who_come_by_them_are_so_many_at_most(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_handlers, "MOST_LINKS", 2)
    monkeypatch.setattr(session_handlers, "MOST_OF_ONE_LINK", 2)
    owner = await served.known(Role.OWNER)
    _, code = await made(owner)
    await made(owner)
    refused = await owner.post(LINKS, {})
    assert (refused.status, bool(refused.json["remedy"])) == (409, True)
    pages = [served.page() for _ in range(3)]
    statuses = [(await page.post("/api/v1/pair", {"code": code})).status for page in pages]
    assert statuses == [200, 200, 429]
    assert (await pages[0].post("/api/v1/pair", {"code": code})).status == 200  # once more the same
