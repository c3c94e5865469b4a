"""Several games on one board, and what hands do between them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from boardfw.squares import EVERY_SWITCH, Switch
from hardware.sim.between_games import clear_away, kings_to_centre, set_up
from hardware.sim.faults import Faults
from hardware.sim.gesture import Gesture
from hardware.sim.hand_profiles import HandProfile
from hardware.sim.hands import Hands
from hardware.sim.motion import Motion
from hardware.sim.moving import HandMove
from hardware.sim.record import SCAN_PERIOD_US, Watched, end_of, usual_faults, watch
from hardware.sim.truth import told_truly

PAUSE_US = 5_000_000
"""From the end of one thing to the beginning of the next: no promotion is still open by then."""
CLEARED = 0.3
"""How often everything is cleared away before the pieces are set up again: a guess."""


@dataclass(frozen=True, slots=True)
class HandGame:
    """``pieces``: by square before the moves; rotated for a board used the other way round.

    ``result``: "1-0", "0-1" or "1/2-1/2" where the kings say it on these squares of the board
    (``kings``: of white and of black, as they stand at the end), or None. ``cleared``: whether all
    pieces leave the board afterwards; None: now and then.
    """

    moves: tuple[HandMove, ...]
    pieces: Mapping[Switch, str]
    result: str | None = None
    kings: tuple[Switch, Switch] = (EVERY_SWITCH[0], EVERY_SWITCH[0])
    cleared: bool | None = None


@dataclass(frozen=True, slots=True)
class Evening(Watched):
    """``games``: the gestures of each; ``between``: all others."""

    games: list[list[Gesture]]
    between: list[Gesture]


def play_evening(
    games: Sequence[HandGame],
    kind: str | HandProfile,
    seed: int,
    *,
    faults: Faults | None = None,
    scan_period_us: int = SCAN_PERIOD_US,
) -> Evening:
    """These games one after the other by the same hands on the same board."""
    faults = faults or usual_faults(kind)
    evening = _Evening(Hands(kind, seed), games[0].pieces)
    for n, game in enumerate(games):
        if n:
            evening.set_up(game.pieces)
        evening.play(game)
    gestures = sorted(
        [*evening.between, *(one for game in evening.games for one in game)],
        key=lambda gesture: gesture.begin_us,
    )
    end_us = end_of(gestures, faults)
    scans = watch(gestures, games[0].pieces, faults, seed, end_us, scan_period_us)
    told = [
        told_truly(game.moves, played, scans, faults)
        for game, played in zip(games, evening.games, strict=True)
    ]
    return Evening(scans, end_us, told, evening.between)


class _Evening:
    """Hands at a board, and the time."""

    def __init__(self, hands: Hands, pieces: Mapping[Switch, str]) -> None:
        self.games: list[list[Gesture]] = []
        self.between: list[Gesture] = []
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
