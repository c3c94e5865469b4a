"""What is right and what is wrong when several games on one board are held against the record."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from boardfw.accuracy.chain_score import (
    ChainScore,
    ChainTruth,
    Recorded,
    score_chain,
)
from boardfw.accuracy.report import as_json, failures, summarise_chains, table
from boardfw.accuracy.truth import GameTruth, PlyTruth, Shown
from boardfw.game.events import Action, Finalised, Moved, NewGame, TakenBack

SECOND = 1_000_000
GAMES = (("e2e4", "e7e5"), ("d2d4",), ("c2c4", "c7c5", "g2g3"))
RECORDED = tuple(map(Recorded, GAMES, ("1-0", None, None)))


def game(moves: Sequence[str], begin_s: int, *shown: Shown) -> GameTruth:
    """A ply each second."""
    plies = [
        PlyTruth(uci, (begin_s + n) * SECOND, (begin_s + n) * SECOND, (begin_s + n) * SECOND)
        for n, uci in enumerate(moves)
    ]
    return GameTruth("club", 1, "test", 7, "start", tuple(plies), 100 * SECOND, shown)


TRUTH = ChainTruth(
    kind="club",
    number=1,
    seed=7,
    games=tuple(game(moves, 10 * n) for n, moves in enumerate(GAMES, 1)),
    results=("1-0", None, None),
)


def said_of(moves: Sequence[str], begin_s: int) -> list[Action]:
    """Each ply is told and called final, and then a new game begins."""
    said: list[Action] = []
    for ply, uci in enumerate(moves, 1):
        t_us = (begin_s + ply) * SECOND
        said += [Moved(t_us, ply, uci, "", False), Finalised(t_us + 1000, ply, uci)]
    return [*said, NewGame((begin_s + 9) * SECOND)]


SAID = [said_of(moves, 10 * n) for n, moves in enumerate(GAMES, 1)]


def score(
    *more: Action,
    recorded: Sequence[Recorded] = RECORDED,
    truth: ChainTruth = TRUTH,
    is_stuck: bool = False,
) -> ChainScore:
    """``more`` is said before the first game is over."""
    first, *others = SAID
    said: list[list[Action]] = [[*first[:-1]], list(more), first[-1:], *others]
    return score_chain(truth, recorded, said, is_stuck=is_stuck)


def test_games_recorded_as_they_were_played_are_exact() -> None:
    whole = score()
    assert whole.exact
    assert (whole.games, whole.plies, whole.finals) == (3, 6, 6)
    assert list(failures([whole])) == []


def test_a_ply_gained_between_two_games_is_too_many_and_its_final_wrong() -> None:
    ghost = (Moved(18 * SECOND, 3, "g1f3", "", False), Finalised(19 * SECOND, 3, "g1f3"))
    longer = Recorded((*GAMES[0], "g1f3"), "1-0")
    whole = score(*ghost, recorded=(longer, *RECORDED[1:]))
    assert (whole.too_many, whole.too_few, whole.exact) == (1, 0, False)
    (wrong,) = whole.wrong_finals
    assert (wrong.ply, wrong.uci, wrong.played) == (3, "g1f3", "")
    (line,) = failures([whole])
    assert line == (
        "club chain 1 (seed 7): plies too many: 1; "
        "wrong finals: 1, the first of ply 3, g1f3 for nothing at 19.00 s"
    )


def test_a_final_that_was_taken_back_in_time_for_the_record_is_wrong_as_well() -> None:
    ghost = (Moved(18 * SECOND, 3, "g1f3", "", False), Finalised(18 * SECOND, 3, "g1f3"))
    whole = score(*ghost, TakenBack(19 * SECOND, 1))
    assert (whole.too_many, len(whole.wrong_finals), whole.exact) == (0, 1, False)


def test_a_final_of_another_move_is_wrong_unless_hands_have_shown_it() -> None:
    other = (
        TakenBack(15 * SECOND, 1),
        Moved(15 * SECOND, 2, "e7e6", "", False),
        Finalised(16 * SECOND, 2, "e7e6"),
        TakenBack(17 * SECOND, 1),
        Moved(17 * SECOND, 2, "e7e5", "", False),
    )
    assert [(wrong.uci, wrong.played) for wrong in score(*other).wrong_finals] == [("e7e6", "e7e5")]
    shown = game(GAMES[0], 10, Shown(1, "e7e6", 15 * SECOND, 17 * SECOND))
    assert score(*other, truth=replace(TRUTH, games=(shown, *TRUTH.games[1:]))).exact


def test_a_game_that_nobody_played_makes_the_games_after_it_no_others() -> None:
    ghost = said_of(("a2a3",), 15)
    said = [SAID[0], ghost, *SAID[1:]]
    recorded = (RECORDED[0], Recorded(("a2a3",)), *RECORDED[1:])
    whole = score_chain(TRUTH, recorded, said, is_stuck=False)
    assert (whole.games, whole.too_many, whole.too_few) == (4, 1, 0)
    assert [wrong.uci for wrong in whole.wrong_finals] == ["a2a3"]


def test_games_run_together_are_too_many_plies_of_one_and_too_few_of_the_other() -> None:
    together = Recorded((*GAMES[0], *GAMES[1]), "1-0")
    said = [[*SAID[0][:-1], *SAID[1]], SAID[2]]
    whole = score_chain(TRUTH, (together, RECORDED[2]), said, is_stuck=False)
    assert (whole.too_many, whole.too_few) == (1, 1)


def test_the_result_of_the_kings_and_a_switch_called_stuck_count() -> None:
    unfinished = Recorded(GAMES[0])
    assert score(recorded=(unfinished, *RECORDED[1:])).results_wrong == 1
    whole = score(is_stuck=True)
    assert not whole.exact
    (line,) = failures([whole])
    assert line.endswith(": a switch was called stuck")


def test_what_no_switch_has_seen_is_no_fault_of_the_record() -> None:
    unseen = score(recorded=RECORDED[:2], truth=replace(TRUTH, is_unseen=True))
    assert (unseen.too_few, unseen.exact) == (3, False)
    assert list(failures([unseen])) == []
    (summary,) = summarise_chains([unseen])
    assert (summary.chains, summary.too_few, summary.unseen) == (0, 0, 1)


def test_chains_are_summed_for_each_kind_of_hands() -> None:
    bad = score(Finalised(19 * SECOND, 3, "g1f3"), recorded=RECORDED[:2])
    child = replace(score(), kind="child", finals=17_700)
    scores = [score(), bad, child]
    lines = (line.partition("  ") for line in table(summarise_chains(scores)))
    rows = {name: cells.split() for name, _, cells in lines}
    assert rows["hands"] == ["club", "child"]
    assert rows["chains exact"] == ["1/2", "1/1"]
    assert rows["plies too few"] == ["3", "0"]
    assert rows["wrong finals"] == ["1", "of", "10", "0", "of", "17,700"]
    whole = json.loads(as_json("chains", summarise_chains(scores), scores, {"seed": 7}))
    assert [kind["chains_exact"] for kind in whole["kinds"]] == [1, 1]
    assert [chain["exact"] for chain in whole["chains"]] == [True, False, True]
    assert whole["chains"][1]["wrong_finals"][0]["uci"] == "g1f3"
