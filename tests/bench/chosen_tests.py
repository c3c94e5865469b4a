"""A plugin of pytest for the sampler of mutants: run chosen tests in their order, record times.

Loaded with `-p tests.bench.chosen_tests`. Files are named by the environment, since the tests may
be those of any project. With `CHOSEN_TESTS_SERVE` it collects once and then runs chosen tests on
request, each time in a fork, in which the functions of one source file are replaced: no mutant
waits until pytest has started.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import json
import os
import resource
import select
import signal
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest

CHOSEN, TIMES, FAILED = "CHOSEN_TESTS", "CHOSEN_TESTS_TIMES", "CHOSEN_TESTS_FAILED"
"""The tests to run, a JSON list; where to write processor seconds by test, and what failed."""
SERVE = "CHOSEN_TESTS_SERVE"
"""The numbers of two pipes: requests come by the first, answers go by the second."""
WALL_TIMES = 60
"""Tests that take this many times their processor time by the clock wait for ever: they hang.

On a machine that is so busy that a process gets less than a sixtieth of it, nothing can be said.
"""
MOST_MEMORY = 4 << 30
"""Bytes that the tests of a mutant may take; more is an error in the test."""

_times: dict[str, float] = {}
_failed: list[str] = []


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the chosen tests, in the order in which they were chosen."""
    if CHOSEN not in os.environ:
        return
    names: list[str] = json.loads(Path(os.environ[CHOSEN]).read_text())
    rank = {name: n for n, name in enumerate(names)}
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in rank])
    items[:] = sorted(
        (item for item in items if item.nodeid in rank), key=lambda item: rank[item.nodeid]
    )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Record the processor time of a test and of the programs that it starts."""
    before = sum(os.times()[:4])
    try:
        return (yield)
    finally:
        _times[item.nodeid] = sum(os.times()[:4]) - before


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Record a failure."""
    if report.failed:
        _failed.append(report.nodeid)


def pytest_sessionfinish() -> None:
    """Write what was recorded."""
    if TIMES in os.environ:
        Path(os.environ[TIMES]).write_text(json.dumps(_times))
    if FAILED in os.environ:
        Path(os.environ[FAILED]).write_text(json.dumps(_failed))


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Answer requests, where there are pipes for them, instead of running all tests."""
    if SERVE not in os.environ or session.testsfailed:
        return None
    requests, answers = map(int, os.environ[SERVE].split())
    items = {item.nodeid: item for item in session.items}
    session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]
    # Frozen objects are in no list of the collector.
    gc.unfreeze()
    functions: dict[str, list[FunctionType]] = {}
    for found in gc.get_objects():
        if isinstance(found, FunctionType):
            functions.setdefault(found.__code__.co_filename, []).append(found)
    caches = [
        found for found in gc.get_objects() if isinstance(found, functools._lru_cache_wrapper)
    ]
    gc.freeze()
    os.write(answers, b"[]\n")
    with os.fdopen(requests) as lines:
        for line in lines:
            request = json.loads(line)
            reader, writer = os.pipe()
            if (child := os.fork()) == 0:
                os.setpgid(0, 0)
                _limit(request["cpu_s"])
                for cache in caches:
                    cache.cache_clear()
                _replace(functions.get(request["path"], []), request)
                os.write(writer, json.dumps(_first_failure(items, request["tests"])).encode())
                os._exit(0)
            os.close(writer)
            answer = _awaited(child, reader, request["cpu_s"] * WALL_TIMES)
            os.write(answers, f"{json.dumps(answer)}\n".encode())
    return True


def _limit(cpu_s: int) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s))
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))


def _replace(functions: list[FunctionType], request: dict[str, Any]) -> None:
    """Give functions of a file the code that they have in another version of it."""
    if functions:
        new = dict(named_codes(compile(request["source"], request["path"], "exec")))
        old = dict(named_codes(compile(request["before"], request["path"], "exec")))
        by_line = {(code.co_qualname, code.co_firstlineno): name for name, code in old.items()}
        for function in functions:
            code = function.__code__
            name = by_line.get((code.co_qualname, code.co_firstlineno))
            if name in new and len(new[name].co_freevars) == len(code.co_freevars):
                function.__code__ = new[name]


def named_codes(module: CodeType) -> Iterator[tuple[tuple[str, int], CodeType]]:
    """Yield all code of a module by its name and its number among those of this name."""
    counts: dict[str, int] = {}
    waiting = [module]
    while waiting:
        code = waiting.pop()
        name = code.co_qualname
        yield (name, counts.setdefault(name, 0)), code
        counts[name] += 1
        waiting += [const for const in reversed(code.co_consts) if isinstance(const, CodeType)]


def _first_failure(items: dict[str, pytest.Item], tests: list[str]) -> list[str]:
    """Run tests until one fails, and return its name, or nothing."""
    chosen = [items[test] for test in tests]
    for item, following in zip(chosen, [*chosen[1:], None], strict=True):
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if _failed:
            break
    return _failed


def _awaited(child: int, reader: int, most_s: float) -> list[str] | int | None:
    """Return what a child has found, None if it hangs, or its exit code if it found nothing."""
    in_time, _, _ = select.select([reader], [], [], most_s)
    found = os.read(reader, 1 << 16) if in_time else b""
    os.close(reader)
    if not in_time:
        os.kill(child, signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if found:
        return list(json.loads(found))
    code = os.waitstatus_to_exitcode(status)
    return None if code in (-signal.SIGXCPU, -signal.SIGKILL) else code
