"""A hypothesis as the rooms above see it: the game alone, without prices and touches."""

from __future__ import annotations

from collections.abc import Iterator

from boardfw.inference.reading.hypothesis import Hypothesis
from boardfw.rules.move import Move


class Game:
    """One game that the switches may have told; a ``ReadGame``. Each hypothesis has one."""

    __slots__ = (
        "expected",
        "landed_us",
        "moves",
        "node",
        "orientation",
        "parent",
        "position",
        "took_back",
    )

    def __init__(self, node: Hypothesis, parent: Game | None) -> None:
        self.node = node
        """The hypothesis of which this is the game."""
        self.parent = parent
        self.moves: tuple[Move, ...] = (*parent.moves, node.move) if parent and node.move else ()
        self.position = node.position
        self.orientation = node.seating.orientation
        self.expected = self.orientation.switches(node.occupied)
        self.landed_us = node.landed_us
        self.took_back = node.undone is not None

    def plies_since(self, plies: int) -> Iterator[tuple[Game, Game]]:
        """The game before and after each ply but the first ``plies``, the last ply first."""
        game = self
        while game.parent is not None and len(game.moves) > plies:
            yield game.parent, game
            game = game.parent

    def __repr__(self) -> str:
        return f"<{' '.join(move.uci() for move in self.moves)}>"


def game_of(node: Hypothesis) -> Game:
    """Return the game of a hypothesis, the same each time."""
    without = []
    found: Hypothesis | None = node
    while found is not None and found.view is None:
        without.append(found)
        found = found.before
    game = found.view if found else None
    for one in reversed(without):
        game = one.view = Game(one, game)
    assert game is not None  # noqa: S101  # the node itself has one by now
    return game
