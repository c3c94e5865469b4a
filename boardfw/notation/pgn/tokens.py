"""The words of PGN, one line of text at a time, so that a large file needs no more memory; and
faults.

A word is a plain string whose first character tells its kind, because a tuple or an object for
each would cost as much as playing the move:

| begins with | is |
| --- | --- |
| ``{`` | a comment; without ``}`` at its end it was never closed |
| ``[`` | a tag pair, or what should be one |
| ``(`` ``)`` | a variation begins, ends |
| ``$`` ``!`` ``?`` | a NAG |
| ``*``, a digit, ``.`` | a result, a stray move number, castling with zeros |
| ``}`` ``]`` | misplaced |
| a line feed | ``PARAGRAPH`` |
| anything else | a move |
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeAlias

Word: TypeAlias = tuple[str, str]
"""The move number before a word, or an empty text; and the word."""


class Words(NamedTuple):
    """The words of one line."""

    line: int
    """The line's number, from 1."""
    read: int
    """Characters of the text up to the end of this line."""
    words: list[Word]


LONGEST_GAME = 1 << 20
"""Characters of one game. The longest game that the 75-move rule allows has 17,697 plies: that is
59 characters for each, enough for its number, a clock and an evaluation."""

PARAGRAPH = "\n"
"""The word before a move number 1 that follows a blank line: if tags and results are missing, only
this tells that a game begins."""

OTHERS = frozenset("}()[]$!?*.…0123456789½\n")
"""First characters of words that are neither comments nor ordinary moves."""

AFTER_RESULT = frozenset("{)}]$!?")
"""First characters of words that begin no new game after a result."""
NUMBER = re.compile(r"[0-9.…]*")
NULLS = frozenset(("--", "Z0", "null", "pass"))
MOVE_LIKE = re.compile(
    r"[a-h]\W*[1-8]|^[A-Z]?[a-h1-8]?[x:]?[a-z]\d|^[a-h][x:]?[a-h]|[Oo0][-\u2013][Oo0]|^[a-h][1-8]?$"
)
"""Found in a word that may have been meant as a move: a square (even an impossible one), two files,
castling."""
SILENT = frozenset(("e.p.", "ep", "ep.", "e.p", "ch", "ch.", "+", "++", "#", "mate"))
"""Words after a move that add nothing."""
JUDGING = frozenset("+-=±∓⩲⩱∞□")
"""Last characters of a move that may have a sign such as ``+-`` attached to it."""

_WORD = re.compile(
    r"""
    \s?+                                            # one: many blanks must not be tried often
    (?: ([0-9]++) \s*+ [.…] [\s.…]*+ )?                # a move number
    (
        [01½] (?: /2 )? \s++ [-–] \s++ [01½] (?: /2 )?  # a result with blanks
      | [^\s{}()\[\];$!?*]+ (?: \([A-Z]\) )?        # a move (also e8(Q)), a number, a result
      | \{ [^}]* \}?
      | \( \s*+ [01½][/2]*+ \s*+ [-–:] \s*+ [01½][/2]*+ \s*+ \)  # a result in brackets
      | [()}\]*]
      | \$ [0-9]*
      | [!?]+
      | \[ [^"\[\]]* " [^"\\]*+ (?: \\. [^"\\]*+ )*+ " \s* \]
      | \[ .*                                       # no tag: the rest of the line goes with it
      | ; .*
    )
    """,
    re.VERBOSE,
)
_GLUED = re.compile(r"\w[+#]?(\+/?-|-/?\+|\+/?=|=/?\+|[±∓⩲⩱∞□])$")
_FIRST_MOVE = re.compile(r"\s*1\s*\.(?!\s*\.)")
_OPEN_ENDED = frozenset("{;")
_ESCAPE = "%"
"""How lines to be ignored begin."""
_TAG_LINE = re.compile(r'\s*+\[[A-Z]\w*+\s++"[^"\\]*+(?:\\.[^"\\]*+)*+"\s*+\]')
_BRACE = re.compile("[{}]")
_FARTHEST = 1 << 16
"""Characters behind a tag in which a brace is looked for: it tells whether a comment goes on."""
_LINE_END = re.compile(r"\r\n?|\n")
INVISIBLE = (
    "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\xad\u034f\u061c\u180b-\u180e\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f"
)
"""Characters that nobody sees, as a pattern writes them: those that web pages and word processors
leave in copied text, and NUL and Ctrl-Z, with which old programs end or fill a file."""
_INVISIBLE = re.compile(f"[{INVISIBLE}]")
_INVISIBLE_PLACE = re.compile(
    rf"""
    (?P<text> \{{[^}}]*\}}? | ;.* | "[^"\\]*+(?:\\.[^"\\]*+)*+" )   # comments and values of tags
  | [{INVISIBLE}]++
    """,
    re.VERBOSE,
)
_MOVE_ENDS = frozenset("0123456789+#!?.…)}")
_GOES_ON = frozenset('-–=/x(:"[')
"""Characters after which a capital letter belongs to the same word."""


def lines_of(source: str | Iterable[str]) -> Iterable[str]:
    """A text split into lines, whatever ends them; an iterable of lines is returned as it is."""
    return _LINE_END.split(source) if isinstance(source, str) else source


def glued_sign(move: str) -> str:
    """The sign at the end of a move: ``+-`` of ``Nf3+-``; the ``+`` of a check may be before it."""
    sign = _GLUED.search(move)
    return sign[1] if sign else ""


class _Lines(Iterator[tuple[int, str]]):
    """Numbered lines, of which some may be looked at before they are read."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._rest = enumerate(lines, 1)
        self._ahead: deque[tuple[int, str]] = deque()

    def __next__(self) -> tuple[int, str]:
        return self._ahead.popleft() if self._ahead else next(self._rest)

    def closes_comment(self, line: str) -> bool:
        """True if the next brace, from this line on, is one that ends a comment."""
        looked: list[tuple[int, str]] = []
        size = 0
        while (brace := _BRACE.search(line)) is None and size < _FARTHEST:
            following = next(self, None)
            if following is None:
                break
            looked.append(following)
            line = following[1]
            size += len(line)
        self._ahead.extendleft(reversed(looked))
        return brace is not None and brace[0] == "}"


class _Comment:
    """A comment over several lines. Of a very long one only the beginning is kept."""

    def __init__(self, line: int, text: str) -> None:
        self.line = line
        self._parts = [text]
        self._size = 0
        self._is_closed = False
        """True if it is known to be closed further on, whatever looks like a tag until then."""

    def add(self, text: str) -> None:
        """The comment goes on with this text."""
        self._size += len(text)
        if self._size <= LONGEST_GAME:
            self._parts.append(text)

    def words(self) -> list[Word]:
        """The whole comment as the one word of its line."""
        return [("", " ".join(self._parts))]

    def end(self, line: str, lines: _Lines) -> int:
        """Where in this line the comment ends, -1 if it goes on.

        A tag pair at the beginning of a line is not part of a comment that is never closed: it must
        not swallow the rest of the file.
        """
        if "[" in line and not self._is_closed and _TAG_LINE.match(line):
            self._is_closed = lines.closes_comment(line)
            if not self._is_closed:
                return 0
        return line.find("}") + 1 or -1


def words_of(text: Iterable[str]) -> Iterator[Words]:
    """The words of each line; a comment over several lines belongs to the first of them."""
    find = _WORD.findall
    is_after_blank = False
    read = 0
    comment: _Comment | None = None
    for number, line in (lines := _Lines(text)):
        at = 0
        read += len(line)
        if comment is not None:
            at = comment.end(line, lines)
            if at < 0:
                comment.add(line)
                continue
            comment.add(line[:at])
            yield Words(comment.line, read, comment.words())
            comment = None
        if not line.rstrip("\n").isprintable() and _INVISIBLE.search(line, at):
            line, at = _INVISIBLE_PLACE.sub(_seen, line[at:]), 0  # noqa: PLW2901
        if not at and line.startswith(_ESCAPE):
            continue
        words: list[Word] = find(line, at)
        if not words:
            is_after_blank = is_after_blank or not at
            continue
        if is_after_blank and _FIRST_MOVE.match(line, at):
            words.insert(0, ("", PARAGRAPH))
        is_after_blank = False
        if words[-1][1][0] in _OPEN_ENDED and _is_open(words):
            comment = _Comment(number, words.pop()[1])
        yield Words(number, read, words)
    if comment is not None:
        yield Words(comment.line, read, comment.words())


def _seen(place: re.Match[str]) -> str:
    """What is to be read at a place: nothing inside a word, a blank between two words."""
    if place["text"]:
        return place["text"]
    line, end = place.string, place.end()
    before, behind = line[max(place.start() - 1, 0) : place.start()], line[end : end + 1]
    if before in _MOVE_ENDS:
        return " " if behind.isalnum() or behind in ("{", "(", "$") else ""
    if before == "O":  # castling, behind which a number may stand
        return " " if behind.isalnum() else ""
    is_new = before.isalnum() and before not in _GOES_ON and "A" <= behind <= "Z"
    return " " if is_new else ""


def _is_open(words: list[tuple[str, str]]) -> bool:
    """Whether the last word is a comment that goes on; a ``;`` comment becomes a ``{}`` one."""
    last = words[-1][1]
    if last[0] == ";":
        words[-1] = ("", "{" + last[1:].replace("{", "(") + "}")
        return False
    return last[-1] != "}"
