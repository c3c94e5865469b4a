"""Whatever crowd comes, those who are known keep their connections, and a newcomer gets one."""

from __future__ import annotations

import logging
from random import Random

import pytest

from boardfw.services.web.crowd import (
    LOG_EVERY_S,
    MOST_CONNECTIONS,
    MOST_OF_ONE_ADDRESS,
    MOST_STRANGERS,
    MOST_STRANGERS_OF_ONE_ADDRESS,
    Crowd,
)


class Guest:
    """A connection of a test."""

    def __init__(self, address: str, *, is_known: bool = False, is_busy: bool = False) -> None:
        self.address, self.is_known, self.is_busy = address, is_known, is_busy
        self.is_dropped = False

    def drop(self) -> None:
        self.is_dropped = True


class Doorstep:
    def __init__(self) -> None:
        self.now_s = 0.0
        self.crowd = Crowd(lambda: self.now_s)
        self.guests: list[Guest] = []

    def come(self, address: str, *, is_known: bool = False, is_busy: bool = False) -> Guest:
        guest = Guest(address, is_busy=is_busy)
        guest.is_dropped = not self.crowd.enter(guest)
        guest.is_known = is_known
        self.guests.append(guest)
        return guest

    @property
    def open(self) -> list[Guest]:
        return [guest for guest in self.guests if not guest.is_dropped]


def test_a_flood_from_one_address_pushes_out_only_its_own() -> None:
    step = Doorstep()
    others = [step.come(f"10.0.0.{n}") for n in range(100)]
    flood = [step.come("10.9.9.9") for _ in range(10_000)]
    assert not any(one.is_dropped for one in others)
    kept = [one for one in flood if not one.is_dropped]
    assert kept == flood[-MOST_STRANGERS_OF_ONE_ADDRESS:]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_known_connections_stay_and_a_newcomer_is_let_in(seed: int) -> None:
    step, chance = Doorstep(), Random(seed)
    known = [
        step.come(f"10.0.0.{n}", is_known=True, is_busy=True)
        for n in range(MOST_CONNECTIONS - MOST_STRANGERS)
    ]
    for number in range(5_000):
        address = f"10.1.{chance.randrange(4)}.{chance.randrange(250)}"
        step.come(address, is_busy=chance.random() < 0.5)
        if number % 50 == 0:
            newcomer = step.come("10.2.0.1")
            assert not newcomer.is_dropped
            step.crowd.leave(newcomer)
            newcomer.is_dropped = True
        assert len(step.open) <= MOST_CONNECTIONS
        assert sum(not one.is_known for one in step.open) <= MOST_STRANGERS
    assert not any(one.is_dropped for one in known)


def test_who_is_known_has_limits_too() -> None:
    step = Doorstep()
    watching = [
        step.come("10.0.0.1", is_known=True, is_busy=True) for _ in range(MOST_OF_ONE_ADDRESS)
    ]
    assert step.come("10.0.0.1").is_dropped
    watching[3].is_busy = False
    assert not step.come("10.0.0.1").is_dropped
    assert [one.is_dropped for one in watching].index(True) == 3
    assert not step.come("10.0.0.2").is_dropped


def test_a_proxy_speaks_for_many() -> None:
    step = Doorstep()
    through = [step.come("", is_known=True, is_busy=True) for _ in range(2 * MOST_OF_ONE_ADDRESS)]
    assert not any(one.is_dropped for one in through)


def test_a_flood_is_logged_in_a_line_a_minute(caplog: pytest.LogCaptureFixture) -> None:
    step = Doorstep()
    with caplog.at_level(logging.WARNING):
        for number in range(10_000):
            step.now_s = number * 4 * LOG_EVERY_S / 10_000
            step.come("10.9.9.9")
    assert len(caplog.messages) == 4
    assert "10.9.9.9" in caplog.messages[-1]
    assert "2500 closed" in caplog.messages[-1]
