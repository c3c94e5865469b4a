"""From text to games, one after the other: texts, lines and files of any size."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeVar

from boardfw.notation.pgn.builders import Builder, LineBuilder, MainLine, TreeBuilder
from boardfw.notation.pgn.encoding import file_lines
from boardfw.notation.pgn.faults import OnFault
from boardfw.notation.pgn.grammar import Reading
from boardfw.notation.pgn.tokens import OTHERS, lines_of, words_of
from boardfw.notation.pgn.tree import Game

T = TypeVar("T")


def read_games(
    source: str | Iterable[str], name: str = "PGN", on_fault: OnFault | None = None
) -> Iterator[Game]:
    """The games of a text or of its lines as trees, one after the other as they are asked for.

    ``on_fault`` is told of every fault as soon as it is met; each game has its own in ``faults``.
    """
    return build_games(TreeBuilder, source, name, on_fault)


def scan_games(
    source: str | Iterable[str], name: str = "PGN", on_fault: OnFault | None = None
) -> Iterator[MainLine]:
    """As ``read_games``, in less time: tags, main line and result; variations are not read."""
    return build_games(LineBuilder, source, name, on_fault)


def read_file(path: str | Path, on_fault: OnFault | None = None) -> Iterator[Game]:
    """The games of a file in any encoding. Raises NotationError if it cannot be read."""
    return read_games(file_lines(path), str(path), on_fault)


def scan_file(path: str | Path, on_fault: OnFault | None = None) -> Iterator[MainLine]:
    """As ``read_file``, without variations and comments."""
    return scan_games(file_lines(path), str(path), on_fault)


def build_games(
    builder: Callable[[], Builder[T]],
    source: str | Iterable[str],
    name: str = "PGN",
    on_fault: OnFault | None = None,
) -> Iterator[T]:
    """What builders of your own make of the games, one builder a game."""
    game = Reading(builder, name, on_fault)
    for line, words in words_of(lines_of(source)):
        before, game.book.line = game.book.line, line
        for number, word in words:
            if not game.is_live or (sort := word[0]) in OTHERS:
                if game.is_over_with(word):
                    if word is words[0][1]:
                        game.book.line = before
                    yield game.finish()
                    game = Reading(builder, name, on_fault)
                    game.book.line = line
                game.take(word)
            elif sort == "{":
                game.take_comment(word)
            else:
                if number:
                    game.number(number)
                game.play(word)
    if game.is_game:
        yield game.finish()
    else:
        game.drop()
