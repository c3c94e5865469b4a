"""A whole simulated game in virtual time: what the switches read, and the truth behind it."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from boardfw.errors import BusError
from boardfw.recording import START_FEN, End, Recording, Scan, TraceWriter
from boardfw.squares import Occupancy, Switch
from hardware.clock import VirtualClock
from hardware.sim.hand_profiles import HandProfile
from hardware.sim.truth import told_truly

from .board import SimBoard
from .faults import Faults
from .gesture import Gesture
from .hands import Hands, profile_of
from .moving import HandMove

SCAN_PERIOD_US = 2_000  # 500 Hz: five port expanders over a 400 kHz bus take 1 ms
TAIL_US = 1_000_000  # watched after all contacts have come to rest


@dataclass(frozen=True, slots=True)
class Watched:
    """``scans``: (t us, occupancy), one for each scan that changed, until ``end_us``."""

    scans: list[tuple[int, Occupancy]]
    end_us: int

    def recording(self, start_fen: str = START_FEN) -> Recording:
        """What a board would have recorded of it."""
        scans = [Scan(t_us, occupancy) for t_us, occupancy in self.scans]
        return Recording(start_fen, [*scans, End(self.end_us)])

    def trace(self, start_fen: str = START_FEN) -> str:
        """The same as the text of a trace."""
        text = io.StringIO()
        writer = TraceWriter(text, start_fen)
        for t_us, occupancy in self.scans:
            writer.scan(t_us, occupancy)
        writer.end(self.end_us)
        return text.getvalue()


@dataclass(frozen=True, slots=True)
class Simulated(Watched):
    """One game; a gesture for each move."""

    gestures: list[Gesture]


def simulate(
    moves: Sequence[HandMove],
    kind: str | HandProfile,
    seed: int,
    pieces: Mapping[Switch, str],
    *,
    faults: Faults | None = None,
    scan_period_us: int = SCAN_PERIOD_US,
) -> Simulated:
    """A game by hands of this kind; without ``faults``, on the board of their profile.

    ``kind`` may be a profile: ``HAND_PROFILES["club"].scaled(times=1.5)`` is a slower club player.
    """
    hands, faults = Hands(kind, seed), faults or usual_faults(kind)
    gestures = list(hands.game(moves, 0, pieces))
    end_us = end_of(gestures, faults)
    scans = watch(gestures, pieces, faults, seed, end_us, scan_period_us)
    return Simulated(scans, end_us, told_truly(moves, gestures, scans, faults))


def end_of(gestures: Sequence[Gesture], faults: Faults) -> int:
    """When everything has come to rest on a board with these faults."""
    last_us = max((gesture.settled_us for gesture in gestures), default=0)
    return last_us + faults.longest_us + TAIL_US


def usual_faults(kind: str | HandProfile) -> Faults:
    """The board that this kind of hands plays on."""
    return profile_of(kind).board


def watch(
    gestures: Iterable[Gesture],
    pieces: Mapping[Switch, str],
    faults: Faults,
    seed: int,
    end_us: int,
    period_us: int,
) -> list[tuple[int, Occupancy]]:
    """What the switches of a new board with these pieces read of these gestures."""
    clock = VirtualClock()
    board = SimBoard(clock, pieces=pieces, faults=faults, seed=seed)
    for gesture in gestures:
        board.schedule(gesture.actions)
    return _scanned(board, clock, end_us, period_us)


def _scanned(
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
