"""``boardfw run`` without a terminal: a game is played, printed and written; troubles are told."""

from __future__ import annotations

import errno
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from boardfw.cli import BROKEN, main
from boardfw.cli.run_setup import Wish, open_run
from boardfw.errors import StorageError
from boardfw.recording import START_FEN, Scan, TraceWriter, read_trace
from boardfw.shell.config import Settings
from boardfw.shell.store.record_lock import own
from boardfw.squares import EVERY_SWITCH, occupancy_of
from hardware.clock import VirtualClock
from hardware.sim.board import pieces_of
from tests.cli.runs import Run, hear_ctrl_c, without_late_scans
from tests.cli.tapes import MATE, MATE_MOVES, games, moves, save
from tests.patience import PATIENCE_S
from tests.sizes import sized

ROOT = Path(__file__).parents[2]
GAME = """[Event "Test"]
[Result "1-0"]

1. e4 d5 2. exd5 c6 3. dxc6 a6 4. Nf3 a5 5. cxb7 a4 6. bxa8=N a3 7. Bb5+ Bd7 8. O-O 1-0
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty directory to start from."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    return tmp_path


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A PGN with a capture, a castling and an underpromotion."""
    path = tmp_path / "game.pgn"
    path.write_text(GAME)
    return path


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["run", *map(str, arguments)])


def process(*arguments: str | Path, folder: Path) -> subprocess.Popen[str]:
    """The program itself, its output line by line."""
    environment = {k: v for k, v in os.environ.items() if k != "STATE_DIRECTORY"}
    environment |= {"PYTHONUNBUFFERED": "1", "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        [sys.executable, "-m", "boardfw", "run", *map(str, arguments)],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=hear_ctrl_c,  # noqa: PLW1509
    )


# ---------------------------------------------------------------------------- a game


def test_a_stuck_switch_is_told_with_what_to_look_at_and_again_when_it_works(folder: Path) -> None:
    path = save(folder, "g", "+e4 900 -e7 +e5 900 -g1 +f3 900 -b8 +c6 900 -e2 900")
    told = run("--board", f"replay:{path}", "--speed", "max", "--pgn", "out.pgn").output
    assert "the switch of e2 does not open: play goes on without it; look at its reed" in told
    assert "the switch of e2 works again" in told
    assert "loses contact" not in told


def test_a_contact_that_lets_go_again_and_again_is_told_at_the_end(folder: Path) -> None:
    path = folder / "g.trace.jsonl"
    standing = occupancy_of(pieces_of(START_FEN))
    with path.open("w", encoding="utf-8") as file:
        writer = TraceWriter(file, START_FEN)
        writer.scan(0, standing)
        for second in range(1, 12):
            writer.scan(second * 1_000_000, standing & ~(1 << EVERY_SWITCH[0]))
            writer.scan(second * 1_000_000 + 25_000, standing)
        writer.scan(20_000_000, standing & ~(1 << EVERY_SWITCH[0]))
        writer.end(23_000_000)
    told = run("--board", f"replay:{path}", "--speed", "max", "--pgn", "out.pgn").output
    assert "the switch of a1 loses contact: it opened under a standing piece 11 times; look" in told


def test_the_built_in_game_is_played_printed_and_written(folder: Path) -> None:
    result = run("--play", "famous")
    assert result.exit_code == 0, result.output
    (path,) = (folder / "games").glob("*.pgn")
    (game,) = games(path)
    played = moves(game)
    assert len(played) == 33
    assert (played[0], played[-1]) == ("e2e4", "d1d8")
    assert game.headers["Result"] == "1-0"
    assert game.headers["ECO"] == "C41"
    assert game.headers["Opening"].startswith("Philidor Defence")
    printed = result.output.splitlines()
    assert printed[-1] == f"PGN: {path}"
    assert printed[-3].startswith("C41 Philidor Defence")
    assert printed[-2].startswith("1.e4 e5 2.Nf3 d6")
    assert printed[-2].endswith("17.Rd8# 1-0")
    kept = CliRunner().invoke(main, ["games", "list"])
    (line,) = kept.output.splitlines()
    assert "1-0        33  1.e4 e5 2.Nf3" in line
    assert any(line.endswith(" 17.Rd8#") for line in printed[:-2])


@pytest.mark.both
@pytest.mark.parametrize("kind", ["careful", "club", "blitz", "child", "wooden"][:: sized(4, 1)])
def test_what_a_spy_recorded_replays_as_the_game_that_was_written(
    folder: Path, game: Path, kind: str
) -> None:
    run("--play", game, "--hands", kind, "--pgn", "live.pgn", "--trace", "live.trace.jsonl")
    recording = read_trace("live.trace.jsonl")
    assert (recording.start_fen, recording.complete) == (START_FEN, True)
    assert {one.since_us for one in recording.entries if isinstance(one, Scan)} == {None}
    again = CliRunner().invoke(main, ["replay", "live.trace.jsonl", "--out", "again"])
    assert (again.exit_code, again.output) == (0, "")
    live, replayed = games(folder / "live.pgn"), games(folder / "again" / "live.pgn")
    assert [moves(one) for one in live] == [moves(one) for one in replayed]
    assert [one.headers["Result"] for one in live] == [one.headers["Result"] for one in replayed]


def test_a_game_that_starts_elsewhere_is_played_from_there(folder: Path) -> None:
    start = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    (folder / "end.pgn").write_text(f'[SetUp "1"]\n[FEN "{start}"]\n\n1. e4 Kd7 2. e5 *\n')
    result = run("--play", "end.pgn", "--pgn", "out.pgn", "--trace", "t", "--hands", "careful")
    assert result.exit_code == 0, result.output
    (played,) = games(folder / "out.pgn")
    assert (moves(played), played.headers["FEN"]) == (["e2e4", "e8d7", "e4e5"], start)
    assert read_trace("t").start_fen == start


def test_a_recording_is_a_board_too(folder: Path) -> None:
    path = save(folder, "g", MATE)
    result = run("--board", f"replay:{path}", "--speed", "max", "--pgn", "out.pgn")
    assert result.exit_code == 0, result.output
    assert moves(games(folder / "out.pgn")[0]) == MATE_MOVES
    assert "1-0 (checkmate)" in result.output


def test_the_settings_say_where_games_and_recordings_go(folder: Path) -> None:
    config = folder / "boardfw.toml"
    config.write_text('[record]\npgn = "kept/games"\ntrace = "kept/traces"\n')
    assert run("--play", "famous", "--config", config).exit_code == 0
    (game,), (trace,) = ([*(folder / "kept" / n).iterdir()] for n in ("games", "traces"))
    assert (game.suffix, len(moves(games(game)[0]))) == (".pgn", 33)
    assert trace.name.endswith(".trace.jsonl")
    assert read_trace(trace).complete


def test_players_and_time_can_be_given_and_what_was_understood_is_said(folder: Path) -> None:
    (folder / "b.toml").write_text('[tags]\nwhite = "Settings"\nblack = "Settings"\n')
    path = save(folder, "g", MATE)
    options = ("--config", "b.toml", "--white", "Ada", "--clock", "5+3", "--pgn", "out.pgn")
    result = run("--board", f"replay:{path}", "--speed", "max", *options)
    assert result.exit_code == 0, result.output
    assert result.output.startswith("clock: 5 minutes and 3 seconds for each move\n")
    tags = games(folder / "out.pgn")[0].headers
    assert (tags["White"], tags["Black"], tags["TimeControl"]) == ("Ada", "Settings", "300+3")


def test_a_service_keeps_its_files_in_its_state_directory(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(folder / "state"))
    assert run("--play", "famous").exit_code == 0
    assert len([*(folder / "state" / "games").glob("*.pgn")]) == 1
    assert (folder / "state/games/boardfw.db").exists()


def test_a_second_game_that_is_played_through_beside_another_run_is_not_kept(folder: Path) -> None:
    assert run("--play", "famous").exit_code == 0
    with own(folder / "games/boardfw.db"):
        result = run("--play", "famous")
        assert result.exit_code == 0
        assert "another boardfw plays this record on" in result.stderr
        assert run("--play", "famous", "--record", "games/boardfw.db").exit_code == BROKEN
    assert len(CliRunner().invoke(main, ["games", "list"]).output.splitlines()) == 1


def test_a_link_stays_a_link(folder: Path, game: Path) -> None:
    (folder / "elsewhere").mkdir()
    (folder / "out.pgn").symlink_to(folder / "elsewhere" / "real.pgn")
    assert run("--play", game, "--pgn", "out.pgn").exit_code in (0, 1)
    assert (folder / "out.pgn").is_symlink()
    assert moves(games(folder / "elsewhere" / "real.pgn")[0])


# ------------------------------------------------------------------------- bad input

BAD = {
    "--speed": ["0", "nan", "51"],
    "--hands": ["clumsy"],
    "--board": ["nothing:", "sim:?sed=1", "replay:none.trace.jsonl", "spy:x"],
    "--play": ["none.pgn", "empty.pgn", "illegal.pgn", "garbled.pgn", "badfen.pgn"],
    "--config": ["none.toml", "bad.toml"],
    "--clock": ["5 min", "5+3+3"],
    "--white": ["two\nlines", "long " * 60],
    "--pgn": ["..", "file/out.pgn"],
    "--trace": ["..", "file/out.trace.jsonl"],
}
FILES = {
    "file": "in the way",
    "empty.pgn": "",
    "illegal.pgn": "1. e4 e5 2. Ke3 *\n",
    "garbled.pgn": "1. e4 e5 2. Zz9 *\n",
    "badfen.pgn": '[SetUp "1"]\n[FEN "8/8/8"]\n\n1. e4 *\n',
    "bad.toml": "[recrod]\n",
}


@pytest.mark.parametrize(("option", "value"), [(o, v) for o, vs in BAD.items() for v in vs])
def test_what_cannot_be_used_is_told_in_a_line_before_anything_is_written(
    folder: Path, option: str, value: str
) -> None:
    for name, text in FILES.items():
        (folder / name).write_text(text)
    options = {"--play": "famous", "--pgn": "p.pgn", "--trace": "t.jsonl"} | {option: value}
    if option == "--board" and value.startswith("replay"):
        options |= {"--speed": "max"}
        del options["--play"]
    result = run(*(word for pair in options.items() for word in pair))
    assert result.exit_code == 2, result.output
    assert len(result.output.splitlines()) == 1, result.output
    assert any(word in result.output for word in [option, "..", *re.findall(r"[\w-]+", value)])
    assert {p.name for p in folder.iterdir()} == set(FILES)


@pytest.mark.parametrize("url", ["usb:", "sim:?sed=1", "replay:", "spy:x"])
def test_a_board_that_the_settings_name_wrongly_is_told_with_its_line(
    folder: Path, url: str
) -> None:
    (folder / "mine.toml").write_text(f'[lights]\nmono = true\n\n[board]\nurl = "{url}"\n')
    result = run("--config", "mine.toml", "--pgn", "p.pgn", "--trace", "t.jsonl")
    assert (result.exit_code, len(result.output.splitlines())) == (2, 1)
    assert result.output.startswith("mine.toml:5: ")
    assert [p.name for p in folder.iterdir()] == ["mine.toml"]


@pytest.mark.parametrize(
    ("name", "line", "what"), [("illegal.pgn", 1, "Ke3"), ("badfen.pgn", 2, "FEN")]
)
def test_a_broken_pgn_is_told_with_its_line(folder: Path, name: str, line: int, what: str) -> None:
    (folder / name).write_text(FILES[name])
    result = run("--play", name)
    assert result.exit_code == 2
    assert result.output.startswith(f"{name}:{line}: ")
    assert what in result.output


def test_a_broken_start_of_a_recording_is_told_with_its_line(folder: Path) -> None:
    path = save(folder, "g", MATE)
    path.write_text(path.read_text().replace("rnbqkbnr", "rnbqkbn"))
    result = run("--board", f"replay:{path}", "--speed", "max", "--trace", "t.jsonl")
    assert (result.exit_code, len(result.output.splitlines())) == (2, 1)
    assert result.output.startswith(f"{path}:1: ")
    assert not (folder / "t.jsonl").exists()


def test_a_game_cannot_be_played_on_a_recording(folder: Path) -> None:
    path = save(folder, "g", MATE)
    result = run("--board", f"replay:{path}", "--play", "famous", "--trace", "t.jsonl")
    assert (result.exit_code, len(result.output.splitlines())) == (2, 1)
    assert [p.name for p in folder.iterdir()] == [path.name]


def test_a_bus_that_is_not_there_yet_is_no_mistake_of_the_settings(folder: Path) -> None:
    text = (ROOT / "hardware/boards/reference.toml").read_text()
    (folder / "mine.toml").write_text(text.replace("/dev/i2c-1", "/dev/i2c-99"))
    result = run("--board", "i2c:mine.toml")
    assert (result.exit_code, len(result.output.splitlines())) == (75, 1)
    assert "/dev/i2c-99" in result.output


def test_a_full_disk_is_told_and_leaves_no_half_a_game(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fsync(number: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", fsync)
    result = run("--play", "famous", "--pgn", "p.pgn", "--trace", "t.jsonl")
    assert result.exit_code == BROKEN
    assert result.output.splitlines()[-1] == "p.pgn: cannot be written: No space left on device"
    assert sorted(p.name for p in folder.iterdir()) == ["games", "t.jsonl"]
    assert not [*folder.rglob("*.pgn")]
    assert read_trace("t.jsonl").complete  # and the game can be had from it


# --------------------------------------------------------------------------- Ctrl-C


@pytest.mark.slow
def test_ctrl_c_in_virtual_time_leaves_what_was_played(folder: Path) -> None:
    # A game of two thousand plies: whatever the machine, it is not over when Ctrl-C comes.
    shuffle = "Nf3 Nf6 Ng1 Ng8 " * 500
    (folder / "long.pgn").write_text(f"{shuffle}*\n")
    running = process("--play", "long.pgn", "--pgn", "out.pgn", folder=folder)
    assert running.stdout is not None
    seen = [running.stdout.readline() for _ in range(5)]
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=PATIENCE_S)
    assert (running.returncode, err) == (130, "stopped\n"), out[-500:]
    assert seen[0].split()[-1] == "1.Nf3"
    (game,) = games(folder / "out.pgn")
    played = moves(game)
    assert 5 <= len(played) < 2_000
    assert played == (["g1f3", "g8f6", "f3g1", "f6g8"] * 500)[: len(played)]
    assert out.splitlines()[-1] == "PGN: out.pgn"


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_a_live_board_with_what_was_played(
    folder: Path, number: signal.Signals
) -> None:
    # Four seconds between touches are 800 ms for the scan thread, and there are four seconds to
    # begin with: time enough on a busy machine.
    hands = MATE.replace("-f7 -h5 +f7", "900000 -h5 +g5").replace(" 900 ", " 4000 ")
    hands = f"20000 {hands.replace(' +', ' 4000 +')}"
    path = save(folder, "g", hands)
    running = process(
        *("--board", f"replay:{path}", "--speed", "5", "--pgn", "out.pgn", "--trace", "t.jsonl"),
        folder=folder,
    )
    assert running.stdout is not None
    seen = [running.stdout.readline().split()[-1] for _ in range(6)]
    running.send_signal(number)
    out, err = running.communicate(timeout=PATIENCE_S)
    assert (running.returncode, without_late_scans(err)) == (0, "")
    assert seen == ["1.e4", "1...e5", "2.Qh5", "2...Nc6", "3.Bc4", "3...Nf6"]
    (game,) = games(folder / "out.pgn")
    assert moves(game) == MATE_MOVES[:6]
    assert out == "PGN: out.pgn\n"
    assert read_trace(folder / "t.jsonl").complete
    again = CliRunner().invoke(main, ["replay", str(folder / "t.jsonl"), "--out", str(folder)])
    assert again.exit_code == 0
    assert moves(games(folder / "t.jsonl.pgn")[0]) == MATE_MOVES[:6]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--play", "g.pgn", "--pgn", "g.pgn"), "--play and --pgn name the same file g.pgn"),
        (("--play", "famous", "--pgn", "x", "--trace", "x"), "--trace and --pgn name the same"),
        (("--board", "spy:x,sim:", "--pgn", "x"), "--board spy:x and --pgn name the same file x"),
        (("--board", "sim:?a\nb=1"), "--board: 'sim:?a\\nb=1' names no board; leave out"),
    ],
)
def test_nothing_that_is_read_or_written_is_overwritten(
    folder: Path, options: tuple[str, ...], told: str
) -> None:
    (folder / "g.pgn").write_text("1. e4 e5 *\n")
    result = run(*options)
    assert result.exit_code == 2
    assert result.output.startswith(told)
    assert (folder / "g.pgn").read_text() == "1. e4 e5 *\n"


def test_a_word_of_the_game_to_play_that_is_no_move_is_told_and_costs_no_move(folder: Path) -> None:
    (folder / "w.pgn").write_text("1. e4 blunder e5\n2. Nf3 *\n")
    result = run("--play", "w.pgn", "--speed", "max", "--pgn", "out.pgn")
    assert result.exit_code == 0, result.output
    assert result.output.startswith("w.pgn:1: ")
    assert "'blunder'" in result.output.splitlines()[0]
    assert "2. Nf3 *" in (folder / "out.pgn").read_text()


# ------------------------------------------------------------- opponents that are not at the board


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--white", "engine", "--black", "engine"], "one side has to be played on the board"),
        (["--black", "engine:own", "--play", "famous"], "played by hand"),
        (["--black", "engine:own", "--speed", "max"], "played by hand"),
        (["--black", "engine:deepthought"], "no such program"),
        (["--black", "engine:own?level=99"], "level"),
    ],
)
def test_an_opponent_that_cannot_play_is_refused_in_one_line(
    folder: Path, options: list[str], told: str
) -> None:
    result = run(*options)
    assert result.exit_code == 2, result.output
    assert len(result.output.splitlines()) == 1, result.output
    assert told in result.output
    assert not [*folder.iterdir()]


def lines_until(child: subprocess.Popen[str], what: str) -> list[str]:
    """What it says, up to the line that holds this."""
    assert child.stdout is not None
    told: list[str] = []
    for line in child.stdout:
        told.append(line)
        if what in line:
            return told
    raise AssertionError(f"it ended without {what!r}: {told}")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("again", "later"),
    [
        ("", ""),
        ("--white engine:own?level=1", ""),
        ("--black engine:own?level=2", "; boardfw, level 2 (beginner) plays from the next game on"),
    ],
)
def test_a_game_that_was_killed_knows_its_opponent(folder: Path, again: str, later: str) -> None:
    with process("--white", "engine:own?level=1", folder=folder) as child:
        lines_until(child, "s  1.")
        child.kill()
    with process(*again.split(), folder=folder) as child:
        *_, line = lines_until(child, "against")
        child.terminate()
        child.communicate()
    told = "the game goes on against boardfw, level 1 (just learnt the rules), who plays White"
    assert line.endswith(f"{told}{later}\n")


@pytest.mark.parametrize(
    ("option", "told"), [("pgn", "is written when it can be"), ("trace", "is not recorded")]
)
def test_a_game_begins_at_a_board_though_a_disk_has_no_room_for_its_files(
    option: str,
    told: str,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def make(path: Path, *_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), path)

    full = folder / "full" / "x"
    wish = Wish(
        url="sim:",
        record=folder / "games.db",
        pgn=full if option == "pgn" else folder / "x.pgn",
        trace=full if option == "trace" else None,
    )
    monkeypatch.setattr(Path, "mkdir", make)
    with pytest.raises(StorageError):
        open_run(wish, Settings(), None, VirtualClock())
    Run(open_run(wish, Settings(), None, VirtualClock(), waits=True), VirtualClock(), []).close()
    assert told in capsys.readouterr().err
