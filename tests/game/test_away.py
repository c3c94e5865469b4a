"""An opponent that is not at the board: asked, owed its move, and never taken for the player."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardfw.game.build_view import look
from boardfw.game.chronicle import chronicle
from boardfw.game.clock import ClockUse, parse_control
from boardfw.game.events import (
    Answered,
    Consulted,
    Finalised,
    Notified,
    Owed,
    Released,
    Seated,
)
from boardfw.game.journal import Journal, Noted, from_json, to_json
from boardfw.game.opponent import (
    AcceptsDraw,
    Answer,
    Chosen,
    Plays,
    RefusesDraw,
    Resigns,
    Situation,
    Stumbles,
)
from boardfw.game.setup.planned_game import Unfinished
from boardfw.lights.cue import Cue
from boardfw.lights.scene import scene
from boardfw.notation.uci import parse_uci
from boardfw.rules import BLACK, KNIGHT, WHITE, Color, Move
from boardfw.squares import names_of
from tests.dance_words import words
from tests.dances import Table, plain

LONG = 3_000
"""Milliseconds in which any plain ply becomes final."""


class Away(Table):
    """A table with an opponent that is not at it."""

    def __init__(self, fen: str | None = None, color: Color = BLACK, **kwargs: object) -> None:
        super().__init__(fen, **kwargs)  # type: ignore[arg-type]
        self.take(Seated(self.t_us, Chosen(color)))

    @property
    def asked(self) -> list[Situation]:
        return [one.situation for one in self.actions if isinstance(one, Consulted)]

    def answer(self, answer: Answer) -> list[str]:
        said = len(self.actions)
        self.take(Answered(self.t_us, answer))
        return words(self.actions[said:])

    def reply(self, text: str) -> list[str]:
        """The opponent's move, if it is asked."""
        asked = self.asked[-1]
        return self.answer(Plays(asked, parse_uci(asked.position, text)))

    @property
    def owed(self) -> str:
        owed = look(self.session).owed
        return owed.uci() if owed else ""


def make(move: Move) -> str:
    """The dance of a move whose piece nobody has to choose."""
    dance = [] if move.captured is None else ["-" + names_of(1 << move.captured)[0]]
    for origin, target in move.steps():
        dance += ["-" + names_of(1 << origin)[0], "+" + names_of(1 << target)[0]]
    return " ".join(dance)


def test_it_is_asked_once_when_the_ply_is_final_and_not_before() -> None:
    table = Away()
    table.play("-e2 +e4 100")
    assert not table.asked
    table.wait(LONG * 1000)
    (asked,) = table.asked
    assert [move.uci() for move in asked.moves] == ["e2e4"]
    assert asked.color == BLACK
    assert asked.wants_move
    table.wait(60_000_000)
    assert len(table.asked) == 1


def test_its_move_is_owed_until_the_hands_have_made_it() -> None:
    table = Away()
    assert not look(table.session).is_awaited
    table.play(f"-e2 +e4 {LONG}")
    assert table.owed == ""
    assert look(table.session).is_awaited
    assert table.reply("e7e5") == ["owed 2 e7e5"]
    assert table.owed == "e7e5"
    assert not look(table.session).is_awaited
    assert table.play("-e7 +e5") == ["move 2 e7e5"]
    assert table.owed == ""
    assert table.play(f"-g1 +f3 {LONG}") == ["move 3 g1f3"]
    assert len(table.asked) == 2


def test_white_is_asked_before_the_first_ply() -> None:
    table = Away(color=WHITE)
    assert [one.moves for one in table.asked] == [()]
    table.reply("d2d4")
    assert table.play("-d2 +d4") == ["move 1 d2d4"]


def test_another_move_in_its_place_is_a_mismatch_and_never_its_move() -> None:
    table = Away()
    table.play(f"-e2 +e4 {LONG}")
    table.reply("e7e5")
    assert table.play(f"-d7 +d5 {LONG}") == ["mismatch -d7 +d5"]
    assert table.moves == "e2e4"
    assert look(table.session).repair == ((35, 51),)
    assert table.play("-d5 +d7") == ["cleared"]
    assert table.play("-e7 +e5") == ["move 2 e7e5"]


def test_a_piece_that_went_to_a_wrong_square_goes_on_to_the_right_one() -> None:
    table = Away()
    table.play(f"-e2 +e4 {LONG}")
    table.reply("e7e5")
    table.play(f"-e7 +e6 {LONG}")
    assert table.moves == "e2e4"
    table.play("-e6 +e5")
    assert table.moves == "e2e4 e7e5"


def test_its_pieces_may_not_be_moved_while_it_thinks() -> None:
    table = Away()
    table.play(f"-e2 +e4 {LONG}")
    assert table.play(f"-c7 +c5 {LONG}") == ["mismatch -c7 +c5"]
    assert table.moves == "e2e4"


@pytest.mark.parametrize("rest", [100, LONG])
def test_hands_that_were_quicker_than_the_news_have_made_its_move(rest: int) -> None:
    table = Away()
    table.play(f"-e2 +e4 {LONG}")
    table.play(f"-e7 +e5 {rest}")
    table.reply("e7e5")
    table.wait(LONG * 1000)
    assert table.moves == "e2e4 e7e5"


def test_a_ply_taken_back_while_it_thinks_is_no_longer_asked_about() -> None:
    table = Away()
    table.play(f"-e2 +e4 {LONG}")
    late = table.asked[-1]
    assert table.play(f"-e4 +e2 {LONG}") == ["take_back 1", "released"]
    assert table.answer(Plays(late, parse_uci(late.position, "e7e5"))) == []
    assert table.owed == ""
    table.play(f"-d2 +d4 {LONG}")
    assert [move.uci() for move in table.asked[-1].moves] == ["d2d4"]
    assert table.asked[-1].taken_back == 1


def test_a_move_that_is_owed_goes_with_the_ply_that_it_answers() -> None:
    table = Away()
    table.play(f"-e2 +e4 {LONG}")
    table.reply("e7e5")
    assert table.play(f"-e4 +e2 {LONG}") == ["take_back 1"]
    assert table.owed == ""
    table.play(f"-d2 +d4 {LONG}")
    assert len(table.asked) == 2
    table.reply("d7d5")
    assert table.play("-d7 +d5") == ["move 2 d7d5"]


def test_its_move_undone_by_hand_is_owed_again() -> None:
    table = Away()
    table.play(f"-e2 +e4 {LONG}")
    table.reply("e7e5")
    table.play(f"-e7 +e5 {LONG}")
    assert table.play(f"-e5 +e7 {LONG}") == ["take_back 1"]
    assert table.owed == "e7e5"
    assert len(table.asked) == 1


def test_the_button_takes_back_to_the_players_own_move() -> None:
    table = Away()
    table.play(f"-e2 +e4 {LONG}")
    table.reply("e7e5")
    table.play(f"-e7 +e5 {LONG}")
    table.play("!take_back -e5 +e7 -e4 +e2")
    assert table.moves == ""
    assert not table.owed
    table.play(f"-c2 +c4 {LONG}")
    assert [move.uci() for move in table.asked[-1].moves] == ["c2c4"]
    assert table.asked[-1].taken_back == 2


def test_a_promotion_becomes_the_piece_that_it_named() -> None:
    table = Away("8/8/8/8/5k2/8/1p6/7K b - - 0 1")
    table.reply("b2b1n")
    table.play(f"-b2 +b1 500 -b1 +b1 {LONG}")
    assert table.moves == "b2b1n"


def test_what_is_offered_is_answered() -> None:
    table = Away()
    table.play("!draw")
    assert table.asked[-1].draw_offered
    assert table.answer(RefusesDraw(table.asked[-1])) == [
        "notified the opponent does not want a draw"
    ]
    table.play("!draw")
    table.answer(AcceptsDraw(table.asked[-1]))
    assert table.result == "1/2-1/2 agreement"


def test_a_draw_that_it_offers_is_taken_by_the_button() -> None:
    table = Away()
    table.play(f"-e2 +e4 {LONG}")
    asked = table.asked[-1]
    table.answer(Plays(asked, parse_uci(asked.position, "e7e5"), offers_draw=True))
    table.play(f"-e7 +e5 {LONG} !draw")
    assert table.result == "1/2-1/2 agreement"


def test_it_may_resign() -> None:
    table = Away()
    table.play(f"-e2 +e4 {LONG}")
    table.answer(Resigns(table.asked[-1]))
    assert table.result == "1-0 resignation"


def test_what_breaks_is_told_and_the_answer_still_comes() -> None:
    table = Away()
    table.play(f"-e2 +e4 {LONG}")
    assert table.answer(Stumbles(table.asked[-1], "it is started again")) == [
        "notified it is started again"
    ]
    table.reply("e7e5")
    assert table.owed == "e7e5"


def test_its_clock_stops_when_its_move_is_shown_and_the_players_runs_when_it_stands() -> None:
    table = Away(clock=ClockUse(parse_control("300+0")))
    table.play(f"-e2 +e4 {LONG}")
    table.reply("e7e5")
    clock = table.session.course.clock
    assert clock is not None
    before = [clock.remaining_us(color, table.t_us) for color in (WHITE, BLACK)]
    table.wait(20_000_000)
    clock = table.session.course.clock
    assert clock is not None
    assert [clock.remaining_us(color, table.t_us) for color in (WHITE, BLACK)] == before
    table.play("-e7 +e5 1000")
    clock = table.session.course.clock
    assert clock is not None
    assert clock.remaining_us(BLACK, table.t_us) == before[BLACK]
    assert clock.remaining_us(WHITE, table.t_us) < before[WHITE]


def test_another_game_begins_without_what_was_answered_before() -> None:
    table = Away()
    table.play(f"-e2 +e4 {LONG}")
    table.reply("e7e5")
    table.play(f"-e7 +e5 {LONG}")
    table.play(f"-g1 +f3 {LONG} !new_game -e5 +e7 -f3 +g1 -e4 +e2 {LONG}")
    assert table.moves == ""
    table.play(f"-e2 +e4 {LONG}")
    assert table.owed == ""
    assert [move.uci() for move in table.asked[-1].moves] == ["e2e4"]


def test_who_comes_back_to_the_board_plays_freely() -> None:
    table = Away()
    table.play(f"-e2 +e4 {LONG}")
    table.take(Seated(table.t_us, None))
    table.play("-c7 +c5")
    assert table.moves == "e2e4 c7c5"


@pytest.mark.parametrize(
    ("fen", "reply", "shown"),
    [
        (None, "e7e5", ["", "THIS_ONE e7, PUT_HERE e5", "-e7", "PUT_HERE e5", "+e5"]),
        (
            "4k3/8/8/3p4/4P3/8/8/4K3 b - - 0 1",
            "d5e4",
            [
                *["", "REPAIR_FROM e4, THIS_ONE d5"],
                *["-e4", "THIS_ONE d5, PUT_HERE e4", "-d5", "PUT_HERE e4", "+e4"],
            ],
        ),
        (
            "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
            "d4e3",
            ["", "REPAIR_FROM e4, THIS_ONE d4, PUT_HERE e3", "-e4", "THIS_ONE d4, PUT_HERE e3"],
        ),
        (
            "r3k3/8/8/8/8/8/8/4K3 b q - 0 1",
            "e8c8",
            [
                *["", "THIS_ONE e8, PUT_HERE c8", "-e8", "PUT_HERE c8"],
                *["+c8", "THIS_ONE a8, PUT_HERE d8", "-a8", "PUT_HERE d8", "+d8"],
            ],
        ),
    ],
)
def test_its_move_is_shown_piece_by_piece(fen: str | None, reply: str, shown: list[str]) -> None:
    table = Away(fen)
    if fen is None:
        table.play(f"-e2 +e4 {LONG}")
    table.reply(reply)
    for touch, lit in zip(shown[::2], [*shown[1::2], ""], strict=False):
        table.play(f"{touch} 100")
        cues = (Cue.REPAIR_FROM, Cue.THIS_ONE, Cue.PUT_HERE)
        lights = dict(scene(look(table.session)).lit)
        told = [f"{cue.name} {names_of(lights[cue])[0]}" for cue in cues if cue in lights]
        assert ", ".join(told) == lit


def test_the_piece_of_a_promotion_is_shown_until_the_reply() -> None:
    table = Away("8/8/8/8/5k2/8/1p6/7K b - - 0 1")
    table.reply("b2b1n")
    table.play(f"-b2 +b1 {LONG}")
    assert look(table.session).promotion == KNIGHT
    table.play("-h1 +h2")
    assert look(table.session).promotion is None


def test_an_opponent_is_told_in_the_end_what_the_put_backs_chose() -> None:
    table = Away("7k/P6p/8/8/8/8/7P/7K w - - 0 1")
    table.play("-a7 +a8 300 -a8 450 +a8 800 -a8 800 +a8 9000")
    assert table.moves == "a7a8n"
    table.wait(40_000_000)
    table.reply("h8g7")
    assert table.owed == "h8g7"


def test_who_is_mated_is_not_asked_for_a_move() -> None:
    table = Away("7k/8/8/8/8/8/q4r2/7K b - - 0 1", WHITE)
    table.play("-f2 +f1 32000")
    assert table.result == "0-1 checkmate"
    assert not table.asked
    assert not table.heard(Released)


STARTS = [
    None,
    "r3k2r/pPp1qpb1/bn2pn2/3PN3/1p2P3/2N2Q2/PPPBBP1p/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "4k2r/1P4P1/8/3pP3/8/8/1p4p1/R3K3 w Qk d6 0 1",
]


@given(st.sampled_from(STARTS), st.sampled_from([WHITE, BLACK]), st.data())
def test_any_game_against_it_is_recorded_as_it_was(
    fen: str | None, color: Color, data: st.DataObject
) -> None:
    table = Away(fen, color)
    played: list[str] = []
    for _ in range(8):
        position = table.session.game.position
        moves = sorted(position.legal_moves(), key=Move.uci)
        if not moves or table.result != "*":
            break
        move = data.draw(st.sampled_from(moves))
        if position.turn == color:
            table.answer(Plays(table.asked[-1], move))
            assert table.owed == move.uci()
            table.play(f"{make(move)} {LONG}")
        else:
            table.play(f"{plain(move)} 32000")
        played.append(move.uci())
        assert table.moves == " ".join(played)
    assert len(table.heard(Owed)) == sum(
        (table.session.record.start.turn ^ ply & 1) == color for ply in range(len(played))
    )
    assert table.heard(Notified) == table.heard(Released) == []
    assert len(table.heard(Finalised)) >= len(played) - 1  # the last one may be waited for


def cut_off(noted: list[Noted]) -> Unfinished:
    """The game that goes on after the power was cut when this was on the disk."""
    entries = [from_json(to_json(entry)) for game, entry in noted if game == noted[-1].game]
    return chronicle(entries).unfinished()


@given(st.sampled_from(STARTS), st.sampled_from([WHITE, BLACK]), st.data())
def test_wherever_a_game_against_it_is_cut_off_it_owes_the_same_move(
    fen: str | None, color: Color, data: st.DataObject
) -> None:
    name = "engine:own?level=3"
    table = Away(fen, color)
    table.take(Seated(table.t_us, Chosen(color, name)))
    journal, heard = Journal(table.session, {}), 0
    noted: list[Noted] = []
    for _ in range(data.draw(st.integers(1, 6))):
        position = table.session.game.position
        moves = sorted(position.legal_moves(), key=Move.uci)
        if not moves or table.result != "*":
            break
        move = data.draw(st.sampled_from(moves))
        if position.turn == color:
            offers = data.draw(st.booleans())
            table.answer(Plays(table.asked[-1], move, offers))
        else:
            table.play(f"{plain(move)} 32000")
        noted += journal.take(table.session, table.actions[heard:])
        heard = len(table.actions)
        again = Table(fen, unfinished=cut_off(noted))
        assert again.session.away.chosen == Chosen(color, name)
        assert look(again.session).owed == look(table.session).owed
        assert again.session.away.replied == table.session.away.replied
        if look(table.session).owed:
            assert again.heard(Owed) == [f"owed {len(table.session.record.moves) + 1} {move.uci()}"]
            assert again.heard(Consulted) == []
            table.play(f"{make(move)} {LONG}")
            again.play(f"{make(move)} {LONG}")
            assert again.moves == table.moves
            noted += journal.take(table.session, table.actions[heard:])
            heard = len(table.actions)
        else:
            assert len(again.heard(Consulted)) == look(table.session).is_awaited


def test_a_draw_that_was_offered_with_its_move_may_be_taken_after_a_power_cut() -> None:
    table = Away()
    journal = Journal(table.session, {})
    table.play(f"-e2 +e4 {LONG}")
    asked = table.asked[-1]
    table.answer(Plays(asked, parse_uci(asked.position, "e7e5"), offers_draw=True))
    noted = journal.take(table.session, [])
    again = Table(unfinished=cut_off(noted))
    again.play(f"-e7 +e5 {LONG} !draw")
    assert again.result == "1/2-1/2 agreement"


def test_a_move_that_was_taken_back_past_is_not_owed_after_a_power_cut() -> None:
    table = Away()
    journal = Journal(table.session, {})
    table.play(f"-e2 +e4 {LONG}")
    table.reply("e7e5")
    noted = journal.take(table.session, [])
    table.play(f"-e4 +e2 {LONG} -d2 +d4 {LONG}")
    noted += journal.take(table.session, [])
    again = Table(unfinished=cut_off(noted))
    assert not look(again.session).owed
    assert len(again.heard(Consulted)) == 1


def test_who_was_chosen_for_the_next_game_sits_down_when_it_begins() -> None:
    table = Away()
    table.take(Seated(table.t_us, Chosen(WHITE), at_next=True))
    table.play(f"-e2 +e4 {LONG}")
    assert [one.color for one in table.asked] == [BLACK]
    table.play(f"!new_game -e4 +e2 {LONG}")
    assert [one.color for one in table.asked] == [BLACK, WHITE]
    assert table.asked[-1].moves == ()
