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
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

Words: TypeAlias = tuple[int, list[tuple[str, str]]]
"""A line's number, from 1, and its words, each with the move number before it or an empty text."""

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
      | [^\s\ufeff{}()\[\];$!?*]+ (?: \([NBRQ]\) )? # a move (also e8(Q)), a number, a result
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
_ESCAPES = ("%", "\ufeff%")
"""How lines to be ignored begin; the second at the start of a file."""
_TAG_LINE = re.compile(r'\s*+\[[A-Z]\w*+\s++"[^"\\]*+(?:\\.[^"\\]*+)*+"\s*+\]')
_LINE_END = re.compile(r"\r\n?|\n")


def lines_of(source: str | Iterable[str]) -> Iterable[str]:
    """A text split into lines, whatever ends them; an iterable of lines is returned as it is."""
    return _LINE_END.split(source) if isinstance(source, str) else source


def glued_sign(move: str) -> str:
    """The sign at the end of a move: ``+-`` of ``Nf3+-``; the ``+`` of a check may be before it."""
    sign = _GLUED.search(move)
    return sign[1] if sign else ""


def words_of(lines: Iterable[str]) -> Iterator[Words]:
    """The words of each line; a comment over several lines belongs to the first of them."""
    find = _WORD.findall
    is_after_blank = False
    begun, comment = 0, list[str]()
    for number, line in enumerate(lines, 1):
        at = 0
        if comment:
            at = _comment_end(line)
            if at < 0:
                comment.append(line)
                continue
            yield begun, [("", " ".join([*comment, line[:at]]))]
            comment = []
        elif line.startswith(_ESCAPES):
            continue
        words: list[tuple[str, str]] = find(line, at)
        if not words:
            is_after_blank = is_after_blank or not at
            continue
        if is_after_blank and _FIRST_MOVE.match(line, at):
            words.insert(0, ("", PARAGRAPH))
        is_after_blank = False
        if words[-1][1][0] in _OPEN_ENDED and _is_open(words):
            begun, comment = number, [words.pop()[1]]
        yield number, words
    if comment:
        yield begun, [("", " ".join(comment))]


def _is_open(words: list[tuple[str, str]]) -> bool:
    """Whether the last word is a comment that goes on; a ``;`` comment becomes a ``{}`` one."""
    last = words[-1][1]
    if last[0] == ";":
        words[-1] = ("", "{" + last[1:].replace("{", "(") + "}")
        return False
    return last[-1] != "}"


def _comment_end(line: str) -> int:
    """Where in this line an open comment ends, -1 if it goes on.

    A tag pair at the beginning of a line is not part of it: the comment was never closed, and must
    not swallow the rest of the file.
    """
    if "[" in line and _TAG_LINE.match(line):
        return 0
    return line.find("}") + 1 or -1


MOST_FAULTS = 100
"""How many faults a game records at most; a text that is not PGN has one in every word."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One broken spot; ``str()`` is ``NAME:LINE: what is wrong, and how to fix it``.

    ``breaks``: the moves of that line (of the game, or of one of its variations) end there; other
    faults cost no move.
    """

    name: str
    line: int
    text: str
    breaks: bool = False

    def __str__(self) -> str:
        return f"{self.name}:{self.line}: {self.text}"


OnFault: TypeAlias = Callable[[Fault], None]


class FaultBook:
    """Records the faults of one game; ``line`` is the line of the text that is being read."""

    def __init__(self, name: str, on_fault: OnFault | None) -> None:
        self.line = 0
        self.faults: list[Fault] = []
        self._name = name
        self._on_fault = on_fault

    def __call__(self, text: str, line: int = 0, *, breaks: bool = False) -> None:
        """Record a fault in this line, or in ``line`` if it is not 0."""
        fault = Fault(self._name, line or self.line, text, breaks)
        if len(self.faults) < MOST_FAULTS:
            self.faults.append(fault)
            if self._on_fault is not None:
                self._on_fault(fault)

    def has(self, line: int) -> bool:
        """Whether there is a fault in this line."""
        return any(fault.line == line for fault in self.faults)
