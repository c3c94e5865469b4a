"""A thread that does what it is given: a slow disk or strip delays neither a scan nor a light."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

from boardfw.errors import BoardError
from boardfw.shell.pulse import Pulse

T = TypeVar("T")
log = logging.getLogger(__name__)

RETRY_S = 2.0
"""What could not be done is tried again so often: a strip may be plugged in again."""
LOOK_S = 0.25
"""What was done is looked at so often: it is reported within a second that somebody has deleted a
file, and a busy machine may run a thread late."""


class Words(NamedTuple):
    """What an outbox says of trouble."""

    subject: str
    meanwhile: str
    """What becomes of what waits."""
    over: str = "works again"


class Outbox(Generic[T]):
    """Hands what is put into it to ``work``, in order; what fails waits and is tried again.

    ``work`` takes out of the list what it has done. It may raise anything: the first of several
    failures is logged, and then that it is over. With ``is_newest`` only the newest thing counts:
    what came before it is forgotten, and after a failure it is tried at once.
    """

    def __init__(
        self,
        name: str,
        work: Callable[[list[T]], None],
        words: Words,
        *,
        retry_s: float | None = None,
        is_newest: bool = False,
        is_eager: bool = False,
        limit_s: float | None = None,
    ) -> None:
        """``retry_s`` None: the usual time. ``is_eager``: during trouble, too, what is put is tried
        at once. ``limit_s``: ``work`` that takes longer than this ends the run, as of ``Pulse``.
        """
        self._work = work
        self._words = words
        self._retry_s = RETRY_S if retry_s is None else retry_s
        self._is_newest = is_newest
        self._is_eager = is_eager or is_newest
        self._is_undone: Callable[[], bool] | None = None
        self._wake = threading.Condition()
        self._new: list[T] = []
        self.left: list[T] = []
        """What the thread has taken over and not done yet."""
        self.trouble = ""
        """Why things wait, and how to mend it; empty: none does for longer than it takes."""
        self.pulse = Pulse(name, limit_s)
        """Since when ``work`` has not come back."""
        self._is_woken = self._is_closing = False
        self._changed: Callable[[], None] = _nobody
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def watch(self, changed: Callable[[], None]) -> None:
        """Let this be called, by the thread, when something is done or the trouble changes."""
        self._changed = changed

    def repeat_if(self, is_undone: Callable[[], bool]) -> None:
        """Let the thread ask this every ``LOOK_S``; if it is True, ``work`` is called again."""
        self._is_undone = is_undone

    def start(self, trouble: str = "") -> None:
        """Begin to work. ``trouble``: known to be in the way already."""
        self._tell(trouble)
        self._thread.start()

    @property
    def is_kept(self) -> bool:
        """Whether all that was put is done."""
        return not (self._new or self.left)

    def put(self, *things: T) -> None:
        """Let these be done after all others; returns at once. Without any: look for work."""
        with self._wake:
            self._new += things
            self._is_woken = True
            self._wake.notify()

    def stop(self, patience_s: float | None = None) -> bool:
        """Do what is left, trying once, then end; whether that came about in so many seconds."""
        with self._wake:
            self._is_closing = True
            self._wake.notify()
        self._thread.join(patience_s)
        return not self._thread.is_alive()

    # --- in the thread

    def _run(self) -> None:
        with self.pulse:
            self._work_on()

    def _work_on(self) -> None:
        is_last = False
        while not is_last:
            with self._wake:
                idle_s = None if self._is_undone is None else LOOK_S
                self._wake.wait_for(self._has_work, self._retry_s if self.trouble else idle_s)
                is_last, is_woken, self._is_woken = self._is_closing, self._is_woken, False
                self.left += self._new
                self._new = []
            if self._is_newest:
                del self.left[:-1]
            if self.left or self.trouble or is_woken or self._has_come_undone():
                self._try()

    def _has_work(self) -> bool:
        return self._is_closing or (self._is_woken and (self._is_eager or not self.trouble))

    def _has_come_undone(self) -> bool:
        try:
            return self._is_undone is not None and self._is_undone()
        except Exception:  # this thread must not end: it writes every later ply
            log.exception("%s: no longer checks what it has done", self._words.subject)
            self._is_undone = None
            return False

    def _try(self) -> None:
        waiting, trouble = len(self.left), ""
        self.pulse.beat()
        try:
            self._work(self.left)
        except BoardError as error:
            trouble = str(error) or repr(error)
        except Exception as error:  # a thread that ends unsaid would leave everything undone
            log.debug("where the work for %s failed", self._words.subject, exc_info=True)
            trouble = f"{self._words.subject}: {error!r}"
        self.pulse.rest()
        if self._tell(trouble) or len(self.left) < waiting:
            self._pass_on()

    def _pass_on(self) -> None:
        try:
            self._changed()
        except Exception:  # the work goes on, whatever becomes of the news
            log.exception("%s: nobody could be told of a change", self._words.subject)

    def _tell(self, trouble: str) -> bool:
        """Say what is in the way now, or that nothing is; whether that is news."""
        if trouble == self.trouble:
            return False
        if not trouble:
            log.warning("%s: %s", self._words.subject, self._words.over)
        elif not self.trouble:
            log.error("%s; %s", trouble, self._words.meanwhile)
        self.trouble = trouble
        return True


def _nobody() -> None:
    """Ignore the news."""


def newest(name: str, work: Callable[[T], None], *, limit_s: float | None = None) -> Outbox[T]:
    """An outbox for lights, sounds and texts, of which only the newest counts.

    ``limit_s`` as of ``Outbox``.
    """

    def do(things: list[T]) -> None:
        for thing in things:
            work(thing)
        things.clear()

    words = Words(name, "the game goes on")
    return Outbox(name, do, words, is_newest=True, limit_s=limit_s)
