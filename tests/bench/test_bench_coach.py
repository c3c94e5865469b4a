"""Figures for `make bench`: how soon after a lift the coach's lights show what each move is worth.

A piece is lifted on a board whose threads, pipes and files are real, in random games; the first
frame is waited for in which the squares of the piece are lit in their classes.
"""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from random import Random
from time import monotonic_ns

import pytest

from boardfw.rules import Move
from boardfw.services.analysis.advisor import HASH_MB
from boardfw.services.analysis.analyst import Analyst
from boardfw.services.opponents import Wish
from boardfw.services.uci.program import find_program
from boardfw.squares import Orientation
from tests.bench.live_board import LiveBoard, Stalls, any_move, at_share, spread_ms
from tests.bench.slow_core import WHY_NOT, can_be_slow, slow_core, slowed
from tests.services.uci.real_engines import needs

pytestmark = pytest.mark.bench

LIFTS, LIFTS_FULL = 20, 200
LONGEST = 60
"""Plies of a game; then another one begins."""
HELD_S = 2.0
"""A piece whose squares are not lit by then is put down all the same."""
REST_S = 0.4
"""Between two plies: hands take longer."""
TOUCH_S = 0.15
"""Between two touches of a ply."""
WANTED_MS = 500


@needs("stockfish")
def test_bench_from_a_lift_to_the_classes(tmp_path: Path, *, full: bool) -> None:
    program = find_program("stockfish")
    assert program is not None
    measure("stockfish", program, tmp_path, full=full)


@needs("stockfish")
@pytest.mark.skipif(not can_be_slow(), reason=WHY_NOT)
def test_bench_from_a_lift_to_the_classes_of_an_engine_ten_times_slower(
    tmp_path: Path, *, full: bool
) -> None:
    program = find_program("stockfish")
    assert program is not None
    with slow_core() as group:
        slow = slowed(program, group, tmp_path)
        measure("stockfish, a tenth of a processor", slow, tmp_path, full=full)


def measure(name: str, program: Path, folder: Path, *, full: bool) -> None:
    """Print how long the lights took."""
    spans: list[tuple[int, int]] = []
    stalls, game = Stalls(), 0
    with stalls.watched():
        while len(spans) < (LIFTS_FULL if full else LIFTS):
            place = folder / f"game {game}"
            place.mkdir()
            asyncio.run(play(program, place, game, spans))
            game += 1
    took = stalls.leave(spans)
    mark = "*" if took and at_share(took, 0.95) > WANTED_MS * 1_000_000 else ""
    print(f"\nfrom a lift to three classes, {name}: {spread_ms(took)}{mark}")
    if left_out := len(spans) - len(took):
        all_ns = [ended - began for began, ended in spans]
        print(f"with {left_out} more, while the machine stood still: {spread_ms(all_ns)}")


async def play(program: Path, folder: Path, seed: int, spans: list[tuple[int, int]]) -> None:
    """A game of which each lift is noted, and when its classes were lit."""

    def find() -> Analyst:
        return Analyst((str(program),), program.name, Wish(hash_mb=HASH_MB))

    live, chance = LiveBoard(folder, level=4, find=find), Random(seed)
    async with live.at_work():
        await asyncio.sleep(HELD_S)  # the engine is loaded
        while len(live.moves) < LONGEST and not live.is_over:
            move = any_move(chance, live.position)
            began_ns = monotonic_ns()
            label = live.pieces.lift(Orientation.AS_WIRED.switch(move.origin))
            plies = len(live.moves)
            spans.append((began_ns, await classes_lit(live, began_ns)))
            await put_down(live, move, label or "")
            if not await live.until(partial(live.stands_after, plies + 1)):
                break
            await asyncio.sleep(REST_S)
            if live.desk.view.candidates:
                break  # the board asks something of its own


async def classes_lit(live: LiveBoard, began_ns: int) -> int:
    """When the squares of the lifted piece were lit in their classes; a late one, if never."""
    looked = len(live.shown)
    while monotonic_ns() - began_ns < HELD_S * 1_000_000_000:
        for shown in live.shown[looked:]:
            good, doubtful, losing = shown.view.coached
            targets = good | doubtful | losing
            if shown.at_ns > began_ns and targets and shown.lights(targets):
                return shown.at_ns
            looked += 1
        await asyncio.sleep(0.005)
    return monotonic_ns()


async def put_down(live: LiveBoard, move: Move, label: str) -> None:
    """End the move with the piece in the hand; what it captures is taken off before."""
    switch, board = Orientation.AS_WIRED.switch, live.pieces
    if move.captured is not None:
        board.lift(switch(move.captured))
        await asyncio.sleep(TOUCH_S)
    (_, target), *others = move.steps()
    board.drop(switch(target), label)
    for origin, goal in others:
        await asyncio.sleep(TOUCH_S)
        piece = board.lift(switch(origin)) or ""
        await asyncio.sleep(TOUCH_S)
        board.drop(switch(goal), piece)
