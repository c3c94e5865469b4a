"""Whole games by simulated hands: what the switches of a board read of them."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardfw.recording import START_FEN, parse_trace
from boardfw.squares import SWITCH_BY_NAME, Occupancy, occupancy_of
from hardware.sim.board import pieces_of
from hardware.sim.faults import PRESETS
from hardware.sim.gesture import perform
from hardware.sim.hand_profiles import EVERYBODY, HAND_PROFILES
from hardware.sim.hands import Hands
from hardware.sim.moving import HandMove
from hardware.sim.record import simulate
from tests.hardware.test_hands import played, squares, steps
from tests.sizes import sized

KINDS = st.sampled_from(sorted(EVERYBODY))
SEEDS = st.integers(0, 10**6)


SCANDINAVIAN = [
    HandMove(steps("e2e4")),
    HandMove(steps("d7d5")),
    HandMove(steps("e4d5"), (SWITCH_BY_NAME["d5"],)),
    HandMove(steps("d8d5"), (SWITCH_BY_NAME["d5"],)),
    HandMove(steps("b1c3")),
    HandMove(steps("d5a5")),
    HandMove(steps("g1f3")),
    HandMove(steps("c8g4")),
    HandMove(steps("f1e2")),
    HandMove(steps("b8c6")),
    HandMove(steps("e1g1", "h1f1")),
    HandMove(steps("e8c8", "a8d8")),
]


def final() -> Occupancy:
    pieces = pieces_of(START_FEN)
    for move in SCANDINAVIAN:
        pieces = played(pieces, move)
    return occupancy_of(pieces)


@pytest.mark.slow
@given(KINDS, SEEDS)
def test_scans_are_on_the_grid_and_each_one_changed(kind: str, seed: int) -> None:
    scans = simulate(SCANDINAVIAN, kind, seed, pieces_of(START_FEN)).scans
    assert scans == simulate(SCANDINAVIAN, kind, seed, pieces_of(START_FEN)).scans
    assert all(t_us % 2_000 == 0 for t_us, _ in scans)
    pairs = list(pairwise(scans))
    assert all(before[0] < later[0] and before[1] != later[1] for before, later in pairs)


def test_blitz_replies_begin_before_the_move_has_ended() -> None:
    overlaps = 0
    for seed in range(20):
        gestures = list(Hands("blitz", seed).game(SCANDINAVIAN, 0, pieces_of(START_FEN)))
        pairs = pairwise(gestures)
        overlaps += sum(later.actions[0].t_us < before.end_us + 6_000 for before, later in pairs)
    assert overlaps > 10


@pytest.mark.slow
@pytest.mark.parametrize("kind", sorted(HAND_PROFILES))
def test_overlapping_gestures_performed_in_time_play_the_game(kind: str) -> None:
    for seed in range(100):
        standing = pieces_of(START_FEN)
        gestures = list(Hands(kind, seed).game(SCANDINAVIAN, 0, standing))
        actions = [action for gesture in gestures for action in gesture.actions]
        for action in sorted(actions, key=lambda action: action.t_us):
            if action.kind == "lift":
                assert standing[action.square] == action.label
            perform(standing, [action])
        assert occupancy_of(standing) == final()


@pytest.mark.both
def test_a_piece_just_promoted_is_not_adjusted_by_the_other_side() -> None:
    a7, a8, h2, h3 = squares("a7 a8 h2 h3")
    moves = [HandMove(((a7, a8),), (), 0, "Q"), HandMove(((h2, h3),))]
    for seed in range(sized(60, 300)):
        _, reply = Hands("child", seed).game(moves, 0, {a7: "P", h2: "p"})
        assert a8 not in {action.square for action in reply.actions}


def test_a_game_on_a_bad_cable_is_recorded_all_the_same() -> None:
    pieces = pieces_of(START_FEN)
    game = simulate(SCANDINAVIAN, "club", 1, pieces, faults=PRESETS["cable"])
    assert game.scans[-1][1] == final()


def test_a_simulated_game_is_written_as_a_trace() -> None:
    game = simulate(SCANDINAVIAN, "wooden", 1, pieces_of(START_FEN))
    recording = parse_trace(game.trace().encode(), "f")
    assert [(e.t_us, getattr(e, "occupancy", None)) for e in recording.entries] == [
        *game.scans,
        (game.end_us, None),
    ]
