"""Records of games made from their moves."""

from __future__ import annotations

from boardfw.game.record import Record
from boardfw.game.recorder import Recorder
from boardfw.notation.pgn import format_game
from boardfw.notation.uci import parse_uci
from boardfw.rules import Move, Position

LONG_US = 2_000_000


def game(text: str, start: Position | None = None) -> tuple[Move, ...]:
    position, moves = start or Position.start(), []
    for word in text.split():
        moves.append(parse_uci(position, word))
        position = position.play(moves[-1])
    return tuple(moves)


def record(*versions: str, apart_us: int = LONG_US) -> Record:
    """A record that was each of these games in turn."""
    kept = Record(Position.start(), 0)
    for number, version in enumerate(versions, 1):
        Recorder(kept).change(number * apart_us, game(version))
    return kept


def pgn(kept: Record) -> str:
    return format_game(kept.to_pgn({"White": "Ann", "Black": "Bob"}))
