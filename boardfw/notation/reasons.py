"""Reasons in words."""

from __future__ import annotations

from boardfw.rules import Position
from boardfw.rules.reasons import Reason


def in_words(reason: Reason, _: Position) -> str:
    """A few words."""
    return reason.why.value.replace("_", " ")
