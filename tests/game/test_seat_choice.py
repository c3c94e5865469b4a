"""An opponent is chosen on the board alone: a gesture that nothing else is taken for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardfw.game.build_view import look
from boardfw.game.events import Mismatched, Picked, Seated
from boardfw.game.opponent import Chosen
from boardfw.lights.cue import Cue
from boardfw.lights.scene import scene
from boardfw.rules import BLACK, WHITE
from boardfw.squares import EVERY_SQUARE, NAMES, START, Orientation, half_turned, names_of
from tests.dances import Table

SQUARES = ["a4", "b4", "c4", "d4", "e4", "f4", "g4", "h4", "a5", "b5", "c5"]
"""By level, as White sees them."""
HOMES = {"white": ("d1", "e1"), "black": ("d8", "e8")}


def with_seat() -> Table:
    """A table with a seat for an opponent, where nobody sits."""
    table = Table()
    table.take(Seated(table.t_us, None))
    return table


def seen_by(side: str, name: str) -> str:
    """A square by its name as White sees it, for who sits on this side."""
    square = 1 << NAMES.index(name)
    return names_of(half_turned(square) if side == "black" else square)[0]


def lit(table: Table, cue: Cue) -> str:
    return " ".join(names_of(dict(scene(look(table.session)).lit).get(cue, 0)))


@pytest.mark.parametrize("side", ["white", "black"])
@pytest.mark.parametrize("level", range(1, 12))
def test_each_level_is_chosen_by_its_square(side: str, level: int) -> None:
    queen, king = HOMES[side]
    table = with_seat()
    place = seen_by(side, SQUARES[level - 1])
    table.play(f"-{king} -{queen} +{place} 3000 +{king} 3000")
    shown = {seen_by(side, name) for name in lit(table, Cue.LEVEL).split()}
    assert shown == set(SQUARES[:level])
    assert lit(table, Cue.PUT_HERE) == queen
    assert table.play(f"-{place} +{queen}") == [f"picked {side} {level}"]
    assert lit(table, Cue.DONE).count(" ") == level - 1
    assert table.heard(Mismatched) == []
    assert table.move("e2e4 e7e5") == ["move 1 e2e4", "move 2 e7e5"]
    assert lit(table, Cue.DONE) == ""


@pytest.mark.parametrize("rest", [40, 1_000, 20_000])
@pytest.mark.parametrize("side", ["white", "black"])
def test_hands_may_be_quick_or_slow(side: str, rest: int) -> None:
    queen, king = HOMES[side]
    place = seen_by(side, "b4")
    touches = (f"-{queen}", f"-{king}", f"+{place}", f"-{place}", f"+{king}", f"+{queen}")
    table = with_seat()
    assert table.play(f" {rest} ".join(touches)) == [f"picked {side} 2"]
    assert look(table.session).orientation is Orientation.AS_WIRED
    assert table.session.standing == START
    assert table.move("e2e4 e7e5") == ["move 1 e2e4", "move 2 e7e5"], "nothing waits for more"


def test_two_people_have_a_square_of_their_own() -> None:
    table = with_seat()
    assert table.play("-d1 -e1 +h5 1000 -h5 +d1 +e1") == ["picked white None"]


def test_the_last_square_counts_and_others_choose_nothing() -> None:
    table = with_seat()
    table.play("-d1 -e1")
    assert lit(table, Cue.QUIET).split() == sorted([*SQUARES, "h5"], key=NAMES.index)
    table.play("+e1 +a4 2000 -a4 +e3 2000")
    assert lit(table, Cue.LEVEL) == "a4"
    assert lit(table, Cue.QUIET) == ""
    assert table.play("-e3 +c4 2000 -c4 +d1") == ["picked white 3"]


def test_who_puts_both_back_at_once_has_chosen_nothing() -> None:
    table = with_seat()
    assert table.play("-d1 -e1 3000 +e1 +d1") == []
    assert table.heard(Mismatched) == []
    assert table.move("d2d4") == ["move 1 d2d4"]


@pytest.mark.parametrize("dance", ["-d1 +d4 3000", "-e1 +e4 3000", "-d8 +d5 3000"])
def test_one_piece_alone_is_an_illegal_move_as_ever(dance: str) -> None:
    table = with_seat()
    table.play(dance)
    assert len(table.heard(Mismatched)) == 1
    assert look(table.session).picking is None


def test_after_the_first_move_it_is_no_gesture() -> None:
    table = with_seat()
    table.move("d2d4 d7d5")
    table.play("-d1 -e1 +a4 3000 -a4 +d1 +e1")
    assert table.heard(Picked) == []
    assert len(table.heard(Mismatched)) == 1


def test_nor_is_it_when_the_pieces_are_at_home_again_by_moves() -> None:
    table = with_seat()
    table.move("g1f3 g8f6 f3g1 f6g8")
    table.play("-d1 -e1 +a4 3000 -a4 +d1 +e1")
    assert table.heard(Picked) == []
    assert len(table.session.record.moves) == 4


@pytest.mark.parametrize(
    "also", ["-b1 +a4 1000 -a4 +b1", "+a4 +b4 1000 -a4 -b4", "-b8 +a4 -a4 +b8"]
)
def test_a_third_piece_ends_it(also: str) -> None:
    table = with_seat()
    table.play(f"-d1 -e1 {also} +d1 +e1")
    assert table.heard(Picked) == []
    assert look(table.session).picking is None


def test_where_no_opponent_can_be_had_nothing_is_chosen() -> None:
    table = Table()
    table.play("-d1 -e1 +a4 3000 -a4 +d1 +e1")
    assert table.heard(Picked) == []


def test_clearing_the_board_away_is_no_choice() -> None:
    table = with_seat()
    table.play("-d1 -e1 -f1 -g1 -a1 -b1 -c1 -h1 3000 +d1 +e1 +f1 +g1 +a1 +b1 +c1 +h1 3000")
    assert table.heard(Picked) == []
    assert table.move("e2e4") == ["move 1 e2e4"]


def test_an_opponent_that_sits_there_may_be_chosen_otherwise() -> None:
    table = with_seat()
    table.take(Seated(table.t_us, Chosen(WHITE, "engine:own?level=1")))
    assert table.play("-d1 -e1 +b4 1000 -b4 +d1 +e1") == ["picked white 2"]
    table.take(Seated(table.t_us, Chosen(BLACK, "engine:own?level=2")))
    assert table.move("e2e4") == ["move 1 e2e4"]


@given(st.lists(st.sampled_from(EVERY_SQUARE), max_size=12), st.booleans())
def test_whatever_is_touched_only_king_and_queen_together_choose(
    touched: list[int], with_gesture: bool
) -> None:
    table, stands = with_seat(), {name for name in NAMES if name[1] in "1278"}
    dance = ["-d1", "-e1"] if with_gesture else []
    stands -= {"d1", "e1"} if with_gesture else set()
    for square in touched:
        name = NAMES[square]
        dance.append(f"{'-' if name in stands else '+'}{name}")
        stands ^= {name}
    home = {name for name in NAMES if name[1] in "1278"}
    dance += [f"-{name}" for name in sorted(stands - home)]
    dance += [f"+{name}" for name in sorted(home - stands)]
    table.play(" ".join([*dance, "4000"]))
    if table.heard(Picked):
        both_up = {"d1", "e1"} <= {one[1:] for one in dance if one[0] == "-"}
        assert both_up or {"d8", "e8"} <= {one[1:] for one in dance if one[0] == "-"}
    shown = look(table.session).picking
    assert shown is None or shown.is_done
