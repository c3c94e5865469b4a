"""The collection beside a board that plays into the same file: neither disturbs the other."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardfw.errors import BoardError
from boardfw.game.journal import Begun, Noted, Over, Plies
from boardfw.recording import START_FEN
from boardfw.shell.collection import summaries_update
from boardfw.shell.collection.collection import Collection
from boardfw.shell.collection.filters import Filters
from boardfw.shell.collection.game_summary import UNKNOWN_DATE
from boardfw.shell.store import database
from boardfw.shell.store.database import open_database
from boardfw.shell.store.game_store import Store, add_entry, new_game
from boardfw.shell.store.record_writer import RunRecord
from tests.shell.collection.games import NOON_MS, exported, renewed
from tests.sizes import sized

TAGS = {"White": "Anna", "Black": "Ben", "Date": UNKNOWN_DATE}
BEGUN = Noted(0, Begun(START_FEN, TAGS))
PLIES = [Noted(0, Plies(n, n, [uci], [n])) for n, uci in enumerate(["e2e4", "e7e5", "g1f3"])]
OVER = Noted(0, Over(9, "1-0", "resignation"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


@pytest.fixture
def board(path: Path) -> Iterator[Store]:
    """A board that plays, and holds the lock of who does."""
    books = RunRecord(path, lambda: NOON_MS)
    yield books._store
    books.close()


def moves(path: Path) -> list[str]:
    return [text.rpartition("\n\n")[0].rpartition("\n")[2] for text in exported(path)]


def test_the_log_of_a_record_that_is_played_is_not_looked_through(
    path: Path, board: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may hold a thousand pages, which would take every reader a second."""
    board.add([BEGUN, PLIES[0]])
    monkeypatch.setattr(database, "read_log", lambda _: pytest.fail("it was"))
    with closing(Collection.to_read(path)) as collection:
        list(collection.renew(collection.stale()))
        assert [row.plies for row in collection.rows(Filters())] == [1]


def test_a_game_is_read_while_it_is_played(path: Path, board: Store) -> None:
    board.add([BEGUN, PLIES[0]])
    with closing(Collection.to_read(path)) as collection:
        list(collection.renew(collection.stale()))
        assert [row.plies for row in collection.rows(Filters())] == [1]
        board.add([PLIES[1]])
        assert collection.stale() == [1]
        assert [row.plies for row in collection.rows(Filters())] == [1]
    board.add([PLIES[2], OVER])
    assert moves(path) == ["1. e4 e5 2. Nf3 1-0"]
    assert renewed(path).stale() == []


def test_a_game_that_was_played_here_has_the_day_on_which_it_was_begun(
    path: Path, board: Store
) -> None:
    board.add([BEGUN, *PLIES])
    (row,) = renewed(path).rows(Filters())
    assert row.date == "2025-11-05"
    assert '[Date "2025.11.05"]' in exported(path)[0]


def test_nobody_knows_the_day_of_a_game_from_a_file_that_has_none(path: Path) -> None:
    with closing(open_database(path)) as connection:
        number = new_game(connection, imported_as=7)
        add_entry(connection, number, NOON_MS, BEGUN.entry)
    assert f'[Date "{UNKNOWN_DATE}"]' in exported(path)[0]


def test_what_a_ply_writes_touches_no_card(path: Path, board: Store) -> None:
    board.add([BEGUN])
    renewed(path).close()
    written: list[str] = []
    board._connection.set_trace_callback(written.append)
    board.add([PLIES[0]])
    assert [text for text in written if any(t in text for t in ("cards", "texts", "keys"))] == []


def test_a_game_that_cannot_be_read_is_named_and_the_others_are_there(path: Path) -> None:
    with closing(open_database(path)) as connection:
        add_entry(connection, new_game(connection), None, PLIES[1].entry)
        add_entry(connection, new_game(connection), None, BEGUN.entry)
    with closing(Collection.to_read(path)) as collection:
        broken, whole = collection.renew(collection.stale())
        assert whole is None
        assert broken is not None
        assert broken.startswith(f"{path}: game 1 cannot be read: the journal of a game does not")
        assert [row.number for row in collection.rows(Filters())] == [2]


# --- what the owner changes


@given(
    st.lists(
        st.dictionaries(
            st.sampled_from(["White", "Event", "Annotator", "Date"]), st.text(max_size=5)
        ),
        max_size=4,
    )
)
@settings(max_examples=sized(5, 20))
def test_the_last_thing_said_of_a_game_counts(
    tmp_path_factory: pytest.TempPathFactory, said: list[dict[str, str]]
) -> None:
    path = tmp_path_factory.mktemp("tagged") / "games.db"
    Store(path, lambda: None).add([BEGUN, *PLIES])
    wanted = dict(TAGS)
    with closing(Collection.to_write(path)) as collection:
        for tags in said:
            collection.tag(1, tags, None)
            wanted |= tags
        assert collection.game(1).tags == {name: tag for name, tag in wanted.items() if tag}
    assert len(moves(path)) == 1


def test_a_game_is_tagged_while_it_is_played(path: Path, board: Store) -> None:
    board.add([BEGUN, PLIES[0]])
    with closing(Collection.to_write(path)) as collection:
        collection.tag(1, {"White": "Zoë"}, None)
    board.add([PLIES[1]])
    (text,) = exported(path)
    assert '[White "Zoë"]' in text
    assert text.endswith("1. e4 e5 *\n\n")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Result", "the tag Result follows from the game"),
        ("FEN", "the tag FEN follows from the game"),
        ("Termination", "the tag Termination follows from the game"),
        ("TimeControl", "the tag TimeControl follows from the game"),
        ("White ", "'White ' is no tag name; use letters"),
        ("", "'' is no tag name"),
    ],
)
def test_what_cannot_be_a_tag_is_said_and_nothing_is_changed(
    path: Path, name: str, words: str
) -> None:
    Store(path, lambda: None).add([Noted(0, Begun(START_FEN, TAGS, "300+3")), OVER])
    with closing(Collection.to_write(path)) as collection:
        with pytest.raises(BoardError, match=words):
            collection.tag(1, {"White": "Zoë", name: "x"}, None)
        assert collection.game(1).tags == TAGS


def test_of_games_that_are_deleted_nothing_is_left_and_no_number_comes_again(path: Path) -> None:
    Store(path, lambda: None).add([BEGUN, *PLIES, OVER, Noted(1, BEGUN.entry)])
    renewed(path).close()
    with closing(Collection.to_write(path)) as collection:
        with pytest.raises(BoardError, match=r"there is no game 3; 2 games are kept there, from 1"):
            collection.delete([1, 3])
        assert collection.count(Filters()) == 2
        collection.delete([1, 2])
        for table in ("entries", "cards", "texts", "keys"):
            assert collection.connection.execute(f"SELECT * FROM {table}").fetchall() == []
        with pytest.raises(BoardError, match="there is no game 2; no games are kept there yet"):
            collection.game(2)
    Store(path, lambda: None).add([BEGUN])
    assert [row.number for row in renewed(path).rows(Filters())] == [3]


def test_the_game_that_is_played_is_not_deleted_others_are(path: Path, board: Store) -> None:
    board.add([BEGUN, *PLIES, OVER, Noted(1, BEGUN.entry), Noted(1, PLIES[0].entry)])
    with closing(Collection.to_write(path)) as collection:
        with pytest.raises(BoardError, match="game 2 is being played, or was just now"):
            collection.delete([1, 2])
        collection.delete([1])
    board.add([Noted(1, PLIES[1].entry)])
    assert moves(path) == ["1. e4 e5 *"]


def test_a_game_that_is_deleted_while_its_card_is_made_leaves_none(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Store(path, lambda: None).add([BEGUN, OVER, Noted(1, BEGUN.entry)])
    make = summaries_update._card

    def deleted_meanwhile(connection: sqlite3.Connection, number: int) -> object:
        card = make(connection, number)
        if number == 1:
            with closing(Collection.to_write(path)) as other:
                other.delete([1])
        return card

    monkeypatch.setattr(summaries_update, "_card", deleted_meanwhile)
    renewed(path).close()
    monkeypatch.undo()
    assert [row.number for row in renewed(path).rows(Filters())] == [2]


# --- who may only read


@pytest.mark.parametrize("is_played", [True, False])
def test_who_may_not_write_reads_all_the_same_and_changes_nothing(
    path: Path, is_played: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = Store(path, lambda: None)
    board.add([BEGUN, *PLIES])
    if not is_played:
        board.close()
    before = contents(path.parent)
    may: Callable[..., bool] = os.access
    monkeypatch.setattr(os, "access", lambda name, mode: mode != os.W_OK and may(name, mode))
    assert moves(path) == ["1. e4 e5 2. Nf3 *"]
    assert contents(path.parent) == before


def contents(directory: Path) -> dict[str, bytes]:
    """All files but the memory that programs share."""
    return {
        file.name: file.read_bytes()
        for file in directory.iterdir()
        if not file.name.endswith("-shm")
    }


def test_where_nothing_is_kept_yet_nothing_is_made(path: Path) -> None:
    for opening in (Collection.to_read, Collection.to_write):
        with pytest.raises(BoardError, match="no games are kept there yet; play one"):
            opening(path)
    assert list(path.parent.iterdir()) == []
