"""The record of a run: a thread writes what a session does, in order, and reports what is safe."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from boardfw.errors import BoardError
from boardfw.game.chronicle import Chronicle
from boardfw.game.events import Action, Event
from boardfw.game.journal import Journal, Noted, Over, Plies
from boardfw.game.session import Session
from boardfw.game.setup.planned_game import Unfinished
from boardfw.shell.outbox import Outbox, Words
from boardfw.shell.store.database import open_database, told
from boardfw.shell.store.game_store import Store
from boardfw.shell.store.game_traces import Tape, Taped
from boardfw.shell.store.record_check import RecordCheck
from boardfw.shell.store.record_lock import Mark, Owned, own
from boardfw.shell.store.rescue import Rescued, mend

log = logging.getLogger(__name__)


class EntryWriter(Outbox[tuple[Sequence[Noted], Sequence[Taped]]]):
    """Owns the store while its thread runs; writes entries, and the traces that belong to them.

    While nothing is to be written it checks the games of the record, a few entries at a time.
    ``kept`` is called, by that thread, with how many entries are on the disk, whenever that, the
    disk's ``trouble`` or the ``damage`` changes.
    """

    def __init__(
        self, store: Store, kept: Callable[[int], None], *, retry_s: float | None = None
    ) -> None:
        meanwhile = "the game goes on, and is kept in memory until then"
        words = Words(str(store.path), meanwhile, "what had to wait is written now")
        super().__init__("store", self._write, words, retry_s=retry_s)
        self._store = store
        self._done = 0
        self._kept = kept
        self._taped: list[Taped] = []
        """Of entries that are on the disk."""
        self._check = RecordCheck(store.path)
        self.watch(self._confirm)
        self.repeat_if(self._look)

    def start(self, trouble: str = "") -> None:
        """Begin to keep; where the disk was full before, that is told."""
        super().start(trouble or self._store.trouble)

    def stop(self, patience_s: float | None = None) -> bool:
        """Keep what is left, try once where the disk is in trouble, then stop; say what is lost."""
        has_ended = super().stop(patience_s)
        if lost := sum(len(noted) for noted, _ in self.left):
            text = (
                "%s: the last %d entries could not be written; the game as it ended is in the PGN"
            )
            log.error(text, self._store.path, lost)
        return has_ended

    def _write(self, waiting: list[tuple[Sequence[Noted], Sequence[Taped]]]) -> None:
        entries = [entry for noted, _ in waiting for entry in noted]
        self._store.add(entries)
        self._done += len(entries)
        self._taped += [one for _, tapes in waiting for one in tapes]
        waiting.clear()

    @property
    def damage(self) -> str:
        """A line on damaged games of the record; empty: none is known to be damaged."""
        return self._check.damage

    def _look(self) -> bool:
        """Check some of the record; True if a file of it is gone."""
        if self._store.is_gone():
            return True
        if self._check.go_on(self._store.connection):
            self._pass_on()
        return False

    def _confirm(self) -> None:
        self._kept(self._done)
        taped, self._taped = self._taped, []
        self._store.tape(taped)  # no light waits for that


class RunRecord:
    """A record that is open for one run, and the games that are played into it."""

    def __init__(self, path: Path, now_ms: Callable[[], int | None], tape_bytes: int = 0) -> None:
        """``tape_bytes``: of traces. Raises BoardError where the record cannot be had."""
        self._owned: Owned | None = None
        self.rescued: Rescued | None = None
        """What became of the games, if the record was damaged."""
        self._keeper: EntryWriter | None = None
        try:
            self._store = Store(path, now_ms, tape_bytes, self._leave_word, self._opened)
        except BaseException:
            self._let_go()
            raise
        self._tape = Tape()
        self._journal: Journal | None = None
        self._resumed = False

    def _opened(self, path: Path) -> sqlite3.Connection:
        """The record, fixed where it was damaged. Raises StorageError while it cannot be had."""
        if self._owned and not self._owned.is_in_place():
            self._let_go()
        is_new, self._owned = self._owned is None, self._owned or own(path)
        rescued = mend(path, self._owned.mark)
        connection = open_database(path)
        if rescued or is_new:
            with told(path):
                self._leave_word(Mark.of(connection))
        if rescued:
            self.rescued = rescued
            if self._keeper:  # whoever opened the record has not seen it
                log.warning("%s", rescued.told(path))
        return connection

    def _leave_word(self, mark: Mark | None) -> None:
        if self._owned:
            self._owned.leave_word(mark)

    def _let_go(self) -> None:
        if self._owned:
            self._owned.close()
        self._owned = None

    def take_up(self, fits: Callable[[Chronicle], bool] = lambda _: True) -> Unfinished | None:
        """The game that was cut off, if one was: the session goes on with it.

        ``fits`` as of ``Store.take_up``. Raises BoardError.
        """
        try:
            game = self._store.take_up(fits)
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
        self._keeper = EntryWriter(self._store, lambda _: kept())
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
            self._keeper.put((noted, taped))

    def number(self) -> int | None:
        """The number in the record of the game that is played; None: nothing of it is there yet."""
        return None if self._journal is None else self._store.number_of(self._journal.game)

    @property
    def is_kept(self) -> bool:
        """Whether all that was noted is on the disk."""
        return self._keeper is None or self._keeper.is_kept

    @property
    def trouble(self) -> str:
        """Why entries wait in memory, and how to mend it; empty: none does."""
        return (self._keeper or self._store).trouble

    @property
    def damage(self) -> str:
        """A line on damaged games, and what to do; empty: none is known to be damaged."""
        return self._keeper.damage if self._keeper else ""

    def close(self) -> None:
        """Keep what is left, and let go of the record."""
        if self._keeper is not None:
            self._keeper.stop()
        self._store.close()
        self._let_go()
