"""A board in a process of its own, to be killed: plays a game on from where the record has it.

``python -m tests.shell.store.child RECORD`` prints ``lit N`` once the lights have confirmed ply N.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path

from boardfw.frame import Frame
from boardfw.game.events import Ended
from boardfw.game.session import Session
from boardfw.notation.fen import format_fen
from boardfw.rules import Move, Piece, Position
from boardfw.shell.config import Settings
from boardfw.shell.desk import Desk
from boardfw.shell.runtime import Runtime
from boardfw.shell.store.books import Books
from boardfw.terminal.player import FAMOUS, read_game
from hardware.clock import MonotonicClock
from hardware.sim.action import HandAction
from hardware.sim.board import SimBoard, men_of
from hardware.sim.faults import PRESETS

SPEED = 20
FIRST_US, STEP_US = 1_000_000, 300_000
MOVES = tuple(read_game(FAMOUS).moves)


def plain_hands(position: Position, moves: tuple[Move, ...]) -> Iterator[HandAction]:
    """Each ply in its plainest order, one touch after the other."""
    t_us = FIRST_US
    for move in moves:
        lifts = [move.victim] if move.victim is not None else []
        for square in (*lifts, *(origin for origin, _ in move.steps())):
            t_us += STEP_US
            yield HandAction(t_us, "lift", square, label(position, square))
        for origin, target in move.steps():
            t_us += STEP_US
            yield HandAction(t_us, "drop", target, label(position, origin))
        position = position.play(move)


def label(position: Position, square: int) -> str:
    piece = position.piece_at(square)
    assert isinstance(piece, Piece)
    return piece.letter


class Lights:
    """Says which ply a frame has confirmed, once it was shown."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._frame = desk.frame
        self._confirms: dict[int, tuple[Frame, int]] = {}
        """By identity: two plies may be lit alike."""
        desk.frame = self._remembered  # type: ignore[method-assign]

    def _remembered(self, t_us: int) -> Frame:
        frame, view = self._frame(t_us), self._desk.view
        if view.last_move is not None and not view.unkept:
            self._confirms[id(frame)] = frame, len(self._desk.session.record.moves)
        return frame

    def show(self, frame: Frame) -> None:
        _, ply = self._confirms.get(id(frame), (frame, 0))
        if ply:
            sys.stdout.write(f"lit {ply}\n")
            sys.stdout.flush()


async def play(path: Path) -> None:
    books = Books(path, lambda: None)
    unfinished = books.take_up()
    moves = unfinished.record.moves if unfinished else ()
    assert moves == MOVES[: len(moves)], "what is recorded was never played"
    position = unfinished.record.positions()[-1] if unfinished else Position.start()
    clock = MonotonicClock(SPEED)
    board = SimBoard(clock, men=men_of(format_fen(position)), faults=PRESETS["none"])
    board.schedule(plain_hands(position, MOVES[len(moves) :]))
    session = Session(unfinished=unfinished)
    desk = Desk(session, Settings())
    board.lights = Lights(desk)
    books.begin(session, {})
    runtime = Runtime(board, clock, desk, books=books, speed=SPEED)
    runtime.listen(lambda action: runtime.stop() if isinstance(action, Ended) else None)
    await runtime.run()


if __name__ == "__main__":
    asyncio.run(play(Path(sys.argv[1])))
