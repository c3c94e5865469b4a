"""PGN that is broken: reported with file and line, kept, and reading goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from boardfw.errors import NotationError
from boardfw.notation.pgn import (
    Evaluation,
    Fault,
    Game,
    format_game,
    read_file,
    read_games,
    scan_games,
)
from tests.notation.test_pgn import movetext, rewritten


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1. e4\n1... Ke4 *", "club.pgn:2: move 1... Ke4: not legal here; legal moves are"),
        ("1. e4 {never\nclosed", "club.pgn:1: this comment is never closed; add a }"),
        ("1. e4 (1. d4 *\n", "club.pgn:1: this variation is never closed; add a )"),
        ("1. e4 ) *\n", "club.pgn:1: this ) closes no variation; remove it"),
        ("[White]\n", "club.pgn:1: '[White]' is not a tag"),
        ("[White Anna]\n", "club.pgn:1: tag White: the value needs quotation marks"),
        ('\n[FEN "8/8 w"]\n', "club.pgn:2: FEN"),
        ("1. e4 e5 hello *", "club.pgn:1: move 2. 'hello'"),
        ("1. e4 }", "club.pgn:1: '}' has no place"),
        ("(1. e4) *", "club.pgn:1: a variation needs a move before it"),
        ("1. e4 $256 *", "club.pgn:1: '$256' is not a NAG"),
        ("1. e4 --", "club.pgn:1: move 1... --: a player cannot pass; the game is read up to here"),
        ("1. e4 e5 2. @@ Nf3 *", "club.pgn:1: at move 2. '@@' is neither a move nor a sign"),
        ('[Variant "Crazyhouse"]\n\n1. e4 *', "club.pgn:1: this is a game of 'Crazyhouse'"),
        ('[Result "1-0"]\n1. e4 0-1', "club.pgn:2: the game ends with 0-1, but tag Result is 1-0"),
        ('[Result "1-0"]\n1. e4 *', "club.pgn:2: the game ends with *, but tag Result is 1-0"),
        ('[White "A"]\n[White "B"]\n', "club.pgn:2: tag White occurs twice"),
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


def test_a_variation_that_breaks_off_does_not_end_the_game() -> None:
    (game,) = read_games("1. e4 e5 (1... c5 2. Ke5 d6) 2. Nf3 *")
    assert [(fault.breaks, fault.ends_game) for fault in game.faults] == [(True, False)]
    assert movetext(game) == "1. e4 e5 (1... c5 {unread: 2. Ke5 d6}) 2. Nf3 *"
    (game,) = read_games(f"1. e4 {'(1. Ke4) ' * 200} e5 2. Ke4 Nf6 *")
    (end,) = (fault for fault in game.faults if fault.ends_game)
    assert end.text.startswith("move 2. Ke4: not legal here; legal moves are ")


def test_letters_of_a_variation_alone_do_not_end_the_game() -> None:
    (game,) = read_games("1. e4 e5 (1... Sc6) 2. d4 *")
    assert len(game.moves) == 3
    assert not any(fault.ends_game for fault in game.faults)


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


@pytest.mark.parametrize(
    ("text", "breaks"),
    [
        ("1. e4 {oh 1... e5 *", True),
        ("{oh 1. e4 e5 *", True),
        ("1. e4 (1. d4 d5 *", True),
        ("1. e4 * {oh", False),
    ],
)
def test_what_is_never_closed_breaks_the_moves_that_it_swallows(text: str, breaks: bool) -> None:
    (game,) = read_games(text)
    assert [fault.breaks for fault in game.faults] == [breaks]


def test_a_game_that_cannot_begin_is_kept_as_text() -> None:
    (game,) = read_games('[FEN "nonsense"]\n\n1. e4 e5 1-0')
    assert game.moves == []
    assert game.result == "1-0"
    assert game.text == 'unread: [FEN "nonsense"] e4 e5'
    assert game.faults[0].breaks


def test_a_text_that_is_no_game_is_reported_and_kept() -> None:
    first, second = read_games('hello\n\n[Event "x"]\n\n1. e4 *')
    assert first.text == "unread: 1. hello"
    assert len(first.faults) == 1
    assert (second.tags, len(second.moves)) == ({"Event": "x"}, 1)


def read(text: str) -> tuple[list[Game], list[str]]:
    """The games of a text, and all its faults, as LINE: TEXT."""
    told: list[Fault] = []
    games = list(read_games(text, on_fault=told.append))
    return games, [f"{fault.line}: {fault.text}" for fault in told]


@pytest.mark.parametrize("gap", ["", "\n"])
@pytest.mark.parametrize("tag", ['[Event "b"]', '  [White "b"]'])
def test_any_tag_at_the_beginning_of_a_line_ends_a_comment(gap: str, tag: str) -> None:
    games, faults = read(f"1. e4 *\n1. d4 {{oh\nno\n{gap}{tag}\n\n1. c4 *")
    assert [len(game.moves) for game in games] == [1, 1, 1]
    assert faults == ["2: this comment is never closed; add a }"]


def test_a_brace_in_a_comment_is_reported_and_the_text_kept() -> None:
    (game,), faults = read("1. e4 {one 1... e5 {two} *")
    assert faults == ["1: this comment contains another {; close the first with a }"]
    assert game.children[0].text == "one 1... e5 (two"
    assert rewritten(movetext(game)) == movetext(game)


def test_comments_to_the_line_s_end_and_commands_are_no_faults() -> None:
    assert read("1. e4 ; a { is text here\n{\n[%clk 0:01:00]\n[White is better] } e5 *")[1] == []


def test_a_comment_that_quotes_tags_is_read_again() -> None:
    game = Game()
    game.comments = (" ".join(['[Event "x"]'] * 40),)
    assert list(read_games(format_game(game))) == [game]


@pytest.mark.parametrize(
    ("text", "plies", "fault"),
    [
        ('[Event "x"]\n[White "A"]\n8[ECO "B48"]\n\n1. e4 e5 1-0', [2], "3: '8' is between"),
        ('[Event "a"]\n12.\n[White "W"]\n\n1. e4 *', [1], "2: '12.' is between"),
        ('1. e4 *\n\n2024\n\n[Event "x"]\n\n1. d4 d5 *', [1, 2], "3: '2024' is between"),
        ("1. e4 *\n\n2024\n", [1], "3: '2024' is between"),
        ("1. e4 *\n\n2024\n\n1. d4 d5 *", [1, 2], "3: move number 2024 where 1 is expected"),
        ('[Event "a"]\nhello\n[White "W"]\n\n1. e4 *', [1], "2: move 1. 'hello'"),
        ('[Event "a"]\n1-0\n[White "W"]\n\n1. e4 *', [1], "2: '1-0' is between"),
        ("1. e4 e5 1-0 *", [2], "1: the result * belongs to no game"),
        (
            '[White "A"]\n\n1-0 1-0\n\n[White "B"]\n\n*',
            [0, 0],
            "3: the result 1-0 belongs to no game",
        ),
        ('0-1\n\n[Event "x"]\n\n1. e4 *', [1], "1: the result 0-1 belongs to no game"),
    ],
)
def test_stray_words_are_reported_and_make_no_games(
    text: str, plies: list[int], fault: str
) -> None:
    games, faults = read(text)
    assert [len(game.moves) for game in games] == plies
    assert len(faults) == 1
    assert faults[0].startswith(fault)


def test_results_alone_are_no_games() -> None:
    games, faults = read("1-0 1-0")
    assert games == []
    assert len(faults) == 2


def test_games_that_were_never_played_stay_apart() -> None:
    games, faults = read('[White "A"]\n\n1-0\n\n[Black "B"]\n\n0-1\n\n[Event "C"]\n\n*')
    assert [game.result for game in games] == ["1-0", "0-1", "*"]
    assert faults == []


@pytest.mark.parametrize("text", ["1. e4 e5 7. Nf3 Nc6 8. Bb5 *", "1. e4 e5 7.\nNf3 Nc6 9. Bb5 *"])
def test_the_first_wrong_move_number_is_reported(text: str) -> None:
    (game,), faults = read(text)
    assert len(game.moves) == 5
    assert len(faults) == 1
    assert faults[0].startswith("1: move number 7 where 2 is expected")
    assert not game.faults[0].breaks


@pytest.mark.parametrize(
    "text",
    [
        "e4 e5 Nf3 2... Nc6 *",
        "1 e4 1... e5 2 Nf3 *",
        "01. e4 e5 (1... c5\n2. d4) (\n1...\nc6 2. d4) 2. Nf3 *",
        '[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 40"]\n\n1. e4 Kd7 2. e5 *',
        '[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 40"]\n\n40. e4 Kd7 41. e5 *',
    ],
)
def test_numbers_that_people_write_are_no_faults(text: str) -> None:
    assert read(text)[1] == []


def test_a_missing_result_is_reported_in_the_game_s_last_line() -> None:
    (first, _), faults = read('[Result "1-0"]\n\n1. e4\ne5\n\n[Result "*"]\n\n1. d4')
    assert first.result == "1-0"
    assert faults == ["4: the game has no result at its end, but tag Result is 1-0; add 1-0"]


def test_a_text_that_is_not_a_result_is_reported() -> None:
    (game,), faults = read('[Result "foo"]\n\n1. e4 1-0')
    assert game.result == "1-0"
    assert faults == ["1: tag Result: 'foo' is not a result; write one of 1-0 0-1 1/2-1/2 *"]


def test_what_is_written_in_comments_is_read_back_or_refused() -> None:
    game = Game()
    game.clock_ms, game.evaluation = 36_000_000_000, Evaluation(12_345_678)
    assert (game.clock_ms, game.evaluation) == (36_000_000_000, Evaluation(12_345_678))
    game.comments = ()
    game.arrows = game.marks = ()
    assert game.comments == ()
    with pytest.raises(ValueError, match="cannot be read back"):
        game.clock_ms = 10**20
    with pytest.raises(ValueError, match="cannot be read back"):
        game.evaluation = Evaluation(mate=10**10)


def test_a_zero_byte_in_a_file_s_name_and_the_end_mark_of_dos(tmp_path: Path) -> None:
    with pytest.raises(NotationError, match="no file's name"):
        next(read_file("a\0b"))
    path = tmp_path / "dos.pgn"
    path.write_bytes(b"1. e4 1-0\r\n\x1a")
    (game,) = read_file(path)
    assert (len(game.moves), game.faults) == (1, ())


def test_a_comment_of_percent_words_is_wrapped_too() -> None:
    game = Game()
    game.comments = (" ".join(["%word"] * 60),)
    lines = format_game(game).splitlines()
    assert max(map(len, lines)) < 80
    assert not any(line.startswith("%") for line in lines)
    assert list(read_games(format_game(game))) == [game]


@pytest.mark.parametrize(
    ("text", "played", "breaks"),
    [
        ("1. e4 e5 2. -- Nf6 3. Nf3 1-0", "e2e4 e7e5", False),
        ("1. e4 e5 2. Z0 *", "e2e4 e7e5", False),
        ("1. e4 e5 @@ 2. Nf3 N Nc6 ?!? 3. Bb5 *", "e2e4 e7e5 g1f3 b8c6 f1b5", False),
        ("1. e4 foo 2. d4 *", "e2e4", True),  # it was a move, as the number says
        ("1. e4 e5 2. foo Nc6 *", "e2e4 e7e5", True),
        ("1. e4 e5 2. Zf3 Nc6 *", "e2e4 e7e5", True),  # a knight in another language
        ('[Variant "Crazyhouse"]\n\n1. e4 *', "", True),
        ('[Variant "From Position"]\n\n1. e4 *', "e2e4", False),
        ('[Variant "Fischer random chess"]\n\n1. e4 *', "e2e4", False),
    ],
)
def test_a_word_is_left_out_unless_it_may_have_been_a_move(
    text: str, played: str, breaks: bool
) -> None:
    (line,) = scan_games(text.splitlines())
    assert " ".join(move.uci() for move in line.moves) == played
    assert any(fault.breaks for fault in line.faults) == breaks
    (game,) = read_games(text.splitlines())
    assert [node.move.uci() for node in game.mainline()] == played.split()
