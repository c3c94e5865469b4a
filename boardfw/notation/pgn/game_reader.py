"""One game of a text: how far it goes, how long it may be, and in whose letters it is read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from boardfw.notation.pgn.alphabets import Alphabet, alphabets_of
from boardfw.notation.pgn.builders import Builder
from boardfw.notation.pgn.faults import Fault
from boardfw.notation.pgn.grammar import Reading
from boardfw.notation.pgn.tags import parse_tag
from boardfw.notation.pgn.tokens import LONGEST_GAME, OTHERS, PARAGRAPH, Words

T = TypeVar("T")

MOST_MOVES = 8849
"""Moves of the longest game. A game is drawn after 75 moves without a capture or a pawn's move
(FIDE Laws, 9.6.2). There can be 96 moves of pawns and 30 captures, 8 of which are both: that makes
118 times 75 moves, less one and a half because Black's pawns have their turn, too."""
_MOST_MOVES = (
    f"the game has more than {MOST_MOVES} moves, which the 75-move rule makes impossible; "
    "divide it into several games"
)
_MOST_TEXT = (
    f"the game has more than {LONGEST_GAME >> 20} MiB of text; "
    "divide it into several games, or remove comments"
)


class GameReader(Generic[T]):
    """Reads one game; its words are kept until it is known that their letters are English."""

    def __init__(
        self, builder: Callable[[], Builder[T]], name: str, usual: Alphabet | None = None
    ) -> None:
        """``usual``: the letters of the game before, None if they were English."""
        self.alphabet: Alphabet | None = None
        """The letters in which the game was read; None: English ones."""
        self._builder = builder
        self._name = name
        self._usual = usual
        self._reading = Reading(builder, name)
        self._kept: list[Words] = []
        self._begun = -1
        """Characters of the text before the game; -1: it has not begun."""
        self._is_cut = False
        """True if the game is too long: the rest of it is left out."""

    @property
    def is_game(self) -> bool:
        """True if there is anything that makes a game."""
        return self._reading.is_game

    @property
    def faults(self) -> list[Fault]:
        """What was wrong so far."""
        return self._reading.book.faults

    def read(self, line: Words, begin: int = 0) -> int:
        """Read the words of a line from this one on; return which of them begins the next game.

        If none does, return how many there are.
        """
        if self._is_cut:
            return _next_game(line)
        if self._begun < 0:
            self._begun = line.read
        end = _read(self._reading, line, begin)
        is_whole = end - begin == len(line.words)
        self._kept.append(line if is_whole else line._replace(words=line.words[begin:end]))
        if line.read - self._begun > LONGEST_GAME:
            self._cut(_MOST_TEXT)
        elif self._reading.moves > MOST_MOVES:
            self._cut(_MOST_MOVES)
        return end

    def finish(self) -> T:
        """The game that has been read."""
        if self._reading.book.is_broken and not self._is_cut:
            self._read_again()
        return self._reading.finish()

    def drop(self) -> None:
        """Report words that make no game."""
        self._reading.drop()

    def _cut(self, why: str) -> None:
        self._reading.book(why, breaks=True)
        self._is_cut = True
        self._kept.clear()

    def _read_again(self) -> None:
        """Replace a reading that breaks off by one in other letters, if that makes more sense.

        If only variations break off, it has to make sense of all of them.
        """
        found = [
            (reading, alphabet)
            for alphabet in alphabets_of(self._kept, self._usual)
            if (reading := self._read_in(alphabet)) is not None
        ]
        whole = [(reading, alphabet) for reading, alphabet in found if not reading.book.is_broken]
        ends_game = self._reading.book.ends_game
        if len(whole) > 1 and whole[0][1] is not self._usual:
            names = " or ".join(alphabet.language for _, alphabet in whole)
            what = f"its letters may be {names} ones; write the English letters K Q R B N"
            self._reading.book(what, breaks=True, is_inner=not ends_game)
        elif whole or (found and ends_game):
            reading, alphabet = max(whole or found, key=lambda one: one[0].plies)
            if reading.plies >= self._reading.plies:
                self._reading, self.alphabet = reading, alphabet
                reading.use_letters(alphabet.language)

    def _read_in(self, alphabet: Alphabet) -> Reading[T] | None:
        """The game read in these letters; None if it would end elsewhere."""
        reading = Reading(self._builder, self._name)
        reading.book.remark = f"its letters were read as {alphabet.language} ones"
        for line in map(alphabet.in_english, self._kept):
            if _read(reading, line) < len(line.words):
                return None
        return reading


def _read(reading: Reading[T], line: Words, begin: int = 0) -> int:
    """As ``GameReader.read``. Millions of words come here, so nothing is called without need."""
    book, words = reading.book, line.words
    before, book.line = book.line, line.line
    for at, (number, word) in enumerate(words[begin:] if begin else words, begin):
        if not reading.is_live or (sort := word[0]) in OTHERS:
            if reading.is_over_with(word):
                book.line = before if at == begin else line.line
                return at
            reading.take(word)
        elif sort == "{":
            reading.take_comment(word)
        else:
            if number:
                reading.number(number)
            reading.play(word)
    return len(words)


def _next_game(line: Words) -> int:
    """Which word of a line surely begins a game, whatever was before it."""
    for at, (_, word) in enumerate(line.words):
        if word[0] == PARAGRAPH or (word[0] == "[" and parse_tag(word) is not None):
            return at
    return len(line.words)
