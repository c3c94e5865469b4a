"""Recordings whose truth is known, in a folder: NAME.trace.jsonl and NAME.truth.json beside it."""

from __future__ import annotations

from pathlib import Path

import msgspec

from boardfw.accuracy.playing import Result, read_by_firmware
from boardfw.accuracy.score import GameScore, score_game
from boardfw.accuracy.truth import GameTruth
from boardfw.errors import BoardError
from boardfw.recording import SUFFIX, Scan, read_trace

TRUTH = ".truth.json"
CHAIN = "-chain-"
"""In the names of recordings of several games, whose truth has another form."""


def as_text(truth: object) -> str:
    """The text of a truth file."""
    return msgspec.json.format(msgspec.json.encode(truth), indent=1).decode() + "\n"


def recordings_in(directory: Path) -> list[Path]:
    """Return the truth files of single games in a folder. Raises BoardError if there are none."""
    found = [path for path in sorted(directory.glob(f"*{TRUTH}")) if CHAIN not in path.name]
    if not found:
        raise BoardError(f"{directory}: holds no recording with a {TRUTH[1:]} beside it")
    return found


def score_kept(truth_file: Path) -> Result[GameScore, GameTruth]:
    """Let the firmware read a kept recording, and score it. Raises BoardError."""
    truth = _truth_in(truth_file)
    trace = truth_file.with_name(truth_file.name.removesuffix(TRUTH) + SUFFIX)
    recording = read_trace(trace)
    said, cost = read_by_firmware(recording)
    scans = [(one.t_us, one.occupancy) for one in recording.entries if isinstance(one, Scan)]
    return Result(score_game(truth, said, cost, scans), truth, "")


def _truth_in(path: Path) -> GameTruth:
    try:
        return msgspec.json.decode(path.read_bytes(), type=GameTruth)
    except OSError as error:
        raise BoardError(f"{path}: cannot be read: {error.strerror}") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BoardError(f"{path}: is no truth of a game: {error}") from error
