"""Another reader finds no fault in what we write, and plays the same moves."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardfw.notation.pgn import Game, format_game, read_games
from boardfw.rules import Move, Position
from boardfw.rules.chess960 import STARTS, start_position
from boardfw.rules.outcome import outcome
from tests.notation.pgn_trees import games
from tests.pgn_extract import heard, needs_pgn_extract
from tests.sizes import sized

pytestmark = [pytest.mark.slow, needs_pgn_extract]

SOME_STARTS, PLIES = 60, 60


def test_it_complains_of_what_is_wrong_and_counts_what_it_can_read() -> None:
    told = heard("1. e4 Ke4 *\n\n1. d4 d5 *\n")
    assert "Ke4" in told.complaints
    assert [len(game.moves) for game in told.games] == [2]


@given(st.lists(games(), min_size=1, max_size=4))
@settings(max_examples=sized(10, 50))
def test_trees_of_any_kind(several: list[Game]) -> None:
    text = "".join(map(format_game, several))
    told = heard(text)
    assert told.complaints == ""
    ours = list(read_games(text))
    assert [main_line(game) for game in told.games] == [main_line(game) for game in ours]


def main_line(game: Game) -> tuple[dict[str, str], Position, list[Move], str]:
    return game.tags, game.start, list(game.moves), game.result


def test_castling_from_every_start_of_chess960(full: bool) -> None:
    chance = Random(1)
    numbers = range(STARTS) if full else sorted(chance.sample(range(STARTS), SOME_STARTS))
    several = [castling(start_position(number), chance) for number in numbers]
    told = heard("".join(map(format_game, several)))
    assert told.complaints == ""
    assert [list(game.moves) for game in told.games] == [list(game.moves) for game in several]
    assert (
        sum(any(len(move.steps()) > 1 for move in game.moves) for game in several)
        > len(several) / 2
    )


def castling(start: Position, chance: Random) -> Game:
    """A random game that castles as soon as possible."""
    position, moves = start, list[Move]()
    while len(moves) < PLIES and (legal := position.legal_moves()):
        castlings = [move for move in legal if len(move.steps()) > 1]
        moves.append(chance.choice(castlings or legal))
        position = position.play(moves[-1])
    ended = outcome(position)
    return Game({}, start, moves, ended.result if ended else "*")
