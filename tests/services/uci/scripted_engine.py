"""A program that speaks UCI over its pipes, and misbehaves as it is told.

``python scripted_engine.py LOG BEHAVIOUR...``: each start uses the next behaviour, the last one for
all further starts; LOG keeps what it was told, and counts the starts. In a position after n plies
its move is the n-th legal one in alphabetical order, so that an answer tells its question.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import chess

START = "--- start"
OPTIONS = (
    "option name Hash type spin default 16 min 1 max 64",
    "option name MultiPV type spin default 1 min 1 max 9",
    "option name UCI_Chess960 type check default false",
    "option name Never Heard Of type combo default a b var a b var c",
)


def say(*lines: str) -> None:
    for line in lines:
        sys.stdout.write(line + "\n")
    sys.stdout.flush()


def expected(board: chess.Board) -> str:
    """What a well-behaved one plays here."""
    legal = sorted(board.uci(move) for move in board.legal_moves)
    return legal[len(board.move_stack) % len(legal)]


def position(words: list[str], *, chess960: bool) -> chess.Board:
    place = words.index("moves") if "moves" in words else len(words)
    fen = chess.STARTING_FEN if words[1] == "startpos" else " ".join(words[2:place])
    board = chess.Board(fen, chess960=chess960)
    for word in words[place + 1 :]:
        board.push_uci(word)
    return board


class Engine:
    def __init__(self, behaviour: str, marker: str) -> None:
        self.behaviour = behaviour
        self.marker = marker
        self.board = chess.Board()
        self.chess960 = False
        self.thought = ""
        """The answer that it owes once it is told to stop."""

    def hear(self, line: str) -> None:
        words = line.split()
        match words:
            case ["uci"]:
                self.greet()
            case ["isready"] if self.behaviour != "never-ready":
                say("readyok")
            case ["setoption", "name", "UCI_Chess960", "value", value]:
                self.chess960 = value == "true"
            case ["position", *_]:
                self.board = position(words, chess960=self.chess960)
            case ["go", *_]:
                self.go()
            case ["stop"] if self.thought:
                self.stop()
            case ["quit"] if self.behaviour != "never-quits":
                sys.exit()

    def greet(self) -> None:
        match self.behaviour:
            case "mute":
                return
            case "dies-at-start":
                sys.stderr.write("a warning\nno such network\n")
                sys.stderr.flush()
                os._exit(3)
            case "stranger":
                say("Hello, I am a calculator")
                return
            case "noisy-errors":
                sys.stderr.write("error\n" * 200_000)
                sys.stderr.flush()
        left_out = "Chess960" if self.behaviour == "knows-no-chess960" else "nothing"
        options = [option for option in OPTIONS if left_out not in option]
        say("id name Scripted", "id author the tests", *options, "uciok")

    def go(self) -> None:
        best = expected(self.board)
        match self.behaviour:
            case "hangs" | "never-ready":
                pass
            case "thinks" | "answers-twice":
                self.thought = best
                say("info depth 1 score cp 10 pv " + best)
            case "dies":
                say("info depth 1 score cp 10 pv " + best)
                os._exit(1)
            case "closes-output":
                os.close(1)
            case "has-children":
                subprocess.Popen(
                    [sys.executable, "-c", "import signal; signal.pause()", self.marker]
                )
            case _:
                self.answer(best)

    def answer(self, best: str) -> None:
        match self.behaviour:
            case "floods":
                while True:
                    say(*["info depth 1 nodes 1"] * 1000)
            case "long-lines":
                say(*["info string " + "x" * 10_000_000] * 3, f"bestmove {best}")
            case "half-lines":
                half = len(best) // 2
                parts = ("\r\n\r\ninfo dep", "th 1\r", f"\nbestmove {best[:half]}", best[half:])
                for part in parts:
                    sys.stdout.write(part)
                    sys.stdout.flush()
                say("\r")
            case "illegal":
                say("bestmove a1a1")
            case "garbage":
                say("\x00\x1b[31m", "bestmove what", "uciok", "readyok")
            case "no-move":
                say("bestmove (none)")
            case _:
                say(f"info depth 1 score cp 10 pv {best}", f"bestmove {best}")

    def stop(self) -> None:
        answers = 2 if self.behaviour == "answers-twice" else 1
        say(*[f"bestmove {self.thought}"] * answers)
        self.thought = ""


def main() -> None:
    log, *behaviours = sys.argv[1:]
    told = Path(log)
    starts = told.read_text().count(START) if told.exists() else 0
    engine = Engine(behaviours[min(starts, len(behaviours) - 1)], log)
    with told.open("a", buffering=1) as diary:
        diary.write(f"{START} {os.getpid()}\n")
        for line in sys.stdin:
            diary.write(line)
            engine.hear(line)
        if engine.behaviour == "never-quits":
            while True:
                os.read(0, 1)


if __name__ == "__main__":
    main()
