"""A board whose file names dead switches: it plays, and its recordings tell the same game."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from boardfw.cli import main
from boardfw.players.game_player import FAMOUS, read_game
from hardware.boards.board_file import find_wiring, format_wiring
from tests.cli.tapes import games, moves

DEAD = "a2,d7,h8"
"""As many as a board can play without, all under pieces of the start: found out, it would be too
much for a game to begin."""


def boardfw(*words: str) -> str:
    result = CliRunner().invoke(main, list(words))
    assert result.exit_code == 0, result.output
    return result.output


@pytest.fixture
def board(tmp_path: Path) -> str:
    """The URL of a simulated board with these dead switches, and a file that names them."""
    file = tmp_path / "board.toml"
    text = format_wiring(find_wiring("reference"))
    names = ", ".join(f'"{name}"' for name in DEAD.split(","))
    file.write_text(f"dead = [{names}]\n{text}", encoding="utf-8")
    return f"sim-i2c:{file}?stuck_open={DEAD}&seed=3"


def test_a_game_is_played_and_its_recording_tells_the_same(tmp_path: Path, board: str) -> None:
    pgn, trace = tmp_path / "game.pgn", tmp_path / "game.trace.jsonl"
    options = ["--play", FAMOUS, "--speed", "max", "--hands", "careful", "--pgn", str(pgn)]
    boardfw("run", "--board", board, *options, "--trace", str(trace))
    (played,) = games(pgn)
    assert moves(played) == [move.uci() for move in read_game(FAMOUS).moves]
    boardfw("replay", str(trace), "--out", str(tmp_path / "again"))
    (again,) = games(tmp_path / "again" / "game.pgn")
    assert moves(again) == moves(played)


@pytest.mark.slow
def test_the_trace_that_is_kept_of_a_game_explains_it(tmp_path: Path, board: str) -> None:
    pgn, record = tmp_path / "game.pgn", tmp_path / "games.db"
    options = ["--play", FAMOUS, "--speed", "max", "--hands", "careful", "--pgn", str(pgn)]
    boardfw("run", "--board", board, *options, "--record", str(record))
    told = boardfw("explain", "game:1", "--record", str(record), "--ply", "33")
    assert told.startswith("Ply 33: 17.Rd8# (d1d8)")
