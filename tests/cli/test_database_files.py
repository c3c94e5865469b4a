"""What lies beside a database is a part of it, and no option has it written over."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from boardfw.cli import BAD_INPUT
from boardfw.errors import BoardError
from boardfw.given import BESIDE_A_DATABASE, database_of
from boardfw.recording import TraceWriter
from boardfw.shell.files import place_for
from boardfw.shell.places import of_a_record
from boardfw.shell.store.game_store import Store
from tests.cli.tapes import MATE, save
from tests.cli.test_bad_input import ended
from tests.shell.store.test_game_store import E4_E5

PLAY = "run --play famous --speed max"
WRITING = [
    *(f"{PLAY} {option} {{}} --force" for option in ("--pgn", "--trace")),
    f"{PLAY} --record {{}}",
    f"{PLAY} --board spy:{{}},sim: --force",
    "calibrate --board sim-i2c:reference --quick --out {} --force",
    "backup {} --record games.db --force",
    "games export 1 --record games.db --out {} --force",
    "games import g.pgn --record {}",
    "learn start squares --hands careful --record other.db --log {}",
    "learn start squares --hands careful --record {}",
]
"""Each command that writes a file which the user names."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    save(tmp_path, "g", MATE)
    (tmp_path / "g.pgn").write_text("1. e4 e5 *\n")
    return tmp_path


@pytest.mark.parametrize("is_there", [True, False])
@pytest.mark.parametrize("command", WRITING)
def test_a_file_of_a_database_is_written_by_no_option(
    command: str, folder: Path, *, is_there: bool
) -> None:
    with closing(Store(folder / "games.db", lambda: None)) as store:
        store.add(E4_E5)
        for end in BESIDE_A_DATABASE:
            name = f"games.db{end}"
            if not is_there:
                (folder / "by-link").unlink(missing_ok=True)
                (folder / "by-link").symlink_to(name)
                name = "by-link"
            before = content(folder)
            result = ended(command.format(name).split())
            assert result.exit_code == BAD_INPUT, result.output
            (line,) = result.stderr.splitlines()
            assert name in line
            assert line.endswith(("name another file", "name that one"))
            assert content(folder) == before


def content(folder: Path) -> dict[str, bytes]:
    """The database and what lies beside it."""
    return {path.name: path.read_bytes() for path in folder.glob("games.db*")}


@pytest.mark.parametrize(
    ("text", "is_one"),
    [(b"", True), (b"SQLite format 3\0 and so on", True), (b"SQLite", False), (b"a diary", False)],
)
def test_only_a_database_has_files_beside_it(text: bytes, is_one: bool, tmp_path: Path) -> None:
    base = tmp_path / "base"
    base.write_bytes(text)
    for end in BESIDE_A_DATABASE:
        assert database_of(f"{base}{end}") == (str(base) if is_one else None)


def test_no_path_with_a_zero_byte_is_looked_for() -> None:
    with pytest.raises(OSError, match="no file's name has a zero byte"):
        database_of("a\0b")
    for place in (place_for, of_a_record):
        with pytest.raises(BoardError, match=r"^'a\\x00b': cannot be used: no file's name has a "):
            place(Path("a\0b"))
    with pytest.raises(BoardError, match="cannot be written: no file's name has a zero byte"):
        TraceWriter("a\0b")
