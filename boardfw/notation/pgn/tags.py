"""Tag pairs: which a game has, their order and their values, and the tags of a game being read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple
from unicodedata import combining, normalize

from boardfw.errors import NotationError
from boardfw.notation.errors import quoted
from boardfw.notation.fen import format_fen, parse_fen
from boardfw.notation.pgn.faults import FaultBook
from boardfw.notation.pgn.tokens import INVISIBLE
from boardfw.notation.result import parse_result
from boardfw.rules.attacks import RANK_1, RANK_8
from boardfw.rules.board import BLACK, WHITE
from boardfw.rules.chess960 import STANDARD, start_number
from boardfw.rules.position import CORNERS, Position
from boardfw.squares import BY_NAME

START = Position.start()
"""Shared: a collection has thousands of games that begin here."""

ROSTER = {
    "Event": "?",
    "Site": "?",
    "Date": "????.??.??",
    "Round": "?",
    "White": "?",
    "Black": "?",
    "Result": "*",
}
"""The tags that every game has, in the order of the PGN standard (8.1.1), and their
values for unknown."""

OPENING_TAGS = ("ECO", "Opening", "Variation")
"""The name of the opening (9.3 of the standard)."""

_NAME = r"[A-Za-z0-9][A-Za-z0-9_+#=:-]*"
"""A symbol of the standard (7)."""
TAG_NAME = re.compile(_NAME)
_TAG = re.compile(rf'\[\s*({_NAME})\s*"([^"\\]*+(?:\\.[^"\\]*+)*+)"\s*\]')
_LOOSE_TAG = re.compile(rf'\[\s*({_NAME})\s*"(.*)"\s*\]\s*')
_UNQUOTED_TAG = re.compile(r"\[\s*([A-Z]\w*+)(?:\s*[:=]|(?=\W))\s*([^\[\]]+)\]?\s*", re.ASCII)
_QUOTES = "\"'`´\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\xab\xbb\u2039\u203a \t"
"""What is removed around a value that has no proper quotation marks."""
_INVISIBLE = re.compile(f"[{INVISIBLE}]+")
_ESCAPED = re.compile(r'\\(["\\])')

DERIVED = frozenset(("SetUp", "FEN", "Result"))
"""Tags that follow from the game itself."""
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
"""Characters that a line of text, or a file, cannot hold."""
_BRACES = str.maketrans("{}", "()")
_HOMES = ((WHITE, BY_NAME["e1"], RANK_1), (BLACK, BY_NAME["e8"], RANK_8))


class Tag(NamedTuple):
    """A tag pair as it was read."""

    name: str
    value: str
    fault: str = ""
    """What is wrong with its spelling, and how to put it right; empty: nothing."""


def parse_tag(text: str) -> Tag | None:
    """The tag of ``[Name "value"]``, None if the text is not a tag."""
    name, _, rest = text[1:].partition(' "')
    value = rest[:-2]
    is_plain = rest[-2:] == '"]' and '"' not in value and "\\" not in value
    if is_plain and name.isalnum() and name.isascii():
        return Tag(name, clean_value(value))  # nearly always, in a third of the time
    return _parse_strange(text)


def _parse_strange(text: str) -> Tag | None:
    tag = strict = _TAG.fullmatch(text)
    if tag is None:
        tag = _LOOSE_TAG.fullmatch(text)
        if tag is None:
            return None
    name, value = tag.groups()
    fault = "" if strict else 'a " or \\ inside the value needs a \\ before it'
    return Tag(name, clean_value(_ESCAPED.sub(r"\1", value)), fault)


def parse_unquoted_tag(text: str) -> Tag | None:
    """The tag of ``[Name value]``, of typographic or half quotation marks, or without the ``]``.

    In the moves of a game such a text may be a remark, so ask only where tags may be.
    """
    tag = _UNQUOTED_TAG.fullmatch(text)
    value = clean_value(tag[2]).strip(_QUOTES) if tag else ""
    if tag is None or not value:
        return None
    return Tag(tag[1], value, f'the value needs quotation marks; write [{tag[1]} "..."]')


def written_tags(tags: Mapping[str, str], start: Position, result: str) -> dict[str, str]:
    """All tags of a game as they are written, in order: the roster, the others by name.

    ``SetUp``, ``FEN`` and ``Result`` follow from the game, and so does ``Variant`` for Chess960 if
    the tags have none.
    """
    roster = {name: tags.get(name, unknown) for name, unknown in ROSTER.items()}
    roster["Result"] = result
    others = {name: tags[name] for name in tags if name not in ROSTER and name not in DERIVED}
    if start != START:
        others |= {"FEN": format_fen(start), "SetUp": "1"}
    if is_chess960(start):
        others.setdefault("Variant", "Chess960")
    ordered = roster | dict(sorted(others.items()))
    return {name: clean_value(value) for name, value in ordered.items()}


def is_chess960(start: Position) -> bool:
    """Whether a game from this start is Chess960, by the start itself or by its castling rights."""
    if start == START:
        return False
    return castles_unusually(start) or start_number(start) not in (None, STANDARD)


def castles_unusually(position: Position) -> bool:
    """Whether a king or rook that may still castle is where only Chess960 puts it."""
    usual = 0
    for color, home, rank in _HOMES:
        if position.king(color) == home:
            usual |= CORNERS & rank
    return bool(position.castling & ~usual)


def clean_value(text: str) -> str:
    """A tag's value without characters that a line cannot hold."""
    return text if text.isprintable() else _CONTROL.sub(" ", text)


def clean_comment(text: str) -> str:
    """A comment as PGN can hold it: without line breaks and braces.

    PGN has no escape for the brace that ends a comment, one that begins another looks as if the
    first had not been closed, and comments to the end of a line, which could hold one, are unknown
    to some readers. So braces become parentheses.
    """
    text = " ".join(clean_value(text).split())
    return text.translate(_BRACES) if "}" in text or "{" in text else text


_CHESS = frozenset(
    """
    chess standard standart regular normal ordinary usual orthodox classic classical traditional
    official fide international western european
    bullet ultrabullet hyperbullet blitz rapid lightning fast slow active correspondence
    daily online otb live rated unrated casual friendly tournament training
    blindfold simul armageddon fromposition
    from position setup set up start starting initial custom board odds
    game rules the a of no none variant default unknown
    960 chess960 frc fischer fischerandom fischerrandom random freestyle
    schach normalschach standardschach schnellschach blitzschach echecs ajedrez estandar scacchi
    schaken standaard szachy xadrez sjakk skak schack shakki sachy sakk шахматы стандарт
    """.split()  # noqa: SIM905  # forty lines otherwise
)
"""Words of which a tag Variant may consist if the game is played by the rules of chess: names of
the game, how fast or where it is played, and from which position. 960 is such a position."""
_VARIANT_WORD = re.compile(r"[^\W\d_]+(?:960)?|960")


def is_chess(variant: str) -> bool:
    """True if a tag Variant names chess in any spelling: ``Standard chess``, ``Rapid``, ``-``."""
    letters = normalize("NFKD", variant).casefold()
    words = _VARIANT_WORD.findall("".join(sign for sign in letters if not combining(sign)))
    return all(word in _CHESS or word.removesuffix("chess") in _CHESS for word in words)


def begins_game(word: str, *, is_over: bool) -> bool:
    """True if a tag without proper quotation marks begins a game; ``is_over``: the last has ended.

    As a rule ``Event`` is the first tag of a game.
    """
    tag = parse_tag(word) or parse_unquoted_tag(word)
    return tag is not None and (tag.name == "Event" or (is_over and tag.name in ROSTER))


class Heading:
    """The tags of a game while it is read, and the start that one of them may give."""

    def __init__(self, report: FaultBook) -> None:
        self.tags: dict[str, str] = {}
        self.start = START
        self.is_startless = False
        """Whether the start could not be read: no move can be played."""
        self._report = report

    def take(self, word: str) -> bool:
        """Take a tag, or what should be one. False if it could not be read."""
        tag = parse_tag(word) or parse_unquoted_tag(word)
        if tag is None:
            self._report(
                f'{quoted(word)} is not a tag; write one like [White "Anna"] on a line of its own'
            )
            return False
        name, value, spelling = tag
        if name in self.tags:
            self._report(f"tag {name} occurs twice; the first counts, remove one")
            return False
        if spelling:
            self._report(f"tag {name}: {spelling}")
        if name in DERIVED or name == "Variant":
            value = _INVISIBLE.sub("", value)
        self.tags[name] = value
        if name == "Result" and parse_result(value) is None:
            self._report(
                f"tag Result: {quoted(value)} is not a result; write one of 1-0 0-1 1/2-1/2 *"
            )
        if name == "Variant" and not is_chess(value):
            self._report(
                f"this is a game of {quoted(value)}, not of chess; if it is chess, remove the tag",
                breaks=True,
            )
            self.is_startless = True
        return name != "FEN" or self._take_start(value)

    def _take_start(self, fen: str) -> bool:
        try:
            self.start = parse_fen(fen)
        except NotationError as error:
            self._report(str(error), breaks=True)
            self.is_startless = True
            return False
        return True

    def goes_on_with(self, word: str) -> bool:
        """Whether this tag may belong to this game although text has come between: it is not one
        that begins a game, nor one that the game already has."""
        tag = parse_tag(word)
        return tag is None or (tag[0] not in self.tags and not (self.tags and tag[0] == "Event"))

    def repeats_event(self, word: str) -> bool:
        """Whether this tag begins the next game although this one has no moves yet."""
        is_event = word.startswith("[Event") and "Event" in self.tags
        return is_event and begins_game(word, is_over=False)

    def result(self) -> str | None:
        """The value of tag Result; None if it is nonsense."""
        return parse_result(self.tags.get("Result", "*"))
