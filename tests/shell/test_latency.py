"""Lights that keep up with the hands and never flicker: frames against what was said."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import TypeAlias

import pytest

from boardfw.frame import Frame
from boardfw.game.events import Action, Lifted, Mismatched
from boardfw.lights.patterns import MAX_FLASHES_PER_S
from boardfw.players.game_player import hand_moves, read_game
from boardfw.recording import START_FEN, End, Recording, Scan
from boardfw.rules import Position
from boardfw.shell.config import LightSettings, Settings
from boardfw.shell.replay import Replay
from boardfw.squares import (
    EVERY_SWITCH,
    SWITCH_BY_NAME,
    Occupancy,
    Switch,
    bitboard_of,
    occupancy_of,
    switches_in,
)
from hardware.sim.board import pieces_of
from hardware.sim.record import simulate
from tests.lights.shown import current_ma
from tests.shell.test_objections import EACH

AT_ONCE_US = 30_000
"""From the settled edge to the light."""
SECOND_US = 1_000_000
NOTICED = 0.1
"""Of the brightest that a light becomes: WCAG counts no smaller change as a flash."""
EYES = Settings(lights=LightSettings(help_level=2))

Course: TypeAlias = list[tuple[int, Frame]]


def recorded(kind: str, seed: int) -> Recording:
    """The famous game by simulated hands."""
    moves = list(hand_moves(Position.start(), read_game("famous").moves))
    game = simulate(moves, kind, seed, pieces_of(START_FEN))
    scans = [Scan(t_us, occupancy) for t_us, occupancy in game.scans]
    return Recording(START_FEN, [*scans, End(scans[-1].t_us + 5 * SECOND_US)])


def illegal(dance: str, fen: str) -> Recording:
    """Touches a second apart, and a rest."""
    entries: list[Scan | End] = [Scan(0, start_of(fen))]
    standing = start_of(fen)
    for number, token in enumerate(dance.split(), 1):
        standing ^= 1 << SWITCH_BY_NAME[token[1:3]]
        entries.append(Scan(number * SECOND_US, standing))
    return Recording(fen, [*entries, End((len(entries) + 8) * SECOND_US)])


def start_of(fen: str) -> Occupancy:
    return occupancy_of(pieces_of(fen))


class Watched:
    """A replay: its frames, and for each thing said the squares that were to be lit."""

    def __init__(self, recording: Recording, settings: Settings) -> None:
        self.heard: list[tuple[Action, frozenset[Switch]]] = []
        self._replay = Replay(recording, settings, frames=True, hear=self._hear)
        self._replay.play()
        lines = list(map(json.loads, self._replay.frames))
        self.course: Course = [(line["t"], Frame(bytes.fromhex(line["rgb"]))) for line in lines]
        self._times = [t_us for t_us, _ in self.course]

    def lit(self, t_us: int) -> set[Switch]:
        """What is lit at an instant."""
        _, frame = self.course[bisect_right(self._times, t_us) - 1]
        return {square for square in EVERY_SWITCH if any(frame[square])}

    def _hear(self, said: list[Action]) -> None:
        view = self._replay.desk.view
        targets = bitboard_of(move.target for move in view.destinations)
        if view.reason is not None:
            targets = view.reason.pieces
        lit = switches_in(view.orientation.switches(targets))
        self.heard += [(action, frozenset(lit)) for action in said]


@pytest.mark.parametrize("kind", ["careful", "club", "child"])
def test_what_a_lift_lights_is_lit_within_30_ms_of_the_settled_edge(kind: str) -> None:
    watched = Watched(recorded(kind, 1), Settings())
    times = [action.t_us for action, _ in watched.heard]
    asked = 0
    for (action, targets), next_us in zip(watched.heard, [*times[1:], times[-1]], strict=True):
        if isinstance(action, Lifted) and targets and next_us > action.t_us + AT_ONCE_US:
            asked += 1
            assert targets <= watched.lit(action.t_us + AT_ONCE_US)
    assert asked > 20


@pytest.mark.parametrize(("fen", "dance"), [(fen, dance) for _, fen, dance, *_ in EACH])
def test_a_reason_is_lit_at_once_when_the_mismatch_is_said(fen: str, dance: str) -> None:
    watched = Watched(illegal(dance, fen), Settings())
    for action, pieces in watched.heard:
        if isinstance(action, Mismatched):
            assert pieces <= watched.lit(action.t_us + AT_ONCE_US)


def flashes(course: Course) -> Iterator[tuple[Switch, list[int]]]:
    """For each colour of each square, when it rose by more than a flash's tenth after a fall."""
    times = [t_us for t_us, _ in course]
    for number, levels in enumerate(zip(*(frame.pixels for _, frame in course), strict=True)):
        yield Switch(number // 3), rises(times, levels)


def rises(times: Sequence[int], levels: Sequence[int]) -> list[int]:
    """Return when a level rose by more than a flash's tenth after it had fallen by one."""
    least = max(levels) * NOTICED
    low = high = levels[0]
    rising, rose_us = True, []
    for t_us, level, before in zip(times[1:], levels[1:], levels, strict=False):
        if level == before:
            continue
        low, high = min(low, level), max(high, level)
        if rising and level < high - least:
            rising, low = False, level
        elif not rising and level > low + least:
            rising, high = True, level
            rose_us.append(t_us)
    return rose_us


def worst(times: Sequence[int]) -> int:
    """The most of these instants in any one second."""
    return max(
        (bisect_right(times, t_us + SECOND_US - 1) - i for i, t_us in enumerate(times)), default=0
    )


def held(course: Course, budget_ma: int) -> None:
    """No square flashes more than three times a second, and no frame is over the budget."""
    assert all(current_ma(frame) <= budget_ma for _, frame in course)
    for square, rose_us in flashes(course):
        assert worst(rose_us) <= MAX_FLASHES_PER_S, square


@pytest.mark.parametrize(("fen", "dance"), [(fen, dance) for _, fen, dance, *_ in EACH])
@pytest.mark.parametrize("mono", [False, True])
def test_no_reason_flashes_or_draws_too_much(fen: str, dance: str, mono: bool) -> None:
    lights = LightSettings(help_level=3, mono=mono, brightness=1.0)
    watched = Watched(illegal(dance, fen), Settings(lights=lights))
    assert len(watched.course) > 20
    held(watched.course, lights.budget_ma)


@pytest.mark.slow
def test_no_game_of_erring_hands_flashes_or_draws_too_much(full: bool) -> None:
    mismatches = 0
    for seed in range(40 if full else 4):
        watched = Watched(recorded("child", seed), EYES)
        mismatches += sum(isinstance(action, Mismatched) for action, _ in watched.heard)
        held(watched.course, EYES.lights.budget_ma)
    assert mismatches
