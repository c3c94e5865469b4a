"""The thread that keeps: entries go to the disk in their order, and what is there is told.

A disk that is slow, full or gone delays no light and no scan. What it will not have stays in
memory and is tried again.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence

from boardfw.errors import BoardError
from boardfw.game.journal import Noted
from boardfw.shell.store.store import Store
from boardfw.shell.store.tape import Taped

log = logging.getLogger(__name__)

RETRY_S = 2.0
"""What the disk would not have is tried again so often."""


class Keeper:
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
            log.error(
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
            log.debug("where the store thread failed", exc_info=True)
            self._complain(f"{self._store.path}: {error!r}")
            return False
        if self._trouble:
            log.warning("%s: what had to wait is written now", self._store.path)
        self._trouble = None
        with self._wake:
            del self._waiting[: len(noted)]
            self._done += len(noted)
        self._kept(self._done)
        return True

    def _complain(self, trouble: str) -> None:
        if trouble == self._trouble:
            return
        log.error("%s; the game goes on, and is kept in memory until then", trouble)
        self._trouble = trouble
        self._kept(self._done)
