"""Rows of a damaged file, read page by page: where a tree's root is gone, its leaves still stand.

The format is SQLite's own, https://www.sqlite.org/fileformat2.html: section 1.6 (pages and cells),
2.1 (records). Of tables without row numbers the inner pages hold rows, too.
"""

from __future__ import annotations

import os
import sqlite3
import struct
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple, TypeAlias

from boardfw.shell.files import neighbour

DAMAGE = (sqlite3.DatabaseError, UnicodeDecodeError)
"""Raised where a file is damaged. A message of SQLite may quote a damaged text, which Python cannot
decode."""

Value: TypeAlias = int | bytes | None
"""Text is given as the bytes that stand in the file, and so is a fraction."""

_INNER, _LEAF = 2, 10
"""Kinds of pages that hold rows of a table without row numbers, and how their heads differ."""
_HEAD = {_INNER: 12, _LEAF: 8}
_CHILD = {_INNER: 4, _LEAF: 0}
"""Bytes in front of each row."""
_INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
"""Bytes of an integer, by its serial type."""
_MAGIC = b"SQLite format 3\0"
_USUAL_SIZE = 4096
"""Bytes of a page by default; we never set another size."""

_SAME_IN_ALL = (
    (0, _MAGIC),
    (16, _USUAL_SIZE.to_bytes(2, "big")),
    (20, b"\0\x40\x20\x20"),  # nothing reserved in a page; how full its rows may make it
    (44, (4).to_bytes(4, "big")),  # the format of the schema
    (52, bytes(4)),  # pages that are free are not given back
    (56, (1).to_bytes(4, "big")),  # texts are UTF-8
    (64, bytes(4)),
    (72, bytes(20)),  # for later versions of SQLite
)
"""Fields of the header that have one value in every file of ours, by their places. Section 1.3."""
_HEADER_BYTES = 100
_VERSIONS, _LOG, _KNOWN = slice(18, 20), b"\2\2", 2
"""The format for writing and for reading; both are 2 with a log, and 1 without. Of a higher one
SQLite only reads, or does not even that."""


def has_known_format(content: bytes | bytearray) -> bool:
    """True if the header names a format that SQLite reads and writes."""
    return max(content[_VERSIONS], default=0) <= _KNOWN


def right_header(content: bytes) -> bytes:
    """Return a file's header with those fields right that are the same in each file of ours."""
    header = bytearray(content[:_HEADER_BYTES])
    for start, value in _SAME_IN_ALL:
        header[start : start + len(value)] = value
    if not has_known_format(header):
        header[_VERSIONS] = _LOG
    return bytes(header)


def put_header_right(path: Path) -> None:
    """Write those fields of the header that are the same in each file of ours. Raises OSError."""
    with path.open("r+b") as file:
        header = right_header(file.read(_HEADER_BYTES))
        file.seek(0)
        file.write(header)
        file.flush()
        os.fsync(file.fileno())


def rows(content: bytes) -> Iterator[tuple[Value, ...]]:
    """Every row that a page in use seems to hold, of whatever table; nonsense is left out."""
    size = _page_size(content)
    reader = _Reader(content, size)
    free = _free_pages(content, size)
    for start in range(size, len(content) - size + 1, size):  # the first page holds the layout
        kind = content[start]
        if kind in _HEAD and start // size + 1 not in free:
            yield from reader.rows(start, kind)


def _page_size(content: bytes) -> int:
    """What the file says of itself, as long as that can be believed. Section 1.3.2."""
    size = int.from_bytes(content[16:18], "big")
    size = 65536 if size == 1 else size
    is_size = size >= 512 and size & (size - 1) == 0
    return size if is_size and content.startswith(_MAGIC) else _USUAL_SIZE


def _free_pages(content: bytes, size: int) -> set[int]:
    """Pages that are in use no more: what was deleted may still stand there. Section 1.5."""
    free: set[int] = set()
    if not content.startswith(_MAGIC):
        return free
    trunk = int.from_bytes(content[32:36], "big")
    while 0 < trunk <= len(content) // size and trunk not in free:
        free.add(trunk)
        page = content[(trunk - 1) * size : trunk * size]
        many = min(int.from_bytes(page[4:8], "big"), size // 4 - 2)
        free |= {int.from_bytes(page[8 + 4 * n : 12 + 4 * n], "big") for n in range(many)}
        trunk = int.from_bytes(page[:4], "big")
    return free


class _Reader:
    def __init__(self, content: bytes, size: int) -> None:
        self._content = content
        self._size = size
        self._most = (size - 12) * 64 // 255 - 23
        self._least = (size - 12) * 32 // 255 - 23
        """How much of a row lies on its page, at the most; and at least if the rest does not."""

    def rows(self, start: int, kind: int) -> Iterator[tuple[Value, ...]]:
        """Of the page that begins there."""
        page = self._content[start : start + self._size]
        first = _HEAD[kind]
        for at in range(first, first + 2 * int.from_bytes(page[3:5], "big"), 2):
            cell = int.from_bytes(page[at : at + 2], "big") + _CHILD[kind]
            try:
                yield _record(self._payload(page, cell))
            except (IndexError, ValueError):  # the page is what is damaged
                continue

    def _payload(self, page: bytes, cell: int) -> bytes:
        length, at = _varint(page, cell)
        if length > len(self._content):
            raise ValueError
        if length <= self._most:
            return page[at : at + length]
        here = self._least + (length - self._least) % (self._size - 4)
        if here > self._most:
            here = self._least
        overflow = int.from_bytes(page[at + here : at + here + 4], "big")
        return page[at : at + here] + self._overflow(overflow, length - here)

    def _overflow(self, page: int, length: int) -> bytes:
        parts: list[bytes] = []
        while length > 0:
            start = (page - 1) * self._size
            if page < 2 or start >= len(self._content):
                raise ValueError
            parts.append(self._content[start + 4 : start + min(self._size, length + 4)])
            page = int.from_bytes(self._content[start : start + 4], "big")
            length -= self._size - 4
        return b"".join(parts)


def _varint(text: bytes, at: int) -> tuple[int, int]:
    """A number of one to nine bytes, and where it ends."""
    value = 0
    for n in range(8):
        byte = text[at + n]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + n + 1
    return value << 8 | text[at + 8], at + 9


def _record(payload: bytes) -> tuple[Value, ...]:
    end, at = _varint(payload, 0)
    kinds = []
    while at < end:
        kind, at = _varint(payload, at)
        kinds.append(kind)
    bounds = [end]
    for kind in kinds:
        bounds.append(bounds[-1] + _length(kind))
    if bounds[-1] != len(payload):
        raise ValueError
    return tuple(
        _value(kind, payload[a:b]) for kind, (a, b) in zip(kinds, pairwise(bounds), strict=True)
    )


def _length(kind: int) -> int:
    if kind >= 12:
        return (kind - 12) // 2
    return 8 if kind == 7 else _INTEGERS.get(kind, 0)


def _value(kind: int, content: bytes) -> Value:
    if kind in (8, 9):
        return kind - 8
    if kind in _INTEGERS:
        return int.from_bytes(content, "big", signed=True)
    return content if kind >= 12 or kind == 7 else None


# SQLite's write-ahead log beside a damaged file: what it would have put on the pages.
#
# SQLite silently ends its reading of the log at the first frame whose checksum is wrong; all that
# was kept after it is lost then. The format: https://www.sqlite.org/fileformat2.html#walformat

_HEAD_of_wal, _FRAME_HEAD = 32, 24
_MAGIC_of_wal = 0x377F0682
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
    return neighbour(os.path.realpath(path), "-wal")  # of links that lead in a circle it is one


def read_log(path: Path) -> bytes:
    """The log of a file; empty: there is none. Raises OSError.

    Another program may begin it again meanwhile, and half of each would look like damage: so it is
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
    if len(log) < _HEAD_of_wal + _FRAME_HEAD or not 512 <= size <= 65536:
        return
    order = ">" if log[3] & 1 else "<"
    sums = _sums(log[:24], (0, 0), order)
    is_sound = int.from_bytes(log[:4], "big") | 1 == _MAGIC_of_wal | 1
    is_sound = is_sound and struct.pack(">II", *sums) == log[24:32]
    salts = log[_HEAD_of_wal + 8 : _HEAD_of_wal + 16]
    for at in range(_HEAD_of_wal, len(log) - size - _FRAME_HEAD + 1, size + _FRAME_HEAD):
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
