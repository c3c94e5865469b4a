"""An opponent that is not at the board, as it is written where a player's name may be."""

from __future__ import annotations

import re
from difflib import get_close_matches

from boardfw.errors import ConfigError
from boardfw.notation.errors import quoted

SEAT = "engine"
"""Begins the name of a player who is not at the board."""
_KIND = re.compile(r"(?P<kind>[^\s:?]*)(?P<rest>:\S.*|:|\?level\b.*|)", re.DOTALL)
"""A kind of opponent and which one. A name such as "Ann: the great" has a blank after its colon."""


def is_opponent(text: str) -> bool:
    """True if a player's name asks for an opponent that is not at the board."""
    return text.partition("?")[0].partition(":")[0] == SEAT


def parts_of(text: str) -> tuple[str, str | None]:
    """Name and level of an opponent as they are written; "" and None: not given.

    Raises ConfigError.
    """
    before, _, level = text.partition("?")
    kind, _, name = before.partition(":")
    key, _, value = level.partition("=")
    if kind != SEAT or (level and key != "level"):
        raise ConfigError(f"{quoted(text)}: write the level as in '{SEAT}:stockfish?level=3'")
    return name, value if level else None


def misspelt(text: str) -> str:
    """Return an error text if a person's name looks like a misspelt opponent; else nothing.

    Engin is a person's name, ``engin`` is a spelling mistake.
    """
    found = _KIND.fullmatch(text)
    if found is None or is_opponent(text):
        return ""
    kind, rest = found["kind"], found["rest"]
    if not rest:
        if kind.casefold() != SEAT and not (kind.islower() and _is_like(kind)):
            return ""
        meant, person = SEAT, "begins with a capital letter"
    elif rest.startswith("?"):
        meant = f"{SEAT}{rest}" if _is_like(kind) else f"{SEAT}:{kind}{rest}"
        person = "ends before a question mark"
    else:
        meant = f"{SEAT}{rest}" if _is_like(kind) else f"{SEAT}:stockfish"
        person = "has a blank after a colon"
    remedy = f"did you mean {quoted(meant)}? The name of a person {person}"
    return f"{quoted(text)} is no opponent; {remedy}"


def _is_like(kind: str) -> bool:
    return bool(get_close_matches(kind.casefold(), [SEAT], n=1, cutoff=0.8))
