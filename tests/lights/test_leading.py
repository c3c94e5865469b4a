"""What the squares show while pieces are set up."""

from __future__ import annotations

import pytest

from boardfw.game.phase import GamePhase
from boardfw.game.setup.placing import NextPieces
from boardfw.game.view import View
from boardfw.lights.cue import Cue
from boardfw.lights.patterns import EDGE, LETTERS
from boardfw.lights.scene import Scene, scene
from boardfw.notation.fen import parse_setup
from boardfw.rules import (
    QUEEN,
    WHITE,
    Piece,
    Position,
)
from boardfw.squares import ALL, BY_NAME, EVERY_SQUARE, names_of, squares_in
from tests.lights.shown import cues_of, squares_of
from tests.lights.test_scene import said


def test_setting_up_shows_what_is_wanted_and_what_is_too_much() -> None:
    d1, b7 = 1 << BY_NAME["d1"], 1 << BY_NAME["b7"]
    view = View(
        Position.start(),
        phase=GamePhase.SETUP,
        wanted=d1 | b7,
        asked=NextPieces(Piece(QUEEN, WHITE), d1),
        surplus=1 << BY_NAME["e4"],
    )
    assert said(view, Cue.WANTED) == ["d1"]
    assert said(view, Cue.SURPLUS) == ["e4"]
    assert scene(view)[BY_NAME["b7"]] is not Cue.WANTED
    only = view._replace(asked=None, wanted=0)
    assert cues_of(scene(only)) == {BY_NAME["e4"]: Cue.SURPLUS}


def leading(letter: str) -> Scene:
    asked = NextPieces(Piece.of(letter), 1)
    return scene(View(Position.start(), phase=GamePhase.SETUP, wanted=1, asked=asked))


@pytest.mark.parametrize("letter", "KQRBNP")
def test_the_next_piece_is_shown_by_its_letter_and_black_by_a_dark_letter(letter: str) -> None:
    white, black = leading(letter), leading(letter.lower())
    assert squares_of(white, Cue.WHITES_LETTER) == LETTERS[letter] & ~1
    assert squares_of(black, Cue.BLACKS_LETTER) == ALL & ~LETTERS[letter] & ~1
    assert white[EVERY_SQUARE[0]] is black[EVERY_SQUARE[0]] is Cue.WANTED


@pytest.mark.parametrize("fen", ["P3k3/8/8/8/8/8/8/4K3", "4k3/8/8/8/8/8/4R3/4K3"])
def test_what_cannot_stand_so_is_shown_and_nothing_beside_it(fen: str) -> None:
    problems = parse_setup(fen).problems()
    view = View(Position.start(), phase=GamePhase.SETUP, problems=problems)
    assert cues_of(scene(view)) == dict.fromkeys(squares_in(problems[0].squares), Cue.FAULTY)
    assert problems[0].squares


def test_what_is_wrong_on_no_square_is_shown_by_the_edge() -> None:
    view = View(
        Position.start(),
        phase=GamePhase.SETUP,
        problems=parse_setup("8/8/8/8/8/8/8/4K3").problems(),
    )
    assert said(view, Cue.FAULTY) == names_of(EDGE)
