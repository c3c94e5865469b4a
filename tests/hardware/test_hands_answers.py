"""Hands at a lesson: what they show is felt for long enough, and nothing else is for too long."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise

import pytest

from boardfw.recording import START_FEN
from boardfw.squares import EVERY_SWITCH, Switch
from hardware.clock import VirtualClock
from hardware.sim.answering import put_back, put_back_together, visit
from hardware.sim.board import SimBoard, pieces_of
from hardware.sim.faults import PRESETS
from hardware.sim.gesture import Gesture
from hardware.sim.hand_profiles import EVERYBODY, HAND_PROFILES
from hardware.sim.hands import Hands
from hardware.sim.motion import Motion
from hardware.sim.moving import HandMove
from hardware.sim.record import watch
from tests.adjusting import adjust
from tests.hardware.test_hands import squares
from tests.sizes import sized

ANSWERED_US = 700_000
"""A piece lifted for this long was held up: a board may take it for an answer."""
SHOWN_US = 500_000
"""A square closed for this long was shown."""
SHORTEST_US = 25_000
"""A square closed for less long was not touched."""
QUIET_US = 2_000_000
SEEDS = range(sized(5, 40))
BEGIN_US = 1_000_000

A1, B1, C3, D4, E1, E8, G5, H8 = squares("a1 b1 c3 d4 e1 e8 g5 h8")
PIECES = {E1: "K", D4: "R", B1: "N", E8: "k", G5: "p", C3: "P"}

pytestmark = pytest.mark.both

Spell = tuple[Switch, bool, int]
"""A square, whether it was closed, and for how long."""
Does = Callable[[Hands, dict[Switch, str]], Gesture]

each_kind = pytest.mark.parametrize("kind", sorted(EVERYBODY))


def spells(gesture: Gesture, pieces: dict[Switch, str], seed: int) -> Iterator[Spell]:
    """How long each switch kept each state that it changed to."""
    until_us = gesture.settled_us + QUIET_US
    clock = VirtualClock()
    board = SimBoard(clock, pieces=pieces, faults=PRESETS["none"], seed=seed)
    scans = watch(board, clock, [gesture], until_us)
    for square in EVERY_SWITCH:
        bit = 1 << square
        changes = [scans[0]]
        for scan in scans:
            if (scan[1] ^ changes[-1][1]) & bit:
                changes.append(scan)
        for (since_us, occupancy), (end_us, _) in pairwise(changes[1:]):
            yield square, bool(occupancy & bit), end_us - since_us


def held_up(spell: Spell) -> bool:
    return not spell[1] and spell[2] >= ANSWERED_US


def done(kind: str, does: Does, pieces: dict[Switch, str] = PIECES) -> Iterator[list[Spell]]:
    """Each seed's spells; in the end every piece stands where it stood."""
    for seed in SEEDS:
        gesture = does(Hands(kind, seed), pieces)
        assert gesture.performed(pieces) == pieces
        assert gesture.begin_us == BEGIN_US
        assert gesture.begin_us < gesture.landed_us <= gesture.end_us <= gesture.settled_us
        yield list(spells(gesture, pieces, seed))


@each_kind
def test_only_the_pieces_put_back_were_up_for_long_enough_one_after_the_other(
    kind: str,
) -> None:
    asked = [D4, E8, B1]
    for found in done(
        kind, lambda hands, pieces: hands.do(partial(put_back, squares=asked), BEGIN_US, pieces)
    ):
        assert [square for square, closed, _ in filter(held_up, found)] == sorted(asked)
        assert max(us for _, closed, us in filter(held_up, found)) < 3_600_000
    for seed in SEEDS:
        actions = Hands(kind, seed).do(partial(put_back, squares=asked), 0, PIECES).actions
        up = [a.square for a in actions if a.kind == "lift" and a.square in asked]
        assert [square for n, square in enumerate(up) if square not in up[:n]] == asked


@pytest.mark.slow
@each_kind
def test_both_kings_are_in_the_air_at_once(kind: str) -> None:
    together = partial(put_back_together, squares=[E8, E1])
    for found in done(kind, lambda hands, pieces: hands.do(together, BEGIN_US, pieces)):
        assert [square for square, _, _ in filter(held_up, found)] == [E1, E8]
    for seed in SEEDS:
        actions = Hands(kind, seed).do(together, 0, PIECES).actions
        kings = [a for a in actions if a.label in "Kk"]
        first_down = next(n for n, action in enumerate(kings) if action.kind == "drop")
        assert {action.square for action in kings[:first_down]} == {E1, E8}


VISITED = squares("d5 d8 a4")
CALLED_ON = [*VISITED[:2], G5, VISITED[2]]


def visiting(squares: list[Switch], home: Switch | None) -> Callable[[Motion], None]:
    return partial(visit, origin=D4, squares=squares, home=home)


@pytest.mark.slow
@each_kind
def test_squares_visited_are_felt_and_shown_no_longer_than_a_touch(kind: str) -> None:
    def visit(hands: Hands, pieces: dict[Switch, str]) -> Gesture:
        return hands.do(visiting(CALLED_ON, D4), BEGIN_US, pieces)

    for found in done(kind, visit):
        closed = [square for square, is_closed, us in found if is_closed and us >= SHORTEST_US]
        assert set(VISITED) <= set(closed)
        assert [square for square, _, _ in filter(held_up, found) if square != D4] == [G5]
        if kind in HAND_PROFILES:  # the others slide as slowly as they like
            passed = [us for square, is_closed, us in found if is_closed and square not in VISITED]
            assert all(us < SHOWN_US for us in passed)


def test_visitors_stay_on_the_last_square_when_they_have_no_home() -> None:
    for seed in SEEDS:
        gesture = Hands("club", seed).do(visiting(VISITED, None), 0, PIECES)
        moved = {square: label for square, label in PIECES.items() if square != D4}
        assert gesture.performed(PIECES) == moved | {VISITED[-1]: "R"}


def test_slow_hands_stay_longer_on_a_square_that_they_show() -> None:
    def longest(kind: str) -> int:
        gestures = (Hands(kind, seed).do(visiting(VISITED, D4), 0, PIECES) for seed in SEEDS)
        return max(gesture.end_us for gesture in gestures)

    assert longest("blitz") < longest("club") < longest("heavy")


def test_some_slide_and_some_carry_while_they_visit() -> None:
    tags = {
        kind: [
            "slide" in Hands(kind, seed).do(visiting(VISITED, D4), 0, PIECES).tags for seed in SEEDS
        ]
        for kind in ("careful", "dragger")
    }
    assert sum(tags["careful"]) < len(SEEDS) / 4 < sum(tags["dragger"])


@pytest.mark.slow
@each_kind
def test_a_piece_put_straight_is_off_its_square_for_less_than_an_answer(kind: str) -> None:
    ways = set()
    for seed in range(2 * len(SEEDS)):
        gesture = Hands(kind, seed).do(partial(adjust, square=D4), BEGIN_US, PIECES)
        ways |= set(gesture.tags)
        assert gesture.performed(PIECES) == PIECES
        assert gesture.end_us - gesture.begin_us < 600_000
        assert not any(held_up(spell) for spell in spells(gesture, PIECES, seed))
    assert {"adjust", "touched", "nudged", "leaned"} <= ways


@pytest.mark.slow
@each_kind
def test_attentive_hands_show_no_other_move_and_hold_no_other_piece_up(kind: str) -> None:
    pieces, move = (
        pieces_of(START_FEN),
        HandMove(((Switch(12), Switch(28)),), illegal=(Switch(36),)),
    )
    for seed in range(100):
        hands = Hands(EVERYBODY[kind].attentive(), seed)
        gesture = hands.play(move, 0, pieces)
        assert not gesture.showed_another
        if seed in SEEDS:
            found = list(spells(gesture, pieces, seed))
            assert {square for square, _, _ in filter(held_up, found)} <= {12}


def test_hands_answer_alike_from_the_same_seed_and_others_are_adjusted_now_and_then() -> None:
    def answers(seed: int) -> Gesture:
        return Hands("nervous", seed).do(partial(put_back, squares=[D4]), 0, PIECES)

    assert answers(3) == answers(3)
    assert any("adjust" in answers(seed).tags for seed in SEEDS)
    assert any("nudge" in answers(seed).tags for seed in SEEDS)
    assert HAND_PROFILES["club"].attentive().nudge == HAND_PROFILES["club"].nudge
