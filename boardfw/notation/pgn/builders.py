"""Builders, which make a tree or a main line of a game while it is read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias, TypeVar

from boardfw.notation.pgn.faults import Fault
from boardfw.notation.pgn.tags import START, clean_comment
from boardfw.notation.pgn.tree import Game, Node, Spot
from boardfw.rules.move import Move
from boardfw.rules.position import Position

_Line: TypeAlias = tuple[Spot, Spot, Node | None, Node | None, list[str], list[int]]
"""What a TreeBuilder keeps of a line while it is in a variation of it."""

T_co = TypeVar("T_co", covariant=True)


class Builder(Protocol[T_co]):
    """Receives the parts of a game in the order of the text; a new one for each game.

    ``build_games`` reads into any builder. A class that derives from this one keeps nothing but
    what it has methods for.
    """

    def move(self, move: Move, /) -> None:
        """The next move of this line; the null move in a variation."""

    def nag(self, number: int) -> None:
        """A NAG for the last move, or for the first of the line if there is none yet."""

    def comment(self, text: str) -> None:
        """A comment, the text between the braces."""

    def unread(self, word: str) -> None:
        """A word of a line after a fault that ends its moves."""

    def open(self) -> bool:
        """A variation of the last move begins. False: skip it, and ``close`` is not called."""
        return False

    def close(self) -> None:
        """The variation ends."""

    def end(self) -> None:
        """The result is reached; only comments may follow."""

    def letters(self, language: str) -> None:
        """The pieces had the letters of this language, not English ones."""

    def game(
        self, tags: dict[str, str], start: Position, result: str, faults: tuple[Fault, ...]
    ) -> T_co:
        """The finished game."""


@dataclass(slots=True)
class MainLine:
    """A game without its tree: the moves played, without variations and comments."""

    tags: dict[str, str] = field(default_factory=dict)
    start: Position = START
    moves: list[Move] = field(default_factory=list)
    result: str = "*"
    faults: tuple[Fault, ...] = ()

    def positions(self) -> Iterator[Position]:
        """The positions of the game, the start first."""
        position = self.start
        yield position
        for move in self.moves:
            position = position.play_unchecked(move)
            yield position


class LineBuilder(Builder[MainLine]):
    """Builds a MainLine; skips variations."""

    def __init__(self) -> None:
        self._moves: list[Move] = []
        self.move = self._moves.append  # type: ignore[method-assign]  # without a call in between

    def game(
        self, tags: dict[str, str], start: Position, result: str, faults: tuple[Fault, ...]
    ) -> MainLine:
        """The finished game."""
        return MainLine(tags, start, self._moves, result, faults)


class TreeBuilder(Builder[Game]):
    """Builds a Game.

    Comments and NAGs are collected in lists and handed to their spot when the line goes on, because
    a spot may have a hundred thousand comments.
    """

    def __init__(self) -> None:
        self._game = Game()
        self._parent: Spot = self._game
        self._at: Spot = self._game
        """The spot reached, to which the next move is added; ``_parent`` is the one before it."""
        self._head: Node | None = None
        """The first move of the current variation; None: in the main line, or no move yet."""
        self._closed: Node | None = None
        """The variation just closed, which gets the comments that follow; else None."""
        self._is_fresh = False
        """Whether the variation has no move yet; comments then come before its first."""
        self._comments: list[str] = []
        self._nags: list[int] = []
        self._unread: list[str] = []
        self._outer: list[_Line] = []
        self._is_pending = False
        """Whether there is a comment, NAG or unread word since the last move."""
        self._is_over = False

    def move(self, move: Move) -> None:
        """The next move of this line."""
        node = Node(move)
        if self._is_pending:
            self._settle(node)
        self._at.children.append(node)
        self._parent, self._at = self._at, node
        self._closed = None

    def _settle(self, node: Node) -> None:
        self._flush()
        if self._nags:
            node.nags, self._nags = tuple(self._nags), []
        if self._is_fresh:
            node.before, self._comments = tuple(self._comments), []
            self._head = node
            self._is_fresh = False
        self._is_pending = False

    def _flush(self) -> None:
        """Hand the collected comments and NAGs to their node, if it is known yet."""
        if self._unread:
            self._gather()
        if self._is_fresh:
            return
        if self._comments:
            comments, self._comments = tuple(self._comments), []
            if self._closed is None:
                self._at.comments += comments
            else:
                self._closed.behind += comments
        if self._nags and isinstance(self._at, Node):
            self._at.nags += tuple(self._nags)
            self._nags = []

    def nag(self, number: int) -> None:
        """A NAG for the last move, or for the first to come."""
        self._nags.append(number)
        self._is_pending = True

    def unread(self, word: str) -> None:
        """A word that could not be played: it becomes part of a comment."""
        self._unread.append(word)
        self._is_pending = True

    def _gather(self) -> None:
        words, self._unread = self._unread, []
        self.comment(" ".join(["unread:", *words]))

    def comment(self, text: str) -> None:
        """A comment on the spot reached."""
        if self._unread:
            self._gather()
        if text := clean_comment(text):
            self._comments.append(text)
            self._is_pending = True

    def open(self) -> bool:
        """A variation of the last move begins."""
        if self._unread:
            self._gather()
        self._outer.append(
            (self._parent, self._at, self._head, self._closed, self._comments, self._nags)
        )
        self._at = self._parent
        self._head = self._closed = None
        self._comments, self._nags = [], []
        self._is_fresh = self._is_pending = True
        return True

    def close(self) -> None:
        """The variation ends; the comments of one without a move go to the spot around it."""
        self._flush()
        head, comments, nags = self._head, self._comments, self._nags
        line = self._outer.pop()
        self._parent, self._at, self._head, self._closed, self._comments, self._nags = line
        self._is_fresh = False
        if head is not None:
            self._flush()
            self._closed = head
        self._comments += comments
        self._nags += nags
        self._is_pending = True

    def letters(self, language: str) -> None:
        """The letters of the text."""
        self._game.letters = language

    def end(self) -> None:
        """From here on comments belong to the end of the game."""
        self._flush()
        self._is_over = True

    def game(
        self, tags: dict[str, str], start: Position, result: str, faults: tuple[Fault, ...]
    ) -> Game:
        """The finished game."""
        game = self._game
        if self._is_over:
            game.closing, self._comments = tuple(self._comments), []
        self._flush()
        game.tags, game.start, game.result, game.faults = tags, start, result, faults
        return game
