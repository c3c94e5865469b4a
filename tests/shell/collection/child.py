"""An import in a process of its own, which is killed as it begins its so-manieth statement.

``python -m tests.shell.collection.child RECORD FILE STATEMENT`` prints how many games are kept.
"""

from __future__ import annotations

import os
import signal
import sys
from itertools import count
from pathlib import Path

from boardfw.shell.collection import pgn_import
from boardfw.shell.collection.collection import Collection
from boardfw.shell.collection.pgn_import import Importer, Tally

LOT = 3


def main(record: Path, file: Path, last: int) -> None:
    """Import in small lots, and say how many games are on the disk."""
    vars(pgn_import)["BATCH"] = LOT
    collection, tally = Collection.to_import(record), Tally()
    importer = Importer(collection, lambda: None, again=True)
    statements = count(1)

    def die_in_time(_: str) -> None:
        if next(statements) == last:
            os.kill(os.getpid(), signal.SIGKILL)

    collection.connection.set_trace_callback(die_in_time)
    for _ in importer.take(file, tally):
        sys.stdout.write(f"{tally.imported}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
