"""An opponent in one run: asked by the session, heard by it, its move made by simulated hands."""

from __future__ import annotations

import asyncio

import pytest

from boardfw.errors import BoardError
from boardfw.game.events import Action, Event, GameGiven, Given, NewGame, Notified, Owed, Tick
from boardfw.game.opponent import Chosen
from boardfw.game.session import Session
from boardfw.recording import Scan
from boardfw.rules import WHITE, Position
from boardfw.services import opponents
from boardfw.services.levels import LEVELS, Level
from boardfw.services.opponents import OWN, Wish
from boardfw.shell.away_seat import AwaySeat, Sitting
from boardfw.shell.config import Settings
from boardfw.shell.desk import Desk
from boardfw.shell.pgn_file import Names
from boardfw.squares import BY_NAME, START, Occupancy
from hardware.clock import VirtualClock
from tests.patience import PATIENCE_S
from tests.services.uci.engines import AT_ONCE


class Run:
    """The loop of a run, as far as an opponent sees it."""

    def __init__(self, wish: Wish) -> None:
        self.events: asyncio.Queue[Event] = asyncio.Queue()
        self.desk = Desk(Session(), Settings())
        self.said: list[Action] = []
        self.seat = AwaySeat(VirtualClock(), Sitting(WHITE, wish))

    async def until(self, kind: type[Action]) -> Action:
        """Go on until this is said."""
        while True:
            event = await asyncio.wait_for(self.events.get(), PATIENCE_S)
            said = self.desk.take(event)
            self.said += said
            self.seat.take(said, self.desk)
            if told := [one for one in said if isinstance(one, kind)]:
                return told[0]


async def test_white_is_asked_and_its_move_owed() -> None:
    run = Run(Wish(OWN, LEVELS[0], pace=AT_ONCE))
    run.desk.take(Scan(0, START))
    run.seat.sit(run.events.put_nowait)
    owed = await run.until(Owed)
    assert isinstance(owed, Owed)
    view = run.desk.view.owed
    assert view is not None
    assert view.uci() == owed.uci
    await run.seat.leave()


async def test_who_is_chosen_once_more_plays_the_next_game_too() -> None:
    run = Run(Wish(OWN, LEVELS[0], pace=AT_ONCE))
    run.desk.take(Scan(0, START))
    run.seat.sit(run.events.put_nowait)
    await run.until(Owed)
    for number in (1, 2):
        run.seat.choose(Sitting(WHITE, Wish(OWN, LEVELS[0], pace=AT_ONCE)))
        run.events.put_nowait(GameGiven(number * 1_000_000, Position.start(), is_new=True))
        await run.until(Given)
        await run.until(Owed)
    assert len([one for one in run.said if isinstance(one, Owed)]) == 3
    await run.seat.leave()


async def test_what_is_to_be_said_of_the_opponent_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opponents, "usual_program", lambda: None)
    run = Run(Wish("", LEVELS[0], pace=AT_ONCE))
    run.desk.take(Scan(0, START))
    run.seat.sit(run.events.put_nowait)
    told = await run.until(Notified)
    assert isinstance(told, Notified)
    assert "install" in told.text
    await run.seat.leave()


async def test_an_opponent_that_is_picked_on_the_board_sits_down_and_is_asked() -> None:
    run = Run(Wish(OWN, LEVELS[0], pace=AT_ONCE))
    names = Names()
    run.seat = AwaySeat(VirtualClock(), names=names, usual=Wish(OWN, LEVELS[0], pace=AT_ONCE))
    run.desk.take(Scan(0, START))
    run.seat.sit(run.events.put_nowait)
    run.desk.take(run.events.get_nowait())
    stands, t_us = int(START), 1_000_000
    for touch in ("d8", "e8", "g5", "g5", "d8", "e8"):  # g5 is the second square of Black
        stands ^= 1 << BY_NAME[touch]
        t_us += 1_000_000
        run.events.put_nowait(Scan(t_us, Occupancy(stands)))
    run.events.put_nowait(Tick(t_us + 500_000))
    owed = await run.until(Owed)
    assert isinstance(owed, Owed)
    assert owed.ply == 1
    assert run.desk.session.away.chosen == Chosen(WHITE, "engine:own?level=2")
    assert names.last == {"White": "boardfw, level 2 (beginner)", "Black": "?"}
    await run.seat.leave()


async def test_the_name_of_the_first_opponent_goes_with_it() -> None:
    """The options of a run put it into the settings, where others find their names."""
    wish, names = Wish(OWN, LEVELS[0], pace=AT_ONCE), Names()
    run = Run(wish)
    run.desk = Desk(Session(), Settings().with_players(wish.title, "Ann", None))
    run.seat = AwaySeat(VirtualClock(), Sitting(WHITE, wish), names=names)
    run.desk.take(Scan(0, START))
    run.seat.sit(run.events.put_nowait)
    run.seat.choose(None)
    run.events.put_nowait(GameGiven(1_000_000, Position.start(), is_new=True))
    await run.until(Given)
    assert names.last == {"White": "?", "Black": "Ann"}
    await run.seat.leave()


async def test_an_opponent_that_adapts_is_as_strong_as_the_last_games_say() -> None:
    run = Run(Wish(OWN, LEVELS[0], pace=AT_ONCE))
    levels, asked, names = iter([LEVELS[1], LEVELS[1], LEVELS[3]]), list[str](), Names()

    def level_for(player: str) -> Level:
        asked.append(player)
        level = next(levels, None)
        if level is None:
            raise BoardError("the disk is gone")
        return level

    sitting = Sitting(WHITE, Wish(OWN, LEVELS[0], adapts=True, pace=AT_ONCE))
    run.seat = AwaySeat(VirtualClock(), sitting, names=names, level_for=level_for)
    names.say(run.desk.session.record, {"White": sitting.wish.title, "Black": "Ann"})
    run.desk.take(Scan(0, START))
    run.seat.sit(run.events.put_nowait)
    await run.until(Owed)
    assert run.desk.session.away.chosen == Chosen(WHITE, "engine:own?level=1")
    for level in ("2", "2", "4", "4"):  # at last they cannot be read
        run.seat.take([NewGame(0)], run.desk)
        while not run.events.empty():
            run.said += run.desk.take(run.events.get_nowait())
        assert run.desk.session.away.chosen == Chosen(WHITE, f"engine:own?level={level}")
        assert names.last["White"].startswith(f"boardfw, level {level} ")
    assert asked == ["Ann"] * 4
    assert "the disk is gone" in [one.text for one in run.said if isinstance(one, Notified)][-1]
    await run.seat.leave()
