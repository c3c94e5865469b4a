"""Words typed at the screen do what they say, as the buttons of the panel do."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from textual.widgets import Static

from boardfw.errors import BoardError
from boardfw.game.clock import ClockUse, parse_control
from boardfw.game.phase import GamePhase
from boardfw.learning.trainers.mistake_trainer import Mistake, Turns
from boardfw.shell.dates import Calendar
from boardfw.shell.pgn_file import Names
from boardfw.squares import SWITCH_BY_NAME
from boardfw.terminal.talk import WORDS, Beside
from boardfw.terminal.typing_line import QrCode
from tests.terminal.table import Table
from tests.terminal.test_typing_line import play

MATED = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
TAKING = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1"
TODAY = datetime(2026, 11, 22, 12, tzinfo=UTC)


async def test_undo_takes_the_last_ply_back_and_the_hands_put_its_pieces_home() -> None:
    async with Table(TAKING).shown() as table:
        await table.click("e4", "d5")
        await table.wait()
        assert table.game == "1.exd5"
        await table.type("undo")
        await table.wait(30_000_000)
        assert table.game == ""
        assert table.desk.session.phase.kind is GamePhase.PLAY
        assert (table.sim.pieces[SWITCH_BY_NAME["e4"]], table.sim.pieces[SWITCH_BY_NAME["d5"]]) == (
            "P",
            "p",
        )
        await table.type("e5")
        await table.wait(8_000_000)
        assert table.game == "1.e5"


async def test_without_a_ply_nothing_is_taken_back_and_that_is_said() -> None:
    async with Table().shown() as table:
        for word in ("undo", "takeback", "take back", "UNDO"):
            await table.type(word)
            assert table.message == "there is no ply to take back"


@pytest.mark.parametrize(
    ("word", "result"),
    [("resign", "0-1"), ("resign white", "0-1"), ("resign black", "1-0"), ("Resign Black", "1-0")],
)
async def test_the_side_to_move_resigns_or_the_named_side(word: str, result: str) -> None:
    async with Table().shown() as table:
        await table.type(word)
        outcome = table.desk.session.record.outcome
        assert outcome is not None
        assert (outcome.result, outcome.termination) == (result, "resignation")
        await table.type("undo")
        assert "by resignation: this result stays; 'new' starts another game" in table.message


async def test_draw_offers_and_agrees() -> None:
    async with Table().shown() as table:
        await table.type("draw")
        assert table.message == "a draw is offered: draw once more agrees, a move declines"
        await table.type("draw")
        assert "by agreement" in table.situation
        await table.type("draw")
        assert table.message == "no game is being played now; 'new' starts one"


async def test_new_begins_another_game_which_the_hands_set_up() -> None:
    async with Table().shown() as table:
        await table.click("e2", "e4")
        await table.wait()
        await table.type("new")
        assert table.message.startswith("a new game: the simulator is setting up the pieces")
        await table.wait(60_000_000)
        assert table.desk.session.phase.kind is GamePhase.PLAY
        assert len(table.desk.session.games) == 2
        await table.type("d4")
        await table.wait(8_000_000)
        assert table.game == "1.d4"


@pytest.mark.parametrize("word", ["new", "setup"])
async def test_a_piece_left_in_the_hand_is_set_up_too(word: str) -> None:
    """The board begins without it, as if a contact were poor; hands do not."""
    async with Table().shown() as table:
        await table.click("b1")
        await table.type(word)
        await table.wait(20_000_000)
        assert table.app.seat.held == []
        assert len(table.sim.pieces) == 32
        await table.type("d4")
        await table.wait(8_000_000)
        assert table.game == "1.d4"


@pytest.mark.slow
@pytest.mark.parametrize("wait_us", [2_000_000, 0, 500_000, 4_000_000])
async def test_new_is_undone_and_the_game_goes_on(wait_us: int) -> None:
    """Whatever the hands have set up meanwhile: no ply is lost by it."""
    async with Table().shown() as table:
        await table.click("e2", "e4", "e7", "e5", "g1", "f3", "b8", "c6", "f1", "b5", "a7", "a6")
        await table.wait()
        await table.type("new")
        await table.wait(wait_us)
        await table.type("undo")
        assert table.message == "this game goes on"
        await table.wait(40_000_000)
        assert table.desk.session.phase.kind is GamePhase.PLAY
        assert table.game == "1.e4 e5 2.Nf3 Nc6 3.Bb5 a6"


async def test_setup_puts_pieces_right_that_were_knocked_over() -> None:
    async with Table().shown() as table:
        await table.click("g1", "g4", "h7", "h5", "a1", "a4")
        await table.wait()
        await table.type("setup")
        await table.wait(30_000_000)
        assert table.game == ""
        assert table.situation.startswith("White to move")


async def test_names_are_given_for_this_game_and_the_next() -> None:
    names = Names()
    table = Table(beside=Beside(names))
    async with table.shown():
        await table.type("names Ann Berg - Bob")
        assert table.message == "White: Ann Berg, Black: Bob"
        await table.type("white Eve")
        assert table.message == "White: Eve, Black: Bob"
        assert names.of(table.desk.session.record) == {"White": "Eve", "Black": "Bob"}
        for line in ("names", "names "):
            await table.type(line)
            assert table.message == "White: Eve, Black: Bob"
        for line in ("names Ann", "white", "names Ann - ", "black " + "x" * 300):
            await table.type(line)
            assert table.message != "White: Eve, Black: Bob"
        assert names.last == {"White": "Eve", "Black": "Bob"}


@pytest.mark.slow
async def test_a_clock_is_chosen_before_the_first_ply_and_later_for_the_next_game() -> None:
    async with Table().shown() as table:
        await table.type("clock")
        assert table.message == "clock: none; 'clock 5+3' chooses one"
        await table.type("clock 5+3")
        assert table.message == "clock: 5 minutes and 3 seconds for each move"
        assert "White 5:03" in table.head
        await table.click("e2", "e4")
        await table.wait()
        assert "►Black 5:0" in table.head
        await table.type("clock 1+0")
        assert table.message.startswith("clock from the next game on: 1 minute")
        assert "White 5:0" in table.head
        await table.type("clock soon")
        assert table.message.startswith("time control 'soon'")
        await table.type("new")
        await table.wait(60_000_000)
        assert "White 1:00" in table.head
        await table.type("clock none")
        assert "White" not in table.head


async def test_a_chosen_clock_replaces_the_one_of_the_settings() -> None:
    async with Table(clock=ClockUse(parse_control("300"))).shown() as table:
        await table.type("clock none")
        await table.click("e2", "e4")
        await table.wait()
        record = table.desk.session.record
        assert (record.control, record.ply_times) == (None, ())


async def test_the_question_about_the_date_covers_no_answer() -> None:
    calendar = Calendar("auto", lambda: False, lambda: TODAY)
    async with Table(beside=Beside(calendar=calendar)).shown() as table:
        link = "http://localhost:8080/pair#KEY"
        table.app.talk.page_link = lambda: link
        await table.type("page")
        table.app.ask_date()
        shown = str(table.app.query_one("#message", Static).content).splitlines()
        assert shown[0].endswith(link)  # which can be copied alone
        assert table.message.endswith(table.app.talk.date_question())


async def test_the_date_is_asked_once_and_the_users_word_counts() -> None:
    calendar = Calendar("auto", lambda: False, lambda: TODAY)
    async with Table(beside=Beside(calendar=calendar)).shown() as table:
        question = table.app.talk.date_question()
        assert question.startswith(f"is it {TODAY.astimezone():%A, %Y-%m-%d %H:%M}?")
        assert calendar.now() is None
        for wrong in ("date tomorrow", "date 1999-01-01 10:00"):
            await table.type(wrong)
            assert calendar.now() is None
        await table.type("date yes")
        assert calendar.now() == TODAY
        assert table.app.talk.date_question() == ""
        await table.type("date 2027-03-04 20:15")
        assert table.message == "the date: Thursday, 2027-03-04 20:15"
        told = calendar.now()
        assert told is not None
        assert f"{told.astimezone():%Y-%m-%d %H:%M}" == "2027-03-04 20:15"


async def test_on_a_real_board_words_say_what_buttons_say() -> None:
    async with Table(sim=False).shown() as table:
        await table.type("resign")
        assert "by resignation" in table.situation
        await table.type("new")
        assert "a new game: set up the pieces" in table.message


async def test_every_word_answers_something_or_does_it() -> None:
    async with Table().shown() as table:
        for word in WORDS:
            assert table.app.talk.answer(f"{word} !!") is not None, word


async def test_a_question_what_a_pawn_became_is_answered_by_its_number() -> None:
    table = Table("8/P6k/7p/8/8/8/7K/8 w - - 0 1")
    a7, a8 = SWITCH_BY_NAME["a7"], SWITCH_BY_NAME["a8"]
    async with table.shown():
        await table.type("1")
        assert table.message == "the board asks nothing that 1 answers"
        table.sim.lift(a7)
        for away_us, label in ((500_000, "P"), (300_000, "P"), (800_000, "Q")):
            await table.wait(away_us)
            table.sim.drop(a8, label)
            await table.wait(1_000_000)
            if label != "Q":
                table.sim.lift(a8)
        # The pawn's first lift may have been a lost contact.
        assert "Which piece was it?" in table.situation
        assert "1 a8=N   2 a8=Q" in table.situation
        await table.type("2")
        assert table.game == "1.a8=Q"
        assert "Which piece" not in table.situation


@pytest.mark.slow
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


NO_RULINGS = {
    "ruling": "who rules, and why?",
    "ruling 1.e4": "who rules, and why?",
    "ruling 1.e4 by Berg": "who rules, and why?",
    "ruling Nf3 by Berg: so": "'Nf3' is not a ruling; write for example '12.Nf3'",
    "ruling 1.Ke2 by Berg: so": "nothing was changed: Ke2: not legal here",
    "ruling clocks 1:00 1:00 by Berg: so": "nothing was changed: the game is played without",
}


async def test_what_cannot_be_is_said() -> None:
    async with Table().shown() as table:
        for typed, answer in NO_RULINGS.items():
            await table.type(typed)
            assert table.message.startswith(answer)
            assert table.game == ""


# ---------------------------------------------------------------------- opponents that are not here


@pytest.mark.slow
async def test_a_game_that_is_over_is_replayed_where_it_turned_and_the_simulator_leads() -> None:
    async with Table().shown() as table:
        await table.type("analyse")
        assert table.desk.wanted is None
        assert table.message
        table.desk.can_look_back = True
        for move in ("f3", "e5", "g4", "Qh4"):
            await table.type(move)
            await table.wait(8_000_000)
        record = table.desk.session.record
        await table.type("analyse")
        assert table.desk.wanted is record
        before = record.positions()[2]
        moves = {move.uci(): move for move in before.legal_moves()}
        table.desk.look_back(Turns([Mistake(before, record.moves[2], (moves["e2e4"],), None)]))
        await table.wait(30_000_000)
        assert table.sim.pieces[SWITCH_BY_NAME["g2"]] == "P"
        await table.type("g4")  # as it was
        await table.wait(30_000_000)
        assert table.sim.pieces[SWITCH_BY_NAME["g2"]] == "P"
        await table.type("skip")  # what was better
        await table.wait(1_000_000)
        assert not table.desk.is_taught
        assert (len(record.moves), table.desk.session.record) == (4, record)
        await table.type("new")
        await table.wait(60_000_000)
        assert [len(game.moves) for game in table.desk.session.games] == [4, 0]


async def test_the_page_is_shown_again_whenever_somebody_asks_for_it() -> None:
    async with Table().shown() as table:
        await table.type("page")
        assert "docs/web.md" in table.message
        keys = iter(("http://localhost:1/pair#one", "http://localhost:1/pair#two"))
        table.app.talk.page_link = lambda: next(keys)
        await table.type("page")
        assert table.message.endswith("#one")
        await table.type("pause")
        await table.type("page")
        assert table.message.endswith("#two"), "a key opens the board once"


async def test_a_full_disk_leaves_the_page_without_a_key_and_the_board_as_it_is() -> None:
    def refuse() -> str:
        raise BoardError("games.db: the disk is full")

    async with Table().shown() as table:
        table.app.talk.page_link = refuse
        await table.type("page")
        assert table.message.endswith("the disk is full")
        await table.type("e4")
        await table.wait(8_000_000)
        assert len(table.desk.session.record.moves) == 1


async def test_a_phone_reads_the_address_that_it_can_open_from_the_screen() -> None:
    async with Table().shown(80, 24) as table:
        table.app.talk.page_link = lambda: "http://board.local:8080/pair#" + "A" * 43
        await table.type("page")
        screen = table.app.screen
        assert isinstance(screen, QrCode)
        assert screen.region.contains_region(screen.query_one("#help").region), "cut off"
        await table.pilot.press("x")
        assert not isinstance(table.app.screen, QrCode)
        table.app.talk.page_link = lambda: "http://localhost:8080/pair#" + "A" * 43
        await table.type("page")
        assert not isinstance(table.app.screen, QrCode)
