"""Three ways in which a move text can fail, kept apart because the remedies differ."""

from __future__ import annotations

from boardfw.errors import NotationError


class UnreadableMove(NotationError):  # noqa: N818  # the name is the finding
    """The text is no move in this notation."""


class IllegalMove(NotationError):  # noqa: N818  # the name is the finding
    """The text is a move, but it is not legal in this position."""


class AmbiguousMove(NotationError):  # noqa: N818  # the name is the finding
    """The text fits more than one legal move; the message names them."""
