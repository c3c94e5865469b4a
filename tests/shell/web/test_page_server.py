"""The board's pages over HTTP and WebSocket, on a simulated board at work."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from boardfw.game.events import Dropped, Lifted
from boardfw.services.web import door, pairing, session_handlers, sessions
from boardfw.services.web.knock import TRIES
from boardfw.services.web.limits import Rate
from boardfw.services.web.roles import Role
from tests.patience import PATIENCE_S
from tests.shell.web.served import NAME, Served

# ------------------------------------------------------------------------ what is shown and done


async def test_a_page_sees_each_move_of_the_board(served: Served) -> None:
    page = await served.known(Role.PLAYER)
    async with page.watch() as watching:
        assert await watching.read()
        served.lift("e2")
        assert (await watching.until("lift"))["square"] == "e2"
        assert watching.state["hand"] == []  # no hand of a page's: it was lifted by nobody
        served.drop("e4", "P")
        moved = await watching.until("move")
        assert (moved["uci"], moved["ply"]) == ("e2e4", 1)
        assert watching.state["game"]["plies"] == [["e2e4", "e4", "p", None]]
        assert watching.state["turn"] == "b"
        assert watching.snapshots == 1
        again = None
        while again is None or again.status != 304:  # a slow machine's notices come in between
            now = await page.get("/api/v1/state")
            while watching.state["seq"] < now.json["seq"]:
                assert await watching.read()
            again = await page.get("/api/v1/state", If_None_Match=now.headers["Etag"])
            if watching.state["seq"] == now.json["seq"]:
                assert now.json == watching.state
                assert now.headers["Etag"] == f'"{watching.tag}"'
            else:
                again = None
        assert again.body == b""


async def test_a_page_that_was_away_gets_what_it_has_missed(served: Served) -> None:
    page = await served.known(Role.PLAYER)
    async with page.watch() as watching:
        await watching.read()
        before, tag = watching.state, watching.tag
        async with page.watch("nonsense:7") as other:
            await other.read()
            served.lift("g1")
            await other.until("lift")
            now = other.state
    async with page.watch(tag) as again:
        again.state = before
        await again.read()
        assert again.snapshots == 0
        assert again.state["seq"] >= now["seq"]
        assert (again.state["occ"], again.state["hand"]) == (now["occ"], now["hand"])


async def test_a_hand_on_the_page_plays(served: Served) -> None:
    page = await served.known(Role.PLAYER)
    async with page.watch() as watching:
        await watching.read()
        assert (await page.post("/api/v1/hand", {"lift": "e2"})).json["text"] == ""
        await watching.until("lift")
        assert watching.state["hand"] == [["P", "e2"]]
        assert (await page.post("/api/v1/hand", {"drop": "e4"})).json["text"] == ""
        await watching.until("move")
        assert watching.state["shown"].split("/")[4] == "4P3"
        assert (await page.post("/api/v1/hand", {"drop": "e4"})).json["text"]
        assert (await page.post("/api/v1/hand", {"lift": "d2"})).json["text"] == ""
        assert (await page.post("/api/v1/hand", {"drop": "box"})).json["text"] == ""
        assert (await page.get("/api/v1/state")).json["box"] == "P"
        assert (await page.post("/api/v1/hand", {"take": "P"})).json["text"] == ""
        assert (await page.get("/api/v1/state")).json["hand"] == [["P", None]]
        assert (await page.post("/api/v1/hand", {"back": True})).json["text"] == ""
        assert (await page.get("/api/v1/state")).json["box"] == "P"
        for act in (
            {},
            {"lift": "e7", "drop": "e5"},
            {"lift": "e9"},
            {"take": "X"},
            {"jump": "a1"},
        ):
            assert (await page.post("/api/v1/hand", act)).status == 422


async def test_another_piece_is_chosen_by_a_touch_and_back_puts_back_all(served: Served) -> None:
    page = await served.known(Role.PLAYER)

    async def after(**act: Any) -> list[list[str]]:
        told = (await page.post("/api/v1/hand", act)).json
        assert told["text"] == ""
        in_hand: list[list[str]] = (await page.get("/api/v1/state")).json["hand"]
        return in_hand

    assert await after(touch="g1") == [["N", "g1"]]
    assert await after(touch="b1") == [["N", "b1"]]
    assert await after(lift="e2") == [["N", "b1"], ["P", "e2"]]
    assert await after(back=True) == []
    told = (await page.post("/api/v1/hand", {"back": True})).json
    assert told["also"]["de"]["text"] == "deine Hand ist leer"


async def test_no_page_moves_the_pieces_of_a_real_board() -> None:
    async with Served(simulated=False) as served:
        page = await served.known(Role.OWNER)
        assert (await page.post("/api/v1/hand", {"lift": "e2"})).status == 404
        state = (await page.get("/api/v1/state")).json
        assert (state["simulated"], state["shown"]) == (False, None)


async def test_a_button_is_pressed_once_however_often_it_is_sent(served: Served) -> None:
    page = await served.known(Role.PLAYER)
    seq = await page.seq()
    async with page.watch() as watching:
        await watching.read()
        command = {"id": "one", "seq": seq}
        first = await page.post("/api/v1/table/resign_white", command)
        assert (await watching.until("result"))["result"] == "0-1"
        again = await page.post("/api/v1/table/resign_white", command)
        assert (first.status, first.body) == (again.status, again.body) == (200, first.body)
        stale = await page.post("/api/v1/table/resign_black", {"id": "two", "seq": seq})
        assert stale.status == 409
        assert stale.json["state"]["phase"] == "over"
        assert (await page.post("/api/v1/table/jump", {"id": "x", "seq": seq})).status == 404


async def test_what_a_button_is_not_about_makes_it_not_stale(served: Served) -> None:
    page = await served.known(Role.PLAYER)
    async with page.watch() as watching:
        await watching.read()
        seq = watching.state["seq"]
        served.lift("e2")
        await watching.until("lift")
        sent = await page.post("/api/v1/table/resign_black", {"id": "a", "seq": seq})
        assert sent.status == 200
        await watching.until("result")


async def test_a_new_game_is_begun_from_a_page(served: Served) -> None:
    page = await served.known(Role.PLAYER)
    wish = {"white": "Ann", "black": "Bob", "clock": "5+3", "help": [0, 2]}
    async with page.watch() as watching:
        await watching.read()
        assert (await page.post("/api/v1/setup", wish)).status == 200
        while (watching.state["clock"] or {}).get("w") != 303_000:
            assert await watching.read()
        for wrong in (
            {"clock": "soon"},
            {"start": "fen", "fen": "8/8"},
            {"start": "960", "number": 960},
            {"opponent": {"side": "b", "level": 12}},
            {"opponent": {"side": "b", "engine": "no such engine"}},
            {"white": "two\nlines"},
        ):
            refused = await page.post("/api/v1/setup", wrong)
            assert refused.status == 422, wrong
            assert refused.json["what"]
        fen = {"start": "fen", "fen": "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"}
        assert (await page.post("/api/v1/setup", fen)).status == 200
        await watching.until("given")
        assert watching.state["game"]["start_fen"] == fen["fen"]
        choices = (await page.get("/api/v1/setup")).json
        assert choices["help"] == [0, 2]


# --------------------------------------------------------------------------------- sessions


async def test_before_the_first_owner_there_is_only_the_way_to_become_one(served: Served) -> None:
    page = served.page()
    for path in ("/", "/settings", "/kiosk", "/games/3"):
        reply = await page.get(path)
        assert (reply.status, reply.headers["Location"]) == (303, "/pair")
    session = (await page.get("/api/v1/session")).json
    assert (session["role"], session["claimed"], session["board"]) == (None, False, NAME)
    link, code = served.link().split("#")
    assert link == f"{served.base}/pair"
    await page.pair(code)
    session = (await page.get("/api/v1/session")).json
    assert (session["role"], session["claimed"]) == ("owner", True)
    assert (await served.page().post("/api/v1/pair", {"code": code})).status == 403
    assert (await page.get("/")).status in (200, 404)  # 404: no pages are installed


async def test_the_cookie_is_kept_from_scripts_and_other_sites(served: Served) -> None:
    reply = await served.page().post("/api/v1/pair", {"code": served.link().split("#")[1]})
    cookie = reply.headers["Set-Cookie"]
    attributes = {part.strip().partition("=")[0].lower() for part in cookie.split(";")[1:]}
    assert cookie.startswith(f"bfw_{NAME}=")
    assert {"httponly", "samesite", "path", "max-age"} <= attributes
    assert "SameSite=Strict" in cookie
    assert "domain" not in attributes


async def test_a_session_that_is_ended_sees_nothing_more(served: Served) -> None:
    owner, player = await served.known(Role.OWNER), await served.known(Role.PLAYER)
    listed = (await owner.get("/api/v1/session")).json["sessions"]
    (number,) = [one["id"] for one in listed if one["role"] == "player"]
    assert len((await player.get("/api/v1/session")).json["sessions"]) == 1
    async with player.watch() as watching:
        await watching.read()
        assert (await owner.ask("DELETE", f"/api/v1/session/{number}", {})).status == 200
        while await watching.read():
            pass
        assert watching.stream.close_code == door.SESSION_ENDED
    assert (await player.get("/api/v1/state")).status == 401
    assert (await owner.ask("DELETE", f"/api/v1/session/{number}", {})).status == 404
    assert (await owner.ask("DELETE", "/api/v1/session", {})).status == 200
    assert owner.cookies == {}


async def test_wrong_codes_are_held_up_and_a_right_one_is_not(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pairing, "HELD_S", 0.0)
    page = served.page()
    replies = [await page.post("/api/v1/pair", {"code": str(number)}) for number in range(30)]
    assert [reply.status for reply in replies] == [403] * 3 + [429] * 27
    assert int(replies[-1].headers["Retry-After"]) > 1
    await page.pair(served.link().split("#")[1])
    await page.pair(served.pages.sessions.offer(Role.PLAYER))


async def test_answers_to_wrong_codes_come_late_but_do_not_use_all_connections(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pairing, "ALL_TRIES", Rate(1, 3600))
    monkeypatch.setattr(session_handlers, "MOST_HELD", 2)
    async with Served() as slow:
        monkeypatch.setattr(pairing, "HELD_S", 10.0 * PATIENCE_S)
        wrong = slow.page()
        assert (await wrong.post("/api/v1/pair", {"code": "at once"})).status == 403
        late = [asyncio.create_task(wrong.post("/api/v1/pair", {"code": "late"})) for _ in "abc"]
        # One is answered, as no more than two are held back.
        async with asyncio.timeout(PATIENCE_S):
            answered, held = await asyncio.wait(late, return_when=asyncio.FIRST_COMPLETED)
        assert len(answered) == 1
        await slow.page().pair(slow.link().split("#")[1])
        assert not [one for one in held if one.done()]
        for one in held:
            one.cancel()
        await asyncio.gather(*held, return_exceptions=True)


async def test_whoever_knocks_on_the_board_becomes_its_owner(served: Served) -> None:
    page, other = served.page(), served.page()
    asked = await page.post("/api/v1/pair/knock", {"name": "my phone"})
    squares = asked.json["squares"]
    assert len(set(squares)) == 4
    assert (await other.get("/api/v1/pair/knock")).json["state"] == "none"
    asked_too = await other.post("/api/v1/pair/knock", {"name": "a stranger's"})
    assert asked_too.json["squares"] != squares
    assert (await page.get("/api/v1/pair/knock")).json["state"] == "waiting"

    async def until_seen(count: int) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while (await page.get("/api/v1/pair/knock")).json["seen"] < count:
                pass

    for number, square in enumerate(squares[:3], 1):
        served.drop(square, "Q")
        await served.hear(Dropped)
        served.lift(square)
        await until_seen(number)
    served.drop(squares[3], "Q")
    await served.hear(Dropped)
    served.lift(squares[3])
    async with asyncio.timeout(PATIENCE_S):
        while (await page.get("/api/v1/pair/knock")).json["state"] != "done":
            pass
    session = (await page.get("/api/v1/session")).json
    assert (session["role"], session["name"]) == ("owner", "my phone")
    assert (await other.get("/api/v1/pair/knock")).json["state"] != "done"
    assert (await other.get("/api/v1/session")).json["role"] is None


CORNERS = ["a1", "h1", "a8", "h8"]


async def test_who_sits_at_the_board_sees_that_somebody_knocks(served: Served) -> None:
    page, owner = served.page(), await served.known(Role.OWNER)
    async with owner.watch() as watching:
        assert await watching.read()
        assert "knocks" not in watching.state["cues"]
        dark = served.desk.frame(served.pages.clock.now_us())
        asked = (await page.post("/api/v1/pair/knock", {})).json["squares"]
        while "knocks" not in watching.state["cues"]:
            assert await watching.read()
        # The corners whatever is asked for: nobody can be brought to knock for somebody else.
        assert watching.state["cues"]["knocks"] == CORNERS
        assert served.desk.frame(served.pages.clock.now_us()) != dark
        wrong = next(name for name in ("e4", "d4", "e5") if name != asked[0])
        for _ in range(TRIES):
            served.drop(wrong, "Q")
            await served.hear(Dropped)
            served.lift(wrong)
            await served.hear(Lifted)
        while "knocks" in watching.state["cues"]:
            assert await watching.read()
    assert (await page.get("/api/v1/pair/knock")).json["state"] == "failed"


async def test_nobody_knocks_during_a_game(served: Served) -> None:
    player = await served.known(Role.PLAYER)
    async with player.watch() as watching:
        await watching.read()
        served.lift("e2")
        await watching.until("lift")
        served.drop("e4", "P")
        await watching.until("move")
    refused = await served.page().post("/api/v1/pair/knock", {})
    assert (refused.status, bool(refused.json["remedy"])) == (409, True)


async def test_whoever_changes_who_is_known_shows_once_more_that_they_are_here(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner, player = await served.known(Role.OWNER), await served.known(Role.PLAYER)
    (number,) = [
        one["id"]
        for one in (await owner.get("/api/v1/session")).json["sessions"]
        if one["role"] == "player"
    ]
    path, later_ms = f"/api/v1/session/{number}", [sessions.FRESH_MS]
    monkeypatch.setattr(
        served.pages.sessions, "_monotonic", lambda: sessions.monotonic_ms() + later_ms[0]
    )
    refused = await owner.ask("DELETE", path, {})
    assert (refused.status, refused.json["where"]) == (403, "code")
    assert (await player.get("/api/v1/state")).status == 200
    for code, status in (
        ("nonsense", 403),
        (served.pages.sessions.offer(Role.PLAYER), 403),
        (served.pages.link().split("#")[1], 200),
    ):
        assert (await owner.post("/api/v1/session/prove", {"code": code})).status == status
    assert (await owner.ask("DELETE", path, {})).status == 200
    assert (await player.get("/api/v1/state")).status == 401
    later_ms[0] *= 2
    assert (await owner.ask("DELETE", path, {})).status == 403  # and again after a while


async def test_an_owner_who_knocks_stays_an_owner(served: Served) -> None:
    owner = await served.known(Role.OWNER)
    squares = (await owner.post("/api/v1/pair/knock", {})).json["squares"]
    for square in squares:
        served.drop(square, "Q")
        await served.hear(Dropped)
        served.lift(square)
        await served.hear(Lifted)
    async with asyncio.timeout(PATIENCE_S):
        while (await owner.get("/api/v1/pair/knock")).json["state"] != "done":
            pass
    assert (await owner.get("/api/v1/session")).json["role"] == "owner"
