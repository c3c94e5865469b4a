"""The power is cut, or the program killed, at each write: what was kept is there, and all of it."""

from __future__ import annotations

import shutil
from pathlib import Path
from random import Random

import pytest

from boardfw.shell.learning.answer_store import Answers
from tests.shell.learning.child import LOG, WHO
from tests.shell.store.disk import Disk, killed_at, traced

CHILD = "tests.shell.learning.child"
CUTS, FULL_CUTS = 1, 20
"""At each write or sync, each with another fate of what was not synced."""
FEW_WRITES = 9
"""Where not all writes are tried: each so manieth."""


@pytest.mark.slow
def test_wherever_the_power_is_cut_at_most_the_answer_in_progress_is_lost(
    tmp_path: Path, full: bool
) -> None:
    directory = tmp_path / "disk"
    directory.mkdir()
    disk, kept, cuts, random = Disk(directory), 0, 0, Random(3)
    for number, call in enumerate(traced(directory, CHILD)):
        if call.data.startswith(b"kept ") and not call.path.startswith(str(directory)):
            kept = int(call.data.split()[1])
            continue
        disk.take(call)
        if not call.path.startswith(str(directory)):
            continue
        for _ in range(FULL_CUTS if full else CUTS):
            place = tmp_path / f"{cuts}"
            disk.cut(random, place)
            learn_on(place / "games.db", kept, f"cut {cuts}, after call {number}: {call.name}")
            shutil.rmtree(place)
            cuts += 1
    assert kept == len(LOG)
    assert cuts > len(LOG)


@pytest.mark.slow
def test_killed_at_each_write_at_most_the_answer_in_progress_is_lost(
    tmp_path: Path, full: bool
) -> None:
    number, is_killed, said = 1, True, ""
    while is_killed:
        path = tmp_path / f"{number}.db"
        said, is_killed = killed_at(number, path, CHILD)
        learn_on(path, len(said.splitlines()), f"killed at write {number}")
        number += 1 if full else FEW_WRITES
    assert said.splitlines()[-1] == f"kept {len(LOG)}"
    assert number > len(LOG)


def learn_on(path: Path, kept: int, where: str) -> None:
    """The record opens, has what was kept and at most the answer after it, and takes the next."""
    answers = Answers(path)
    if WHO not in answers.profiles():
        assert not kept, where
        answers.add_profile(WHO, None)
    there = len(answers.rows(WHO))
    assert kept <= there <= kept + 1, where
    for answered in LOG[there : there + 1]:
        answers.add(WHO, answered)
    assert answers.rows(WHO) == list(LOG[: there + 1]), where
    answers.close()
