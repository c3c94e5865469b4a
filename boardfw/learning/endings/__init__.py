"""King and queen, king and rook, king and pawn against a lone king: known to the last ply.

The tables are computed when first asked for, in a tenth of a second each on a laptop and a second
or two on a Pi Zero 2; together they hold less than half a megabyte. ``prepare`` does it ahead.
"""

from boardfw.learning.endings.advice import Value, best_attack, best_defence, prepare, value

__all__ = ["Value", "best_attack", "best_defence", "prepare", "value"]
