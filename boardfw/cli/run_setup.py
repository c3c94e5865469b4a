"""What a run needs is opened in an order in which nothing is left behind if something is wrong."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path

from boardfw.cli.journal import complain
from boardfw.cli.start_position import Beginning, beginning, goes_on
from boardfw.document import read_document
from boardfw.errors import ConfigError, NotationError, StorageError, TraceError, WiringError
from boardfw.game.chronicle import Chronicle
from boardfw.game.opponent import Chosen
from boardfw.game.session import Session
from boardfw.game.setup.planned_game import KnownSetup, Unfinished
from boardfw.notation.errors import quoted
from boardfw.notation.fen import format_fen, parse_fen
from boardfw.notation.pgn import MainLine
from boardfw.ports import Board, Clock
from boardfw.recording import TraceWriter
from boardfw.rules import Position
from boardfw.shell.config import Settings
from boardfw.shell.dates import Calendar, name_of
from boardfw.shell.desk import Desk
from boardfw.shell.files import is_there, place_for, place_of_own
from boardfw.shell.panel.buttons import MeaningPanel
from boardfw.shell.pgn_file import SIDES, Names, Pgn, PgnFile, TagsNow, players_of
from boardfw.shell.places import games_directory, is_our_pgn, record_place, trace_place
from boardfw.shell.review_desk import ReviewDesk
from boardfw.shell.store.record_lock import TakenError
from boardfw.shell.store.record_writer import RunRecord
from boardfw.shell.systemd import runtime_directory
from boardfw.shell.web.address import APART, AUTO, NO_LIBRARY, OFF, Listening, listen
from boardfw.squares import Orientation
from hardware import dead_switches, innermost, lights_ma, open_board, simulated
from hardware.board_url import SPY, BoardUrl, parse_url
from hardware.replay import ReplayBoard
from hardware.spy import SpyBoard

NO_TRACE = "the game goes on, and what the switches do is not recorded"
FASTEST = 50
"""Above this a scan comes too seldom for the clock: quick touches fall between two of them."""


USUAL_HANDS = "club"
"""Simulated hands where no other are named."""
USUAL = "usual"
"""``web.address`` where its owner has not chosen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """The options of ``boardfw run``; None where one is not given."""

    url: str | None = None
    play: str | None = None
    speed: str = "1"
    hands: str = USUAL_HANDS
    seed: int = 1
    pgn: Path | None = None
    record: Path | None = None
    trace: Path | None = None
    config: Path | None = None
    start: str | None = None
    white: str | None = None
    black: str | None = None
    clock: str | None = None
    web: str | None = None
    force: bool = False
    opponent: Chosen | None = None
    """Who plays a side without being at the board, if that is said; this is no option."""
    is_watched: bool = False
    """A person is at the screen; this is no option."""

    @property
    def factor(self) -> float | None:
        """Of time; None: as fast as it goes, in virtual time. Raises ConfigError."""
        if self.speed == "max":
            return None
        try:
            factor = float(self.speed)
        except ValueError:
            factor = 0.0
        if not 0 < factor <= FASTEST:
            told = f"give a number up to {FASTEST}, or 'max'"
            raise ConfigError(f"--speed: {self.speed!r} is no speed; {told}")
        return factor


@dataclass(frozen=True, slots=True)
class Opened:
    """A board that is open, and all that plays on it."""

    url: str
    board: Board
    desk: ReviewDesk
    clock: Clock
    calendar: Calendar
    pgn: PgnFile
    words: Pgn
    """How the games are put into words."""
    names: Names
    """The players' names, as typed at the screen."""
    record: Path | None
    """The database of games; None: the games are not recorded."""
    books: RunRecord | None


def open_run(
    wish: Wish, settings: Settings, game: MainLine | None, clock: Clock, *, waits: bool = False
) -> Opened:
    """The board, a desk for the game that begins or goes on, the PGN file, the record.

    ``waits``: the game is played, and kept in memory, also while a disk takes nothing. Raises
    BoardError; then nothing is open and no new file is there.
    """
    text, url = board_named(wish.url, settings, wish.config)
    # All that may be wrong is looked at before anything is opened: a spy begins a file.
    _check_url(url, game, to_the_end=wish.factor is None)
    _check_start(wish, url)
    record = None if url.is_recorded else record_place(wish.record, settings)
    _check_apart(
        {
            "--pgn": wish.pgn,
            "--trace": wish.trace,
            "--record": record,
            "--play": wish.play,
            "--board": url.rest if url.is_recorded else None,
            **{f"--board {SPY}:{path}": path for path in url.spies},
        }
    )
    planned = _beginning(wish, settings, url, game, record)
    calendar = Calendar(settings.record.dates)
    _check_pgn(wish, settings, waits=waits)
    trace = _trace(wish, settings, calendar, waits=waits)
    with ExitStack() as stack:  # undone where something goes wrong
        may_lack = game is not None and wish.record is None  # it need not be kept
        books = None
        if record and is_there(record):
            books = _books(record, settings, calendar, may_lack=may_lack)
            record = record if books else None
        if books:
            stack.callback(books.close)
        takes_up = game is None and _takes_up(wish, planned, record)
        unfinished = _taken_up(wish, settings, books) if books and takes_up else None
        if unfinished:
            planned = Beginning.of(unfinished.record.positions()[-1])
        with naming_board(wish.url, wish.config):
            board = open_board(text, clock=clock, start_fen=planned.fen)
        stack.callback(board.close)
        start = _start(innermost(board), url, planned.position)
        give_meaning(innermost(board), settings, clock)
        if unfinished and simulated(board):
            # Its pieces were set up just now.
            unfinished = replace(unfinished, orientation=Orientation.AS_WIRED)
        if trace is not None:
            board = _recorded(board, trace, start, clock, waits=waits)
        if record and not books:  # the last thing that may fail, and leaves a file behind
            books = _books(record, settings, calendar, may_lack=may_lack)
        stack.pop_all()
    session = Session(
        start,
        settings.settle.square_us,
        unfinished,
        settings.clock.use(),
        planned.problems,
        KnownSetup(stuck=dead_switches(board)),
    )
    desk = ReviewDesk(session, settings.with_budget(lights_ma(board, settings.lights.budget_ma)))
    names = _names(desk, unfinished)
    if books:
        books.begin(desk.session, TagsNow(settings, calendar.now, names))
    words = Pgn(settings, calendar.dating(clock, wish.factor), unfinished, names)
    return Opened(
        text,
        board,
        desk,
        clock,
        calendar,
        _pgn_file(wish, settings, calendar, goes_on=unfinished is not None),
        words,
        names,
        record,
        books,
    )


def _names(desk: Desk, unfinished: Unfinished | None) -> Names:
    """Return the players' names, as far as only a game that goes on knows them.

    A name of the options or the settings counts for the games after it; that of an opponent who is
    not at the board is none of theirs.
    """
    names, usual = Names(), players_of(desk.settings)
    if unfinished is not None:
        away = None if unfinished.opponent is None else SIDES[unfinished.opponent.color]
        known = {side: name for side, name in unfinished.tags.items() if side in SIDES}
        called = {side: name for side, name in known.items() if side == away or usual[side] == "?"}
        names.say(desk.session.record, called, is_given=False)
    return names


def _books(
    record: Path, settings: Settings, calendar: Calendar, *, may_lack: bool
) -> RunRecord | None:
    """Raises BoardError. A rescue is told at once: what comes after it may fail, too.

    None: another run keeps its games there, and ``may_lack``.
    """
    try:
        books = RunRecord(record, calendar.now_ms, settings.record.traces_mb * 1_000_000)
    except TakenError as error:
        if not may_lack:
            raise
        complain(f"{error}; this game is not kept there")
        return None
    if books.rescued:
        complain(books.rescued.told(record))
    return books


def _check_pgn(wish: Wish, settings: Settings, *, waits: bool) -> None:
    """Raises BoardError where there can be no PGN file."""
    try:
        if wish.pgn is not None:
            place_of_own(wish.pgn, is_our_pgn, force=wish.force)
        else:
            place_for(games_directory(settings) / "games.pgn")
    except StorageError as error:
        if not waits:
            raise
        complain(f"{error}; the game goes on, and is written when it can be")


def _pgn_file(wish: Wish, settings: Settings, calendar: Calendar, *, goes_on: bool) -> PgnFile:
    if wish.pgn is not None:
        return PgnFile(wish.pgn)
    return PgnFile(games_directory(settings), lambda: name_of(calendar.now()), goes_on=goes_on)


def _trace(wish: Wish, settings: Settings, calendar: Calendar, *, waits: bool) -> Path | None:
    """The file of the switches; None: they are not recorded. Raises BoardError."""
    try:
        return trace_place(wish.trace, settings, calendar, force=wish.force)
    except StorageError as error:
        if not waits:
            raise
        complain(f"{error}; {NO_TRACE}")
        return None


def _recorded(board: Board, trace: Path, start: Position, clock: Clock, *, waits: bool) -> Board:
    """The board while its switches are recorded. Raises TraceError."""
    try:
        return SpyBoard(board, TraceWriter(trace, format_fen(start), dead_switches(board)), clock)
    except TraceError as error:
        if not waits:
            raise
        complain(f"{error}; {NO_TRACE}")
        return board


def _check_start(wish: Wish, url: BoardUrl) -> None:
    """Raises ConfigError where the start is given already."""
    if wish.start is not None and (wish.play is not None or url.is_recorded):
        given = "--play" if wish.play is not None else "a recording"
        raise ConfigError(f"--from: {given} has a start of its own; leave out one of them")


def _beginning(
    wish: Wish, settings: Settings, url: BoardUrl, game: MainLine | None, record: Path | None
) -> Beginning:
    """Where the game begins, if none goes on. Raises BoardError."""
    if wish.start is not None:
        start, place = wish.start, "--from"
    elif settings.board.start and game is None and not url.is_recorded:
        place = f"{setting_place(wish.config, 'board', 'start')}: 'board.start'"
        start = settings.board.start
    else:
        return Beginning.of(Position.start() if game is None else game.start)
    planned = beginning(start, record, place)
    if planned.problems and not wish.is_watched:  # the board's problems would not be seen
        texts = "; ".join(problem.text for problem in planned.problems)
        raise ConfigError(f"{place}: FEN {quoted(planned.fen)}: {texts}")
    for remark in planned.remarks:
        complain(f"{place}: {remark}")
    return planned


def _takes_up(wish: Wish, planned: Beginning, record: Path | None) -> bool:
    """Whether a game that was cut off goes on; with another start, a new one begins."""
    if wish.start is None or record is None or not record.exists():
        return True
    return not planned.problems and goes_on(record, planned.position)


def _taken_up(wish: Wish, settings: Settings, books: RunRecord) -> Unfinished | None:
    """The game that was cut off, if one was; before its first ply only if it is as it is wished."""
    use = settings.clock.use()
    control = use.control if use else None

    def fits(game: Chronicle) -> bool:
        return game.record.control == control and wish.opponent in (None, game.opponent)

    return books.take_up(fits)


def board_named(
    option: str | None, settings: Settings, config: Path | None
) -> tuple[str, BoardUrl]:
    """The URL of the board that ``--board``, else the settings, name. Raises ConfigError."""
    text = settings.board.url if option is None else option
    with naming_board(option, config):
        return text, parse_url(text)


@contextmanager
def naming_board(option: str | None, config: Path | None) -> Iterator[None]:
    """Where a board cannot be had, raises ConfigError that says where it is named.

    ``option``: what ``--board`` gives; None: it is not given. ``config``: as of ``Wish``.
    """
    try:
        yield
    except WiringError as error:
        place = setting_place(config, "board", "url") if option is None else "--board"
        raise ConfigError(f"{place}: {error}") from error


def give_meaning(board: Board, settings: Settings, clock: Clock) -> None:
    """Let the buttons mean what the settings say; what a recording says was meant so already."""
    if not isinstance(board, ReplayBoard):
        board.panel = MeaningPanel(board.panel, settings.panel, clock)


def setting_place(config: Path | None, section: str, key: str) -> str:
    """Where the settings say something, FILE:LINE."""
    if config is None:
        return "the settings"
    return read_document(config, ConfigError).at((section, key))


def _start(source: Board, url: BoardUrl, planned: Position) -> Position:
    """Where the game starts: as a recording says, else as it is wished. Raises TraceError."""
    if not isinstance(source, ReplayBoard):
        return planned
    try:
        return parse_fen(source.start_fen)
    except NotationError as error:
        raise TraceError(f"{url.rest}:1: start_fen: {error}") from error


def _check_url(url: BoardUrl, game: MainLine | None, *, to_the_end: bool) -> None:
    """Raises ConfigError where the board that a URL names cannot be played on as it is wished."""
    if game is not None and not url.is_simulated:
        raise ConfigError(f"--play needs the simulated board, not '{url}': its hands play")
    if to_the_end and not url.is_artificial:
        raise ConfigError("--speed max needs a simulated or a recorded board")
    if to_the_end and url.is_simulated and game is None:
        raise ConfigError("--speed max needs something to play: add --play PGN")


def _check_apart(named: Mapping[str, Path | str | None]) -> None:
    """Raises ConfigError where what is to be written would replace what is read, or each other."""
    seen: dict[Path, str] = {}
    for option, name in named.items():
        if name is None:
            continue
        path = Path(os.path.realpath(name))
        if path in seen:
            raise ConfigError(f"{option} and {seen[path]} name the same file {name}; name another")
        seen[path] = option


def listening(option: str | None, settings: Settings, *, is_watched: bool) -> Listening | None:
    """Where pages are served, by the option, else the settings; None: nowhere.

    ``is_watched``: whether a person is at the terminal board. Raises ConfigError.
    """
    text, place = (option, "--web") if option else (settings.web.address, "web.address")
    is_wished = text != USUAL
    if text == USUAL:
        text = AUTO if is_watched else APART if runtime_directory() else OFF
    if text == OFF:
        return None
    if text != APART and find_spec("aiohttp") is None:
        if is_wished:
            raise ConfigError(f"{place}: {NO_LIBRARY}")
        complain(f"there is no page of the board: {NO_LIBRARY}")
        return None
    return listen(text, place)
