"""``boardfw accuracy``: options in; a table, and what went wrong, out."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from boardfw.accuracy.chain_score import ChainScore
from boardfw.accuracy.chains import GAMES as CHAIN_OF
from boardfw.accuracy.chains import play_chain, threes_of
from boardfw.accuracy.games import Played, games_of
from boardfw.accuracy.kept import TRUTH, as_text
from boardfw.accuracy.parallel import play_all
from boardfw.accuracy.playing import Circumstances, Result, Score, Task, play
from boardfw.accuracy.report import (
    ChainSummary,
    KindSummary,
    as_json,
    failures,
    summarise,
    summarise_chains,
    table,
)
from boardfw.accuracy.score import GameScore
from boardfw.cli import STOPPED
from boardfw.cli.interaction import progress
from boardfw.errors import BoardError, ConfigError
from boardfw.recording import SUFFIX
from boardfw.shell.files import make_directory, write_all
from boardfw.squares import NAMES, SWITCH_BY_NAME, Occupancy, occupancy_of
from hardware.sim.hand_profiles import ANY, EVERYBODY, HAND_PROFILES
from hardware.sim.worlds import WORLDS, split

LEVELS = ("open", "closed")
EACH = "each"
"""Instead of a switch: another one in each game."""
FACTORS = ("times", "chances", "bounce")
LEAST, MOST = 0.1, 10.0


def parse_hands(text: str | None) -> list[str]:
    """The kinds of hands named, each once; the usual ones if empty. Raises ConfigError.

    A kind is a name of hands, and of worlds in which they play: ``blitz+bumps``.
    """
    if text is None:
        return [*HAND_PROFILES, ANY]
    known = [*EVERYBODY, ANY]
    kinds = list(dict.fromkeys(word.strip() for word in text.split(",")))
    for kind in kinds:
        try:
            hands, _ = split(kind)
        except ValueError as error:
            worlds = ", ".join(WORLDS)
            raise ConfigError(f"--hands: no world {str(error)!r}; there are {worlds}") from None
        if hands not in known:
            raise ConfigError(f"--hands: no hands {hands!r}; there are {', '.join(known)}")
    return kinds


@dataclass(frozen=True, slots=True)
class Stuck:
    """Switches that are stuck: always the same ones, and one more that is another in each game."""

    levels: dict[str, str]
    """Names of switches, or ``each``, and how they are stuck: ``open`` or ``closed``."""

    def of(self, level: str, number: int) -> Occupancy:
        """The switches stuck at this level in game ``number``, 1 = the first."""
        names = [name for name, stuck in self.levels.items() if stuck == level]
        each = NAMES[(number - 1) % len(NAMES)]
        return occupancy_of(SWITCH_BY_NAME[each if name == EACH else name] for name in names)


def parse_stuck(texts: tuple[str, ...]) -> Stuck:
    """The switches that are stuck, of texts like ``e4=open``. Raises ConfigError."""
    levels: dict[str, str] = {}
    for text in texts:
        name, _, level = text.partition("=")
        if (name not in SWITCH_BY_NAME and name != EACH) or level not in LEVELS:
            raise ConfigError(
                f"--stuck: {text!r} is no stuck switch; write e4=open or e4=closed, "
                "or each=open for another switch in each game"
            )
        if levels.setdefault(name, level) != level:
            raise ConfigError(f"--stuck: {name} cannot be stuck open and closed")
    return Stuck(levels)


def parse_scale(texts: tuple[str, ...]) -> dict[str, float]:
    """The factors of texts like ``chances=2``; a number alone is that of times.

    Raises ConfigError.
    """
    factors: dict[str, float] = {}
    for text in texts:
        name, _, number = text.rpartition("=")
        factor = _number(number)
        if (name or "times") not in FACTORS or not LEAST <= factor <= MOST:
            raise ConfigError(
                f"--scale: {text!r} is no factor; write times=, chances= or bounce= "
                f"and a number from {LEAST} to {MOST:.0f}"
            )
        factors[name or "times"] = factor
    return factors


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0


@dataclass(frozen=True, slots=True)
class Measuring:
    """The options of ``boardfw accuracy``, and what comes of them."""

    games: tuple[str, ...]
    hands: str | None
    seed: int
    count: int | None
    chains: int | None
    jobs: int | None
    keep: Path | None
    as_lines: bool
    scan_hz: float | None
    scale: tuple[str, ...]
    stuck: tuple[str, ...]

    def run(self) -> int:
        """Play all games and tell; the exit status. Raises BoardError."""
        if self.chains is None:
            return self._measure(play, self.tasks(), "games", summarise)
        if any(split(kind)[1].is_analysed for kind in parse_hands(self.hands)):
            raise BoardError("--chains: not with +analysis, which follows a single game")
        if self.count is not None:
            raise BoardError("--count: not together with --chains, which says how many there are")
        threes = threes_of(games_of(self.games, self.chains * CHAIN_OF, self.seed), self.chains)
        if not threes:
            raise BoardError("--chains: none of these games begins with the usual position")
        return self._measure(play_chain, self._tasks(threes), "chains", summarise_chains)

    def tasks(self) -> list[Task]:
        """The games to be played, kind after kind. Raises BoardError."""
        return self._tasks([(game,) for game in games_of(self.games, self.count, self.seed)])

    def _tasks(self, played: Sequence[tuple[Played, ...]]) -> list[Task]:
        stuck, factors = parse_stuck(self.stuck), parse_scale(self.scale)
        period_us = round(1_000_000 / self.scan_hz) if self.scan_hz else None
        there = [
            Circumstances(
                period_us, stuck.of("open", number), stuck.of("closed", number), **factors
            )
            for number in range(1, len(played) + 1)
        ]
        return [
            Task(games, kind, number, self.seed + number - 1, there[number - 1])
            for kind in parse_hands(self.hands)
            for number, games in enumerate(played, 1)
        ]

    def _measure(
        self,
        play_one: Callable[[Task], Result[Score, Any]],
        tasks: Sequence[Task],
        name: str,
        summarised: Callable[[list[Score]], Sequence[KindSummary | ChainSummary]],
    ) -> int:
        """Play all of these, keep what went wrong, and tell; the exit status."""
        if self.keep is not None:
            _check_writable(self.keep)
        scores: list[Score] = []
        is_stopped = False
        try:
            for result in self._played(play_one, tasks):
                scores.append(result.score)
                if self.keep is not None and not result.score.is_good:
                    write_all(_files(self.keep, result))
        except KeyboardInterrupt:
            is_stopped = True
        order = {(task.kind, task.number): place for place, task in enumerate(tasks)}
        scores.sort(key=lambda score: order[score.kind, score.number])
        if scores or self.as_lines:
            click.echo(self._told(name, summarised(scores), scores))
        if is_stopped:
            played = f"{len(scores)} of {len(tasks)} {name} were played"
            click.echo(f"stopped: {played}, and what is told is of those", err=True)
        return STOPPED if is_stopped else 0

    def _played(
        self, play_one: Callable[[Task], Result[Score, Any]], tasks: Sequence[Task]
    ) -> Iterator[Result[Score, Any]]:
        jobs = self.jobs or os.cpu_count() or 1
        with closing(play_all(play_one, tasks, jobs)) as results, progress(len(tasks)) as advance:
            for result in results:
                yield result
                advance()

    def _told(
        self,
        name: str,
        summaries: Sequence[KindSummary | ChainSummary],
        scores: Sequence[GameScore | ChainScore],
    ) -> str:
        if self.as_lines:
            return as_json(name, summaries, scores, self._given())
        failed = list(failures(scores))
        return "\n".join([*table(summaries), *([""] if failed else []), *failed])

    def _given(self) -> dict[str, Any]:
        return {
            "games": self.games,
            "hands": parse_hands(self.hands),
            "seed": self.seed,
            "scan_hz": self.scan_hz,
            "scale": self.scale,
            "stuck": self.stuck,
        }


def _check_writable(directory: Path) -> None:
    """To be asked before anything is played: afterwards is too late to learn of it."""
    make_directory(directory)
    if not os.access(directory, os.W_OK):
        raise BoardError(f"{directory}: cannot be written: no permission")


def _files(directory: Path, result: Result[Score, Any]) -> dict[Path, str | Iterable[str]]:
    return {
        directory / f"{result.score.label}{SUFFIX}": result.trace,
        directory / f"{result.score.label}{TRUTH}": as_text(result.truth),
    }
