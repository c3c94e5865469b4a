"""A new version in the place of one that runs: all of it, or the old one as it was.

To that belong the program, the files of the service, and the record, which the new version may
have changed for its own use before it failed.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

import host
import record
from environment import CURRENT
from place import InstallError, Place

ENDINGS = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)
"""A closed window, Ctrl-C, and the machine that shuts down."""


@dataclass(frozen=True)
class Before:
    """What was installed."""

    program: str | None
    texts: Mapping[str, str | None]

    @classmethod
    def of(cls, place: Place, files: Iterable[str]) -> Before:
        """As it is now."""
        return cls(place.target(CURRENT), {path: place.text(path) for path in files})

    def put_back(self, place: Place) -> None:
        """Let it be so again."""
        if self.program is not None:
            place.link(CURRENT, self.program)
        for path, text in self.texts.items():
            if text is None:
                place.remove(path)
            else:
                place.put(path, text)


def replace(place: Place, before: Before, put: Callable[[], None]) -> None:
    """Let the new version, which ``put`` puts in use, run where the old one ran.

    Raises InstallError if it does not start or something else fails, also when it is interrupted
    all; then what was there before runs again.
    """
    copy = None
    try:
        with _answering(_interrupt):
            if not host.stop():
                raise InstallError("boardfw.service cannot be stopped")
            copy = record.copied(place)
            put()
            host.take_over()
            if not host.restart():
                raise InstallError("the new version does not start")
    except (InstallError, OSError, KeyboardInterrupt) as error:
        with _answering(signal.SIG_IGN):  # a half-restored state must not remain
            again = "runs again" if _went_back(place, before, copy) else "does not start either"
        raise InstallError(f"{_why(error)}, the old one {again}; {host.LOOK}") from error
    if copy:
        copy.remove()


def _went_back(place: Place, before: Before, copy: record.Copy | None) -> bool:
    """Put all back; whether the service runs."""
    host.stop()  # by now it may be trying again
    before.put_back(place)
    if copy:
        copy.put_back()
    host.take_over()
    return host.restart()


def _why(error: BaseException) -> str:
    if isinstance(error, OSError):
        return f"{error.filename}: {error.strerror}"
    return str(error) or "stopped"


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


@contextmanager
def _answering(answer: Callable[[int, FrameType | None], None] | signal.Handlers) -> Iterator[None]:
    """Let this be the answer to whatever would end this program."""
    before = {number: signal.signal(number, answer) for number in ENDINGS}
    try:
        yield
    finally:
        for number, was in before.items():
            signal.signal(number, was)
