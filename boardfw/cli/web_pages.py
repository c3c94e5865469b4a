"""The pages of a run, put together: where they are served, and whose hand they move."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from boardfw.cli.explain_plies import as_text, stories_of
from boardfw.cli.run_setup import Opened
from boardfw.errors import BoardError, ConfigError, StorageError
from boardfw.game.phase import GamePhase
from boardfw.phrase import Phrase
from boardfw.ports import Clock
from boardfw.services.web.api import Examined, HandAct
from boardfw.services.web.roles import Role
from boardfw.services.web.sessions import InMemory, Keeper, Sessions
from boardfw.shell.config import Settings
from boardfw.shell.dates import Calendar
from boardfw.shell.desk import Desk
from boardfw.shell.places import record_place
from boardfw.shell.store.web_sessions import SessionStore
from boardfw.shell.web.address import Listening, address_of
from boardfw.shell.web.apart import Place
from boardfw.shell.web.library import KeptGames
from boardfw.shell.web.page_server import PageServer
from boardfw.squares import BY_NAME, Switch
from hardware import troubles

if TYPE_CHECKING:
    from boardfw.shell.web.lessons import Lessons
    from boardfw.terminal.seat import Seat


def pages_of(
    where: Listening,
    opened: Opened,
    settings: Settings,
    clock: Clock,
    leaving: ExitStack,
    config: Path | None = None,
) -> PageServer:
    """The pages of a run.

    ``leaving``: lets go of what is open for them. ``config``: the file of the settings.
    """
    keeper: Keeper = InMemory()
    if opened.record is not None:
        keeper = store = SessionStore(opened.record)
        leaving.callback(store.close)
        store.forget_codes()

    def called() -> Mapping[str, str]:
        return opened.words.players(opened.desk.session.record)

    place = Place.of(where, tuple(settings.web.names.split()))
    pages = PageServer(place, clock, keeper, called)
    pages.troubles = lambda: troubles(opened.board)
    pages.examine = partial(_examined, opened.url, config)
    if opened.record is not None:
        pages.make_lessons = partial(_lessons, opened.record, opened.calendar)
        pages.library = KeptGames(opened.record, partial(_explained, opened.record, settings))
    return pages


def _lessons(record: Path, calendar: Calendar) -> Lessons:
    from boardfw.shell.web.lessons import Lessons

    return Lessons(record, calendar)


def _examined(url: str, config: Path | None) -> Examined:
    from boardfw.doctor.examination import examined_beside  # late: most runs need no doctor

    text, is_well = examined_beside(url, config)
    return Examined(text=text, is_well=is_well)


def _explained(record: Path, settings: Settings, game: int, ply: int) -> str:
    """The story of a ply of a kept game. Raises BoardError."""
    told = [story for story in stories_of(record, game, settings) if story.ply == ply]
    if told:
        return as_text(told[-1])  # those before it were taken back
    raise BoardError(f"game {game}: ply {ply} is none of those whose switches are kept")


def new_link(record: Path | None, settings: Settings) -> str:
    """A line with an address that makes one more device an owner. Raises BoardError."""
    with _sessions(record, settings) as store:
        code = Sessions(store).offer(Role.OWNER)
    page = address_of(settings.web.address) or "the address of the board's page"
    return f"open within ten minutes: {page}/pair#{code}"


def forget_devices(record: Path | None, settings: Settings) -> str:
    """Let the board belong to nobody; a line about it. Raises BoardError."""
    with _sessions(record, settings) as store:
        store.remove_owners()
    return "all devices are forgotten: the board's page belongs to nobody"


@contextmanager
def _sessions(record: Path | None, settings: Settings) -> Iterator[SessionStore]:
    place = record_place(record, settings)
    if place is None:
        raise ConfigError("record.database is '': nobody is kept; name a file with --record")
    if not place.exists():
        raise ConfigError(f"{place}: no board has kept anything there yet; run one, or name it")
    with closing(SessionStore(place)) as store:
        yield store
        if store.trouble:  # in memory it counts for nobody
            raise StorageError(store.trouble)


class SeatHands:
    """The hand of the terminal's seat, moved from a page. Squares are those of the game."""

    def __init__(self, seat: Seat, desk: Desk) -> None:
        self._seat = seat
        self._desk = desk

    @property
    def pieces(self) -> Mapping[Switch, str]:
        """What stands on the board."""
        return self._seat.pieces

    @property
    def lifted(self) -> Sequence[tuple[str, Switch | None]]:
        """The pieces in any hand, the next to be put down last."""
        return self._seat.lifted

    @property
    def beside(self) -> str:
        """Letters of the pieces beside the board."""
        return "".join(sorted(self._seat.box.elements()))

    @property
    def sets_up(self) -> bool:
        """Whether the simulated hands set up what the board asks for."""
        return self._seat.sets_up

    @property
    def is_demo(self) -> bool:
        """Whether the simulated hands play a game by themselves."""
        return self._seat.is_demo

    @property
    def to_go(self) -> int:
        """Squares on which the simulated hands have yet to put a piece, or to take one off."""
        return self._seat.to_go

    def keep_up(self) -> None:
        """Let the simulated hands go on."""
        self._seat.keep_up()

    def act(self, act: HandAct) -> str:
        """Do this; why it could not be done, or empty."""
        seat = self._seat
        if act.lift is not None:
            return seat.obey(f"lift {act.lift}")
        if act.drop is not None:
            return self._drop(act.drop)
        if act.take is not None:
            return seat.take(act.take)
        if act.set_up:
            return seat.put_in_place()
        if act.end_demo:
            return seat.end_demo()
        if act.touch is not None:
            return self._touch(self._under(act.touch))
        told = seat.put_back()
        while not told and seat.held:
            told = seat.put_back()
        return told

    def _touch(self, switch: Switch) -> str:
        """As the seat does it; who has a piece in hand and touches another of the same side has
        chosen that one instead."""
        seat, touched = self._seat, self._seat.pieces.get(switch)
        if len(seat.lifted) == 1 and touched and self._desk.view.phase is GamePhase.PLAY:
            label, origin = seat.lifted[0]
            if origin is not None and label.isupper() == touched.isupper():
                seat.put_back()
        return seat.touch(switch)

    def _drop(self, name: str) -> str:
        if name == "box":
            return self._seat.put_into_box()
        if not self._seat.held:
            return Phrase("your hand is empty")
        switch = self._under(name)
        if switch in self._seat.pieces:
            return Phrase("{0} is occupied; lift that piece first", name)
        return self._seat.touch(switch)

    def _under(self, name: str) -> Switch:
        return self._desk.view.orientation.switch(BY_NAME[name])
