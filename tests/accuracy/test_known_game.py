"""A known game is found again in what the switches read, whoever played it."""

from __future__ import annotations

from statistics import median

import pytest

from boardfw.accuracy.games import FAMOUS, games_of
from boardfw.accuracy.known_game import found
from boardfw.accuracy.playing import Task, moves_of, record
from boardfw.accuracy.truth import Shown
from boardfw.notation.fen import parse_fen
from boardfw.recording import START_FEN
from boardfw.rules import Position
from boardfw.squares import SWITCH_BY_NAME, Occupancy, occupancy_of
from hardware.sim.board import pieces_of
from tests.foreign_hands.scoring import case

GAMES = games_of([FAMOUS], 3, 1)
MOMENT_US = 700_000
"""A piece is felt before it stands, and a slow hand straightens it."""


@pytest.mark.parametrize(
    "kind",
    ["careful", "blitz", "elder", "any", "bullet", "club+both", "blitz+bumps", "blitz+rings"],
)
def test_each_ply_of_simulated_hands_is_found_when_it_was_made(kind: str) -> None:
    for number, game in enumerate(GAMES, 1):
        played = record(Task((game,), kind, number, 60 + number))
        start = parse_fen(game.start_fen)
        plies, _ = found(start, moves_of(start, game.moves), played.watched.scans)
        assert [ply.uci for ply in plies] == list(game.moves)
        late = [
            abs(ply.landed_us - true.landed_us)
            for ply, true in zip(plies, played.truth.plies, strict=True)
        ]
        assert median(late) < MOMENT_US
        assert sum(one > MOMENT_US for one in late) <= len(late) // 10


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["club", "dragger", "bullet", "holder", "jeweller", "hall"])
def test_each_ply_of_foreign_hands_is_found_when_it_was_made(kind: str) -> None:
    foreign = case(kind, 5, 1)
    (true, *_) = foreign.games
    moves = moves_of(Position.start(), tuple(ply.uci for ply in true))
    scans = [(t_us, Occupancy(occupancy)) for t_us, occupancy in foreign.scans]
    plies, _ = found(Position.start(), moves, scans)
    assert [ply.uci for ply in plies] == [ply.uci for ply in true]
    late = [abs(ply.landed_us - one.let_go_us) for ply, one in zip(plies, true, strict=True)]
    assert median(late) < MOMENT_US


def scans(*touches: str) -> list[tuple[int, Occupancy]]:
    """The switches: before anything, and after each touch like ``11 +e4``, in seconds."""
    closed = occupancy_of(pieces_of(START_FEN))
    seen = [(0, closed)]
    for touch in touches:
        second, square = touch.split()
        closed ^= 1 << SWITCH_BY_NAME[square[1:]]
        seen.append((int(float(second) * 1e6), closed))
    return seen


OPENING = ("1 -e2", "2 +e4", "3 -d7", "4 +d5")
MOVES = moves_of(Position.start(), ("e2e4", "d7d5", "e4d5", "d8d5"))


def times(*touches: str) -> list[float]:
    """When each ply was made, in seconds."""
    plies, _ = found(Position.start(), MOVES, scans(*OPENING, *touches))
    return [ply.landed_us / 1e6 for ply in plies]


def test_a_held_piece_that_could_capture_has_not_captured_yet() -> None:
    assert times("5 -e4", "60 -d5", "61 +d5") == [2, 4, 61]


def test_a_piece_that_is_straightened_before_has_not_been_captured() -> None:
    assert times("4.5 -d5", "4.8 +d5", "5 -e4", "60 -d5", "61 +d5") == [2, 4, 61]


def test_a_capture_that_no_switch_saw_was_made_when_the_piece_left() -> None:
    assert times("5 -e4", "9 -d8", "10 -d5", "11 +d5") == [2, 4, 5, 11]


def test_a_game_that_was_broken_off_ends_with_its_last_ply() -> None:
    assert times() == [2, 4]


def test_a_disturbed_square_elsewhere_does_not_hide_a_ply() -> None:
    closed_meanwhile = ("4.5 +a5", "5 -e4", "6 -d5", "7 +d5", "8 -d8", "9 -d5", "10 +d5")
    assert times(*closed_meanwhile) == [2, 4, 7, 10]


def test_a_move_that_stood_before_the_right_one_was_shown() -> None:
    _, shown = found(Position.start(), MOVES, scans("1 -e2", "2 +e3", "4 -e3", "5 +e4"))
    assert shown == (Shown(0, "e2e3", 2_000_000, 4_000_000),)
