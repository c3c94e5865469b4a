"""Properties that hold for any hands: of probabilities, finals, bursts and time."""

from __future__ import annotations

from itertools import takewhile
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardfw.accuracy.games import random_game
from boardfw.inference.reading import constants
from boardfw.inference.reading.constants import cost
from boardfw.inference.reading.touches import Kind, Touches
from boardfw.rules.board import QUEEN
from boardfw.sensing.debounce import Edge
from boardfw.squares import EVERY_SQUARE, NAMES, START, Occupancy, Orientation, Switch
from tests.inference.reading.table import Table, table_after
from tests.sizes import sized

OPENING = "e2e4 e7e5 g1f3 b8c6"
SQUARES = st.sampled_from([NAMES[square] for square in EVERY_SQUARE])


def rattle(table: Table, squares: int, seed: int) -> None:
    """Let the switches under so many pieces chatter at once, and come to rest."""
    random = Random(seed)
    shaken = random.sample([n for n in range(64) if table.occupied >> n & 1], squares)
    names = [NAMES[n] for n in shaken]
    for _ in range(4):
        for name in names:
            table.flip(name).wait(random.choice((1, 5, 22)))
    table.wait(100)


@pytest.mark.both
@settings(max_examples=sized(8, 40), deadline=None)
@given(seed=st.integers(0, 10_000), pace=st.sampled_from((120, 250, 400)))
def test_any_game_is_read_exactly(seed: int, pace: int) -> None:
    moves = takewhile(lambda move: move.promotion in (0, QUEEN), random_game(seed, 12))
    played = " ".join(move.uci() for move in moves)
    table = Table().play(played, rest_ms=3 * pace, every_ms=pace).wait(5_000)
    assert table.moves == played


@pytest.mark.both
@settings(max_examples=sized(8, 40), deadline=None)
@given(st.lists(SQUARES, max_size=14), st.sampled_from((15, 60, 400)))
def test_probabilities_add_up_whatever_is_touched(squares: list[str], every_ms: int) -> None:
    table = table_after("e2e4 e7e5", every_ms=100, rest_ms=300)
    for square in squares:
        table.flip(square).wait(every_ms)
        read = table.read
        together = read.probability + sum(rival.probability for rival in read.rivals)
        assert together == pytest.approx(1)
        assert all(ply.doubt >= 0 for ply in read.plies)


@pytest.mark.both
@settings(max_examples=sized(8, 40), deadline=None)
@given(st.lists(SQUARES, max_size=14), st.sampled_from((15, 60, 400)))
def test_a_final_ply_is_only_ever_taken_back_on_the_board(
    squares: list[str], every_ms: int
) -> None:
    table = table_after(OPENING)
    table.touch(" ".join(squares), every_ms).wait(3_000)
    undone = [game for game in table.seen[5:] if not game.startswith(OPENING)]
    lifted = {square for square in squares if squares.count(square)}
    for game in undone:
        gone = OPENING.split()[len(game.split()) :]
        assert all({uci[:2], uci[2:]} & lifted for uci in gone)


@pytest.mark.both
@settings(max_examples=sized(8, 40), deadline=None)
@given(st.integers(10, 20), st.integers(0, 1_000))
def test_a_bump_is_no_ply_and_costs_little(squares: int, seed: int) -> None:
    table = table_after(OPENING)
    before = table.reader.game.paid
    rattle(table, squares, seed)
    table.wait(1_000)
    assert table.moves == OPENING
    table.play("f1b5").wait(5_000)
    assert table.moves == OPENING + " f1b5"
    # One price for the bump, a small one for each touch; many lone touches would cost 3 nats each.
    assert table.reader.game.paid - before < 8 + 0.4 * 4 * 2 * squares + 12
    assert table.finals == (5, 5)


def test_a_bump_right_after_a_ply_does_not_cost_it() -> None:
    table = Table().play(OPENING, rest_ms=400, every_ms=120).touch("f1 b5", every_ms=100)
    rattle(table, 16, 1)
    assert table.play("a7a6", rest_ms=400).wait(4_000).moves == OPENING + " f1b5 a7a6"


def test_all_touches_of_a_burst_share_one_price() -> None:
    touches = Touches(Orientation.AS_WIRED)
    felt = [touches.touch(Edge(10_000 * n, Switch(n), closed=False)) for n in range(8)]
    known = [touch for touch in felt if touch is not None]
    assert {touch.kind for touch in known} == {Kind.LIFT}
    together = sum(touch.price for touch in known)
    assert together == pytest.approx(
        cost(constants.P_BURST) + 8 * cost(constants.P_BURST_TOUCH), rel=0.2
    )


def test_a_lone_touch_is_no_burst() -> None:
    touch = Touches(Orientation.AS_WIRED).touch(Edge(0, Switch(0), closed=False))
    assert touch is not None
    assert touch.price == pytest.approx(cost(constants.P_ADJUST) / 2)


@pytest.mark.parametrize("wait_ms", [10, 1_000, 60_000, 300_000])
def test_time_alone_makes_no_ply(wait_ms: int) -> None:
    for touches in ("f3", "f3 c6", "e5", "e1", "f3 b1"):
        table = table_after(OPENING).touch(touches, every_ms=200)
        before = len(table.seen)
        table.wait(wait_ms)
        assert len(table.seen) == before


def test_doubt_falls_while_the_hand_stays_away() -> None:
    table = Table().touch("e2 e3", every_ms=100)
    doubts = []
    for _ in range(5):
        doubts.append(table.read.plies[0].doubt if table.finals[1] == 0 else 0.0)
        table.wait(500)
    assert doubts == sorted(doubts, reverse=True)
    assert doubts[0] > 0.05, "the pawn may go on to e4"
    assert table.finals == (1, 1)


def test_a_ply_that_cannot_go_on_is_final_sooner() -> None:
    def final_after(touches: str) -> int:
        table = Table().touch(touches, every_ms=100)
        landed_us = table.t_us
        while table.finals[1] == 0:
            table.wait(20)
        return table.t_us - landed_us

    assert final_after("e2 e4") < final_after("e2 e3")


def test_a_gap_in_scanning_is_read_by_what_stands_afterwards() -> None:
    table = table_after("e2e4 e7e5")
    table.wait(2_000)
    table.occupied ^= 1 << 6 | 1 << 21
    table.reader.feed(table.t_us, Occupancy(table.occupied), since_us=table.t_us - 1_500_000)
    assert table.wait(4_000).moves == "e2e4 e7e5 g1f3"


def test_a_board_that_stands_turned_is_read_alike() -> None:
    from boardfw.inference.reading import ScanReader
    from boardfw.rules import Position
    from boardfw.squares import half_turned

    start = Position.start()
    reader = ScanReader(start, START, orientation=Orientation.TURNED)
    occupied = start.occupied
    for t_us, square in ((1_000_000, 12), (1_400_000, 28)):
        occupied ^= 1 << square
        reader.feed(t_us, Occupancy(half_turned(occupied)))
    reader.pass_time(3_000_000)
    assert [move.uci() for move in reader.game.moves()] == ["e2e4"]
