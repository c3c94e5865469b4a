"""What counts as right, as wrong and as hasty, when a record is held against the game played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from boardfw.accuracy.report import WIDEST, failures, percentile, summarise, table
from boardfw.accuracy.score import Cost, GameScore, score_game
from boardfw.accuracy.truth import GameTruth, PlyTruth, Shown
from boardfw.game.events import (
    Action,
    Amended,
    Asked,
    Dropped,
    Finalised,
    Moved,
    NewGame,
    TakenBack,
)
from boardfw.squares import Square

SECOND = 1_000_000
MOVES = ("e2e4", "e7e5", "g1f3")


def truth(*shown: Shown, **changes: PlyTruth) -> GameTruth:
    """Three plies, begun at 1, 3 and 5 seconds, each landing a second later."""
    plies = [
        PlyTruth(uci, (2 * n + 1) * SECOND, (2 * n + 2) * SECOND, (2 * n + 2) * SECOND)
        for n, uci in enumerate(MOVES)
    ]
    for name, ply in changes.items():
        plies[int(name[-1]) - 1] = ply
    return GameTruth("club", 1, "test", 7, "start", tuple(plies), 10 * SECOND, shown)


def at(seconds: float) -> int:
    return round(seconds * SECOND)


def moved(seconds: float, ply: int, uci: str = "", *, provisional: bool = False) -> Moved:
    return Moved(at(seconds), ply, uci or MOVES[ply - 1], "", provisional)


def amended(seconds: float, ply: int, uci: str = "") -> Amended:
    return Amended(at(seconds), ply, uci or MOVES[ply - 1], "")


def final(seconds: float, ply: int, uci: str = "") -> Finalised:
    return Finalised(at(seconds), ply, uci or MOVES[ply - 1])


def back(seconds: float, plies: int) -> TakenBack:
    return TakenBack(at(seconds), plies)


def score(*said: Action | Sequence[Action], of: GameTruth | None = None) -> GameScore:
    """What is said at the same time stands in one list."""
    return score_game(of or truth(), [[one] if isinstance(one, Action) else one for one in said])


RIGHT = (moved(2.01, 1), moved(4.02, 2), moved(6.03, 3))


def test_a_record_that_is_the_game_is_exact() -> None:
    result = score(Dropped(at(2), Square(28)), *RIGHT, final(8, 1), final(8, 2), final(8, 3))
    assert result.exact
    assert (result.plies, result.plies_exact, result.games) == (3, 3, 1)
    assert result.delays_us == (10_000, 20_000, 30_000)
    assert (result.wrong_finals, result.wrong_long, result.unmade) == ((), (), 0)
    assert list(failures([result])) == []


def test_a_ply_that_is_never_recorded_fails_the_game() -> None:
    result = score(*RIGHT[:2])
    assert not result.exact
    assert result.parting is not None
    assert (result.parting.ply, result.parting.played, result.parting.recorded) == (3, "g1f3", "")
    assert len(result.delays_us) == 2
    (line,) = failures([result])
    assert line == ("club game 1 (test, seed 7): ply 3 was g1f3, recorded nothing; no question")


def test_a_ply_too_many_fails_the_game() -> None:
    result = score(*RIGHT, moved(9.5, 4, "b8c6"))
    assert result.parting is not None
    assert (result.parting.ply, result.parting.played, result.parting.recorded) == (4, "", "b8c6")


def test_a_second_game_fails_the_game_however_right_the_first_is() -> None:
    result = score(*RIGHT, NewGame(at(7)), moved(8, 1, "d2d4"))
    assert (result.exact, result.parting, result.games) == (False, None, 2)
    assert result.plies_exact == 3
    assert [line.partition(": ")[2] for line in failures([result])] == ["2 games recorded"]


def test_pieces_set_up_before_the_first_ply_make_no_second_game() -> None:
    assert score(NewGame(at(0.5)), *RIGHT).exact


def test_a_question_counts_as_asked_if_the_move_was_among_its_candidates() -> None:
    wrong = (*RIGHT[:2], moved(6.03, 3, "d2d4"))
    for candidates, asked in ((("d2d4", "g1f3"), True), (("d2d4", "b1c3"), False)):
        result = score(*wrong, Asked(at(7), candidates))
        assert result.parting is not None
        assert (result.asked, result.parting.asked) == (1, asked)


def test_the_delay_lasts_until_the_ply_is_there_to_stay() -> None:
    result = score(
        moved(2.01, 1, "e2e3"),
        amended(2.05, 1),
        moved(4.02, 2),
        back(4.5, 1),
        moved(5, 2),
        moved(5.5, 3),
    )
    assert result.delays_us == (50_000, SECOND, 0)
    assert (result.amended, result.take_backs, result.unmade) == (1, 1, 1)


def test_a_ply_said_again_within_one_breath_has_stood_all_the_time() -> None:
    result = score(*RIGHT[:2], [back(5, 2), moved(5, 1), moved(5, 2)], RIGHT[2])
    assert result.delays_us == (10_000, 20_000, 30_000)
    assert result.unmade == 1


def test_a_provisional_ply_is_counted() -> None:
    assert score(moved(2.01, 1, provisional=True), *RIGHT[1:]).provisional == 1


# ---------------------------------------------------------------------------- finals


def test_a_final_that_was_not_played_is_wrong() -> None:
    result = score(moved(2.01, 1, "e2e3"), final(3.5, 1, "e2e3"), amended(4, 1), *RIGHT[1:])
    (wrong,) = result.wrong_finals
    assert (wrong.ply, wrong.uci, wrong.played) == (1, "e2e3", "e2e4")
    assert result.finals_undone == 1
    assert result.exact
    (line,) = failures([result])
    assert line.endswith(": wrong finals: 1, the first of ply 1, e2e3 for e2e4 at 3.50 s")


def test_a_final_after_the_end_of_the_game_is_wrong() -> None:
    result = score(*RIGHT, moved(8, 4, "b8c6"), final(9.6, 4, "b8c6"))
    assert [(wrong.ply, wrong.played) for wrong in result.wrong_finals] == [(4, "")]


def test_a_final_undone_by_nobody_is_told() -> None:
    result = score(RIGHT[0], final(3, 1), back(3.5, 1), moved(3.6, 1), *RIGHT[1:])
    assert (result.finals_undone, result.unmade, result.wrong_finals) == (1, 1, ())


WENT_ON = PlyTruth("g1f3", at(5), at(8), at(8), ("wrong_square",))
WRONG_SQUARE = Shown(2, "g1h3", at(5.5), at(8))


def test_a_move_that_the_hands_showed_first_may_be_final_while_it_stands() -> None:
    told = (moved(5.5, 3, "g1h3"), final(7, 3, "g1h3"))
    corrected: list[Action] = [back(8.01, 1), moved(8.01, 3)]
    result = score(*RIGHT[:2], *told, corrected, of=truth(WRONG_SQUARE, ply_3=WENT_ON))
    assert result.exact
    assert (result.wrong_finals, result.wrong_long) == ((), ())
    assert (result.finals_undone, result.take_backs, result.unmade) == (0, 1, 0)
    assert result.delays_us[2] == 10_000


def test_a_move_that_the_hands_showed_first_is_wrong_once_they_have_gone_on() -> None:
    told = (moved(5.5, 3, "g1h3"), final(9.5, 3, "g1h3"))
    result = score(*RIGHT[:2], *told, of=truth(WRONG_SQUARE, ply_3=WENT_ON))
    assert len(result.wrong_finals) == 1
    (long,) = result.wrong_long
    assert (long.ply, long.uci, long.stood_us) == (3, "g1h3", 2 * SECOND)


def test_another_move_than_the_one_shown_is_wrong() -> None:
    told = (moved(5.5, 3, "g1e2"), final(7, 3, "g1e2"), amended(8.01, 3))
    result = score(*RIGHT[:2], *told, of=truth(WRONG_SQUARE, ply_3=WENT_ON))
    assert (len(result.wrong_finals), len(result.wrong_long), result.finals_undone) == (1, 1, 1)


def test_other_plies_that_the_hands_played_first_may_go_beyond_the_game() -> None:
    shown = (Shown(2, "f1c4", at(5.1), at(7)), Shown(3, "b8c6", at(5.5), at(6)))
    told = (moved(5.1, 3, "f1c4"), moved(5.5, 4, "b8c6"), back(6, 1), back(7, 1), moved(8.01, 3))
    result = score(*RIGHT[:2], *told, of=truth(*shown, ply_3=WENT_ON))
    assert (result.exact, result.take_backs, result.unmade) == (True, 2, 0)
    assert result.wrong_long == ()


def test_what_the_hands_take_back_may_be_taken_back() -> None:
    again = replace(truth().plies[1], contact_us=at(8), undone_us=(at(5.9),))
    told = (moved(4.01, 2), final(5.6, 2), back(6, 1), moved(8.01, 2), moved(9, 3))
    result = score(RIGHT[0], *told, of=truth(ply_2=again))
    assert (result.take_backs, result.unmade, result.finals_undone) == (1, 0, 0)
    assert result.delays_us[1] == 10_000


def test_nobody_takes_back_before_the_hands_do() -> None:
    again = replace(truth().plies[1], contact_us=at(8), undone_us=(at(6.1),))
    told = (moved(4.01, 2), back(6, 1), moved(8.01, 2), moved(9, 3))
    assert score(RIGHT[0], *told, of=truth(ply_2=again)).unmade == 1


def test_of_what_is_taken_back_all_must_have_been_undone_by_hands() -> None:
    again = replace(truth().plies[1], contact_us=at(8), undone_us=(at(5.9),))
    told = (moved(4.01, 2), back(6, 2), moved(6.5, 1), moved(8.01, 2), moved(9, 3))
    assert score(RIGHT[0], *told, of=truth(ply_2=again)).unmade == 1


# ---------------------------------------------------------------------------- wrong plies


@pytest.mark.parametrize(("until", "long"), [(2.9, 0), (3.1, 1)])
def test_a_wrong_ply_that_stands_for_a_second_is_told(until: float, long: int) -> None:
    result = score(moved(2, 1, "e2e3"), amended(until, 1), *RIGHT[1:])
    assert len(result.wrong_long) == long


def test_a_promotion_may_be_another_until_the_last_put_back() -> None:
    ply = PlyTruth("g7g8n", at(5), at(8), at(8), twins=("g7g8q", "g7g8r", "g7g8b"))
    told = (moved(5.5, 3, "g7g8q"), amended(8.01, 3, "g7g8n"))
    of = truth(ply_3=ply)
    assert score(*RIGHT[:2], *told, of=of).wrong_long == ()
    assert len(score(*RIGHT[:2], *told[:1], of=of).wrong_long) == 1
    # A final promotion cannot change, so it must not be said before the last put-back.
    assert len(score(*RIGHT[:2], told[0], final(7, 3, "g7g8q"), of=of).wrong_finals) == 1


# ---------------------------------------------------------------------------- many games


def test_games_are_summed_for_each_kind_of_hands() -> None:
    good, bad = score(*RIGHT), score(*RIGHT[:2])
    child = replace(good, kind="child", cost=Cost(5000, 70))
    one, other = summarise([good, child, bad])
    assert (one.kind, one.games, one.games_exact) == ("club", 2, 1)
    assert (one.plies, one.plies_exact) == (6, 5)
    assert (one.delay_50_us, one.delay_99_us) == (20_000, 30_000)
    assert (other.kind, other.games, other.cost_us, other.slowest_us) == ("child", 1, 5000, 70)
    header, games, _, _, finals, *_ = table([one, other])
    assert header.split() == ["hands", "club", "child"]
    assert games.split() == ["games", "exact", "1/2", "1/1"]
    assert finals.split() == ["wrong", "finals", "0", "of", "0", "0", "of", "0"]


def test_a_capture_that_nothing_tells_of_is_counted_apart() -> None:
    ply = replace(truth().plies[1], tags=("swap", "never_open"))
    of = truth(ply_2=ply)
    told = (RIGHT[0], moved(4.02, 2, "d7d6"), RIGHT[2])
    asked = Asked(at(4.5), (MOVES[1], "d7d6"))
    unseen, silent = score(*told, asked, of=of), score(*told, of=of)
    assert (unseen.exact, unseen.is_unseen) == (False, True)
    assert not silent.is_unseen  # who guesses without a word is wrong
    assert not score(*told, asked).is_unseen  # a switch has told of it
    assert not score(*told[:2], asked, of=of).is_unseen  # another ply is wrong as well
    (summary,) = summarise([unseen, silent, score(*RIGHT)])
    assert (summary.games, summary.games_exact, summary.unseen) == (2, 1, 1)


def test_a_promotion_that_a_lost_contact_has_changed_is_counted_apart() -> None:
    ply = replace(truth().plies[2], uci="a7a8q", tags=("exchange", "contact_lost"))
    of = truth(ply_3=ply)
    told = (*RIGHT[:2], moved(6.03, 3, "a7a8n"))
    asked = Asked(at(6.5), ("a7a8n", "a7a8q"))
    assert score(*told, asked, of=of).is_unseen
    assert not score(*told, of=of).is_unseen  # who guesses without a word is wrong
    assert not score(*told, asked, of=truth(ply_3=replace(ply, tags=()))).is_unseen
    elsewhere = (*RIGHT[:2], moved(6.03, 3, "b7a8q"), Asked(at(6.5), ("b7a8q", "a7a8q")))
    assert not score(*elsewhere, of=of).is_unseen  # a lost contact hides no square


def test_the_finals_of_which_some_are_wrong_are_told_beside_them() -> None:
    (summary,) = summarise([score(*RIGHT, final(8, 1), final(8, 2, "e7e6"), final(8, 3))])
    assert (summary.wrong_finals, summary.finals) == (1, 3)
    (row,) = [line for line in table([summary]) if line.startswith("wrong finals")]
    assert row.split() == ["wrong", "finals", "1", "of", "3"]
    many = replace(summary, wrong_finals=3, finals=17_700)
    assert any(line.endswith(" 3 of 17,700") for line in table([many]))


def test_a_table_of_many_kinds_goes_on_below_so_that_no_line_is_too_long() -> None:
    (summary,) = summarise([score(*RIGHT)])
    kinds = [f"kind-{n}" for n in range(10)]
    wide = [replace(summary, kind=kind, plies=17_758, plies_exact=17_758) for kind in kinds]
    lines = list(table(wide))
    assert max(map(len, lines)) <= WIDEST
    headers = [line.split()[1:] for line in lines if line.startswith("hands ")]
    assert len(headers) == lines.count("") + 1 > 1
    assert [kind for header in headers for kind in header] == kinds


def test_scores_are_equal_whatever_they_cost() -> None:
    assert score(*RIGHT) == replace(score(*RIGHT), cost=Cost(1, 1))


def test_a_game_of_which_nothing_was_recorded_has_no_delays() -> None:
    (summary,) = summarise([score()])
    assert summary.delay_50_us is None
    assert any(line.split()[-1] == "-" for line in table([summary]))


@pytest.mark.parametrize(("percent", "value"), [(50, 50), (95, 95), (99, 99), (100, 100)])
def test_a_percentile_is_a_value_that_was_measured(percent: int, value: int) -> None:
    assert percentile(range(1, 101), percent) == value
    assert percentile([7], percent) == 7
    assert percentile([], percent) is None
