"""Games as a page's stream tells them, each with what the page has to show then.

python -m tests.services.web.followed COUNT PLIES
"""

from __future__ import annotations

import json
import sys
from typing import Any

from boardfw.notation.fen import parse_setup
from boardfw.rules.board import COLOR_NAMES, PIECE_NAMES, Piece, piece_at
from boardfw.services.web.feed import Feed
from boardfw.services.web.fold import State
from boardfw.services.web.roles import Role
from boardfw.squares import EVERY_SQUARE, NAMES
from tests.services.web.watched import game

KINDS = ("careful", "club", "blitz", "child")
UNKNOWN = "an unknown piece stands here"


def followed(seed: int, plies: int) -> dict[str, Any]:
    """A game: its first snapshot, then each delta with the moves and squares after it."""
    (first, _), *steps = game(seed, KINDS[seed % len(KINDS)], plies, clock="5+3")
    feed = Feed("followed", first)
    channel = feed.channel(Role.PLAYER)
    snapshot = json.loads(channel.snapshot)
    told = []
    for state, events in steps:
        before = channel.seq
        feed.publish(state, events)
        told += [
            {"delta": json.loads(delta), "sans": sans_of(state), "squares": squares_of(state)}
            for delta in channel.since(before) or []
        ]
    return {"snapshot": snapshot, "told": told}


def sans_of(state: State) -> list[str]:
    """The moves of the game."""
    return [san for _, san, *_ in state["game"]["plies"]]


def squares_of(state: State) -> list[str]:
    """What stands on each square by the switches and the game; empty: nothing."""
    closed = int(state["occ"], 16)
    unread = {*state["stuck"], *state["blind"]}
    placement = parse_setup(f"{state['placement']} w - - 0 1").placement
    pieces = (piece_at(placement, square) for square in EVERY_SQUARE)
    return [
        (name_of(piece) if piece else UNKNOWN)
        if (closed >> square & 1) or (piece and NAMES[square] in unread)
        else ""
        for square, piece in enumerate(pieces)
    ]


def name_of(piece: Piece) -> str:
    """A piece in words."""
    return f"{COLOR_NAMES[piece.color].lower()} {PIECE_NAMES[piece.piece_type]}"


if __name__ == "__main__":
    count, length = map(int, sys.argv[1:])
    for number in range(count):
        sys.stdout.write(json.dumps(followed(number, length)) + "\n")
