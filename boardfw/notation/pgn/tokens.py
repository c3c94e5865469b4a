"""The words of PGN, a line of text at a time; a file of any size needs no more memory.

A word is a plain string whose first character tells its sort, because a tuple or an object for
each would cost as much as playing the move:

| begins with | is |
| --- | --- |
| ``{`` | a comment; without ``}`` at its end it was never closed |
| ``[`` | a tag pair, or what should be one |
| ``(`` ``)`` | a variation begins, ends |
| ``$`` ``!`` ``?`` | a NAG |
| ``*``, a digit, ``.`` | a result, a stray move number, castling with zeros |
| ``}`` ``]`` | nothing; it has no place |
| a line feed | ``PARAGRAPH`` |
| anything else | a move |
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

Words: TypeAlias = tuple[int, list[tuple[str, str]]]
"""A line's number, counted from 1, and its words, each behind the move number before it if any."""

PARAGRAPH = "\n"
"""Stands before a move number 1 that follows a blank line: where tags and results are missing,
it alone tells that a game begins."""

OTHERS = frozenset("}()[]$!?*.…0123456789½\n")
"""What a word begins with that is neither a comment nor an ordinary move."""

AFTER_RESULT = frozenset("{)}]$!?")
"""What begins no game, behind a result."""
NUMBER = re.compile(r"[0-9.…]*")
NULLS = frozenset(("--", "Z0", "null", "pass"))
MOVE_LIKE = re.compile(
    r"[a-h]\W*[1-8]|^[A-Z]?[a-h1-8]?[x:]?[a-z]\d|^[a-h][x:]?[a-h]|[Oo0][-\u2013][Oo0]|^[a-h][1-8]?$"
)
"""What is in a word by which somebody may have meant a move: a square, if one that no board has,
two files, a castling."""
SILENT = frozenset(("e.p.", "ep", "ep.", "e.p", "ch", "ch.", "+", "++", "#", "mate"))
"""Words behind a move that say nothing new."""
JUDGING = frozenset("+-=±∓⩲⩱∞□")
"""What a move ends with that may have a sign such as ``+-`` glued to it."""

_WORD = re.compile(
    r"""
    \s?+                                            # one, lest many blanks be tried many times
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
"""What a line begins with that is not meant for us; the second at the start of a file."""
_TAG_LINE = re.compile(r'\s*+\[[A-Z]\w*+\s++"[^"\\]*+(?:\\.[^"\\]*+)*+"\s*+\]')
_LINE_END = re.compile(r"\r\n?|\n")


def lines_of(source: str | Iterable[str]) -> Iterable[str]:
    """A text parted into its lines, whatever ends them; lines are left as they are."""
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
    """Whether the last word is a comment that goes on; one to the line's end becomes as others."""
    last = words[-1][1]
    if last[0] == ";":
        words[-1] = ("", "{" + last[1:].replace("{", "(") + "}")
        return False
    return last[-1] != "}"


def _comment_end(line: str) -> int:
    """Where in this line an open comment ends, -1 if it goes on.

    A tag pair at the beginning of a line is none of its text: the comment was never closed, and
    must not swallow the rest of the file.
    """
    if "[" in line and _TAG_LINE.match(line):
        return 0
    return line.find("}") + 1 or -1


# FROM faults.py: What is wrong with a PGN text, and where.

MOST_FAULTS = 100
"""Faults that one game records; a text that is no PGN at all has one in every word."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One broken spot; ``str()`` is ``NAME:LINE: what is wrong, and how to mend it``.

    ``breaks``: the moves of that line (of the game, or of one of its variations) end there; any
    other fault costs no move.
    """

    name: str
    line: int
    text: str
    breaks: bool = False

    def __str__(self) -> str:
        return f"{self.name}:{self.line}: {self.text}"


OnFault: TypeAlias = Callable[[Fault], None]


class FaultBook:
    """The faults of one game, and the line of the text that is being read."""

    def __init__(self, name: str, on_fault: OnFault | None) -> None:
        self.line = 0
        self.faults: list[Fault] = []
        self._name = name
        self._on_fault = on_fault

    def __call__(self, text: str, line: int = 0, *, breaks: bool = False) -> None:
        """Tell of a fault in this line, or in another."""
        fault = Fault(self._name, line or self.line, text, breaks)
        if len(self.faults) < MOST_FAULTS:
            self.faults.append(fault)
            if self._on_fault is not None:
                self._on_fault(fault)

    def has(self, line: int) -> bool:
        """Whether there is a fault in this line."""
        return any(fault.line == line for fault in self.faults)
