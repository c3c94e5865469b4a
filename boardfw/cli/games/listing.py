"""``boardfw games list`` and ``show``, with a board in lines of text."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import click
import msgspec
from rich.console import Console
from rich.style import Style
from rich.text import Text

from boardfw.cli.games.open_collection import reading
from boardfw.errors import BoardError
from boardfw.notation.san import numbered_san
from boardfw.rules import Position
from boardfw.shell.collection.collection import Collection, Row
from boardfw.shell.collection.filters import Filters
from boardfw.squares import FILES, is_light, square_at
from boardfw.terminal.paint import DARK_SQUARE, LIGHT_SQUARE, ManyColours, style

LINES = 500
"""Lines that are printed at once: to print is slower than to search."""
NAME_WIDTH = 18
PLAYERS_WIDTH = 2 * NAME_WIDTH + len(" - ")
LINE = f"%6d  %-10s  %-{PLAYERS_WIDTH}s  %-{len('1/2-1/2')}s  %4d  %s"
"""Not an f-string in the loop: that takes half as long again, ten thousand times."""


def list_games(asked: dict[str, str | None], as_lines: bool, place: Path) -> None:
    """List games, as ``list`` says. Raises BoardError."""
    filters = Filters.parse(**asked)
    with reading(place) as collection:
        rows = collection.rows(filters)
        lines = map(_json, rows) if as_lines else table(rows)
        printed = 0
        while lot := list(islice(lines, LINES)):
            click.echo("\n".join(lot))
            printed += len(lot)
        if not printed:
            click.echo(none_is_meant(collection), err=True)


def none_is_meant(collection: Collection) -> str:
    """Why there is nothing to be seen."""
    there = collection.count(Filters())
    if there:
        return f"{collection.path}: no matching games ({there} in the database)"
    return f"{collection.path}: no games are kept there yet"


def table(rows: Iterator[Row]) -> Iterator[str]:
    """A line a game."""
    for number, date, white, black, result, plies, first_moves, _ in rows:
        players = f"{white} - {black}"
        if len(players) > PLAYERS_WIDTH:
            players = f"{_short(white)} - {_short(black)}"
        yield LINE % (number, date or "-", players, result, plies, first_moves)


def _short(name: str) -> str:
    return name if len(name) <= NAME_WIDTH else f"{name[: NAME_WIDTH - 1]}…"


def _json(row: Row) -> str:
    return msgspec.json.encode(row._asdict()).decode()


EMPTY = {False: ":", True: "."}
"""A dark square and a light one, where only letters can be told apart."""


def drawn(position: Position) -> Text:
    """The board with White below; capital letters are White's pieces."""
    text = Text()
    for rank in range(7, -1, -1):
        text.append(f"{rank + 1} ")
        for file in range(8):
            square = square_at(file, rank)
            piece = position.piece_at(square)
            paper = LIGHT_SQUARE if is_light(square) else DARK_SQUARE
            if piece is None:
                text.append(f" {EMPTY[is_light(square)]} ", style(paper, paper))
            else:
                ink: Style = ManyColours().piece(is_black=piece.color == 1)
                text.append(f" {piece.letter} ", ink)
        text.append("\n")
    text.append(f"   {'  '.join(FILES)}")
    return text


def show_game(number: int, ply: int | None, place: Path) -> None:
    """Show a game, as ``show`` says. Raises BoardError."""
    with reading(place, texts=True) as collection:
        game = collection.game(number).record
        texts = "".join(collection.texts(Filters(numbers=(number,))))
    plies = len(game.moves)
    at = plies if ply is None else ply
    if at > plies:
        raise BoardError(f"--ply {at}: the plies of game {number} are 1 to {plies}")
    positions = game.positions()
    click.echo(texts, nl=False)
    if game.outcome is not None and game.outcome.termination and at == plies:
        click.echo(f"{game.outcome.termination.replace('_', ' ')}\n")
    elif ply:
        last = numbered_san(positions[ply - 1], game.moves[ply - 1 : ply])
        click.echo(f"after ply {ply}, {last}\n")
    Console(file=sys.stdout, highlight=False).print(drawn(positions[at]))
