"""The coach: what is asked when, what of the answer is seen, and how often."""

from __future__ import annotations

import pytest

from boardfw.game.coach import Advice, CoachQuestion, MoveClass
from boardfw.game.events import Advised, CoachAsked, CoachRests, Notified, Seated
from boardfw.game.opponent import Chosen
from boardfw.lights.cue import Cue
from boardfw.lights.render import render
from boardfw.lights.scene import scene
from boardfw.rules import WHITE
from boardfw.shell.config import LightSettings, PlayerHelp
from boardfw.shell.replay import event_line
from boardfw.squares import BY_NAME
from tests.shell.pupil import FIRST, Pupil

COACHED = PlayerHelp(level=4)
CLASSES = (Cue.GOOD, Cue.DOUBTFUL, Cue.LOSING)
CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
PROMOTING = "3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1"


def asked(pupil: Pupil) -> CoachQuestion | None:
    """What the coach wants to know now, as it has said."""
    wanted = pupil.desk.help_policy.coach.asked
    said = [one for one in pupil.said if isinstance(one, CoachAsked | CoachRests)]
    last = said[-1] if said else None
    if wanted is None:
        assert not isinstance(last, CoachAsked)
    else:
        assert isinstance(last, CoachAsked)
        assert (last.plies, last.square) == (len(wanted.moves), wanted.square)
    return wanted


def answer(pupil: Pupil, best: str = "", **classes: MoveClass) -> Advice:
    """Answer what was asked: classes by move in UCI, all others good."""
    question = asked(pupil)
    assert question is not None
    moves = question.position.legal_moves()
    own = [move for move in moves if move.origin == question.square]
    known = {move: classes.get(move.uci(), MoveClass.GOOD) for move in own}
    first = next((move for move in moves if move.uci() == best), moves[0])
    advice = Advice(question, first, known)
    pupil.said += pupil.desk.take(Advised(pupil.t_us, advice))
    return advice


def test_a_lifted_piece_is_asked_about_and_let_go_when_it_stands() -> None:
    pupil = Pupil(white=COACHED)
    assert not pupil.heard(CoachAsked)
    pupil.do("-g1")
    question = asked(pupil)
    assert question is not None
    assert question.square == BY_NAME["g1"]
    pupil.do("+g1")
    assert asked(pupil) is None


def test_its_squares_are_seen_in_three_classes_and_better_known_ones_replace_them() -> None:
    pupil = Pupil(white=COACHED)
    pupil.do("-b1")
    assert pupil.lit(Cue.QUIET) == "a3 c3"  # until the answer comes
    answer(pupil, b1a3=MoveClass.DOUBTFUL)
    assert [pupil.lit(cue) for cue in CLASSES] == ["c3", "a3", ""]
    assert pupil.lit(Cue.QUIET) == ""
    answer(pupil, b1a3=MoveClass.LOSING)
    assert [pupil.lit(cue) for cue in CLASSES] == ["c3", "", "a3"]


@pytest.mark.parametrize("one", MoveClass)
@pytest.mark.parametrize("mono", [False, True])
def test_each_class_has_a_frame_of_its_own(one: MoveClass, *, mono: bool) -> None:
    frames = []
    for kind in MoveClass:
        pupil = Pupil(white=COACHED)
        pupil.do("-b1")
        answer(pupil, b1a3=kind, b1c3=kind)
        settings = LightSettings(mono=mono).palette()
        shown = scene(pupil.desk.view)
        frames.append([render(shown, t_us, settings) for t_us in range(0, 6_000_000, 20_000)])
        lit = {switch for frame in frames[-1] for switch in range(64)
               if any(frame.pixels[3 * switch : 3 * switch + 3])}  # fmt: skip
        assert lit == {BY_NAME["a3"], BY_NAME["c3"]}
    assert frames.count(frames[one]) == 1


def test_castling_captures_and_promotions_have_their_class_too() -> None:
    pupil = Pupil(CASTLING, white=COACHED)
    pupil.do("-e1")
    answer(pupil, e1g1=MoveClass.LOSING)
    assert pupil.lit(Cue.LOSING) == "g1"
    assert pupil.lit(Cue.CASTLING) == ""
    pupil = Pupil(PROMOTING, white=COACHED)
    pupil.do("-e7")
    losing = MoveClass.LOSING
    answer(pupil, e7e8q=losing, e7e8r=losing, e7e8b=losing, e7d8n=losing)
    assert pupil.lit(Cue.GOOD) == "d8 e8"  # by the best piece that the pawn may become
    assert pupil.lit(Cue.LOSING) == ""


def test_an_answer_to_another_question_is_none() -> None:
    pupil = Pupil(white=COACHED)
    pupil.do("-b1")
    late = answer(pupil)
    pupil.do("+b1 -g1")
    pupil.desk.take(Advised(pupil.t_us, late))
    assert [pupil.lit(cue) for cue in CLASSES] == ["", "", ""]
    assert pupil.lit(Cue.QUIET) == "f3 h3"
    answer(pupil)
    pupil.desk.take(Advised(pupil.t_us, late))
    assert pupil.lit(Cue.GOOD) == "f3 h3"


@pytest.mark.parametrize("level", [0, 1, 2, 3])
def test_less_help_asks_nobody(level: int) -> None:
    pupil = Pupil(white=PlayerHelp(level=level))
    pupil.do("-g1")
    pupil.press("hint")
    assert not pupil.heard(CoachAsked)


def test_only_the_player_to_move_is_coached_and_no_opponent_away() -> None:
    pupil = Pupil(black=COACHED)
    pupil.do("-g1 +f3 2000")
    assert not pupil.heard(CoachAsked)
    pupil = Pupil(white=COACHED)
    pupil.desk.take(Seated(pupil.t_us, Chosen(WHITE)))
    pupil.do("-g1")
    pupil.press("hint")
    assert not pupil.heard(CoachAsked)


def test_in_rated_games_nobody_is_coached() -> None:
    pupil = Pupil(white=COACHED)
    pupil.desk.help_policy.is_rated = True
    pupil.do("-g1 +g1")
    pupil.press("hint")
    assert not pupil.heard(CoachAsked)
    assert pupil.heard(Notified)


def test_who_waits_for_help_is_coached_no_sooner() -> None:
    pupil = Pupil(white=PlayerHelp(level=4, delay_ms=1500))
    pupil.do("-g1 1000")
    assert not pupil.heard(CoachAsked)
    pupil.do("600")
    assert asked(pupil) is not None


def test_hints_are_counted_by_game_and_the_same_piece_again_costs_nothing() -> None:
    pupil = Pupil(white=PlayerHelp(level=4, hints=2))
    pupil.do("-g1 +g1 -g1 +g1 -b1")
    answer(pupil)
    assert pupil.lit(Cue.GOOD) == "a3 c3"
    pupil.do("+b1 -e2")
    assert asked(pupil) is None
    assert pupil.lit(Cue.QUIET) == "e3 e4"  # the other help stays
    pupil.do("+e2")
    pupil.press("hint")
    assert asked(pupil) is None
    assert pupil.heard(Notified)
    pupil.do("-g1")
    assert asked(pupil) is not None


def test_a_hint_shows_the_piece_and_when_it_is_lifted_the_square() -> None:
    pupil = Pupil(FIRST, white=COACHED)
    pupil.press("hint")
    question = asked(pupil)
    assert question is not None
    assert question.square is None
    answer(pupil, best="g1f3")
    assert pupil.lit(Cue.THIS_ONE) == "g1"
    assert pupil.lit(Cue.PUT_HERE) == ""
    pupil.do("-g1")
    assert pupil.lit(Cue.PUT_HERE) == "f3"
    assert pupil.lit(Cue.THIS_ONE) == ""
    pupil.do("+f3 2000")
    assert pupil.lit(Cue.PUT_HERE) == ""
    assert asked(pupil) is None


def test_a_new_game_has_all_its_hints() -> None:
    pupil = Pupil(white=PlayerHelp(level=4, hints=1))
    pupil.do("-g1 +g1 -b1")
    assert asked(pupil) is None
    pupil.desk.help_policy.coach.begin()
    pupil.do("+b1 -b1")
    assert asked(pupil) is not None


def test_what_the_coach_says_can_be_written_down_as_an_event() -> None:
    pupil = Pupil(white=COACHED)
    pupil.do("-g1 +g1")
    pupil.press("hint")
    lines = [event_line(action) for action in pupil.said]
    assert any("coach_asked" in line for line in lines)
    assert any("coach_rests" in line for line in lines)
