"""Moves that hang a piece are found; few moves of masters are."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from boardfw.notation.fen import parse_fen
from boardfw.notation.pgn import read_games
from boardfw.notation.san import format_san, parse_san
from boardfw.rules import QUEEN, Move, Position
from boardfw.rules.static_exchange import GRAVE, loss, needless_loss, taken_worth
from boardfw.squares import Square
from tests.rules.brute import try_all
from tests.sizes import sized

CLASSICS = Path(__file__).parents[2] / "boardfw/accuracy/classics.pgn"

LOSSES = [
    # the queen hangs
    (9, "Qxd4", "3qk3/8/8/8/8/8/8/3QK3 w - - 0 1", "Qd4"),
    # a sound exchange, and one that is not
    (0, "", "3rk3/8/8/3r4/8/8/3R4/3RK3 w - - 0 1", "Rxd5"),
    (2, "bxc6", "4k3/1p6/2n5/8/8/8/8/2R1K3 w - - 0 1", "Rxc6"),
    # to look away costs as much
    (3, "exd4", "4k3/8/8/4p3/3N4/8/8/R3K3 w - - 0 1", "Ra2"),
    # what is won back elsewhere counts
    (0, "", "4k3/8/8/4p3/3N4/8/1r6/B3K3 w - - 0 1", "Kd1"),
]


@pytest.mark.parametrize(("pawns", "reply", "fen", "san"), LOSSES)
def test_what_a_move_loses(pawns: int, reply: str, fen: str, san: str) -> None:
    position = parse_fen(fen)
    move = parse_san(position, san)
    found = loss(position, move)
    named = format_san(position.play(move), found.reply) if found.reply else ""
    assert (found.pawns, named) == (pawns, reply)


def test_a_piece_may_be_left_where_its_capture_allows_mate() -> None:
    for shelter, pawns in (("r4ppp/8", 0), ("r4pp1/7p", 9)):
        position = parse_fen(f"6k1/{shelter}/8/8/Q7/8/4R1K1 w - - 0 1")
        assert loss(position, parse_san(position, "Kf2")).pawns == pawns


def test_an_unavoidable_loss_draws_no_warning() -> None:
    """Of two knights attacked by a pawn one is lost; the best that can be done is to defend it."""
    position = parse_fen("4k3/8/8/2p5/1N1N4/8/8/4K3 w - - 0 1")
    move = parse_san(position, "Kd1")
    assert loss(position, move).pawns == 3
    assert needless_loss(position, move).pawns == 0
    assert needless_loss(position, move, at_least=1).pawns == 3


# ---------------------------------------------------------------------------------- famous games


@cache
def plies() -> tuple[tuple[Position, Move], ...]:
    found = []
    for game in read_games(CLASSICS.read_text(encoding="utf-8"), CLASSICS.name):
        position = Position.start()
        for move in game.moves:
            found.append((position, move))
            position = position.play(move)
    return tuple(found)


def hung_queens() -> Iterator[tuple[Position, Move]]:
    """From each position where there is one, a move after which the queen hangs."""
    chance = random.Random(1)
    for position, _ in plies()[:: sized(3, 1)]:
        moves = [*position.legal_moves()]
        chance.shuffle(moves)
        hanging = (move for move in moves if hangs_queen(position, move))
        move = next(hanging, None)
        if move is not None:
            yield position, move


def hangs_queen(position: Position, move: Move) -> bool:
    after = position.play(move)
    queen = after.pieces_of(QUEEN, position.turn)
    if queen.bit_count() != 1:
        return False
    won = try_all(after, Square(queen.bit_length() - 1)).won
    return won - taken_worth(position, move) >= GRAVE


@pytest.mark.both
def test_hanging_the_queen_draws_a_warning() -> None:
    warned = [needless_loss(*ply).pawns >= GRAVE for ply in hung_queens()]
    assert len(warned) > sized(130, 400)
    assert sum(warned) >= 0.99 * len(warned)


def test_sacrifices_seldom_draw_a_warning() -> None:
    """These games are famous for their sacrifices."""
    warned = [needless_loss(*ply).pawns >= GRAVE for ply in plies()]
    assert sum(warned) <= 0.04 * len(warned)
