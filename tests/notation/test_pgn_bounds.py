"""Files as they come: of any encoding, any size, any depth, and with nonsense in them."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from itertools import chain, repeat
from pathlib import Path
from textwrap import fill

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardfw.errors import NotationError
from boardfw.notation.pgn import (
    Game,
    Spot,
    encoding_of,
    file_lines,
    format_game,
    game_reader,
    read_file,
    read_games,
    reader,
    scan_file,
    scan_games,
    tokens,
)
from boardfw.notation.pgn.game_reader import MOST_MOVES
from boardfw.notation.san import parse_san
from boardfw.rules import Position
from tests.growth import MOST_GROWTH, growth
from tests.sizes import sized

DEPTH = sized(2_000, 10_000)
"""More than Python lets functions call each other."""


def deep_game(depth: int) -> Game:
    """At each ply a move, and a variation that goes on with a variation."""
    game, position = Game(), Position.start()
    spot: Spot = game
    for ply in range(depth):
        spot.add(parse_san(position, ("a3", "a6")[ply % 2]))
        spot = spot.add(parse_san(position, ("Nf3", "Nf6", "Ng1", "Ng8")[ply % 4]))
        position = position.play(spot.move)
    return game


@pytest.mark.both
def test_variations_may_lie_in_each_other_as_deep_as_they_like() -> None:
    game = deep_game(DEPTH)
    written = format_game(game)
    assert written.count("(") == written.count(")") == DEPTH
    (again,) = read_games(written)
    assert again.faults == ()
    assert again == game
    assert format_game(again) == written
    assert sum(1 for _ in again.walk()) == 2 * DEPTH
    del game, again  # nor does freeing them recurse


def test_a_variation_of_a_variation_s_first_move_is_beside_it() -> None:
    (game,) = read_games("1. e4 (1. d4 (1. c4 c5) {so} 1... d5) *")
    assert [node.move.uci() for node in game.children] == ["e2e4", "d2d4", "c2c4"]
    assert "1. e4 (1. d4 d5) (1. c4 c5) {so} *" in format_game(game)


HOSTILE = ["{", "(", ")", "[", "]", "}", "*", "$", "!", ";", "%", "1", ".", "e4 ", "e4(", "-", "\\"]
HOSTILE += [
    '"',
    "1. ",
    " ",
    "\n",
    "{}",
    "()",
    "({a})",
    "e4 {a} ",
    '[A "',
    '["',
    "1 - ",
    "( 1",
    "$1 ",
]
HOSTILE += [
    '[Event "',
    '[A "B"]\n',
    "\n\n1. e4",
    "\\\n",
    "[%",
    "1-0 ",
    "(e4) ",
    "e4 (d4) ",
    "… ",
    "0 ",
]


def read_all(text: str) -> None:
    for read in (read_games, scan_games):
        for game in read(text):
            assert len(game.faults) <= 100


@pytest.mark.slow
@pytest.mark.parametrize("piece", HOSTILE)
def test_time_grows_with_the_length_of_a_text_of_one_thing(piece: str) -> None:
    assert growth(read_all, lambda size: "1. e4 " + piece * (size // len(piece))) < MOST_GROWTH


FILLINGS = ["a", "aé", "é", "a ", "1", "\r", "\0", "[", "{a\n"]


@pytest.mark.both
@pytest.mark.parametrize("piece", FILLINGS[:: sized(4, 1)])
def test_time_grows_with_the_length_of_a_file_of_one_thing(tmp_path: Path, piece: str) -> None:
    """The encoding is recognised before games are read."""
    path = tmp_path / "x.pgn"

    def of_size(size: int) -> Path:
        path.write_bytes(b"1. e4 " + piece.encode("latin-1") * (size // len(piece)))
        return path

    assert growth(lambda path: [*read_file(path)], of_size) < MOST_GROWTH


def test_a_collection_is_read_in_constant_memory() -> None:
    game = (
        '[Event "?"]\n',
        '[White "A"]\n',
        "\n",
        "1. e4 {a comment\n",
        "over lines} e5 (1... c5 2. Nf3 d6) 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 1-0\n",
        "\n",
    )
    number = 0

    def lines(games: int) -> Iterator[str]:
        return chain.from_iterable(repeat(game, games))

    def peak_of(games: int) -> int:
        nonlocal number
        tracemalloc.reset_peak()
        number = sum(1 for _ in read_games(lines(games)))
        return tracemalloc.get_traced_memory()[1]

    tracemalloc.start()
    try:
        few = peak_of(50)
        many = peak_of(200)
    finally:
        tracemalloc.stop()
    assert number == 200
    assert many < few + 50_000


def test_the_first_game_needs_no_second() -> None:
    """Games come as soon as they are over: a reader may stop, a writer may still be writing."""

    def lines() -> Iterator[str]:
        yield "1. e4 e5 1-0\n"
        yield '[Event "next"]\n'
        raise AssertionError("read too far")

    assert next(read_games(lines())).result == "1-0"


MOVES = '[White "{}"]\n\n1. e4 {{{}}} *\n'


@pytest.mark.parametrize(
    ("encoded", "name"),
    [
        (MOVES.format("Réti", "½ ok").encode("utf-8"), "Réti"),
        (MOVES.format("Réti", "½ ok").encode("utf-8-sig"), "Réti"),
        (MOVES.format("Réti", "½ ok").encode("latin-1"), "Réti"),
        (MOVES.format("“Réti”", "½ ok").encode("cp1252"), "“Réti”"),
        (MOVES.format("Réti", "½ ok").encode("utf-16"), "Réti"),
        (MOVES.format("Réti", "½ ok").replace("\n", "\r\n").encode("latin-1"), "Réti"),
        (MOVES.format("Réti", "½ ok").replace("\n", "\r").encode("latin-1"), "Réti"),
    ],
)
def test_files_of_any_encoding_and_line_end(tmp_path: Path, encoded: bytes, name: str) -> None:
    path = tmp_path / "x.pgn"
    path.write_bytes(encoded)
    for games in (read_file(path), scan_file(path)):
        (game,) = games
        assert game.tags == {"White": name}
        assert len(game.moves) == 1
        assert game.faults == ()
    (tree,) = read_file(path)
    assert tree.children[0].text == "½ ok"


def test_one_file_may_hold_both_encodings(tmp_path: Path) -> None:
    path = tmp_path / "x.pgn"
    old, new = MOVES.format("Réti", "1"), MOVES.format("Réti", "2")
    path.write_bytes(old.encode("latin-1") + new.encode("utf-8-sig"))
    assert [game.tags["White"] for game in read_file(path)] == ["Réti", "Réti"]


@pytest.mark.parametrize(
    ("encoding", "names"),
    [
        ("cp1251", "Алёхин Каспаров Ботвинник"),
        ("cp1251", "Ботвинник Михаил"),  # each letter is one of Western Europe as well
        ("koi8_r", "Алехин КАСПАРОВ Ботвинник"),
        ("cp866", "Алехин Каспаров Спасский"),
        ("cp1250", "Dvořák Świercz Łukasz Šimek"),
        ("iso8859_2", "Dvořák Świercz Łukasz Šimek"),
        ("cp1252", "Réti Grünfeld MÜLLER “Süß”"),
    ],
)
def test_the_words_of_a_file_tell_its_encoding(tmp_path: Path, encoding: str, names: str) -> None:
    path = tmp_path / "x.pgn"
    path.write_bytes("".join(MOVES.format(name, "1") for name in names.split()).encode(encoding))
    assert [game.tags["White"] for game in read_file(path)] == names.split()
    told = encoding_of(path)
    assert told is not None
    assert told.name == encoding
    assert told.doubtful is None


def test_a_doubtful_encoding_is_reported_and_can_be_given(tmp_path: Path) -> None:
    path = tmp_path / "x.pgn"
    path.write_bytes(MOVES.format("Dvořák", "1").encode("cp1250"))
    told = encoding_of(path)
    assert told is not None
    assert told.doubtful == ("cp1250", "Dvoøák", "Dvořák")
    assert any("Dvořák" in line for line in file_lines(path, encoding="cp1250"))
    with pytest.raises(NotationError, match="cannot be read as idna"):
        list(file_lines(path, encoding="idna"))


@pytest.mark.parametrize("encoding", ["ascii", "utf-8", "utf-8-sig", "utf-16"])
def test_of_a_file_in_unicode_there_is_nothing_to_say(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "x.pgn"
    path.write_bytes(MOVES.format("Reti" if encoding == "ascii" else "Réti", "1").encode(encoding))
    assert encoding_of(path) is None


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotationError, match=r"none\.pgn: cannot be read: No such file"):
        list(read_file(tmp_path / "none.pgn"))


@given(st.binary(max_size=300))
@settings(max_examples=sized(40, 200), deadline=None)
def test_any_bytes_are_read(tmp_path_factory: pytest.TempPathFactory, raw: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any.pgn"
    path.write_bytes(raw)
    assert all(line.isascii() or line.encode("utf-8") for line in file_lines(path))
    for game in read_file(path):
        (again,) = read_games(format_game(game))
        assert again == game


def test_a_broken_game_says_no_more_than_a_hundred_things() -> None:
    (game,) = read_games("1. e4 " + ") " * 1000)
    assert len(game.faults) == 100


def moves(count: int) -> str:
    """So many moves of both sides, which go to and fro."""
    return " ".join(["Nf3 Nf6", "Ng1 Ng8"][number % 2] for number in range(count))


@pytest.mark.slow
@pytest.mark.parametrize("width", [80, 1 << 30])
def test_a_game_longer_than_the_75_move_rule_allows_is_cut_and_the_next_one_read(
    tmp_path: Path, width: int
) -> None:
    path = tmp_path / "x.pgn"
    for count, is_cut in ((MOST_MOVES, False), (12_000, True)):
        lines = fill(moves(count), width)
        path.write_text(f'[White "A"]\n\n{lines} 1-0\n\n[White "B"]\n\n1. e4 {{good}} *\n')
        for read in (read_file, scan_file):
            first, second = read(path)
            assert [fault.breaks for fault in first.faults] == [True] * is_cut
            text = "the game has more than 8849 moves, which the 75-move rule makes impossible"
            assert not is_cut or first.faults[0].text.startswith(text)
            assert is_cut or len(first.moves) == 2 * count
            assert (second.tags, len(second.moves)) == ({"White": "B"}, 1)


@pytest.mark.both
def test_a_game_with_too_much_text_is_cut_and_the_next_one_read() -> None:
    variations = "(1... c5 2. d4)\n" * 80_000
    comment = "{" + "so so so so\n" * 120_000 + "}"
    text = '1. e4 e5 ~\n 2. d4 *\n\n[White "B"]\n\n1. e4 *\n'
    for filling in (comment, variations)[: sized(1, 2)]:
        first, second = read_games(text.replace("~", filling))
        assert [f.text.partition(";")[0] for f in first.faults if f.breaks][-1] == (
            "the game has more than 1 MiB of text"
        )
        assert (second.tags, len(second.moves)) == ({"White": "B"}, 1)


HUGE = ["Nf3 Nf6 Ng1 Ng8 ", "{a\n", "(1. e4 ", "a", "{", "x\n", "Ke4 ", '[A "b"]\n']


@pytest.mark.slow
@pytest.mark.parametrize("piece", HUGE)
def test_the_memory_for_a_huge_file_of_one_game_is_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, piece: str
) -> None:
    """The bounds are lowered, so that the files are small."""
    for module in (tokens, game_reader):
        monkeypatch.setattr(module, "LONGEST_GAME", 4_000)
    monkeypatch.setattr(reader, "_LONGEST_LINE", 1_000)
    path = tmp_path / "x.pgn"

    def peak_of(size: int) -> int:
        path.write_text("1. e4 " + piece * (size // len(piece)))
        tracemalloc.reset_peak()
        for _ in read_file(path):
            pass
        return tracemalloc.get_traced_memory()[1]

    peak_of(10_000)
    tracemalloc.start()
    try:
        small, large = peak_of(20_000), peak_of(60_000)
    finally:
        tracemalloc.stop()
    assert large < small + 300_000  # the text that is written takes a part of it


def test_the_fault_that_breaks_a_game_is_among_the_first_hundred() -> None:
    (game,) = read_games("1. e4 " + "@ " * 200 + "Ke4 *")
    assert len(game.faults) == 100
    assert game.faults[-1].breaks
