"""A disk that is full when a test says so, and answers that need room on it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from boardfw.learning.answer_log import Answered, Result
from boardfw.shell.learning.answer_store import Answers
from tests.patience import PATIENCE_S

BIGGER_THAN_A_PAGE = "x" * 10_000
ROWS = tuple(
    Answered(f"lesson.{n}{BIGGER_THAN_A_PAGE}", "", 1_790_000_000_000 + n, 900, n, 0, Result.SOLVED)
    for n in range(6)
)


class Disk(Answers):
    """A real file on a disk that is full when a test says so: SQLite itself refuses the row."""

    def __init__(self, path: Path, has_room: Callable[[int], bool] = lambda _: True) -> None:
        """``has_room``: whether the disk has room when it is written to for the n-th time."""
        super().__init__(path)
        self.has_room = has_room
        self.tries = self.refused = 0
        self._happened = threading.Condition()

    def add(self, profile: str, answered: Answered) -> None:
        has_room = self.has_room(self.tries)
        # To no less than it has already: a row that is larger than a page does not fit.
        self._connection.execute(f"PRAGMA max_page_count = {1_000_000 if has_room else 1}")
        try:
            super().add(profile, answered)
        finally:
            with self._happened:
                self.tries += 1
                self.refused += not has_room
                self._happened.notify_all()

    def wait_for(self, happened: Callable[[], bool]) -> None:
        """Until this is true of what was written."""
        with self._happened:
            assert self._happened.wait_for(happened, PATIENCE_S)
