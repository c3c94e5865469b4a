"""Writing a game as text, in the export form of the PGN standard."""

from __future__ import annotations

import re
from collections.abc import Iterable

from boardfw.notation.fen import format_fen
from boardfw.notation.nag import format_nag
from boardfw.notation.pgn.tags import TAG_NAME, clean_comment, written_tags
from boardfw.notation.pgn.tree import NULL, Game, Node, Step, tour
from boardfw.notation.result import RESULTS
from boardfw.notation.san import format_san, move_number
from boardfw.rules.board import BLACK
from boardfw.rules.move import Move
from boardfw.rules.position import Position
from boardfw.rules.single_move import is_legal

WIDTH = 79  # columns; the PGN standard (8.2.1) has fewer than 80

_COMMENT_WORD = re.compile(r'(?:\[%[^\[\]]*\]|\S)+(?: (?=\[[A-Z]\w* ")(?:\[%[^\[\]]*\]|\S)+)*')
"""The parts of a comment that stay on one line: a word, a command with its value, and what looks
like a tag together with the word before it, because a tag at the beginning of a line ends a
comment."""


def format_game(game: Game) -> str:
    """The game in export form, with a blank line at its end.

    Games can be written one after the other: ``file.writelines(map(format_game, games))``.
    Raises ValueError for what no reader could read back: an illegal move, or a result, NAG or tag
    name unknown to PGN.
    """
    if game.result not in RESULTS:
        raise ValueError(f"{game.result!r} is not a PGN result")
    tags = written_tags(game.tags, game.start, game.result)
    return "".join([*map(_tag_line, tags, tags.values()), "\n", format_movetext(game), "\n\n"])


def _tag_line(name: str, value: str) -> str:
    if not TAG_NAME.fullmatch(name):
        raise ValueError(f"{name!r} is not a tag name; use letters, digits and _")
    value = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{value}"]\n'


def format_movetext(game: Game) -> str:
    """The game without its tags. Raises ValueError as ``format_game`` does."""
    text = _Movetext()
    text.comment(game.comments)
    for step, position, node in tour(game):
        if step is Step.OPEN:
            text.open()
        elif step is Step.MOVE:
            text.comment(node.before)
            text.move(position, node)
            text.comment(node.comments)
        else:
            text.close()
            text.comment(node.behind)
    text.word(game.result)
    text.comment(game.closing)
    return text.wrapped()


class _Movetext:
    """Collects the words of a game."""

    def __init__(self) -> None:
        self._words: list[str] = []
        self._prefix = ""
        self._needs_number = True

    def word(self, word: str) -> None:
        """Add a separate word."""
        self._words.append(self._prefix + word)
        self._prefix = ""

    def open(self) -> None:
        """A variation begins."""
        self._prefix = "("
        self._needs_number = True

    def close(self) -> None:
        """The variation ends."""
        self._words[-1] += ")"
        self._needs_number = True

    def move(self, position: Position, node: Node) -> None:
        """Add a move with its number, if it needs one, and its NAGs."""
        san = _san(position, node.move)
        if self._needs_number or position.turn != BLACK:
            self.word(move_number(position))
        self.word(san)
        for nag in node.nags:
            self.word(format_nag(nag))
        self._needs_number = False

    def comment(self, comments: Iterable[str]) -> None:
        """Add comments, each in its own braces."""
        for comment in comments:
            if text := clean_comment(comment):
                first, *others = _COMMENT_WORD.findall("{" + text + "}")
                self.word(first)
                self._words += others
                self._needs_number = True

    def wrapped(self) -> str:
        """The words in lines, none of which begins with %: readers would ignore it."""
        lines = [""]
        for word in self._words:
            line = lines[-1]
            if not line:
                lines[-1] = word
            elif len(line) + len(word) >= WIDTH:
                lines.append(f" {word}" if word.startswith("%") else word)
            else:
                lines[-1] = f"{line} {word}"
        return "\n".join(lines)


def _san(position: Position, move: Move) -> str:
    if move is NULL:
        if position.is_check():
            raise ValueError(f"a side in check cannot pass: {format_fen(position)}")
        return "--"
    if not is_legal(position, move):
        raise ValueError(f"{move.uci()} is not legal in {format_fen(position)}")
    return format_san(position, move)
