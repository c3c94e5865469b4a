"""Whole simulated games in virtual time: what the switches read, and the truth behind it."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random

from boardfw.errors import BusError
from boardfw.ports import Pressed
from boardfw.recording import START_FEN, End, Press, Recording, Scan, TraceWriter
from boardfw.squares import EVERY_SWITCH, NO_SWITCHES, Occupancy, Switch
from hardware.clock import VirtualClock
from hardware.sim.between_games import clear_away, kings_to_centre, set_up
from hardware.sim.forcing import Interference, Scene, forced
from hardware.sim.hand_profiles import HandProfile
from hardware.sim.motion import Motion
from hardware.sim.truth import told_truly

from .board import SimBoard
from .faults import Faults
from .gesture import Gesture
from .hands import Hands, profile_of
from .moving import HandMove

SCAN_PERIOD_US = 2_000  # 500 Hz: five port expanders over a 400 kHz bus take 1 ms
TAIL_US = 1_000_000  # watched after all contacts have come to rest
PAUSE_US = 5_000_000
"""From the end of one thing to the beginning of the next: no promotion is still open by then."""
CLEARED = 0.3
"""How often everything is cleared away before the pieces are set up again: a guess."""


@dataclass(frozen=True, slots=True)
class Watched:
    """``scans``: (t us, occupancy), one for each scan that changed, until ``end_us``.

    ``presses``: buttons and when they were pressed; ``broken``: switches that were broken for some
    of the time, or all of it.
    """

    scans: list[tuple[int, Occupancy]]
    end_us: int
    presses: tuple[Press, ...] = field(default=(), kw_only=True)
    broken: Occupancy = field(default=NO_SWITCHES, kw_only=True)

    def recording(self, start_fen: str = START_FEN) -> Recording:
        """What a board would have recorded of it."""
        return Recording(start_fen, [*self._entries(), End(self.end_us)])

    def trace(self, start_fen: str = START_FEN) -> str:
        """The same as the text of a trace."""
        text = io.StringIO()
        writer = TraceWriter(text, start_fen)
        for entry in self._entries():
            if isinstance(entry, Press):
                writer.button(entry.t_us, entry.button)
            else:
                writer.scan(entry.t_us, entry.occupancy)
        writer.end(self.end_us)
        return text.getvalue()

    def _entries(self) -> list[Scan | Press]:
        scans = [Scan(t_us, occupancy) for t_us, occupancy in self.scans]
        return sorted([*scans, *self.presses], key=lambda entry: entry.t_us)


@dataclass(frozen=True, slots=True)
class Simulated(Watched):
    """One game; a gesture for each move."""

    gestures: list[Gesture]


@dataclass(frozen=True, slots=True)
class HandGame:
    """``pieces``: by square before the moves; rotated for a board used the other way round.

    ``result``: "1-0", "0-1" or "1/2-1/2" where the kings say it on these squares of the board
    (``kings``: of white and of black, as they stand at the end), or None. ``button``: the one that
    is pressed when the last move was made; ``afterwards``: what hands do then. ``cleared``: whether
    all pieces leave the board afterwards; None: now and then.
    """

    moves: tuple[HandMove, ...]
    pieces: Mapping[Switch, str]
    result: str | None = None
    kings: tuple[Switch, Switch] = (EVERY_SWITCH[0], EVERY_SWITCH[0])
    button: Pressed | None = None
    afterwards: Callable[[Motion], None] | None = None
    cleared: bool | None = None


@dataclass(frozen=True, slots=True)
class Evening(Watched):
    """``games``: the gestures of each; ``between``: all others."""

    games: list[list[Gesture]]
    between: list[Gesture]

    def game(self, number: int) -> Simulated:
        """One of its games, 0 = the first, with all that the switches read that evening."""
        return Simulated(
            self.scans,
            self.end_us,
            self.games[number],
            presses=self.presses,
            broken=self.broken,
        )


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
    game = HandGame(tuple(moves), pieces, cleared=False)
    return play_evening([game], kind, seed, faults=faults, scan_period_us=scan_period_us).game(0)


def play_evening(
    games: Sequence[HandGame],
    kind: str | HandProfile,
    seed: int,
    *,
    faults: Faults | None = None,
    scan_period_us: int = SCAN_PERIOD_US,
    interferences: Iterable[Interference] = (),
) -> Evening:
    """These games one after the other by the same hands on the same board.

    ``interferences``: what moves switches besides, each laid over what those before it left.
    """
    faults = faults or profile_of(kind).board
    evening = _Evening(Hands(kind, seed), games[0].pieces)
    for n, game in enumerate(games):
        if n:
            evening.set_up(game.pieces)
        evening.play(game)
    gestures = sorted(
        [*evening.between, *(one for game in evening.games for one in game)],
        key=lambda gesture: gesture.begin_us,
    )
    last_us = max((gesture.settled_us for gesture in gestures), default=0)
    end_us = last_us + faults.longest_us + TAIL_US
    clock = VirtualClock()
    board = SimBoard(clock, pieces=games[0].pieces, faults=faults, seed=seed)
    scans = watch(board, clock, gestures, end_us, scan_period_us)
    broken = NO_SWITCHES
    for interference in interferences:
        random = Random(f"{seed} {interference.__name__}")
        forcings = list(interference(Scene(random, scans, gestures, end_us)))
        scans = forced(scans, forcings, scan_period_us, end_us)
        for forcing in forcings:
            broken |= forcing.opened | forcing.closed if forcing.is_fault else NO_SWITCHES
    told = [
        told_truly(game.moves, played, scans, faults)
        for game, played in zip(games, evening.games, strict=True)
    ]
    presses = tuple(evening.presses)
    return Evening(scans, end_us, told, evening.between, presses=presses, broken=broken)


class _Evening:
    """Hands at a board, and the time."""

    def __init__(self, hands: Hands, pieces: Mapping[Switch, str]) -> None:
        self.games: list[list[Gesture]] = []
        self.between: list[Gesture] = []
        self.presses: list[Press] = []
        self._hands = hands
        self._pieces = dict(pieces)
        self._now_us = 0

    def play(self, game: HandGame) -> None:
        """Play, show the result, and perhaps clear away."""
        gestures = list(self._hands.game(game.moves, self._now_us, self._pieces))
        self.games.append(gestures)
        for gesture in gestures:
            self._did(gesture)
        if game.result is not None:
            self._between(partial(kings_to_centre, result=game.result, kings=game.kings))
        if game.button is not None:
            self.presses.append(Press(self._now_us, game.button))
            self._now_us += PAUSE_US
        if game.afterwards is not None:
            self._between(game.afterwards)
        if game.cleared or (game.cleared is None and self._hands.happens(CLEARED)):
            self._between(clear_away)

    def set_up(self, pieces: Mapping[Switch, str]) -> None:
        """Set up the pieces of the next game."""
        self._between(partial(set_up, wanted=pieces))

    def _between(self, what: Callable[[Motion], None]) -> None:
        gesture = self._hands.do(what, self._now_us, self._pieces)
        self.between.append(gesture)
        self._did(gesture)

    def _did(self, gesture: Gesture) -> None:
        self._pieces = gesture.performed(self._pieces)
        self._now_us = gesture.settled_us + PAUSE_US


def watch(
    board: SimBoard,
    clock: VirtualClock,
    gestures: Iterable[Gesture],
    end_us: int,
    period_us: int = SCAN_PERIOD_US,
) -> list[tuple[int, Occupancy]]:
    """What the switches of a new board read of these gestures.

    On a grid of times, but only where something may have changed.
    """
    for gesture in gestures:
        board.schedule(gesture.actions)
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
