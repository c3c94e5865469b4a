"""The error tree: broken things only.

A mistake of a player (an illegal move, a knocked-over king) is told by the game, never raised.
Every message is one line that says what is wrong, where, and how to mend it, because it is
shown to a person as it stands.
"""

from __future__ import annotations

import errno
import os
import re

from boardfw.squares import ALL_SWITCHES, Occupancy

MOST_QUOTED = 80
"""Characters of the input that a message quotes at most."""
_SIGN = r"(?:(?!\1)[^\\]|\\.)"
_END = f"({_SIGN}{{{(MOST_QUOTED - 3) // 2}}})"
_QUOTED = re.compile(rf"(?<!\w)(['\"]){_END}{_SIGN}{{5,}}{_END}\1")
"""A longer text in quotation marks, as ``repr`` writes it. One after a letter is an apostrophe."""


def shortened(message: str) -> str:
    """Return the message with the middle of each longer quotation left out."""
    return _QUOTED.sub(r"\1\2...\3\1", message)


class BoardError(Exception):
    """Something is broken or cannot be read; the message is one line for a person.

    It quotes only the ends of a long input, since the whole would hide the message.
    """

    def __init__(self, message: str = "") -> None:
        super().__init__(shortened(message))


class BusError(BoardError):
    """A transfer to the switches or to the lights failed: no acknowledgement, time-out, stuck bus.

    ``switches``: those that cannot be read because of it; by default all.
    """

    def __init__(self, message: str, switches: Occupancy = ALL_SWITCHES) -> None:
        super().__init__(message)
        self.switches = switches


class StorageError(BoardError):
    """A disk takes or gives nothing for now: it is full, read-only, not ours to use, or it fails.

    Nothing that was given is wrong, and it may work again: a board plays on and tries again.
    """


class WiringError(BoardError):
    """A board description that cannot be true: a square twice, an unknown back-end."""


class ConfigError(BoardError):
    """A configuration that cannot be used: unknown key, wrong type, impossible value."""


class TraceError(BoardError):
    """A recording that is not in the trace format; the message starts with ``FILE:LINE:``."""


class NotationError(BoardError):
    """A FEN, move or PGN text that cannot be read; the message names the spot."""


class ServiceError(BoardError):
    """A program or a server beside the board that does not do what it should."""


class LessonError(BoardError):
    """A lesson, or its texts, that cannot be used; the message starts with ``FILE:LINE:``."""


_OF_THE_DISK = {
    errno.EACCES,
    errno.EDQUOT,
    errno.EIO,
    errno.EMFILE,
    errno.ENFILE,
    errno.ENODEV,
    errno.ENOMEM,
    errno.ENOSPC,
    errno.ENXIO,
    errno.EPERM,
    errno.EROFS,
    errno.ESTALE,
}
"""Numbers of errors that depend on the state of a disk, and not on the name of a file."""


def refused_by_disk(message: str, error: OSError) -> BoardError:
    """The error with this message: a StorageError if the same name may work at another time."""
    return (StorageError if error.errno in _OF_THE_DISK else BoardError)(message)


def why(error: OSError) -> str:
    """What an error of the system says."""
    return os.strerror(error.errno) if error.errno else str(error)


def why_not_opened(error: OSError, missing: str, forbidden: str) -> str:
    """Why a device cannot be opened, with the remedy where it is missing or not permitted."""
    if error.errno == errno.ENOENT:
        return missing
    if error.errno in (errno.EACCES, errno.EPERM):
        return f"no permission; {forbidden}"
    return f"cannot be opened: {why(error)}"
