"""An import in a process of its own, to be killed: ``python -m tests.shell.collection.child``."""

from __future__ import annotations

import sys
from pathlib import Path

from boardfw.shell.collection import importing
from boardfw.shell.collection.collection import Collection
from boardfw.shell.collection.importing import Importer, Tally

LOT = 3


def main(record: Path, file: Path) -> None:
    """Import in small lots, and say how many games are on the disk."""
    collection, tally = Collection.to_import(record), Tally()
    vars(importing)["BATCH"] = LOT
    for _ in Importer(collection, lambda: None, again=True).take(file, tally):
        sys.stdout.write(f"{tally.imported}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
