"""Archives of the kind from which Linux takes its first files (cpio, "newc")."""

from __future__ import annotations

import stat
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath

END = "TRAILER!!!"


@dataclass(frozen=True)
class Entry:
    """A file; its directories need not be named."""

    name: str
    data: bytes
    is_program: bool = False


def archive(entries: Iterable[Entry]) -> bytes:
    """The bytes of an archive of these files."""
    made: dict[str, bytes] = {}
    for entry in entries:
        for folder in reversed(PurePosixPath(entry.name).parents[:-1]):
            made.setdefault(str(folder), _member(str(folder), stat.S_IFDIR | 0o755, b""))
        mode = stat.S_IFREG | (0o755 if entry.is_program else 0o644)
        made[entry.name] = _member(entry.name, mode, entry.data)
    return b"".join([*made.values(), _member(END, 0, b"")])


def _member(name: str, mode: int, data: bytes) -> bytes:
    path = name.encode() + b"\0"
    number, owner, links, date, device = 0, 0, 1, 0, 0
    fields = [number, mode, owner, owner, links, date, len(data)]
    fields += [device, device, device, device, len(path), 0]
    header = b"070701" + b"".join(b"%08x" % field for field in fields)
    return _padded(header + path) + _padded(data)


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 4)
