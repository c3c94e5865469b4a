"""A terminal that only writes lines gets the line mode: typed words, printed answers."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from boardfw.cli import run_game
from boardfw.game.session import Session
from boardfw.players.game_player import Player
from boardfw.shell.config import Settings
from boardfw.shell.desk import Desk
from boardfw.terminal.talk import Talk
from boardfw.terminal.typing_line import COLUMNS, Typed
from docs.drawing.still import Still
from hardware.clock import VirtualClock
from hardware.sim.board import SimBoard
from tests.patience import PATIENCE_S
from tests.sizes import sized

START = """\
8 r n b q k b n r
7 p p p p p p p p
6 . . . . . . . .
5 . . . . . . . .
4 . . . . . . . .
3 . . . . . . . .
2 P P P P P P P P
1 R N B Q K B N R
  a b c d e f g h
White to move"""


class Lines:
    """A user who types, and the answers."""

    def __init__(self) -> None:
        self.clock = VirtualClock()
        sim = SimBoard(self.clock)
        self.desk = Desk(Session(), Settings())
        self.loop = Still(sim, self.clock, self.desk)
        self.written: list[str] = []
        talk = Talk(self.loop, self.clock, Player(sim, "careful", seed=1))
        self.typed = Typed(talk, write=self.written.append)

    def type(self, line: str, wait_us: int = 400_000) -> str:
        """Type a line and let time pass; what is written at once."""
        self.written.clear()
        self.typed.obey(line + "\n")
        answer = "\n".join(self.written)
        for _ in range(0, wait_us, 50_000):
            self.typed.keep_up()
            self.loop.go_on(50_000)
        return answer


def test_moves_and_words_are_typed_and_answered() -> None:
    lines = Lines()
    assert lines.type("board") == START
    assert lines.type("e4", 8_000_000) == "careful hands play e4"
    assert [move.uci() for move in lines.desk.session.record.moves] == ["e2e4"]
    assert lines.type("undo", 20_000_000) == ""
    assert lines.type("board") == START
    assert "not a square, move or command" in lines.type("frobnicate")
    lines.type("resign")
    assert "White to move" not in lines.type("board")
    outcome = lines.desk.session.record.outcome
    assert outcome is not None
    assert outcome.termination == "resignation"


WORDS = (
    *("new", "undo", "setup", "resign", "draw", "take back", "clock 5+3", "box", "lift g1"),
    *("e4", "Nf3", "d5", "exd5", "Qh5", "Qxf7#", "e2", "e4", "d7", "b1", "c3"),
    *("press take_back", "press new_game"),
)


@pytest.mark.both
@pytest.mark.parametrize("seed", range(sized(1, 4, 200)))
def test_whatever_was_typed_new_begins_a_game_that_can_be_played(seed: int) -> None:
    lines, random = Lines(), Random(seed)
    for _ in range(12):
        lines.type(random.choice(WORDS), random.choice([100_000, 400_000, 3_000_000, 9_000_000]))
    lines.type("new", 150_000_000)
    lines.type("d4", 10_000_000)
    assert [move.uci() for move in lines.desk.session.record.moves] == ["d2d4"]


@pytest.mark.both
@pytest.mark.parametrize(
    "pause_us", [1_000_000, 4_700_000, 5_600_000, 8_300_000, 11_900_000][:: sized(4, 1)]
)
def test_a_move_typed_while_hands_set_up_waits_until_the_pieces_stand(pause_us: int) -> None:
    lines = Lines()
    for move in ("e4", "e5", "Bc4", "Nc6", "Qh5", "a6", "Qxf7#"):
        lines.type(move, 6_000_000)
    lines.type("setup", pause_us)
    lines.type("d4", 60_000_000)
    assert [move.uci() for move in lines.desk.session.record.moves] == ["d2d4"]


def test_no_line_is_wider_than_the_terminal() -> None:
    lines = Lines()
    for typed in ("help", "clock soon", "hands none", "e5e5e5" * 30):
        answer = lines.type(typed)
        assert answer
        assert max(map(len, answer.splitlines())) <= COLUMNS


@pytest.mark.parametrize(("term", "draws"), [("dumb", False), ("xterm-256color", True)])
def test_nothing_is_drawn_on_a_dumb_terminal(
    term: str, draws: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_game, "has_person", lambda: True)
    monkeypatch.setenv("TERM", term)
    assert run_game.is_terminal() == draws


def test_a_board_run_in_a_dumb_terminal_writes_lines_and_understands_them(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "boardfw", "run", "--board", "sim:", "--record", "x.db"]
    environment = {**os.environ, "TERM": "dumb", "PYTHONPATH": str(Path(__file__).parents[2])}
    process = subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    written = b""
    try:
        answers = ((b"lines only", b"claim\n"), (b"are needed)", b"resign\n"))
        for wanted, typed in (*answers, (b"(resignation)", b"quit\n")):
            while wanted not in written:
                written += os.read(ours, 4096)
            os.write(ours, typed)
        assert process.wait(PATIENCE_S) == 0
    finally:
        process.kill()
        process.wait()
        os.close(ours)
    assert b"\x1b" not in written
    assert max(map(len, written.split(b"\r\n"))) <= COLUMNS
