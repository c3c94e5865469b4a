"""Any legal game, danced by any hands on any board, is recorded as it was played.

Found dances shrink to the smallest one that fails; it is printed touch by touch, and as a dance of
``tests.dances`` that says the same. With ``BOARDFW_FULL`` the search goes on for an hour, or for
``BOARDFW_MINUTES``.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.inference.dancing.judge import tell, watch
from tests.inference.dancing.plans import PLANS, Plan

FEW, MORE = 60, 500
MINUTES = float(os.environ.get("BOARDFW_MINUTES", "60"))
SEARCH = settings(
    database=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.generate, Phase.shrink),
)

UNFINISHED = pytest.mark.xfail(reason="some dances are still told wrong", run=False)
"""``--runxfail`` runs them all the same."""


def assert_told(plan: Plan) -> None:
    verdict = watch(plan)
    assert not verdict.faults, "\n" + tell(plan, verdict)


@settings(SEARCH, max_examples=FEW, derandomize=True)
@given(PLANS)
def test_a_dance_is_recorded_as_the_game_it_was(plan: Plan) -> None:
    assert_told(plan)


@UNFINISHED
@pytest.mark.slow
def test_any_dance_is_recorded_as_the_game_it_was(
    full: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    until = time.monotonic() + MINUTES * 60
    tried, chance = searched(0), 1
    while full and time.monotonic() < until:
        tried += searched(chance)
        chance += 1
    with capsys.disabled():
        sys.stdout.write(f"\n{tried} dances\n")


def searched(chance: int) -> int:
    """Search from a seed on; how many dances were tried."""
    tried = 0

    def tell_all(plan: Plan) -> None:
        nonlocal tried
        tried += 1
        assert_told(plan)

    search: Callable[[], None] = seed(chance)(
        settings(SEARCH, max_examples=MORE)(given(PLANS)(tell_all))
    )
    search()
    return tried
