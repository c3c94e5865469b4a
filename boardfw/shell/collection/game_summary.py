"""What is kept of a game besides its entries, so that it is found and written without reading them.

To put a game into words takes milliseconds, to play it through nearly as many; a collection has
ten thousand of them. All of a card follows from the entries, and it is made again when there are
more of them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import blake2b
from struct import Struct

from boardfw.game.chronicle import Chronicle
from boardfw.notation.pgn import Game, format_game
from boardfw.notation.pgn.tags import OPENING_TAGS, ROSTER, written_tags
from boardfw.notation.san import numbered_san
from boardfw.rules import Position

KEY_BYTES = 8
FIRST_PLIES = 8
"""Plies that a list shows of each game."""
UNKNOWN_DATE = ROSTER["Date"]

_POSITION = Struct("<9QBB")
_NO_SQUARE = 64
_DATE = re.compile(r"(\d{4})(?:\.(\d\d)(?:\.(\d\d))?)?")


@dataclass(frozen=True, slots=True)
class GameSummary:
    """One game, as it was when it had so many ``entries``."""

    entries: int
    date: str
    """As far as it is known: ``2026-11-05``, ``2026-11``, ``2026`` or nothing."""
    white: str
    black: str
    result: str
    plies: int
    first_moves: str
    opening: str
    """What tags say of it, else what its moves say."""
    digest: int
    """Of tags, start, moves and result: games with equal ones are the same.

    How the opening is called makes no other game of it: we name it where a file does not.
    """
    pgn: str
    keys: bytes
    """Of all positions of the game, the start first."""


def summary_of(told: Chronicle, entries: int, day: str = UNKNOWN_DATE) -> GameSummary:
    """The card of a game; ``day``: on which it was begun, as PGN writes it, if that is known."""
    record = told.timed()
    tags = dict(told.tags)
    if tags.get("Date", UNKNOWN_DATE) == UNKNOWN_DATE:
        tags["Date"] = day
    game = record.to_pgn(tags)
    written = written_tags(game.tags, game.start, game.result)
    return GameSummary(
        entries,
        known_date(written["Date"]),
        written["White"],
        written["Black"],
        game.result,
        len(record.moves),
        numbered_san(record.start, record.moves[:FIRST_PLIES]),
        " ".join(written[name] for name in OPENING_TAGS if name in written),
        _digest(game, written),
        format_game(game),
        b"".join(map(key_of, record.positions())),
    )


def key_of(position: Position) -> bytes:
    """Equal for positions that are the same for repetition, and in practice for no others."""
    placement, turn, castling, en_passant = position.key
    square = _NO_SQUARE if en_passant is None else en_passant
    packed = _POSITION.pack(*placement, castling, turn, square)
    return blake2b(packed, digest_size=KEY_BYTES).digest()


def known_date(tag: str) -> str:
    """What a tag Date says, as far as it says anything: of ``2026.11.??`` it is ``2026-11``."""
    found = _DATE.match(tag)
    return "-".join(filter(None, found.groups())) if found else ""


def _digest(game: Game, tags: dict[str, str]) -> int:
    said = [f"{name}={value}" for name, value in tags.items() if name not in OPENING_TAGS]
    played = [move.uci() for move in game.moves]
    text = "\n".join([*said, *played])
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), signed=True)
