"""Games that begin elsewhere than usual, after a game and against an opponent, from a page."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from boardfw.notation.fen import parse_fen
from boardfw.players.game_player import read_game
from boardfw.rules.chess960 import start_position
from boardfw.services.levels import LEVELS
from boardfw.services.opponents import OWN, Wish
from boardfw.services.web.roles import Role
from boardfw.shell.dates import Calendar
from boardfw.squares import BY_NAME, names_of
from tests.shell.web.served import Page, Served, Watching

SETUP = "/api/v1/setup"
BLACK_FIRST = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1"
ROOK_ENDING = "4k3/8/8/8/8/8/3R4/4K3 w - - 0 1"
OWN_PLAYER = {"level": 1, "engine": OWN}


@pytest.fixture
async def real(apart: Path | None) -> AsyncIterator[Served]:
    async with Served(simulated=False, apart=apart) as served:
        yield served


async def answered(watching: Watching) -> str:
    """The move that the opponent wants to have made."""
    while not (watching.state["opponent"] or {}).get("owed"):
        assert await watching.read()
    owed: str = watching.state["opponent"]["owed"]
    return owed


async def set_up_as_asked(served: Served, watching: Watching) -> None:
    """Take off what is in the way, and put each piece that is asked for on its squares."""
    stands = set(names_of(int(watching.state["occ"], 16)))
    while watching.state["phase"] == "setup":
        asked = watching.state["setup"]
        if surplus := stands.intersection(asked["surplus"]):
            for square in surplus:
                served.lift(square)
            stands -= surplus
        elif free := [one for one in asked["next_squares"] if one not in stands]:
            for square in free:
                served.drop(square, asked["next"])
            stands |= set(free)
        assert await watching.read()


async def play_and_resign(served: Served, page: Page, watching: Watching) -> None:
    served.lift("e2")
    served.drop("e4", "P")
    await watching.until("move")
    resign = {"id": "r", "seq": watching.state["seq"]}
    assert (await page.post("/api/v1/table/resign_white", resign)).status == 200
    await watching.until("result")


async def test_an_opponent_moves_first_from_a_position(real: Served) -> None:
    page = await real.known(Role.PLAYER)
    async with page.watch() as watching:
        assert await watching.read()
        wish = {"start": "fen", "fen": BLACK_FIRST, "opponent": {"side": "b", **OWN_PLAYER}}
        assert (await page.post(SETUP, wish)).status == 200
        await watching.until("given")
        move = await answered(watching)
        assert watching.state["game"]["start_fen"] == BLACK_FIRST
        assert parse_fen(BLACK_FIRST).piece_at(BY_NAME[move[:2]])
        assert watching.state["opponent"]["side"] == "b"


async def test_an_opponent_answers_from_a_start_of_chess960(real: Served) -> None:
    page = await real.known(Role.PLAYER)
    wanted = start_position(518 + 1)
    async with page.watch() as watching:
        assert await watching.read()
        wish = {"start": "960", "number": 519, "opponent": {"side": "w", **OWN_PLAYER}}
        assert (await page.post(SETUP, wish)).status == 200
        await watching.until("given")
        await set_up_as_asked(real, watching)
        move = await answered(watching)
        assert move in [one.uci() for one in wanted.legal_moves()]


async def test_simulated_hands_that_a_page_stopped_go_on_when_it_says_so(served: Served) -> None:
    page = await served.known(Role.PLAYER)

    async def is_helped() -> bool:
        helped: bool = (await page.get("/api/v1/state")).json["setup"]["helped"]
        return helped

    async with page.watch() as watching:
        assert await watching.read()
        assert (await page.post(SETUP, {"start": "fen", "fen": ROOK_ENDING})).status == 200
        await watching.until("given")
        assert await is_helped()
        assert (await page.post("/api/v1/hand", {"touch": "h7"})).status == 200
        assert not await is_helped()
        told = await page.post("/api/v1/hand", {"back": True, "set_up": False})
        assert (told.status, await is_helped()) == (200, False), "what is false is not asked for"
        assert (await page.post("/api/v1/hand", {"set_up": True})).json["text"]
        assert await is_helped()
        await watching.until("lift")


async def test_a_game_that_simulated_hands_show_is_ended_from_a_page(served: Served) -> None:
    page = await served.known(Role.PLAYER)
    async with page.watch() as watching:
        assert await watching.read()
        assert not watching.state["demo"]
        assert (await page.post("/api/v1/hand", {"end_demo": True})).json["text"]
        served.seat.watch(read_game("famous"))
        await watching.until("move")
        assert watching.state["demo"]
        assert (await page.post("/api/v1/hand", {"end_demo": True})).json["text"]
        while watching.state["demo"] or watching.state["phase"] != "setup":
            assert await watching.read()
        assert watching.state["setup"]["helped"]


async def test_a_game_that_simulated_hands_show_gives_way_to_any_other(served: Served) -> None:
    page = await served.known(Role.PLAYER)
    async with page.watch() as watching:
        assert await watching.read()
        served.seat.watch(read_game("famous"))
        await watching.until("move")
        wish = {"start": "fen", "fen": ROOK_ENDING}
        assert (await page.post(SETUP, wish)).status == 200
        await watching.until("given")
        assert watching.state["game"]["start_fen"] == ROOK_ENDING
        assert not watching.state["demo"]


async def test_no_hand_of_a_page_puts_a_game_aside_that_is_over(served: Served) -> None:
    page = await served.known(Role.PLAYER)
    async with page.watch() as watching:
        assert await watching.read()
        await play_and_resign(served, page, watching)
        assert (await page.post("/api/v1/hand", {"set_up": True})).json["text"]
        state = (await page.get("/api/v1/state")).json
        assert (state["phase"], state["game"]["result"]) == ("over", "0-1")


async def test_a_page_learns_what_a_hand_at_the_terminal_does_beside_the_switches() -> None:
    async with Served() as served:
        served.pages.drives_hands = False  # as where a person is at the terminal
        page = await served.known(Role.PLAYER)
        async with page.watch() as watching:
            assert await watching.read()
            assert (await page.post(SETUP, {"start": "fen", "fen": ROOK_ENDING})).status == 200
            await watching.until("given")
            assert watching.state["setup"]["helped"]
            served.seat.put_into_box()  # nothing is in the hand, so nothing moves
            while watching.state["setup"]["helped"]:
                assert await watching.read()


async def test_the_opponent_of_the_last_game_is_proposed_for_the_next(real: Served) -> None:
    page = await real.known(Role.PLAYER)
    assert (await page.get(SETUP)).json["opponent"] is None
    wish = {"white": "Ann", "opponent": {"side": "b", **OWN_PLAYER}}
    assert (await page.post(SETUP, wish)).status == 200
    proposed = (await page.get(SETUP)).json
    assert proposed["opponent"] == {"side": "b", **OWN_PLAYER}
    assert proposed["black"] == "?", "an engine is called as its level is"
    assert (await page.post(SETUP, {"opponent": proposed["opponent"]})).status == 200
    assert (await page.post(SETUP, {})).status == 200
    assert (await page.get(SETUP)).json["opponent"] is None


async def test_who_begins_a_game_may_tell_the_date_to_a_board_that_has_none(real: Served) -> None:
    vouchers = list[str]()
    real.pages.controls.calendar = calendar = Calendar(is_right=lambda: bool(vouchers))
    page = await real.known(Role.PLAYER)
    assert (await page.get(SETUP)).json["asks_date"]
    for wrong in (
        *("2026-11-27T20:00:00", "1999-11-27T20:00:00Z", "soon"),
        *("9999-12-31T23:59:59.999999Z", "2200-01-01T00:00:00Z"),
    ):
        assert (await page.post(SETUP, {"now": wrong})).status == 422
        assert calendar.now() is None
    told = datetime(2026, 11, 27, 20, tzinfo=UTC)
    assert (await page.post(SETUP, {"now": "2026-11-27T20:00:00.000Z"})).status == 200
    assert _is_about(calendar, told)
    assert (await page.get(SETUP)).json["asks_date"], "who told it may have been wrong"
    later = told + timedelta(days=3)
    assert (await page.post(SETUP, {"now": later.isoformat()})).status == 200
    assert _is_about(calendar, later)
    vouchers.append("the network")
    assert not (await page.get(SETUP)).json["asks_date"]
    assert (await page.post(SETUP, {"now": told.isoformat()})).status == 200
    assert _is_about(calendar, later)


def _is_about(calendar: Calendar, moment: datetime) -> bool:
    now = calendar.now()
    return now is not None and abs(now - moment) < timedelta(hours=1)


async def test_a_position_follows_a_game_that_is_over_and_that_game_is_kept(real: Served) -> None:
    page = await real.known(Role.PLAYER)
    async with page.watch() as watching:
        assert await watching.read()
        await play_and_resign(real, page, watching)
        wish = {"start": "fen", "fen": ROOK_ENDING, "white": "Ann"}
        assert (await page.post(SETUP, wish)).status == 200
        await watching.until("given")
        assert watching.state["game"]["start_fen"] == ROOK_ENDING
        assert (watching.state["game"]["plies"], watching.state["game"]["result"]) == ([], "*")
        assert "e4" in watching.state["setup"]["surplus"]
    first, second = real.desk.session.games
    assert ([move.uci() for move in first.moves], first.outcome and first.outcome.result) == (
        ["e2e4"],
        "0-1",
    )
    assert second.moves == ()


async def test_a_game_that_is_played_is_not_put_aside(real: Served) -> None:
    page = await real.known(Role.PLAYER)
    async with page.watch() as watching:
        assert await watching.read()
        real.lift("e2")
        real.drop("e4", "P")
        await watching.until("move")
        refused = await page.post(SETUP, {"start": "fen", "fen": ROOK_ENDING})
        assert (refused.status, bool(refused.json["remedy"])) == (409, True)
        assert [ply[0] for ply in watching.state["game"]["plies"]] == ["e2e4"]


async def test_names_that_a_page_gives_count_after_a_game_against_an_engine(real: Served) -> None:
    page = await real.known(Role.PLAYER)

    async def called(wish: Mapping[str, object]) -> dict[str, str]:
        """How the page shows the players once a game is set up and resigned."""
        async with page.watch() as watching:
            assert await watching.read()
            begun = {"start": "fen", "fen": ROOK_ENDING, **wish}
            assert (await page.post(SETUP, begun)).status == 200
            await watching.until("given")
            await set_up_as_asked(real, watching)
            resign = {"id": str(watching.state["seq"]), "seq": watching.state["seq"]}
            assert (await page.post("/api/v1/table/resign_white", resign)).status == 200
            await watching.until("result")
            tags: dict[str, str] = watching.state["game"]["tags"]
            return {side: tags.get(side, "?") for side in ("White", "Black")}

    engine = {"white": "Ann", "opponent": {"side": "b", **OWN_PLAYER}}
    level = Wish(OWN, LEVELS[0]).title
    assert await called(engine) == {"White": "Ann", "Black": level}
    assert await called({"white": "Ann", "black": "Bob"}) == {"White": "Ann", "Black": "Bob"}
    assert await called(engine) == {"White": "Ann", "Black": level}
    assert await called({"black": "Cleo"}) == {"White": "Ann", "Black": "Cleo"}
    assert await called(engine) == {"White": "Ann", "Black": level}
    assert await called({}) == {"White": "Ann", "Black": "?"}
