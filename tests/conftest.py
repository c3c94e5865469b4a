"""What every room's tests share."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from functools import partial

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import HealthCheck, settings

from tests.patience import PATIENCE_S, PATIENCE_US
from tests.sizes import IS_FULL, sized

EXAMPLES, EXAMPLES_SLOW, EXAMPLES_FULL = 8, 25, 500
"""Of each property, in the fast suite, in the slow one and in its full size."""

# Tests start boardfw some hundred times, and pytest rewrites each test file: where the environment
# forbids to keep what was compiled, as container images do, a third of the time went into that.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Thousands of tests stay in memory: to search them for garbage again and again took a fifth of the
# processor time.
gc.set_threshold(200_000, 20, 50)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the tests in containers, which mostly wait: at the end the cores would be idle."""
    items.sort(key=lambda item: not item.nodeid.startswith("tests/service/"))


def pytest_collection_finish() -> None:
    """Keep the collected tests out of every later search for garbage."""
    gc.freeze()


def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Let a worker report the call of a test, and its set-up or teardown only if it did not pass.

    The other reports are read for durations and for XML alone. To send them took 1.5 ms of
    processor time a test.
    """
    options = item.config.option
    is_read = options.xmlpath is not None or options.durations is not None
    if is_read or not hasattr(item.config, "workerinput"):
        return None
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed:
            item.ihook.pytest_runtest_logreport(report=report)
    return True


# A deadline, like the check for slow input, measures how busy the machine is, not whether the code
# is right.
settings.register_profile(
    "boardfw",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    print_blob=True,
    max_examples=EXAMPLES_FULL if IS_FULL else sized(EXAMPLES, EXAMPLES_SLOW),
)
settings.load_profile("boardfw")


@pytest.fixture(scope="session")
def full() -> bool:
    """Whether the full sizes are asked for (`make test-slow FULL=1`), not samples of them."""
    return IS_FULL


@pytest.fixture(scope="session", autouse=True)
def _collecting_as_tests_do(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let no board look through all that thousands of tests hold, nor thaw it afterwards."""
    from boardfw.accuracy import playing
    from boardfw.shell import runtime

    with pytest.MonkeyPatch.context() as patch:
        if request.config.getoption("markexpr") != "bench":
            patch.setattr(runtime, "seldom_collecting", nullcontext)
            patch.setattr(playing, "seldom_collecting", nullcontext)
        yield


@pytest.fixture(scope="session", autouse=True)
def _unhurried_engines(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let no engine fail a test because it is slow: ten busy processes leave a nice one nothing.

    Benchmarks measure engines as they are.
    """
    from boardfw.services.uci import conversation, engine

    with pytest.MonkeyPatch.context() as patch:
        if request.config.getoption("markexpr") != "bench":
            unhurried = partial(conversation.Patience, *[PATIENCE_US] * 4)
            patch.setattr(conversation, "Patience", unhurried)
            patch.setattr(engine, "NICENESS", 0)
            patch.setattr(engine, "END_S", PATIENCE_S)
        yield
