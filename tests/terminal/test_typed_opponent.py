"""Opponents that are chosen, answered and left by words typed at the screen."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from boardfw.game.clock import parse_control
from boardfw.game.events import Answered, Consulted, Owed, Seated
from boardfw.game.opponent import Chosen, Plays, Situation
from boardfw.game.phase import GamePhase
from boardfw.notation.uci import parse_uci
from boardfw.rules import BLACK, WHITE
from boardfw.services.levels import LEVELS
from boardfw.services.opponents import OWN, Wish
from boardfw.shell.away_seat import AwaySeat
from boardfw.shell.pgn_file import Names
from boardfw.terminal.talk import Beside
from hardware.clock import VirtualClock
from tests.patience import PATIENCE_S
from tests.services.uci.engines import AT_ONCE
from tests.terminal.table import Table


@asynccontextmanager
async def against_anybody() -> AsyncIterator[tuple[Table, asyncio.Queue[Owed]]]:
    """Open a table for an opponent of any kind; yield it and a queue of the opponent's moves."""
    names = Names()
    away = AwaySeat(VirtualClock(), names=names, usual=Wish(OWN, LEVELS[2], pace=AT_ONCE))
    owed = asyncio.Queue[Owed]()
    async with Table(beside=Beside(names, away=away)).shown() as table:
        away.sit(table.loop.tell)
        table.loop.listen(lambda action: away.take([action], table.desk))
        table.loop.listen(lambda one: owed.put_nowait(one) if isinstance(one, Owed) else None)
        yield table, owed
        await away.leave()


async def test_play_begins_a_new_game_against_the_opponent_that_is_named() -> None:
    async with against_anybody() as (table, owed):
        await table.click("e2", "e4")
        await table.wait()
        await table.type("play own black level 1 5+3")
        assert table.message.startswith(
            "a new game against boardfw, level 1 (just learnt the rules), you are Black: the sim"
        )
        session = table.desk.session
        assert session.away.chosen is None, "the game before is not over yet"
        await table.wait(60_000_000)
        assert session.away.chosen == Chosen(WHITE, "engine:own?level=1")
        assert session.record.control == parse_control("300+3")
        assert len(session.games) == 2
        move = await asyncio.wait_for(owed.get(), PATIENCE_S)
        assert move.ply == 1
        await table.type("names")
        assert table.message == "White: boardfw, level 1 (just learnt the rules), Black: ?"
        await table.type("resign")
        assert session.record.outcome is not None
        assert session.record.outcome.result == "1-0"


async def test_simulated_hands_make_the_move_of_an_opponent() -> None:
    async with against_anybody() as (table, owed):
        await table.type("play own white")
        await table.click("e2", "e4")
        await asyncio.wait_for(owed.get(), PATIENCE_S)
        await table.wait(8_000_000)
        assert len(table.desk.session.record.moves) == 2


async def test_a_touch_waits_while_the_hands_make_the_move_of_an_opponent() -> None:
    async with against_anybody() as (table, owed):
        await table.type("play own white")
        await table.click("e2", "e4")
        await asyncio.wait_for(owed.get(), PATIENCE_S)
        await table.click("d2")
        assert table.message == "first the hands make the opponent's move"
        await table.type("d4")  # typed ahead
        await table.wait(12_000_000)
        assert len(table.desk.session.record.moves) >= 3
        assert table.desk.session.record.moves[2].uci() == "d2d4"


async def test_who_moves_before_the_opponent_has_answered_loses_no_answer() -> None:
    asked = list[Situation]()
    async with Table().shown() as table:
        table.loop.listen(
            lambda one: asked.append(one.situation) if isinstance(one, Consulted) else None
        )
        table.loop.tell(Seated(table.clock.now_us(), Chosen(BLACK)))
        await table.click("e2", "e4")
        await table.wait()
        await table.click("d2", "d4")  # it is not White's turn
        reply = parse_uci(table.desk.view.position, "e7e5")
        table.loop.tell(Answered(table.clock.now_us(), Plays(asked[-1], reply)))
        await table.wait(8_000_000)
        assert table.game == "1.e4", "hands do not move amid a mismatch"
        await table.type("setup")
        await table.wait(12_000_000)
        assert table.game == "1.e4 e5"


async def test_a_game_without_a_ply_is_left_at_once_and_people_may_play_again() -> None:
    async with against_anybody() as (table, owed):
        await table.type("names Ann - Ben")
        await table.type("play own black")
        assert table.desk.session.away.chosen == Chosen(WHITE, "engine:own?level=3")
        await asyncio.wait_for(owed.get(), PATIENCE_S)
        await table.type("play engine white")  # before the hands have made the move
        assert table.desk.session.away.chosen == Chosen(BLACK, "engine:own?level=3")
        await table.type("names")
        assert table.message == "White: Ben, Black: boardfw, level 3 (learner)"
        await table.type("play person none")
        assert table.desk.session.away.chosen is None
        await table.type("names")
        assert table.message == "White: Ben, Black: ?"
        await table.click("e2", "e4", "e7", "e5")
        await table.wait()
        assert table.game == "1.e4 e5"


async def test_who_thinks_again_goes_back_to_the_game_with_its_opponent() -> None:
    async with against_anybody() as (table, _):
        await table.click("e2", "e4")
        await table.wait()
        await table.type("play own black")
        await table.type("undo")
        assert table.message == "this game goes on"
        await table.wait(30_000_000)
        assert table.desk.session.away.chosen is None
        await table.click("e7", "e5")
        await table.wait()
        assert table.game == "1.e4 e5"


async def test_play_is_told_what_it_lacks_and_changes_nothing() -> None:
    async with against_anybody() as (table, _):
        await table.click("e2", "e4")
        await table.wait()
        for text, told in (
            ("play", "play: write 'play engine'"),
            ("play own level 12", "level '12': there is none such"),
            ("play deepthought", "engine 'deepthought': there is no such program"),
        ):
            await table.type(text)
            assert table.message.startswith(told)
        assert table.desk.session.phase.kind is GamePhase.PLAY
        assert not table.desk.session.course.is_asked
    async with Table().shown() as table:
        await table.type("play own")
        assert table.message == "play: there is no opponent here but those at the board"
