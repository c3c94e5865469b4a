"""PGN of other programs: invisible characters, odd tags and the letters of other languages."""

from __future__ import annotations

import pytest

from boardfw.notation.pgn import Game, format_game, read_games
from boardfw.notation.pgn.tags import is_chess
from boardfw.notation.san import format_san

SPANISH = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. Qe2"
SPANISH += " h6 10. Kh1 Bg4 11. d4 exd4 12. cxd4 d5 13. exd5 Nxd5 14. Qe4 Nf6 15. Qxc6 *"
LETTERS = {
    "German": "K D T L S",
    "French": "R D T F C",
    "Spanish": "R D T A C",
    "Italian": "R D T A C",
    "Dutch": "K D T L P",
    "Portuguese": "R D T B C",
    "Polish": "K H W G S",
    "Czech": "K D V S J",
    "Hungarian": "K V B F H",
    "Finnish": "K D T L R",
    "Swedish": "K D T L S",
    "Russian": "Кр Ф Л С К",
    "Romanian": "R D T N C",
    "Icelandic": "K D H B R",
    "Turkish": "Ş V K F A",
    "Greek": "Ρ Β Π Α Ι",
    "figurine": "♔ ♕ ♖ ♗ ♘",
    "ChessBase": "¢ £ ¦ ¥ ¤",
}


def in_letters(text: str, letters: str) -> str:
    return text.translate(dict(zip(map(ord, "KQRBN"), letters.split(), strict=True)))


def only(text: str) -> Game:
    (game,) = read_games(text)
    return game


@pytest.mark.parametrize("language", LETTERS)
def test_a_game_in_the_letters_of_any_language_is_read(language: str) -> None:
    game = only(in_letters(SPANISH, LETTERS[language]))
    assert game.moves == only(SPANISH).moves
    assert game.faults == ()
    assert language == "figurine" or language in game.letters or language in ("Italian", "Swedish")


def test_comments_tags_variations_and_promotions_are_read_in_these_letters() -> None:
    text = '[White "Sf3"]\n[FEN "7k/P7/8/8/8/8/8/K7 w - - 0 1"]\n\n'
    text += "1. a8=D+ {oder Sf3} (1. a8T+ Kg7 2. Tb8) (1. a8(S) Kg7 2. Sb6) 1... Kg7 2. Db8 *"
    game = only(text)
    assert game.faults == ()
    assert [node.move.uci() for node in game.children] == ["a7a8q", "a7a8r", "a7a8n"]
    assert game.children[0].text == "oder Sf3"
    assert game.tags["White"] == "Sf3"
    assert len(game.moves) == 3


def test_cyrillic_letters_in_place_of_latin_files_are_read() -> None:
    game = only("1. е4 с5 2. Кf3 Ксб 3. Сb5 *".replace("сб", "с6"))
    assert [move.uci() for move in game.moves] == ["e2e4", "c7c5", "g1f3", "b8c6", "f1b5"]


def test_the_letters_of_the_game_before_decide_what_several_languages_may_mean() -> None:
    """S is a knight in German and a bishop in Czech; V is a rook in Czech alone."""
    czech = "1. e4 e5 2. Sc4 Jf6 3. Jf3 Sc5 4. Vg1 *"
    short = '\n\n[Event "x"]\n\n1. e4 e5 2. Sd3 Sd6 3. Sf1 *'
    first, second = read_games(czech + short)
    assert first.letters == second.letters == "Czech/Slovak"
    assert [move.uci() for move in second.moves][2:4] == ["f1d3", "f8d6"]


def test_a_game_that_two_languages_read_differently_is_refused_and_names_both() -> None:
    """S is a knight in German and a bishop in Czech; here both can go to d3."""
    game = only('[FEN "4k3/8/8/8/8/8/1N6/4KB2 w - - 0 1"]\n\n1. Sd3 Kd8 *')
    fault = next(fault for fault in reversed(game.faults) if fault.breaks)
    assert fault.text == (
        "its letters may be German/Danish/Norwegian/Swedish or Czech/Slovak ones; "
        "write the English letters K Q R B N"
    )


def test_an_illegal_move_in_other_letters_names_the_language() -> None:
    game = only("1. e4 e5 2. Sf3 Sc6 3. Lb6 a6 *")
    (fault,) = game.faults
    assert fault.breaks
    assert str(fault).startswith("PGN:1: move 3. Bb6: not legal here")
    assert str(fault).endswith("its letters were read as German/Danish/Norwegian/Swedish ones")
    assert len(game.moves) == 4


def test_a_wrong_english_move_is_not_taken_for_another_language() -> None:
    game = only("1. e4 e5 2. Nf3 Nc6 3. Sf6 *")
    assert len(game.moves) == 4
    assert game.letters == ""
    assert game.faults[0].breaks


INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u200f\u202a\u202c\u2066\u2069\0\x1a\x7f"


@pytest.mark.parametrize("sign", INVISIBLE)
@pytest.mark.parametrize(
    "text",
    [
        "1.~e4 e5~ 2. Nf3~Nc6 3. B~b5~a6~4. Ba~4 N~f6~5. O-~O 1~-0",
        "~1. e4~ ~e5 2~. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O~-O~1-0~~",
        "1. e4 e5~{a~b}2. Nf3~(2. Nc3)Nc6~$1 3. Bb5 a6 4. Ba4 Nf6!~5. O-O 1-0",
    ],
)
def test_invisible_characters_change_no_move(sign: str, text: str) -> None:
    game = only('~[Event~ "x"]~\n\n'.replace("~", sign) + text.replace("~", sign) + "\n")
    spanish = only("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O 1-0")
    assert (game.moves, game.result, game.faults) == (spanish.moves, "1-0", ())
    assert game.tags == {"Event": "x"}


def test_invisible_characters_that_join_letters_stay_in_names_and_comments() -> None:
    game = only('[White "\u06a9\u200c\u06cc"]\n\n1. e4 {\U0001f468\u200d\U0001f469} e5 *')
    assert game.tags["White"] == "\u06a9\u200c\u06cc"
    assert game.children[0].text == "\U0001f468\u200d\U0001f469"


@pytest.mark.parametrize("end", ["\x1a", "\x1a\0\0\0", "\0" * 200, "\n\x1a\n", "\x04", "\ufeff\n"])
def test_the_end_marks_of_old_programs_are_no_game(end: str) -> None:
    game = only("1. e4 1-0\n" + end)
    assert (len(game.moves), game.faults) == (1, ())


def test_games_go_on_behind_an_end_mark() -> None:
    assert [len(game.moves) for game in read_games("1. e4 1-0\n\x1a[White x]\n\n1. d4 d5 *")] == [
        1,
        2,
    ]


CHESS = """Standard, STANDARD CHESS, Regular, regular game, Rapid, Blitz chess, Normal,
From Position, fromPosition, Chess, classical, Orthodox chess, FIDE rules, -,
Standard (5+3), Échecs, Estándar,
Schnellschach, Chess 960, Fischer-Random, Chess960, Freestyle Chess, none, Online blitz, """
OTHERS = """Crazyhouse, Three-check, King of the Hill, Atomic, Antichess, Racing Kings, Horde,
Bughouse, Suicide chess, Losers, Xiangqi, No castling, Duck chess"""


@pytest.mark.parametrize("name", CHESS.replace("\n", " ").split(","))
def test_names_of_chess(name: str) -> None:
    assert is_chess(name.strip())


@pytest.mark.parametrize("name", OTHERS.replace("\n", " ").split(","))
def test_names_of_other_games(name: str) -> None:
    assert not is_chess(name.strip())


QUOTED = """1. e4 {{compare
{tags}
1. e4 e5 2. Nc3 Nf6
{end}}} e5 2. Nf3 1-0

[Event "next"]

1. d4 {{so}} d5 *
"""


@pytest.mark.parametrize("tags", ['[Event "x"]', '[Event "x"]\n[White "y"]\n', '\n  [Diagram "D"]'])
@pytest.mark.parametrize("end", ["", "as he said ", '[Event "z"]\n\n*\n'])
def test_a_comment_may_hold_lines_that_look_like_tags(tags: str, end: str) -> None:
    first, second = read_games(QUOTED.format(tags=tags, end=end))
    assert [len(first.moves), len(second.moves)] == [3, 2]
    assert first.faults == second.faults == ()
    assert first.children[0].text.startswith("compare [")
    assert list(read_games(format_game(first))) == [first]


@pytest.mark.parametrize(
    "tags",
    [
        "[Event Club evening]\n[White Anna Berg]\n[Result 1-0]",
        "[Event 'Club evening']\n[White 'Anna Berg']\n[Result '1-0']",
        "[Event “Club evening”]\n[White „Anna Berg“]\n[Result «1-0»]",
        '[Event "Club evening"\n[White "Anna Berg"\n[Result "1-0"',
        '[Event "Club evening]\n[White Anna Berg"]\n[Result 1-0"]',
        "[Event: Club evening]\n[White = Anna Berg]\n[Result: 1-0]",
    ],
)
def test_tags_without_proper_quotation_marks_are_read_and_reported(tags: str) -> None:
    first, second = read_games(f"{tags}\n\n1. e4 e5 1-0\n\n{tags}\n\n1. d4 1-0")
    assert first.tags == {"Event": "Club evening", "White": "Anna Berg", "Result": "1-0"}
    assert second.tags == first.tags
    assert [len(first.moves), len(second.moves)] == [2, 1]
    assert [fault.line for fault in first.faults] == [1, 2, 3]
    assert not any(fault.breaks for fault in first.faults)
    assert first.faults[0].text == 'tag Event: the value needs quotation marks; write [Event "..."]'


def test_remarks_in_brackets_are_not_tags() -> None:
    game = only("1. e4 e5 [White is better] 2. Nf3 [Nf3 is best] Nc6 *")
    assert game.tags == {}
    assert format_san(game.start, game.moves[0]) == "e4"
