"""The thread that writes answers down: no lesson waits for a slow or a full disk."""

from __future__ import annotations

import logging
import threading

from boardfw.errors import BoardError
from boardfw.learning.log import Answered
from boardfw.shell.learning.answers import Answers

log = logging.getLogger(__name__)

RETRY_S = 2.0
"""What the disk would not have is tried again so often, and once more at the end."""


class AnswerKeeper:
    """Owns ``answers`` until it is stopped; rows are kept in the order in which they are put."""

    def __init__(self, answers: Answers, profile: str) -> None:
        self._answers = answers
        self._profile = profile
        self._waiting: list[Answered] = []
        self._wake = threading.Condition()
        self._closing = False
        self._is_failing = False
        self._thread = threading.Thread(target=self._run, name="answers", daemon=True)
        self._thread.start()

    def put(self, answered: Answered) -> None:
        """Let this be kept; returns at once."""
        with self._wake:
            self._waiting.append(answered)
            self._wake.notify()

    def stop(self) -> None:
        """Keep what is left, and let go of the file; what the disk will not have is said."""
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
                self._wake.wait_for(self._has_work, RETRY_S if self._is_failing else None)
                closing = self._closing
            while self._waiting and self._is_kept(self._waiting[0]):
                del self._waiting[0]
            if closing:
                return

    def _has_work(self) -> bool:
        return self._closing or bool(self._waiting and not self._is_failing)

    def _is_kept(self, answered: Answered) -> bool:
        try:
            self._answers.add(self._profile, answered)
        except BoardError as error:
            return self._complain(str(error))
        except Exception as error:  # a thread that ends unsaid would leave every answer unkept
            log.debug("where the thread of answers failed", exc_info=True)
            return self._complain(f"{self._answers.path}: {error!r}")
        if self._is_failing:
            log.warning("%s: the answers that had to wait are written now", self._answers.path)
        self._is_failing = False
        return True

    def _complain(self, trouble: str) -> bool:
        if not self._is_failing:
            log.error("%s; lessons go on, and answers wait in memory", trouble)
        self._is_failing = True
        return False
