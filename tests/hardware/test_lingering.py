"""Hands that park captured pieces on the board, and hold pieces for long."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from boardfw.recording import START_FEN
from boardfw.squares import SWITCH_BY_NAME, Switch
from hardware.sim.between_games import set_up
from hardware.sim.board import pieces_of
from hardware.sim.hand_profiles import HAND_PROFILES
from hardware.sim.hands import Hands
from hardware.sim.moving import HandMove, meaning
from tests.hardware.test_hands import steps

D5 = SWITCH_BY_NAME["d5"]
SEEDS = range(12)
CAREFUL = replace(HAND_PROFILES["careful"], adjust=0.0, hesitate=0.0)
PARKS = replace(CAREFUL, park=1.0, captures={"captured_first": 1})
HOLDS = replace(CAREFUL, long_hold=1.0)
GAME = [HandMove(steps("e2e4")), HandMove(steps("d7d5")), HandMove(steps("e4d5"), (D5,))]


def after(game: list[HandMove]) -> dict[Switch, str]:
    pieces = pieces_of(START_FEN)
    for move in game:
        pieces = meaning(pieces, move)
    return pieces


def parked(hands: Hands) -> tuple[dict[Switch, str], set[Switch]]:
    """The pieces after the game, and the squares on which there are more than belong to it."""
    pieces = pieces_of(START_FEN)
    for gesture in hands.game(GAME, 0, pieces):
        pieces = gesture.performed(pieces)
    return pieces, set(pieces) - set(after(GAME))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_captured_piece_waits_on_a_square_of_the_board(seed: int) -> None:
    pieces, on = parked(Hands(PARKS, seed))
    assert [pieces[square] for square in on] == ["p"]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_parked_piece_leaves_before_a_move_that_needs_its_square(seed: int) -> None:
    hands = Hands(PARKS, seed)
    pieces, (square,) = parked(hands)
    knight = HandMove(((SWITCH_BY_NAME["g8"], square),))
    gesture = hands.play(knight, 10**9, pieces)
    assert "unparked" in gesture.tags
    assert gesture.performed(pieces) == meaning(after(GAME), knight)


@pytest.mark.parametrize("seed", SEEDS)
def test_another_game_knows_nothing_of_pieces_parked_in_the_one_before(seed: int) -> None:
    hands = Hands(PARKS, seed)
    pieces, on = parked(hands)
    crowded = {**pieces_of(START_FEN), **dict.fromkeys(on, "R")}
    pieces = hands.do(partial(set_up, wanted=crowded), 10**9, pieces).performed(pieces)
    for move in GAME[:2]:
        gesture = hands.play(move, 2 * 10**9, pieces)
        assert "unparked" not in gesture.tags
        pieces = gesture.performed(pieces)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_held_piece_ends_where_its_move_brings_it(seed: int) -> None:
    pieces = pieces_of(START_FEN)
    for gesture, done in zip(Hands(HOLDS, seed).game(GAME, 0, pieces), range(1, 4), strict=True):
        assert gesture.landed_us - gesture.begin_us >= 8_000_000
        pieces = gesture.performed(pieces)
        assert pieces == after(GAME[:done])
