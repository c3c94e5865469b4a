"""A board with an opponent that is not at it, in a process of its own, to be killed.

``python -m tests.shell.store.away_child RECORD`` goes on from where the record has it, and prints
``lit PLY MOVE`` once the lights have shown the opponent's move. In each process the opponent has
another mind, and so have the hands of the player.
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
from pathlib import Path

from boardfw.frame import Frame
from boardfw.game.events import Action, Dropped, Lifted
from boardfw.game.session import Session
from boardfw.notation.fen import format_fen
from boardfw.rules import WHITE, Move, Position
from boardfw.services.levels import LEVELS
from boardfw.services.opponents import OWN, Wish
from boardfw.shell.away_seat import AwaySeat, Sitting
from boardfw.shell.config import Settings
from boardfw.shell.desk import Desk
from boardfw.shell.runtime import Runtime
from boardfw.shell.store.record_writer import RunRecord
from boardfw.squares import Switch
from hardware.clock import MonotonicClock
from hardware.sim.board import SimBoard, pieces_of
from hardware.sim.faults import PRESETS
from tests.patience import PATIENCE_S
from tests.services.uci.engines import AT_ONCE
from tests.shell.store.child import touches

SPEED = 5
"""Slow enough for a scan to come in time under strace: where none does, no ply becomes final."""
STEP_S = 0.06
"""0.3 s of the board's time."""
LOOK_S = 0.005
PLIES = 12


class Lights:
    """Says which move of the opponent a frame has shown."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._frame = desk.frame
        self._shows: dict[int, tuple[Frame, str]] = {}
        """By identity: two moves may be lit alike."""
        self.lit = ""
        desk.frame = self._remembered  # type: ignore[method-assign]

    def _remembered(self, t_us: int) -> Frame:
        frame, owed = self._frame(t_us), self._desk.view.owed
        if owed is not None:
            ply = len(self._desk.session.record.moves) + 1
            self._shows[id(frame)] = frame, f"lit {ply} {owed.uci()}"
        return frame

    def show(self, frame: Frame) -> None:
        _, told = self._shows.get(id(frame), (frame, ""))
        if told and told != self.lit:
            sys.stdout.write(f"{told}\n")
            sys.stdout.flush()
            self.lit = told


async def play(runtime: Runtime, board: SimBoard, lights: Lights) -> None:
    """Make the moves of both sides, the opponent's once it is lit."""
    seen = asyncio.Queue[Action]()
    runtime.listen(lambda one: seen.put_nowait(one) if isinstance(one, Lifted | Dropped) else None)
    session, chance, made = runtime.desk.session, random.Random(os.getpid()), -1
    while len(session.record.moves) < PLIES and session.record.outcome is None:
        await asyncio.sleep(LOOK_S)
        position, plies = session.game.position, len(session.record.moves)
        owed = session.away.owed(session.course)
        if session.away.side.color == position.turn:
            moves = [owed] if owed and lights.lit == f"lit {plies + 1} {owed.uci()}" else []
        else:
            moves = [move for move in position.legal_moves() if not move.promotion]
        if moves and plies != made:
            made = plies
            await touch(board, position, chance.choice(moves), seen)
    runtime.stop()


async def touch(
    board: SimBoard, position: Position, move: Move, seen: asyncio.Queue[Action]
) -> None:
    """Make a move, touch after touch, each when the board has seen the one before."""
    for what, square, piece in touches(position, (move,)):
        if what == "lift":
            board.lift(Switch(square))
        else:
            board.drop(Switch(square), piece)
        await seen.get()
        await asyncio.sleep(STEP_S)


async def main(path: Path) -> None:
    """Play until there are enough plies, from where the record has the game."""
    books = RunRecord(path, lambda: None)
    unfinished = books.take_up()
    record = unfinished.record if unfinished else None
    position = record.positions()[-1] if record else Position.start()
    clock = MonotonicClock(SPEED)
    board = SimBoard(clock, pieces=pieces_of(format_fen(position)), faults=PRESETS["none"])
    session = Session(unfinished=unfinished)
    desk = Desk(session, Settings())
    lights = Lights(desk)
    board.lights = lights
    books.begin(session, {})
    runtime = Runtime(board, clock, desk, books=books, speed=SPEED)
    wish = Wish(OWN, LEVELS[0], pace=AT_ONCE, seed=os.getpid())
    runtime.away = AwaySeat(clock, None if record else Sitting(WHITE, wish), usual=wish)
    if session.away.chosen:
        runtime.away.resume(session.away.chosen)
    async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as tasks:
        tasks.create_task(runtime.run())
        tasks.create_task(play(runtime, board, lights))


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
