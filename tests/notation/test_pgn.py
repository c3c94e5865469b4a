"""PGN: what we write is read by others and by us; what cannot be read is named by its line."""

from __future__ import annotations

import io
import random

import chess.pgn
import pytest

from boardfw.errors import NotationError
from boardfw.notation.fen import parse_fen
from boardfw.notation.pgn import Game, format_game, read_games
from boardfw.notation.san import parse_san
from boardfw.rules import Position


def random_game(seed: int) -> Game:
    """A game with everything in it that a game can have."""
    chance = random.Random(seed)
    game = Game(tags={"White": "Anna", "ECO": "C20"}, result=chance.choice(["1-0", "*", "1/2-1/2"]))
    game.comments[0] = ["before the first"]
    position = game.start
    for ply in range(1, 81):
        moves = position.legal_moves()
        if not moves:
            break
        move, other = chance.choice(moves), chance.choice(moves)
        if chance.random() < 0.2 and other != move:
            game.variations[ply] = [[other, *position.play(other).legal_moves()[:1]]]
        if chance.random() < 0.2:
            game.comments[ply] = ["a long remark about this move " * chance.randrange(1, 5), "two"]
        game.moves.append(move)
        position = position.play(move)
    return game


def of_sans(*sans: str) -> Game:
    game, position = Game(), Position.start()
    for san in sans:
        game.moves.append(parse_san(position, san))
        position = position.play(game.moves[-1])
    return game


def the_game(text: str) -> Game:
    (game,) = read_games(text)
    return game


@pytest.mark.parametrize("seed", range(8))
def test_python_chess_reads_what_we_write(seed: int) -> None:
    game = random_game(seed)
    text = format_game(game)
    theirs = chess.pgn.read_game(io.StringIO(text))
    assert theirs is not None
    assert theirs.errors == []
    assert [move.uci() for move in theirs.mainline_moves()] == [move.uci() for move in game.moves]
    assert theirs.headers["Result"] == game.result
    node: chess.pgn.GameNode = theirs
    for ply in range(1, len(game.moves) + 1):
        lines = [[move.uci() for move in line] for line in game.variations.get(ply, [])]
        found = [
            [x.move.uci() for x in (child, *child.mainline())] for child in node.variations[1:]
        ]
        assert found == lines
        node = node.variations[0]


@pytest.mark.parametrize("seed", range(8))
def test_we_read_what_we_write(seed: int) -> None:
    game = random_game(seed)
    game.variations = {}
    text = format_game(game)
    again = the_game(text)
    assert again.moves == game.moves
    assert again.result == game.result
    assert again.tags["White"] == "Anna"
    assert again.comments.keys() == game.comments.keys()
    assert format_game(again) == text


def test_the_form() -> None:
    game = of_sans("e4", "e5", "Nf3")
    game.tags = {"Annotator": 'An "O"', "White": "A\\B", "Result": "0-1"}
    game.comments = {1: ["best by {test}"]}
    assert format_game(game) == (
        '[Event "?"]\n[Site "?"]\n[Date "????.??.??"]\n[Round "?"]\n[White "A\\\\B"]\n[Black "?"]\n'
        '[Result "*"]\n[Annotator "An \\"O\\""]\n\n'
        "1. e4 {best by (test)} 1... e5 2. Nf3 *\n\n"
    )


def test_another_start_is_written_down() -> None:
    game = Game(start=parse_fen("7k/8/8/8/8/8/R7/K7 b - - 3 40"))
    game.moves.append(parse_san(game.start, "Kg8"))
    text = format_game(game)
    assert '[FEN "7k/8/8/8/8/8/R7/K7 b - - 3 40"]\n[SetUp "1"]\n' in text
    assert "\n40... Kg8 *\n" in text
    assert the_game(text).start == game.start


def test_lines_stay_below_eighty_columns() -> None:
    text = format_game(random_game(1))
    assert max(map(len, text.splitlines())) < 80


def test_no_line_of_a_comment_begins_with_a_percent_sign() -> None:
    game = of_sans("e4")
    game.comments[1] = ["100 %" * 60 + " % of it " * 30]
    text = format_game(game)
    assert not any(line.startswith("%") for line in text.splitlines())
    assert "".join(the_game(text).comments[1][0].split()) == "".join(game.comments[1][0].split())


def test_a_line_taken_back_at_the_end_is_kept_as_a_comment() -> None:
    game = of_sans("e4", "e5")
    game.variations[3] = [of_sans("e4", "e5", "Nf3", "Nc6").moves[2:]]
    assert "1. e4 e5 {2. Nf3 Nc6} *" in format_game(game)


@pytest.mark.parametrize(
    "game",
    [
        Game(result="2-0"),
        Game(tags={"bad name": "x"}),
        Game(moves=of_sans("e4", "e5").moves[1:]),
        Game(variations={5: [[]]}),
    ],
)
def test_what_could_not_be_read_back_is_not_written(game: Game) -> None:
    with pytest.raises(ValueError, match=r"no result|no tag name|not legal|must stand"):
        format_game(game)


FOREIGN = """\
\ufeff% exported by a program
[Event "A \\"B\\" \\\\ C"]
[Result "1-0"]

{ First } 1.e4! $1 e5 ; to the end of the line (not a variation
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
    assert first.comments == {
        0: ["First"],
        2: ["to the end of the line (not a variation"],
        4: ["over two lines"],
        8: ["White won"],
    }
    assert first.result == "1-0"
    assert (len(second.moves), second.result) == (2, "1/2-1/2")
    assert (len(third.moves), third.result) == (1, "*")


def test_games_come_one_by_one_from_lines() -> None:
    def lines() -> list[str]:
        return format_game(of_sans("e4", "e5")).splitlines(keepends=True)

    assert len(list(read_games(lines() * 5))) == 5
    assert list(read_games("")) == []
    assert list(read_games("\n \n")) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1. e4\n1... Ke4 *", "club.pgn:2: move 1... Ke4: not legal"),
        ("1. e4 {never\nclosed", "club.pgn:1: this comment is never closed"),
        ("1. e4 (1. d4 *\n", "club.pgn:1: this variation is never closed"),
        ("1. e4 ) *\n", "club.pgn:1: this ) closes no variation"),
        ("[White Anna]\n", "club.pgn:1: '[White Anna]' is no tag"),
        ('\n[FEN "8/8 w"]\n', "club.pgn:2: FEN"),
        ("1. e4 e5 hello *", "club.pgn:1: move 2. 'hello'"),
        ("1. e4 }", "club.pgn:1: '}' has no place"),
    ],
)
def test_a_fault_is_named_with_file_and_line(text: str, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        list(read_games(text, "club.pgn"))
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)
