"""Levels of help: what each shows and when, what it counts, and how it fades."""

from __future__ import annotations

import pytest

from boardfw.game.events import Doubted, Finalised, HelpOffered, Moved, TakenBack
from boardfw.game.help import Help
from boardfw.game.help_policy import GAMES, LEAST_MOVES, Played, offered
from boardfw.lights.cue import Cue
from boardfw.shell.config import PlayerHelp
from boardfw.terminal.messages import choose_level
from tests.shell.pupil import Pupil

EYES, GUARD = PlayerHelp(level=2), PlayerHelp(level=3)
SCHOLAR = "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3"


def lit(pupil: Pupil) -> str:
    cues = (Cue.QUIET, Cue.CAPTURE, Cue.DANGER)
    return " ".join(filter(None, map(pupil.lit, cues)))


# ---------------------------------------------------------------------------------------- levels


def test_each_player_is_helped_at_a_level_of_his_own() -> None:
    pupil = Pupil(white=PlayerHelp(level=0), black=PlayerHelp(level=1))
    pupil.do("-g1")
    assert not pupil.scene.lit
    pupil.do("+f3 2000 -g8")
    assert lit(pupil) == "f6 h6"


def test_help_waits_and_who_knows_sees_nothing_of_it() -> None:
    pupil = Pupil(white=PlayerHelp(delay_ms=1500))
    pupil.do("-g1 1490")
    assert lit(pupil) == ""
    pupil.do("20")
    assert lit(pupil) == "f3 h3"


def test_a_budget_is_of_pieces_a_turn() -> None:
    pupil = Pupil(white=PlayerHelp(budget=1), black=PlayerHelp(budget=1))
    pupil.do("-g1")
    assert lit(pupil) == "f3 h3"
    pupil.do("+g1 -b1")
    assert lit(pupil) == ""
    pupil.do("+b1 -g1")
    assert lit(pupil) == "f3 h3", "the same piece again costs nothing"
    pupil.do("+f3 2000 -b8 +c6 2000 -b1")
    assert lit(pupil) == "a3 c3"


def test_eyes_see_where_a_piece_would_be_lost() -> None:
    fen = "4k3/8/2p5/8/8/8/8/R2QK3 w - - 0 1"
    pupil = Pupil(fen, white=EYES)
    pupil.do("-d1")
    assert pupil.lit(Cue.DANGER) == "d5 d7 d8"
    assert "d4" in pupil.lit(Cue.QUIET)
    other = Pupil(fen)
    other.do("-d1")
    assert other.lit(Cue.DANGER) == ""
    assert "d5" in other.lit(Cue.QUIET)


def test_who_holds_a_piece_for_long_sees_who_attacks_and_who_defenders_him() -> None:
    pupil = Pupil("4k3/8/8/3p4/4N3/3P4/8/4K3 w - - 0 1", white=EYES)
    pupil.do("-e4 1400")
    assert pupil.lit(Cue.ATTACKER) == ""
    pupil.do("200")
    assert (pupil.lit(Cue.ATTACKER), pupil.lit(Cue.GUARD)) == ("d5", "d3")
    assert pupil.lit(Cue.QUIET)
    pupil.do("+e4 -d5 1600")
    assert (pupil.lit(Cue.ATTACKER), pupil.lit(Cue.GUARD)) == ("", ""), "no longer attacked"


def test_a_king_held_for_long_shows_what_hangs() -> None:
    pupil = Pupil("4k3/8/8/3p4/4N3/8/7r/R3K3 w - - 0 1", white=EYES)
    pupil.do("-e1 1900")
    assert pupil.lit(Cue.HANGS) == ""
    pupil.do("200")
    assert pupil.lit(Cue.HANGS) == "e4"
    assert pupil.lit(Cue.QUIET)


def test_level_one_has_no_eyes() -> None:
    pupil = Pupil("4k3/8/8/3p4/4N3/8/7r/R3K3 w - - 0 1")
    pupil.do("-e1 4000")
    assert pupil.lit(Cue.HANGS) == ""
    pupil.do("+e1 -e4 4000")
    assert pupil.lit(Cue.ATTACKER) == ""


# ----------------------------------------------------------------------------------------- guard

SLIP = "-d1 +d5"
BEFORE = "4k3/8/2p5/8/8/8/8/R2QK3 w - - 0 1"


def test_the_guard_asks_after_a_ply_that_hangs_something_and_lets_it_stand_in_the_end() -> None:
    pupil = Pupil(BEFORE, white=GUARD)
    pupil.do(f"{SLIP} 500")
    assert pupil.lit(Cue.REALLY) == "d1 d5"
    (told,) = pupil.heard(Doubted)
    assert isinstance(told, Doubted)
    assert told.text == ("really? the queen on d5 can be taken: take it back, or let it stand")
    pupil.do("2000")
    assert pupil.lit(Cue.REALLY) == ""
    assert pupil.moves == "d1d5"


def test_what_the_guard_asks_about_is_not_final_before_two_seconds() -> None:
    final = {}
    for level in (0, 3):
        pupil = Pupil(BEFORE, white=PlayerHelp(level=level))
        pupil.do(f"{SLIP} 6000")
        (played,) = pupil.heard(Moved)
        (said,) = pupil.heard(Finalised)
        final[level] = said.t_us - played.t_us
    assert final[0] < 2_000_000 <= final[3] < 2_100_000


def test_to_put_the_piece_back_is_an_ordinary_take_back() -> None:
    pupil = Pupil(BEFORE, white=GUARD)
    pupil.do(f"{SLIP} 500 -d5 +d1 2000")
    assert pupil.heard(TakenBack)
    assert pupil.moves == ""
    assert pupil.lit(Cue.REALLY) == ""
    pupil.do("-d1 +d2 4000")
    assert pupil.moves == "d1d2"
    assert len(pupil.heard(Doubted)) == 1


def test_while_the_piece_is_in_the_hand_again_the_question_stands() -> None:
    pupil = Pupil(BEFORE, white=GUARD)
    pupil.do(f"{SLIP} 500 -d5 3000")
    assert pupil.desk.view.doubted is not None


def test_the_lift_of_the_enemy_accepts() -> None:
    pupil = Pupil(BEFORE, white=GUARD)
    pupil.do(f"{SLIP} 300 -c6 100")
    assert pupil.desk.view.doubted is None
    pupil.do("+c6 100")
    assert pupil.desk.view.doubted is None


def test_the_guard_sees_mate_in_one() -> None:
    pupil = Pupil(SCHOLAR, black=GUARD)
    pupil.do("-g8 +h6 500")
    assert not pupil.heard(Doubted), "that one guards"
    other = Pupil(SCHOLAR, black=GUARD)
    other.do("-a7 +a6 500")
    (told,) = other.heard(Doubted)
    assert isinstance(told, Doubted)
    assert "mate in one" in told.text


@pytest.mark.parametrize("level", [0, 1, 2])
def test_other_levels_have_no_guard(level: int) -> None:
    pupil = Pupil(BEFORE, white=PlayerHelp(level=level), black=GUARD)
    pupil.do(f"{SLIP} 500")
    assert pupil.lit(Cue.REALLY) == ""
    assert not pupil.heard(Doubted)


# ----------------------------------------------------------------------------- counting and fading


def uses(pupil: Pupil) -> list[int]:
    return pupil.desk.help_policy.uses


def test_a_use_is_a_piece_who_was_lifted_looked_at_and_not_moved() -> None:
    pupil = Pupil()
    pupil.do("-g1 +f3 2000")
    assert uses(pupil) == [0, 0]
    pupil.do("-b8 +b8 -g8 +f6 2000")
    assert uses(pupil) == [0, 1]
    pupil.do("-e2 +e2 -e2 +e2 -d2 +d4 2000")
    assert uses(pupil) == [1, 1]


def test_who_saw_no_light_has_used_none() -> None:
    pupil = Pupil(white=PlayerHelp(delay_ms=4000))
    pupil.do("-g1 +g1 -e2 +e4 2000")
    assert uses(pupil) == [0, 0]


def test_a_look_and_a_heeded_warning_are_uses() -> None:
    pupil = Pupil(BEFORE, white=GUARD)
    pupil.do("-d1 2000 +d2 2000")
    assert uses(pupil) == [1, 0]
    pupil.do("-e8 +e7 2500 -d2 +d5 500 -d5 +d2 2000")
    assert uses(pupil) == [2, 0]


def games(level: int = 1, uses: int = 1, moves: int = 10, number: int = GAMES) -> list[Played]:
    return [Played(level, moves, uses)] * number


def test_after_five_games_with_hardly_any_help_a_level_less_is_offered() -> None:
    assert offered(games(), Help(1)) == 0
    assert offered(games(level=3, uses=4, moves=40), Help(3)) == 2


@pytest.mark.parametrize(
    ("played", "help_"),
    [
        (games(number=GAMES - 1), Help(1)),
        (games(uses=2), Help(1)),
        (games(moves=LEAST_MOVES - 1, uses=0), Help(1)),
        (games(level=2), Help(1)),
        (games(level=0), Help(0)),
        (games(), Help(1, is_locked=True)),
        ([*games(uses=2, number=1), *games(number=GAMES - 1)], Help(1)),
    ],
)
def test_nothing_is_offered_to_who_needs_it_has_none_or_is_locked(
    played: list[Played], help_: Help
) -> None:
    assert offered(played, help_) is None


def test_the_board_offers_when_a_game_ends_and_a_typed_level_accepts() -> None:
    pupil = Pupil(black=PlayerHelp(level=0))
    pupil.desk.help_policy.games[0].extend(games(number=GAMES - 1))
    play_to_the_end(pupil)
    (said,) = pupil.heard(HelpOffered)
    assert isinstance(said, HelpOffered)
    assert (said.player, said.level) == ("white", 0)
    assert choose_level(pupil.desk, "white 0") == "help: White level 0, Black level 0"
    assert not pupil.desk.help_policy.games[0]


def test_a_locked_level_is_neither_offered_nor_typed_away() -> None:
    pupil = Pupil(white=PlayerHelp(locked=True), black=PlayerHelp(level=0))
    pupil.desk.help_policy.games[0].extend(games(number=GAMES - 1))
    play_to_the_end(pupil)
    assert not pupil.heard(HelpOffered)
    assert "help.white.locked" in choose_level(pupil.desk, "0")
    assert pupil.desk.help_policy.helps[0].level == 1


def play_to_the_end(pupil: Pupil) -> None:
    """Ten moves of each player, who lift no other piece; then White resigns."""
    white = ["a2a3", "a3a4", "a4a5", "b2b3", "b3b4", "b4b5", "c2c3", "c3c4", "c4c5", "d2d3"]
    black = ["h7h6", "h6h5", "h5h4", "g7g6", "g6g5", "g5g4", "f7f6", "f6f5", "f5f4", "e7e6"]
    for move in (uci for both in zip(white, black, strict=True) for uci in both):
        pupil.do(f"-{move[:2]} +{move[2:]} 1500")
    pupil.press("resign_white")


# ------------------------------------------------------------------------------------ typed levels


def test_levels_are_typed_for_one_or_for_both() -> None:
    pupil = Pupil()
    assert choose_level(pupil.desk, "") == "help: White level 1, Black level 1"
    assert choose_level(pupil.desk, "3") == "help: White level 3, Black level 3"
    assert choose_level(pupil.desk, "Black 0") == "help: White level 3, Black level 0"
    for wrong in ("5", "white", "green 1", "white two", "-1"):
        assert choose_level(pupil.desk, wrong).startswith("level: write a level from 0 to 4")


def test_a_typed_level_is_seen_at_once() -> None:
    pupil = Pupil()
    pupil.do("-g1")
    choose_level(pupil.desk, "white 0")
    assert not pupil.scene.lit
