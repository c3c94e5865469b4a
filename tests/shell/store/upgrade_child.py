"""Brings a record to our version, to be killed meanwhile.

``python -m tests.shell.store.upgrade_child RECORD``.
"""

from __future__ import annotations

import sys
from pathlib import Path

from boardfw.shell.store.database import open_database

if __name__ == "__main__":
    open_database(Path(sys.argv[1])).close()
