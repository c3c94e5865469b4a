"""A board whose process is stopped at any instant: the game is exact, or the doubt is told."""

from __future__ import annotations

import json
import logging
import os
import pty
import re
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from boardfw.cli import main
from boardfw.recording import Scan, read_trace
from boardfw.shell.status.status_report import FILE, Report, read_report
from tests.cli.runs import hear_ctrl_c
from tests.cli.tapes import games, moves
from tests.patience import PATIENCE_S

log = logging.getLogger(__name__)

ROOT = Path(__file__).parents[2]
GAMES = """[Result "1-0"]

1. e4 d6 2. d4 Nf6 3. Nc3 g6 4. Be3 Bg7 5. Qd2 c6 6. f3 b5 7. Nge2 Nbd7 8. Bh6 Bxh6 9. Qxh6 Bb7
10. a3 e5 11. O-O-O Qe7 12. Kb1 a6 13. Nc1 O-O-O 14. Nb3 exd4 15. Rxd4 c5 16. Rd1 Nb6 1-0
"""
"""Both players castle, two captures are answered by captures."""
SHORTEST_S, LONGEST_S = 0.1, 5.0
BETWEEN_S = 1.0, 3.0
"""Between two stops the board is watched for so long."""
KINDS = ("blitz", "club", "careful")
SAMPLE, STOPS = 6, 100
"""Stops: in a sample, and of all games together in full."""
DOUBTS = {"ask", "mismatch", "unwatched"}


def record(folder: Path, kind: str, seed: int) -> Path:
    """What these hands do to the switches in the game, as a trace."""
    game, trace = folder / "game.pgn", folder / f"{kind}-{seed}.trace.jsonl"
    game.write_text(GAMES)
    words = ["--play", game, "--hands", kind, "--seed", seed, "--pgn", folder / "played.pgn"]
    done = CliRunner().invoke(main, ["run", *map(str, words), "--trace", str(trace)])
    assert done.exit_code == 0, done.output
    return trace


@dataclass
class Stopped:
    """A live board that was stopped again and again, and what became of it."""

    process: subprocess.Popen[str]
    folder: Path
    rng: Random
    stops: int = 0

    def stop_until(self, end_s: float, most: int) -> None:
        """Stop it at random instants; the world goes on for so many seconds."""
        passed_s = 0.0
        while passed_s < end_s:
            if self.stops < most:
                passed_s += self._watch(self.rng.uniform(*BETWEEN_S))
                length_s = self.rng.uniform(SHORTEST_S, LONGEST_S)
                self.process.send_signal(signal.SIGSTOP)
                passed_s += self._watch(length_s)
                self.process.send_signal(signal.SIGCONT)
                self.stops += 1
            else:
                passed_s += self._watch(end_s - passed_s)

    def _watch(self, for_s: float) -> float:
        """Let the world go on for so long; the board must not end meanwhile."""
        with suppress(subprocess.TimeoutExpired):
            raise AssertionError(f"it ended by itself: {self.process.wait(for_s)}")
        return for_s

    def status(self) -> Report:
        report = read_report(self.folder / "run" / FILE)
        assert report is not None
        return report


def playing(folder: Path, trace: Path) -> subprocess.Popen[str]:
    """The program on a board at which a recorded game is played in real time."""
    (folder / "run").mkdir()
    environment = {k: v for k, v in os.environ.items() if k != "STATE_DIRECTORY"}
    environment |= {
        "PYTHONUNBUFFERED": "1",
        "PYTHONPATH": str(ROOT),
        "RUNTIME_DIRECTORY": str(folder / "run"),
    }
    words = ["--board", f"replay:{trace}", "--pgn", "out.pgn", "--trace", "live.trace.jsonl"]
    return subprocess.Popen(
        [sys.executable, "-m", "boardfw", "run", *words],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        preexec_fn=hear_ctrl_c,  # noqa: PLW1509
    )


@pytest.mark.slow
def test_a_board_that_is_stopped_at_any_instant_tells_the_game_or_its_doubt(
    tmp_path: Path, *, full: bool
) -> None:
    rng, stops, n = Random(25), 0, 0
    while stops < (STOPS if full else SAMPLE):
        kind = KINDS[n % len(KINDS)]
        folder = tmp_path / str(n)
        folder.mkdir()
        trace = record(folder, kind, n)
        process = playing(folder, trace)
        try:
            board = Stopped(process, folder, rng)
            # As long as the recording lasts, and what the program needs to begin.
            end_s = read_trace(trace).end_us / 1_000_000 + 3
            board.stop_until(end_s, (STOPS if full else SAMPLE) - stops)
            late, stuck = board.status().board.late, board.status().board.stuck
            process.send_signal(signal.SIGINT)
            said, _ = process.communicate(timeout=PATIENCE_S)
        finally:
            process.kill()
        assert process.returncode == 0, said
        assert stuck == ()
        assert "the switch of" not in said
        # The first may come before the first scan.
        assert late.count >= board.stops - 1, said
        assert late.longest_ms <= 1000 * LONGEST_S + 2_000
        played, recorded = (
            moves(games(folder / "played.pgn")[0]),
            moves(games(folder / "out.pgn")[0]),
        )
        is_exact = played == recorded
        assert is_exact or doubted(folder, said), f"{kind} {n}: {recorded}"
        log.info("%s: %d stops, %s", kind, board.stops, "exact" if is_exact else "doubt told")
        stops, n = stops + board.stops, n + 1


def doubted(folder: Path, said: str) -> bool:
    """Whether the board said that it does not know, and its recording says the same."""
    words = ["live.trace.jsonl", "--out", "again", "--events"]
    done = CliRunner().invoke(
        main, ["replay", *[str(folder / w) if w[0] != "-" else w for w in words]]
    )
    assert done.exit_code == 0, done.output
    events = (folder / "again" / "live.events.jsonl").read_text().splitlines()
    is_asked = bool(DOUBTS & {json.loads(line)["event"] for line in events})
    return is_asked and bool(
        re.search(r"which one\?|wrong: |the board was not read for .*: check", said)
    )


@pytest.mark.slow
def test_hands_on_the_simulated_board_go_on_while_the_program_is_stopped(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    game, trace = tmp_path / "game.pgn", tmp_path / "live.trace.jsonl"
    game.write_text("1. Nf3 Nf6 2. Ng1 Ng8 " * 3 + "*")
    words = ["--play", str(game), "--hands", "club", "--trace", str(trace), "--pgn", "out.pgn"]
    process = subprocess.Popen(
        [sys.executable, "-m", "boardfw", "run", *words],
        cwd=tmp_path,
        env={**os.environ, "TERM": "xterm-256color", "PYTHONPATH": str(ROOT)},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    try:
        seen = b""
        while b"Nf6" not in seen:  # the board plays
            seen += os.read(ours, 65536)
        threading.Thread(target=drained, args=(ours,), daemon=True).start()
        process.send_signal(signal.SIGSTOP)
        with suppress(subprocess.TimeoutExpired):
            process.wait(LONGEST_S)
        process.send_signal(signal.SIGCONT)
        end_s = time.monotonic() + PATIENCE_S
        while not stops_in(trace):
            assert time.monotonic() < end_s
            time.sleep(0.02)  # no event tells that another process has written
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_S) == 0
    finally:
        process.kill()
    ((before, after),) = stops_in(trace)
    assert before.occupancy != after.occupancy, "no move was made meanwhile"


def stops_in(trace: Path) -> list[tuple[Scan, Scan]]:
    """Return the last scan before each stop of the program, and the first one after it."""
    scans = [one for one in read_trace(trace).entries if isinstance(one, Scan)]
    return [
        (before, after)
        for before, after in pairwise(scans)
        if after.since_us and after.t_us - after.since_us > 4_500_000
    ]


def drained(terminal: int) -> None:
    """Read what the screen is sent, so that the program never waits for it."""
    with suppress(OSError):
        while os.read(terminal, 65536):
            pass
