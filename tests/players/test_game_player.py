"""Hands that play, until the user takes over."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardfw.errors import NotationError
from boardfw.notation.uci import parse_uci
from boardfw.players.game_player import MOST_BYTES, Player, hand_move, read_game
from boardfw.rules import Position
from boardfw.squares import SWITCH_BY_NAME, Orientation, Switch, names_of, occupancy_of
from hardware.clock import VirtualClock
from hardware.sim.board import SimBoard
from hardware.sim.faults import PRESETS
from hardware.sim.hand_profiles import HAND_PROFILES
from tests.sizes import sized

GAME = read_game("famous")


def board_and_player(kind: str, seed: int) -> tuple[VirtualClock, SimBoard, Player]:
    clock = VirtualClock()
    board = SimBoard(clock, faults=PRESETS["none"])
    return clock, board, Player(board, kind, seed)


@settings(max_examples=sized(12, 60))
@given(st.sampled_from(sorted(HAND_PROFILES)), st.integers(0, 99), st.integers(0, 60_000_000))
def test_taking_over_gives_every_piece_that_was_in_the_air(
    kind: str, seed: int, when_us: int
) -> None:
    clock, board, player = board_and_player(kind, seed)
    everybody = Counter(board.pieces.values())
    player.begin(GAME.start, GAME.moves, 0)
    while clock.now_us() < when_us:
        clock.advance_to(clock.now_us() + 50_000)
        player.keep_up(clock.now_us())
    held = player.in_the_air(clock.now_us())
    assert player.take_over(clock.now_us()) == held
    clock.advance_to(clock.now_us() + 1_000_000)
    assert not player.is_playing(clock.now_us())
    assert Counter(board.pieces.values()) + Counter(board.box) == everybody, (
        "no piece twice or lost"
    )
    assert not Counter(held) - Counter(board.box), "a lifted piece stands on no square"
    taken = sum(move.captured is not None for move in GAME.moves)
    assert len(board.box) - len(held) <= taken, "beside the board are only those taken"


@pytest.mark.parametrize("kind", sorted(HAND_PROFILES))
def test_no_piece_is_held_while_a_hand_is_off_the_board(kind: str) -> None:
    clock, board, player = board_and_player(kind, 3)
    player.begin(GAME.start, GAME.moves, 0)
    for _ in range(2_000):
        clock.advance_to(clock.now_us() + 10_000)
        player.keep_up(clock.now_us())
        held = Counter(player.in_the_air(clock.now_us()))
        assert not held - Counter(board.box)


def test_a_game_is_set_up_from_whatever_stands() -> None:
    clock, board, player = board_and_player("club", 1)
    board.arrange({Switch(0): "k", Switch(9): "R", Switch(63): "q"})
    player.restart(Position.start(), GAME.moves[:2], 0)
    while player.is_playing(clock.now_us()):
        clock.advance_to(clock.now_us() + 50_000)
        player.keep_up(clock.now_us())
    assert board.pieces[Switch(28)] == "P"
    assert board.pieces[Switch(36)] == "p"
    assert len(board.pieces) == 32


def test_a_file_without_a_game_is_refused_in_one_line() -> None:
    with pytest.raises(NotationError, match=r"^nowhere\.pgn: cannot be read: No such file"):
        read_game("nowhere.pgn")


@pytest.mark.parametrize("text", ["", "*\n", '{"boardfw_trace":1,"start_fen":"x"}\n{"t":0}\n'])
def test_a_file_of_something_else_is_no_game(tmp_path: Path, text: str) -> None:
    path = tmp_path / "other.pgn"
    path.write_text(text)
    with pytest.raises(NotationError, match=r"other\.pgn: holds no game"):
        read_game(str(path))


@pytest.mark.parametrize("text", ["1. e4 {good e5 2. Nf3 *", "1. e4 (1. d4 d5 2. Nf3 *"])
def test_a_game_of_which_moves_are_swallowed_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "open.pgn"
    path.write_text(text)
    with pytest.raises(NotationError, match=r"open\.pgn:1: this \w+ is never closed; add a"):
        read_game(str(path))


def test_a_position_without_moves_is_a_game(tmp_path: Path) -> None:
    path = tmp_path / "position.pgn"
    path.write_text('[SetUp "1"]\n[FEN "8/8/8/8/8/8/8/K1k5 w - - 0 1"]\n\n*\n')
    assert read_game(str(path)).start.occupied.bit_count() == 2


def test_what_may_never_end_is_not_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.pgn"
    os.mkfifo(pipe)
    for name in (str(pipe), "/dev/zero", str(tmp_path)):
        with pytest.raises(
            NotationError,
            match="^" + name + ": cannot be read: (it is no ordinary file|Is a directory)",
        ):
            read_game(name)


def test_a_file_far_too_large_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "all.pgn"
    with path.open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    with pytest.raises(NotationError, match=r"all\.pgn: cannot be read: it has more than 64 MiB"):
        read_game(str(path))


def test_hands_that_err_put_the_piece_beside_its_square() -> None:
    position = Position.start()
    move = parse_uci(position, "h2h4")
    assert set(names_of(occupancy_of(hand_move(position, move).illegal))) == {"g3", "g4", "g5"}
    turned = hand_move(position, move, Orientation.TURNED)
    assert turned.steps == ((SWITCH_BY_NAME["a7"], SWITCH_BY_NAME["a5"]),)
    assert set(names_of(occupancy_of(turned.illegal))) == {"b6", "b5", "b4"}


def test_hands_go_on_while_the_program_is_delayed() -> None:
    """The program was stopped for five seconds: the board is as people leave it meanwhile."""
    clock = VirtualClock()
    board = SimBoard(clock, faults=PRESETS["none"])
    player = Player(board, "blitz", 1)
    game = read_game("famous")
    player.begin(game.start, game.moves, clock.now_us())
    player.keep_up(clock.now_us())
    clock.advance_to(20_000_000)
    player.keep_up(clock.now_us())
    before = board.pieces
    clock.advance_to(25_000_000)
    after = board.pieces
    player.keep_up(clock.now_us())
    assert board.pieces == after, "what was played meanwhile was thought of only afterwards"
    assert len(before.items() - after.items()) >= 2
