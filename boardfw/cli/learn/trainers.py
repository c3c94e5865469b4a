"""``boardfw learn openings``, ``replay``, ``guess``, ``endings`` and ``setup``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from boardfw.cli.learn.lessons import PROFILE
from boardfw.cli.learn.place import at_place
from boardfw.cli.options import COUNTED, NOT_NEGATIVE, RECORD

COLOURS = click.Choice(["white", "black"])
PGN = click.argument("pgn", metavar="PGN")
GAME = click.option(
    "--game", "number", type=COUNTED, default=1, show_default=True, help="Which one."
)


@click.command()
@click.argument("files", metavar="PGN...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--as",
    "colour",
    type=COLOURS,
    help='Whose book it is.  [default: as its tag [Repertoire "White"] says]',
)
@click.option(
    "--new",
    "new",
    type=NOT_NEGATIVE,
    default=10,
    show_default=True,
    help="So many positions, at most, that were never asked.",
)
@PROFILE
@RECORD
@at_place
def openings(**options: Any) -> None:
    """Learn your openings: a PGN with variations becomes cards, asked when they are due.

    Each position in which you are to move is a card, whatever order led to it; all moves of the
    book are right there. Moves with ? or ?? are never asked for.
    """
    from boardfw.cli.learn.training import train_openings

    sys.exit(train_openings(**options))


@click.command()
@PGN
@GAME
@at_place
def replay(**options: Any) -> None:
    """Play a game over: the lights show each move, your hand makes it. 'famous' is built in."""
    from boardfw.cli.learn.training import replay_game

    sys.exit(replay_game(**options))


@click.command()
@PGN
@GAME
@click.option("--as", "colour", type=COLOURS, default="white", show_default=True)
@at_place
def guess(**options: Any) -> None:
    """Guess the moves of one side of a game: three points at the first try. 'famous' is one."""
    from boardfw.cli.learn.training import guess_game

    sys.exit(guess_game(**options))


@click.command()
@click.argument("ending", type=click.Choice(["KQK", "KRK", "KPK"], case_sensitive=False))
@click.option("--count", type=COUNTED, default=5, show_default=True, help="So many.")
@PROFILE
@RECORD
@at_place
def endings(**options: Any) -> None:
    """Win with queen, rook or pawn against a king alone, who defends himself perfectly."""
    from boardfw.cli.learn.training import train_endings

    sys.exit(train_endings(**options))


@click.command("setup")
@click.argument("file", metavar="[FILE]", required=False, type=click.Path(path_type=Path))
@click.option("--alone", is_flag=True, help="Without lights that ask for one kind after the other.")
@PROFILE
@RECORD
@at_place
def set_up(**options: Any) -> None:
    """Practise putting the men up: the usual start, or the positions (FEN) of a file."""
    from boardfw.cli.learn.training import practise_setting_up

    sys.exit(practise_setting_up(**options))
