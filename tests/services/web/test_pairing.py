"""No stranger keeps the owner out: whatever others try, a right code and a knock let them in."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest

from boardfw.services.web.knock import (
    FEW,
    LEAST_EMPTY,
    MORE_SQUARES,
    MOST_KNOCKS,
    MOST_OF_ONE_ADDRESS,
    SQUARES,
    TRIES,
    Knock,
    KnockState,
)
from boardfw.services.web.pairing import HELD_S, Pairing
from boardfw.services.web.refusals import RefusedError
from boardfw.services.web.roles import Role
from boardfw.services.web.sessions import TOKEN_BYTES, InMemory, Keeper, Sessions
from boardfw.shell.store.web_sessions import SessionStore
from boardfw.squares import BY_NAME, START
from tests.sizes import sized

START_BITS = int(START)
STATE: dict[str, Any] = {
    "phase": "setup",
    "game": {"plies": []},
    "blind": [],
    "occ": f"{START_BITS:016x}",
}
TRIES_OF_STRANGERS = sized(2_000, 10_000)
OWNER = "192.0.2.1"


class Board:
    """A board in its first minutes, somebody who sits at it, and strangers in its network."""

    def __init__(self, keeper: Keeper, seed: int) -> None:
        self.now_s = 0.0
        self.sessions = Sessions(keeper, self.ms, self.ms)
        self.pairing = Pairing(self.sessions, lambda: self.now_s)
        self.chance = Random(seed)
        self.secrets: list[str] = []
        self.addresses = (f"10.{n >> 16}.{n >> 8 & 255}.{n & 255}" for n in count())

    def ms(self) -> int:
        return int(self.now_s * 1000)

    def wrong_try(self) -> None:
        """Somebody tries to get in from an address that was not seen before, or was."""
        self.now_s += self.chance.random() / 50
        address = self.chance.choice(["10.9.9.9", next(self.addresses)])
        if self.chance.random() < 0.5:
            _, secret = self.pairing.ask(STATE, "a stranger", address)
            self.secrets.append(secret)
            return
        with pytest.raises(RefusedError) as refused:
            self.pairing.redeem(f"guess {self.chance.random()}", address)
        assert refused.value.refusal.status in (403, 429)
        self.pairing.hold_s()

    def touch(self, name: str) -> None:
        self.now_s += 1.0
        for standing in (START_BITS | 1 << BY_NAME[name], START_BITS):
            self.pairing.see(standing)

    def is_let_in(self, tries_between: int) -> bool:
        """Knock while others go on; True if it was done, and lets nobody else in."""
        knock, secret = self.pairing.ask(STATE, "the owner", OWNER)
        for square in knock.squares:
            for _ in range(tries_between):
                self.wrong_try()
            self.touch(square)
        found = self.pairing.knock_of(secret)
        if found is None or self.pairing.state_of(found)[0] is not KnockState.DONE:
            return False
        assert not any(map(self._is_done, self.secrets)), "a stranger was let in"
        assert self.pairing.conclude(secret)[1] == "the owner"
        return True

    def _is_done(self, secret: str) -> bool:
        knock = self.pairing.knock_of(secret)
        return knock is not None and self.pairing.state_of(knock)[0] is KnockState.DONE


@pytest.fixture(params=["in memory", "on the disk"])
def keeper(request: pytest.FixtureRequest, tmp_path: Path) -> Keeper:
    return InMemory() if request.param == "in memory" else SessionStore(tmp_path / "games.db")


@pytest.mark.slow
def test_after_thousands_of_wrong_tries_each_right_way_lets_the_owner_in(keeper: Keeper) -> None:
    board = Board(keeper, seed=1)
    ways: list[Callable[[], object]] = [
        lambda: board.pairing.redeem(board.sessions.offer(Role.OWNER, lasts_ms=None), OWNER),
        lambda: board.pairing.redeem(board.sessions.offer(Role.OWNER), OWNER),  # boardfw pair
        lambda: board.pairing.redeem(board.sessions.offer(Role.PLAYER), "10.9.9.9"),
        lambda: board.is_let_in(tries_between=50),
    ]
    for number in range(TRIES_OF_STRANGERS):
        board.wrong_try()
        if number % 1_000 == 999:
            assert all(way() for way in ways)
    assert len(board.secrets) > TRIES_OF_STRANGERS / 3
    assert board.pairing.hold_s() == HELD_S, "guessing is slowed down for everybody"


def test_a_knock_needs_squares_that_the_board_sees_empty(keeper: Keeper) -> None:
    pairing = Board(keeper, 1).pairing
    for standing in range(65):
        refusal = pairing.refusal({**STATE, "occ": f"{(1 << standing) - 1:x}"})
        assert bool(refusal) == (64 - standing < LEAST_EMPTY)
    assert pairing.refusal({**STATE, "blind": ["e4"]})


def test_nobody_knocks_while_a_game_is_played(keeper: Keeper) -> None:
    pairing = Board(keeper, 1).pairing
    for phase, plies, may_knock in (
        ("play", [], True),
        ("play", ["e4"], False),
        ("over", ["e4"], True),
    ):
        refusal = pairing.refusal({**STATE, "phase": phase, "game": {"plies": plies}})
        assert bool(refusal) != may_knock


def test_one_address_pushes_out_only_knocks_of_its_own() -> None:
    board = Board(InMemory(), 1)
    knock, secret = board.pairing.ask(STATE, "the owner", OWNER)
    for _ in range(3 * MOST_KNOCKS):
        board.pairing.ask(STATE, "a stranger", "10.0.0.1")
    assert board.pairing.knock_of(secret) is knock
    assert len(board.pairing._knocks) == 1 + MOST_OF_ONE_ADDRESS


def test_a_knock_that_was_begun_is_pushed_out_by_nobody() -> None:
    board = Board(InMemory(), 1)
    knock, secret = board.pairing.ask(STATE, "the owner", OWNER)
    board.touch(knock.squares[0])
    for number in range(2 * MOST_KNOCKS):
        board.pairing.ask(STATE, "a stranger", f"10.0.{number >> 8}.{number & 255}")
    for square in knock.squares[1:]:
        board.touch(square)
    assert board.pairing.knock_of(secret) is knock
    assert board.pairing.state_of(knock)[0] is KnockState.DONE


def test_knocks_that_wait_together_have_squares_of_their_own() -> None:
    board = Board(InMemory(), 1)
    knocks = [board.pairing.ask(STATE, "", f"10.0.0.{n}")[0] for n in range(4 * FEW)]
    assert len({tuple(knock.squares) for knock in knocks}) == len(knocks)
    assert [len(knock.squares) for knock in knocks] == [SQUARES] * FEW + [MORE_SQUARES] * 3 * FEW


def test_the_chances_that_the_documents_name() -> None:
    """By counting: of all first four touches of a board with 32 empty squares one is the knock."""
    short, long = 32 * 31 * 30 * 29, 32 * 31 * 30 * 29 * 28 * 27
    assert TRIES / short < 4e-6
    assert FEW / short + (MOST_KNOCKS - FEW) / long < 2.1e-5
    assert LEAST_EMPTY > MORE_SQUARES
    per_second, years = 1_000_000, 100
    assert per_second * years * 31_557_600 / 2 ** (8 * TOKEN_BYTES) < 1e-61


@pytest.mark.parametrize("seed", range(3))
def test_touches_that_mean_nothing_match_no_knock(seed: int) -> None:
    chance = Random(seed)
    knocks = [Knock(0, START_BITS, chance.sample) for _ in range(FEW)]
    for t_ms in range(0, 60_000, 100):
        square = chance.randrange(16, 48)
        for knock in knocks:
            knock.see(t_ms, START_BITS | 1 << square)
            knock.see(t_ms, START_BITS)
    assert {knock.state(60_000) for knock in knocks} == {KnockState.FAILED}
