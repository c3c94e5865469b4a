"""``boardfw accuracy``: options in; a table, and what went wrong, out."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click
import msgspec

from boardfw.cli import STOPPED
from boardfw.cli.accuracy.chains import GAMES as CHAIN_OF
from boardfw.cli.accuracy.chains import chains_of, play_chain, told_chains
from boardfw.cli.accuracy.crowd import play_all
from boardfw.cli.accuracy.games import games_of
from boardfw.cli.accuracy.parsing import parse_hands, parse_scale, parse_stuck
from boardfw.cli.accuracy.playing import Circumstances, Result, Task, play
from boardfw.cli.progress import progress
from boardfw.errors import BoardError
from boardfw.shell.accuracy.report import as_json, failures, table
from boardfw.shell.accuracy.score import GameScore
from boardfw.shell.accuracy.summary import summarise
from boardfw.shell.files import make_directory, write_all

USUAL_HZ = 500
"""How often the switches are read where nobody says otherwise."""


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
    scan_hz: float
    scale: tuple[str, ...]
    stuck: tuple[str, ...]
    _scores: list[GameScore] = field(default_factory=list)

    def run(self) -> int:
        """Play all games and tell; the exit status. Raises BoardError."""
        if self.chains is not None:
            return self._run_chains(self.chains)
        tasks = self._tasks()
        if self.keep is not None:
            _check_writable(self.keep)
        is_stopped = False
        try:
            self._play(tasks)
        except KeyboardInterrupt:
            is_stopped = True
        self._tell(tasks)
        if is_stopped:
            played = f"{len(self._scores)} of {len(tasks)} games were played"
            click.echo(f"stopped: {played}, and what is told is of those", err=True)
        return STOPPED if is_stopped else 0

    def _run_chains(self, count: int) -> int:
        """Play chains of games instead. Raises BoardError."""
        if self.keep or self.scale or self.stuck or self.count or self.scan_hz != USUAL_HZ:
            raise BoardError(
                "--chains: not together with --count, --keep, --scale, --stuck or --scan-hz"
            )
        games = games_of(self.games, count * CHAIN_OF, self.seed)
        kinds = parse_hands(self.hands)
        chains = chains_of(games, kinds, self.seed, count)
        if not chains:
            raise BoardError("--chains: no game among these begins with the usual position")
        jobs, scores, is_stopped = self.jobs or os.cpu_count() or 1, [], False
        try:
            with closing(play_all(play_chain, chains, jobs)) as played, progress(len(chains)) as on:
                for score in played:
                    scores.append(score)
                    on()
        except KeyboardInterrupt:
            is_stopped = True
            told = f"{len(scores)} of {len(chains)} chains were played"
            click.echo(f"stopped: {told}, and what is told is of those", err=True)
        scores.sort(key=lambda score: (kinds.index(score.kind), score.number))
        if self.as_lines:
            click.echo(msgspec.json.encode({"given": self._given(), "chains": scores}))
        else:
            click.echo("\n".join(told_chains(scores)))
        return STOPPED if is_stopped else 0

    def _tasks(self) -> list[Task]:
        kinds, there = parse_hands(self.hands), self._circumstances()
        games = games_of(self.games, self.count, self.seed)
        return [
            Task(game, kind, number, self.seed + number - 1, there(number))
            for kind in kinds
            for number, game in enumerate(games, 1)
        ]

    def _circumstances(self) -> Callable[[int], Circumstances]:
        """What the circumstances of each game are, by its number."""
        stuck, factors = parse_stuck(self.stuck), parse_scale(self.scale)
        period_us = round(1_000_000 / self.scan_hz)
        return lambda number: Circumstances(
            period_us, stuck.of("open", number), stuck.of("closed", number), **factors
        )

    def _play(self, tasks: list[Task]) -> None:
        jobs = self.jobs or os.cpu_count() or 1
        with closing(play_all(play, tasks, jobs)) as results, progress(len(tasks)) as advance:
            for result in results:
                self._take(result)
                advance()

    def _take(self, result: Result) -> None:
        self._scores.append(result.score)
        if self.keep is not None and not result.is_good:
            write_all(_files(self.keep, result))

    def _tell(self, tasks: list[Task]) -> None:
        order = {(task.kind, task.number): place for place, task in enumerate(tasks)}
        scores = sorted(self._scores, key=lambda score: order[score.kind, score.number])
        if self.as_lines:
            click.echo(as_json(summarise(scores), scores, self._given()))
        elif scores:
            click.echo("\n".join(_text(scores)))

    def _given(self) -> dict[str, Any]:
        return {
            "games": self.games,
            "hands": parse_hands(self.hands),
            "seed": self.seed,
            "scan_hz": self.scan_hz,
            "scale": self.scale,
            "stuck": self.stuck,
        }


def _text(scores: list[GameScore]) -> Iterator[str]:
    yield from table(summarise(scores))
    failed = list(failures(scores))
    if failed:
        yield ""
        yield from failed


def _check_writable(directory: Path) -> None:
    """To be asked before anything is played: afterwards is too late to learn of it."""
    make_directory(directory)
    if not os.access(directory, os.W_OK):
        raise BoardError(f"{directory}: cannot be written: no permission")


def _files(directory: Path, result: Result) -> dict[Path, str | Iterable[str]]:
    stem = f"{result.score.kind}-{result.score.number:04}"
    truth = msgspec.json.format(msgspec.json.encode(result.truth), indent=1).decode() + "\n"
    return {
        directory / f"{stem}.trace.jsonl": result.trace,
        directory / f"{stem}.truth.json": truth,
    }
