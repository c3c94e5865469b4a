"""From PGN texts to a repertoire; what cannot be one is told as ``FILE:LINE:`` and a remedy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from boardfw.errors import NotationError
from boardfw.learning.trainers.repertoire import Book, book_of
from boardfw.notation.errors import quoted
from boardfw.notation.pgn import Game, read_games
from boardfw.rules import Color
from boardfw.rules.board import COLOR_NAMES

TAG = "Repertoire"
"""Names the colour that a game of a repertoire is for."""


def read_book(texts: Mapping[str, str], you: Color | None = None) -> Book:
    """The book of these PGN texts, by the names of their files.

    ``you``: whose book it is; None: as the tags ``[Repertoire "White"]`` say. Games that are
    tagged for the other colour are left out. Raises NotationError with one line for a person.
    What is broken within a game is in ``faults``; the moves before it count.
    """
    games = [
        (game, _colour(name, text, game))
        for name, text in texts.items()
        for game in read_games(text, name)
    ]
    where = f"{next(iter(texts), 'PGN')}:1"
    if not any(game.children for game, _ in games):
        raise NotationError(_empty(where, games))
    if you is None:
        you = _said_by_tags(where, {colour for _, colour in games if colour is not None})
    book = book_of((game for game, colour in games if colour in (None, you)), you)
    if not book.cards:
        raise NotationError(
            f"{where}: no move of {COLOR_NAMES[you]}'s is to be learnt here; "
            f"add some without ? or ??, or say that the book is {COLOR_NAMES[1 - you]}'s"
        )
    return book


def _colour(name: str, text: str, game: Game) -> Color | None:
    """Whom a game's tag names."""
    value = game.tags.get(TAG)
    if value is None:
        return None
    names = [colour.lower() for colour in COLOR_NAMES]
    if value.strip().lower() not in names:
        raise NotationError(
            f"{name}:{_line_of(text, value)}: {quoted(value)} is no colour; "
            f'write [{TAG} "White"] or [{TAG} "Black"]'
        )
    return names.index(value.strip().lower())


def _line_of(text: str, value: str) -> int:
    lines = enumerate(text.splitlines(), 1)
    found = (number for number, line in lines if f"[{TAG}" in line and value in line)
    return next(found, 1)


def _said_by_tags(where: str, colours: set[Color]) -> Color:
    if len(colours) == 1:
        return colours.pop()
    if colours:
        raise NotationError(f"{where}: games for White and for Black; say which are to be learnt")
    raise NotationError(
        f"{where}: nobody says whose book it is; give --as white or --as black,"
        f' or add [{TAG} "White"] or [{TAG} "Black"]'
    )


def _empty(where: str, games: Iterable[tuple[Game, Color | None]]) -> str:
    """No move at all: the first fault says why, if there is one."""
    faults = (str(fault) for game, _ in games for fault in game.faults)
    return next(faults, f"{where}: the book is empty; write its lines as moves in PGN")
