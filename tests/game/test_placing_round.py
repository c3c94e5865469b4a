"""Pieces are set up from either side, again after a cut, or for the usual game after all."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from boardfw.game.build_view import look
from boardfw.game.events import Ready, Wanted
from boardfw.game.phase import GamePhase
from boardfw.game.record import Record
from boardfw.game.recorder import Recorder
from boardfw.game.setup.planned_game import Unfinished
from boardfw.notation.fen import format_fen, parse_setup
from boardfw.rules import KING, WHITE, Piece, Position
from boardfw.rules.chess960 import start_position
from boardfw.squares import NAMES, NO_SWITCHES, START, Orientation, names_of, squares_in
from tests.dances import Table, plain
from tests.game.placings import (
    POSITIONS,
    ROOK_ENDING,
    any_position,
    first_ply,
    follow_the_lights,
    plies,
    sampled,
    standing_rightly,
)

# ------------------------------------------------------------------------------ from either side


@pytest.mark.parametrize("number", [0, 518, 959])
@pytest.mark.parametrize("turned", [False, True])
def test_chess960_from_either_side(number: int, *, turned: bool) -> None:
    table = Table(format_fen(start_position(number)), turned=turned)
    table.move("e2e4 d7d5 e4d5")
    assert table.moves == "e2e4 d7d5 e4d5"
    assert look(table.session).orientation.is_turned is turned


@sampled
@given(POSITIONS)
def test_pieces_set_up_from_the_other_side_in_any_order_stand_right_at_last(seed: int) -> None:
    position, random = any_position(seed), Random(seed)
    table, names = (
        Table(format_fen(position), standing=NO_SWITCHES, turned=True),
        names_of(position.occupied),
    )
    random.shuffle(names)
    table.play(" ".join(f"+{name}" for name in names))
    first_ply(table, random)
    assert look(table.session).orientation.is_turned


def test_a_board_that_was_turned_by_mistake_is_put_right_by_the_first_move() -> None:
    """The black queen is put first, just where White's king belongs as seen from the other side."""
    table = Table(standing=NO_SWITCHES)
    table.play("+d8")
    assert look(table.session).orientation.is_turned
    table.play(" ".join(f"+{name}" for name in names_of(START) if name != "d8"))
    assert table.move("e2e4 e7e5") == ["move 1 e2e4", "move 2 e7e5"]
    assert not look(table.session).orientation.is_turned


# ----------------------------------------------------------------------------- what cannot be so

NO_KING = "4k3/8/8/8/8/8/8/3Q4 w - - 0 1"
PAWN_ON_8 = "P3k3/8/8/8/8/8/8/4K3 w - - 0 1"
TAKES_KING = "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1"


@pytest.mark.parametrize(
    ("fen", "squares"), [(NO_KING, ""), (PAWN_ON_8, "a8"), (TAKES_KING, "e2 e8")]
)
def test_from_an_impossible_position_no_game_begins_but_the_usual_one(
    fen: str, squares: str
) -> None:
    setup = parse_setup(fen)
    table = Table(standing=START, problems=setup.problems())
    view = look(table.session)
    assert view.phase is GamePhase.SETUP
    assert view.problems == setup.problems()
    told = 0
    for problem in view.problems:
        told |= problem.squares
    assert names_of(told) == squares.split()
    assert (view.wanted, view.surplus, view.asked) == (0, 0, None)
    table.play("-e2 +e4 -e4 +e2 5000 !pause 900")
    assert table.moves == ""
    assert table.heard(Wanted) == []
    assert table.play("!new_game") == ["new_game"]
    assert look(table.session).problems == ()
    assert table.move("e2e4") == ["move 1 e2e4"]


# -------------------------------------------------------------------------------- games that go on


@sampled
@given(POSITIONS, st.booleans())
def test_a_game_from_any_position_that_was_cut_off_is_set_up_again(seed: int, turned: bool) -> None:
    start, random = any_position(seed), Random(seed)
    move = random.choice(plies(start))
    record = Record(start, 0)
    Recorder(record).change(0, (move,))
    after = start.play(move)
    assume(plies(after))
    unfinished = Unfinished(record, Orientation.of(turned=turned))
    table = Table(unfinished=unfinished, standing=NO_SWITCHES, turned=turned)
    assert follow_by_name(table, after) == after.occupied.bit_count()
    ply = random.choice(plies(after))
    table.play(plain(ply))
    assert table.moves == f"{move.uci()} {ply.uci()}"
    assert look(table.session).orientation.is_turned is turned


def follow_by_name(table: Table, position: Position) -> int:
    """Put each piece that is asked for where it belongs in the position; return how many."""
    put, left = 0, position.occupied
    while table.session.phase.kind is GamePhase.SETUP:
        asked = look(table.session).asked
        assert asked is not None
        square = next(squares_in(position.pieces_of(*asked.piece) & left))
        table.play(f"+{NAMES[square]}")
        left &= ~(1 << square)
        put += 1
    return put


# ---------------------------------------------------------------------------- the usual new game


def test_the_button_leads_to_the_usual_start_in_the_same_order() -> None:
    table = Table(ROOK_ENDING)
    table.move("f3f7")
    table.play("!new_game")
    assert table.heard(Wanted) == ["K e1"]
    assert look(table.session).asked == (Piece(KING, WHITE), 1 << 4)
    random = Random(3)
    follow_the_lights(table, random)
    assert table.told[-1] == "new_game"
    assert table.heard(Ready) == []
    table.move("e2e4")
    assert table.moves == "e2e4"


@sampled
@given(POSITIONS)
def test_after_any_game_only_pieces_that_stand_at_home_stay(seed: int) -> None:
    assume(any_position(seed).occupied != START)
    check_that_only_pieces_at_home_stay(seed)


def check_that_only_pieces_at_home_stay(seed: int) -> None:
    """The lights lead from any position to the usual start, without a missing piece."""
    position, random = any_position(seed), Random(seed)
    table = Table(format_fen(position))
    table.play("1000 !new_game")
    assert table.session.phase.kind is GamePhase.SETUP
    stay = standing_rightly(position)
    assert look(table.session).surplus == position.occupied & ~stay
    assert follow_the_lights(table, random) == (int(START) & ~stay).bit_count()
    assert table.told[-1] == "new_game"
    table.move("e2e4")
    assert table.moves == "e2e4"


def test_what_a_game_believes_of_pieces_being_set_up_begins_no_other_with_one_missing() -> None:
    """Seen as plies, they make so little sense that a switch might be dead."""
    check_that_only_pieces_at_home_stay(668)
    check_that_only_pieces_at_home_stay(1063)  # here more plies were seen than recorded


def test_pressed_again_it_leads_to_what_was_planned_before() -> None:
    table = Table(ROOK_ENDING, standing=NO_SWITCHES)
    table.play("!new_game !new_game")
    assert table.heard(Wanted) == ["K h1", "K e1", "K h1"]
