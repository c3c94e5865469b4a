"""The warning: a player who hangs the queen is asked; master games pass without a question."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path

import pytest

from boardfw.game.help import doubt
from boardfw.notation.fen import parse_fen
from boardfw.notation.pgn import read_games
from boardfw.notation.san import parse_san
from boardfw.rules import Move, Position
from tests.rules.test_loss import hangs_queen

MASTERS = Path(__file__).parents[1] / "cli" / "evenings.pgn"
SCHOLAR = "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3"
FOOL = "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2"


@pytest.mark.parametrize(
    ("fen", "san", "text"),
    [
        ("3qk3/8/8/8/8/8/8/3QK3 w - - 0 1", "Qd4", "the queen on d4 can be taken"),
        ("4k3/8/8/8/8/8/p7/R3K3 w - - 0 1", "Rb1", "the rook on b1 can be taken"),
        ("4k3/8/8/8/8/8/pK6/8 w - - 0 1", "Kc3", "the pawn on a2 gets through"),
        (SCHOLAR, "a6", "it allows mate in one"),
        (FOOL, "g4", "it allows mate in one"),
    ],
)
def test_what_is_asked(fen: str, san: str, text: str) -> None:
    position = parse_fen(fen)
    found = doubt(position, parse_san(position, san))
    assert found is not None
    assert found.text == f"really? {text}: take it back, or let it stand"


def test_what_cannot_be_helped_is_not_asked_about() -> None:
    """Every move allows mate."""
    position = parse_fen("6k1/8/8/8/p7/1q6/r6P/6K1 w - - 0 1")
    moves = position.legal_moves()
    assert len(moves) == 4
    assert all(doubt(position, move) is None for move in moves)


@cache
def plies() -> tuple[tuple[Position, Move], ...]:
    found = []
    for game in read_games(MASTERS.read_text(encoding="utf-8"), MASTERS.name):
        position = game.start
        for move in game.moves:
            found.append((position, move))
            position = position.play(move)
    return tuple(found)


def hung_queens(seed: int) -> Iterator[tuple[Position, Move]]:
    chance = random.Random(seed)
    for position, _ in plies():
        moves = [*position.legal_moves()]
        chance.shuffle(moves)
        move = next((move for move in moves if hangs_queen(position, move)), None)
        if move is not None:
            yield position, move


@pytest.mark.slow
def test_masters_are_asked_at_most_once_in_a_hundred_plies() -> None:
    asked = [doubt(*ply) is not None for ply in plies()]
    assert len(asked) > 1_000
    assert sum(asked) <= 0.01 * len(asked)


@pytest.mark.slow
def test_a_player_who_hangs_the_queen_is_asked(full: bool) -> None:
    wanted = 1_000 if full else 200
    asked = [doubt(*ply) is not None for ply in islice(hung_queens(1), wanted)]
    assert len(asked) == wanted
    assert sum(asked) >= 0.99 * len(asked)
