"""PGN that is broken: told with file and line, kept, and no reason to stop reading."""

from __future__ import annotations

import pytest

from boardfw.notation.pgn import Fault, read_games, scan_games
from tests.notation.test_pgn import movetext


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1. e4\n1... Ke4 *", "club.pgn:2: move 1... Ke4: not legal here; legal would be"),
        ("1. e4 {never\nclosed", "club.pgn:1: this comment is never closed; add a }"),
        ("1. e4 (1. d4 *\n", "club.pgn:1: this variation is never closed; add a )"),
        ("1. e4 ) *\n", "club.pgn:1: this ) closes no variation; remove it"),
        ("[White Anna]\n", "club.pgn:1: '[White Anna]' is no tag"),
        ('\n[FEN "8/8 w"]\n', "club.pgn:2: FEN"),
        ("1. e4 e5 hello *", "club.pgn:1: move 2. 'hello'"),
        ("1. e4 }", "club.pgn:1: '}' has no place"),
        ("(1. e4) *", "club.pgn:1: a variation needs a move before it"),
        ("1. e4 $256 *", "club.pgn:1: '$256' is no NAG"),
        ("1. e4 --", "club.pgn:1: move 1... '--'"),
        ('[Result "1-0"]\n1. e4 0-1', "club.pgn:2: the game ends with 0-1, but tag Result is 1-0"),
        ('[Result "1-0"]\n1. e4 *', "club.pgn:2: the game ends with *, but tag Result is 1-0"),
        ('[White "A"]\n[White "B"]\n', "club.pgn:2: tag White stands here twice"),
        ('[White "A "B" C"]\n', 'club.pgn:1: tag White: a " or \\ inside the value'),
    ],
)
def test_a_fault_is_named_with_file_and_line(text: str, message: str) -> None:
    told: list[Fault] = []
    (game,) = read_games(text, "club.pgn", told.append)
    (fault,) = told
    assert game.faults == (fault,)
    assert str(fault).startswith(message)
    assert len(str(fault).splitlines()) == 1


def test_the_check_of_a_side_that_passes_is_a_fault() -> None:
    (game,) = read_games("1. e4 f6 2. Qh5+ g6 (2... -- 3. Qxe8) *")
    assert "in check cannot pass" in game.faults[0].text


def test_a_broken_game_keeps_what_was_read_and_the_next_one_is_read() -> None:
    text = '1. e4 e5 2. Ke3 Nc6 {good} (2... d6) $1 1-0 {so}\n\n[Event "next"]\n\n1. d4 *'
    first, second = read_games(text)
    assert [move.uci() for move in first.moves] == ["e2e4", "e7e5"]
    assert [fault.breaks for fault in first.faults] == [True]
    assert movetext(first) == (
        "1. e4 e5 {unread: 2. Ke3 Nc6 (good) ( 2... d6 ) $1} 1-0 {so}".replace("( 2... ", "( ")
    )
    assert (second.tags, len(second.moves)) == ({"Event": "next"}, 1)


def test_a_broken_variation_costs_the_game_nothing() -> None:
    text = "1. e4 e5 (1... Ke7 2. d4) (1... c5 2. Bb6 (2. b4) a6) 2. Nf3 1-0"
    (game,) = read_games(text)
    assert len(game.faults) == 2
    assert movetext(game) == (
        "1. e4 e5 {unread: 1... Ke7 d4} (1... c5 {unread: 2. Bb6 ( b4 ) a6}) 2. Nf3 1-0"
    )
    (line,) = scan_games(text)
    assert (line.moves, line.faults) == (game.moves, ())


def test_a_comment_that_is_never_closed_does_not_swallow_the_next_game() -> None:
    first, second = read_games('1. e4 {oh\n\nno\n\n[Event "next"]\n\n1. d4 {x} *')
    assert first.children[0].text == "oh no"
    assert [str(fault) for fault in first.faults] == [
        "PGN:1: this comment is never closed; add a }"
    ]
    assert (second.tags, len(second.moves), second.faults) == ({"Event": "next"}, 1, ())


def test_a_game_that_cannot_begin_is_kept_as_text() -> None:
    (game,) = read_games('[FEN "nonsense"]\n\n1. e4 e5 1-0')
    assert game.moves == []
    assert game.result == "1-0"
    assert game.text == 'unread: [FEN "nonsense"] e4 e5'
    assert game.faults[0].breaks


def test_a_text_that_is_no_game_is_told_and_kept() -> None:
    first, second = read_games('hello\n\n[Event "x"]\n\n1. e4 *')
    assert first.text == "unread: 1. hello"
    assert len(first.faults) == 1
    assert (second.tags, len(second.moves)) == ({"Event": "x"}, 1)
