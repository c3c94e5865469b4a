"""Figures for `make bench`: what a game costs the processor, and what a session keeps of games."""

from __future__ import annotations

import gc
import time
import tracemalloc
from collections.abc import Iterator

import pytest

from boardfw.game.events import Event, Tick
from boardfw.game.session import Session
from boardfw.players.game_player import FAMOUS, hand_moves, read_game
from boardfw.recording import START_FEN, Press, Scan
from boardfw.rules import Position
from boardfw.squares import START
from hardware.sim.board import pieces_of
from hardware.sim.hand_profiles import HAND_PROFILES
from hardware.sim.moving import HandMove
from hardware.sim.record import Simulated, simulate

pytestmark = pytest.mark.bench

SEEDS = 3
ROUNDS = 3
"""Each event counts with the least time of so many: what is more was other work of the machine."""
PLIES = 80
"""A game of usual length: what is wanted is said of one."""
WANTED_MS, WANTED_SLOWEST_MS = 100, 10
GAMES, FULL_GAMES, SHORT = 100, 1_000, 12
"""Games in a row, and the plies of each."""
WANTED_BYTES = 4_000
"""A finished game keeps its moves and when each of them was made, and nothing else."""
PAUSE_US = 6_000_000


def test_bench_a_game_through_the_session() -> None:
    moves = famous_moves()
    a_list = one_list()
    print(f"\n{'':10} {'80 plies':>11} {'slowest event':>15}   legal move lists a ply, that event")
    for kind in HAND_PROFILES:
        games = [
            least_times(simulate(moves, kind, seed, pieces_of(START_FEN))) for seed in range(SEEDS)
        ]
        a_ply = sum(map(sum, games)) / SEEDS / len(moves)
        slowest = max(map(max, games))
        game_ms, slowest_ms = a_ply * PLIES * 1000, slowest * 1000
        print(
            f"{kind:10} {marked(game_ms, WANTED_MS)} {marked(slowest_ms, WANTED_SLOWEST_MS):>15}"
            f"   {a_ply / a_list:22.0f} {slowest / a_list:11.0f}"
        )


def test_bench_memory_of_games_in_a_row(*, full: bool) -> None:
    """One session, game after game: what it holds may grow by the records alone."""
    games = FULL_GAMES if full else GAMES
    simulated = simulate(famous_moves()[:SHORT], "club", 1, pieces_of(START_FEN))
    session = Session()
    tracemalloc.start()
    try:
        held = [held_after(session, simulated, number) for number in range(games)]
    finally:
        tracemalloc.stop()
    assert [len(record.moves) for record in session.games] == [SHORT] * games + [0]
    for since in range(0, games, games // 4):
        grown = (held[since + games // 4 - 1] - held[since]) / (games // 4 - 1)
        print(f"\ngames {since + 1:4} to {since + games // 4:4}: {grown:6.0f} bytes a game", end="")
    grown = (held[-1] - held[games // 4]) / (games - 1 - games // 4)
    print(f"\nfrom a quarter on: {marked(grown, WANTED_BYTES, 'bytes')} a game of {SHORT} plies")


def held_after(session: Session, simulated: Simulated, number: int) -> int:
    """Bytes held once another game has been played and the pieces stand for the next one."""
    from_us = number * (simulated.end_us + 3 * PAUSE_US)
    end_us = from_us + simulated.end_us + PAUSE_US
    events: list[Event] = [Scan(from_us + t_us, occupancy) for t_us, occupancy in simulated.scans]
    events += [Press(end_us, "new_game"), Scan(end_us + 1, START), Tick(end_us + PAUSE_US)]
    for event in events:
        for due in with_ticks(session, event):
            session.handle(due)
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


def least_times(simulated: Simulated) -> list[float]:
    """Processor seconds of every event of a game, samples and ticks, the least of some rounds."""
    return [min(times) for times in zip(*(times_of(simulated) for _ in range(ROUNDS)), strict=True)]


def times_of(simulated: Simulated) -> list[float]:
    session, times = Session(), []
    for t_us, occupancy in simulated.scans:
        for event in with_ticks(session, Scan(t_us, occupancy)):
            start = time.process_time()
            session.handle(event)
            times.append(time.process_time() - start)
    assert session.record.moves
    return times


def with_ticks(session: Session, event: Event) -> Iterator[Event]:
    """The ticks that the session asks for before an event, and the event."""
    while (due_us := session.deadline_us) is not None and due_us < event.t_us:
        yield Tick(due_us)
    yield event


def marked(figure: float, wanted: float, unit: str = "ms") -> str:
    """A figure, with an asterisk if it is more than what is wanted."""
    return f"{figure:7.1f} {unit}{'*' if figure > wanted else ' '}"


def famous_moves() -> list[HandMove]:
    return list(hand_moves(Position.start(), read_game(FAMOUS).moves))


def one_list() -> float:
    """Processor seconds of one list of legal moves in a middlegame position."""
    position = Position.start()
    for move in read_game(FAMOUS).moves[:20]:
        position = position.play(move)
    return min(lists_after(position) for _ in range(ROUNDS))


def lists_after(position: Position) -> float:
    moves = position.legal_moves()
    start = time.process_time()
    for move in moves:
        position.play(move).legal_moves()
    return (time.process_time() - start) / len(moves)
