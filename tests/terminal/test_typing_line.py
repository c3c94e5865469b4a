"""Typed lines: squares, moves and commands; and the hands that play them."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.events import Key

from boardfw.rules import Outcome
from boardfw.squares import SWITCH_BY_NAME
from boardfw.terminal.typing_line import KEYS, Help, Line
from tests.terminal.table import Table

TURNED = 6_000_000


async def play(table: Table, *moves: str) -> None:
    """Type moves, each when the one before has been played."""
    for move in moves:
        await table.type(move)
        await table.wait(TURNED)


async def test_typed_squares_lift_and_drop() -> None:
    async with Table().shown() as table:
        for square in ("g1", "f3", "E7", "e5"):
            await table.type(square)
        await table.wait()
        assert table.game == "1.Nf3 e5"


async def test_typed_moves_are_played_by_the_hands_in_any_notation() -> None:
    async with Table().shown() as table:
        await play(table, "e2e4", "e5", "Nf3", "b8c6", "Bb5", "a6", "O-O")
        assert table.game == "1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.O-O"
        assert table.message == "careful hands play O-O"
        assert " 4. O-O" in table.written


@pytest.mark.slow
async def test_a_draw_is_claimed_with_the_move_that_is_typed() -> None:
    async with Table().shown() as table:
        await play(table, *("Nf3", "Nf6", "Ng1", "Ng8") * 2)
        await table.type("claim")
        await table.wait()
        assert table.desk.session.record.outcome == Outcome("1/2-1/2", "threefold_repetition")
    async with Table("4k3/8/8/8/8/8/4P3/R3K3 w - - 99 80").shown() as table:
        await table.type("claim Ke9")
        assert "Ke9" in table.message
        await table.type("claim Kd1")
        assert "a draw is claimed with the next move" in table.message
        await table.wait(TURNED)
        assert table.desk.session.record.outcome == Outcome("1/2-1/2", "fifty_moves")


async def test_moves_typed_ahead_wait_for_their_turn() -> None:
    async with Table().shown() as table:
        for move in ("e4", "e5", "Nf3"):
            table.app.query_one(Line).value = move
            await table.pilot.press("enter")
        await table.wait(10_000_000)
        assert table.game == "1.e4 e5 2.Nf3"


async def test_a_promotion_typed_is_the_piece_typed() -> None:
    async with Table("8/P6k/8/8/8/8/8/K7 w - - 0 1").shown() as table:
        await table.type("a8=N")
        await table.wait(12_000_000)
        assert table.game == "1.a8=N"


CANNOT = {
    "wibble": "'wibble': not a square, move or command; type help",
    "e2e5": "e2e5: not legal here",
    "Ke2": "Ke2: not legal here",
    "e6": "e6 is empty",
    "lift z9": "lift z9: not a square",
    "load nothing.pgn": "nothing.pgn: cannot be read: No such file",
    "hands": "no such hands; there are careful, club",
    "hands clumsy": "hands clumsy: no such hands",
    "press newgame": "press newgame: no such button; did you mean new_game?",
    "press": "no such button; there are new_game",
    "box": "your hand is empty",
    "box x": "box x: not a piece",
    "take q": "no black queen in the box",
    "[/b] [red]": "'[/b] [red]': not a square, move",
}


async def test_what_cannot_be_done_is_one_clear_line_and_breaks_nothing() -> None:
    async with Table().shown() as table:
        before = table.sim.pieces
        for typed, answer in CANNOT.items():
            await table.type(typed)
            assert answer in table.message
            assert "\n" not in table.message
            assert table.sim.pieces == before
        await table.wait()
        await play(table, "e4")
        assert table.game == "1.e4"


async def test_a_move_is_not_played_while_a_piece_is_in_the_hand_or_stands_wrong() -> None:
    async with Table().shown() as table:
        await table.type("g1")
        await table.type("e2e4")
        assert table.message == "put down the piece in your hand first"
        await table.type("g3")
        await table.wait()
        await table.type("e2e4")
        assert table.message.startswith("the hands wait until the pieces stand as before")
        assert SWITCH_BY_NAME["e2"] in table.sim.pieces


async def test_buttons_are_pressed_by_name() -> None:
    async with Table().shown() as table:
        await play(table, "e4", "press resign black")
        assert "1-0  White won by resignation" in table.situation


@pytest.mark.slow
async def test_a_game_is_loaded_and_played_though_another_stands_on_the_board(
    tmp_path: Path,
) -> None:
    path = tmp_path / "short game.pgn"
    path.write_text("1. f3 e5 2. g4 Qh4# 0-1\n")
    async with Table().shown() as table:
        await play(table, "e4", "hands blitz", f"load {path}")
        await table.wait(40_000_000)
        assert table.game == "1.f3 e5 2.g4 Qh4#"
        assert [len(record.moves) for record in table.desk.session.games] == [1, 4]


async def test_the_letters_before_the_first_move_are_keys_and_after_it_text() -> None:
    async with Table().shown() as table:
        await table.pilot.press("B", "q")
        assert table.app.query_one(Line).value == "Bq"
        await table.pilot.press("escape")
        assert table.app.query_one(Line).value == ""
        await table.pilot.press("?")
        assert "right click" in str(table.app.screen.query_one("#help").render())
        await table.pilot.press("x")
        assert table.app.query_one(Line).value == ""
        await table.pilot.press("q")
        await table.pilot.pause()
        assert not table.app.is_running


async def test_typing_on_over_the_help_closes_it_and_stops_nothing() -> None:
    async with Table().shown() as table:
        await table.pilot.press("?")
        help_page = table.app.screen
        for letter in "e2e4":  # all of them on their way to the page when the first one closes it
            help_page.post_message(Key(letter, letter))
        await table.pilot.pause()
        assert table.app.is_running
        assert not isinstance(table.app.screen, Help)


async def test_all_of_the_help_is_read_on_the_smallest_screen_without_a_mouse() -> None:
    async with Table().shown() as table:
        await table.pilot.press("?")
        page = table.app.screen
        assert page.max_scroll_y > 0
        for _ in range(3):
            await table.pilot.press("down")
        assert page.scroll_y == page.max_scroll_y
        await table.pilot.press("pageup", "up", "up")
        assert page.scroll_y == 0
        await table.pilot.press("enter")
        assert not isinstance(table.app.screen, Help)


def test_the_line_of_keys_fits_on_the_smallest_screen() -> None:
    assert len(KEYS) <= 79


async def test_a_typed_level_of_help_is_told_and_holds() -> None:
    async with Table().shown() as table:
        await table.type("level black 3")
        assert table.message == "help: White level 1, Black level 3"
        await table.type("LEVEL 0")
        assert table.message == "help: White level 0, Black level 0"
        await table.type("level much")
        assert table.message.startswith("level: write a level from 0 to 4")
        await table.type("g1")
        assert not table.desk.view.destinations
