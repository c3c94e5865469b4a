"""How openings are called: names of positions, whatever the moves that led there.

``docs/openings`` holds the lines that the table is made of, and says where the names come from.
"""

from boardfw.notation.openings.naming import name_of, opening_of
from boardfw.notation.openings.table import Opening

__all__ = ["Opening", "name_of", "opening_of"]
