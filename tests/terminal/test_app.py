"""The screen as a whole: sizes, taking over, breakdowns, leaving, boards of other kinds."""

from __future__ import annotations

import asyncio
import logging
from typing import Self

import pytest
from textual.geometry import Region
from textual.widget import Widget
from textual.widgets import Static

from boardfw.errors import BusError
from boardfw.frame import DARK, Frame
from boardfw.learning.lesson import Phase
from boardfw.learning.source import InOrder
from boardfw.learning.task import Find
from boardfw.learning.tutor import Tutor
from boardfw.lights.cue import Cue
from boardfw.lights.palette import ramp
from boardfw.players.game_player import pieces_on, read_game
from boardfw.rules import Position
from boardfw.shell.config import Settings
from boardfw.squares import BY_NAME, SWITCH_BY_NAME, Orientation, Switch
from boardfw.terminal.drawn_board import ZOOMS, Squares, zoom_for
from boardfw.terminal.paint import ManyColours, NoColours, SixteenColours, paint_for
from boardfw.terminal.panels import Message, Switches, Tray
from tests.learning.classroom import exercise
from tests.terminal.table import Table

WIDGETS = (Squares, "Situation", "Moves", "Switches", "#opening", "Tray", "Line", "#keys")


@pytest.mark.parametrize("size", [(80, 24), (100, 32), (120, 42), (200, 60)])
async def test_the_board_fits_with_every_line_of_the_screen(size: tuple[int, int]) -> None:
    async with Table().shown(*size) as table:
        screen = table.app.screen.region
        for selector in WIDGETS:
            widget = table.app.query_one(selector)
            region = widget.region
            assert screen.contains_region(region), selector
            assert isinstance(widget.parent, Widget)
            assert widget.parent.region.contains_region(region), selector
            assert region.area


@pytest.mark.parametrize("zoom", ZOOMS)
async def test_a_click_finds_the_square_whose_piece_is_drawn_there(zoom: tuple[int, int]) -> None:
    async with Table().shown(200, 60) as table:
        squares = table.app.query_one(Squares)
        squares.fit(next(z for z in ZOOMS if z == zoom))
        for _ in range(2):
            assert [squares.square_under(*squares.centre_of(Switch(s))) for s in range(64)] == [
                *range(64)
            ]
            assert squares.square_under(0, 0) is None
            squares.flip()


def test_a_screen_too_small_gets_the_smallest_board() -> None:
    assert zoom_for(10, 5) == ZOOMS[-1]
    assert zoom_for(42, 18).board.width == 42


@pytest.mark.parametrize(("size", "told"), [((63, 24), True), ((80, 15), True), ((64, 16), False)])
async def test_a_window_too_small_for_any_board_says_how_large_it_has_to_be(
    size: tuple[int, int], told: bool
) -> None:
    async with Table().shown(*size) as table:
        assert table.message.startswith("window too small: 64 by 16") == told


async def test_the_moves_are_those_of_the_record_also_where_it_changes_later_than_the_board() -> (
    None
):
    async with Table().shown() as table:
        await table.click("e2", "e4", "c7", "c5")
        await table.wait()
        await table.click("c5", "c7")
        await table.wait()
        assert (table.game, table.written) == ("1.e4", " 1. e4")


@pytest.mark.slow
async def test_the_opening_is_named_as_the_game_goes_and_as_it_is_taken_back() -> None:
    async with Table().shown() as table:
        assert table.opening == ""
        for ply, name in (
            (("e2", "e4"), "B00 King's Pawn Opening"),
            (("c7", "c5"), "B20 Sicilian Defence"),
            (("c5", "c7"), "B00 King's Pawn Opening"),
            (("e4", "e2"), ""),
            (("a2", "a4"), "A00 Ware Opening"),
            (("h7", "h5"), "A00 Ware Opening"),
        ):
            await table.click(*ply)
            await table.wait()
            assert table.opening == name


async def test_a_name_too_long_for_its_line_shows_that_it_goes_on() -> None:
    async with Table().shown(64, 24) as table:
        await table.click("c2", "c4", "e7", "e5", "g1", "f3", "e5", "e4")
        await table.wait()
        assert table.opening.endswith("King's English Variation, Nimzowitsch-Flohr Variation")
        line = table.app.query_one("#opening", Static)
        shown = "".join(segment.text for segment in line.render_line(0))
        assert shown.rstrip().endswith("…")


@pytest.mark.parametrize("size", [(80, 24), (64, 24), (100, 32)])
async def test_a_message_longer_than_its_line_goes_on_below_it(size: tuple[int, int]) -> None:
    async with Table().shown(*size) as table:
        squares = table.app.query_one(Squares).region
        for length in (10, 79, 80, 81, 150, 190):
            text = ("a knight " * 40)[:length].strip()
            table.app.say(text)
            await table.pilot.pause()
            message = table.app.query_one(Message)
            rows = [message.render_line(y).text for y in range(message.size.height)]
            assert " ".join(" ".join(rows).split()) == text
            assert table.app.screen.region.contains_region(message.region)
            assert table.app.screen.region.contains_region(table.app.query_one("Line").region)
            assert table.app.query_one(Squares).region == squares, "the board has not moved"
            table.app.say("short")
            await table.pilot.pause()
            assert message.size.height == 1
            assert table.app.query_one("#keys").display
            assert table.app.query_one("#opening").display


async def test_a_message_too_long_for_all_its_lines_shows_that_it_goes_on() -> None:
    async with Table().shown() as table:
        table.app.say("a knight " * 60)
        await table.pilot.pause()
        message = table.app.query_one(Message)
        assert message.size.height == 3
        assert message.render_line(2).text.rstrip().endswith("…")


async def test_too_small_a_window_is_told_as_long_as_it_is_so() -> None:
    async with Table().shown(60, 20) as table:
        assert table.message.startswith("window too small")
        await table.pilot.resize_terminal(80, 24)
        await table.pilot.pause()
        assert table.message == ""
        table.app.say("a new game")
        await table.pilot.resize_terminal(100, 30)
        await table.pilot.pause()
        assert table.message == "a new game"


def test_without_colours_each_hue_of_a_light_has_its_sign() -> None:
    """Lights that a screen of sixteen colours tells apart are told apart by signs, too."""
    settings, signs, few = Settings().lights.palette(), NoColours(), SixteenColours()
    seen: dict[object, set[str]] = {}
    for cue in Cue:
        for red, green, blue in set(ramp(cue, settings)):
            light = (red, green, blue)
            if any(light):
                hue = few.ground(light, is_light_square=False)
                colour = hue.ink if hue.fill != " " else hue.paper
                seen.setdefault(colour, set()).add(signs.ground(light, is_light_square=False).fill)
    assert len(seen) > 4
    assert all(len(fills) == 1 for fills in seen.values())
    fills = [fill for one in seen.values() for fill in one]
    assert len(set(fills)) == len(fills)
    assert " " not in fills
    assert signs.ground((0, 0, 0), is_light_square=False).fill == " "


async def test_where_no_colours_are_wanted_the_screen_shows_signs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with Table().shown() as table:
        squares = table.app.query_one(Squares)
        assert not set("".join(squares.render_line(y).text for y in range(8, 10))) & set(".:-=+#xX")
        await table.click("g1")
        rows = "".join(squares.render_line(y).text for y in range(16))
        assert set(rows) & set(".:-=+#xX"), "where the knight may go"
        assert any(sign in table.situation for sign in ("..", "::", "--", "==", "++", "##", "XX"))


class Drawn(Squares):
    """Notes what it would draw again."""

    def __init__(self) -> None:
        self.regions: list[Region] = []
        super().__init__()

    def refresh(
        self,
        *regions: Region,
        repaint: bool = True,
        layout: bool = False,
        recompose: bool = False,
    ) -> Self:
        self.regions += regions
        return self


def test_only_the_squares_that_changed_are_drawn_again() -> None:
    squares = Drawn()
    squares.show(DARK, {Switch(0): "R", Switch(9): "P"}, Orientation.AS_WIRED)
    squares.regions.clear()
    squares.show(DARK, {Switch(0): "R", Switch(9): "P"}, Orientation.AS_WIRED)
    assert squares.regions == []
    squares.show(
        Frame.of({Switch(9): (9, 9, 9)}), {Switch(0): "R", Switch(9): "P"}, Orientation.AS_WIRED
    )
    (region,) = squares.regions
    assert squares.square_under(*region.offset) == 9


async def test_white_and_black_pieces_differ_without_colours() -> None:
    async with Table().shown(80, 24) as table:
        squares = table.app.query_one(Squares)
        ranks = ["".join(rank.text.split()) for rank in map(squares.render_line, range(0, 16, 2))]
        assert ranks == ["8♜♞♝♛♚♝♞♜", "7♟♟♟♟♟♟♟♟", *"6543", "2♙♙♙♙♙♙♙♙", "1♖♘♗♕♔♗♘♖"]
        await table.click("e2")
        assert "♙" in _tray(table)
        await table.type("letters")
        assert "P" in _tray(table)
        assert squares.render_line(0).text.split() == [*"8rnbqkbnr"]
        assert squares.render_line(14).text.split() == [*"1RNBQKBNR"]


def _tray(table: Table) -> str:
    return str(table.app.query_one(Tray).content)


async def test_a_stuck_switch_is_marked_among_the_switches_and_told() -> None:
    async with Table().shown() as table:
        table.desk.session.stuck.known = 1 << SWITCH_BY_NAME["e2"]
        table.app.look()
        await table.click("b1")
        rows = str(table.app.query_one(Switches).render()).splitlines()
        assert rows[7:] == ["2 ● ● ● ● × ● ● ●", "1 ● · ● ● ● ● ● ●", "  a b c d e f g h"]
        assert "stuck switch, not needed: e2" in table.situation


@pytest.mark.slow
async def test_a_click_takes_over_from_the_hands_that_play_with_their_piece_in_the_air() -> None:
    table = Table()
    table.app.play(read_game("famous"))
    async with table.shown():
        while not table.app.seat.held:
            await table.wait(50_000)
        (label,) = table.app.seat.held
        await table.click("h3")
        assert "you have taken over; in your hand: white pawn" in table.message
        assert table.app.seat.held == [label]
        assert SWITCH_BY_NAME["h3"] not in table.sim.pieces
        await table.click("e4")
        await table.wait(30_000_000)
        assert table.game == "1.e4", "no hand plays on"


@pytest.mark.slow
async def test_a_lesson_ends_the_game_that_hands_play_by_themselves() -> None:
    table = Table()
    table.app.play(read_game("famous"))
    async with table.shown():
        await table.wait(20_000_000)
        assert table.app.seat.is_demo
        played = table.game
        endgame = exercise("4k3/8/8/8/8/8/3R4/4K3 w - - 0 1", Find((BY_NAME["d8"],)))
        table.desk.teach(lambda stood: Tutor(InOrder([endgame]), stood=stood))
        await table.wait(120_000_000)
        assert not table.app.seat.is_demo
        assert table.desk.lesson is not None
        assert table.desk.lesson.phase is Phase.ASKED
        assert table.game == played


@pytest.mark.slow
async def test_other_hands_go_on_with_the_game() -> None:
    table = Table()
    game = read_game("famous")
    table.app.play(game)
    async with table.shown():
        await table.wait(20_000_000)
        played = len(table.desk.session.record.moves)
        await table.type("hands blitz")
        await table.wait(90_000_000)
        moves = list(table.desk.session.record.moves)
        assert len(moves) > played + 10
        assert moves == game.moves[: len(moves)]


async def test_a_board_set_up_from_the_other_side_has_its_squares_named_so() -> None:
    async with Table().shown() as table:
        await table.type("e2e4")
        await table.wait(3_000_000)
        await table.type("press new_game")
        pieces = pieces_on(Position.start(), Orientation.TURNED)
        for square in table.sim.pieces:
            table.sim.lift(square)
        await table.wait()
        for square, piece in pieces.items():
            table.sim.drop(square, piece)
        await table.wait()
        table.sim.lift(SWITCH_BY_NAME["d7"])
        await table.wait()
        table.sim.drop(SWITCH_BY_NAME["d5"], "P")
        await table.wait()
        assert table.game == "1.e4"
        switches = str(table.app.query_one(Switches).render()).splitlines()
        assert switches[-1] == "  h g f e d c b a"
        await table.type("Nc6")
        await table.wait(3_000_000)
        await table.click("g1", "f3")
        await table.wait()
        assert table.game == "1.e4 Nc6 2.Nf3"


async def test_what_the_program_reports_is_one_line_on_the_screen() -> None:
    async with Table().shown() as table:
        logging.getLogger("boardfw.shell.scanner").error("the switches cannot be read")
        await asyncio.sleep(0)
        assert table.message == "the switches cannot be read"
    assert logging.getLogger().handlers


async def test_a_board_that_breaks_down_closes_the_screen_and_leaves_one_line() -> None:
    table = Table()

    async def broken() -> None:
        raise BusError("the switches are gone")

    table.loop.run = broken  # type: ignore[method-assign]
    async with table.app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
    assert table.app.fault == "the switches are gone"
    assert table.app.return_code == 1


async def test_ctrl_c_stops_the_board_even_while_something_is_typed() -> None:
    async with Table().shown() as table:
        await table.pilot.press("N", "f", "ctrl+c")
        await table.pilot.pause()
        assert not table.app.is_running
        assert table.app.return_code in (0, None)
        assert table.app.fault == ""


async def test_a_real_board_is_shown_but_not_moved() -> None:
    async with Table(sim=False).shown() as table:
        table.sim.lift(SWITCH_BY_NAME["g1"])
        await table.wait()
        assert "white knight g1 to f3 h3" in table.situation
        assert SWITCH_BY_NAME["g1"] not in table.app.seat.pieces
        table.sim.drop(SWITCH_BY_NAME["e4"], "N")
        await table.wait()
        assert table.app.seat.pieces[SWITCH_BY_NAME["e4"]] == "?"
        await table.click("a2")
        assert "moved by real hands" in table.message
        assert SWITCH_BY_NAME["a2"] in table.sim.pieces
        await table.type("e2e4")
        assert "moved by real hands" in table.message


def test_sixteen_colours_keep_the_four_hues_and_faint_lights_apart() -> None:
    paint = SixteenColours()
    lights = ((200, 200, 200), (0, 80, 255), (255, 110, 0), (200, 0, 40), (0, 0, 0), (6, 6, 6))
    for is_light in (False, True):
        grounds = [paint.ground(light, is_light_square=is_light) for light in lights]
        assert len(set(grounds)) == len(lights)
    assert paint.ground((0, 0, 0), is_light_square=False) != paint.ground(
        (0, 0, 0), is_light_square=True
    )


def test_the_faintest_light_on_a_dark_square_is_brighter_than_a_light_square() -> None:
    paint = ManyColours()
    lit = paint.ground((1, 1, 1), is_light_square=False).paper
    assert all(
        a > b for a, b in zip(lit, paint.ground((0, 0, 0), is_light_square=True).paper, strict=True)
    )


def test_the_paint_follows_the_screen() -> None:
    assert isinstance(paint_for("standard"), SixteenColours)
    assert isinstance(paint_for("truecolor"), ManyColours)
    assert isinstance(paint_for("256"), ManyColours)
