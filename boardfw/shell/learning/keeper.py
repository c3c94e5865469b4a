"""The thread that writes answers down: no lesson waits for a slow or a full disk."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from boardfw.errors import BoardError
from boardfw.learning.log import Answered
from boardfw.shell.learning.answers import Answers

log = logging.getLogger(__name__)

RETRY_S = 2.0
"""What the disk would not have is tried again so often, and once more at the end."""


class AnswerKeeper:
    """Owns ``answers`` until it is stopped; rows are kept in the order in which they are put."""

    def __init__(self, answers: Answers, profile: str, *, retry_s: float = RETRY_S) -> None:
        self._answers = answers
        self._profile = profile
        self._retry_s = retry_s
        self._waiting: list[Answered] = []
        self._wake = threading.Condition()
        self._closing = False
        self._trouble = ""
        self._changed: Callable[[], None] = _nobody
        self._thread = threading.Thread(target=self._run, name="answers", daemon=True)
        self._thread.start()

    def watch(self, changed: Callable[[], None]) -> None:
        """Let this be called, by the thread, when answers are kept, or why they are not changes."""
        self._changed = changed

    @property
    def is_kept(self) -> bool:
        """Whether all that was put is on the disk."""
        return not self._waiting

    @property
    def trouble(self) -> str:
        """Why answers wait in memory, and how to mend it; empty: none does."""
        return self._trouble

    def put(self, answered: Answered) -> None:
        """Let this be kept; returns at once."""
        with self._wake:
            self._waiting.append(answered)
            self._wake.notify()

    def stop(self) -> None:
        """Keep what is left, and let go of the file; what the disk will not have is said.

        May be called twice.
        """
        if self._closing:
            return
        with self._wake:
            self._closing = True
            self._wake.notify()
        self._thread.join()
        if self._waiting:
            text = "%s: the last %d answers could not be written"
            log.error(text, self._answers.path, len(self._waiting))
        self._answers.close()

    def _run(self) -> None:
        while True:
            with self._wake:
                self._wake.wait_for(self._has_work, self._retry_s if self._trouble else None)
                closing = self._closing
            self._write()
            if closing:
                return

    def _has_work(self) -> bool:
        return self._closing or bool(self._waiting and not self._trouble)

    def _write(self) -> None:
        """Write what waits, as far as the disk will have it."""
        if not self._waiting:
            return
        while self._waiting and self._add(self._waiting[0]):
            with self._wake:
                del self._waiting[0]
        if self._trouble and not self._waiting:
            log.warning("%s: the answers that had to wait are written now", self._answers.path)
            self._trouble = ""
        self._changed()

    def _add(self, answered: Answered) -> bool:
        try:
            self._answers.add(self._profile, answered)
        except BoardError as error:
            self._complain(str(error))
            return False
        except Exception as error:  # a thread that ends unsaid would leave every answer unkept
            log.debug("where the thread of answers failed", exc_info=True)
            self._complain(f"{self._answers.path}: {error!r}")
            return False
        return True

    def _complain(self, trouble: str) -> None:
        if trouble != self._trouble:
            log.error("%s; lessons go on, and answers wait in memory", trouble)
        self._trouble = trouble


def _nobody() -> None:
    """Nobody has asked to be told."""
