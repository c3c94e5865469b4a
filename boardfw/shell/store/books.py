"""The books of a run: what a session does goes into the record, and what is safe there is known."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Mapping
from pathlib import Path

from boardfw.errors import BoardError
from boardfw.game.events import Action, Event
from boardfw.game.journal import Journal, Over, Plies
from boardfw.game.resuming import Unfinished
from boardfw.game.session import Session
from boardfw.shell.store.database import open_database, told
from boardfw.shell.store.keeper import Keeper
from boardfw.shell.store.owner import Mark, own
from boardfw.shell.store.rescue import Rescued, mend
from boardfw.shell.store.store import Store
from boardfw.shell.store.tape import Tape

log = logging.getLogger(__name__)


class Books:
    """A record that is open for one run, and the games that are played into it."""

    def __init__(self, path: Path, now_ms: Callable[[], int | None], tape_bytes: int = 0) -> None:
        """``tape_bytes``: of traces. Raises BoardError where the record cannot be had."""
        self._owned = own(path)
        self.rescued: Rescued | None = None
        """What became of the games, if the record was damaged."""
        self._keeper: Keeper | None = None
        try:
            self._store = Store(path, now_ms, tape_bytes, self._owned.leave_word, self._opened)
        except BaseException:
            self._owned.close()
            raise
        self._tape = Tape()
        self._journal: Journal | None = None
        self._resumed = False
        self._wanted = self._kept = 0
        """Entries that were noted, and how many of them are on the disk."""

    def _opened(self, path: Path) -> sqlite3.Connection:
        """The record, mended where it was damaged. Raises FullError while there is no room."""
        self.rescued = mend(path, self._owned.mark) or self.rescued
        connection = open_database(path)
        if self.rescued:
            with told(path):
                self._owned.leave_word(Mark.of(connection))
            if self._keeper:  # who opened the books was told nothing of it
                log.warning("%s", self.rescued.told(path))
        return connection

    def take_up(self) -> Unfinished | None:
        """The game that was cut off, if one was: the session goes on with it. Raises BoardError."""
        try:
            game = self._store.take_up()
        except BoardError:
            if not self._store.trouble:
                raise
            game = None  # it may be damaged, and there is no room to mend it
        self._resumed = game is not None
        return None if game is None else game.unfinished()

    def begin(self, session: Session, tags: Mapping[str, str]) -> None:
        """These are the games; the session has begun just now."""
        self._journal = Journal(session, tags, resumed=self._resumed)

    def start(self, kept: Callable[[], None]) -> None:
        """Keep in a thread of its own, which calls ``kept`` whenever more is on the disk."""

        def count(done: int) -> None:
            self._kept = done
            kept()

        self._keeper = Keeper(self._store, count)
        self._keeper.start()

    def hear(self, event: Event, session: Session) -> None:
        """The session has taken an event; to be told before ``take``."""
        self._tape.hear(event, session)

    def take(self, session: Session, said: list[Action]) -> None:
        """Note what is new. Without a thread it is on the disk when this returns.

        Raises BoardError then, if the disk will not have it.
        """
        if self._journal is None or not (noted := self._journal.take(session, said)):
            return
        game, taped = self._journal.game, []
        if any(one.game == game and isinstance(one.entry, Plies | Over) for one in noted):
            taped.append(self._tape.cut(game, session.t_us))
        if self._keeper is None:
            self._store.add(noted)
            self._store.tape(taped)
        else:
            self._wanted = self._keeper.put(noted, taped)

    @property
    def is_kept(self) -> bool:
        """Whether all that was noted is on the disk."""
        return self._kept >= self._wanted

    @property
    def trouble(self) -> str:
        """Why entries wait in memory, and how to mend it; empty: none does."""
        return (self._keeper or self._store).trouble or ""

    def close(self) -> None:
        """Keep what is left, and let go of the record."""
        if self._keeper is not None:
            self._keeper.stop()
        self._store.close()
        self._owned.close()
