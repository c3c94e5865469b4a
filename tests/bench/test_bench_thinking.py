"""Figures for `make bench`: what runs while a player thinks, on a machine ten times slower.

What our process takes here is taken ten times there. The engine gets a tenth of a processor here,
and its seconds are counted ten times, too: so it looks as long as there where it is given a time,
and ten times as long as here where it is given nodes. The board is read by the real drivers over
models of the chips, of which nothing is counted.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

from boardfw.ports import Board
from boardfw.services.analysis.advisor import HASH_MB
from boardfw.services.analysis.analyst import Analyst
from boardfw.services.opponents import USUAL, Wish
from boardfw.services.uci.program import find_program
from boardfw.shell.scanner import REST_S
from boardfw.squares import SWITCH_BY_NAME
from hardware.boards.board_file import find_wiring
from hardware.clock import MonotonicClock
from hardware.sim import i2c_board
from hardware.sim.board import SimBoard
from tests.bench.live_board import LiveBoard
from tests.bench.slow_core import SLOWER, WHY_NOT, can_be_slow, slow_core, slowed, used_s
from tests.bench.workbench import without_kernel
from tests.services.uci.engines import AT_ONCE
from tests.services.uci.real_engines import needs

pytestmark = [
    pytest.mark.bench,
    pytest.mark.skipif(not can_be_slow(), reason=WHY_NOT),
    needs("stockfish"),
]

BOARDS = {"reference": "by interrupt", "matrix": "polled"}
SECONDS, LOADS_S = 20, 3
"""So long a player thinks, or holds a piece; so long an engine takes to be loaded there."""
WAKES = 80
"""So often a thread wakes for nothing, about a second long, to see what that costs here."""
WANTED = 0.25
"""Of one processor."""


@pytest.mark.parametrize("board", BOARDS)
def test_bench_a_player_who_thinks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, board: str
) -> None:
    """After the opponent's move: hands have just been at the board."""

    async def think(program: Path, group: Path) -> Spent:
        wish = Wish(str(program), USUAL.level, pace=AT_ONCE, hash_mb=HASH_MB, book=False)
        live = LiveBoard(tmp_path, wish=wish, reads=partial(read_by, board))
        async with live.at_work():
            moves = {move.uci(): move for move in live.position.legal_moves()}
            live.make(moves["e2e4"])
            await live.until(lambda: live.stands_after(2))
            before = live.desk.late.count
            ours, engines = await spend(monkeypatch, group)
            return Spent(ours, engines, live.desk.late.count - before)

    tell(f"thinks, board {BOARDS[board]}", slowly(tmp_path, think))


@pytest.mark.parametrize("board", BOARDS)
def test_bench_a_player_with_a_coach_who_holds_a_piece(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, board: str
) -> None:
    """The engine looks three times, and rests between."""

    async def hold(program: Path, group: Path) -> Spent:
        def find() -> Analyst:
            return Analyst((str(program),), program.name, Wish(hash_mb=HASH_MB))

        live = LiveBoard(tmp_path, level=4, find=find, reads=partial(read_by, board))
        async with live.at_work():
            await asyncio.sleep(LOADS_S)
            before = live.desk.late.count
            live.pieces.lift(SWITCH_BY_NAME["d2"])
            await live.until(lambda: live.desk.help_policy.coach.asked is not None)
            ours, engines = await spend(monkeypatch, group)
            return Spent(ours, engines, live.desk.late.count - before)

    tell(f"holds a piece, coached, board {BOARDS[board]}", slowly(tmp_path, hold))


def read_by(name: str, clock: MonotonicClock, pieces: SimBoard) -> Board:
    """A board with these chips over the magnets."""
    board = i2c_board.SimI2cBoard(find_wiring(name), clock, pieces)
    board.open()
    return board


class Spent(NamedTuple):
    """What a machine ten times slower would spend in each second, as shares of a processor."""

    ours: list[float]
    engines: list[float]
    late: int
    """Scans that came late."""


def slowly(folder: Path, play: Callable[[Path, Path], Coroutine[None, None, Spent]]) -> Spent:
    """Play with the engine on a slow processor."""
    program = find_program("stockfish")
    assert program is not None
    with slow_core() as group:
        return asyncio.run(play(slowed(program, group, folder), group))


async def spend(patch: pytest.MonkeyPatch, group: Path) -> tuple[list[float], list[float]]:
    """Let time pass in which nothing is touched; what we and the engine spend, as of ``Spent``."""
    ours, engines = list[float](), list[float]()
    pids = [int(pid) for pid in (group / "cgroup.procs").read_text().split()]
    with patch.context() as still:
        still.setattr(i2c_board, "LOOK_S", 3600.0)  # chips feel their inputs by themselves
        without_kernel(still)
        for _ in range(SECONDS):
            began_s, we, they = time.monotonic(), time.process_time(), sum(map(used_s, pids))
            await asyncio.sleep(1)
            passed_s = time.monotonic() - began_s
            ours.append((time.process_time() - we) * SLOWER / passed_s)
            engines.append((sum(map(used_s, pids)) - they) * SLOWER / passed_s)
    return ours, engines


def tell(what: str, spent: Spent) -> None:
    """Print the shares, with an asterisk where they are more than is wanted."""
    ours, engines, late = spent
    both = [one + other for one, other in zip(ours, engines, strict=True)]
    share = sum(both) / len(both)
    mark = "*" if share > WANTED else ""
    print(
        f"\n{what}: {share:.1%}{mark} of a processor ten times slower, over {SECONDS} s "
        f"(we {sum(ours) / len(ours):.1%}, the engine {sum(engines) / len(engines):.1%}; "
        f"the first five seconds {sum(both[:5]) / 5:.1%}, the last five {sum(both[-5:]) / 5:.1%}; "
        f"late scans {late}; waking as often as a board at rest is read: {for_nothing():.1%})"
    )


def for_nothing() -> float:
    """What a machine ten times slower spends on waking alone, as often as a resting board is
    scanned that cannot tell of changes: the share of a processor that no program can save."""
    began_s = time.thread_time()
    for _ in range(WAKES):
        time.sleep(REST_S)
    return (time.thread_time() - began_s) * SLOWER / (WAKES * REST_S)
