"""Three games on one board, one of them unfinished: no ply too many, none too few."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from boardfw.accuracy.chain_score import ChainTruth
from boardfw.accuracy.chains import play_chain, threes_of
from boardfw.accuracy.games import RANDOM, games_of
from boardfw.accuracy.playing import Circumstances, Task
from boardfw.accuracy.report import failures
from boardfw.cli import main

ONE = ("--games", "random", "--chains", "1", "--jobs", "1")


def chains_of(kind: str, seed: int, count: int) -> list[Task]:
    """So many chains of random games."""
    threes = threes_of(games_of([RANDOM], count * 3, seed), count)
    return [Task(three, kind, n, seed + n - 1) for n, three in enumerate(threes, 1)]


def faults(kind: str, seed: int, count: int) -> list[str]:
    """What is wrong with the records of so many chains.

    Plies that were final too early are counted by ``boardfw accuracy``: of random games many end
    with a pawn that is exchanged long after it came.
    """
    scores = (play_chain(one).score for one in chains_of(kind, seed, count))
    return list(failures(replace(score, wrong_finals=()) for score in scores))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["careful", "elder"])
def test_a_few_chains_of_games_are_recorded_ply_by_ply(kind: str) -> None:
    assert faults(kind, 1, 1) == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["careful", "club", "blitz", "wooden", "elder"])
def test_chains_of_games_gain_and_lose_no_ply(kind: str, *, full: bool) -> None:
    assert faults(kind, 1000, 200 if full else 2) == []


@cache
def truth_of(seed: int) -> ChainTruth:
    (chain,) = chains_of("child", seed, 1)
    return play_chain(Task(chain.games, "child", 1, seed, Circumstances(chances=4.0))).truth


@pytest.mark.slow
def test_one_game_of_three_is_left_without_a_result() -> None:
    assert None in truth_of(0).results


@pytest.mark.slow
def test_what_hands_take_back_is_known_from_either_side_of_the_board() -> None:
    for game in truth_of(0).games:
        text = " ".join(tag for ply in game.plies for tag in ply.tags)
        instead = [int(plies) for plies in re.findall(r"instead take_back plies_back_(\d)", text)]
        back = [int(plies) for plies in re.findall(r"plies_back_(\d)", text)]
        assert sum(len(ply.undone_us) for ply in game.plies) == sum(back) - sum(instead)
        assert len(game.shown) >= sum(instead)


def accuracy(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["accuracy", *ONE, *map(str, arguments)])


@pytest.mark.slow
def test_chains_are_played_instead_of_games() -> None:
    done = accuracy("--hands", "careful")
    assert done.exit_code == 0, done.output
    lines = done.output.splitlines()
    assert lines[0].split() == ["hands", "careful"]
    assert lines[1].split() == ["chains", "exact", "1/1"]
    whole: dict[str, Any] = json.loads(accuracy("--hands", "careful", "--json").output)
    (kind,), (chain,) = whole["kinds"], whole["chains"]
    assert (kind["chains_exact"], kind["too_many"], kind["wrong_finals"]) == (1, 0, 0)
    assert (chain["kind"], chain["number"], chain["exact"]) == ("careful", 1, True)


@pytest.mark.slow
def test_a_chain_that_failed_is_kept_with_its_truth(tmp_path: Path) -> None:
    stuck = [part for square in ("e4", "d5", "c4") for part in ("--stuck", f"{square}=open")]
    done = accuracy("--hands", "blitz", "--keep", tmp_path, "--scale", "0.5", *stuck)
    assert done.exit_code == 0, done.output
    assert "blitz chain 1 (seed 1): " in done.output
    truth = json.loads((tmp_path / "blitz-chain-0001.truth.json").read_text())
    assert len(truth["games"]) == 3
    trace = (tmp_path / "blitz-chain-0001.trace.jsonl").read_text().splitlines()
    assert '"boardfw_trace"' in trace[0]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--count", "3"], "--count: not together with --chains"),
        (["--games", "ends.pgn"], "--chains: none of these games begins with the usual position"),
    ],
)
def test_what_cannot_be_used_is_told_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    start = "8/8/8/8/8/1k6/1p6/1K6 b - - 0 1"
    Path("ends.pgn").write_text(f'[SetUp "1"]\n[FEN "{start}"]\n\n1... Ka3 *\n')
    games = ["--games", "random"] if "--games" not in arguments else []
    done = CliRunner().invoke(main, ["accuracy", "--chains", "1", *games, *arguments])
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith(told)
    assert done.stderr.count("\n") == 1
