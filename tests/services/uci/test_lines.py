"""Lines are whole however the bytes arrive, and never longer than allowed."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from boardfw.services.uci.lines import LineSplitter, Overlong

LONGEST = 20


def pieces_of(data: bytes, cuts: list[int]) -> list[bytes]:
    places = sorted({min(cut, len(data)) for cut in cuts} | {0, len(data)})
    return [data[a:b] for a, b in pairwise(places)]


@given(st.lists(st.binary(max_size=40)), st.lists(st.integers(0, 500)))
def test_cut_anywhere_the_lines_are_the_same(parts: list[bytes], cuts: list[int]) -> None:
    lines = [part.replace(b"\n", b"").rstrip(b"\r") for part in parts]
    data = b"".join(line + b"\r\n" for line in lines) + b"half"
    splitter = LineSplitter(LONGEST)
    said = [line for piece in pieces_of(data, cuts) for line in splitter.feed(piece)]
    assert len(said) == len(lines)
    for line, heard in zip(lines, said, strict=True):
        if len(line) + 1 > LONGEST:
            assert isinstance(heard, Overlong)
        else:
            assert heard == line.decode("utf-8", "replace")


def test_what_is_too_long_is_not_kept() -> None:
    splitter = LineSplitter(LONGEST)
    for _ in range(1000):
        assert list(splitter.feed(b"x" * 1000)) == []
    assert len(splitter._begun) < 1000
    assert list(splitter.feed(b"\nuciok\n"))[1:] == ["uciok"]
