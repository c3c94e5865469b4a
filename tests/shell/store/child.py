"""A board in a process of its own, to be killed: plays a game on from where the record has it.

``python -m tests.shell.store.child RECORD`` prints ``lit N`` once the lights have confirmed ply N.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from boardfw.frame import Frame
from boardfw.game.events import Action, Dropped, Ended, Lifted
from boardfw.game.session import Session
from boardfw.notation.fen import format_fen
from boardfw.players.game_player import FAMOUS, read_game
from boardfw.rules import Move, Piece, Position
from boardfw.shell.config import Settings
from boardfw.shell.desk import Desk
from boardfw.shell.runtime import Runtime
from boardfw.shell.store.record_writer import RunRecord
from boardfw.squares import Square, Switch
from hardware.clock import MonotonicClock
from hardware.sim.board import SimBoard, pieces_of
from hardware.sim.faults import PRESETS
from tests.patience import PATIENCE_S

SPEED = 10
"""Twice as quick, and a machine that stood still for 0.4 s had a piece held for 8 s."""
FIRST_S, STEP_S = 0.1, 0.03
"""A second, and 0.3 s, of the board's time."""
SEEN = (Lifted, Dropped)
MOVES = tuple(read_game(FAMOUS).moves)


def touches(position: Position, moves: tuple[Move, ...]) -> Iterator[tuple[str, int, str]]:
    """("lift" or "drop", square, piece): each ply in its plainest order."""
    for move in moves:
        if move.captured is not None:
            yield "lift", move.captured, label(position, move.captured)
        for origin, target in move.steps():
            yield "lift", origin, label(position, origin)
            yield "drop", target, label(position, origin)
        position = position.play(move)


def label(position: Position, square: int) -> str:
    piece = position.piece_at(Square(square))
    assert isinstance(piece, Piece)
    return piece.letter


async def play(
    runtime: Runtime, board: SimBoard, position: Position, rest: tuple[Move, ...]
) -> None:
    """Touch after touch, each when the board has seen the one before: however slow it is."""
    seen = asyncio.Queue[Action]()
    runtime.listen(lambda action: seen.put_nowait(action) if isinstance(action, SEEN) else None)
    await asyncio.sleep(FIRST_S)
    for touch, square, piece in touches(position, rest):
        if touch == "lift":
            board.lift(Switch(square))
        else:
            board.drop(Switch(square), piece)
        await seen.get()
        await asyncio.sleep(STEP_S)


class Lights:
    """Says which ply a frame has confirmed, once it was shown; of the last one ``done`` is told."""

    def __init__(self, desk: Desk, done: Callable[[], object]) -> None:
        self._desk = desk
        self._done = done
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
        if ply == len(MOVES):
            self._done()


async def main(path: Path) -> None:
    """Play the game to its end, from where the record has it."""
    books = RunRecord(path, lambda: None)
    unfinished = books.take_up()
    moves = unfinished.record.moves if unfinished else ()
    assert moves == MOVES[: len(moves)], "what is recorded was never played"
    position = unfinished.record.positions()[-1] if unfinished else Position.start()
    clock = MonotonicClock(SPEED)
    board = SimBoard(clock, pieces=pieces_of(format_fen(position)), faults=PRESETS["none"])
    session = Session(unfinished=unfinished)
    desk = Desk(session, Settings())
    loop, lit, ended = asyncio.get_running_loop(), asyncio.Event(), asyncio.Event()
    board.lights = Lights(desk, lambda: loop.call_soon_threadsafe(lit.set))
    books.begin(session, {})
    runtime = Runtime(board, clock, desk, books=books, speed=SPEED)
    runtime.listen(lambda action: ended.set() if isinstance(action, Ended) else None)
    hands = asyncio.create_task(play(runtime, board, position, MOVES[len(moves) :]))
    running = asyncio.create_task(runtime.run())
    async with asyncio.timeout(PATIENCE_S):
        await ended.wait()
        await lit.wait()  # a disk may be slow
        runtime.stop()
        await running
    await hands


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
