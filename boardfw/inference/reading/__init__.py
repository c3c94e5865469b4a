"""A reader of hands: one probabilistic model of what they do, on trial and not used in play yet.

Read the files in this order: ``constants``, ``touches``, ``hypothesis``, ``standing``,
``explaining``, ``growing``, ``beam``, ``habits``, ``finality``, ``reader``.
"""

from boardfw.inference.reading.faults import Fault, FaultKind
from boardfw.inference.reading.interpretation import Interpretation, ReadPly, Rival
from boardfw.inference.reading.reader import Reader

__all__ = ["Fault", "FaultKind", "Interpretation", "ReadPly", "Reader", "Rival"]
