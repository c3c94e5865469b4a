"""Rows of a damaged file, read page by page: where a tree's root is gone, its leaves still stand.

The format is SQLite's own, https://www.sqlite.org/fileformat2.html: section 1.6 (pages and cells),
2.1 (records). Of tables without row numbers the inner pages hold rows, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TypeAlias

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
"""Bytes of a page where nobody asks for others, and we never do."""


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
