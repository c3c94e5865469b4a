"""Games as a page's stream tells them, each with what the page has to show then.

python -m tests.services.web.followed COUNT PLIES
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

from boardfw.services.web.feed import Feed
from boardfw.services.web.fold import State
from boardfw.services.web.roles import Role
from boardfw.squares import NAMES
from tests.services.web.watched import game

KINDS = ("careful", "club", "blitz", "child")
PIECES = {"p": "pawn", "n": "knight", "b": "bishop", "r": "rook", "q": "queen", "k": "king"}
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
    rows = [list(pieces_of(row)) for row in state["placement"].split("/")]
    letters = [letter for row in reversed(rows) for letter in row]
    return [
        (name_of(letter) if letter else UNKNOWN)
        if (closed >> square & 1) or (letter and NAMES[square] in unread)
        else ""
        for square, letter in enumerate(letters)
    ]


def pieces_of(row: str) -> Iterator[str]:
    """The letters of a row of FEN; empty: no piece."""
    for letter in row:
        yield from [""] * int(letter) if letter.isdigit() else [letter]


def name_of(letter: str) -> str:
    """A piece in words."""
    return f"{'white' if letter.isupper() else 'black'} {PIECES[letter.lower()]}"


if __name__ == "__main__":
    count, length = map(int, sys.argv[1:])
    for number in range(count):
        sys.stdout.write(json.dumps(followed(number, length)) + "\n")
