"""The files of the pages, read once: a table from names to bytes. No path of a request opens one.

All have one hash in their URL, ``/s/HASH/NAME``, and are kept by browsers for good; the pages
themselves say ``/s/0/NAME`` and get the hash put in here. The words of the pages are one table in
two languages, ``texts.json``; a browser gets ``texts.en.json`` or ``texts.de.json``.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from importlib import resources
from typing import NamedTuple

KINDS = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "png": "image/png",
    "svg": "image/svg+xml",
    "txt": "text/plain; charset=utf-8",
    "webmanifest": "application/manifest+json",
}
ANY_HASH = b"/s/0/"
PAGE = "page.html"
"""The one page; which of its views is meant its script sees by the address."""
TEXTS = "texts.json"
LANGUAGES = ("en", "de")
_HASH_LETTERS = 12
_NAME = re.compile(rf"[a-z0-9][a-z0-9._-]*\.({'|'.join(KINDS)})")
_SMALL = 200
"""Bytes below which nothing is won by packing."""
_BLOCK = re.compile(rb"/\*\*.*?\*/", re.DOTALL)
_LINE_COMMENT = re.compile(rb"^[ \t]*//.*$", re.MULTILINE)
_INDENT = re.compile(rb"^[ \t]+", re.MULTILINE)
_ENGLISH = re.compile(rb'(?<=<html lang=")en(?=">)|(?<=texts\.)en(?=\.json)')


class StaticFile(NamedTuple):
    """A file as it is sent."""

    kind: str
    plain: bytes
    packed: bytes | None
    """The same with gzip; None: that would not be smaller."""


class StaticFiles:
    """The table of files."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        """Names and contents; names of other forms are left out."""
        named = {name: files[name] for name in sorted(files) if _NAME.fullmatch(name)}
        named |= _each_language(named.pop(TEXTS, None))
        ours = dict(sorted(named.items()))
        whole = hashlib.sha256()
        for name, content in ours.items():
            whole.update(f"{name}\n{len(content)}\n".encode() + content)
        self.hash = whole.hexdigest()[:_HASH_LETTERS]
        here = f"/s/{self.hash}/".encode()
        hashed = {
            name: _spare(_with_hash(name, content, here), name) for name, content in ours.items()
        }
        self._files = {name: _packed(name, content) for name, content in hashed.items()}
        page = hashed.get(PAGE)
        self._pages = {}
        if page is not None:
            for language in LANGUAGES:
                self._pages[language] = _packed(PAGE, _ENGLISH.sub(language.encode(), page))

    @classmethod
    def of_package(cls) -> StaticFiles:
        """The files that are installed beside this module."""
        folder = resources.files(__package__ or "").joinpath("pages")
        return cls({file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()})

    def find(self, hash_: str, name: str) -> StaticFile | None:
        """The file of a name, if the hash is that of today."""
        return self._files.get(name) if hash_ == self.hash else None

    def page(self, language: str) -> StaticFile | None:
        """The page in a language, ``en`` or ``de``; None: no pages are installed."""
        return self._pages.get(language)


def language_of(header: str) -> str:
    """``de`` where an Accept-Language header puts German before English, else ``en``."""
    for part in _by_weight(header):
        language = part.partition("-")[0].lower()
        if language in LANGUAGES:
            return language
    return "en"


def _by_weight(header: str) -> Iterable[str]:
    weighed = []
    for part in header.split(",")[:20]:
        name, _, weight = part.strip().partition(";q=")
        try:
            weighed.append((-float(weight or 1), name.strip()))
        except ValueError:
            continue
    return [name for _, name in sorted(weighed, key=lambda one: one[0])]


def _with_hash(name: str, content: bytes, here: bytes) -> bytes:
    return content.replace(ANY_HASH, here) if name.endswith((".html", ".css")) else content


def _each_language(table: bytes | None) -> dict[str, bytes]:
    """The file of words of each language; ``table`` is None where there are no words."""
    if table is None:
        return {}
    words: dict[str, list[str]] = json.loads(table)
    return {
        TEXTS.replace(".", f".{language}."): json.dumps(
            {key: said[place] for key, said in words.items()},
            ensure_ascii=False,
            separators=(",", ":"),
        ).encode()
        for place, language in enumerate(LANGUAGES)
    }


def _spare(content: bytes, name: str) -> bytes:
    """A script without comments and indents, a quarter of its bytes: a phone has no use for them.

    Its lines keep their numbers, so that a browser's messages name the lines of our files.
    """
    if not name.endswith(".js"):
        return content
    bare = _BLOCK.sub(lambda block: b"\n" * block[0].count(b"\n"), content)
    return _INDENT.sub(b"", _LINE_COMMENT.sub(b"", bare))


def _packed(name: str, content: bytes) -> StaticFile:
    kind = KINDS[name.rpartition(".")[2]]
    packed = gzip.compress(content, mtime=0) if len(content) > _SMALL else content
    return StaticFile(kind, content, packed if len(packed) < len(content) else None)
