"""``boardfw accuracy --live``: somebody plays a known game, and trace and truth are kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from boardfw.accuracy.guide import Guide
from boardfw.accuracy.playing import moves_of
from boardfw.accuracy.sitting import SimulatedPerson, Sitting
from boardfw.cli import main
from boardfw.cli.live_recording import AtTerminal
from boardfw.recording import TraceWriter, read_trace
from boardfw.rules import Position
from hardware import open_board
from hardware.clock import VirtualClock
from tests.cli.tapes import games, moves

GAME = """[Event "Test"]

1. e4 d5 2. exd5 c6 3. dxc6 a6 4. Nf3 a5 5. cxb7 a4 6. bxa8=N a3 7. Bb5+ Bd7 8. O-O *
"""
PLIES = 15


@pytest.fixture
def pgn(tmp_path: Path) -> Path:
    path = tmp_path / "game.pgn"
    path.write_text(GAME)
    return path


def accuracy(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["accuracy", *map(str, arguments)])


def live(pgn: Path, keep: Path, *more: str) -> Result:
    return accuracy("--live", pgn, "--board", "sim:", "--keep", keep, *more)


def played(keep: Path, number: int = 1) -> list[str]:
    truth = json.loads((keep / f"live-{number:04}.truth.json").read_text())
    return [ply["uci"] for ply in truth["plies"]]


def plies_exact(result: Result) -> str:
    line = next(line for line in result.stdout.splitlines() if line.startswith("plies exact"))
    return line.split()[-1]


def test_the_game_is_played_kept_and_scored(pgn: Path, tmp_path: Path) -> None:
    keep = tmp_path / "kept"
    result = live(pgn, keep, "--hands", "careful")
    assert result.exit_code == 0, result.output
    assert f"kept: {keep / 'live-0001.trace.jsonl'}" in result.stdout
    assert plies_exact(result) == f"{PLIES}/{PLIES}"
    assert len(played(keep)) == PLIES


def test_what_was_kept_can_be_replayed_and_scored_again(pgn: Path, tmp_path: Path) -> None:
    keep, out = tmp_path / "kept", tmp_path / "out"
    live(pgn, keep, "--hands", "careful")
    live(pgn, keep, "--hands", "blitz+holding", "--seed", "2")
    again = accuracy("--recorded", keep)
    assert again.exit_code == 0, again.output
    assert plies_exact(again) == f"{2 * PLIES}/{2 * PLIES}"
    trace = keep / "live-0002.trace.jsonl"
    replayed = CliRunner().invoke(main, ["replay", str(trace), "--out", str(out)])
    assert replayed.exit_code == 0
    (recorded,) = games(out / "live-0002.pgn")
    assert moves(recorded) == played(keep, 2)


def test_traces_of_worlds_can_be_scored_again(pgn: Path, tmp_path: Path) -> None:
    keep = tmp_path / "kept"
    first = accuracy(pgn, "--hands", "club+mirrored", "--jobs", "1", "--keep", keep)
    again = accuracy("--recorded", keep)
    without_times = [line for line in first.stdout.splitlines() if not line.endswith(" ms")]
    assert [line for line in again.stdout.splitlines() if not line.endswith(" ms")] == without_times


def test_a_game_that_is_stopped_is_kept_as_far_as_it_came(
    pgn: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = SimulatedPerson.asked

    def stopped(person: SimulatedPerson, number: int, t_us: int) -> None:
        if number == 6:
            raise KeyboardInterrupt
        ask(person, number, t_us)

    monkeypatch.setattr(SimulatedPerson, "asked", stopped)
    result = live(pgn, tmp_path / "kept")
    assert result.exit_code == 130
    assert f"6 of {PLIES} plies were found in it" in result.stdout
    assert len(played(tmp_path / "kept")) == 6
    assert read_trace(tmp_path / "kept" / "live-0001.trace.jsonl").complete


def test_a_board_of_its_own_pace_is_followed_and_moves_are_printed(
    pgn: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The board is a recording here: nobody waits for the lights."""
    live(pgn, tmp_path / "kept", "--hands", "club")
    clock = VirtualClock()
    board = open_board(f"replay:{tmp_path / 'kept' / 'live-0001.trace.jsonl'}", clock=clock)
    start = Position.start()
    known = moves_of(start, tuple(played(tmp_path / "kept")))
    again = tmp_path / "again.trace.jsonl"
    writer = TraceWriter(again)
    sitting = Sitting(board, clock, Guide(start, known), writer)
    sitting.run([AtTerminal(start, known)], lambda: clock.advance_to(clock.now_us() + 2_000))
    told = capsys.readouterr().err.splitlines()
    assert told[:3] == ["1. e4", "1... d5", "2. exd5"]
    assert len(told) == PLIES
    assert read_trace(again).complete


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--live", "famous"], "--live: name the folder of the recording with --keep DIR"),
        (["--live", "famous", "--keep", "kept", "--board", "x"], "--board: "),
        (["--live", "famous", "--keep", "kept", "--hands", "nobody"], "--hands: no hands 'nobody'"),
        (
            ["--live", "famous", "--keep", "kept", "--hands", "club,child"],
            "--hands: with --live one",
        ),
        (["--live", "missing.pgn", "--keep", "kept"], "missing.pgn: cannot be read"),
        (["--recorded", "."], ".: holds no recording with a truth.json beside it"),
    ],
)
def test_what_cannot_be_used_is_said_in_a_line(
    arguments: list[str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = accuracy(*arguments)
    assert result.exit_code == 2
    assert told in result.stderr
    assert len(result.stderr.splitlines()) == 1
