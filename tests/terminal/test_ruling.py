"""An arbiter types a ruling at the screen."""

from __future__ import annotations

import pytest

from boardfw.game.clock import ClockUse, parse_control
from tests.terminal.table import Table
from tests.terminal.test_typing_line import play


async def test_a_ruling_typed_is_said_and_the_pieces_are_led() -> None:
    async with Table().shown() as table:
        await play(table, "e4", "e5", "Nf3")
        await table.type("ruling 2.Nc3 by Ann Berg: both sheets say so")
        assert table.message == "2.Nc3 instead of 2.Nf3, by Ann Berg: both sheets say so"
        assert table.situation.startswith("Set up the pieces")
        assert "2. Nc3" in table.written
        for square in ("f3", "g1", "b1", "c3"):
            await table.type(square)
        await play(table, "Nf6")
        assert table.game == "1.e4 e5 2.Nc3 Nf6"


async def test_a_real_board_takes_rulings_too() -> None:
    async with Table(sim=False).shown() as table:
        await table.type("ruling 1.e4 by Berg: he forgot the switch")
        assert table.message == "1.e4 added, by Berg: he forgot the switch"
        assert table.game == "1.e4"


async def test_clocks_are_set() -> None:
    async with Table(clock=ClockUse(parse_control("300"))).shown() as table:
        await play(table, "e4", "e5")
        await table.type("ruling clocks 1:20:00 9:30 by Berg: read off the other clock")
        assert "White 1:20:00  Black 9:30" in table.head


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("ruling", "who rules, and why?"),
        ("ruling 1.e4", "who rules, and why?"),
        ("ruling 1.e4 by Berg", "who rules, and why?"),
        ("ruling Nf3 by Berg: so", "'Nf3' is not a ruling; write for example '12.Nf3'"),
        ("ruling 1.Ke2 by Berg: so", "nothing was changed: Ke2: not legal here"),
        ("ruling clocks 1:00 1:00 by Berg: so", "nothing was changed: the game is played without"),
    ],
)
async def test_what_cannot_be_is_said(typed: str, answer: str) -> None:
    async with Table().shown() as table:
        await table.type(typed)
        assert table.message.startswith(answer)
        assert table.game == ""
