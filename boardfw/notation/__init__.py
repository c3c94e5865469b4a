"""How moves, positions and games are written: one text format a file, parse and format."""

from boardfw.notation.errors import AmbiguousMove, IllegalMove, UnreadableMove

__all__ = ["AmbiguousMove", "IllegalMove", "UnreadableMove"]
