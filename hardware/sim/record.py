"""A whole simulated game in virtual time: what the switches read, and the truth behind it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from boardfw.errors import BusError
from boardfw.recording import START_FEN, TraceWriter
from boardfw.squares import START, Occupancy, Square, squares_in
from hardware.clock import VirtualClock

from .board import SimBoard
from .faults import PRESETS, Faults
from .hands import Hands
from .manners import MANNERS
from .motion import Gesture
from .moving import HandMove

SCAN_PERIOD_US = 2_000  # 500 Hz: five port expanders over a 400 kHz bus take 1 ms
TAIL_US = 2_000_000  # watched after the last touch, so that all contacts have come to rest


@dataclass(frozen=True, slots=True)
class Simulated:
    """``scans``: (t us, occupancy), one for each scan that changed; one gesture a move."""

    scans: list[tuple[int, Occupancy]]
    gestures: list[Gesture]
    end_us: int

    def write(self, target: str | Path | TextIO, start_fen: str = START_FEN) -> None:
        """Write the scans as a trace."""
        writer = TraceWriter(target, start_fen)
        for t_us, occupancy in self.scans:
            writer.scan(t_us, occupancy)
        writer.end(self.end_us)


def record_game(
    moves: Sequence[HandMove],
    kind: str,
    seed: int,
    start_occupancy: Occupancy = START,
    scan_period_us: int = SCAN_PERIOD_US,
) -> list[tuple[int, Occupancy]]:
    """What the switches read while hands of this kind play these moves."""
    men = dict.fromkeys(squares_in(start_occupancy), "?")
    return simulate(moves, kind, seed, men, scan_period_us=scan_period_us).scans


def simulate(
    moves: Sequence[HandMove],
    kind: str,
    seed: int,
    men: Mapping[Square, str],
    *,
    faults: Faults | None = None,
    scan_period_us: int = SCAN_PERIOD_US,
) -> Simulated:
    """A game by hands of this kind; without ``faults``, on a board such as they play on."""
    gestures = list(Hands(kind, seed).game(moves, 0, men))
    end_us = (gestures[-1].end_us if gestures else 0) + TAIL_US
    clock = VirtualClock()
    board = SimBoard(clock, men=men, faults=faults or usual_faults(kind), seed=seed)
    for gesture in gestures:
        board.schedule(gesture.actions)
    return Simulated(_watch(board, clock, end_us, scan_period_us), gestures, end_us)


def usual_faults(kind: str) -> Faults:
    """The electricity of the board that this kind of hands plays on."""
    return PRESETS[MANNERS[kind].faults]


def _watch(
    board: SimBoard, clock: VirtualClock, end_us: int, period_us: int
) -> list[tuple[int, Occupancy]]:
    """Scan on a grid of times, but only where something may have changed."""
    scans = [(0, board.read())]
    while (change_us := board.next_change_us()) is not None and change_us <= end_us:
        # A scan that fails changes nothing on the board: the next one reads what it missed.
        due_us = max(-(-change_us // period_us) * period_us, clock.now_us() + period_us)
        clock.advance_to(due_us)
        occupancy = _scan(board)
        if occupancy is not None and occupancy != scans[-1][1]:
            scans.append((due_us, occupancy))
    return scans


def _scan(board: SimBoard) -> Occupancy | None:
    try:
        return board.read()
    except BusError:
        return None
