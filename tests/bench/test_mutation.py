"""The sampler of mutants says "killed" only where a test has failed because of the mutant."""

from __future__ import annotations

import shutil
from argparse import Namespace
from contextlib import closing
from pathlib import Path

import pytest

from tests.bench import chosen_tests, mutation
from tests.bench.mutation import (
    HUNG,
    KILLED,
    NOT_RUN,
    SURVIVED,
    UNIMPORTABLE,
    Copy,
    Learned,
    Sampler,
    SamplerError,
    Warm,
    drawn,
    sample,
    summary,
)

pytestmark = pytest.mark.slow

SUMS = """\
PRICE = {1: "one"}[1]


def larger(a, b):
    if a > b:
        return a
    return b


def counted_down(n):
    while n:
        n -= 1
    return "done"
"""
TESTS = """\
from product import sums


def test_larger_of_two():
    assert sums.larger(1, 2) == sums.larger(2, 1) == 2


def test_counting_ends():
    assert sums.counted_down(3) == "done"
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of two files, of which the tests run one."""
    monkeypatch.setattr(mutation, "START_CPU_S", 5)
    root = tmp_path / "project"
    for folder in ("product", "tests/bench"):
        (root / folder).mkdir(parents=True)
    (root / "pyproject.toml").write_text(
        '[tool.pytest.ini_options]\npythonpath = ["."]\naddopts = ["--import-mode=importlib"]\n'
    )
    (root / "product/sums.py").write_text(SUMS)
    (root / "product/idle.py").write_text("def idle():\n    return 'nobody asks'\n")
    (root / "tests/test_sums.py").write_text(TESTS)
    (root / "tests/test_twice.py").write_text(
        "from product import sums\n\n\ndef test_it():\n    pass\n"
    )
    shutil.copy(chosen_tests.__file__, root / "tests/bench")
    return root


def options(project: Path) -> Namespace:
    folder = project.parent / "sampled"
    return Namespace(folder=folder, parts=["product"], tests=["tests"], count=99, seed=1)


def kinds(project: Path) -> dict[str, str]:
    return {mutant.name(project): out.kind for mutant, out in sample(options(project), project)}


def test_each_kind_of_outcome_and_going_on_after_a_cut_off(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = kinds(project)
    assert found == {
        "product/sums.py:1:9: '1' -> '(2)'": UNIMPORTABLE,
        "product/sums.py:1:19: '1' -> '(2)'": UNIMPORTABLE,
        "product/sums.py:5:7: 'a > b' -> '(a >= b)'": SURVIVED,
        "product/sums.py:6:8: 'return a' -> 'return None'": KILLED,
        "product/sums.py:7:4: 'return b' -> 'return None'": KILLED,
        "product/sums.py:12:8: 'n -= 1' -> 'pass'": HUNG,
        "product/sums.py:12:13: '1' -> '(2)'": HUNG,
        "product/sums.py:13:4: 'return \"done\"' -> 'return None'": KILLED,
        "product/idle.py:2:4: \"return 'nobody asks'\" -> 'return None'": NOT_RUN,
    }
    assert list(summary(("product", kind) for kind in found.values()))[-1] == (
        "all: 5 of 7 noticed, 71.4 % (2 of them hung); 1 survived, 1 not run;"
        " 2 could not be imported and do not count"
    )
    assert (project / "product/sums.py").read_text() == SUMS

    def nothing_new(sampler: Sampler, mutant: object) -> None:
        raise AssertionError("tried again")

    with monkeypatch.context() as patched:
        patched.setattr(Sampler, "try_one", nothing_new)
        assert kinds(project) == found
        (project / "tests/test_sums.py").write_text(f"{TESTS}\n\ndef test_more():\n    pass\n")
        with pytest.raises(AssertionError, match="tried again"):
            kinds(project)


def test_tests_that_fail_without_a_mutant_end_the_sampler(project: Path) -> None:
    (project / "tests/test_sums.py").write_text(f"{TESTS}    assert False\n")
    with pytest.raises(SamplerError, match=r"tests must pass .* \(pytest ended with 1: "):
        kinds(project)


def test_a_folder_without_tests_ends_the_sampler(project: Path) -> None:
    (project / "tests/test_sums.py").unlink()
    (project / "tests/test_twice.py").unlink()
    with pytest.raises(SamplerError, match="no tests of the fast suite in "):
        kinds(project)


def test_a_test_that_fails_by_luck_is_no_kill(project: Path) -> None:
    runs = project.parent / "runs"
    lucky = f"""\
from pathlib import Path
from product import sums


def test_passes_once():
    with Path({str(runs)!r}).open("a") as out:
        out.write(sums.larger("x", "w"))
    assert Path({str(runs)!r}).read_text() == "x"
"""
    (project / "tests/test_sums.py").write_text(lucky)
    with pytest.raises(SamplerError, match="test_passes_once fails without a mutant"):
        kinds(project)


def test_a_usage_error_of_pytest_is_no_kill(project: Path) -> None:
    copy = Copy(project, project.parent)
    learned = Learned(copy, copy.refresh(), ["product"])
    learned.learn(["tests"])
    (copy.tree / "tests/test_sums.py").unlink()
    mutant = next(m for m in drawn(project, ["product/sums.py"], 99, 1) if m.lines[0] == 1)
    with closing(Warm(copy, [])) as warm, pytest.raises(SamplerError, match="pytest ended with 4"):
        Sampler(copy, learned, warm).try_one(mutant)
