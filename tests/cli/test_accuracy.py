"""``boardfw accuracy``: hands play, the firmware watches, and what became of it is told."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from boardfw.accuracy.games import games_of
from boardfw.accuracy.playing import Result as Played
from boardfw.accuracy.playing import Task, play
from boardfw.accuracy.score import GameScore
from boardfw.accuracy.truth import GameTruth
from boardfw.cli import main
from boardfw.cli.measure_accuracy import parse_stuck
from hardware.sim.worlds import WORLDS
from tests.cli.runs import hear_ctrl_c
from tests.cli.tapes import games, moves

ROOT = Path(__file__).parents[2]
GAME = """[Event "Test"]
[Result "1-0"]

1. e4 d5 2. exd5 c6 3. dxc6 a6 4. Nf3 a5 5. cxb7 a4 6. bxa8=N a3 7. Bb5+ Bd7 8. O-O 1-0
"""
PLIES = 15


@pytest.fixture
def pgn(tmp_path: Path) -> Path:
    """A PGN with a capture, a castling and an underpromotion."""
    path = tmp_path / "game.pgn"
    path.write_text(GAME)
    return path


def accuracy(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["accuracy", *map(str, arguments)])


def measured(*arguments: str | Path) -> dict[str, Any]:
    """What is printed with --json, without the processor's time."""
    result = accuracy(*arguments, "--json")
    assert result.exit_code == 0, result.output
    whole: dict[str, Any] = json.loads(result.stdout)
    for game in whole["games"]:
        assert game.pop("cost")["total_us"] > 0
    for kind in whole["kinds"]:
        del kind["cost_us"], kind["slowest_us"]
    return whole


def rows(result: Result) -> dict[str, list[str]]:
    """The cells of the printed table by the name of the row."""
    lines = result.stdout.split("\n\n")[0].splitlines()
    return {name: cells for name, *cells in (re.split(r"\s{2,}", line) for line in lines)}


@pytest.mark.slow
def test_games_of_a_file_are_played_by_each_kind_of_hands(pgn: Path) -> None:
    result = accuracy("--games", pgn, "--hands", "careful,club", "--jobs", "1")
    assert result.exit_code == 0, result.output
    table = rows(result)
    assert table["hands"] == ["careful", "club"]
    assert table["games exact"] == ["1/1", "1/1"]
    assert table["plies exact"] == [f"{PLIES}/{PLIES}"] * 2
    # Plies after a knight wait until it has moved: a lost contact might have chosen it.
    assert [cell.split(" of ")[0] for cell in table["wrong finals"]] == ["0", "0"]


def test_it_runs_without_any_file() -> None:
    whole = measured("--hands", "careful", "--count", "1")
    (game,) = whole["games"]
    assert (game["name"], game["plies"]) == ("Immortal", 45)


@pytest.mark.slow
def test_what_comes_of_it_does_not_depend_on_how_many_processes_work(pgn: Path) -> None:
    arguments = (pgn, "--hands", "blitz,child", "--count", "2", "--seed", "5")
    assert measured(*arguments, "--jobs", "1") == measured(*arguments, "--jobs", "2")


@pytest.mark.slow
def test_games_come_again_for_other_hands_where_more_are_wanted(pgn: Path) -> None:
    whole = measured(pgn, "--hands", "club", "--count", "3", "--seed", "7", "--jobs", "1")
    assert [(game["number"], game["seed"]) for game in whole["games"]] == [(1, 7), (2, 8), (3, 9)]
    assert len({tuple(game["delays_us"]) for game in whole["games"]}) > 1


def test_another_switch_is_stuck_in_each_game() -> None:
    stuck = parse_stuck(("each=open", "h8=closed"))
    assert [stuck.of("open", number) for number in (1, 2, 64, 65)] == [1, 2, 1 << 63, 1]
    assert stuck.of("closed", 5) == 1 << 63


@pytest.mark.slow
def test_the_trace_and_the_truth_of_a_failed_game_are_kept(pgn: Path, tmp_path: Path) -> None:
    keep = tmp_path / "kept"
    # Hands in a hurry on a board with three dead switches: not every game can be told.
    stuck = ("--stuck", "e4=open", "--stuck", "d5=open", "--stuck", "c6=open")
    few = ("--count", "4", "--jobs", "1")
    result = accuracy(pgn, "--hands", "blitz", *few, "--keep", keep, *stuck)
    assert result.exit_code == 0, result.output
    failed = [line for line in result.stdout.split("\n\n")[1].splitlines() if "recorded" in line]
    traces = sorted(keep.glob("*.trace.jsonl"))
    assert 0 < len(failed) <= len(traces)
    again = CliRunner().invoke(main, ["replay", *map(str, traces), "--out", str(tmp_path / "out")])
    assert again.exit_code == 0, again.output
    for trace in traces:
        name = trace.name.removesuffix(".trace.jsonl")
        truth = json.loads((keep / f"{name}.truth.json").read_text())
        assert len(truth["plies"]) == PLIES
        played = [ply["uci"] for ply in truth["plies"]]
        (recorded, *_) = games(tmp_path / "out" / f"{name}.pgn")
        number = int(name.rpartition("-")[2])
        said = any(f"game {number} " in line for line in failed)
        assert said == (moves(recorded) != played)


def test_help_names_every_world() -> None:
    words = set(re.findall(r"[a-z-]+", accuracy("--help").output))
    assert words >= set(WORLDS)


def test_a_world_is_a_kind_of_its_own_in_the_table_and_in_the_files(
    pgn: Path, tmp_path: Path
) -> None:
    found = accuracy(pgn, "--hands", "club+mirrored", "--jobs", "1", "--keep", tmp_path / "kept")
    assert rows(found)["hands"] == ["club+mirrored"]
    assert rows(found)["games exact"] == ["0/1"]
    truth = json.loads((tmp_path / "kept" / "club+mirrored-0001.truth.json").read_text())
    assert truth["broken"] == 2**64 - 1


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--hands", "club,nobody"], "--hands: no hands 'nobody'; there are careful, club"),
        (["--hands", "club+analysis", "--chains", "1"], "--chains: not with +analysis"),
        (["--hands", "nobody+bumps"], "--hands: no hands 'nobody'; there are careful, club"),
        (["--hands", "club+bump"], "--hands: no world 'bump'; there are holding, bumps"),
        (["--games", "missing.pgn"], "missing.pgn: cannot be read: No such file"),
        (["--games", "bad.pgn"], "bad.pgn:1: "),
        (["--games", "open.pgn"], "open.pgn:1: this comment is never closed; add a }"),
        (["--games", "pipe"], "pipe: cannot be read: it is no ordinary file"),
        (["--games", "empty.pgn"], "empty.pgn: holds no game"),
        (["--stuck", "e9=open"], "--stuck: 'e9=open' is no stuck switch"),
        (["--stuck", "e4=up"], "--stuck: 'e4=up' is no stuck switch"),
        (["--stuck", "e4=open", "--stuck", "e4=closed"], "--stuck: e4 cannot be"),
        (["--scale", "fast"], "--scale: 'fast' is no factor"),
        (["--scale", "noise=2"], "--scale: 'noise=2' is no factor"),
        (["--scale", "times=nan"], "--scale: 'times=nan' is no factor"),
        (["--keep", "empty.pgn"], "empty.pgn: is no directory and cannot be made"),
    ],
)
def test_what_cannot_be_used_is_told_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bad.pgn").write_text("1. e4 e5 2. Qh6 Nc6 *\n")
    Path("empty.pgn").write_text("")
    Path("open.pgn").write_text("1. e4 {best by test e5 2. Nf3 *\n")
    os.mkfifo("pipe")
    before = sorted(tmp_path.iterdir())
    result = accuracy(*arguments, "--count", "1")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith(told)
    assert result.stderr.count("\n") == 1
    assert sorted(tmp_path.iterdir()) == before


def test_what_is_no_number_is_not_how_often_switches_are_read() -> None:
    result = accuracy("--scan-hz", "nan", "--count", "1")
    assert result.exit_code == 2
    assert result.stderr.endswith("Invalid value for '--scan-hz': 'nan' is no number\n")


def test_ctrl_c_ends_with_what_there_is_so_far(pgn: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(
        _play: object, tasks: Sequence[Task], _jobs: int
    ) -> Iterator[Played[GameScore, GameTruth]]:
        yield from map(play, tasks[:2])
        raise KeyboardInterrupt

    monkeypatch.setattr("boardfw.cli.measure_accuracy.play_all", interrupted)
    result = accuracy(pgn, "--hands", "careful", "--count", "5")
    assert result.exit_code == 130
    assert rows(result)["games exact"] == ["2/2"]
    assert result.stderr == "stopped: 2 of 5 games were played, and what is told is of those\n"


def test_random_games_come_to_an_end_where_nobody_says_how_many() -> None:
    assert len(games_of(["random"], None, 1)) == 30


@pytest.mark.slow
def test_ctrl_c_in_a_terminal_ends_the_bar_and_all_processes(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    arguments = ["accuracy", "--games", "random", "--count", "60", "--jobs", "2"]
    with (tmp_path / "out").open("w") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "boardfw", *arguments],
            cwd=ROOT,
            stdout=out,
            stderr=theirs,
            start_new_session=True,
            preexec_fn=hear_ctrl_c,  # noqa: PLW1509
        )
    os.close(theirs)
    shown = b""
    while not re.search(rb" [1-9]\d*/600", shown):
        shown += os.read(ours, 4096)
    os.killpg(process.pid, signal.SIGINT)
    with suppress(OSError):  # the last of them has gone
        while more := os.read(ours, 4096):
            shown += more
    assert process.wait() == 130
    last = shown.decode().splitlines()[-1]
    assert re.search(r"stopped: \d+ of 600 games were played, and what is told is of those", last)
    assert "Traceback" not in shown.decode()
    assert (tmp_path / "out").read_text().startswith("hands ")


@pytest.mark.slow
def test_hands_in_a_hurry_are_quicker(pgn: Path) -> None:
    def last_us(*arguments: str) -> int:
        keep = pgn.parent / "-".join(["kept", *arguments])
        # All switches that a game needs are dead, so that it fails and is kept.
        stuck = [
            part for square in ("e4", "d5", "a8", "b7") for part in ("--stuck", f"{square}=open")
        ]
        accuracy(pgn, "--hands", "careful", "--keep", keep, *stuck, *arguments)
        (path,) = keep.glob("*.truth.json")
        end_us: int = json.loads(path.read_text())["plies"][-1]["landed_us"]
        return end_us

    assert last_us("--scale", "0.5") < 0.6 * last_us()
