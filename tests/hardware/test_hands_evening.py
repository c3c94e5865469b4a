"""Several games on one board: results by kings, clearing away, setting up from either side."""

from __future__ import annotations

import pytest

from boardfw.recording import START_FEN
from boardfw.squares import NO_SWITCHES, START, SWITCH_BY_NAME, Switch, occupancy_of
from hardware.sim.board import pieces_of
from hardware.sim.faults import PRESETS
from hardware.sim.hand_profiles import EVERYBODY
from hardware.sim.moving import HandMove
from hardware.sim.record import Evening, HandGame, play_evening
from tests.hardware.test_hands import steps
from tests.sizes import sized

USUAL = pieces_of(START_FEN)
TURNED = {Switch(63 - switch): label for switch, label in USUAL.items()}
KINGS = (SWITCH_BY_NAME["e1"], SWITCH_BY_NAME["e8"])
OPENING = (HandMove(steps("g1f3")), HandMove(steps("g8f6")), HandMove(steps("b1c3")))
OTHER_SIDE = tuple(
    HandMove(tuple((Switch(63 - o), Switch(63 - t)) for o, t in m.steps)) for m in OPENING
)


def evening(kind: str, seed: int, cleared: bool | None = None, *, first: int = 3) -> Evening:
    """The first games of an evening."""
    games = [
        HandGame(OPENING, USUAL, "1-0", KINGS, cleared=cleared),
        HandGame(OTHER_SIDE, TURNED, None, cleared=False),
        HandGame(OPENING[:1], USUAL),
    ]
    return play_evening(games[:first], kind, seed, faults=PRESETS["none"])


@pytest.mark.slow
@pytest.mark.parametrize("kind", sorted(EVERYBODY))
def test_every_game_begins_where_its_pieces_stand(kind: str) -> None:
    for seed in range(sized(1, 3, 8)):
        played = evening(kind, seed)
        standing = USUAL
        for gesture in sorted(
            [*played.between, *(g for game in played.games for g in game)],
            key=lambda gesture: gesture.begin_us,
        ):
            standing = gesture.performed(standing)
            if "set_up" in gesture.tags:
                assert standing in (USUAL, TURNED)
        assert [len(game) for game in played.games] == [3, 3, 1]
        assert occupancy_of(standing) in (played.scans[-1][1], 0)


def test_a_board_cleared_is_empty_and_then_full_again() -> None:
    played = evening("club", 1, cleared=True)
    words = [word for gesture in played.between for word in gesture.tags]
    assert [word for word in words if word in ("kings", "clear_away", "set_up")][:3] == [
        "kings",
        "clear_away",
        "set_up",
    ]
    read = [occupancy for _, occupancy in played.scans]
    assert 0 in read
    assert START in read[read.index(NO_SWITCHES) :]


@pytest.mark.both
def test_both_kings_leave_their_squares_and_stand_in_the_centre_at_the_end() -> None:
    for seed in range(sized(3, 20)):
        played = evening("blitz", seed)
        (kings,) = [gesture for gesture in played.between if "kings" in gesture.tags]
        during = [o for t, o in played.scans if kings.begin_us <= t <= kings.landed_us]
        assert any(not o >> KINGS[0] & 1 and not o >> KINGS[1] & 1 for o in during)
        final = next(o for t, o in reversed(played.scans) if t <= kings.settled_us)
        assert final >> SWITCH_BY_NAME["e4"] & final >> SWITCH_BY_NAME["d5"] & 1


@pytest.mark.slow
def test_kings_come_together_or_one_long_after_the_other() -> None:
    words, lasted_us = set(), []
    for seed in range(40):
        (kings,) = [g for g in evening("club", seed, first=2).between if "kings" in g.tags]
        words |= set(kings.tags)
        lasted_us.append(kings.landed_us - kings.begin_us)
    assert {"together", "room_first", "one_after_the_other", "first_adjusted"} <= words
    assert max(lasted_us) > 5_000_000


@pytest.mark.slow
def test_a_board_is_cleared_in_every_profile() -> None:
    words = set()
    for seed in range(60):
        played = evening("club", seed, cleared=True, first=2)
        cleared = [gesture for gesture in played.between if "clear_away" in gesture.tags]
        words |= {word for gesture in cleared for word in gesture.tags}
    assert {"one_by_one", "two_hands", "handfuls", "ranks", "slid_off"} <= words
