"""A damaged database, as its owner meets it: by ``boardfw run`` and ``boardfw games rescue``."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.test_games import boardfw as games
from tests.cli.test_games import refused, said
from tests.cli.test_run import ROOT, folder, run
from tests.sizes import sized

__all__ = ["folder"]

PAGE = 4096
ASIDE = "games.db: was damaged, and is now games.damaged-1.db; "


@pytest.fixture
def damaged(folder: Path) -> bytes:
    """A game's database of which a page is gone; what the file holds."""
    path = folder / "games.db"
    run("--play", "famous", "--record", "games.db")
    content = bytearray(path.read_bytes())
    content[2 * PAGE : 3 * PAGE] = b"\xff" * PAGE
    path.write_bytes(content)
    return bytes(content)


def test_a_rescue_is_told_also_where_the_board_cannot_be_opened_then(
    folder: Path, damaged: bytes
) -> None:
    text = (ROOT / "hardware/boards/reference.toml").read_text()
    (folder / "mine.toml").write_text(text.replace("/dev/i2c-1", "/dev/i2c-99"))
    result = run("--board", "i2c:mine.toml", "--record", "games.db")
    rescued, broken = result.output.splitlines()
    assert result.exit_code == 75
    assert rescued.startswith(ASIDE)
    assert "/dev/i2c-99" in broken
    assert (folder / "games.damaged-1.db").read_bytes() == damaged


@pytest.mark.usefixtures("damaged")
def test_who_looks_for_games_is_told_what_saves_them() -> None:
    wanted = "games.db: it is damaged; 'boardfw games rescue' saves what can be read"
    assert refused("list", "--record", "games.db") == wanted
    assert said("rescue", "--record", "games.db").startswith(ASIDE)
    assert said("rescue", "--record", "games.db") == "games.db: is sound; nothing was done\n"


@pytest.mark.both
@pytest.mark.parametrize(
    "command",
    [("list",), ("list", "--player", "nobody"), ("show", "2"), ("export", "--all")][: sized(1, 4)],
)
def test_an_earlier_game_that_is_damaged_is_named_by_who_looks_at_others(
    folder: Path, command: tuple[str, ...]
) -> None:
    for _ in range(2):
        run("--play", "famous", "--record", "games.db")
    sound = games(*command, "--record", "games.db")  # all summaries of games are made now
    with closing(sqlite3.connect(folder / "games.db")) as connection:
        query = "SELECT entry FROM entries WHERE game = 1 AND number = 9"
        (entry,) = connection.execute(query).fetchone()
        flipped = bytes((entry[0] ^ 1,)) + entry[1:]
        connection.execute("UPDATE entries SET entry = ? WHERE entry = ?", (flipped, entry))
        connection.commit()
    result = games(*command, "--record", "games.db")
    assert (result.exit_code, result.stdout) == (sound.exit_code, sound.stdout)
    assert result.stderr == sound.stderr + (
        "games.db: game 1 is damaged; when no board plays, 'boardfw games rescue' saves what can "
        "be read\n"
    )


@pytest.mark.usefixtures("folder")
def test_where_there_is_nothing_to_rescue_a_line_says_so() -> None:
    told = refused("rescue", "--record", "none.db")
    assert told == "none.db: there is no such file; name another one with --record"
