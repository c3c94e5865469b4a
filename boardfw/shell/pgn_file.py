"""The write thread: keeps a PGN file in step with the games, whole at every moment."""

from __future__ import annotations

import logging
from pathlib import Path
from threading import Thread

from boardfw.errors import BoardError
from boardfw.shell.files import write_whole
from boardfw.shell.newest import Newest

log = logging.getLogger(__name__)


class PgnFile:
    """Writes the newest text; a disk that is slow or full never delays the game."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._texts: Newest[str] = Newest()
        self._failing = False
        self._thread = Thread(target=self._run, name="write", daemon=True)

    def start(self) -> None:
        """Begin to write."""
        self._thread.start()

    def put(self, text: str) -> None:
        """Let this be the content of the file; returns at once."""
        self._texts.put(text)

    def stop(self) -> None:
        """Write what is still to be written, then stop."""
        self._texts.close()
        self._thread.join()

    def _run(self) -> None:
        unwritten: str | None = None
        while (text := self._texts.take()) is not None:
            unwritten = None if self._write(text) else text
        if unwritten is not None:
            self._write(unwritten)  # the disk may have room again by now

    def _write(self, text: str) -> bool:
        """Write the file; whether it stands."""
        try:
            write_whole(self.path, text)
        except BoardError as error:
            if not self._failing:
                log.error("%s; the game goes on and is written when that is mended", error)
            self._failing = True
            return False
        if self._failing:
            log.warning("%s: can be written again", self.path)
            self._failing = False
        return True
