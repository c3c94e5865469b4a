"""Bits that flip and pages that are destroyed: told, survived, and no other game is lost by them.

``make test-slow FULL=1 ARGS="-n 0 -s -k destroyed"`` prints the figures of docs/record.md.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from boardfw.errors import BoardError
from boardfw.game.journal import Begun, Noted, Over, Plies, Tagged
from boardfw.notation.fen import format_fen
from boardfw.rules import Position
from boardfw.shell.collection.collection import Collection
from boardfw.shell.collection.filters import Filters
from boardfw.shell.store.backup import back_up
from boardfw.shell.store.damaged_file import lost_commits, overlaid, read_log, rows
from boardfw.shell.store.database import open_database
from boardfw.shell.store.game_store import Store
from boardfw.shell.store.record_lock import own
from boardfw.shell.store.record_writer import RunRecord
from boardfw.shell.store.rescue import is_laid_out, mend

GAMES, PAGE = 12, 4096
FILES = ("games.db", "games.db-wal", "games.db.lock")
LOG = "games.db-wal"
WEIGHTS = {"games.db": 10, LOG: 10, "games.db.lock": 1}
FRAME = PAGE + 24
"""Bytes of the log that hold a page."""
Games = dict[int, str]


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A record as a power cut leaves it, and as a run leaves it that has ended.

    Of the first some games are on its pages, the newest in its log alone.
    """
    path = tmp_path_factory.mktemp("played") / "games.db"
    random, cut = Random(3), tmp_path_factory.mktemp("cut")
    for _ in range(2):  # the second time some of it is folded in, and looked for
        with own(path) as owned:
            store = Store(path, lambda: 1_790_000_000_000, leave_word=owned.leave_word)
            for game in range(GAMES // 2):
                for noted in _played(game, random):
                    store.add([noted])
            for name in FILES:
                shutil.copy(path.with_name(name), cut / name)
            store.close()
        read(path)
    return cut, path.parent


@pytest.fixture(scope="module")
def evening(records: tuple[Path, Path]) -> Path:
    """As a power cut leaves it."""
    return records[0]


@pytest.fixture(scope="module")
def closed(records: tuple[Path, Path]) -> Path:
    """As a run leaves it that has ended: everything is on its pages."""
    return records[1]


def _played(game: int, random: Random) -> Iterator[Noted]:
    position = Position.start()
    yield Noted(game, Begun(format_fen(position), {"White": f"player {game}", "Black": "Bob"}))
    for ply in range(random.randrange(8, 90)):
        moves = position.legal_moves()
        if not moves:
            break
        move = random.choice(moves)
        yield Noted(game, Plies(ply * 9_000_000, ply, [move.uci()], [ply * 9_000_000]))
        position = position.play(move)
    yield Noted(game, Tagged({"Round": str(game)}))
    if game % 3:
        yield Noted(game, Over(900_000_000, "1/2-1/2", "agreement"))


def read(path: Path) -> tuple[Games, list[str]]:
    """All games as PGN, by their numbers, and what is said of those that cannot be read."""
    games: Games = {}
    with closing(Collection.to_read(path)) as collection:
        troubles = [one for one in collection.renew(collection.stale(texts=True)) if one]
        troubles += [short] if (short := collection.lacking()) else []
        numbers = [row.number for row in collection.rows(Filters())]
        games = dict(zip(numbers, collection.texts(Filters()), strict=True))
        for number in numbers:
            try:
                collection.game(number)
            except BoardError as error:
                troubles.append(str(error))
    return games, troubles


class Tally(Counter[str]):
    """How often each thing was seen of damaged records."""

    def try_one(self, folder: Path, sound: Games, hit: set[int]) -> None:
        """Look at the games, let a board begin, and look again. ``hit``: games on the page."""
        path = folder / "games.db"
        looking = folder / "looking"
        shutil.copytree(folder, looking)
        try:
            games, troubles = read(looking / "games.db")
        except BoardError as error:
            games, troubles = dict(sound), [str(error)]
        self["tries"] += 1
        self["a look that told nothing of what it lost"] += games != sound and not troubles
        try:
            books = RunRecord(path, lambda: None)
        except BoardError as error:
            self[f"boards that did not start: {error}"] += 1
            return
        told = [] if books.rescued is None else [books.rescued.told(path)]
        books.take_up()
        books.close()
        games, troubles = read(path)
        self["told as the board begins"] += bool(told)
        self["told as games are looked for"] += bool(troubles)
        self["silent"] += games != sound and not (told or troubles)
        lost = {number for number in sound if games.get(number) != sound[number]}
        self["games lost or cut that were not hit"] += len(lost - hit)
        self["games lost or cut"] += len(lost)


def copied(evening: Path, folder: Path) -> Path:
    shutil.copytree(evening, folder)
    return folder


class Record:
    """A sound record, and what stands where in it."""

    def __init__(self, folder: Path, scratch: Path) -> None:
        self.folder = folder
        self.files = {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}
        self.sound, troubles = read(copied(folder, scratch) / "games.db")
        assert (len(self.sound), troubles) == (GAMES, [])
        with closing(sqlite3.connect(scratch / "games.db")) as connection:
            self.entries = connection.execute("SELECT game, entry FROM entries").fetchall()

    def names(self) -> list[str]:
        return [name for name in FILES if self.files.get(name)]

    def hit_by(self, name: str, at: int, size: int) -> set[int]:
        """Games of which an entry stands in these bytes, or on the page whose order they are."""
        page = at - at % PAGE
        there = (
            slice(max(0, at - FRAME), at + size + FRAME) if name == LOG else slice(page, at + PAGE)
        )
        near = self.files[name][there]
        return {game for game, entry in self.entries if entry in near} & self._no_longer(
            name, at, size
        )

    def _no_longer(self, name: str, at: int, size: int) -> set[int]:
        """Games of which less can be read off the pages when these bytes are others."""
        one, other = (
            Counter(rows(overlaid(files["games.db"], files.get(LOG, b""))))
            + Counter(rows(files["games.db"]))
            for files in (self.files, {**self.files, name: self._hit(name, at, size)})
        )
        return {row[0] for row in (one - other).elements() if isinstance(row[0], int)}

    def _hit(self, name: str, at: int, size: int) -> bytes:
        before = self.files[name]
        return before[:at] + b"\xa5" * size + before[at + size :]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "some", "all_of_them"),
    [
        pytest.param("flipped", 3, 3, id="some-flipped"),
        pytest.param("flipped", 20, 1_000, id="flipped", marks=pytest.mark.slow),
        pytest.param("destroyed", 4, 200, id="destroyed", marks=pytest.mark.slow),
    ],
)
def test_what_is_flipped_or_destroyed_is_told_and_costs_no_other_game(
    records: tuple[Path, Path],
    tmp_path: Path,
    kind: str,
    some: int,
    all_of_them: int,
    full: bool,
) -> None:
    both = [Record(folder, tmp_path / folder.name) for folder in records]
    random, tally = Random(f"{kind} {all_of_them}"), Tally()
    for number in range(all_of_them if full else some):
        record = both[number % 2]
        names = record.names()
        (name,) = random.choices(names, [WEIGHTS[one] for one in names])
        content = bytearray(record.files[name])
        at, size = random.randrange(len(content)), 1
        if kind == "flipped":
            content[at] ^= 1 << random.randrange(8)
        else:
            at -= at % PAGE
            size = min(PAGE, len(content) - at)
            content[at : at + size] = random.choice([bytes(size), random.randbytes(size)])
        folder = copied(record.folder, tmp_path / f"{kind}-{number}")
        (folder / name).write_bytes(content)
        tally.try_one(folder, record.sound, record.hit_by(name, at, size))
        shutil.rmtree(folder)
    print(kind, dict(tally))  # noqa: T201 - the figures of the document
    assert tally["a look that told nothing of what it lost"] == tally["silent"] == 0
    assert not [what for what in tally if what.startswith("boards that did not start")]
    assert tally["games lost or cut that were not hit"] == 0


@pytest.mark.parametrize("name", ["games.db", "games.db-wal"])
@pytest.mark.parametrize("what", ["gone", "empty"])
def test_a_file_that_is_gone_or_empty_is_told_and_never_taken_for_a_fresh_record(
    evening: Path, tmp_path: Path, name: str, what: str
) -> None:
    path = copied(evening, tmp_path / "record") / "games.db"
    file = path.with_name(name)
    if what == "gone":
        file.unlink()
    else:
        file.write_bytes(b"")
    assert looked(path)
    books = RunRecord(path, lambda: None)
    assert books.rescued is not None
    assert str(path) in books.rescued.told(path)
    books.close()
    assert looked(path) == []  # it is told once, and the board plays on


def looked(path: Path) -> list[str]:
    """What is said to who looks for games."""
    try:
        with closing(Collection.to_read(path)) as collection:
            return [short] if (short := collection.lacking()) else []
    except BoardError as error:
        return [str(error)]


@pytest.mark.parametrize("content", [bytes(PAGE), Random(1).randbytes(PAGE)])
def test_games_are_saved_where_the_page_is_gone_that_says_how_the_file_is_made(
    closed: Path, tmp_path: Path, content: bytes
) -> None:
    path = copied(closed, tmp_path / "record") / "games.db"
    before = read(path)[0]
    path.write_bytes(content + path.read_bytes()[PAGE:])
    assert looked(path) == [f"{path}: it is damaged; 'boardfw games rescue' saves what can be read"]
    RunRecord(path, lambda: None).close()
    assert read(path)[0] == before


@pytest.mark.parametrize(
    ("laid_out", "flipped"),
    [
        (b"-- eight bytes", b"-- e\xe9ght bytes"),  # of cards, which are made again
        (b"imported_as INTEGER", b"imported_ar INTEGER"),
        (b"errors INTEGER", b"errorr INTEGER"),
        (b"created_ms INTEGER", b"c\xf2eated_ms INTEGER"),
    ],
)
def test_a_bit_that_flips_in_the_layout_of_the_tables_costs_nothing(
    closed: Path, tmp_path: Path, laid_out: bytes, flipped: bytes
) -> None:
    path = copied(closed, tmp_path / "record") / "games.db"
    before = read(path)[0]
    path.write_bytes(path.read_bytes().replace(laid_out, flipped))
    books = RunRecord(path, lambda: None)
    assert (books.rescued is not None) == (b"--" not in laid_out)
    books.close()
    assert read(path) == (before, [])
    with closing(open_database(path)) as connection:
        assert is_laid_out(connection)


def test_games_of_which_nothing_is_left_are_named(closed: Path, tmp_path: Path) -> None:
    path = copied(closed, tmp_path / "record") / "games.db"
    path.write_bytes(path.read_bytes()[:PAGE])
    books = RunRecord(path, lambda: None)
    assert books.rescued is not None
    assert books.rescued.lost == list(range(1, GAMES + 1))
    books.close()


def test_a_backup_tells_what_it_lacks(evening: Path, closed: Path, tmp_path: Path) -> None:
    path = copied(evening, tmp_path / "short") / "games.db"
    path.with_name(LOG).unlink()
    (told,) = back_up(path, tmp_path / "short.db").troubles
    assert told.startswith(f"{path}: holds less than was kept in it (game {GAMES} had ")
    path = copied(closed, tmp_path / "flipped") / "games.db"
    path.write_bytes(path.read_bytes().replace(b"player 3", b"plaxer 3"))
    assert back_up(path, tmp_path / "flipped.db").troubles == tuple(
        f"{path}: game {game} is damaged, and so it is in the copy" for game in (4, 4 + GAMES // 2)
    )
    assert not back_up(closed / "games.db", tmp_path / "sound.db").troubles


def spoil(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[PAGE : 2 * PAGE] = bytes(PAGE)
    path.write_bytes(content)
    path.with_name("games.db-wal").unlink()  # it has that page as well


def test_a_link_to_a_record_is_the_same_record(evening: Path, tmp_path: Path) -> None:
    path = copied(evening, tmp_path / "record") / "games.db"
    link = tmp_path / "link.db"
    link.symlink_to(path)
    with own(path), pytest.raises(BoardError, match="another boardfw plays this record on"):
        own(link)
    spoil(path)
    path.chmod(0o640)
    rescued = mend(link)
    assert rescued is not None
    assert link.is_symlink()
    assert path.stat().st_mode & 0o777 == 0o640
    assert mend(path) is None


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give a file to somebody else")
def test_who_rescues_as_root_leaves_the_record_to_its_owner(evening: Path, tmp_path: Path) -> None:
    path = copied(evening, tmp_path / "record") / "games.db"
    spoil(path)
    for file in (path.parent, *path.parent.iterdir()):
        os.chown(file, 4321, 4322)
    path.with_name("games.db.lock").unlink()
    with own(path) as owned:
        assert mend(path, owned.mark, thoroughly=True) is not None
    for file in path.parent.iterdir():
        assert (file.stat().st_uid, file.stat().st_gid) == (4321, 4322), file


def test_a_damaged_word_beside_a_record_ends_no_board(evening: Path, tmp_path: Path) -> None:
    path = copied(evening, tmp_path / "record") / "games.db"
    path.with_name("games.db.lock").write_bytes(b"\xb2\xff" * 32)
    assert looked(path) == []
    books = RunRecord(path, lambda: None)
    assert books.rescued is None
    books.close()
    assert len(read(path)[0]) == GAMES


def test_commits_after_a_frame_that_seems_to_be_of_an_older_log_are_lost_and_told(
    tmp_path: Path,
) -> None:
    file, frame = tmp_path / "games.db", 24 + 4096
    with closing(sqlite3.connect(file, isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("CREATE TABLE plies (ply)")
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        for ply in range(5):
            database.execute("INSERT INTO plies VALUES (?)", [ply])
        log = bytearray(read_log(file))
    assert len(log) == 32 + 5 * frame
    log[32 + frame + 8] ^= 1  # of the salt by which frames of one log are known
    assert lost_commits(bytes(log)) == 3
    # At the end such a frame is what an older log has left.
    assert lost_commits(bytes(log[: 32 + 2 * frame])) == 0
