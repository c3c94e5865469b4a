"""A program that speaks UCI over its pipes, and misbehaves as it is told.

``python scripted_engine.py LOG BEHAVIOUR...``: each start uses the next behaviour, the last one for
all further starts; LOG keeps what it was told, and counts the starts. In a position after n plies
its move is the n-th legal one in alphabetical order, so that an answer tells its question. One that
``judges`` looks two plies ahead and counts the pieces; one that ``says-when`` notes in LOG at which
nanosecond of the machine's monotonic clock it answers.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import chess

START = "--- start"
ANSWERED = "--- answered"
OPTIONS = (
    "option name Hash type spin default 16 min 1 max 64",
    "option name MultiPV type spin default 1 min 1 max 99",
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


PAWNS = (0, 1, 3, 3, 5, 9, 0)
MATE = 1000


def material(board: chess.Board) -> int:
    """How many pawns the side to move is ahead."""
    return sum(
        PAWNS[piece.piece_type] * (1 if piece.color == board.turn else -1)
        for piece in board.piece_map().values()
    )


def worth(board: chess.Board, move: chess.Move) -> tuple[int, list[str]]:
    """What is left after a move and the best answer to it, in pawns, and both in UCI.

    MATE for a mate, less for one that it allows.
    """
    word = board.uci(move)
    board.push(move)
    try:
        if board.is_checkmate():
            return MATE, [word]
        if board.is_stalemate():
            return 0, [word]
        found = [(-material(board), [word])]
        for reply in board.legal_moves:
            reply_word = board.uci(reply)
            board.push(reply)
            left = -MATE if board.is_checkmate() else material(board)
            board.pop()
            found.append((left, [word, reply_word]))
        return min(found)
    finally:
        board.pop()


class Engine:
    def __init__(self, behaviour: str, marker: str) -> None:
        self.behaviour = behaviour
        self.marker = marker
        self.board = chess.Board()
        self.chess960 = False
        self.multipv = 1
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
            case ["setoption", "name", "MultiPV", "value", value]:
                self.multipv = int(value)
            case ["position", *_]:
                self.board = position(words, chess960=self.chess960)
            case ["go", *_] if self.behaviour == "judges":
                self.judge(
                    words[words.index("searchmoves") + 1 :] if "searchmoves" in words else []
                )
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

    def judge(self, asked: list[str]) -> None:
        """Look two plies ahead, at these moves or at all of them."""
        board = self.board
        moves = [move for move in board.legal_moves if not asked or board.uci(move) in asked]
        found = sorted((worth(board, move) for move in moves), key=lambda one: (-one[0], one[1]))
        for number, (pawns, line) in enumerate(found[: self.multipv], 1):
            score = f"cp {100 * pawns}" if abs(pawns) < MATE else f"mate {1 if pawns > 0 else -1}"
            say(f"info depth 2 multipv {number} score {score} pv {' '.join(line)}")
        say(f"bestmove {found[0][1][0]}")

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
            case "says-when":
                say(f"info depth 1 score cp 10 pv {best}")
                with Path(self.marker).open("a") as diary:
                    diary.write(f"{ANSWERED} {time.monotonic_ns()}\n")
                say(f"bestmove {best}")
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
