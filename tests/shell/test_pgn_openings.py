"""The games that the board writes say how their openings are called."""

from __future__ import annotations

import io

import chess.pgn

from boardfw.game.record import Record
from boardfw.game.recorder import Recorder
from boardfw.notation.pgn import read_games
from boardfw.notation.san import parse_san
from boardfw.rules import Outcome, Position
from boardfw.shell.config import Settings
from boardfw.shell.dates import undated
from boardfw.shell.pgn_file import Pgn


def record(moves: str, start: Position | None = None) -> Record:
    kept = Record(start or Position.start(), 0)
    position, played = kept.start, []
    for word in moves.split():
        played.append(parse_san(position, word))
        position = position.play(played[-1])
    Recorder(kept).change(1, tuple(played))
    return kept


def pgn(*games: Record) -> str:
    return Pgn(Settings(), undated).text(games)


def test_the_tags_are_read_back_by_us_and_by_the_oracle() -> None:
    text = pgn(record("d4 Nf6 c4 g6 Nc3 d5"))
    (ours,) = read_games(text.splitlines())
    theirs = chess.pgn.read_game(io.StringIO(text))
    assert theirs is not None
    for tags in (ours.tags, theirs.headers):
        assert (tags["ECO"], tags["Opening"]) == ("D80", "Grünfeld Defence")
        assert [*tags][7:] == ["ECO", "Opening"], "after the roster, in order"


def test_a_game_without_a_name_has_no_tags_of_an_opening() -> None:
    assert "[ECO" not in pgn(record(""))
    assert "[Opening" not in pgn(record(""))


def test_the_name_follows_what_is_taken_back() -> None:
    kept = record("e4 c5")
    assert "Sicilian Defence" in pgn(kept)
    Recorder(kept).change(2, kept.moves[:1])
    assert '[Opening "King\'s Pawn Opening"]' in pgn(kept)
    Recorder(kept).change(3, ())
    assert "[Opening" not in pgn(kept)


def test_a_game_from_another_start_is_named_where_it_comes_to_a_named_position() -> None:
    start = record("d4 d5").positions()[-1]
    text = pgn(record("c4", start))
    assert [line.split()[0] for line in text.splitlines()[7:11]] == [
        "[ECO",
        "[FEN",
        "[Opening",
        "[SetUp",
    ]
    assert '[Opening "Queen\'s Gambit"]' in text


def test_each_game_of_a_session_has_its_own_name() -> None:
    first = record("e4 e6")
    first.outcome = Outcome("1-0", "resignation")
    text = pgn(first, record("c4"))
    names = [game.tags["Opening"] for game in read_games(text.splitlines())]
    assert names == ["French Defence", "English Opening"]


def test_a_game_that_goes_on_after_all_is_written_once() -> None:
    first, second = record("e4 e5"), record("d4")
    words = Pgn(Settings(), undated)
    assert words.text([first, second]).count("[Event") == 2
    Recorder(first).change(3, first.moves[:1])
    assert words.text([first]) == pgn(first)
