"""``boardfw run``: puts a board, a session and a screen together, and lets them play."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path

import click

from boardfw.errors import ConfigError, NotationError
from boardfw.game.session import Session
from boardfw.notation.fen import format_fen, parse_fen
from boardfw.notation.pgn import Game, read_games
from boardfw.player import Player
from boardfw.ports import Board, Clock
from boardfw.printer import Printer
from boardfw.rules import Position
from boardfw.shell.config import Settings, load_config
from boardfw.shell.desk import Desk, pgn_of
from boardfw.shell.files import make_directory, write_whole
from boardfw.shell.pgn_file import PgnFile
from boardfw.shell.runtime import Runtime
from boardfw.shell.systemd import Notifier
from boardfw.shell.virtual import play_through
from hardware import innermost, open_board
from hardware.clock import MonotonicClock, VirtualClock
from hardware.replay import ReplayBoard
from hardware.sim.board import SimBoard
from hardware.sim.manners import MANNERS

FAMOUS = "famous"
NOT_AS_PLAYED = 1
"""Exit status when the game recorded is not the game that the hands played."""


@dataclass(frozen=True, slots=True)
class Running:
    """The options of ``boardfw run``, and what comes of them."""

    url: str | None
    play: str | None
    speed: str
    hands: str
    seed: int
    pgn: Path | None
    trace: Path | None
    config: Path | None

    def run(self) -> int:
        """Play until the game, or the wish to play, is over; the exit status."""
        settings = load_config(self.config)
        speed = parse_speed(self.speed)
        if self.hands not in MANNERS:
            raise ConfigError(f"--hands: no hands {self.hands!r}; there are {', '.join(MANNERS)}")
        game = None if self.play is None else read_game(self.play)
        interactive = sys.stdin.isatty() and sys.stdout.isatty()
        if speed is None or (game is not None and not interactive):
            return self._play_through(settings, game)
        return self._play_live(settings, game, speed, interactive)

    # --- as fast as it goes

    def _play_through(self, settings: Settings, game: Game | None) -> int:
        clock = VirtualClock()
        board = self._open(settings, game, clock)
        source = innermost(board)
        if not isinstance(source, SimBoard | ReplayBoard):
            raise ConfigError("--speed max needs a simulated or a recorded board")
        if isinstance(source, SimBoard) and game is None:
            raise ConfigError("--speed max needs something to play: add --play PGN")
        path = self._pgn_path(settings)
        desk = Desk(Session(_start(source, game), settings.settle.square_us), settings)
        if game is not None and isinstance(source, SimBoard):
            player = Player(source, self.hands, self.seed)
            player.begin(game.start, game.moves, clock.now_us())
            player.play_all()
        printer = Printer(desk)
        try:
            play_through(board, source, clock, desk, printer.hear)
        except KeyboardInterrupt:
            click.echo("stopped", err=True)
        finally:
            write_whole(path, pgn_of(desk.session.games, settings, _today()))
            board.close()
        return printer.conclude(path, None if game is None else tuple(game.moves))

    # --- at a human pace

    def _play_live(
        self, settings: Settings, game: Game | None, speed: float, interactive: bool
    ) -> int:
        clock = MonotonicClock(speed)
        board = self._open(settings, game, clock)
        source = innermost(board)
        path = self._pgn_path(settings)
        desk = Desk(Session(_start(source, game), settings.settle.square_us), settings)
        notifier = Notifier.from_environment()
        pgn = PgnFile(path)
        runtime = Runtime(board, clock, desk, pgn=pgn, speed=speed, notifier=notifier)
        try:
            if interactive:
                self._show(runtime, clock, source, game, path)
            else:
                runtime.listen(Printer(desk).hear)
                asyncio.run(_until_signal(runtime))
        finally:
            board.close()
        click.echo(f"PGN: {path}")
        return 0

    def _show(
        self, runtime: Runtime, clock: Clock, source: Board, game: Game | None, path: Path
    ) -> None:
        from boardfw.terminal.app import TerminalBoard

        sim = source if isinstance(source, SimBoard) else None
        app = TerminalBoard(runtime, clock, sim, hands=self.hands, seed=self.seed, pgn_path=path)
        app.play(game)
        app.run()

    def _open(self, settings: Settings, game: Game | None, clock: Clock) -> Board:
        logging.basicConfig(level=logging.WARNING, format="%(message)s")
        url = self.url or settings.board.url
        if self.trace is not None:
            url = f"spy:{self.trace},{url}"
        start = Position.start() if game is None else game.start
        board = open_board(url, clock=clock, start_fen=format_fen(start))
        if game is not None and not isinstance(innermost(board), SimBoard):
            board.close()
            raise ConfigError(f"--play needs the simulated board, not {url!r}: its hands play")
        return board

    def _pgn_path(self, settings: Settings) -> Path:
        if self.pgn is not None:
            make_directory(self.pgn.parent)
            return self.pgn
        directory = Path(settings.record.pgn)
        make_directory(directory)
        now = datetime.now(UTC).astimezone()
        return directory / f"{now:%Y-%m-%d-%H%M%S}.pgn"


def parse_speed(text: str) -> float | None:
    """A factor above 0, or None for "max". Raises ConfigError."""
    if text == "max":
        return None
    try:
        speed = float(text)
    except ValueError:
        speed = 0.0
    if not 0 < speed <= 1000:
        raise ConfigError(f"--speed: {text!r} is no speed; give a number up to 1000, or 'max'")
    return speed


def read_game(name: str) -> Game:
    """The first game of a PGN file, or the built-in one. Raises NotationError."""
    if name == FAMOUS:
        text = resources.files("boardfw.games").joinpath("famous.pgn").read_text(encoding="utf-8")
    else:
        try:
            text = Path(name).read_text(encoding="utf-8-sig", errors="replace")
        except OSError as error:
            raise NotationError(f"{name}: cannot be read: {error.strerror}") from error
    game = next(read_games(text, name), None)
    if game is None:
        raise NotationError(f"{name}: holds no game")
    return game


def _start(source: Board, game: Game | None) -> Position:
    if isinstance(source, ReplayBoard):
        return parse_fen(source.start_fen)
    return Position.start() if game is None else game.start


def _today() -> str:
    return f"{datetime.now(UTC).astimezone():%Y.%m.%d}"


async def _until_signal(runtime: Runtime) -> None:
    """Play until the service is told to stop, or somebody presses Ctrl-C."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, runtime.stop)
    await runtime.run()
