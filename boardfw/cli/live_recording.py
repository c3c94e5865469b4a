"""``boardfw accuracy --live``: a person plays a known game, and the recording is kept."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from pathlib import Path

import click

from boardfw.accuracy.games import Played, games_of
from boardfw.accuracy.guide import Guide
from boardfw.accuracy.kept import TRUTH, as_text, recordings_in, score_kept
from boardfw.accuracy.known_game import found
from boardfw.accuracy.playing import Circumstances, moves_of
from boardfw.accuracy.report import failures, summarise, table
from boardfw.accuracy.score import GameScore
from boardfw.accuracy.sitting import Person, SimulatedPerson, Sitting, pause
from boardfw.accuracy.truth import GameTruth
from boardfw.cli import STOPPED
from boardfw.cli.measure_accuracy import parse_hands
from boardfw.cli.run_setup import board_named, naming_board
from boardfw.errors import BoardError, ConfigError
from boardfw.notation.fen import parse_fen
from boardfw.notation.san import format_san, move_number
from boardfw.ports import Board
from boardfw.recording import SUFFIX, Scan, TraceWriter, read_trace
from boardfw.rules import Move, Position
from boardfw.shell.config import load_config
from boardfw.shell.files import make_directory, write_whole
from hardware import dead_switches, lights_ma, open_board, simulated
from hardware.clock import MonotonicClock, VirtualClock
from hardware.sim.hands import Hands

LIVE = "live"
USUAL_HANDS = "club"
"""Who plays on a simulated board."""


class AtTerminal:
    """Prints each move that is asked for, as a reader of lights may want to see it in words."""

    def __init__(self, start: Position, moves: list[Move]) -> None:
        positions = accumulate(moves, Position.play_unchecked, initial=start)
        self._lines = [
            f"{move_number(start, ply)} {format_san(position, move)}"
            for ply, (position, move) in enumerate(zip(positions, moves, strict=False), 1)
        ]

    def asked(self, number: int, t_us: int) -> None:  # noqa: ARG002
        """Print the move in a line."""
        click.echo(self._lines[number], err=True)


@dataclass(frozen=True, slots=True)
class LiveRecording:
    """The options of ``boardfw accuracy --live``."""

    game: str
    keep: Path | None
    board: str | None
    hands: str | None
    seed: int
    config: Path | None

    def run(self) -> int:
        """Let the game be played, keep it, and print its score; the exit status.

        Raises BoardError.
        """
        if self.keep is None:
            raise ConfigError("--live: name the folder of the recording with --keep DIR")
        hands = self._hands()
        (game,) = games_of([self.game], 1, self.seed)
        make_directory(self.keep)
        trace = _free_name(self.keep)
        stopped = self._record(game, trace, hands)
        truth = self._truth(game, trace)
        write_whole(_truth_file(trace), as_text(truth))
        click.echo(f"kept: {trace} and {_truth_file(trace).name}")
        if len(truth.plies) < len(game.moves):
            click.echo(f"{len(truth.plies)} of {len(game.moves)} plies were found in it")
        if truth.plies:
            _print([score_kept(_truth_file(trace)).score])
        return STOPPED if stopped else 0

    def _record(self, game: Played, trace: Path, hands: str) -> bool:
        """Record the game; True if somebody stopped it with Ctrl-C."""
        settings = load_config(self.config)
        text, parsed = board_named(self.board, settings, self.config)
        clock = VirtualClock() if parsed.is_simulated else MonotonicClock()
        with naming_board(self.board, self.config):
            board = open_board(text, clock=clock, start_fen=game.start_fen)
        with closing(board), closing(self._writer(game, trace, board)) as writer:
            lights = settings.with_budget(lights_ma(board, settings.lights.budget_ma)).lights
            start = parse_fen(game.start_fen)
            moves = moves_of(start, game.moves)
            sitting = Sitting(board, clock, Guide(start, moves), writer, lights.palette())
            persons: list[Person] = [AtTerminal(start, moves)]
            wait = pause
            if isinstance(clock, VirtualClock) and (sim := simulated(board)) is not None:
                profile = Circumstances().hands(hands, self.seed)
                persons = [SimulatedPerson(sim, Hands(profile, self.seed), start, moves)]
                wait = partial(sitting.jump, sim, clock)
            try:
                sitting.run(persons, wait)
            except KeyboardInterrupt:
                return True
        return False

    def _hands(self) -> str:
        kinds = parse_hands(self.hands or USUAL_HANDS)
        if len(kinds) > 1:
            raise ConfigError("--hands: with --live one kind of hands plays, not several")
        return kinds[0]

    def _writer(self, game: Played, trace: Path, board: Board) -> TraceWriter:
        return TraceWriter(trace, game.start_fen, dead_switches(board))

    def _truth(self, game: Played, trace: Path) -> GameTruth:
        recording = read_trace(trace)
        scans = [(one.t_us, one.occupancy) for one in recording.entries if isinstance(one, Scan)]
        start = parse_fen(game.start_fen)
        plies, shown = found(start, moves_of(start, game.moves), scans) if scans else ((), ())
        number = int(trace.name.removesuffix(SUFFIX).rpartition("-")[2])
        return GameTruth(
            kind=LIVE,
            number=number,
            name=game.name,
            seed=self.seed,
            start_fen=game.start_fen,
            plies=plies,
            end_us=recording.end_us,
            shown=shown,
            broken=recording.dead,
        )


def score_folder(directory: Path) -> int:
    """Print how the firmware reads the recordings of a folder; the exit status.

    Raises BoardError.
    """
    _print([score_kept(path).score for path in recordings_in(directory)])
    return 0


def _print(scores: list[GameScore]) -> None:
    failed = list(failures(scores))
    click.echo("\n".join([*table(summarise(scores)), *([""] if failed else []), *failed]))


def _truth_file(trace: Path) -> Path:
    return trace.with_name(trace.name.removesuffix(SUFFIX) + TRUTH)


def _free_name(directory: Path) -> Path:
    """Return the next name of a recording that no file of the folder has."""
    for number in range(1, 10_000):
        path = directory / f"{LIVE}-{number:04}{SUFFIX}"
        if not path.exists() and not _truth_file(path).exists():
            return path
    raise BoardError(f"{directory}: is full; name another folder")
