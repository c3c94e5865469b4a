"""Text formats of moves, positions and games: each file parses and formats one of them."""

from boardfw.notation.errors import AmbiguousMove, IllegalMove, UnreadableMove

__all__ = ["AmbiguousMove", "IllegalMove", "UnreadableMove"]
