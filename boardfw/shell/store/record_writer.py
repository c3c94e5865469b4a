"""The record of a run: a thread writes what a session does, in order, and reports what is safe.

A slow, full or missing disk delays no light and no scan. What cannot be written stays in memory
and is tried again.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from boardfw.errors import BoardError
from boardfw.game.events import Action, Event
from boardfw.game.journal import Journal, Noted, Over, Plies
from boardfw.game.session import Session
from boardfw.game.setup.planned_game import Unfinished
from boardfw.shell.store.database import open_database, told
from boardfw.shell.store.game_store import Store
from boardfw.shell.store.game_traces import Tape, Taped
from boardfw.shell.store.record_lock import Mark, own
from boardfw.shell.store.rescue import Rescued, mend

log_of_keeper = logging.getLogger(__name__)

RETRY_S = 2.0
"""What the disk would not have is tried again so often."""


class EntryWriter:
    """Owns the store while its thread runs.

    ``kept`` is called, by that thread, with how many entries are on the disk, whenever that or the
    disk's ``trouble`` is another one.
    """

    def __init__(self, store: Store, kept: Callable[[int], None]) -> None:
        self._store = store
        self._kept = kept
        self._waiting: list[Noted] = []
        self._taped: list[Taped] = []
        """Of the entries that wait."""
        self._done = 0
        self._wake = threading.Condition()
        self._closing = False
        self._trouble: str | None = None
        self._thread = threading.Thread(target=self._run, name="store", daemon=True)

    def start(self) -> None:
        """Begin to keep; where the disk was full before, that is told."""
        if self._store.trouble:
            self._complain(self._store.trouble)
        self._thread.start()

    def put(self, noted: Sequence[Noted], taped: Sequence[Taped] = ()) -> int:
        """Let these be kept, after all others; how many entries there are then. Returns at once."""
        with self._wake:
            self._waiting += noted
            self._taped += taped
            self._wake.notify()
            return self._done + len(self._waiting)

    def stop(self) -> None:
        """Keep what is left, try once where the disk is in trouble, then stop; say what is lost."""
        with self._wake:
            self._closing = True
            self._wake.notify()
        self._thread.join()
        if self._waiting:
            log_of_keeper.error(
                "%s: the last %d entries could not be written; the game as it ended is in the PGN",
                self._store.path,
                len(self._waiting),
            )

    @property
    def trouble(self) -> str | None:
        """Why entries wait in memory; None: none does for longer than the disk takes."""
        return self._trouble

    def _run(self) -> None:
        while True:
            with self._wake:
                self._wake.wait_for(self._has_work, RETRY_S if self._trouble else None)
                noted, taped, closing = list(self._waiting), list(self._taped), self._closing
            if (noted or self._trouble) and self._keep(noted):
                self._store.tape(taped)  # no light waits for that
                with self._wake:
                    del self._taped[: len(taped)]
            if closing:
                return

    def _has_work(self) -> bool:
        return self._closing or bool(self._waiting and not self._trouble)

    def _keep(self, noted: list[Noted]) -> bool:
        try:
            self._store.add(noted)
        except BoardError as error:
            self._complain(str(error))
            return False
        except Exception as error:  # a thread that ends unsaid would leave every ply unkept
            log_of_keeper.debug("where the store thread failed", exc_info=True)
            self._complain(f"{self._store.path}: {error!r}")
            return False
        if self._trouble:
            log_of_keeper.warning("%s: what had to wait is written now", self._store.path)
        self._trouble = None
        with self._wake:
            del self._waiting[: len(noted)]
            self._done += len(noted)
        self._kept(self._done)
        return True

    def _complain(self, trouble: str) -> None:
        if trouble == self._trouble:
            return
        log_of_keeper.error("%s; the game goes on, and is kept in memory until then", trouble)
        self._trouble = trouble
        self._kept(self._done)


log = logging.getLogger(__name__)


class RunRecord:
    """A record that is open for one run, and the games that are played into it."""

    def __init__(self, path: Path, now_ms: Callable[[], int | None], tape_bytes: int = 0) -> None:
        """``tape_bytes``: of traces. Raises BoardError where the record cannot be had."""
        self._owned = own(path)
        self.rescued: Rescued | None = None
        """What became of the games, if the record was damaged."""
        self._keeper: EntryWriter | None = None
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

        self._keeper = EntryWriter(self._store, count)
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
