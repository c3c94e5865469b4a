"""PGN: what we write is read by others and by us; what cannot be read is named by its line."""

from __future__ import annotations

import pytest

from boardfw.notation.fen import parse_fen
from boardfw.notation.pgn import (
    NULL,
    Fault,
    Game,
    build_games,
    format_game,
    read_games,
)
from boardfw.notation.san import parse_san
from boardfw.rules import Move, Position
from boardfw.rules.chess960 import start_position


def of_sans(*sans: str) -> Game:
    game, position = Game(), Position.start()
    moves = []
    for san in sans:
        moves.append(parse_san(position, san))
        position = position.play(moves[-1])
    game.extend(moves)
    return game


def the_game(text: str) -> Game:
    (game,) = read_games(text)
    return game


def movetext(game: Game) -> str:
    return format_game(game).split("\n\n")[1].replace("\n", " ")


def rewritten(text: str) -> str:
    """The moves of a game without tags, as we write what we have read."""
    game = the_game(text)
    assert game.faults == ()
    return movetext(game)


def test_the_form() -> None:
    game = of_sans("e4", "e5", "Nf3")
    game.tags = {"Annotator": 'An "O"', "White": "A\\B", "Result": "0-1"}
    game.children[0].comments = ("best by {test}",)
    assert format_game(game) == (
        '[Event "?"]\n[Site "?"]\n[Date "????.??.??"]\n[Round "?"]\n[White "A\\\\B"]\n[Black "?"]\n'
        '[Result "*"]\n[Annotator "An \\"O\\""]\n\n'
        "1. e4 {best by (test)} 1... e5 2. Nf3 *\n\n"
    )


def test_another_start_is_written_down() -> None:
    start = parse_fen("7k/8/8/8/8/8/R7/K7 b - - 3 40")
    game = Game(start=start, moves=[parse_san(start, "Kg8")])
    text = format_game(game)
    assert '[FEN "7k/8/8/8/8/8/R7/K7 b - - 3 40"]\n[SetUp "1"]\n' in text
    assert "Variant" not in text
    assert "\n40... Kg8 *\n" in text
    assert the_game(text).start == game.start


def test_chess960_is_named_where_castling_needs_it() -> None:
    start = parse_fen("nnrbkrbq/pppppppp/8/8/8/8/PPPPPPPP/NNRBKRBQ w FCfc - 0 1")
    game = Game(start=start)
    assert '[SetUp "1"]\n[Variant "Chess960"]\n' in format_game(game)
    assert the_game(format_game(game)) == game
    game.tags["Variant"] = "chess 960"
    assert '[SetUp "1"]\n[Variant "chess 960"]\n' in format_game(game)


@pytest.mark.parametrize(("number", "is_named"), [(692, True), (518, False)])
def test_a_start_of_chess960_is_named_also_where_king_and_rooks_are_at_home(
    number: int, is_named: bool
) -> None:
    text = format_game(Game(start=start_position(number)))
    assert ('[Variant "Chess960"]' in text) == is_named


def test_no_line_of_a_comment_begins_with_a_percent_sign() -> None:
    game = of_sans("e4")
    game.children[0].comments = ("100 %" * 60 + " % of it " * 30,)
    text = format_game(game)
    assert not any(line.startswith("%") for line in text.splitlines())
    assert "".join(the_game(text).children[0].text.split()) == "".join(
        game.children[0].text.split()
    )


@pytest.mark.parametrize(
    "game",
    [
        Game(result="2-0"),
        Game({"bad name": "x"}),
        Game(moves=of_sans("e4", "e5").moves[1:]),
        Game(start=parse_fen("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"), moves=[NULL]),
    ],
)
def test_what_could_not_be_read_back_is_not_written(game: Game) -> None:
    with pytest.raises(ValueError, match=r"not a PGN result|not a tag name|not legal|cannot pass"):
        format_game(game)


def test_a_nag_beyond_the_standard_is_not_written() -> None:
    game = of_sans("e4")
    game.children[0].nags = (256,)
    with pytest.raises(ValueError, match="256 is not a NAG"):
        format_game(game)


FOREIGN = """\
\ufeff% exported by a program
[Event "A \\"B\\" \\\\ C"]
[Result "1-0"]

{ First } 1.e4! $10 e5 ; to the end of the line (not a } variation
2. Nf3 (2. f4 exf4 (2... d5) {aside}) 2...Nc6 { over
two lines } 3 Bc4 Nf6?! 4. 0-0 Nxe4 1-0 {White won}

[Event "second"]

1. d4 d5 1/2-1/2
[Event "third"]
1. c4"""


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_what_others_write(line_end: str) -> None:
    first, second, third = read_games(FOREIGN.replace("\n", line_end))
    assert first.tags == {"Event": 'A "B" \\ C', "Result": "1-0"}
    assert [move.uci() for move in first.moves] == (
        ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6", "e1g1", "f6e4"]
    )
    assert movetext(first) == (
        "{First} 1. e4 $1 $10 e5 {to the end of the line (not a ) variation} "
        "2. Nf3 (2. f4 exf4 (2... d5) {aside}) 2... Nc6 {over two lines} 3. Bc4 Nf6 $6 "
        "4. O-O Nxe4 1-0 {White won}"
    )
    assert first.closing == ("White won",)
    assert first.result == "1-0"
    assert (len(second.moves), second.result) == (2, "1/2-1/2")
    assert (len(third.moves), third.result) == (1, "*")
    assert [first.faults, second.faults, third.faults] == [(), (), ()]


def test_games_come_one_by_one_from_lines() -> None:
    def lines() -> list[str]:
        return format_game(of_sans("e4", "e5")).splitlines(keepends=True)

    assert len(list(read_games(lines() * 5))) == 5
    assert list(read_games("")) == []
    assert list(read_games("\n \n")) == []


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("{a} 1. e4 {b} {c} *", "{a} 1. e4 {b} {c} *"),
        (
            "1. e4 {b} (1. d4 {c}) {d} (1. c4) {e} e5 *",
            "1. e4 {b} (1. d4 {c}) {d} (1. c4) {e} 1... e5 *",
        ),
        (
            "1. e4 ({why not} 1. d4 d5 (1... f5 2. c4 (2. g4))) *",
            "1. e4 ({why not} 1. d4 d5 (1... f5 2. c4 (2. g4))) *",
        ),
        ("1. e4 e5 (1... c5) 1-0 {end} ; more", "1. e4 e5 (1... c5) 1-0 {end} {more}"),
        ("1. e4 ({only words}) e5 *", "1. e4 {only words} 1... e5 *"),
        ("$2 1. e4 (?? 1. d4) *", "1. e4 $2 (1. d4 $4) *"),
        ("1. e4 ± e5 +- 2. d4 $13 *", "1. e4 $16 e5 $18 2. d4 $13 *"),
        ("1. f3 e5 2. g4 Qh4 mate 0-1", "1. f3 e5 2. g4 Qh4# 0-1"),
        ("1. e4 d5 2. e5 f5 3. exf6 e.p. *", "1. e4 d5 2. e5 f5 3. exf6 *"),
        ("1.e4 1...e5 2.Nf3 ... Nc6", "1. e4 e5 2. Nf3 Nc6 *"),
        ("1. e4 (1. -- e5 2. Z0) *", "1. e4 (1. -- e5 2. --) *"),
        ("1. e4 (1. d4 d5 1-0) 0-1", "1. e4 (1. d4 d5 {1-0}) 0-1"),
        ("1. e4 ( ½ - ½ )", "1. e4 1/2-1/2"),
        ("1. e4 1 - 0", "1. e4 1-0"),
        ("1. e4 { [%clk 0:05:00] } {} e5", "1. e4 {[%clk 0:05:00]} 1... e5 *"),
        ("1. e4 {a\n% b\n[c]\n\nd} *", "1. e4 {a % b [c] d} *"),
        ("1. e4\n% not a word of it\ne5 *", "1. e4 e5 *"),
    ],
)
def test_everything_stays_in_its_place(text: str, written: str) -> None:
    game = the_game(text)
    assert [fault.text for fault in game.faults] == []
    assert movetext(game) == written
    assert the_game(format_game(game)) == game


def test_games_without_tags_and_results_are_told_apart_by_their_numbers() -> None:
    games = list(read_games("1. e4 e5\n\n1. d4 d5\n2. c4\n\n1... *\n\n 1.c4"))
    assert [len(game.moves) for game in games] == [2, 3, 1]


class Words:
    """A builder that records its calls."""

    def __init__(self, *, varied: bool) -> None:
        self.told: list[str] = []
        self._varied = varied

    def move(self, move: Move) -> None:
        self.told.append(move.uci())

    def nag(self, number: int) -> None:
        self.told.append(f"${number}")

    def comment(self, text: str) -> None:
        self.told.append(text)

    def unread(self, word: str) -> None:
        self.told.append(f"unread {word}")

    def open(self) -> bool:
        self.told.append("(")
        return self._varied

    def close(self) -> None:
        self.told.append(")")

    def end(self) -> None:
        self.told.append("end")

    def letters(self, language: str) -> None:
        self.told.append(language)

    def game(
        self, tags: dict[str, str], start: Position, result: str, faults: tuple[Fault, ...]
    ) -> tuple[list[str], str]:
        return self.told, result


TOLD = "1. e4 $1 (1. d4 {a} (1. c4) d5 1-0) e5 ({b} 1... Ke4 2. d4) 0-1 {c}"


def test_a_custom_builder_receives_everything_in_order() -> None:
    ((told, result),) = build_games(lambda: Words(varied=True), TOLD)
    assert result == "0-1"
    assert told == [
        *("e2e4", "$1", "(", "d2d4", "a", "(", "c2c4", ")", "d7d5", "1-0", ")", "e7e5"),
        *("(", "b", "unread 1... Ke4", "unread d4", ")", "end", "c"),
    ]


def test_a_builder_may_refuse_variations() -> None:
    ((told, result),) = build_games(lambda: Words(varied=False), TOLD)
    assert result == "0-1"
    assert told == ["e2e4", "$1", "(", "e7e5", "(", "end", "c"]
