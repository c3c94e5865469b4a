"""PGN: whole games as text, in the seven-tag export form."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from boardfw.errors import NotationError
from boardfw.notation.fen import format_fen, parse_fen
from boardfw.notation.pgn_tokens import RESULTS, Sort, Token, tokens
from boardfw.notation.san import format_san, move_number, parse_san
from boardfw.rules.board import BLACK
from boardfw.rules.move import Move
from boardfw.rules.position import Position

ROSTER = {
    "Event": "?",
    "Site": "?",
    "Date": "????.??.??",
    "Round": "?",
    "White": "?",
    "Black": "?",
    "Result": "*",
}
"""The tags that every game has, in the order of the PGN standard (8.1.1), and what they say when
nothing is known."""

WIDTH = 79  # columns; the PGN standard (8.2.1) has fewer than 80
_LINE_END = re.compile(r"\r\n?|\n")
_TAG_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_]*")
_DERIVED = frozenset(("SetUp", "FEN", "Result"))
"""Tags that follow from the game itself."""


@dataclass
class Game:
    """A game as PGN holds it.

    ``moves`` is the main line from ``start``. ``comments`` by ply: those after ply *n*, 0 = before
    the first; those after a ply that is no longer there are written behind the last.
    ``variations`` by ply: lines played or thought of instead of ply *n* (1 = the first).
    """

    tags: dict[str, str] = field(default_factory=dict)
    start: Position = field(default_factory=Position.start)
    moves: list[Move] = field(default_factory=list)
    result: str = "*"
    comments: dict[int, list[str]] = field(default_factory=dict)
    variations: dict[int, list[list[Move]]] = field(default_factory=dict)


def format_game(game: Game) -> str:
    """The game in export form, with a blank line at its end.

    A variation of the ply after the last has no move to stand beside and becomes a comment.
    Raises ValueError for what no reader could take back: an illegal move, a result or tag name
    unknown to PGN, a variation further out.
    """
    if game.result not in RESULTS.values():
        raise ValueError(f"{game.result!r} is no result of PGN")
    tags = "".join(f'[{name} "{_escaped(value)}"]\n' for name, value in _tags(game).items())
    return f"{tags}\n{_wrapped([*_movetext(game), game.result])}\n\n"


def _tags(game: Game) -> dict[str, str]:
    tags = {name: game.tags.get(name, unknown) for name, unknown in ROSTER.items()}
    tags["Result"] = game.result
    others = {name: game.tags[name] for name in game.tags if name not in {*ROSTER, *_DERIVED}}
    if game.start != Position.start():
        others |= {"FEN": format_fen(game.start), "SetUp": "1"}
    for name in others:
        if not _TAG_NAME.fullmatch(name):
            raise ValueError(f"{name!r} is no tag name; use letters, digits and _")
    return tags | dict(sorted(others.items()))


def _escaped(value: str) -> str:
    printable = "".join(sign if sign.isprintable() else " " for sign in value)
    return printable.replace("\\", "\\\\").replace('"', '\\"')


def _movetext(game: Game) -> Iterator[str]:
    """The words of the game; a word that begins with a blank must not begin a line."""
    yield from _comment_words(game.comments.get(0, ()))
    position = game.start
    needs_number = True
    for ply, move in enumerate(game.moves, 1):
        yield from _move_words(position, move, needs_number=needs_number)
        asides = [
            *_comment_words(game.comments.get(ply, ())),
            *_variation_words(position, game.variations.get(ply, ())),
        ]
        yield from asides
        needs_number = bool(asides)
        position = position.play(move)
    yield from _comment_words(_line_text(position, line) for line in _leftover(game))
    for ply in sorted(game.comments):
        if ply > len(game.moves):
            yield from _comment_words(game.comments[ply])


def _leftover(game: Game) -> list[list[Move]]:
    """Lines instead of the ply that has not been played."""
    after = len(game.moves) + 1
    if any(ply < 1 or ply > after for ply in game.variations):
        raise ValueError(f"a variation must stand beside a ply from 1 to {after}")
    return game.variations.get(after, [])


def _line_text(position: Position, line: Sequence[Move]) -> str:
    return " ".join(_line_words(position, line))


def _line_words(position: Position, line: Sequence[Move]) -> Iterator[str]:
    for index, move in enumerate(line):
        yield from _move_words(position, move, needs_number=index == 0)
        position = position.play(move)


def _move_words(position: Position, move: Move, *, needs_number: bool) -> Iterator[str]:
    if move not in position.legal_moves():
        raise ValueError(f"{move.uci()} is not legal in {format_fen(position)}")
    if needs_number or position.turn != BLACK:
        yield move_number(position)
    yield format_san(position, move)


def _variation_words(position: Position, lines: Sequence[Sequence[Move]]) -> Iterator[str]:
    for line in lines:
        words = list(_line_words(position, line))
        if words:
            words[0] = "(" + words[0]
            words[-1] += ")"
            yield from words


def _comment_words(comments: Iterable[str]) -> Iterator[str]:
    for comment in comments:
        # PGN has no escape for braces, so they become what looks most like them.
        words = comment.replace("{", "(").replace("}", ")").split()
        if not words:
            continue
        words[0] = "{" + words[0]
        words[-1] += "}"
        for word in words:
            # At the beginning of a line % would hide the line from every reader.
            yield " " + word if word.startswith("%") else word


def _wrapped(words: Iterable[str]) -> str:
    lines = [""]
    for word in words:
        glue = "" if not lines[-1] or word.startswith(" ") else " "
        if lines[-1] and not word.startswith(" ") and len(lines[-1]) + 1 + len(word) > WIDTH:
            lines.append(word)
        else:
            lines[-1] += glue + word
    return "\n".join(lines)


def read_games(text: str | Iterable[str], name: str = "PGN") -> Iterator[Game]:
    """The games of a text or of its lines, one after the other as they are asked for.

    Keeps tags, main line, result and comments of the main line; variations and NAGs are skipped.
    Raises NotationError with ``NAME:LINE: what is wrong`` at the first fault.
    """
    lines = _LINE_END.split(text) if isinstance(text, str) else text
    reading = _Reading(name)
    for token in tokens(lines, name):
        if reading.is_over(token):
            yield reading.game()
            reading = _Reading(name)
        reading.take(token)
    if reading.has_begun:
        yield reading.game()


class _Reading:
    """One game while it is being read."""

    def __init__(self, name: str) -> None:
        self.has_begun = False
        self._name = name
        self._tags: dict[str, str] = {}
        self._start = Position.start()
        self._position = self._start
        self._moves: list[Move] = []
        self._comments: dict[int, list[str]] = {}
        self._result: str | None = None
        self._in_moves = False
        self._opened: list[int] = []

    def is_over(self, token: Token) -> bool:
        """Whether this token belongs to the next game."""
        if self._result is not None:
            # A remark behind the result is still about this game.
            return token.sort is not Sort.COMMENT
        if token.sort is not Sort.TAG:
            return False
        return self._in_moves or (token.text == "Event" and "Event" in self._tags)

    def take(self, token: Token) -> None:
        self.has_begun = True
        if token.sort is Sort.TAG:
            self._take_tag(token)
            return
        if token.sort is not Sort.COMMENT:
            self._in_moves = True
        if token.sort is Sort.OPEN:
            self._opened.append(token.line)
        elif token.sort is Sort.CLOSE:
            self._close(token)
        elif not self._opened:
            self._take_main(token)

    def game(self) -> Game:
        """What has been read. Raises NotationError if a variation is still open."""
        if self._opened:
            raise self._fault(self._opened[-1], "this variation is never closed; add a )")
        result = self._result or self._tags.get("Result", "*")
        return Game(
            self._tags, self._start, self._moves, RESULTS.get(result, "*"), self._comments, {}
        )

    def _take_tag(self, token: Token) -> None:
        self._tags.setdefault(token.text, token.value)
        if token.text == "FEN":
            try:
                self._start = self._position = parse_fen(token.value)
            except NotationError as error:
                raise self._fault(token.line, str(error)) from error

    def _take_main(self, token: Token) -> None:
        if token.sort is Sort.COMMENT:
            if token.text:
                self._comments.setdefault(len(self._moves), []).append(token.text)
        elif token.sort is Sort.RESULT:
            self._result = token.text
        else:
            self._play(token)

    def _play(self, token: Token) -> None:
        try:
            move = parse_san(self._position, token.text)
        except NotationError as error:
            number = move_number(self._position)
            raise self._fault(token.line, f"move {number} {error}") from error
        self._moves.append(move)
        self._position = self._position.play(move)

    def _close(self, token: Token) -> None:
        if not self._opened:
            raise self._fault(token.line, "this ) closes no variation; remove it")
        self._opened.pop()

    def _fault(self, line: int, text: str) -> NotationError:
        return NotationError(f"{self._name}:{line}: {text}")
