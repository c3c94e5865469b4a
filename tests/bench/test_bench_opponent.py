"""Figures for `make bench`: what an opponent that is not at the board costs, in time."""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from functools import partial
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from boardfw.services.opponents import Wish
from boardfw.squares import bitboard_of
from tests.bench.live_board import LiveBoard, Shown, Stalls, any_move, at_share, spread_ms
from tests.services.uci.engines import AT_ONCE, as_program
from tests.services.uci.scripted_engine import ANSWERED

pytestmark = pytest.mark.bench

MOVES, MOVES_FULL = 20, 200
LONGEST = 40
"""Plies of a game; then another one begins."""
WANTED_MS = 50


def test_bench_from_bestmove_to_the_lights(tmp_path: Path, *, full: bool) -> None:
    """An engine of our own tells when it answers; the frame that lights its move is waited for."""
    answers: list[Answer] = []
    stalls, game = Stalls(), 0
    with stalls.watched():
        while len(answers) < (MOVES_FULL if full else MOVES):
            folder = tmp_path / str(game)
            folder.mkdir()
            asyncio.run(play(folder, game, answers))
            game += 1
    heard = stalls.leave([(one.came_ns, one.heard_ns) for one in answers])
    lit = stalls.leave([(one.came_ns, one.lit_ns) for one in answers])
    mark = "*" if at_share(lit, 0.95) > WANTED_MS * 1_000_000 else ""
    print(f"\nfrom bestmove to what the session says: {spread_ms(heard)}")
    print(f"from bestmove to the frame, its move kept on the disk before: {spread_ms(lit)}{mark}")
    all_ns = [one.lit_ns - one.came_ns for one in answers]
    if left_out := len(all_ns) - len(lit):
        print(f"with {left_out} more, while the machine stood still: {spread_ms(all_ns)}")


class Answer(NamedTuple):
    """When an engine answered, and what became of it; of the machine's monotonic clock."""

    came_ns: int
    heard_ns: int
    """The session said it."""
    lit_ns: int
    """The frame was handed to the lights."""


async def play(folder: Path, seed: int, answers: list[Answer]) -> None:
    """A game of which the answers are noted."""
    program = as_program(folder / "engine", "says-when")
    wish = Wish(str(program), resigns=False, draws=False, book=False, pace=AT_ONCE, hash_mb=1)
    live, chance = LiveBoard(folder, wish=wish), Random(seed)
    async with live.at_work():
        while len(live.moves) < LONGEST and not live.is_over:
            plies = len(live.moves)
            live.make(any_move(chance, live.position))
            if not await live.until(partial(live.stands_after, plies + 2)):
                break
    came = when_answered(Path(f"{program}.log"))
    for heard_ns, owed in live.owed:
        came_ns = came[bisect_right(came, heard_ns) - 1]
        lit = (one.at_ns for one in live.shown if one.at_ns > came_ns and is_lit(one, owed.uci))
        if (lit_ns := next(lit, None)) is not None:
            answers.append(Answer(came_ns, heard_ns, lit_ns))


def when_answered(log: Path) -> list[int]:
    """At which nanoseconds the engine answered."""
    lines = log.read_text().splitlines() if log.exists() else []
    return [int(line.split()[-1]) for line in lines if line.startswith(ANSWERED)]


def is_lit(shown: Shown, uci: str) -> bool:
    """Whether a frame lights this move of the opponent: its piece, and where it goes; there a
    captured piece blinks, and may be in the dark part of it."""
    move = shown.view.owed
    if move is None or move.uci() != uci:
        return False
    steady = (move.origin,) if move.captured == move.target else (move.origin, move.target)
    return shown.lights(bitboard_of(steady))
