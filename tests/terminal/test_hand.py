"""What a click means, without a screen."""

from __future__ import annotations

import pytest

from boardfw.rules import BLACK, WHITE
from boardfw.squares import SWITCH_BY_NAME, Switch
from boardfw.terminal.hand import SWAP_US, Hand
from hardware.clock import VirtualClock
from hardware.sim.board import SimBoard
from hardware.sim.faults import PRESETS

E1, H1, G1, F1 = (SWITCH_BY_NAME[name] for name in ("e1", "h1", "g1", "f1"))
E4, D5, E5 = (SWITCH_BY_NAME[name] for name in ("e4", "d5", "e5"))


class Bench:
    """Pieces on a board, and a hand."""

    def __init__(self, pieces: dict[Switch, str]) -> None:
        self.clock = VirtualClock()
        self.board = SimBoard(self.clock, pieces=pieces, faults=PRESETS["none"])
        self.hand = Hand(self.board, self.clock)

    def touch(self, *squares: Switch, to_move: int | None = WHITE) -> bool:
        return [self.hand.touch(s, self.board.pieces, to_move) for s in squares][-1]


def test_a_click_lifts_and_the_next_one_drops() -> None:
    bench = Bench({E4: "P"})
    assert bench.touch(E4)
    assert bench.board.pieces == {}
    assert bench.touch(E5)
    assert bench.board.pieces == {E5: "P"}
    assert bench.hand.labels == []


def test_a_click_on_an_empty_square_with_an_empty_hand_does_nothing() -> None:
    bench = Bench({E4: "P"})
    assert not bench.touch(E5)
    assert bench.board.pieces == {E4: "P"}


def test_a_piece_dropped_where_it_came_from_is_a_put_back() -> None:
    bench = Bench({E4: "P"})
    bench.touch(E4, E4)
    assert bench.board.pieces == {E4: "P"}


def test_a_capture_fills_the_box_and_leaves_the_switch_open_for_a_while() -> None:
    bench = Bench({E4: "P", D5: "p"})
    bench.touch(E4, D5)
    assert bench.board.sensor.read() == 0
    bench.clock.advance_to(SWAP_US)
    assert bench.board.pieces == {D5: "P"}
    assert bench.board.sensor.read() == 1 << D5
    assert bench.hand.box == {"p": 1}


def test_pieces_of_one_colour_are_lifted_together_and_put_down_last_first() -> None:
    bench = Bench({E1: "K", H1: "R"})
    bench.touch(E1, H1)
    assert bench.hand.labels == ["K", "R"]
    bench.touch(F1, G1)
    assert bench.board.pieces == {F1: "R", G1: "K"}


def test_another_piece_in_the_hand_can_be_put_down_first() -> None:
    bench = Bench({E1: "K", H1: "R"})
    bench.touch(E1, H1)
    assert bench.hand.turn_over()
    bench.touch(G1, F1)
    assert bench.board.pieces == {F1: "R", G1: "K"}


def test_a_captured_piece_lifted_first_does_not_capture_the_piece_to_move() -> None:
    bench = Bench({E4: "P", D5: "p"})
    bench.touch(D5, E4, D5, to_move=WHITE)
    assert bench.board.pieces == {D5: "P"}
    assert bench.hand.labels == ["p"]
    assert bench.hand.into_box()
    assert bench.hand.box == {"p": 1}


def test_the_piece_to_move_captures_the_clicked_one() -> None:
    bench = Bench({E4: "P", D5: "p"})
    bench.touch(D5, E4, to_move=BLACK)
    bench.clock.advance_to(SWAP_US)
    assert bench.board.pieces == {E4: "p"}


def test_nothing_is_captured_while_pieces_are_set_up() -> None:
    bench = Bench({E4: "P", D5: "p"})
    bench.touch(E4, D5, to_move=None)
    assert bench.board.pieces == {}
    assert bench.hand.labels == ["P", "p"]


def test_only_a_piece_in_the_box_can_be_taken_from_it() -> None:
    bench = Bench({E4: "P"})
    bench.touch(E4)
    assert not bench.hand.take("P"), "it is in the hand"
    assert bench.hand.into_box()
    assert not bench.hand.take("p")
    assert bench.hand.take("P")
    assert bench.hand.box == {}
    bench.touch(E5)
    assert bench.board.pieces == {E5: "P"}


def test_a_piece_can_be_put_back_where_it_came_from() -> None:
    bench = Bench({E4: "P", D5: "p"})
    assert not bench.hand.put_back()
    bench.touch(E4)
    assert bench.hand.put_back()
    assert bench.board.pieces == {E4: "P", D5: "p"}


def test_a_piece_cannot_be_put_back_onto_another_one() -> None:
    bench = Bench({E4: "P", H1: "R"})
    bench.touch(E4, H1, E4)
    assert bench.hand.labels == ["P"]
    assert not bench.hand.put_back()
    assert bench.board.pieces == {E4: "R"}


def test_a_piece_out_of_the_box_goes_back_into_the_box() -> None:
    bench = Bench({E4: "P"})
    bench.touch(E4)
    bench.hand.into_box()
    bench.hand.take("P")
    assert bench.hand.put_back()
    assert bench.hand.box == {"P": 1}


@pytest.mark.parametrize("seen", ["Q", "N"])
def test_a_pawn_that_stands_for_another_piece_is_exchanged_in_the_hand(seen: str) -> None:
    bench = Bench({E5: "P"})
    bench.hand.touch(E5, {E5: seen}, WHITE)
    assert bench.hand.labels == [seen]
    bench.hand.drop(E4)
    assert bench.board.pieces == {E4: seen}
    assert bench.hand.box == {"P": 1}
