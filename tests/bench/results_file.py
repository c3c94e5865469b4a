"""Results of a long measurement, each written down as soon as it is known.

With ``BOARDFW_RESULTS=FILE`` a measurement that was cut off goes on where it was; who changes what
is measured begins another file.
"""

from __future__ import annotations

import json
import os
from pathlib import Path


class ResultsFile:
    """What was measured, by names; without a file it is forgotten at the end."""

    def __init__(self) -> None:
        named = os.environ.get("BOARDFW_RESULTS")
        self._path = Path(named) if named else None
        self._known: dict[str, list[float]] = {}
        if self._path and self._path.exists():
            for line in self._path.read_text("utf-8").splitlines():
                name, values = json.loads(line)
                self._known[name] = values

    def get(self, name: str) -> list[float] | None:
        """What was measured under this name; None: nothing yet."""
        return self._known.get(name)

    def put(self, name: str, values: list[float]) -> None:
        """Write down what was measured."""
        self._known[name] = values
        if self._path:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps([name, values]) + "\n")
