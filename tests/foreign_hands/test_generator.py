"""The generator keeps its promises: physics, format, rules, and the same seed the same trace."""

from __future__ import annotations

import json
import random
from itertools import pairwise

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardfw.recording import parse_trace
from tests.foreign_hands import switches
from tests.foreign_hands.games import FAMOUS, famous, random_game
from tests.foreign_hands.motion import Motion
from tests.foreign_hands.people import KINDS
from tests.foreign_hands.scoring import Case, case
from tests.foreign_hands.switches import HALL, LYING, STRONG, UPRIGHT, WORN, Pose, Switches
from tests.foreign_hands.table import centre
from tests.sizes import IS_FULL

BOARDS = [UPRIGHT, STRONG, LYING, WORN, HALL]


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
@given(squares=st.sets(st.integers(0, 63)), seed=st.integers(0, 10_000))
def test_pieces_at_rest_close_exactly_their_switches(
    board: switches.Board, squares: set[int], seed: int
) -> None:
    chance = random.Random(seed)
    panel = Switches(board, chance)
    for thing, square in enumerate(sorted(squares)):
        x, y = centre(square)
        panel.place(thing, Pose(x + chance.uniform(-2, 2), y + chance.uniform(-2, 2), 0.0))
    panel.update(0.0, range(64), [])

    assert panel.read(set()) == sum(1 << square for square in squares)


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
def test_a_switch_lets_go_farther_away_than_it_closed(board: switches.Board) -> None:
    panel = Switches(board, random.Random(1))
    x, y = centre(chess.E4)
    heights = [float(z) for z in range(90)]

    def is_closed(z: float) -> bool:
        panel.update(0.0, [chess.E4], [(Pose(x, y, z), 1.0)])
        return panel.read(set()) != 0

    coming = [z for z in reversed(heights) if is_closed(z)]
    going = [z for z in heights if is_closed(z)]

    assert max(going) > max(coming) > 2


def test_a_low_piece_closes_squares_that_it_passes_and_a_high_one_does_not() -> None:
    def passed(height_mm: float) -> set[int]:
        (x0, y0), (x1, y1) = centre(chess.A4), centre(chess.H4)
        way = Motion(0, ((0.0, x0, y0), (1.0, x1, y1)), ((0.0, height_mm),))
        panel = Switches(UPRIGHT, random.Random(1))
        closed = set[int]()
        for step in range(500):
            panel.update(step / 500, range(64), [(way.pose(step / 500), 1.0)])
            read = panel.read(set())
            closed |= {square for square in range(64) if read >> square & 1}
        return closed

    assert passed(2.0) == set(chess.SquareSet(chess.BB_RANK_4))
    assert passed(60.0) == set()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["bullet", "elder", "analyst"])
def test_the_same_seed_makes_the_same_trace(kind: str) -> None:
    assert case(kind, 3, 0).text == case(kind, 3, 0).text


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_sitting_is_well_formed_and_true(kind: str) -> None:
    for number in range(10 if IS_FULL else 1):
        made = case(kind, 3, number)

        _assert_well_formed(made)
        _assert_played_by_the_rules(made)
        _assert_shown_at_rest(made)


def _assert_well_formed(made: Case) -> None:
    """The format is that of the board's contract, written out here once more."""
    header, *rows, end = [json.loads(line) for line in made.text.splitlines()]
    assert header == {"boardfw_trace": 1, "start_fen": chess.STARTING_FEN}
    assert rows[0] == {"t": 0, "occ": "ffff00000000ffff"}
    assert end["end"] is True
    times = [row["t"] for row in (*rows, end)]
    assert times == sorted(times)
    scans = [row["occ"] for row in rows if "occ" in row]
    assert all(one != other for one, other in pairwise(scans))
    recording = parse_trace(made.text.encode(), made.sitting.name)
    assert recording.complete
    assert not recording.warnings


def _assert_played_by_the_rules(made: Case) -> None:
    for played in made.sitting.games:
        board = chess.Board()
        for uci in played.moves:
            move = chess.Move.from_uci(uci)
            assert move in board.legal_moves
            board.push(move)
        let_go = [ply.let_go_s for ply in played.plies]
        assert let_go == sorted(let_go)


def _assert_shown_at_rest(made: Case) -> None:
    """Where players wait for each other and park nothing, each position is shown."""
    person = made.sitting.person
    if person.parks or person.think_s[0] < 0:
        return
    for plies in made.games:
        assert all(ply.shown_us is not None for ply in plies)


@pytest.mark.parametrize("title", sorted(FAMOUS))
def test_famous_games_are_legal(title: str) -> None:
    assert len(famous(title)) > 20


@pytest.mark.parametrize("seed", range(2))
def test_random_games_look_like_chess(seed: int) -> None:
    """Both sides take, and neither lets the game end in the first moves."""
    moves = random_game(random.Random(seed), 60)
    board = chess.Board()
    for move in moves:
        board.push(move)

    assert len(moves) > 30
    assert 3 < 32 - len(board.piece_map()) < 30
