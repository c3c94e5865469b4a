"""Three games on one board, one of them unfinished: no ply too many, none too few."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner

from boardfw.cli import main
from boardfw.cli.accuracy.chains import ChainScore, chains_of, play_chain, told_chains
from boardfw.cli.accuracy.games import RANDOM, games_of

EXACT = ChainScore(
    kind="club",
    number=1,
    seed=7,
    too_many=0,
    too_few=0,
    results_wrong=0,
    finals_wrong=0,
    is_stuck=False,
    is_unseen=False,
)


def faults(kind: str, seed: int, count: int) -> list[str]:
    """What goes wrong with so many chains."""
    chains = chains_of(games_of([RANDOM], count * 3, seed), [kind], seed, count)
    _, *wrong = told_chains([play_chain(chain) for chain in chains])
    return wrong


@pytest.mark.parametrize("kind", ["careful", "club", "blitz", "elder"])
def test_a_few_chains_of_games_are_recorded_ply_by_ply(kind: str) -> None:
    assert faults(kind, 1, 3) == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["careful", "club", "wooden", "elder"])
def test_chains_of_games_gain_and_lose_no_ply(kind: str, *, full: bool) -> None:
    assert faults(kind, 1000, 200 if full else 20) == []


@pytest.mark.parametrize(
    ("score", "told"),
    [
        (replace(EXACT, too_many=2), "2 plies too many"),
        (replace(EXACT, too_few=1, is_stuck=True), "1 plies too few, 1 switch called stuck"),
        (replace(EXACT, results_wrong=1), "1 results wrong"),
        (replace(EXACT, finals_wrong=3), "3 wrong finals"),
    ],
)
def test_what_went_wrong_is_told_by_chain(score: ChainScore, told: str) -> None:
    first, second = told_chains([score])
    assert first.startswith("club: 0 of 1 chains exact; ")
    assert second == f"club chain 1 (seed 7): {told}"


def test_what_no_switch_has_seen_is_no_fault_of_the_record() -> None:
    (told,) = told_chains([replace(EXACT, too_few=1, is_unseen=True)])
    assert told.startswith("club: 0 of 0 chains exact; 0 plies too many, 0 too few")


def test_chains_are_played_instead_of_games() -> None:
    options = [
        "accuracy",
        "--games",
        "random",
        "--chains",
        "1",
        "--hands",
        "careful",
        "--jobs",
        "1",
    ]
    done = CliRunner().invoke(main, options)
    assert done.exit_code == 0
    assert done.output.startswith("careful: 1 of 1 chains exact; ")
    (score,) = json.loads(CliRunner().invoke(main, [*options, "--json"]).output)["chains"]
    assert (score["kind"], score["number"], score["too_many"]) == ("careful", 1, 0)


def test_chains_take_no_circumstances() -> None:
    done = CliRunner().invoke(main, ["accuracy", "--chains", "1", "--scale", "2"])
    assert done.exit_code == 2
    assert "--chains: not together with" in done.output
