"""``boardfw games import``: what comes in, what is left out, and what is said of both."""

from __future__ import annotations

from pathlib import Path

from tests.cli.test_games import EVENINGS, at_home, boardfw, kept, refused, said

__all__ = ["at_home", "kept"]

MISTAKES = """[White "Anna"]

1. e4 e5 *

[White "Ben"]

1. e4 Ke4 *

[White "Zoë"]

1. e4 {good} *
"""


def test_an_import_makes_the_file_and_tells_what_came() -> None:
    assert said("import", str(EVENINGS)) == f"{EVENINGS}: 20 games imported: numbers 1 to 20\n"
    assert said("import", str(EVENINGS)).splitlines() == [
        f"{EVENINGS}: 0 games imported",
        f"{EVENINGS}: 20 games there already, and skipped; --again imports them",
    ]
    assert "numbers 21 to 40" in said("import", "--again", str(EVENINGS))
    assert len(said("list", "--player", "slobodjan").splitlines()) == 2


def test_an_import_leaves_out_what_breaks_off_and_says_where() -> None:
    Path("club.pgn").write_text(MISTAKES, encoding="utf-8")
    result = boardfw("import", "club.pgn")
    assert result.exit_code == 1
    assert result.stderr.startswith("club.pgn:7: ")
    assert result.stderr.endswith("; this game is left out\n")
    assert result.stdout.splitlines() == [
        "club.pgn: 2 games imported: numbers 1 to 2",
        "club.pgn: 1 game left out, as said above",
    ]


LICHESS = """[Event "Rated blitz game"]
[Site "https://lichess.org/abcdefgh"]
[White "ann"]
[Black "ben"]
[Result "0-1"]
[TimeControl "180+2"]

1. f3?? { [%eval -0.8] [%clk 0:03:00] } 1... e5 { [%clk 0:03:00] }
2. g4?? { (-0.9 → -M1) Checkmate is now unavoidable. [%clk 0:02:58] } (2. d4 { better } exd4)
2... Qh4# { [%clk 0:02:59] } 0-1
"""


def test_an_annotated_game_is_exported_as_it_came() -> None:
    Path("lichess.pgn").write_text(LICHESS, encoding="utf-8")
    assert said("import", "lichess.pgn") == "lichess.pgn: 1 game imported: number 1\n"
    assert " ".join(said("export", "1").split("\n\n")[1].split()) == (
        "1. f3 $4 {[%clk 0:03:00] [%eval -0.8]} 1... e5 {[%clk 0:03:00]} 2. g4 $4 {[%clk 0:02:58] "
        "(-0.9 → -M1) Checkmate is now unavoidable.} (2. d4 {better} 2... exd4) 2... Qh4# "
        "{[%clk 0:02:59]} 0-1"
    )


def test_an_import_counts_what_it_drops() -> None:
    text = f"1. e4! {{{'word ' * 120_000}}} (1. d4) (1. c4) *\n\n1. d4 {{good}} *\n"
    Path("club.pgn").write_text(text, encoding="utf-8")
    assert said("import", "club.pgn").splitlines() == [
        "club.pgn: 2 games imported: numbers 1 to 2",
        "club.pgn: dropped from 1 game: 1 comment, 1 sign, 2 variations",
    ]


def test_a_variation_that_breaks_off_costs_no_game() -> None:
    Path("club.pgn").write_text("1. e4 e5 (1... c5 2. Ke5 d6) 2. Nf3 *\n", encoding="utf-8")
    result = boardfw("import", "club.pgn")
    assert result.exit_code == 0
    assert result.stderr.startswith("club.pgn:1: move 2. Ke5: not legal here; ")
    assert result.stderr.endswith("; the rest of this variation is kept as a comment\n")
    assert "(1... c5 {unread: 2. Ke5 d6}) 2. Nf3 *" in said("export", "1")


def test_each_word_that_is_left_out_of_a_game_is_told() -> None:
    moves = "1. e4 @one e5 2. Nf3 @two Nc6 *\n"
    Path("club.pgn").write_text(moves, encoding="utf-8")
    result = boardfw("import", "club.pgn")
    assert result.exit_code == 0
    assert result.stderr.splitlines() == [
        "club.pgn:1: at move 1... '@one' is neither a move nor a sign; it is left out",
        "club.pgn:1: at move 2... '@two' is neither a move nor a sign; it is left out",
    ]
    assert "1.e4 e5 2.Nf3 Nc6" in said("list")


def test_of_many_faults_of_a_game_the_first_ones_are_told_and_the_others_counted() -> None:
    words = " ".join(f"@{number}" for number in range(30))
    Path("club.pgn").write_text(f"1. e4 {words} e5 *\n", encoding="utf-8")
    lines = boardfw("import", "club.pgn").stderr.splitlines()
    assert len(lines) == 11
    assert lines[-1] == "club.pgn:1: 20 faults more in this game"


def test_the_letters_of_other_encodings_are_recognised_and_told() -> None:
    for name, player, encoding in (
        ("soviet.pgn", "Ботвинник, Михаил", "cp1251"),
        ("czech.pgn", "Žižka, Lukáš", "iso8859_2"),
    ):
        text = f'[Event "x"]\n[White "{player}"]\n[Black "{player}"]\n\n1. e4 e5 *\n'
        Path(name).write_bytes(text.encode(encoding))
        told = boardfw("import", name).stderr
        assert told.startswith(f"{name}: is not in UTF-8; its letters were read as {encoding}")
        assert player in said("list", "--player", player.partition(",")[0])


def test_of_files_of_which_one_cannot_be_read_none_is_imported() -> None:
    assert refused("import", str(EVENINGS), "missing.pgn") == (
        "missing.pgn: cannot be read: No such file or directory"
    )
    assert not Path("games").exists()


def test_a_game_that_a_comment_may_have_swallowed_in_part_is_left_out() -> None:
    Path("open.pgn").write_text('1. e4 {good e5 2. Nf3 *\n\n[White "Ben"]\n\n1. d4 *\n')
    result = boardfw("import", "open.pgn")
    assert result.exit_code == 1
    assert result.stderr == (
        "open.pgn:1: this comment is never closed; add a }; this game is left out\n"
    )
    assert "1 game imported: number 1" in result.stdout


def test_games_in_the_letters_of_another_language_come_and_the_language_is_named() -> None:
    Path("verein.pgn").write_text("1. e4 e5 2. Sf3 Sc6 3. Lb5 a6 4. O-O Sf6 1-0\n")
    result = boardfw("import", "verein.pgn")
    assert result.exit_code == 0
    assert result.stderr == ""
    assert result.stdout.splitlines() == [
        "verein.pgn: 1 game imported: number 1",
        "verein.pgn: the pieces of 1 game have German/Danish/Norwegian/Swedish letters",
    ]
    assert "1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.O-O Nf6" in said("list")


def test_a_file_with_the_end_marks_of_old_programs_is_no_fault() -> None:
    Path("dos.pgn").write_bytes(b'[Event "E"]\r\n\r\n1. e4 e5 1-0\r\n\x1a\0\0')
    result = boardfw("import", "dos.pgn")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == "dos.pgn: 1 game imported: number 1\n"


def test_a_comment_with_tag_lines_costs_no_game_and_makes_none() -> None:
    text = '1. e4 {compare\n[Event "x"]\n[White "y"]\n} e5 2. Nf3 1-0\n'
    Path("notes.pgn").write_text(text)
    result = boardfw("import", "notes.pgn")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("notes.pgn: 1 game imported: number 1\n")
    assert "1.e4 e5 2.Nf3" in said("list")
