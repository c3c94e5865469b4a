"""PGN files as lines of text, whatever they are encoded in."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from io import BufferedReader, TextIOWrapper
from pathlib import Path

from boardfw.errors import NotationError
from boardfw.given import open_given

_LATIN = "boardfw-latin"
"""Name of the error handler: what is not UTF-8 is read as Latin-1."""

_WINDOWS = "cp1252"
"""Latin-1 with quotation marks and dashes where that has signs nobody can see: the programs that
write Latin-1 mean this."""

_DOS_END = "\x1a"
"""Programs of DOS end their files with it; only the last line can, others end with a line feed."""

_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


def file_lines(path: str | Path, most: int | None = None) -> Iterator[str]:
    """The lines of a file, one after the other as they are asked for; each ends with a line feed.

    UTF-8, and what is not, sign by sign as Latin-1: old collections have games of both kinds.
    ``most``: bytes that the file may have. Raises NotationError if it cannot be read.
    """
    try:
        with (
            open_given(path, most) as file,
            TextIOWrapper(file, encoding=_encoding_of(file), errors=_LATIN) as text,
        ):
            for line in text:
                yield line if line[-1] != _DOS_END else line.rstrip(_DOS_END)
    except OSError as error:
        raise NotationError(f"{path}: cannot be read: {error.strerror}") from error


def _encoding_of(file: BufferedReader) -> str:
    head = file.peek(4)
    marks = (name for mark, name in _BYTE_ORDER_MARKS.items() if head.startswith(mark))
    return next(marks, "utf-8")


def _as_latin(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    strange = error.object[error.start : error.end]
    if error.encoding not in ("utf-8", "utf8"):
        return "\ufffd", error.end
    return "".join(map(_sign, strange)), error.end


def _sign(byte: int) -> str:
    try:
        return bytes([byte]).decode(_WINDOWS)
    except UnicodeDecodeError:
        return chr(byte)


codecs.register_error(_LATIN, _as_latin)
