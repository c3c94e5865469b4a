"""``boardfw run``: puts a board, a session and a screen together, and lets them play."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from collections.abc import Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

import click

from boardfw.cli import STOPPED
from boardfw.cli.printer import Printer
from boardfw.document import read_document
from boardfw.errors import ConfigError, NotationError, TraceError, WiringError
from boardfw.game.session import Session
from boardfw.notation.fen import format_fen, parse_fen
from boardfw.notation.pgn import MainLine
from boardfw.ports import Board, Clock
from boardfw.recording import TraceWriter
from boardfw.rules import Position
from boardfw.shell.config import Settings, load_config
from boardfw.shell.desk import Desk, Pgn, tags_of
from boardfw.shell.files import write_whole
from boardfw.shell.pgn_file import PgnFile
from boardfw.shell.places import claimed, pgn_place, record_place, trace_place
from boardfw.shell.runtime import Runtime, today
from boardfw.shell.store.books import Books
from boardfw.shell.store.store import wall_ms
from boardfw.shell.systemd import Notifier
from boardfw.shell.virtual import Foreseeable, play_through
from boardfw.terminal.player import Player, read_game
from boardfw.terminal.tap import Tap
from hardware import SCHEMES, innermost, lights_ma, open_board, simulated
from hardware.clock import MonotonicClock, VirtualClock
from hardware.replay import ReplayBoard
from hardware.sim.manners import MANNERS
from hardware.spy import SpyBoard

FASTEST = 50
"""Above this a scan comes too seldom for the clock: quick touches fall between two of them."""
SIMULATED = ("sim", "sim-i2c")
"""Boards on which simulated hands can play."""
BAD_END = 2
"""Exit status when the games could not be written."""


@dataclass(frozen=True, slots=True)
class Running:
    """The options of ``boardfw run``, and what comes of them."""

    url: str | None
    play: str | None
    speed: str
    hands: str
    seed: int
    pgn: Path | None
    record: Path | None
    trace: Path | None
    config: Path | None

    def run(self) -> int:
        """Play until the game, or the wish to play, is over; the exit status."""
        settings = load_config(self.config)
        speed = parse_speed(self.speed)
        if self.hands not in MANNERS:
            raise ConfigError(f"--hands: no hands {self.hands!r}; there are {', '.join(MANNERS)}")
        game = None if self.play is None else read_game(self.play)
        streams = (sys.stdin, sys.stdout)  # None where a service was started without them
        interactive = all(stream is not None and stream.isatty() for stream in streams)
        if speed is None or (game is not None and not interactive):
            return self._play_through(settings, game)
        return self._play_live(settings, game, speed, interactive)

    # --- as fast as it goes

    def _play_through(self, settings: Settings, game: MainLine | None) -> int:
        clock = VirtualClock()
        board, desk, path, books = self._open(settings, game, clock, to_the_end=True)
        source = cast("Foreseeable", innermost(board))  # no other passes the check
        printer = Printer(desk)
        listeners = [printer.hear]
        is_stopped = False
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # to be stopped is no accident
        try:
            sim = simulated(board)
            if game is not None and sim is not None:
                player = Player(sim, self.hands, self.seed)
                player.begin(game.start, game.moves, clock.now_us())
                player.play_all()
                listeners.append(player.hear)
            play_through(board, source, clock, desk, listeners, books)
        except KeyboardInterrupt:
            is_stopped = True
            click.echo("stopped", err=True)
        finally:
            with closing(board):  # the game first: a recording that cannot be ended costs no ply
                write_whole(path, Pgn(settings, today).text(desk.session.games))
                if books:
                    books.close()
        played = None if game is None or is_stopped else tuple(game.moves)
        status = printer.conclude(path, played)
        return STOPPED if is_stopped else status

    # --- at a human pace

    def _play_live(
        self, settings: Settings, game: MainLine | None, speed: float, interactive: bool
    ) -> int:
        clock = MonotonicClock(speed)
        board, desk, path, books = self._open(settings, game, clock)
        notifier = Notifier.from_environment()
        pgn = PgnFile(path)
        runtime = Runtime(
            Tap(board), clock, desk, pgn=pgn, books=books, speed=speed, notifier=notifier
        )
        status = 0
        try:
            if interactive:
                status = self._show(runtime, clock, board, game, path)
            else:
                runtime.listen(Printer(desk).hear)
                asyncio.run(_until_signal(runtime))
        finally:
            board.close()
        if pgn.unwritten is not None:
            click.echo(pgn.unwritten)
            click.echo(f"{path}: could not be written; the games stand above", err=True)
            return BAD_END
        click.echo(f"PGN: {path}")
        return status

    def _show(
        self, runtime: Runtime, clock: Clock, board: Board, game: MainLine | None, path: Path
    ) -> int:
        from boardfw.terminal.app import TerminalBoard

        app = TerminalBoard(
            runtime, clock, simulated(board), hands=self.hands, seed=self.seed, pgn_path=path
        )
        app.play(game)
        app.run()
        if app.fault:
            click.echo(app.fault, err=True)
        return app.return_code or 0

    def _open(
        self, settings: Settings, game: MainLine | None, clock: Clock, *, to_the_end: bool = False
    ) -> tuple[Board, Desk, Path, Books | None]:
        """The board, a desk for the game that begins on it, the PGN file, the record."""
        logging.basicConfig(level=logging.WARNING, format="%(message)s")
        url = settings.board.url if self.url is None else self.url
        start = Position.start() if game is None else game.start
        # All that may be wrong is looked at before anything is opened: a spy begins a file.
        _check_url(url, game, to_the_end=to_the_end)
        path = pgn_place(self.pgn, settings)
        trace = trace_place(self.trace, settings)
        record = None if _is_recorded(url) else record_place(self.record, settings, game)
        named = {"--pgn": path, "--trace": trace, "--record": record}
        _check_apart({**named, "--play": self.play, "--board": url})
        with ExitStack() as stack:  # undone where something goes wrong
            books = Books(record, wall_ms) if record and record.exists() else None
            if books:
                stack.callback(books.close)
            unfinished = books.take_up() if books and game is None else None
            stands = start if unfinished is None else unfinished.record.positions()[-1]
            try:
                board = open_board(url, clock=clock, start_fen=format_fen(stands))
            except WiringError as error:
                raise ConfigError(f"{self._place_of_url()}: {error}") from error
            stack.callback(board.close)
            if unfinished and simulated(board):
                unfinished = replace(unfinished, turn=0)  # its men were set up just now
            start = _start(innermost(board), url, start)
            if trace is not None:
                board = SpyBoard(board, TraceWriter(trace, format_fen(start)), clock)
            path = path if self.pgn else claimed(path)
            if record and not books:  # nothing is left behind where the board cannot be had
                books = Books(record, wall_ms)
            stack.pop_all()
        settings = settings.with_budget(lights_ma(board, settings.lights.budget_ma))
        session = Session(start, settings.settle.square_us, unfinished)
        if books:
            books.begin(session, tags_of(settings))
        return board, Desk(session, settings), path, books

    def _place_of_url(self) -> str:
        """Where the name of the board was given: the option, or FILE:LINE of the settings."""
        if self.url is not None or self.config is None:
            return "--board"
        return read_document(self.config, ConfigError).at(("board", "url"))


def _is_recorded(url: str) -> bool:
    """Whether a board plays a recording back: no game is played there."""
    return "replay:" in url


def _check_url(url: str, game: MainLine | None, *, to_the_end: bool) -> None:
    """Raises ConfigError where the board that a URL names cannot be played on as it is wished."""
    while url.startswith("spy:"):
        url = url.partition(",")[2]
    scheme = url.partition(":")[0]
    if scheme not in SCHEMES:
        return  # opening it says which names there are
    if game is not None and scheme not in SIMULATED:
        raise ConfigError(f"--play needs the simulated board, not {url!r}: its hands play")
    if to_the_end and scheme not in (*SIMULATED, "replay"):
        raise ConfigError("--speed max needs a simulated or a recorded board")
    if to_the_end and scheme in SIMULATED and game is None:
        raise ConfigError("--speed max needs something to play: add --play PGN")


def _check_apart(named: Mapping[str, Path | str | None]) -> None:
    """Raises ConfigError where what is to be written would replace what is read, or each other."""
    seen: dict[Path, str] = {}
    for option, name in named.items():
        # Of a URL only the file it plays back matters.
        file = name.rpartition("replay:")[2] if isinstance(name, str) else name
        if file is None or (option == "--board" and file == name):
            continue
        path = Path(file).resolve()
        if path in seen:
            raise ConfigError(f"{option} and {seen[path]} name the same file {file}; name another")
        seen[path] = option


def parse_speed(text: str) -> float | None:
    """A factor above 0, or None for "max". Raises ConfigError."""
    if text == "max":
        return None
    try:
        speed = float(text)
    except ValueError:
        speed = 0.0
    if not 0 < speed <= FASTEST:
        raise ConfigError(f"--speed: {text!r} is no speed; give a number up to {FASTEST}, or 'max'")
    return speed


def _start(source: Board, url: str, wished: Position) -> Position:
    """Where the game starts: as a recording says, else as it is wished. Raises TraceError."""
    if not isinstance(source, ReplayBoard):
        return wished
    try:
        return parse_fen(source.start_fen)
    except NotationError as error:
        raise TraceError(f"{url.rpartition('replay:')[2]}:1: start_fen: {error}") from error


async def _until_signal(runtime: Runtime) -> None:
    """Play until the service is told to stop, or somebody presses Ctrl-C."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, runtime.stop)
    await runtime.run()
