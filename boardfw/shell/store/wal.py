"""SQLite's write-ahead log beside a damaged file: what it would have put on the pages.

SQLite ends its reading of the log, without a word, at the first frame whose checksum is wrong: all
that was kept after it is lost then. The format: https://www.sqlite.org/fileformat2.html#walformat
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_HEAD, _FRAME_HEAD = 32, 24
_MAGIC = 0x377F0682
"""With its last bit set the checksums are of big-endian numbers, else of little-endian ones."""
_READINGS = 20
_MASK = 0xFFFFFFFF


class Frame(NamedTuple):
    """One page as it was written: its number from 1, and whether a commit ends with it."""

    page: int
    content: bytes
    commits: bool
    is_sound: bool
    """Whether its checksum, and those of all frames before it, are right."""


def log_of(path: Path) -> Path:
    """Where the log of a file is, or would be; it lies beside what a link leads to."""
    real = Path(os.path.realpath(path))  # of links that lead in a circle it is one of them
    return real.with_name(f"{real.name}-wal")


def read_log(path: Path) -> bytes:
    """The log of a file; empty: there is none. Raises OSError.

    Another program may begin it anew meanwhile, and half of each would look like damage: so it is
    read until two readings agree, as far as the other one ever rests.
    """
    log, before = b"", None
    for _ in range(_READINGS):
        try:
            log = log_of(path).read_bytes()
        except FileNotFoundError:
            return b""
        if log == before:
            return log
        before = log
    return log


def frames(log: bytes) -> Iterator[Frame]:
    """The frames of a log that belong together; what is left of an older log is not told."""
    size = int.from_bytes(log[8:12], "big")
    if len(log) < _HEAD + _FRAME_HEAD or not 512 <= size <= 65536:
        return
    order = ">" if log[3] & 1 else "<"
    sums = _sums(log[:24], (0, 0), order)
    is_sound = int.from_bytes(log[:4], "big") | 1 == _MAGIC | 1
    is_sound = is_sound and struct.pack(">II", *sums) == log[24:32]
    salts = log[_HEAD + 8 : _HEAD + 16]
    for at in range(_HEAD, len(log) - size - _FRAME_HEAD + 1, size + _FRAME_HEAD):
        head, content = log[at : at + _FRAME_HEAD], log[at + _FRAME_HEAD :][:size]
        page, after = struct.unpack(">II", head[:8])
        if head[8:16] != salts and is_sound and not _goes_on(log, at, size, salts):
            return  # the rest is of an older log
        sums = _sums(head[:8] + content, sums, order)
        is_sound = is_sound and head[8:16] == log[16:24]
        is_sound = is_sound and struct.pack(">II", *sums) == head[16:24]
        if page and head[8:16] == salts:
            yield Frame(page, content, bool(after), is_sound)


def _goes_on(log: bytes, at: int, size: int, salts: bytes) -> bool:
    """Whether frames of this log come after one that seems to be of an older one."""
    step = size + _FRAME_HEAD
    heads = (log[later + 8 : later + 16] for later in range(at + step, len(log) - step + 1, step))
    return salts in heads


def lost_commits(log: bytes) -> int:
    """How many commits SQLite would not read, as a frame in or before them is damaged.

    The last one alone may be half-written: the power was cut before it was told to anybody.
    """
    return sum(frame.commits and not frame.is_sound for frame in frames(log))


def is_broken_off(log: bytes) -> bool:
    """Whether more was committed after a frame that is damaged."""
    return lost_commits(log) > 1


def overlaid(content: bytes, log: bytes, *, sound: bool = False) -> bytes:
    """The file as it would be with the frames of its log on its pages, damaged or not.

    ``sound``: of the commits that SQLite would read: without what is damaged, all after that, and
    what was never committed.
    """
    file = bytearray(content)
    found = list(frames(log))
    if sound:
        commits = [n for n, frame in enumerate(found, 1) if frame.commits and frame.is_sound]
        del found[commits[-1] if commits else 0 :]
    for frame in found:
        start = (frame.page - 1) * len(frame.content)
        if start > len(content) + len(log):
            continue  # the number of the page is what is damaged
        file.extend(bytes(max(0, start - len(file))))
        file[start : start + len(frame.content)] = frame.content
    return bytes(file)


def _sums(content: bytes, before: tuple[int, int], order: str) -> tuple[int, int]:
    one, other = before
    words = struct.unpack(f"{order}{len(content) // 4}I", content)
    for first, second in zip(words[::2], words[1::2], strict=True):
        one = one + first + other & _MASK
        other = other + second + one & _MASK
    return one, other
