"""``boardfw run``: puts a board, a session and a screen together, and lets them play."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Coroutine
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from boardfw import __version__
from boardfw.cli import BROKEN, STOPPED
from boardfw.cli.journal import complain, is_journal, log_to
from boardfw.cli.opponent_wished import Wished, who_plays
from boardfw.cli.printer import COLUMNS, JournalPrinter, Printer
from boardfw.cli.run_setup import USUAL_HANDS, Opened, Wish, board_named, listening, open_run
from boardfw.errors import BoardError, ConfigError
from boardfw.notation.pgn import MainLine
from boardfw.ports import Clock, Pressed
from boardfw.recording import Press
from boardfw.services.levels import Level
from boardfw.shell.away_seat import AwaySeat
from boardfw.shell.coach_seat import CoachSeat
from boardfw.shell.config import Settings, load_config
from boardfw.shell.desk import Desk, Follower
from boardfw.shell.game_export import Exporter, Waiting
from boardfw.shell.panel.buttons import MeaningPanel
from boardfw.shell.pgn_file import PgnFollower
from boardfw.shell.places import games_directory, record_place
from boardfw.shell.review_seat import ReviewSeat
from boardfw.shell.runtime import Runtime
from boardfw.shell.status.status_file import Sources, StatusFile
from boardfw.shell.status.status_report import place
from boardfw.shell.systemd import Notifier, ask_for_power_off, state_directory
from boardfw.shell.virtual import Foreseeable, VirtualLoop
from boardfw.shell.web.address import OFF, Listening
from hardware import innermost, simulated, troubles
from hardware.clock import MonotonicClock, PacedClock, VirtualClock

if TYPE_CHECKING:  # a service without a screen, simulated hands or pages imports none of these
    from boardfw.players.game_player import Player
    from boardfw.shell.web.page_server import PageServer
    from boardfw.terminal.seat import Seat
    from boardfw.terminal.talk import Talk
    from hardware.sim.board import SimBoard

KEEP_UP_S = 0.05
"""How often simulated hands go on."""


def followers_of(opened: Opened, settings: Settings) -> list[Follower]:
    """What follows the games of a run, by the settings. Unrecorded games are not exported."""
    followers: list[Follower] = [PgnFollower(opened.pgn, opened.words)]
    if opened.record and settings.record.export:
        target = state_directory() / settings.record.export
        waiting = Waiting(games_directory(settings) / "to-export", target)
        followers.append(Exporter(waiting, opened.words))
    if file := place():
        followers.append(StatusFile(file, _sources(opened)))
    return followers


def _sources(opened: Opened) -> Sources:
    def records() -> list[Path]:
        pgn = opened.pgn.path if opened.pgn.is_named else None
        return [path for path in (opened.record, pgn) if path]

    return Sources(
        opened.url, opened.clock, opened.calendar, lambda: troubles(opened.board), records
    )


LINES_ONLY = "dumb"
"""TERM of a terminal that can only write one line below the other, as within an editor."""


class Running(Wish):
    """A run as it is wished."""

    def run(self) -> int:
        """Play until the game, or the wish to play, is over; the exit status."""
        names = self.white, self.black
        "".join(filter(None, names)).encode()  # what is no text is told before the game
        settings, speed = load_config(self.config), self.factor
        is_played = speed is None or self.play is not None
        _, url = board_named(self.url, settings, self.config)
        by_hand = not is_played and not url.is_recorded
        record = None if url.is_recorded else record_place(self.record, settings)
        wished = who_plays(
            settings,
            self.config,
            names,
            seed=self.seed,
            is_by_hand=by_hand,
            level_for=partial(_level_for, record),
        )
        settings = settings.with_players(*wished.names, self.clock)
        if wished.sitting and is_played:
            raise ConfigError(
                "--play, --speed max: a game against an engine is played by hand; leave them out"
            )
        if self.hands != USUAL_HANDS:
            _check_hands(self.hands)
        game = None if self.play is None else _read_game(self.play)
        for fault in game.faults if game is not None else ():
            complain(str(fault))
        interactive = is_terminal()
        if speed is None and self.web not in (None, OFF):
            raise ConfigError("--speed max is over before a page is looked at; leave out --web")
        if speed is None or (game is not None and not interactive and self.web in (None, OFF)):
            return self._play_through(settings, game)
        return self._play_live(settings, game, speed, interactive, wished)

    # --- as fast as it goes

    def _play_through(self, settings: Settings, game: MainLine | None) -> int:
        clock = VirtualClock()
        log_to(sys.stderr)
        opened = open_run(self, settings, game, clock)
        board, desk = opened.board, opened.desk
        source = cast("Foreseeable", innermost(board))  # no other passes the check
        printer = Printer(desk)
        printer.begin()
        listeners = [printer.hear]
        is_stopped = False
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # to be stopped is no accident
        try:
            sim = simulated(board)
            if game is not None and sim is not None:
                player = self._player(sim)
                player.begin(game.start, game.moves, clock.now_us())
                player.play_all()
                listeners.append(player.hear)
            VirtualLoop(board, source, clock, desk, listeners, opened.books).run()
        except KeyboardInterrupt:
            is_stopped = True
            click.echo("stopped", err=True)
        finally:
            with ExitStack() as leaving:  # the game first: what then cannot be ended costs no ply
                leaving.callback(board.close)
                if opened.books:
                    leaving.callback(opened.books.close)
                opened.pgn.write(opened.words.texts(desk.session.games))
        played = None if game is None or is_stopped else tuple(game.moves)
        status = printer.conclude(opened.pgn.path, played)
        return STOPPED if is_stopped else status

    # --- at a human pace

    def _play_live(
        self,
        settings: Settings,
        game: MainLine | None,
        speed: float,
        interactive: bool,
        wished: Wished,
    ) -> int:
        _, url = board_named(self.url, settings, self.config)
        is_paced = speed > 1 and url.is_artificial
        clock = PacedClock(speed) if is_paced else MonotonicClock(speed)
        log_to(sys.stderr)
        opponent = wished.sitting.chosen if wished.sitting else None
        wish = replace(self, is_watched=interactive, opponent=opponent)
        where = listening(self.web, settings, is_watched=interactive)
        with ExitStack() as leaving:
            if where:
                leaving.callback(where.close)
            opened = open_run(wish, settings, game, clock, waits=True)
            leaving.callback(opened.board.close)
            if isinstance(clock, PacedClock):
                late = opened.desk.late
                clock.tell_if_slow(lambda reached: late.slow_down(speed, reached))
            pages = self._pages(where, opened, settings, clock, leaving) if where else None
            runtime = self._runtime(opened, clock, speed, wished, pages)
            talk = None
            if has_person() or simulated(opened.board):
                talk = self._talk(runtime, clock, opened)
            if pages:
                _connect(pages, runtime, opened, talk)
            if interactive and talk:
                status = _show(talk, opened, game)
            else:
                status = self._print(runtime, opened, talk, game, pages)
        return _ended(settings, opened, runtime) or status

    def _pages(
        self,
        where: Listening,
        opened: Opened,
        settings: Settings,
        clock: Clock,
        leaving: ExitStack,
    ) -> PageServer:
        from boardfw.cli.web_pages import pages_of

        return pages_of(where, opened, settings, clock, leaving, self.config)

    def _runtime(
        self, opened: Opened, clock: Clock, speed: float, wished: Wished, pages: PageServer | None
    ) -> Runtime:
        opened.desk.late.is_told = simulated(opened.board) is None
        followers = followers_of(opened, opened.desk.settings)
        runtime = Runtime(
            opened.board,
            clock,
            opened.desk,
            followers=[*followers, pages] if pages else followers,
            books=opened.books,
            speed=speed,
            notifier=Notifier.from_environment(),
        )
        runtime.away = self._seat(wished, clock, opened)
        share = opened.desk.settings.help.engine_share / 100
        runtime.coach = CoachSeat(opened.desk.help_policy.helps, clock, share=share)
        runtime.review = ReviewSeat(opened.desk, clock)
        return runtime

    def _print(
        self,
        runtime: Runtime,
        opened: Opened,
        talk: Talk | None,
        game: MainLine | None,
        pages: PageServer | None,
    ) -> int:
        """Play without a terminal board: what happens is printed, a line each."""
        reporter = self._reporter(opened.desk, opened.pgn.path)
        reporter.begin()
        runtime.listen(reporter.hear)
        if pages and not pages.is_apart:
            click.echo(f"the board's page: {pages.link()}")
        if talk and game:
            talk.seat.watch(game)
        if has_person():
            keeping_up = _typed(talk)
        else:
            keeping_up = None if talk is None or pages else drive(talk.seat)
        asyncio.run(until_signal(runtime, keeping_up))
        return 0

    def _seat(self, wished: Wished, clock: Clock, opened: Opened) -> AwaySeat:
        """The opponent that is not at the board."""
        level = partial(_level_by_results, opened.record)
        seat = AwaySeat(clock, wished.sitting, opened.names, wished.usual, level)
        before = opened.desk.session.away.chosen
        if before:
            seat.resume(before)
        return seat

    def _player(self, sim: SimBoard) -> Player:
        from boardfw.players.game_player import Player

        return Player(sim, self.hands, self.seed)

    def _reporter(self, desk: Desk, path: Path) -> Printer:
        """Prints what is played, for a terminal, a pipe or the journal."""
        if not is_journal(sys.stdout):
            return Printer(desk, COLUMNS if has_person() else None)
        url = desk.settings.board.url if self.url is None else self.url
        click.echo(f"boardfw {__version__} plays on {url}; PGN: {path}")
        return JournalPrinter(desk)

    def _talk(self, runtime: Runtime, clock: Clock, opened: Opened) -> Talk:
        """What is typed, and by whose hands it is done."""
        from boardfw.terminal.talk import Beside, Talk

        sim, panel = simulated(opened.board), innermost(opened.board).panel
        player = None if sim is None else self._player(sim)
        say = panel.say if isinstance(panel, MeaningPanel) else None
        seat = runtime.away if isinstance(runtime.away, AwaySeat) else None
        return Talk(runtime, clock, player, Beside(opened.names, opened.calendar, say, seat))


def _check_hands(hands: str) -> None:
    """Raises ConfigError where there are no such hands."""
    from hardware.sim.hand_profiles import HAND_PROFILES

    if hands not in HAND_PROFILES:
        raise ConfigError(f"--hands: no hands {hands!r}; there are {', '.join(HAND_PROFILES)}")


def _read_game(name: str) -> MainLine:
    from boardfw.players.game_player import read_game

    return read_game(name)


def _typed(talk: Talk | None) -> Coroutine[Any, Any, None] | None:
    """Read typed lines until cancelled; None: there is nothing to talk to."""
    if talk is None:
        return None
    from boardfw.terminal.typing_line import Typed

    return Typed(talk).read(sys.stdin)


async def drive(seat: Seat) -> None:
    """Let simulated hands go on that nobody at a terminal or a page looks at, until cancelled."""
    while True:
        seat.keep_up()
        await asyncio.sleep(KEEP_UP_S)


def _show(talk: Talk, opened: Opened, game: MainLine | None) -> int:
    """Play at the terminal board; the exit status."""
    from boardfw.terminal.app import TerminalBoard

    app = TerminalBoard(talk, opened.pgn.path)
    app.play(game)
    app.run()
    if app.fault:
        click.echo(app.fault, err=True)
    return app.return_code or 0


def _connect(pages: PageServer, runtime: Runtime, opened: Opened, talk: Talk | None) -> None:
    """Let the pages do what a person at the terminal can."""
    from boardfw.cli.web_pages import SeatHands
    from boardfw.shell.web.new_game import Controls

    away = runtime.away if isinstance(runtime.away, AwaySeat) else None
    press = _presser(runtime, pages.clock, opened)
    pages.controls = Controls(runtime.tell, press, opened.names, away, calendar=opened.calendar)
    pages.controls.when_lit = runtime.when_lit
    if opened.books is not None:
        pages.controls.game_number = opened.books.number
    if talk and not pages.is_apart:
        talk.page_link = pages.link
    if talk and talk.seat.board is not None:
        pages.controls.follow = talk.seat.follow
        pages.controls.is_demo = lambda: talk.seat.is_demo
        pages.hands, pages.drives_hands = SeatHands(talk.seat, opened.desk), not has_person()


def _ended(settings: Settings, opened: Opened, runtime: Runtime) -> int:
    """Say what became of the games; the exit status, 0 if they are written."""
    pgn = opened.pgn
    is_written = pgn.unwritten is None
    if not is_written:
        click.echo(pgn.unwritten)
        complain(f"{pgn.path}: could not be written; the games stand above")
    else:
        click.echo(f"PGN: {pgn.path}" if pgn.is_named else "no ply was played")
    if runtime.is_shut_down:  # whoever has pressed the button wants no new start
        _say_good_bye(settings, is_kept=runtime.is_kept and is_written)
        return 0
    return 0 if is_written else BROKEN


def _presser(runtime: Runtime, clock: Clock, opened: Opened) -> Callable[[Pressed], None]:
    """Presses a button for a page: on a board that is being recorded the board's own."""
    panel = innermost(opened.board).panel
    if isinstance(panel, MeaningPanel):
        return panel.say
    return lambda button: runtime.tell(Press(clock.now_us(), button))


def _level_for(record: Path | None, player: str) -> Level:
    """As ``level_for``; where the games cannot be read it is said, and a newcomer's is taken."""
    try:
        return _level_by_results(record, player)
    except BoardError as error:
        complain(f"{error}; the opponent plays as against a newcomer")
        return _level_by_results(None, player)


def _level_by_results(record: Path | None, player: str) -> Level:
    from boardfw.shell.store.engine_games import level_for

    return level_for(record, player)


def has_person() -> bool:
    """Whether a person is at the terminal; a service may be started without any streams."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


def is_terminal() -> bool:
    """Whether a person is at the terminal and a screen can be drawn."""
    return has_person() and os.environ.get("TERM") != LINES_ONLY


def _say_good_bye(settings: Settings, *, is_kept: bool) -> None:
    """The board was shut down by a button; the machine with it, where that is allowed."""
    click.echo(f"shut down by a button; {'all is kept' if is_kept else 'not all could be kept'}")
    if settings.panel.power_off and not ask_for_power_off():
        complain("panel.power_off: only under the service can the machine be switched off")


async def until_signal(runtime: Runtime, beside: Coroutine[Any, Any, None] | None = None) -> None:
    """Play until the service is told to stop, Ctrl-C is pressed or quitting is typed.

    ``beside``: what goes on meanwhile; None: nothing.
    """
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, runtime.stop)
    task = None if beside is None else asyncio.create_task(beside)
    await runtime.run()
    if task is not None:
        task.cancel()
