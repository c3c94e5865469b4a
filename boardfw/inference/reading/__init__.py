"""A reader of hands: one probabilistic model of what they do, on trial.

Read the files in this order: ``constants``, ``touches``, ``hypothesis``, ``standing``,
``explaining``, ``growing``, ``beam``, ``habits``, ``finality``, ``learning``, ``asking``,
``kings``, ``reader``, ``game_reader``. What may be wrong with a board is in ``faults``,
``suspecting``, ``parking`` and ``wiring``.
"""

from boardfw.inference.reading.asking import Question
from boardfw.inference.reading.faults import Fault, FaultKind
from boardfw.inference.reading.reader import Reader
from boardfw.inference.reading.scan_reader import ScanReader

__all__ = ["Fault", "FaultKind", "Question", "Reader", "ScanReader"]
