"""What the file of one game is called."""

from __future__ import annotations

from collections.abc import Mapping

LONGEST = 24
"""Signs of a player's name: a file's may have 255 bytes, and a sign up to four."""


def file_name(tags: Mapping[str, str], number: int) -> str:
    """Date, number and players, in signs that every file system takes."""
    date = tags.get("Date", "?").replace(".", "-")
    players = [_plain(tags.get(player, "?")) for player in ("White", "Black")]
    parts = ["undated" if "?" in date else _plain(date), f"{number:04d}"]
    known = [player or "unknown" for player in players] if any(players) else []
    return "-".join([*parts, *known]) + ".pgn"


def _plain(text: str) -> str:
    """Without what a stick, a share or another system may not take; nothing of who is unknown."""
    signs = (sign if sign.isalnum() or sign in "-_" else "_" for sign in text[:LONGEST])
    return "" if text == "?" else "".join(signs).strip("_-")
