"""The command line as a whole: counting, help, and what never costs time."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import NoReturn

import click
import pytest
from click.testing import CliRunner, Result

from boardfw import __version__
from boardfw.cli import main
from tests.cli.test_bad_input import commands
from tests.sizes import sized

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -"


def boardfw(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


@pytest.mark.parametrize(
    ("fen", "depth", "count"),
    [("start", 0, 1), ("start", 3, 8902), (KIWIPETE, 1, 48), (KIWIPETE, 3, 97862)],
)
def test_perft_counts(fen: str, depth: int, count: int) -> None:
    result = boardfw("perft", fen, str(depth))
    assert (result.exit_code, result.output) == (0, f"{count}\n")


def test_perft_divides_by_first_move() -> None:
    result = boardfw("perft", "start", "2", "--divide")
    *moves, empty, count = result.output.splitlines()
    assert (result.exit_code, empty, count) == (0, "", "400")
    assert len(moves) == 20
    assert moves == sorted(moves)
    assert "e2e4: 20" in moves


@pytest.mark.parametrize("fen", ["", "startpos", "8/8/8/8/8/8/8/8 w - -", f"{KIWIPETE} 0 1 2"])
def test_a_bad_fen_is_told_in_a_line(fen: str) -> None:
    result = boardfw("perft", fen, "2")
    assert (result.exit_code, len(result.output.splitlines())) == (2, 1)
    assert result.output.startswith("FEN")


def test_perft_counts_where_no_game_can_reach_and_names_what_it_ignores() -> None:
    crowd = "4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - -"
    refused = boardfw("perft", crowd, "2")
    assert refused.exit_code == 2
    assert refused.stderr.endswith("take off 1; to count all the same: --ignore too-many\n")
    counted = boardfw("perft", crowd, "2", "--ignore", "too-many")
    assert (counted.exit_code, counted.stdout) == (0, "85\n")
    assert counted.stderr == "ignored (too-many): White has 9 pawns: take off 1\n"
    unknown = boardfw("perft", crowd, "2", "--ignore", "kings")
    assert (unknown.exit_code, len(unknown.stderr.splitlines())) == (2, 1)
    assert "--ignore: 'kings' is not a problem that can be ignored" in unknown.stderr


def test_perft_tells_an_en_passant_square_that_it_drops() -> None:
    result = boardfw("perft", "4k3/8/8/3p4/8/8/8/4K3 w - d6", "1")
    assert (result.exit_code, result.stdout) == (0, "5\n")
    assert result.stderr == "the en passant square d6 is dropped: no pawn may capture there\n"


@pytest.mark.parametrize("arguments", [("perft", "start", "-1"), ("perft", "start"), ("fly",)])
def test_a_wrong_usage_ends_with_2(arguments: tuple[str, ...]) -> None:
    assert boardfw(*arguments).exit_code == 2


COMMANDS = dict(commands(main))


@pytest.mark.parametrize("words", COMMANDS)
def test_every_command_explains_itself_and_all_its_options(words: str) -> None:
    *above, name = words.split()
    assert boardfw(*above, name, "--help").exit_code == 0
    options = [p for p in COMMANDS[words].params if isinstance(p, click.Option)]
    assert [option.name for option in options if not option.help] == []
    assert name in boardfw(*above, "--help").output


@pytest.mark.parametrize(
    ("where", "arguments"),
    [
        ("boardfw.rules.perft.perft", ("perft", "start", "9")),
        ("boardfw.cli.explain_plies.load", ("explain", "game.trace.jsonl")),
        ("boardfw.cli.measure_accuracy.games_of", ("accuracy", "games.pgn")),
    ],
)
def test_ctrl_c_is_one_line_at_any_time(
    monkeypatch: pytest.MonkeyPatch, where: str, arguments: tuple[str, ...]
) -> None:
    def stop(*_: object) -> NoReturn:
        raise KeyboardInterrupt

    monkeypatch.setattr(import_module(where.rpartition(".")[0]), where.rpartition(".")[2], stop)
    result = boardfw(*arguments)
    assert (result.exit_code, result.output) == (130, "stopped\n")


def test_the_version_is_told() -> None:
    assert boardfw("--version").output.split()[-1] == __version__


@pytest.mark.both
@pytest.mark.parametrize(
    "arguments",
    [
        ("--help",),
        ("run", "--play", "famous", "--pgn", "x.pgn"),
        ("run", "--help"),
        ("perft", "start", "1"),
    ][: sized(2, 4)],
)
def test_without_a_terminal_the_terminal_board_is_never_imported(
    arguments: tuple[str, ...], tmp_path: Path
) -> None:
    root = Path(__file__).parents[2]
    # The environment of tests, but a directory of its own for what is written.
    code = f"import sys; sys.path.insert(0, {str(root)!r}); from boardfw.cli import main; main()"
    result = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", code, *arguments],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout
    names = {line.rpartition("|")[2].strip() for line in result.stderr.splitlines()}
    assert "boardfw.cli" in names
    assert not {name for name in names if name.split(".")[0] in ("textual", "gpiozero", "smbus2")}
