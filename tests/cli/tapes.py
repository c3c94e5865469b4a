"""Traces for tests, written as what hands do, and what the files of a replay say.

-e2 +e4     the piece on e2 is lifted, a piece is put on e4; 200 ms between two touches
600         600 ms pass
!draw       a button of the panel
"""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import chess.pgn

from boardfw.recording import START_FEN, TraceWriter
from boardfw.squares import SWITCH_BY_NAME, occupancy_of
from hardware.sim.board import pieces_of

MATE = "-e2 +e4 900 -e7 +e5 900 -d1 +h5 900 -b8 +c6 900 -f1 +c4 900 -g8 +f6 900 -f7 -h5 +f7"
MATE_MOVES = ["e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6", "h5f7"]
STEP_US = 200_000
TAIL_US = 3_000_000

Line = dict[str, Any]


def tape(hands: str, start_fen: str = START_FEN) -> str:
    """The text of a trace."""
    text = io.StringIO()
    writer = TraceWriter(text, start_fen)
    standing = occupancy_of(pieces_of(start_fen))
    writer.scan(0, standing)
    t_us = 1_000_000
    for word in hands.split():
        if word.isdecimal():
            t_us += int(word) * 1000
        elif word.startswith("!"):
            writer.button(t_us, word[1:])
        else:
            bit = 1 << SWITCH_BY_NAME[word[1:]]
            assert bool(standing & bit) == (word[0] == "-"), f"{word}: this touch is impossible"
            standing ^= bit
            t_us += STEP_US
            writer.scan(t_us, standing)
    writer.end(t_us + TAIL_US)
    return text.getvalue()


def save(folder: Path, name: str, hands: str, start_fen: str = START_FEN) -> Path:
    """A trace as a file ``name.trace.jsonl``."""
    path = folder / f"{name}.trace.jsonl"
    path.write_text(tape(hands, start_fen), encoding="utf-8")
    return path


def lines(path: Path) -> list[Line]:
    """The objects of a file of JSON Lines."""
    text = path.read_text(encoding="utf-8")
    assert not text or text.endswith("\n")
    return [json.loads(line) for line in text.splitlines()]


def games(path: Path) -> list[chess.pgn.Game]:
    """The games of a PGN file, which another program reads without complaint."""
    found = []
    with path.open(encoding="utf-8") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            assert game.errors == []
            found.append(game)
    return found


def moves(game: chess.pgn.Game) -> list[str]:
    """The main line in UCI."""
    return [move.uci() for move in game.mainline_moves()]


def fold(events: list[Line]) -> list[list[str]]:
    """The games, from the events alone."""
    told: list[list[str]] = [[]]
    for event in events:
        game = told[-1]
        match event["event"]:
            case "move":
                assert event["ply"] == len(game) + 1
                game.append(event["uci"])
            case "amend":
                game[event["ply"] - 1] = event["uci"]
            case "take_back":
                assert 0 < event["plies"] <= len(game)
                del game[len(game) - event["plies"] :]
            case "new_game":
                told.append([])
    return told
