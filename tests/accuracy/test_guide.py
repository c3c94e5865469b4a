"""The lights ask for a known game, move by move."""

from __future__ import annotations

from boardfw.accuracy.guide import AHEAD_US, OVER_US, UNSEEN_US, WRONG_US, Guide
from boardfw.accuracy.playing import moves_of
from boardfw.lights.cue import Cue
from boardfw.recording import START_FEN
from boardfw.rules import Move, Position
from boardfw.squares import BY_NAME, SWITCH_BY_NAME, names_of, occupancy_of
from hardware.sim.board import pieces_of

MOVES = moves_of(Position.start(), ("e2e4", "d7d5", "e4d5", "d8d5"))


class Sitting:
    """A guide, and hands that touch squares one second after the other."""

    def __init__(self, moves: list[Move] = MOVES) -> None:
        self.guide = Guide(Position.start(), moves)
        self.now_us = 0
        self._closed = occupancy_of(pieces_of(START_FEN))
        self.guide.see(0, self._closed)

    def touch(self, *squares: str) -> None:
        for square in squares:
            self.now_us += 1_000_000
            self._closed ^= 1 << SWITCH_BY_NAME[square]
            self.guide.see(self.now_us, self._closed)

    def wait(self, for_us: int) -> None:
        self.now_us += for_us
        self.guide.pass_time(self.now_us)

    def lit(self) -> dict[Cue, list[str]]:
        return {cue: names_of(where) for cue, where in self.guide.scene(self.now_us).lit if where}


def test_the_piece_and_its_square_are_lit_until_it_stands() -> None:
    board = Sitting()
    assert board.lit() == {Cue.THIS_ONE: ["e2"], Cue.PUT_HERE: ["e4"]}
    board.touch("e2")
    assert board.guide.ply == 0
    board.touch("e4")
    assert board.lit() == {Cue.THIS_ONE: ["d7"], Cue.PUT_HERE: ["d5"]}


def test_a_capture_is_asked_for_until_the_captured_piece_was_exchanged() -> None:
    board = Sitting()
    board.touch("e2", "e4", "d7", "d5", "e4")
    board.wait(UNSEEN_US - 1)
    assert board.guide.ply == 2
    board.touch("d5", "d5")
    assert board.guide.ply == 3


def test_a_capture_that_no_switch_saw_does_not_stop_the_game() -> None:
    board = Sitting()
    board.touch("e2", "e4", "d7", "d5", "e4")
    board.wait(UNSEEN_US)
    assert board.guide.ply == 3


def test_players_may_be_quicker_than_the_lights() -> None:
    """The scans between two plies were lost."""
    guide = Guide(Position.start(), MOVES)
    start = occupancy_of(pieces_of(START_FEN))
    moved = occupancy_of(SWITCH_BY_NAME[name] for name in ("e2", "d7", "e4", "d5"))
    guide.see(0, start)
    guide.see(1_000_000, start ^ moved)
    guide.pass_time(1_000_000 + AHEAD_US)
    assert guide.ply == 2


def test_what_stands_wrong_is_lit_after_a_while() -> None:
    board = Sitting()
    board.touch("g1")
    assert Cue.WANTED not in board.lit()
    board.wait(WRONG_US)
    assert board.lit() == {Cue.WANTED: ["g1"]}


def test_both_pieces_of_castling_are_lit_and_the_pawn_taken_en_passant() -> None:
    opening = ("e2e4", "a7a6", "g1f3", "a6a5", "f1c4", "a5a4", "b2b4", "a4b3", "e1g1")
    board = Sitting(moves_of(Position.start(), opening))
    board.touch("e2", "e4", "a7", "a6", "g1", "f3", "a6", "a5", "f1", "c4", "a5", "a4", "b2", "b4")
    assert board.lit() == {Cue.THIS_ONE: ["a4"], Cue.PUT_HERE: ["b3"], Cue.SURPLUS: ["b4"]}
    board.touch("a4", "b3", "b4")
    assert board.lit() == {Cue.THIS_ONE: ["e1", "h1"], Cue.PUT_HERE: ["f1", "g1"]}


def test_before_the_game_missing_pieces_are_asked_for() -> None:
    guide = Guide(Position.start(), MOVES)
    guide.see(0, occupancy_of(pieces_of(START_FEN)) ^ 1 << SWITCH_BY_NAME["a1"])
    assert not guide.is_set_up
    assert guide.scene(0)[BY_NAME["a1"]] == Cue.WANTED


def test_it_is_done_when_the_last_ply_has_rested() -> None:
    board = Sitting()
    board.touch("e2", "e4", "d7", "d5", "e4", "d5", "d5", "d8", "d5", "d5")
    assert board.guide.is_over
    assert not board.guide.is_done(board.now_us)
    assert board.guide.is_done(board.now_us + OVER_US)
