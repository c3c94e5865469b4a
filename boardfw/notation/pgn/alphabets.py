"""Letters of pieces in other languages than English, recognised by all moves of a game.

The same letter means different pieces in different languages: R is a rook in English, a king in
French, a knight in Finnish. So a letter alone says nothing, and only a game whose moves all make
sense in one language is read in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from boardfw.notation.pgn.tokens import Words

_ENGLISH = "KQRBN"
_LETTERS = {
    "German/Danish/Norwegian/Swedish": "K D T L S",
    "French": "R D T F C",
    "Spanish/Italian/Catalan": "R D T A C",
    "Dutch": "K D T L P",
    "Portuguese": "R D T B C",
    "Polish": "K H W G S",
    "Czech/Slovak": "K D V S J",
    "Hungarian": "K V B F H",
    "Finnish": "K D T L R",
    "Russian": "Кр Ф Л С К",
    "Ukrainian": "Кр Ф Т С К",
    "Bulgarian": "Ц Д Т О К",
    "Serbian": "К Д Т Л С",
    "Romanian": "R D T N C",
    "Estonian": "K L V O R",
    "Latvian": "K D T L Z",
    "Lithuanian": "K V B R Ž",
    "Icelandic": "K D H B R",
    "Turkish": "Ş V K F A",
    "Greek": "Ρ Β Π Α Ι",
    "ChessBase figurine": "¢ £ ¦ ¥ ¤",
}
"""The letters of king, queen, rook, bishop and knight. The last ones are figurines as they appear
in text that was copied without its font."""

_PIECE = re.compile(r"([^\W\d_](?:р|p)?|[¢£¦¥¤])(?=[a-h1-8асе]?[1-8]?[x:×х\-–]?[a-hасе][1-8])")
_PROMOTION = re.compile(r"(?<=[18])(=?\(?)([^\W\d_]|[¢£¦¥¤])(?=\W|$)")
_CYRILLIC = str.maketrans("асехоО", "acexoO")
"""Cyrillic letters that look like Latin ones, and are typed in their place."""


class Alphabet(NamedTuple):
    """The letters of one language, each with the English one."""

    language: str
    letters: dict[str, str]

    def in_english(self, words: Words) -> Words:
        """The same words with English letters; comments and tags stay as they are."""
        return words._replace(words=[(number, self._word(word)) for number, word in words.words])

    def _word(self, word: str) -> str:
        if not word[0].isalpha() and word[0] not in self.letters:
            return word
        if not word.isascii():
            word = _latin(word)
        word = _PIECE.sub(lambda piece: self._letter(piece[1]), word, count=1)
        return _PROMOTION.sub(lambda piece: piece[1] + self._letter(piece[2]), word, count=1)

    def _letter(self, letter: str) -> str:
        return self.letters.get(letter, letter)


def _latin(word: str) -> str:
    """A move with Latin letters behind the piece."""
    piece = _PIECE.match(word)
    begin = piece.end() if piece and piece[0][0].isupper() else 0
    return word[:begin] + word[begin:].translate(_CYRILLIC)


_ALPHABETS = tuple(
    Alphabet(language, dict(zip(letters.split(), _ENGLISH, strict=True)))
    for language, letters in _LETTERS.items()
)


def alphabets_of(lines: Iterable[Words], usual: Alphabet | None) -> Iterator[Alphabet]:
    """The languages in which a game may be written whose moves make no sense in English.

    All of its pieces have letters there, and one has a letter that English does not use. Of several
    languages in which its letters mean the same only one is given: ``usual``, that of the game
    before, or the first.
    """
    used = {
        piece[1]
        for line in lines
        for _, word in line.words
        if (piece := _PIECE.match(word)) and not piece[1][0].islower()
    }
    if used <= set(_ENGLISH):
        return
    meanings = set[tuple[str, ...]]()
    for alphabet in _ALPHABETS if usual is None else (usual, *_ALPHABETS):
        meaning = tuple(alphabet.letters.get(letter, "") for letter in sorted(used))
        if all(meaning) and meaning not in meanings:
            meanings.add(meaning)
            yield alphabet
