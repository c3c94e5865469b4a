"""The three errors of a move text, kept apart because their remedies differ."""

from __future__ import annotations

from boardfw.errors import NotationError

_SHOWN = 40
"""How many characters of a bad text a message quotes at most."""


def quoted(text: str) -> str:
    """A bad text as a message shows it: in ASCII, in quotation marks, shortened."""
    text = text.rstrip()
    return ascii(text if len(text) <= _SHOWN else text[:_SHOWN] + "...")


class UnreadableMove(NotationError):  # noqa: N818  # the name is the finding
    """The text is no move in this notation."""


class IllegalMove(NotationError):  # noqa: N818  # the name is the finding
    """The text is a move, but it is not legal in this position."""


class AmbiguousMove(NotationError):  # noqa: N818  # the name is the finding
    """The text fits more than one legal move; the message names them."""
