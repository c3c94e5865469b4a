"""Deltas fold over a snapshot alike in Python and in the page's JavaScript."""

from __future__ import annotations

import copy
import json
import shutil
import subprocess
from functools import reduce
from pathlib import Path

import pytest

from boardfw.services.web.fold import fold
from tests.patience import PATIENCE_S
from tests.services.web.fold_vectors import FILE, vectors

HERE = Path(__file__).parent


def test_the_examples_are_those_that_the_code_makes_today() -> None:
    assert json.loads(FILE.read_text(encoding="utf-8")) == vectors()


def test_deltas_fold_over_a_state() -> None:
    for vector in json.loads(FILE.read_text(encoding="utf-8")):
        before = copy.deepcopy(vector["before"])
        assert reduce(fold, vector["deltas"], before) == vector["after"]
        assert before == vector["before"]


def test_the_page_folds_alike() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed: the page's own fold is not tried")
    ran = subprocess.run(
        [node, "--test", HERE / "fold.test.mjs"],
        check=False,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    assert ran.returncode == 0, ran.stdout
