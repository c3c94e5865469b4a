"""Fuzz the readers of files, lines and web requests, guided by the code that an input reaches.

    .venv/bin/pip install atheris
    .venv/bin/python -m tests.bench.fuzz pgn -max_total_time=600

A reader may read an input or refuse it in one line. The search ends at the first input that does
something else, and at one that takes 20 s; it keeps that input in a file. The options are those of
libFuzzer, and a folder that is named keeps the inputs found for the next time.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path

OPTIONS = ("-timeout=20", "-rss_limit_mb=1024", "-max_len=3000", "-print_final_stats=1")


def main(reader: str, options: Sequence[str]) -> None:
    """Look for an input that this reader does not survive."""
    atheris = import_module("atheris")
    with atheris.instrument_imports(include=["boardfw", "hardware", "tomllib"]):
        readers = import_module("tests.bench.fuzz_readers")
    with tempfile.TemporaryDirectory() as folder:
        read: Callable[[bytes], None] = readers.READERS[reader](Path(folder))
        seeds = Path(folder, "seeds")
        seeds.mkdir()
        for number, seed in enumerate(readers.SEEDS[reader]):
            (seeds / str(number)).write_bytes(seed)
        atheris.Setup([sys.argv[0], *OPTIONS, *options, str(seeds)], read)
        atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
