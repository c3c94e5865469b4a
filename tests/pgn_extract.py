"""pgn-extract, a reader of PGN that shares nothing with ours: what it says of a text."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from boardfw.notation.pgn import Game, read_games

READER = shutil.which("pgn-extract", path="/usr/games:/usr/bin:/usr/local/bin:/opt/homebrew/bin")
"""Debian keeps it among the games, where root does not look."""

needs_pgn_extract = pytest.mark.skipif(
    READER is None, reason="needs pgn-extract (Debian package pgn-extract)"
)


@dataclass(frozen=True, slots=True)
class Heard:
    """What it made of a text."""

    complaints: str
    """Its log and its standard error; it says nothing there where nothing is wrong."""
    games: list[Game]
    """Those that it wrote out, each with the moves that it played."""


def heard(text: str) -> Heard:
    """Let it read games and write them, each move in its own words.

    Without ``-s`` its log lists the games that it has read; without ``-w`` it complains of a word
    that is longer than the lines it writes itself.
    """
    with TemporaryDirectory() as folder:
        source, log, out = (Path(folder) / name for name in ("in.pgn", "log", "out.pgn"))
        source.write_text(text, encoding="utf-8")
        command = [str(READER), "-s", "-w1000000", "-l" + str(log), "-o" + str(out), str(source)]
        told = subprocess.run(command, capture_output=True, check=True)
        logged = log.read_bytes() + told.stderr + told.stdout
        written = out.read_text("utf-8", "replace")
    return Heard(logged.decode("utf-8", "replace").strip(), list(read_games(written)))
