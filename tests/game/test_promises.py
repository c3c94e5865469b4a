"""What holds whatever the hands do: ``Table`` checks it at every event, here for anything."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardfw.accuracy.games import random_game
from boardfw.game.events import Action, Finalised, Moved, TakenBack, Tick
from boardfw.ports import BUTTONS, Button
from boardfw.recording import Press
from boardfw.squares import EVERY_SWITCH, START, Occupancy, Switch
from tests.dances import Table
from tests.hands import KINDS, hands_play, play, watched
from tests.sizes import IS_FULL, sized

FEW = settings(max_examples=sized(2, 15), derandomize=True, database=None)
SOME = settings(max_examples=sized(8, 40), derandomize=True, database=None)
MANY = settings(max_examples=1_000 if IS_FULL else 20, derandomize=True, database=None)

SEEDS = st.integers(0, 10**6)
GAPS_US = st.sampled_from([0, 500, 2_000, 5_000, 30_000, 120_000, 400_000, 800_000, 3_000_000])
SQUARES = st.sampled_from(EVERY_SWITCH)
TOUCHES = st.lists(st.tuples(GAPS_US, SQUARES), max_size=60)
SCANS = st.lists(st.tuples(GAPS_US, st.integers(0, 2**64 - 1)), max_size=25)
PRESSES = st.lists(st.tuples(GAPS_US, st.sampled_from(BUTTONS)), max_size=8)


def scanned(
    touches: list[tuple[int, Switch]], start: Occupancy = START
) -> list[tuple[int, Occupancy]]:
    """Scans at times, from switches that flip after gaps."""
    t_us, occupancy, scans = 1_000_000, start, []
    for gap_us, square in touches:
        t_us += gap_us
        occupancy ^= 1 << square
        scans.append((t_us, occupancy))
    return scans


def watch(scans: list[tuple[int, Occupancy]], presses: list[tuple[int, Button]]) -> Table:
    """Everything that is read and pressed, in the order of time; ``Table`` checks what is said."""
    table, due_us, due = Table(), 0, []
    for gap_us, button in presses:
        due_us += gap_us + 100_000
        due.append((due_us, button))
    for t_us, occupancy in scans:
        while due and due[0][0] <= t_us:
            press_us, button = due.pop(0)
            table.wait(max(press_us - table.t_us, 0))
            table.take(Press(table.t_us, button))
        table.scan(max(t_us, table.t_us), occupancy)
    table.wait(20_000_000)
    table.finish()
    return table


@SOME
@given(TOUCHES, PRESSES)
def test_any_touches_and_presses_leave_a_legal_game(
    touches: list[tuple[int, Switch]], presses: list[tuple[int, Button]]
) -> None:
    watch(scanned(touches), presses)


@SOME
@given(SCANS)
def test_scans_of_pure_noise_leave_a_legal_game(scans: list[tuple[int, Occupancy]]) -> None:
    t_us, noise = 1_000_000, []
    for gap_us, occupancy in scans:
        t_us += gap_us
        noise.append((t_us, occupancy))
    watch(noise, [])


@SOME
@given(SEEDS)
def test_hands_that_know_no_rules_leave_a_legal_game(seed: int) -> None:
    assert_carefree(seed, 40)


def assert_carefree(seed: int, touches: int) -> None:
    """Lift any piece, put any piece anywhere: as a small child plays."""
    chance, occupancy, t_us, scans = Random(seed), START, 1_000_000, []
    for _ in range(touches):
        in_hand = occupancy.bit_count() < START.bit_count() - chance.randrange(3)
        wanted = [s for s in EVERY_SWITCH if bool(occupancy >> s & 1) != in_hand]
        occupancy ^= 1 << chance.choice(wanted)
        t_us += chance.choice([3_000, 60_000, 250_000, 900_000, 5_000_000])
        scans.append((t_us, occupancy))
    watch(scans, [])


@FEW
@given(SEEDS, st.sampled_from(KINDS))
def test_the_same_scans_say_the_same(seed: int, kind: str) -> None:
    simulated = hands_play(random_game(seed, 12), kind, seed)
    assert watched(simulated).actions == watched(simulated).actions


@FEW
@given(SEEDS, st.sampled_from(KINDS))
def test_a_session_that_is_told_the_time_too_late_records_the_same(seed: int, kind: str) -> None:
    simulated = hands_play(random_game(seed, 12), kind, seed)
    late, chance = Table(first_us=0), Random(seed)
    for t_us, occupancy in simulated.scans[1:]:
        while late.t_us < t_us and chance.random() < 0.5:
            late.t_us = chance.randint(late.t_us, t_us)
            late.take(Tick(late.t_us))
        late.scan(t_us, occupancy)
    late.wait(simulated.end_us - late.t_us)
    late.finish()
    assert late.moves == watched(simulated).moves


@FEW
@given(SEEDS, st.sampled_from(["careful", "club"]))
def test_a_game_by_calm_hands_is_recorded_as_it_was_played(seed: int, kind: str) -> None:
    played = play(seed, kind, 30)
    assert played.table.moves == played.moves


def undone_finals(actions: list[Action]) -> list[int]:
    """Plies that were said to be final and were taken back all the same."""
    told, final = 0, 0
    undone: list[int] = []
    for action in actions:
        if isinstance(action, Moved):
            told = action.ply
        elif isinstance(action, Finalised):
            final = action.ply
        elif isinstance(action, TakenBack):
            told -= action.plies
            undone += range(told + 1, final + 1)
            final = min(final, told)
    return undone


@pytest.mark.slow
def test_what_calm_hands_are_told_is_final_is_seldom_undone() -> None:
    plies = undone = 0
    for seed in range(30):
        played = play(seed, "careful", 30)
        plies += len(played.moves.split())
        undone += len(undone_finals(played.table.actions))
    assert undone <= plies / 500


# --- the same at length


@pytest.mark.slow
@MANY
@given(TOUCHES, PRESSES)
def test_many_touches_leave_legal_games(
    touches: list[tuple[int, Switch]], presses: list[tuple[int, Button]]
) -> None:
    watch(scanned(touches), presses)


@pytest.mark.slow
@MANY
@given(SEEDS)
def test_many_hands_that_know_no_rules_leave_legal_games(seed: int) -> None:
    assert_carefree(seed, 150)


@pytest.mark.slow
@MANY
@given(SEEDS, st.sampled_from(KINDS))
def test_whatever_the_hands_the_record_is_a_legal_game(seed: int, kind: str) -> None:
    play(seed, kind, 40)
