"""The write thread: keeps a PGN file in step with the games, whole at every moment."""

from __future__ import annotations

from pathlib import Path

from boardfw.shell.files import write_whole
from boardfw.shell.worker import Worker


class PgnFile:
    """Writes the newest text; a disk that is slow or full never delays the game."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._worker: Worker[str] = Worker("record", self._write)

    def start(self) -> None:
        """Begin to write."""
        self._worker.start()

    def put(self, text: str) -> None:
        """Let this be the content of the file; returns at once."""
        self._worker.put(text)

    def stop(self) -> None:
        """Write what is still to be written, then stop."""
        self._worker.stop()

    @property
    def unwritten(self) -> str | None:
        """After the stop: what could not be written; None if all of it was."""
        return self._worker.left

    def _write(self, text: str) -> None:
        write_whole(self.path, text)
