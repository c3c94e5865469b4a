"""``boardfw games analyse``: what is said of a stored game, and what is written."""

from __future__ import annotations

import io
from pathlib import Path

import chess.pgn
import pytest
from click.testing import CliRunner, Result

from boardfw.cli import main
from boardfw.notation.pgn import Game
from boardfw.rules import Position
from boardfw.services.analysis import analyst
from tests.services.analysis.analysts import moves_of
from tests.services.uci.engines import as_program
from tests.shell.collection.games import played_in

START = Position.start()
LOST = ("e2e4", "e7e5", "d1h5", "b8c6", "h5h7", "h8h7")
QUIET = ("e2e4", "e7e5", "g1f3", "b8c6")


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game in which a queen is lost, and one in which nothing is."""
    monkeypatch.chdir(tmp_path)
    tags = {"White": "Anna", "Black": "Ben"}
    games = [Game(tags, START, moves_of(START, *words), "0-1") for words in (LOST, QUIET, ())]
    played_in(Path("g.db"), games)
    as_program(Path("engine"), "judges")


def analyse(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["games", "analyse", "--record", "g.db", *arguments])


@pytest.mark.slow
def test_it_says_what_was_played_what_it_allowed_and_what_was_better(kept: None) -> None:
    result = analyse("1", "--engine", "./engine")
    assert result.exit_code == 0, result.output
    about, move, allowed, better = result.stdout.splitlines()
    assert "Anna" in about
    assert "Scripted" in about
    assert move.startswith("3.Qxh7??")
    assert "3...Rxh7" in allowed
    assert better.split()[1].startswith("3.")
    assert "Qxh7" not in better


@pytest.mark.slow
def test_a_game_without_mistakes_has_one_line_for_it(kept: None) -> None:
    result = analyse("2", "--engine", "./engine")
    assert result.exit_code == 0
    assert len(result.stdout.splitlines()) == 2


@pytest.mark.slow
def test_the_game_is_written_once_and_another_reader_reads_it(kept: None) -> None:
    assert analyse("1", "--engine", "./engine", "--out", "a.pgn").exit_code == 0
    text = Path("a.pgn").read_text()
    read = chess.pgn.read_game(io.StringIO(text))
    assert read is not None
    assert [node.move.uci() for node in read.mainline()] == list(LOST)
    assert [ply for ply, node in enumerate(read.mainline(), 1) if 4 in node.nags] == [5]
    assert all(node.eval() for node in read.mainline())
    again = analyse("1", "--engine", "./engine", "--out", "a.pgn")
    assert again.exit_code == 2
    assert Path("a.pgn").read_text() == text
    assert analyse("1", "--engine", "./engine", "--out", "a.pgn", "--force").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["9", "--engine", "./engine"], "no game 9"),
        (["3", "--engine", "./engine"], "no plies"),
        (["1", "--engine", "deepthought"], "deepthought"),
        (["1", "--engine", "own"], "own player"),
        (["1", "--engine", "/bin/false"], "false"),
        (["1", "--engine", "./engine", "--out", "g.db"], "database itself"),
    ],
)
def test_what_cannot_be_is_told_in_a_line(kept: None, arguments: list[str], told: str) -> None:
    result = analyse(*arguments)
    assert result.exit_code == 2
    (line,) = result.output.splitlines()
    assert told in line


def test_without_an_engine_one_line_says_how_to_get_one(
    kept: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analyst, "usual_program", lambda: None)
    result = analyse("1")
    assert result.exit_code == 2
    (line,) = result.output.splitlines()
    assert "apt install" in line
