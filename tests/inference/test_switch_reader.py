"""The door of the inference: edges and time in, one value out, without any session."""

from __future__ import annotations

import pytest

from boardfw.inference import (
    AwaySide,
    Edge,
    Interpretation,
    LiftedPiece,
    RecordedPlies,
    StartingGames,
    SwitchReader,
)
from boardfw.notation.fen import parse_fen
from boardfw.notation.uci import parse_uci
from boardfw.rules import BLACK, KNIGHT, Position
from boardfw.squares import BY_NAME, START, SWITCH_BY_NAME, Occupancy

STEP_US = 300_000
NOTHING = RecordedPlies((), 0, 0)


class Hands:
    """A reader, and hands that touch its switches."""

    def __init__(self, fen: str | None = None, away: AwaySide | None = None) -> None:
        position = parse_fen(fen) if fen else Position.start()
        standing = Occupancy(position.occupied)
        games = StartingGames.new(position, 0)
        self.reader = SwitchReader(games, 0, standing, NOTHING, away)
        self.t_us = 1_000_000

    def touch(self, dance: str) -> Interpretation:
        """Touch (``-e2 +e4``), one touch after the other, or wait so many ms; return what is read.

        The board is told the time after each of them.
        """
        for token in dance.split():
            if token.isdigit():
                self.t_us += int(token) * 1_000
            else:
                self.t_us += STEP_US
                edge = Edge(self.t_us, SWITCH_BY_NAME[token[1:]], closed=token[0] == "+")
                self.reader.note_change(edge, is_play=True, is_answer=True)
            self.reader.wait(self.t_us)
            self.reader.update_plies(self.t_us, is_over=False)
            self.reader.finalise(self.t_us)
            self.reader.ask(self.t_us)
        return self.reader.now


def plies(read: Interpretation) -> str:
    return " ".join(move.uci() for move in read.moves)


def test_a_ply_is_provisional_until_it_has_stood() -> None:
    hands = Hands()
    read = hands.touch("-e2 +e4 100")
    assert (plies(read), read.final) == ("e2e4", 0)
    read = hands.touch("200")
    assert (plies(read), read.final) == ("e2e4", 1)
    assert read.game.position == Position.start().play(parse_uci(Position.start(), "e2e4"))
    assert read.game.landed_us == 1_000_000 + 2 * STEP_US


def test_what_was_read_before_does_not_change() -> None:
    hands = Hands()
    before = hands.touch("-e2")
    kept = tuple(before)
    hands.touch("+e4 1000 -e7 +e5 1000")
    assert tuple(before) == kept
    assert plies(before) == ""


def test_a_lifted_piece_is_missing_and_nothing_stands_wrong() -> None:
    read = Hands().touch("-g1 5000")
    assert read.lifted == (LiftedPiece(BY_NAME["g1"], 1_000_000 + STEP_US),)
    assert (read.missing, read.extra) == (1 << BY_NAME["g1"], 0)
    assert (read.is_clearing, read.was_set_up) == (False, False)


def test_what_a_switch_did_is_read_at_once() -> None:
    hands = Hands()
    assert hands.reader.now.missing == 0
    hands.reader.note_change(
        Edge(5, SWITCH_BY_NAME["g1"], closed=False), is_play=True, is_answer=False
    )
    assert hands.reader.now.missing == 1 << BY_NAME["g1"]


def test_a_piece_put_where_it_may_not_go_stands_wrong() -> None:
    read = Hands().touch("-g1 +g3 2000")
    assert (read.missing, read.extra) == (1 << BY_NAME["g1"], 1 << BY_NAME["g3"])
    assert plies(read) == ""


@pytest.mark.parametrize(
    ("dance", "is_half_way"), [("+e3", True), ("+e5", False), ("-a1 +e3", False)]
)
def test_a_piece_on_the_border_of_the_next_square_may_be_on_its_way(
    dance: str, is_half_way: bool
) -> None:
    assert Hands().touch(dance).is_half_way == is_half_way


def test_an_illegal_capture_is_known_though_all_switches_look_like_a_lift() -> None:
    read = Hands().touch("-d1 -d7 +d7 1000")
    assert read.extra == 0
    assert read.capture == (BY_NAME["d1"], BY_NAME["d7"])
    assert Hands().touch("-d1 1000").capture is None


def test_two_captures_that_were_not_seen_are_asked_about_and_a_lift_answers() -> None:
    hands = Hands("4k3/8/8/3p1p2/4P3/8/8/4K3 w - - 0 1")
    read = hands.touch("-e4 12000")
    assert [move.uci() for move in read.candidates] == ["e4d5", "e4f5"]
    assert "e4f5" in [one.game.moves[-1].uci() for one in read.rivals if one.game.moves]
    assert all(rival.behind <= 2 for rival in read.rivals)
    assert plies(hands.touch("-f5 +f5 1000")) == "e4f5"


def test_a_button_answers_what_is_asked() -> None:
    hands = Hands("4k3/8/8/3p1p2/4P3/8/8/4K3 w - - 0 1")
    hands.touch("-e4 12000")
    hands.reader.answer(1)
    read = hands.touch("100")
    assert (plies(read), read.candidates) == ("e4f5", ())


def test_how_a_promotion_piece_may_be_chosen_is_read() -> None:
    hands = Hands("8/P6k/7p/8/8/8/7K/8 w - - 0 1")
    choosing = hands.touch("-a7 +a8 -a8 +a8").choosing
    assert choosing is not None
    assert (choosing.then, choosing.is_exchanged) == (KNIGHT, True)
    assert choosing.until_us == hands.t_us + 4_000_000


def test_a_board_that_is_emptied_is_cleared() -> None:
    files = "abcdefgh"
    read = Hands().touch(" ".join(f"-{file}1" for file in files) + " 3000")
    assert read.is_clearing
    assert read.was_set_up
    assert plies(read) == ""


def test_kings_in_the_centre_show_a_result_once() -> None:
    hands = Hands("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    hands.touch("-e8 -e1 +d5 +e4 1000")
    seen = hands.reader.look_at_rest(hands.t_us)
    assert seen is not None
    assert seen.result == "1-0"
    assert hands.reader.look_at_rest(hands.t_us) is None
    assert hands.reader.kings_result(hands.t_us) == "1-0"


@pytest.mark.parametrize(
    ("length_us", "after", "hides"),
    [
        (1_000_000, "e2 e4 e7 e5", True),
        (1_000_000, "e2 e4", False),
        (1_000_000, "", False),
        (50_000, "e2 e4 e7 e5", False),
    ],
)
def test_a_gap_hides_plies_if_it_is_long_and_no_single_ply_explains_the_change(
    length_us: int, after: str, hides: bool
) -> None:
    hands, changed = Hands(), START
    for name in after.split():
        changed ^= 1 << SWITCH_BY_NAME[name]
    gap = hands.reader.pass_gap(2_000_000, 2_000_000 + length_us, START, changed, is_play=True)
    assert (gap, hands.reader.now.is_clouded) == (hides, hides)


def test_of_a_side_that_is_away_only_its_own_move_is_read() -> None:
    e4, e5 = parse_uci(Position.start(), "e2e4"), "e7e5"
    after = Position.start().play(e4)
    away = AwaySide(BLACK, (e4, parse_uci(after, e5)))
    assert plies(Hands(away=away).touch("-e2 +e4 1000 -d7 +d5 1000")) == "e2e4"
    assert plies(Hands(away=away).touch("-e2 +e4 1000 -e7 +e5 1000")) == "e2e4 e7e5"


def test_a_doubted_ply_is_not_final_before_the_doubt_is_over() -> None:
    hands = Hands()
    hands.touch("-e2 +e4")
    assert hands.reader.doubt(hands.t_us + 2_000_000)
    assert not hands.reader.doubt(hands.t_us + 2_000_000)
    assert hands.touch("1900").final == 0
    assert hands.touch("200").final == 1


def test_the_game_that_was_abandoned_is_the_one_that_stood_last() -> None:
    hands = Hands()
    hands.touch("-e2 +e4 1000 -e7 +e5 1000 -e4 +e2 1000 -e5 +e7 1000")
    assert hands.reader.abandoned(is_asked=False).moves != ()


def test_a_game_that_was_cut_off_goes_on_with_all_its_plies() -> None:
    start = Position.start()
    moves = (parse_uci(start, "e2e4"),)
    known = StartingGames.known(start, [moves], 5)
    standing = Occupancy(start.play(moves[0]).occupied)
    reader = SwitchReader(known, 5, standing, RecordedPlies(moves, 1, 0))
    assert (reader.now.moves, reader.now.final, reader.now.missing) == (moves, 1, 0)


def test_a_ply_that_was_made_unseen_is_found_from_what_stands() -> None:
    start = Position.start()
    known = StartingGames.known(start, [()], 0)
    standing = Occupancy(start.play(parse_uci(start, "g1f3")).occupied)
    found = known.one_ply_on(standing)
    assert found is not None
    reader = SwitchReader(found, 0, standing, NOTHING)
    assert [move.uci() for move in reader.now.game.moves] == ["g1f3"]
    assert known.one_ply_on(standing ^ 1 << SWITCH_BY_NAME["a1"]) is None
