"""The export thread: finished games go to their directory as soon as it is there."""

from __future__ import annotations

import logging
import threading

from boardfw.errors import BoardError
from boardfw.game.events import Action
from boardfw.game.record import Record
from boardfw.shell.desk import Desk
from boardfw.shell.export.naming import file_name
from boardfw.shell.export.waiting import Waiting
from boardfw.shell.follower import is_another_game
from boardfw.shell.pgn_text import Pgn

log = logging.getLogger(__name__)

PATIENCE_S = 5.0
"""How long a slow stick, or a share that hangs, is waited for at the end."""
RETRY_S = 10.0
"""A stick that was pulled is looked for so often, while a game waits for it."""


class _Game:
    """One game as it was when it was last looked at; it has a name once it is written."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.tags: dict[str, str] = {}
        self.text = ""
        self.name = ""


class Exporter:
    """A Follower. A game that ends is exported at once; one that ends otherwise, once more."""

    def __init__(self, waiting: Waiting, words: Pgn) -> None:
        self._waiting = waiting
        self._words = words
        self._desk: Desk | None = None
        self._games: list[_Game] = []
        self._new: list[_Game] = []
        """Not on the disk yet."""
        self._left = 0
        """How many of them the disk would not have."""
        self._wake = threading.Condition()
        self._is_closing = False
        self._trouble: str | None = None
        self._thread = threading.Thread(target=self._run, name="export", daemon=True)

    def start(self, desk: Desk) -> None:
        """Export what still waits, and what comes."""
        self._desk = desk
        self._thread.start()

    def take(self, said: list[Action]) -> None:
        """Look whether a game has ended."""
        if self._desk is None or not is_another_game(said):
            return
        games = self._desk.session.games
        for record in games[-2:]:
            if record.moves and (record.outcome is not None or record is not games[-1]):
                self._finish(record)

    def _finish(self, record: Record) -> None:
        game = next((one for one in self._games if one.record is record), None)
        if game is None:
            game = _Game(record)
            self._games.append(game)
        text = self._words.game(record)
        if text == game.text:
            return
        with self._wake:
            game.text, game.tags = text, self._words.tags(record)
            self._new.append(game)
            self._wake.notify()

    def stop(self) -> None:
        """Export what can be, then stop; the rest waits for the next run."""
        with self._wake:
            self._is_closing = True
            self._wake.notify()
        if self._desk is None:
            return
        self._thread.join(PATIENCE_S)
        if self._thread.is_alive():
            log.error("export: %s does not answer; not waited for", self._waiting.target)

    # --- in the thread

    def _run(self) -> None:
        while True:
            with self._wake:
                new, is_closing = list(self._new), self._is_closing
            try:
                self._work(new)
            except Exception as error:  # a thread that ends unsaid would export no game any more
                log.debug("where the export failed", exc_info=True)
                self._tell(str(error) if isinstance(error, BoardError) else repr(error))
            if is_closing:
                return
            with self._wake:
                self._left = sum(1 for game in self._new if game in new)
                self._wake.wait_for(self._has_news, RETRY_S if self._trouble else None)

    def _has_news(self) -> bool:
        return self._is_closing or len(self._new) > self._left

    def _work(self, new: list[_Game]) -> None:
        for game in new:
            game.name = game.name or file_name(game.tags, self._waiting.next_number())
            self._waiting.put(game.name, game.text)
            with self._wake:
                self._new.remove(game)
        names = self._waiting.names()
        if not self._waiting.target.is_dir():
            if names:
                self._tell(f"{self._waiting.target} is not there")
            return
        count = self._waiting.export()
        if self._trouble:
            log.warning("export: games exported that had to wait: %d", count)
        self._trouble = None

    def _tell(self, trouble: str) -> None:
        if trouble != self._trouble:
            waiting = self._waiting.directory
            log.error("export: %s; games wait in %s until they can be exported", trouble, waiting)
        self._trouble = trouble
