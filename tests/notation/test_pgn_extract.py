"""A reader of another make finds no fault in what we write."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardfw.notation.pgn import Game, format_game
from tests.notation.pgn_trees import games

READER = shutil.which("pgn-extract", path="/usr/bin:/usr/local/bin:/usr/games:/opt/homebrew/bin")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(READER is None, reason="needs pgn-extract (Debian package pgn-extract)"),
]


def complaints(text: str, folder: Path) -> str:
    """What pgn-extract says when it only reports (-r), without its list of games (-s)."""
    path = folder / "x.pgn"
    path.write_text(text, encoding="utf-8")
    told = subprocess.run([str(READER), "-s", "-r", str(path)], capture_output=True, check=False)
    return told.stderr.decode("utf-8", "replace").strip()


def test_it_would_complain(tmp_path: Path) -> None:
    assert "Ke4" in complaints("1. e4 Ke4 *\n", tmp_path)


@given(st.lists(games(), min_size=1, max_size=4))
@settings(max_examples=50, deadline=None)
def test_trees_of_any_kind(tmp_path_factory: pytest.TempPathFactory, several: list[Game]) -> None:
    text = "".join(map(format_game, several))
    assert complaints(text, tmp_path_factory.getbasetemp()) == ""
