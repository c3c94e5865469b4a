"""Runs in virtual time, whose simulated hands play what a test says."""

from __future__ import annotations

import signal
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from boardfw.cli.run_setup import Opened, Wish, open_run
from boardfw.game.events import Action
from boardfw.game.opponent import Chosen
from boardfw.notation.san import numbered_san, parse_san
from boardfw.players.game_player import Player
from boardfw.rules import Move, Position
from boardfw.shell.config import Settings
from boardfw.shell.virtual import Foreseeable, VirtualLoop
from hardware import innermost, simulated
from hardware.clock import VirtualClock


@dataclass
class Run:
    """A run in virtual time: what is open, and what was said."""

    opened: Opened
    clock: VirtualClock
    said: list[Action]

    @property
    def start(self) -> Position:
        return self.opened.desk.session.record.start

    def play(self, sans: str) -> None:
        """Let careful hands set up what is misplaced, play this, and leave the game as it is."""
        board, desk = self.opened.board, self.opened.desk
        sim = simulated(board)
        assert sim is not None
        source = cast("Foreseeable", innermost(board))
        player, position = Player(sim, "careful", 1), desk.session.game.position
        player.restart(position, moves_of(position, sans), self.clock.now_us())
        player.play_all()
        VirtualLoop(board, source, self.clock, desk, [self.said.append], self.opened.books).run()
        self.close()

    def close(self) -> None:
        self.opened.board.close()
        if self.opened.books:
            self.opened.books.close()

    @property
    def game(self) -> str:
        record = self.opened.desk.session.record
        return numbered_san(record.start, record.moves)


def hear_ctrl_c() -> None:
    """Let a child hear it: a shell in the background has it ignored by all that it starts."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def without_late_scans(told: str) -> str:
    """What a program said on standard error but for what it says on a busy machine."""
    busy = ("the board was not read", "this computer cannot keep up")
    return "".join(
        line for line in told.splitlines(keepends=True) if not any(text in line for text in busy)
    )


def moves_of(position: Position, sans: str) -> list[Move]:
    moves = []
    for san in sans.split():
        moves.append(parse_san(position, san))
        position = position.play(moves[-1])
    return moves


def run(
    start: str | None,
    url: str = "sim:",
    record: Path | None = None,
    *,
    is_watched: bool = False,
    settings: Settings | None = None,
    opponent: Chosen | None = None,
) -> Run:
    clock = VirtualClock()
    record = record or Path("games.db")
    wish = Wish(
        url=url,
        pgn=Path("x.pgn"),
        record=record,
        start=start,
        opponent=opponent,
        is_watched=is_watched,
    )
    return Run(open_run(wish, settings or Settings(), None, clock), clock, [])
