"""A damaged record: nothing of it is thrown away, and what can be read of it goes on."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from boardfw.errors import BoardError
from boardfw.game.journal import Begun, Entry, Noted, Over, Plies
from boardfw.notation.fen import format_fen
from boardfw.rules import Position
from boardfw.shell.store import rescue
from boardfw.shell.store.database import open_database
from boardfw.shell.store.game_store import Store, entries_of, read_game
from boardfw.shell.store.record_lock import Mark
from boardfw.shell.store.record_writer import RunRecord
from boardfw.shell.store.rescue import mend
from tests.sizes import sized

GAMES, PLIES, PAGE = 14, 60, 4096
MOVES = ("g1f3", "g8f6", "f3g1", "f6g8")


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A record of many games."""
    path = tmp_path_factory.mktemp("sound") / "games.db"
    with closing(Store(path, lambda: None)) as store:
        start = format_fen(Position.start())
        for game in range(GAMES):
            plies: list[Entry] = [Plies(n, n, [MOVES[n % 4]], [n]) for n in range(PLIES)]
            over = [Over(PLIES, "1-0", "resignation")] * (game < GAMES - 1)
            entries: tuple[Entry, ...] = (Begun(start, {"White": f"player {game}"}), *plies, *over)
            store.add(Noted(game, entry) for entry in entries)
    return path.read_bytes()


def played(path: Path) -> dict[int, list[str]]:
    """By their numbers the moves of all games that have any entries."""
    with closing(open_database(path)) as connection:
        numbers = [n for (n,) in connection.execute("SELECT id FROM games")]
        games = {n: read_game(connection, path, n) for n in numbers if entries_of(connection, n)}
    return {n: [move.uci() for move in game.record.moves] for n, game in games.items()}


def damaged(tmp_path: Path, content: bytes) -> Path:
    path = tmp_path / "games.db"
    for old in tmp_path.iterdir():
        old.unlink()
    path.write_bytes(content)
    return path


@pytest.mark.slow
@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    place=st.integers(0, 10**6),
    first=st.integers(0, PAGE - 1),
    junk=st.sampled_from([b"\xff", b"\x00", b"junk"]),
)
def test_whatever_page_is_damaged_the_others_are_saved_and_all_is_put_aside(
    sound: bytes, tmp_path: Path, place: int, first: int, junk: bytes
) -> None:
    page = 1 + place % (len(sound) // PAGE - 1)
    hole = (junk * PAGE)[: PAGE - first]
    content = sound[: page * PAGE + first] + hole + sound[(page + 1) * PAGE :]
    path = damaged(tmp_path, content)
    rescued = mend(path)
    if rescued is None:  # what fell on unused bytes, or inside a text, is no damage to SQLite
        assert path.read_bytes() == content
        return
    assert rescued.aside is not None
    assert rescued.aside.read_bytes() == content
    games = played(path)
    assert sorted(rescued.saved + rescued.cut) == sorted(games)
    assert sum(map(len, games.values())) >= GAMES * PLIES // 5  # even of the root of their tree
    for moves in games.values():
        assert moves == [MOVES[n % 4] for n in range(len(moves))]
    assert mend(path) is None
    assert not [p for p in tmp_path.iterdir() if p.name.endswith((".part", "-wal", "-shm"))]


def leaves(content: bytes) -> list[int]:
    """Pages that hold entries: a table without row numbers keeps them in leaves of an index."""
    return [n for n in range(1, len(content) // PAGE) if content[n * PAGE] == 10]


def test_one_page_costs_no_more_games_than_lie_on_it(sound: bytes, tmp_path: Path) -> None:
    middle = leaves(sound)[len(leaves(sound)) // 2] * PAGE
    path = damaged(tmp_path, sound[:middle] + b"\xff" * PAGE + sound[middle + PAGE :])
    rescued = mend(path)
    assert rescued is not None
    assert 1 <= len(rescued.cut) + len(rescued.lost) <= 3
    assert len(rescued.saved) >= GAMES - 3
    told = rescued.told(path)
    assert told.startswith(f"{path}: was damaged, and is now {tmp_path / 'games.damaged-1.db'}; ")
    assert f"{len(rescued.saved)} of its games were saved" in told


def test_without_the_root_of_their_tree_all_games_are_found_on_their_pages(
    sound: bytes, tmp_path: Path
) -> None:
    with closing(sqlite3.connect(damaged(tmp_path, sound))) as connection:
        query = "SELECT rootpage - 1 FROM sqlite_schema WHERE name = 'entries'"
        root = connection.execute(query).fetchone()[0] * PAGE
    path = damaged(tmp_path, sound[:root] + b"\xff" * PAGE + sound[root + PAGE :])
    rescued = mend(path)
    assert rescued is not None
    # The root held entries, too: what follows a missing one is no game any more.
    plies = [len(moves) for moves in played(path).values()]
    assert sum(plies) >= GAMES * PLIES // 5
    assert sorted(rescued.saved + rescued.cut + rescued.lost) == [*range(1, GAMES + 1)]


def test_a_game_that_was_deleted_does_not_come_back(sound: bytes, tmp_path: Path) -> None:
    path = damaged(tmp_path, sound)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DELETE FROM entries WHERE game = 5")
        connection.commit()
        query = "SELECT rootpage - 1 FROM sqlite_schema WHERE name = 'games'"
        root = connection.execute(query).fetchone()[0] * PAGE
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = path.read_bytes()
    path = damaged(tmp_path, content[:root] + b"\xff" * PAGE + content[root + PAGE :])
    assert mend(path) is not None
    assert sorted(played(path)) == [n for n in range(1, GAMES + 1) if n != 5]


def test_a_run_goes_on_with_what_is_left(sound: bytes, tmp_path: Path) -> None:
    middle = leaves(sound)[3] * PAGE
    path = damaged(tmp_path, sound[:middle] + b"\xff" * PAGE + sound[middle + PAGE :])
    books = RunRecord(path, lambda: None)
    assert books.rescued is not None
    unfinished = books.take_up()
    books.close()
    assert unfinished is not None
    assert len(unfinished.record.moves) == PLIES


@pytest.mark.parametrize(
    ("place", "bit"),
    [(place, bit) for place in (18, 19) for bit in range(2, 8)]
    + [(place, 0) for place in (0, 15, 16, 17, 20, 21, 22, 23, 47, 59)],
)
def test_a_flipped_bit_of_the_header_costs_no_game_and_no_move(
    sound: bytes, tmp_path: Path, place: int, bit: int
) -> None:
    content = bytearray(sound)
    content[place] ^= 1 << bit
    path = damaged(tmp_path, bytes(content))
    rescued = mend(path)
    if rescued is not None:
        text = f"{path}: its header was damaged, and was put right; nothing was lost"
        assert rescued.told(path) == text
    assert not [*tmp_path.glob("*damaged-*")]
    assert {n: len(moves) for n, moves in played(path).items()} == dict.fromkeys(
        range(1, GAMES + 1), PLIES
    )
    with closing(Store(path, lambda: None)) as store:  # SQLite writes to it
        store.add([Noted(0, Begun(format_fen(Position.start()), {}))])
    assert mend(path) is None


def flipped_bit(content: bytes, chance: Random) -> int:
    """Return a bit of the file: of its first page, of the tables' layout, or of any place."""
    layout = list(places(content, b"CREATE TABLE"))
    kind = chance.randrange(5)
    if kind == 0:
        byte = chance.randrange(PAGE)
    elif kind == 1:
        byte = chance.choice(layout) + chance.randrange(200)
    else:
        byte = chance.randrange(len(content))
    return byte * 8 + chance.randrange(8)


def places(content: bytes, text: bytes) -> Iterator[int]:
    at = content.find(text)
    while at >= 0:
        yield at
        at = content.find(text, at + 1)


@pytest.mark.slow
def test_no_flipped_bit_loses_a_game_in_silence_or_ends_the_record(
    sound: bytes, tmp_path: Path
) -> None:
    chance = Random(18)
    before = played(damaged(tmp_path, sound))
    mark = Mark(GAMES, PLIES + 1)
    for _ in range(sized(50, 100, 1000)):
        bit = flipped_bit(sound, chance)
        content = bytearray(sound)
        content[bit // 8] ^= 1 << bit % 8
        path = damaged(tmp_path, bytes(content))
        rescued = mend(path, mark, thoroughly=True)
        after = played(path)
        for game, moves in before.items():
            left = after.get(game, [])
            assert moves[: len(left)] == left, bit
            if left != moves:
                assert rescued is not None, bit
                assert game in rescued.cut + rescued.lost, bit
        with closing(Store(path, lambda: None)) as store:
            store.add([Noted(0, Begun(format_fen(Position.start()), {}))])
        assert mend(path, thoroughly=True) is None, bit


def test_what_stood_in_the_log_alone_is_saved_and_put_aside(sound: bytes, tmp_path: Path) -> None:
    middle = leaves(sound)[3] * PAGE
    path = damaged(tmp_path, sound)
    with closing(sqlite3.connect(path, isolation_level=None)) as playing:
        playing.execute("PRAGMA wal_autocheckpoint = 0")
        playing.execute("UPDATE games SET imported_as = 7 WHERE id = 14")
        log = path.with_name("games.db-wal").read_bytes()
    path.write_bytes(sound[:middle] + b"\xff" * PAGE + sound[middle + PAGE :])
    path.with_name("games.db-wal").write_bytes(log)
    assert mend(path) is not None
    with closing(open_database(path)) as connection:
        assert connection.execute("SELECT imported_as FROM games WHERE id = 14").fetchone() == (7,)


def test_a_sound_record_and_files_of_others_are_left_alone(sound: bytes, tmp_path: Path) -> None:
    assert mend(tmp_path / "none.db") is None
    for content in (sound, b"", b"hello\n" * 1000):
        assert mend(path := damaged(tmp_path, content)) is None
        assert path.read_bytes() == content
        assert [p.name for p in tmp_path.iterdir()] == ["games.db"]


def test_a_young_record_of_a_killed_board_is_not_called_damaged(tmp_path: Path) -> None:
    killed = tmp_path / "killed"
    killed.mkdir()
    with closing(open_database(tmp_path / "games.db")):
        for file in tmp_path.glob("games.db*"):
            shutil.copy(file, killed)
    assert mend(killed / "games.db") is None


def test_a_rescue_that_the_disk_refuses_changes_nothing(
    sound: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    middle = leaves(sound)[3] * PAGE
    content = sound[:middle] + b"\xff" * PAGE + sound[middle + PAGE :]
    path = damaged(tmp_path, content)

    def full(self: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(BoardError, match="is damaged and cannot be saved: the disk is full"):
        mend(path)
    assert path.read_bytes() == content


@pytest.mark.parametrize("where", ["the copy", "the new file"])
def test_a_disk_that_is_full_is_not_filled_further_by_each_new_try(
    sound: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    middle = leaves(sound)[3] * PAGE
    content = sound[:middle] + b"\xff" * PAGE + sound[middle + PAGE :]
    path = damaged(tmp_path, content)

    def half(source: Path, target: Path) -> None:
        target.write_bytes(source.read_bytes()[:PAGE])
        raise OSError(28, "No space left on device")

    def small(part: Path) -> sqlite3.Connection:
        connection = open_database(part)
        connection.execute("PRAGMA max_page_count = 6")
        return connection

    if where == "the copy":
        monkeypatch.setattr(shutil, "copy2", half)
    else:
        monkeypatch.setattr(rescue, "open_database", small)
    for _ in range(2):
        with pytest.raises(BoardError):
            mend(path)
        assert [there.name for there in tmp_path.iterdir()] == ["games.db"]
        assert path.read_bytes() == content


def test_a_damaged_record_of_a_newer_program_is_left_to_that(sound: bytes, tmp_path: Path) -> None:
    path = damaged(tmp_path, sound)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")
        connection.execute("INSERT INTO versions VALUES (99)")
        connection.commit()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content, middle = path.read_bytes(), leaves(sound)[3] * PAGE
    content = content[:middle] + b"\xff" * PAGE + content[middle + PAGE :]
    path = damaged(tmp_path, content)
    with pytest.raises(BoardError, match="a newer boardfw has written it"):
        RunRecord(path, lambda: None)
    assert path.read_bytes() == content
    assert not [*tmp_path.glob("*damaged-*")]
