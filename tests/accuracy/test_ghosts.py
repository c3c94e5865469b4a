"""Which plies of a record the board never showed."""

from __future__ import annotations

import pytest

from boardfw.accuracy.ghosts import ghosts
from boardfw.accuracy.stand import Stand
from boardfw.accuracy.truth import GameTruth, PlyTruth
from boardfw.recording import START_FEN
from boardfw.squares import SWITCH_BY_NAME, Occupancy, occupancy_of
from hardware.sim.board import pieces_of

SECOND = 1_000_000
END = 60 * SECOND
PLAYED = ("e2e4", "d7d5", "e4d5")
"""A ply each ten seconds; the last one captures."""


def truth(*tags: str) -> GameTruth:
    """The game; ``tags``: of its capture."""
    plies = tuple(
        PlyTruth(uci, at, at + SECOND, at + SECOND, tags if uci == "e4d5" else ())
        for at, uci in zip((10 * SECOND, 20 * SECOND, 30 * SECOND), PLAYED, strict=True)
    )
    return GameTruth("club", 1, "test", 1, START_FEN, plies, END)


def scans(*touches: str) -> list[tuple[int, Occupancy]]:
    """The switches: before anything, and after each touch like ``11 +e4``, in seconds."""
    closed = occupancy_of(pieces_of(START_FEN))
    seen = [(0, closed)]
    for touch in touches:
        second, square = touch.split()
        closed ^= 1 << SWITCH_BY_NAME[square[1:]]
        seen.append((int(float(second) * SECOND), closed))
    return seen


OPENED = ("10 -e2", "11 +e4", "20 -d7", "21 +d5")
CAPTURED = (*OPENED, "30 -e4", "30.5 -d5", "31 +d5")
HELD = (*OPENED, "30 -e4")
BEFORE = [Stand(0, "e2e4", 11 * SECOND, END), Stand(1, "d7d5", 21 * SECOND, END)]


def found(stand: Stand, touches: tuple[str, ...], game: GameTruth | None = None) -> list[Stand]:
    return list(ghosts(game or truth(), [*BEFORE, stand], scans(*touches)))


def test_plies_that_were_played_are_none() -> None:
    assert found(Stand(2, "e4d5", 31 * SECOND, END), CAPTURED) == []


def test_a_held_piece_that_is_recorded_as_a_capture_is_one() -> None:
    ghost = Stand(2, "e4d5", 30 * SECOND + 1, END)
    assert found(ghost, HELD) == [ghost]


def test_a_ply_whose_piece_was_never_lifted_is_one() -> None:
    ghost = Stand(2, "g1f3", 25 * SECOND, END)
    assert found(ghost, (*OPENED, "24 +f3")) == [ghost]


def test_a_wrong_move_that_stood_on_the_board_is_none() -> None:
    assert found(Stand(2, "g1f3", 25 * SECOND, END), (*OPENED, "24 -g1", "25 +f3")) == []


def test_half_a_second_misleads_nobody() -> None:
    assert found(Stand(2, "e4d5", 30 * SECOND, 30 * SECOND + 400_000), HELD) == []


def test_the_coming_of_a_piece_does_not_show_that_it_was_captured() -> None:
    """d5 closed just before e4 was lifted: that was the ply before."""
    ghost = Stand(2, "e4d5", 22 * SECOND, END)
    assert found(ghost, (*OPENED, "21.5 -e4")) == [ghost]


@pytest.mark.parametrize("is_answered", [True, False])
def test_a_capture_that_no_switch_saw_is_none_once_it_is_answered(*, is_answered: bool) -> None:
    unseen = truth("never_open")
    if is_answered:
        reply = PlyTruth("d8d5", 40 * SECOND, 41 * SECOND, 41 * SECOND)
        unseen = GameTruth("club", 1, "test", 1, START_FEN, (*unseen.plies, reply), END)
    early = Stand(2, "e4d5", 32 * SECOND, END)
    late = Stand(2, "e4d5", 41 * SECOND, END)
    touches = (*HELD, "40 -d8")
    assert found(early, touches, unseen) == [early]
    assert found(late, touches, unseen) == ([] if is_answered else [late])


def test_what_a_broken_switch_hid_is_none_if_it_was_played() -> None:
    """e2 never opened, but e2e4 was played, and read from the rest."""
    assert list(ghosts(truth(), [Stand(0, "e2e4", 11 * SECOND, END)], scans("11 +e4"))) == []
