"""Legall's game, printed in four notations, is one game."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import pytest

from boardfw.notation.descriptive import format_descriptive, parse_descriptive
from boardfw.notation.fen import format_fen
from boardfw.notation.game_text import in_order
from boardfw.notation.long import format_long, parse_long
from boardfw.notation.san import format_san, format_short, parse_san
from boardfw.rules import Move, Position
from boardfw.rules.outcome import outcome

UCI = "e2e4 e7e5 f1c4 d7d6 g1f3 c8g4 b1c3 g7g6 f3e5 g4d1 c4f7 e8e7 c3d5"
LAST = "rn1q1bnr/ppp1kB1p/3p2p1/3NN3/4P3/8/PPPP1PPP/R1BbK2R b KQ - 2 7"

LONG = """
1.e2-e4                    e7-e5

2.Bf1-c4 d7-d6

3.Ng1-f3 Bc8-g4

4.Nb1-c3                g7-g6?

5.Nf3xe5 Bg4xd1??

6.Bc4xf7+               Ke8-e7
"""
SHORT = """
1.e4                         e5

2.Bc4                      d6

3.Nf3                       Bg4

4.Nc3                      g6?

5.Nxe5                    Bxd1??

6.Bxf7+                   Ke7
"""
REALLY_SHORT = "1.e4 e5 2.Bc4 d6 3.Nf3 Bg4 4.Nc3 g6 5.Ne5 Bd1 6.Bf7 Ke7 7.Nd5#"
DESCRIPTIVE = """
1.P-K4                    P-K4                       5.NxP                      BxQ??

2.B-QB4 P-Q3                       6.BxPch K-K2

3.N-KB3 B-KN5                    7.N-Q5Mate

4.N-QB3 P-KN3?
"""
"""Two columns: the fifth move is in the line of the first."""

Parser: TypeAlias = Callable[[Position, str], Move]
Writer: TypeAlias = Callable[[Position, Move], str]


def played(texts: list[str], parse: Parser) -> tuple[list[Move], Position]:
    position, moves = Position.start(), []
    for text in texts:
        moves.append(parse(position, text))
        position = position.play(moves[-1])
    return moves, position


def written(moves: list[Move], write: Writer) -> list[str]:
    position, texts = Position.start(), []
    for move in moves:
        texts.append(write(position, move))
        position = position.play(move)
    return texts


@pytest.mark.parametrize(
    ("column", "implied", "parse"),
    [
        (LONG, ["7.Nc3-d5#"], parse_long),
        (SHORT, ["7.Nd5 mate"], parse_san),
        (REALLY_SHORT, [], parse_san),
        (DESCRIPTIVE, [], parse_descriptive),
    ],
)
def test_every_column_is_the_same_game(column: str, implied: list[str], parse: Parser) -> None:
    moves, last = played([*in_order(column), *implied], parse)
    assert " ".join(move.uci() for move in moves) == UCI
    assert format_fen(last) == LAST
    ending = outcome(last)
    assert ending is not None
    assert (ending.result, ending.termination) == ("1-0", "checkmate")


def test_every_column_is_written_as_it_was_printed() -> None:
    moves, _ = played(in_order(REALLY_SHORT), parse_san)
    assert written(moves, format_short) == in_order(REALLY_SHORT)
    for column, write, last in (
        (LONG, format_long, "Nc3-d5#"),
        (SHORT, format_san, "Nd5#"),
        (DESCRIPTIVE, format_descriptive, None),
    ):
        printed = [text.rstrip("?") for text in in_order(column)]
        assert written(moves, write) == (printed if last is None else [*printed, last])


def test_one_game_may_be_written_in_turns() -> None:
    """Each notation finds the move whatever was used before it."""
    readers = [parse_long, parse_san, parse_san, parse_descriptive]
    columns = [
        [*in_order(LONG), "Nc3-d5"],
        [*in_order(SHORT), "Nd5"],
        in_order(REALLY_SHORT),
        in_order(DESCRIPTIVE),
    ]
    position = Position.start()
    for ply in range(13):
        moves = {read(position, column[ply]) for read, column in zip(readers, columns, strict=True)}
        assert len(moves) == 1
        position = position.play(moves.pop())
    assert format_fen(position) == LAST
