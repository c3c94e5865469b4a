"""A disk without room when the board is switched on: it plays, says so, and keeps all of it later.

On a small disk of its own, as SQLite and the kernel have their own ways to find no room.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from boardfw.game.journal import Noted, Plies, Resumed
from boardfw.players.game_player import FAMOUS, read_game
from boardfw.shell.collection.collection import Collection
from boardfw.shell.collection.filters import Filters
from boardfw.shell.store.backup import back_up
from boardfw.shell.store.damaged_file import log_of
from boardfw.shell.store.database import MIGRATIONS, FullError, kept_before
from boardfw.shell.store.record_writer import RunRecord
from tests.shell.store.disk import BOARD
from tests.shell.store.test_game_store import E4_E5, F4, store, ucis
from tests.shell.store.test_rescue import played
from tests.shell.store.test_versions import VERSIONS, version
from tests.sizes import sized

SIZE = 2_000_000
PAGE = 4096
FULL = "the disk is full; make room"
GAME = [move.uci() for move in read_game(FAMOUS).moves]


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A directory that is a disk of two megabytes."""
    place = tmp_path / "disk"
    place.mkdir()
    mounting = ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", str(place)]
    with suppress(FileNotFoundError):
        if not subprocess.run(mounting, capture_output=True, check=False).returncode:
            yield place
            subprocess.run(["umount", "--lazy", str(place)], check=True)
            return
    pytest.skip("needs the right to mount a file system (root)")


def fill(disk: Path) -> Path:
    """Leave no byte; the file that takes them."""
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file, suppress(OSError):
        while file.write(bytes(512)):
            pass
    return filler


def cut_off(disk: Path, *, in_log: bool = True, entries: Iterable[Noted] = E4_E5) -> Path:
    """A record as a power cut leaves it, without the index of its log."""
    source, path = disk.parent / "games.db", disk / "games.db"
    record = store(source)
    record.add(entries)
    if in_log:
        shutil.copy(log_of(source), log_of(path))
        shutil.copy(source, path)
        assert log_of(path).stat().st_size
    record.close()
    if not in_log:
        shutil.copy(source, path)
    return path


@pytest.mark.parametrize("in_log", [True, False])
def test_a_game_that_was_cut_off_is_read_goes_on_and_is_kept_when_there_is_room(
    disk: Path, in_log: bool
) -> None:
    path = cut_off(disk, in_log=in_log)
    filler = fill(disk)
    with closing(Collection.to_read(path)) as collection:
        assert list(collection.renew(collection.stale())) == [None]
        assert [row.first_moves for row in collection.rows(Filters())] == ["1.e4 e5"]
    with closing(store(path)) as record:
        game = record.take_up()
        assert game is not None
        assert [move.uci() for move in game.record.moves] == ["e2e4", "e7e5"]
        assert record.trouble == f"{path}: {FULL}"
        with pytest.raises(FullError, match=FULL):
            record.add([Noted(0, Resumed()), F4])
        filler.unlink()
        record.add([Noted(0, Resumed()), F4])
        assert not record.trouble
    with closing(store(path)) as record:
        assert ucis(record) == ["e2e4", "e7e5", "f2f4"]


@pytest.mark.parametrize("kind", ["full", "read-only"])
@pytest.mark.parametrize("in_log", [True, False])
def test_a_record_on_a_disk_that_takes_nothing_is_backed_up_to_another(
    disk: Path, tmp_path: Path, kind: str, in_log: bool
) -> None:
    path, copy = cut_off(disk, in_log=in_log), tmp_path / "copy.db"
    if kind == "full":
        fill(disk)
    else:
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    assert back_up(path, copy).games == 1
    assert played(copy)[1] == ["e2e4", "e7e5"]


def test_a_damaged_record_is_put_aside_when_there_is_room(
    disk: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = cut_off(disk, in_log=False)
    content = damage(path)
    filler = fill(disk)
    with closing(RunRecord(path, lambda: None)) as books:
        assert books.trouble == f"{path}: is damaged and cannot be saved: {FULL}"
        assert books.take_up() is None
        assert books.rescued is None
        assert path.read_bytes() == content
        filler.unlink()
        books._store.add(E4_E5)
        assert books.rescued is not None
        assert books.rescued.aside is not None
        assert books.rescued.aside.read_bytes() == content
    assert played(path)[2] == ["e2e4", "e7e5"]


@pytest.mark.both
@pytest.mark.parametrize("file", VERSIONS[:: sized(3, 1)], ids=lambda file: file.stem)
def test_an_old_record_stays_as_it_was_until_there_is_room_for_a_copy_of_it(
    disk: Path, file: Path
) -> None:
    """However little room there is, the game goes on and the record is brought up later."""
    path, before = disk / "games.db", version(file)
    kept, added = kept_before(path), [Noted(0, Resumed()), Noted(0, Plies(9, 3, ["d7d6"], [9]))]
    outcomes = set()
    for room in range(0, 40, 3):
        shutil.copy(file, path)
        kept.write_text("of the upgrade before")
        filler = fill(disk)
        os.truncate(filler, max(0, filler.stat().st_size - room * PAGE))
        with closing(store(path)) as record:
            outcomes.add(record.trouble)
            filler.unlink()
            if record.trouble:
                assert version(path) == before
                assert kept.read_text() == "of the upgrade before"
            assert record.take_up()
            record.add(added)
        assert (version(path), version(kept)) == (len(MIGRATIONS), before)
        with closing(store(path)) as record:
            assert ucis(record) == ["e2e4", "c7c5", "g1f3", "d7d6"]
        kept.unlink()
    assert outcomes == {"", f"{path}: {FULL}", f"{kept}: {FULL}"}


def damage(path: Path) -> bytes:
    """Destroy the page with the entries; the file as it is then."""
    content = path.read_bytes()
    entries = content.index(b'"plies"') // PAGE * PAGE
    content = content[:entries] + b"\xff" * PAGE + content[entries + PAGE :]
    path.write_bytes(content)
    return content


@pytest.mark.slow
@pytest.mark.parametrize("state", ["new", "cut off", "damaged"])
def test_a_board_plays_confirms_nothing_and_keeps_all_when_there_is_room(
    disk: Path, state: str
) -> None:
    path, numbered = disk / "games.db", 1
    if state == "cut off":
        plies = [Noted(0, Plies(n, n, [uci], [n])) for n, uci in enumerate(GAME[:5])]
        cut_off(disk, entries=[E4_E5[0], *plies])
    if state == "damaged":
        cut_off(disk, in_log=False)
        damage(path)
        numbered = 2
    filler = fill(disk)
    board = subprocess.Popen(
        [sys.executable, "-m", BOARD, str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert board.stderr is not None
    assert FULL in board.stderr.readline()
    filler.unlink()
    told, said = board.communicate()
    assert board.returncode == 0, said
    assert f"lit {len(GAME)}" in told
    assert "what had to wait is written now" in said
    assert ("was damaged, and is now" in said) == (state == "damaged")
    assert played(path)[numbered] == GAME
