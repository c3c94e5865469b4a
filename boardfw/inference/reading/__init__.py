"""A reader of hands: one probabilistic model of what they do, on trial.

Read the files in this order: ``constants``, ``touches``, ``hypothesis``, ``standing``,
``explaining``, ``growing``, ``beam``, ``habits``, ``finality``, ``learning``, ``asking``,
``kings``, ``reader``, ``game_reader``.
"""

from boardfw.inference.reading.asking import Question
from boardfw.inference.reading.reader import Reader
from boardfw.inference.reading.scan_reader import ScanReader

__all__ = ["Question", "Reader", "ScanReader"]
