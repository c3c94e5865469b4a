"""Reading games from texts, lines and files of any size and encoding, one after the other.

A file does not name its encoding. Today's programs write UTF-8, which is seldom mistaken for
another one. For other files the words tell: in the right encoding each consists of letters of one
script, only its first letter may be a capital, and few of its Latin letters have accents.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from io import BufferedReader, TextIOWrapper
from pathlib import Path
from typing import TypeVar

from boardfw.errors import NotationError
from boardfw.given import MOST_TEXT, open_given
from boardfw.notation.pgn.builders import Builder, LineBuilder, MainLine, TreeBuilder
from boardfw.notation.pgn.faults import OnFault
from boardfw.notation.pgn.game_reader import GameReader
from boardfw.notation.pgn.tokens import lines_of, words_of
from boardfw.notation.pgn.tree import Game

WESTERN = "cp1252"
"""Latin-1 with quotation marks and dashes in place of invisible characters: what programs that
write Latin-1 usually mean."""
ENCODINGS = (WESTERN, "cp1250", "iso8859_2", "cp1251", "koi8_r", "cp866")
"""Western Europe, Central Europe under Windows and elsewhere; Cyrillic under Windows, Unix and DOS.

Of several equally likely ones the first is taken.
"""

_LONGEST_LINE = 1 << 16
"""Characters of a line that are held in memory."""
_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_WORD = re.compile(rb"(?<![A-Za-z\x80-\xff])[A-Za-z]*+[\x80-\xff][A-Za-z\x80-\xff]*+")
"""A word that is not all ASCII. It is tried only where a word begins: a try at each letter of a
long word would make the time grow with the square of its length."""
_QUOTES = "\u2018\u2019\u201a\u201c\u201d\u201e\xab\xbb"
_MOST_WORDS = 5000
MOST_ACCENTED = 3
"""Letters of the longest Latin word whose letters all have accents; a longer one is Cyrillic."""


@dataclass(frozen=True, slots=True)
class Encoding:
    """The assumed encoding of a file whose words are not all UTF-8."""

    name: str
    is_mixed: bool
    """Whether other words are UTF-8, which is then tried first."""
    doubtful: tuple[str, str, str] | None = None
    """An equally likely encoding, and a word in ``name`` and in it; None: there is no other."""


def file_lines(
    path: str | Path, most: int | None = None, encoding: str | None = None
) -> Iterator[str]:
    """The lines of a file, read as they are consumed; each ends with a line feed.

    A line of more than 64 KiB comes in several pieces. The encoding is UTF-8 or recognised by the
    words. Old collections have games of both, so what is not UTF-8 is then read in the other
    encoding, character by character. ``most``: bytes that the
    file may have, None: any number. ``encoding``: that of the whole file, None: recognise it.
    Raises NotationError if it cannot be read.
    """
    try:
        with open_given(path, most) as file:
            name, errors = encoding or _marked(file), "replace"
            if name is None:
                name = "utf-8"
                if found := recognised(file):
                    name = "utf-8" if found.is_mixed else found.name
                    errors = _handler(found.name)
            with TextIOWrapper(file, encoding=name, errors=errors) as text:
                yield from _pieces(text)
    except OSError as error:
        raise NotationError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeError as error:
        raise NotationError(f"{path}: cannot be read as {encoding}: {error}") from error


def _pieces(text: TextIOWrapper) -> Iterator[str]:
    """The lines of a text; a very long one in pieces that end at a blank."""
    rest = ""
    while line := text.readline(_LONGEST_LINE):
        if len(line) < _LONGEST_LINE or line[-1] == "\n":
            yield rest + line if rest else line
            rest = ""
            continue
        piece, blank, end = line.rpartition(" ")
        yield rest + piece + blank
        rest = end
    if rest:
        yield rest


def encoding_of(path: str | Path) -> Encoding | None:
    """The assumed encoding of a file, None if all of it is UTF-8. Raises NotationError."""
    try:
        with open_given(path) as file:
            return None if _marked(file) else recognised(file)
    except OSError as error:
        raise NotationError(f"{path}: cannot be read: {error.strerror}") from error


def recognised(file: BufferedReader) -> Encoding | None:
    """The encoding in which most words of a file's beginning make sense; None: UTF-8.

    The file is left at its beginning.
    """
    sample = file.read(MOST_TEXT)
    file.seek(0)
    words = list(dict.fromkeys(match[0] for match in _WORD.finditer(sample)))[:_MOST_WORDS]
    strange = [word for word in words if not _is_utf8(word)]
    if not strange:
        return None
    sense = {name: sum(_makes_sense(_read(word, name)) for word in strange) for name in ENCODINGS}
    best = max(sense, key=lambda name: sense[name])  # the first of several
    is_mixed = any(_is_utf8(word) and _makes_sense(word.decode()) for word in words)
    return Encoding(best, is_mixed, _doubt(strange, best, sense))


def _doubt(words: list[bytes], best: str, sense: dict[str, int]) -> tuple[str, str, str] | None:
    for other in ENCODINGS:
        if other != best and sense[other] == sense[best]:
            for word in words:
                if (one := _read(word, best)) != (two := _read(word, other)):
                    return other, one, two
    return None


def _marked(file: BufferedReader) -> str | None:
    head = file.peek(4)
    return next((name for mark, name in _BYTE_ORDER_MARKS.items() if head.startswith(mark)), None)


def _is_utf8(word: bytes) -> bool:
    try:
        word.decode()
    except UnicodeDecodeError:
        return False
    return True


def _makes_sense(word: str) -> bool:
    word = word.strip(_QUOTES)
    is_word = len(word) > 1 and word.isalpha() and (word[1:].islower() or word.isupper())
    has_ascii = any(map(str.isascii, word))
    if any("\u0400" <= sign < "\u0530" for sign in word):
        return is_word and not has_ascii
    return is_word and (has_ascii or len(word) <= MOST_ACCENTED)


def _read(word: bytes, encoding: str) -> str:
    return "".join(_sign(byte, encoding) for byte in word)


def _sign(byte: int, encoding: str) -> str:
    try:
        return bytes([byte]).decode(encoding)
    except UnicodeDecodeError:
        return chr(byte)


def _handler(encoding: str) -> str:
    """The name of an error handler that reads what is not UTF-8 in this encoding."""
    name = f"boardfw-{encoding}"
    codecs.register_error(name, partial(_instead, encoding))
    return name


def _instead(encoding: str, error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return _read(error.object[error.start : error.end], encoding), error.end


T = TypeVar("T")


def read_games(
    source: str | Iterable[str], name: str = "PGN", on_fault: OnFault | None = None
) -> Iterator[Game]:
    """The games of a text or of its lines as trees, read as they are consumed.

    ``on_fault`` is called with every fault of a game when the game has been read; each game lists
    its own in ``faults``.
    """
    return build_games(TreeBuilder, source, name, on_fault)


def scan_games(
    source: str | Iterable[str], name: str = "PGN", on_fault: OnFault | None = None
) -> Iterator[MainLine]:
    """As ``read_games``, in less time: tags, main line and result; variations are not read."""
    return build_games(LineBuilder, source, name, on_fault)


def read_file(path: str | Path, on_fault: OnFault | None = None) -> Iterator[Game]:
    """The games of a file in any encoding. Raises NotationError if it cannot be read."""
    return read_games(file_lines(path), str(path), on_fault)


def scan_file(path: str | Path, on_fault: OnFault | None = None) -> Iterator[MainLine]:
    """As ``read_file``, without variations and comments."""
    return scan_games(file_lines(path), str(path), on_fault)


def build_games(
    builder: Callable[[], Builder[T]],
    source: str | Iterable[str],
    name: str = "PGN",
    on_fault: OnFault | None = None,
) -> Iterator[T]:
    """The games as ``builder`` makes them; it is called once for each game."""
    game = GameReader(builder, name)
    for line in words_of(lines_of(source)):
        at = 0
        while (at := game.read(line, at)) < len(line.words):
            yield _finished(game, on_fault)
            game = GameReader(builder, name, game.alphabet)
    if game.is_game:
        yield _finished(game, on_fault)
    else:
        game.drop()
        _report(game, on_fault)


def _finished(game: GameReader[T], on_fault: OnFault | None) -> T:
    finished = game.finish()
    _report(game, on_fault)
    return finished


def _report(game: GameReader[T], on_fault: OnFault | None) -> None:
    if on_fault is not None:
        for fault in game.faults:
            on_fault(fault)
