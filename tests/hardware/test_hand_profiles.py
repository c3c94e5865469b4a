"""What hands do: every habit occurs, and scaled profiles do the same slower or more often."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import pairwise

import pytest

from boardfw.squares import Switch, occupancy_of
from hardware.sim.board import pieces_of
from hardware.sim.faults import PRESETS
from hardware.sim.hand_profiles import (
    EVERYBODY,
    HAND_PROFILES,
    LIKELIEST,
    HandProfile,
)
from hardware.sim.hands import Hands
from hardware.sim.moving import HandMove, meaning
from hardware.sim.record import Simulated, simulate
from hardware.sim.truth import LOST_US
from tests.hardware.test_hands import squares, steps
from tests.sizes import IS_SLOW, sized

E5, D5, D6 = squares("e5 d5 d6")
PIECES = pieces_of("r3k2r/4pppp/3p4/3pP3/8/2N5/PP3PPP/R3K2R")
GAME = [
    HandMove(steps("e1g1", "h1f1"), instead=lambda: [[HandMove(steps("a2a4"))]]),
    HandMove(steps("e8c8", "a8d8"), illegal=tuple(squares("b6 b7"))),
    HandMove(steps("c3d5"), (D5,)),
    HandMove(steps("d6e5"), (E5,)),
    HandMove(steps("d5b4")),
    HandMove(steps("d8d2")),
    HandMove(steps("f2f3")),
    HandMove(steps("e5e4")),
    HandMove(steps("f3e4"), tuple(squares("e4"))),
]
SEEDS = sized(50, 250)


@cache
def tags(kind: str) -> Counter[str]:
    """How often each tag occurs in many games of one kind of hands."""
    return Counter(
        tag
        for seed in range(SEEDS)
        for gesture in Hands(kind, seed).game(GAME, 0, PIECES)
        for tag in gesture.tags
    )


USUAL = {
    "attacker_first",
    "captured_first",
    "first_first",
    "slide",
    "adjust",
    "hesitate",
    "nudge",
    "rock",
}
QUICK = {"two_hands", "swap", "second_first", "both_in_air", "take_back", "instead", "knock"}
WILD = {"wrong_square", "illegal", "push", "pause", "second_waits", "plies_back_1"}
SELDOM = {"instead", "knock", "plies_back_2", "plies_back_3", "second_waits", "pause"}
WILD |= SELDOM


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "habits"),
    [
        ("careful", USUAL),
        ("club", USUAL | QUICK),
        ("blitz", USUAL | QUICK | {"push", "illegal"}),
        ("wooden", USUAL | QUICK),
        ("child", USUAL | QUICK | WILD),
        ("heavy", USUAL | QUICK | WILD),
        ("nervous", USUAL | QUICK | {"plies_back_3"}),
        ("dragger", USUAL | {"push", "pause", "swap"}),
    ],
)
def test_each_kind_of_hands_has_its_habits(kind: str, habits: set[str]) -> None:
    assert habits - (set() if IS_SLOW else SELDOM) <= set(tags(kind))


@pytest.mark.both
def test_a_careful_player_never_errs_and_a_child_often() -> None:
    for tag in ("wrong_square", "illegal", "take_back", "instead", "knock", "push", "swap"):
        assert tags("careful")[tag] == 0
    assert tags("child")["illegal"] > 3 * tags("blitz")["illegal"]
    assert tags("nervous")["adjust"] > 0.3 * SEEDS * len(GAME)


def final() -> dict[Switch, str]:
    pieces = PIECES
    for move in GAME:
        pieces = meaning(pieces, move)
    return pieces


def played(kind: str | HandProfile, seed: int, **options: int) -> Simulated:
    return simulate(GAME, kind, seed, PIECES, **options)  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.parametrize("kind", sorted(EVERYBODY))
@pytest.mark.parametrize("scan_period_us", [1_000, 2_000, 4_000])
def test_the_final_position_is_read_for_all_hands_and_scan_rates(
    kind: str, scan_period_us: int
) -> None:
    for seed in range(sized(1, 4, 15)):
        game = simulate(GAME, kind, seed, PIECES, scan_period_us=scan_period_us)
        glitches = EVERYBODY[kind].board.glitch_hz > 0
        assert game.scans[-1][1] == occupancy_of(final()) or glitches
        assert all(t_us % scan_period_us == 0 for t_us, _ in game.scans)


@pytest.mark.both
@pytest.mark.parametrize("kind", sorted(EVERYBODY))
def test_what_stands_after_each_gesture_is_what_the_moves_so_far_say(kind: str) -> None:
    for seed in range(sized(2, 10, 40)):
        pieces = said = PIECES
        for move, gesture in zip(GAME, Hands(kind, seed).game(GAME, 0, PIECES), strict=True):
            pieces, said = gesture.performed(pieces), meaning(said, move)
            assert pieces == said
            assert gesture.begin_us < gesture.landed_us <= gesture.end_us <= gesture.settled_us


@pytest.mark.both
@pytest.mark.parametrize("kind", sorted(EVERYBODY))
def test_contacts_have_settled_when_a_gesture_says_so(kind: str) -> None:
    for seed in range(sized(1, 3, 10)):
        game = simulate(GAME, kind, seed, PIECES, faults=PRESETS["none"])
        for gesture, later in pairwise(game.gestures):
            touched = gesture.first_touches()
            for (_, before), (t_us, after) in pairwise(game.scans):
                if gesture.settled_us < t_us < later.begin_us:
                    assert not any((before ^ after) >> square & 1 for square in touched)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["blitz", "dragger"])
def test_a_capture_that_never_opened_says_so_and_another_does_not(kind: str) -> None:
    found = Counter[bool]()
    for seed in range(60):
        game = simulate(GAME[:4], kind, seed, PIECES, faults=PRESETS["none"])
        for move, gesture in list(zip(GAME, game.gestures, strict=False))[2:]:
            (target,) = move.removed
            seen = [o for t, o in game.scans if gesture.begin_us <= t <= gesture.landed_us]
            opened = any(not occupancy >> target & 1 for occupancy in seen)
            assert opened == ("never_open" not in gesture.tags)
            found[opened] += 1
    assert min(found[True], found[False]) > 1


@pytest.mark.both
@pytest.mark.parametrize("lost", [0.0, 1.0])
def test_a_promotion_over_whose_square_a_contact_was_lost_says_so(lost: float) -> None:
    (a8,) = squares("a8")
    move = HandMove(steps("a7a8"), promotion=0, promoted="Q")
    board = replace(PRESETS["none"], lost=lost, reach=0.33)
    found = Counter[bool]()
    for seed in range(sized(50, 100)):
        game = simulate([move], "child", seed, pieces_of("8/P6k/8/8/8/8/8/K7"), faults=board)
        (gesture,) = game.gestures
        lifted = sum((one.kind, one.square) == ("lift", a8) for one in gesture.actions)
        changes = [
            (t_us, after >> a8 & 1)
            for (_, before), (t_us, after) in pairwise(game.scans)
            if (before ^ after) >> a8 & 1
        ]
        emptied = sum(
            closed == 0 and back_us - left_us > LOST_US
            for (left_us, closed), (back_us, _) in pairwise(changes)
        )
        assert (emptied > lifted) == ("contact_lost" in gesture.tags)
        found[emptied > lifted] += 1
    assert min(found[True], found[False]) > 1 if lost else not found[True]


@pytest.mark.both
def test_a_swap_opens_the_square_for_some_ten_milliseconds_or_not_at_all() -> None:
    pieces, move = {E5: "P", D6: "p"}, HandMove(steps("e5d6"), (D6,))
    lengths = []
    for seed in range(sized(150, 300)):
        game = simulate([move], "club", seed, pieces, faults=PRESETS["none"], scan_period_us=1_000)
        gesture = game.gestures[0]
        if gesture.tags[:1] == ("swap",):
            until = [scan for scan in game.scans if scan[0] <= gesture.landed_us]
            spans = [(later - t, o) for (t, o), (later, _) in pairwise(until)]
            lengths.append(sum(span for span, o in spans if not o >> D6 & 1))
    assert len(lengths) > sized(8, 20)
    assert sorted(lengths)[len(lengths) // 2] < 60_000
    assert max(lengths) < 150_000


def test_blitz_plays_three_plies_in_a_second_and_retakes_in_one_motion() -> None:
    takes = [
        HandMove(steps("e4d5"), (D5,)),
        HandMove(steps("d8d5"), (D5,)),
        HandMove(steps("b1c3")),
        HandMove(steps("d5a5")),
    ]
    pieces = pieces_of("3qk3/8/8/3p4/4P3/8/8/1N2K3")
    quickest = soonest = 10**9
    for seed in range(60):
        one, two, three, _ = Hands("blitz", seed).game(takes, 0, pieces)
        quickest = min(quickest, three.landed_us - one.begin_us)
        soonest = min(soonest, two.last_touches()[D5] - one.last_touches()[D5])
        assert one.landed_us < two.landed_us < three.landed_us
    assert quickest < 1_000_000
    assert soonest < 300_000


@pytest.mark.slow
def test_put_backs_that_choose_come_within_four_seconds_and_are_felt() -> None:
    a7, a8 = squares("a7 a8")
    move = HandMove(steps("a7a8"), (), 3, "B")
    for kind in EVERYBODY.values():
        for times in (0.5, 1.0, 1.5):
            for seed in range(10):
                profile = kind.scaled(times=times)
                game = simulate([move], profile, seed, {a7: "P"}, faults=PRESETS["none"])
                drops = [a for a in game.gestures[0].actions if (a.kind, a.square) == ("drop", a8)]
                for before, later in pairwise(drops[-4:]):
                    assert later.until_us - before.until_us < 4_000_000
                occupied = [o >> a8 & 1 for _, o in game.scans]
                assert sum(occupied[1:]) - sum(occupied[:-1]) == 1
                closings = sum(not one and other for one, other in pairwise(occupied))
                assert closings >= 1 + 4


# ------------------------------------------------------------------------------------- scaling


def test_games_scaled_last_longer() -> None:
    profile = HAND_PROFILES["club"]
    slow, quick = (played(profile.scaled(times=times), 3) for times in (1.5, 0.5))
    assert slow.end_us > 2 * quick.end_us - 5_000_000
    for game in (slow, quick):
        assert game.scans[-1][1] == occupancy_of(final())


def test_a_person_scaled_errs_more_often_and_does_not_stray_further() -> None:
    profile = HAND_PROFILES["club"]
    often = profile.scaled(chances=100, bounce=2)
    assert (often.adjust, often.off_centre) == (LIKELIEST, profile.off_centre)
    assert often.board.bounce_us[1] == 2 * profile.board.bounce_us[1]
