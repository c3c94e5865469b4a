"""A damaged database, as its owner meets it: by ``boardfw run`` and ``boardfw games rescue``."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.test_games import refused, said
from tests.cli.test_run import ROOT, folder, run

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


@pytest.mark.usefixtures("folder")
def test_where_there_is_nothing_to_rescue_a_line_says_so() -> None:
    told = refused("rescue", "--record", "none.db")
    assert told == "none.db: there is no such file; name another one with --record"
