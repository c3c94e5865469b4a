"""Data in comments: read and written in place, everything else left alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardfw.notation.pgn import Arrow, Evaluation, Game, Mark, Node, format_game, read_games
from boardfw.notation.pgn.notes import format_time, parse_time
from boardfw.rules import Position
from boardfw.squares import BY_NAME


def commented(*comments: str) -> Node:
    node = Game().add(Position.start().legal_moves()[0])
    node.comments = comments
    return node


def test_everything_that_a_comment_may_hold() -> None:
    (game,) = read_games(
        "{[%csl Ge4,Rd5] look [%cal Ge2e4]} 1. e4 { so [%eval -1.50,20] [%clk 1:02:03.4] it "
        "[%emt 0:00:07] is [%x y] } *"
    )
    (node,) = game.mainline()
    assert node.clock_ms == 3_723_400
    assert node.elapsed_ms == 7_000
    assert node.evaluation == Evaluation(centipawns=-150, depth=20)
    assert node.text == "so it is"
    assert node.marks is None
    assert game.marks == (Mark("G", BY_NAME["e4"]), Mark("R", BY_NAME["d5"]))
    assert game.arrows == (Arrow("G", BY_NAME["e2"], BY_NAME["e4"]),)
    assert game.text == "look"


@pytest.mark.parametrize(
    ("text", "evaluation"),
    [
        ("0.25", Evaluation(25)),
        ("+3", Evaluation(300)),
        ("-.5", Evaluation(-50)),
        ("0.29", Evaluation(29)),  # not 28: a hundred times 0.29 is a little less than 29
        ("#-3", Evaluation(mate=-3)),
        ("#3,31", Evaluation(mate=3, depth=31)),
        ("nonsense", None),
        ("", None),
    ],
)
def test_evaluations(text: str, evaluation: Evaluation | None) -> None:
    node = commented(f"a [%eval {text}] b")
    assert node.evaluation == evaluation
    node.evaluation = evaluation
    assert node.evaluation == evaluation
    assert node.text == "a b"


@pytest.mark.parametrize(
    ("comments", "value", "written"),
    [
        ((), 65_000, ("[%clk 0:01:05]",)),
        (("words",), 65_000, ("[%clk 0:01:05] words",)),
        (("one", "two [%clk 9] three"), 65_500, ("one", "two [%clk 0:01:05.5] three")),
        (("[%emt 1] [%clk 9] [%x ]",), 1, ("[%emt 1] [%clk 0:00:00.001] [%x ]",)),
        (("one [%clk 9] two",), None, ("one two",)),
        (("[%clk 9]", "two"), None, ("two",)),
        (("one",), None, ("one",)),
    ],
)
def test_a_clock_is_written_where_it_stood(
    comments: tuple[str, ...], value: int | None, written: tuple[str, ...]
) -> None:
    node = commented(*comments)
    node.clock_ms = value
    assert node.comments == written
    assert node.clock_ms == value


def test_marks_and_arrows_are_written() -> None:
    node = commented("here")
    node.marks = (Mark("Y", BY_NAME["a1"]), Mark("B", BY_NAME["h8"]))
    node.arrows = (Arrow("R", BY_NAME["a1"], BY_NAME["h8"]),)
    assert node.comments == ("[%cal Ra1h8] [%csl Ya1,Bh8] here",)
    assert node.marks == (Mark("Y", BY_NAME["a1"]), Mark("B", BY_NAME["h8"]))


@pytest.mark.parametrize("text", ["[%csl Ge9]", "[%csl G]", "[%cal Ge2]", "[%cal xe2e4e6]"])
def test_what_cannot_be_read_is_left_as_it_is(text: str) -> None:
    node = commented(text)
    assert node.marks is None
    assert node.arrows is None
    assert node.comments == (text,)


def test_a_command_is_not_torn_by_the_end_of_a_line() -> None:
    node = commented(" ".join(["[%clk 0:01:05] word"] * 20))
    game = Game()
    game.children.append(node)
    assert format_game(game).count("[%clk 0:01:05]") == 20


@given(st.integers(0, 10**9))
def test_times_are_read_as_they_are_written(time_ms: int) -> None:
    assert parse_time(format_time(time_ms)) == time_ms


@pytest.mark.parametrize("text", ["", "a", "1:2:3:4", "-1", "1:", "٣", "9" * 5000])
def test_what_is_no_time(text: str) -> None:
    assert parse_time(text) is None


def test_there_is_no_time_below_zero() -> None:
    with pytest.raises(ValueError, match="no time below 0"):
        commented().clock_ms = -1


@pytest.mark.parametrize(
    ("word", "nags"),
    [("Nf3+-", (18,)), ("Nf3-+", (19,)), ("Nf3±", (16,)), ("Nf3+/-", (16,)), ("Nf3+", ())],
)
def test_a_sign_glued_to_a_move_is_a_nag(word: str, nags: tuple[int, ...]) -> None:
    (game,) = read_games(f"1. {word} d5 *")
    assert not game.faults
    assert [node.nags for node in game.mainline()] == [nags, ()]
