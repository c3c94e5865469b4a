"""Games are found: whatever is asked for, a plain look at every game answers the same."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from unicodedata import combining, normalize

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardfw.errors import BoardError
from boardfw.notation.fen import format_fen
from boardfw.notation.pgn import Game, read_games
from boardfw.notation.pgn.tags import OPENING_TAGS
from boardfw.notation.san import numbered_san
from boardfw.rules import Position
from boardfw.shell.collection.collection import Collection
from boardfw.shell.collection.filters import Filters
from tests.shell.collection.games import (
    DATES,
    NAMES,
    as_written,
    brought_in,
    games,
    renewed,
    written,
)

DAYS = ["2025", "2025-11", "2025-11-05", "2025..", "..2025-11", "2025-11..2026", "1999-12-31..1999"]


@cache
def several() -> list[Game]:
    """Any games, each once."""
    several: list[Game] = []

    @settings(max_examples=60, database=None, derandomize=True)
    @given(games())
    def draw(game: Game) -> None:
        if game not in several:
            several.append(game)

    draw()
    assert len(several) > 50
    return several


@pytest.fixture(scope="module", params=range(3))
def shelf(request: pytest.FixtureRequest) -> Iterator[tuple[Collection, list[Game]]]:
    """A collection, and what it was made of."""
    chosen = several()[request.param :: 3]
    with TemporaryDirectory() as folder:
        record = Path(folder) / "games.db"
        tally = brought_in(record, written(Path(folder) / "in.pgn", chosen))
        assert (tally.imported, tally.known) == (len(chosen), 0)
        collection = renewed(record)
        yield collection, chosen
        collection.close()


def found(shelf: tuple[Collection, list[Game]], **asked: str) -> list[Game]:
    collection, several = shelf
    filters = Filters.parse(**asked)
    rows = list(collection.rows(filters))
    assert collection.count(filters) == len(rows) == len(list(collection.texts(filters)))
    return [several[row.number - 1] for row in rows]


def first_and_last_day(date: str) -> tuple[str, str] | None:
    """The days that a date may mean, plainly."""
    known = re.match(r"\d{4}(\.\d\d)?(\.\d\d)?", date)
    if known is None:
        return None
    text = known[0].replace(".", "-")
    return text + "-01-01"[len(text) - 4 :], text + "-12-31"[len(text) - 4 :]


def plain(text: str) -> str:
    """Without accents, small."""
    return "".join(c for c in normalize("NFKD", text) if not combining(c)).casefold()


@given(name=st.sampled_from(NAMES) | st.sampled_from(["an", "ss", "ü", "n", "%", "_", "'"]))
def test_by_player(shelf: tuple[Collection, list[Game]], name: str) -> None:
    assert found(shelf, player=name) == [
        game
        for game in shelf[1]
        if any(plain(name) in plain(game.tags.get(side, "?")) for side in ("White", "Black"))
    ]


@given(result=st.sampled_from(["1-0", "0-1", "1/2-1/2", "½", "*"]))
def test_by_result(shelf: tuple[Collection, list[Game]], result: str) -> None:
    wanted = "1/2-1/2" if result == "½" else result
    assert found(shelf, result=result) == [game for game in shelf[1] if game.result == wanted]


@given(days=st.sampled_from(DAYS))
def test_by_date(shelf: tuple[Collection, list[Game]], days: str) -> None:
    low, dots, high = days.partition("..")
    first = (first_and_last_day((low if low or dots else days).replace("-", ".")) or ("0", "0"))[0]
    last = (first_and_last_day((high if dots else low).replace("-", ".")) or ("9", "9"))[1]
    if first > last:
        return
    assert found(shelf, date=days) == [
        game
        for game in shelf[1]
        if (known := first_and_last_day(game.tags.get("Date", "?")))
        and first <= known[0]
        and known[1] <= last
    ]


@given(text=st.sampled_from(["b90", "sicilian", "Philidor", "c", "A0", "reti", "RÉTI"]))
def test_by_how_the_opening_is_called(shelf: tuple[Collection, list[Game]], text: str) -> None:
    assert found(shelf, opening=text) == [
        game
        for game in shelf[1]
        if plain(text) in plain(" ".join(as_written(game).tags.get(n, "") for n in OPENING_TAGS))
    ]


@given(data=st.data())
def test_by_position(shelf: tuple[Collection, list[Game]], data: st.DataObject) -> None:
    game = data.draw(st.sampled_from(shelf[1]))
    position = data.draw(st.sampled_from(list(game.positions())))
    fen = format_fen(position)
    if data.draw(st.booleans()):
        fen = " ".join([*fen.split()[:4], "7", "42"])  # counters are no part of a position
    assert found(shelf, position=fen) == [
        game for game in shelf[1] if any(one.key == position.key for one in game.positions())
    ]


@pytest.mark.slow
@given(data=st.data())
def test_by_the_first_moves(shelf: tuple[Collection, list[Game]], data: st.DataObject) -> None:
    usual = [game for game in shelf[1] if game.start == Position.start() and game.moves]
    moves = data.draw(st.sampled_from(usual)).moves
    moves = moves[: data.draw(st.integers(1, len(moves)))]
    text = data.draw(
        st.sampled_from(
            [numbered_san(Position.start(), moves), " ".join(move.uci() for move in moves)]
        )
    )
    assert found(shelf, moves=text) == [game for game in usual if game.moves[: len(moves)] == moves]


def test_all_that_is_asked_for_holds(shelf: tuple[Collection, list[Game]]) -> None:
    both = found(shelf, player="an", result="1-0")
    assert both == [game for game in found(shelf, player="an") if game.result == "1-0"]


def test_rights_and_en_passant_tell_positions_apart(tmp_path: Path) -> None:
    (jumped,) = read_games("1. e4 a6 2. e5 d5 *")
    record = tmp_path / "games.db"
    brought_in(record, written(tmp_path / "in.pgn", [jumped]))
    collection = renewed(record)
    pieces = "rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w"
    for rights, count in (("KQkq d6", 1), ("KQkq -", 0), ("KQk d6", 0)):
        assert collection.count(Filters.parse(position=f"{pieces} {rights}")) == count


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"date": "05.11.2025"}, "--date: '05.11.2025' is no date; write 2026"),
        ({"date": "2025-13"}, "--date: '2025-13' is no date"),
        ({"date": ".."}, "--date: '..' is no date"),
        ({"date": "2026..2025"}, "--date: '2026..2025' ends before it begins"),
        ({"result": "2-0"}, "--result: '2-0' is no result; write one of 1-0"),
        ({"position": "8/8"}, "--position: FEN, pieces '8/8': 2 ranks"),
        ({"position": ""}, "--position: FEN"),
        ({"moves": "e4 e6 Ke3"}, "--moves: Ke3: not legal here"),
        ({"moves": "1."}, "--moves: '1.' has no moves"),
    ],
)
def test_what_cannot_be_asked_for_is_said(asked: dict[str, str], words: str) -> None:
    with pytest.raises(BoardError, match=re.escape(words)):
        Filters.parse(**asked)


def test_a_date_of_a_tag_that_is_none_is_unknown(tmp_path: Path) -> None:
    record = tmp_path / "games.db"
    brought_in(record, written(tmp_path / "in.pgn", [Game({"Date": date}) for date in DATES]))
    dates = [row.date for row in renewed(record).rows(Filters())]
    assert dates == ["2025-11-05", "2025-11", "2025", "2026-01-31", "", "1999-12-31", ""]
