"""Whole pieces of play with clicks alone, on bouncing switches, as a user at 80x24 plays them."""

from __future__ import annotations

import pytest

from boardfw.game.phase import GamePhase
from boardfw.recording import START_FEN
from boardfw.squares import SWITCH_BY_NAME
from tests.sizes import sized
from tests.terminal.table import REST_US, TOUCH_US, Table

CASTLING = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1"
PASSING = "4k3/8/8/8/4p3/8/3P4/4K3 w - - 0 1"
PROMOTING = "8/P6k/8/8/8/8/8/K7 w - - 0 1"
TAKING = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1"


@pytest.mark.parametrize("clicks", ["e4 d3 >d4", ">d4 e4 d3"])
async def test_en_passant_with_the_captured_taken_off_before_or_after(clicks: str) -> None:
    async with Table(PASSING).shown() as table:
        await table.click("d2", "d4")
        await table.wait()
        await table.click(*clicks.split())
        await table.wait()
        assert table.game == "1.d4 exd3"
        assert table.sim.box == ["P"]
        assert table.app.seat.held == []


@pytest.mark.slow
async def test_a_choice_says_how_long_it_stays_open_and_what_comes_next() -> None:
    async with Table(PROMOTING).shown() as table:
        await table.click("a7", "a8")
        assert "becomes a queen\nLift and replace on a8" in table.situation
        assert "again within 4 s for knight, rook," in table.situation
        for now, then in (
            ("queen", "knight"), ("knight", "rook"), ("rook", "bishop"), ("bishop", "queen")
        ):  # fmt: skip
            await table.click("a8", "a8")
            assert (
                f"becomes a {now} (4 s left)\nReplace on a8 again for a {then}\n" in table.situation
            )
        for left in (3, 2, 1):
            await table.wait(1_000_000)
            assert f"becomes a bishop ({left} s left)" in table.situation
        await table.wait(1_000_000)
        assert "becomes a" not in table.situation
        assert table.game == "1.a8=B"


async def test_a_capture_in_three_orders_of_the_hands() -> None:
    for clicks in ("e4 d5", "d5 e4 d5", ">d5 e4 d5"):
        async with Table(TAKING).shown() as table:
            await table.click(*clicks.split())
            await table.wait()
            assert table.game == "1.exd5"
            assert table.sim.pieces[SWITCH_BY_NAME["d5"]] == "P"


async def test_a_capture_is_taken_back_with_the_piece_out_of_the_box() -> None:
    async with Table(TAKING).shown() as table:
        await table.click("e4", "d5")
        await table.wait()
        await table.click("d5", "e4")
        await table.take("p")
        await table.click("d5")
        await table.wait()
        assert table.game == ""
        assert table.message == "a ply was taken back"
        assert table.app.seat.box.total() == 0


async def test_an_illegal_move_is_shown_in_words_and_lights_and_repaired() -> None:
    async with Table().shown() as table:
        await table.click("g1", "g3")
        await table.wait()
        assert "differ" in table.situation
        assert "white knight g3 -> g1" in table.situation
        assert any(table.desk.frame(table.clock.now_us())[SWITCH_BY_NAME["g1"]])
        assert table.game == ""
        await table.click("g3", "g1")
        await table.wait()
        assert table.situation.startswith("White to move")
        assert table.game == ""


async def test_a_lift_shows_the_legal_squares_and_a_bare_click_says_that_the_square_is_empty() -> (
    None
):
    async with Table().shown() as table:
        await table.click("g1")
        assert "white knight g1 to f3 h3" in table.situation
        assert "You may go here." in table.situation
        await table.pilot.press("escape")
        await table.wait()
        await table.click("e5")
        assert table.message == "e5 is empty"


@pytest.mark.slow
async def test_a_pawn_in_hand_is_put_aside_with_the_space_bar_and_taken_up_again() -> None:
    async with Table(TAKING).shown() as table:
        await table.click("e4")
        await table.pilot.press("space")
        await table.wait(TOUCH_US)
        assert table.app.seat.held == []
        assert table.app.seat.box["P"] == 1
        await table.take("P")
        await table.click("e4")
        await table.wait(REST_US)
        assert table.game == ""
        assert table.app.seat.box.total() == 0


@pytest.mark.slow
async def test_check_mate_and_result_are_told_and_pieces_set_up_again_begin_another_game() -> None:
    async with Table().shown() as table:
        for move in ("f2 f3", "e7 e5", "g2 g4", "d8 h4"):
            await table.click(*move.split())
            await table.wait()
        assert table.game == "1.f3 e5 2.g4 Qh4#"
        assert "0-1  Black won by checkmate" in table.situation
        assert table.written.endswith("0-1")
        await table.click("h4", "f3", "e5", "g4", "g2", "e7", "f2", "d8")
        await table.wait()
        assert table.desk.view.phase is GamePhase.PLAY
        assert len(table.desk.session.games) == 2
        assert table.message == "a new game"


@pytest.mark.both
@pytest.mark.parametrize(
    ("fen", "drags", "game"),
    [
        (PASSING, "d2-d4 e4-d3 d4-box", "1.d4 exd3"),
        (START_FEN, "e2-e2 e4-e4", "1.e4"),
        (START_FEN, "e2-e4 e7-e5 g1-f3", "1.e4 e5 2.Nf3"),
        (TAKING, "e4-d5", "1.exd5"),
        (CASTLING, "e1-g1 h1-f1", "1.O-O"),
    ][: sized(2, 5)],
)
async def test_a_drag_is_a_lift_and_a_drop(fen: str, drags: str, game: str) -> None:
    """The last one is two clicks: pressed and let go on the same square."""
    async with Table(fen).shown() as table:
        for drag in drags.split():
            await table.drag(*drag.split("-"))
        await table.wait()
        assert table.game == game
        assert table.app.seat.held == []


async def test_a_piece_is_dragged_from_the_box_to_the_board() -> None:
    async with Table(TAKING).shown() as table:
        await table.drag("e4", "box")
        assert table.app.seat.box["P"] == 1
        await table.drag("P", "e4")
        await table.wait()
        assert table.app.seat.box.total() == 0
        assert table.sim.pieces[SWITCH_BY_NAME["e4"]] == "P"


async def test_a_click_that_slips_while_a_piece_is_put_down_touches_nothing_else() -> None:
    async with Table().shown() as table:
        await table.click("e2")
        await table.drag("e4", "e5")
        await table.wait()
        assert table.game == "1.e4"
        assert table.app.seat.held == []
