"""Pieces are set up by clicks, or by the simulator, as the board asks for them."""

from __future__ import annotations

import pytest

from boardfw.game.phase import GamePhase
from boardfw.squares import BY_NAME
from tests.terminal.table import Table

ENDING = "8/5pk1/6p1/8/8/1P3R2/r5PP/7K w - - 0 40"


async def test_the_screen_names_the_next_piece_and_misplaced_ones() -> None:
    async with Table(ENDING, in_box=True).shown() as table:
        assert "Set up the pieces: 9 to go\nwhite king to h1" in table.situation
        assert "Place it here." in table.situation
        await table.take("K")
        await table.click("h1")
        assert "Set up the pieces: 8 to go\nblack king to g7" in table.situation
        await table.take("k")
        await table.click("e5")
        assert "no piece belongs on e5: take it off" in table.message
        assert "take off e5" in table.situation
        assert "Take this piece off." in table.situation
        assert "Set up the pieces: 9 to go" in table.situation  # it counts as well
        await table.click("e5")
        await table.wait()
        assert table.message == "", "nothing stands there any more"


@pytest.mark.slow
async def test_pieces_clicked_where_they_are_asked_for_begin_the_game() -> None:
    async with Table(ENDING, in_box=True).shown() as table:
        while table.desk.view.asked:
            piece, squares = table.desk.view.asked
            await table.take(piece.letter)
            names = [name for name, square in BY_NAME.items() if squares >> square & 1]
            await table.click(names[0])
        assert "the pieces are set up: White to move" in table.message
        await table.click("f3", "f6")
        await table.wait()
        assert table.game == "40.Rf6"


async def test_the_simulator_sets_up_what_the_board_asks_for() -> None:
    async with Table(ENDING, in_box=True).shown() as table:
        await table.type("setup")
        assert "The simulator is setting up the pieces" in table.message
        await table.wait(60_000_000)
        assert table.desk.session.phase.kind is GamePhase.PLAY
        assert not table.desk.view.orientation.is_turned
        assert table.sim.box == []
        await table.type("Rf6")
        await table.wait(8_000_000)
        assert table.game == "40.Rf6"
        await table.type("setup")
        assert "the pieces stand as in the game; 'new' starts another" in table.message


@pytest.mark.slow
async def test_hands_that_put_pieces_in_place_say_how_far_they_are() -> None:
    async with Table(ENDING).shown() as table:
        seat = table.app.seat
        await table.wait()
        await table.click("f3", "c5", "b3", "h8")
        await table.wait(8_000_000)
        assert seat.to_go == 0, "nothing is put right yet"
        seat.put_in_place()
        left = [seat.to_go]
        while seat.to_go:
            await table.wait(100_000)
            left.append(seat.to_go)
        assert left[0] == 3  # of two pieces one is lifted at once, and both are missing at home
        assert left == sorted(left, reverse=True)
        await table.type("new")
        await table.wait(1_500_000)
        asked = table.desk.view
        assert seat.to_go == (asked.wanted | asked.surplus).bit_count() > 0


async def test_touching_the_board_takes_over_from_the_hands_that_set_up() -> None:
    async with Table(ENDING, in_box=True).shown() as table:
        await table.type("setup")
        await table.wait(8_000_000)
        await table.click("h1")
        standing = table.sim.pieces
        await table.wait(20_000_000)
        assert table.sim.pieces == standing
