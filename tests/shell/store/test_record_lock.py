"""The lock of a record: who holds it, and until when."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from boardfw.shell.store.record_lock import TakenError, own


def test_a_record_is_free_once_it_was_let_go_though_a_program_began_meanwhile(
    tmp_path: Path,
) -> None:
    reading, writing = os.pipe()
    first = own(tmp_path / "games.db")
    child = os.fork()  # between its fork and its exec it has a copy of the lock
    if not child:
        os.close(writing)
        os.read(reading, 1)
        os._exit(0)
    try:
        with pytest.raises(TakenError):
            own(tmp_path / "games.db")
        first.close()
        own(tmp_path / "games.db").close()
    finally:
        os.close(writing)
        os.close(reading)
        os.waitpid(child, 0)
