"""The games that a player has finished against opponents that are not at the board."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from boardfw.errors import NotationError
from boardfw.game.journal import Begun, Entry, Opposed, Over, Tagged
from boardfw.notation.fen import parse_fen
from boardfw.rules import Position
from boardfw.rules.board import COLOR_NAMES
from boardfw.rules.chess960 import start_number
from boardfw.rules.outcome import DRAW, WINS
from boardfw.services.adaptive import EngineGame, level_at, rating
from boardfw.services.levels import Level
from boardfw.shell.files import is_there
from boardfw.shell.store.database import open_as_it_is, told
from boardfw.shell.store.game_store import checked

LAST = 200
"""Games played here, of whomever, that are looked at: who has learnt since is another player."""
NOBODY = "?"
"""PGN's word for a player without a name."""

_LAST_GAMES = "SELECT id FROM games WHERE imported_as IS NULL ORDER BY id DESC LIMIT ?"
_ENTRIES = f"""
SELECT game, number, at_ms, entry FROM entries WHERE game IN ({_LAST_GAMES})
AND substr(entry, 1, ?) IN (?, ?, ?, ?) ORDER BY game, number
"""
_HEAD = 14
"""Bytes, by which an entry's type is told."""
_HEADS = [f'{{"type":"{tag}"'.encode()[:_HEAD] for tag in ("begun", "tagged", "opposed", "over")]
"""Of the entries that tell who played and how it ended; others need not be read."""


def level_for(record: Path | None, player: str) -> Level:
    """The level that follows a player's results; without any that of a newcomer.

    ``record``: the file of games; None: none are kept. ``player``: as the record calls them.
    Raises BoardError where the file cannot be read.
    """
    if record is None or not is_there(record):
        return level_at(rating(()))
    with told(record), closing(open_as_it_is(record)) as connection:
        return level_at(rating(engine_games(connection, player)))


def engine_games(connection: sqlite3.Connection, player: str) -> list[EngineGame]:
    """This player's, the oldest first; what is damaged, or was not begun as a game is, is not."""
    found = []
    rows = connection.execute(_ENTRIES, (LAST, _HEAD, *_HEADS))
    for _, of_game in groupby(rows, key=itemgetter(0)):
        with suppress(NotationError):
            entries = [checked(*row) for row in of_game]
            if game := _engine_game(entries, _folded(player)):
                found.append(game)
    return found


def _engine_game(entries: list[Entry], player: str) -> EngineGame | None:
    """What a game says of a player; None: nothing."""
    tags: dict[str, str] = {}
    side, opponent, result, is_usual = "", "", "", False
    for entry in entries:
        if isinstance(entry, Begun):
            tags, is_usual = dict(entry.tags), _is_usual(parse_fen(entry.fen))
        elif isinstance(entry, Tagged):
            tags |= entry.tags
        elif isinstance(entry, Opposed):
            side, opponent = entry.side, entry.name
        elif isinstance(entry, Over):
            result = entry.result
    colors = [name.lower() for name in COLOR_NAMES]
    if side not in colors or not is_usual or result not in (*WINS, DRAW):
        return None
    color = 1 - colors.index(side)
    if _folded(tags.get(COLOR_NAMES[color], NOBODY)) != player:
        return None
    return EngineGame(opponent, 0.5 if result == DRAW else float(result == WINS[color]))


def _is_usual(start: Position) -> bool:
    """Whether a game from there is one between equals."""
    return start == Position.start() or start_number(start) is not None


def _folded(name: str) -> str:
    return name.strip().casefold() or NOBODY
