"""``boardfw games``: the collection, for its owner."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click

from boardfw.cli.options import CONFIG, COUNTED, NOT_NEGATIVE, RECORD

NUMBERS = click.argument("numbers", nargs=-1, metavar="[N]...", type=COUNTED)
_FILTERS = {
    "--player": ("TEXT", "Part of a name, of either colour."),
    "--date": ("DAYS", "When they were played: 2026, 2026-11, 2026-11-05, or FROM..TO of these."),
    "--result": ("RESULT", "1-0, 0-1, 1/2-1/2, or * for no result."),
    "--position": (
        "FEN",
        "Games in which this position stood, with this side to move and these rights.",
    ),
    "--moves": (
        "MOVES",
        "Games that begin with these moves from the usual start: 'e4 c5 Nf3', or in UCI.",
    ),
    "--opening": ("TEXT", "Part of the opening's code or name: B90, Najdorf."),
}
"""Options by which games are found: what they take, and what they mean."""


def filters(command: Callable[..., None]) -> Callable[..., None]:
    """The options that say which games are meant; they come as one, ``asked``."""
    names = [option.removeprefix("--") for option in _FILTERS]

    @wraps(command)
    def gathered(**options: Any) -> None:
        command(asked={name: options.pop(name) for name in names}, **options)

    for name, (metavar, meaning) in reversed(_FILTERS.items()):
        gathered = click.option(name, metavar=metavar, help=meaning)(gathered)
    return gathered


def recorded(command: Callable[..., None]) -> Callable[..., None]:
    """The options that say where the games are; they come as one, ``place``."""

    @RECORD
    @CONFIG
    @wraps(command)
    def gathered(record: Path | None, config: Path | None, **options: Any) -> None:
        from boardfw.cli.games.open_collection import place_of

        command(place=place_of(record, config), **options)

    return gathered


@click.group()
def games() -> None:
    """The collection: every game that was kept, and those you import.

    Games are named by their numbers, which 'boardfw games list' shows. docs/games.md.
    """


@games.command("list")
@filters
@click.option("--json", "as_lines", is_flag=True, help="One JSON object a game, one a line.")
@recorded
def list_(**options: Any) -> None:
    """List games: number, date, players, result, plies and the first moves.

    All of them, or those that match every filter given.
    """
    from boardfw.cli.games.listing import list_games

    list_games(**options)


@games.command()
@click.argument("number", metavar="N", type=COUNTED)
@click.option(
    "--ply",
    type=NOT_NEGATIVE,
    help="Draw the board after this ply, 0 = at the start.  [default: the last one]",
)
@recorded
def show(**options: Any) -> None:
    """Show a game: its tags, its moves with what was taken back, and the board."""
    from boardfw.cli.games.listing import show_game

    show_game(**options)


@games.command()
@NUMBERS
@filters
@click.option("--all", "every", is_flag=True, help="All games.")
@click.option(
    "--out",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Write this file, whole or not at all.  [default: to the standard output]",
)
@click.option("--force", is_flag=True, help="Replace FILE if there is one.")
@recorded
def export(**options: Any) -> None:
    """Write games as PGN: by number, by filter, or all."""
    from boardfw.cli.games.transfer import export_games

    export_games(**options)


@games.command()
@click.argument("number", metavar="N", type=COUNTED)
@click.option(
    "--engine",
    metavar="NAME",
    help="The engine, by its name or path.  [default: stockfish, where it is installed]",
)
@click.option(
    "--nodes",
    type=click.IntRange(1, 10**7),
    default=30_000,
    show_default=True,
    help="How many nodes the engine may look at for each position; where a move seems to be a "
    "mistake, it looks ten times as long.",
)
@click.option(
    "--out",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Also write the game as PGN, with evaluations, signs and variations.",
)
@click.option("--force", is_flag=True, help="Replace FILE if there is one.")
@recorded
def analyse(**options: Any) -> None:
    """Let an engine find where a game turned: what each mistake cost, and what was better.

    docs/analysis.md says what counts as a mistake.
    """
    from boardfw.cli.games.analysis import analyse_game

    analyse_game(**options)


@games.command("import")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--again", is_flag=True, help="Import games that are there already once more.")
@click.option(
    "--encoding",
    metavar="NAME",
    help="How the files write their letters: utf-8, cp1252 (Western Europe), cp1250 (Central "
    "Europe), cp1251 (Cyrillic), or any other that Python knows.  [default: what the words tell]",
)
@recorded
def import_(**options: Any) -> None:
    """Bring the games of PGN files into the collection.

    Tags, moves, result and times of the clock are kept. A game whose moves break off is left
    out, and so is one that is there already; both are said.

    Exit status 0: all games are there now; 1: some had to be left out; 2: something given
    cannot be used; 130: Ctrl-C, and what had been imported by then is said.
    """
    from boardfw.cli.games.transfer import import_games

    sys.exit(import_games(**options))


@games.command()
@click.argument("number", metavar="N", type=COUNTED)
@click.argument("tags", metavar="NAME=VALUE...", nargs=-1, required=True)
@recorded
def tag(**options: Any) -> None:
    """Set tags of a game: White=Anna, Event='Club evening'; NAME= removes the tag."""
    from boardfw.cli.games.maintenance import tag_game

    tag_game(**options)


@games.command()
@click.argument("number", metavar="N", type=COUNTED)
@click.argument("words", metavar="RULING...", nargs=-1, required=True)
@click.option("--who", metavar="NAME", required=True, help="The arbiter.")
@click.option("--why", metavar="TEXT", required=True, help="The reason.")
@recorded
def rule(**options: Any) -> None:
    """Let an arbiter correct a game. RULING is one of these:

    \b
    12.Nf3                 White's 12th move was this one; more moves: so were those after it
    insert 12.Nf3 Nc6      these were played before the 12th move, and not recorded
    drop 12...             Black's 12th move and all after it were not played
    drop 12. to 13...      these were not
    illegal 12.e1e3        this was played against the rules, and stands
    clocks 1:20:00 58:10   both clocks of a game that goes on, White's first

    A number without dots is that of a ply. What was recorded before is kept, and told.
    """
    from boardfw.cli.games.maintenance import rule_on_game

    rule_on_game(**options)


@games.command()
@click.argument("numbers", nargs=-1, required=True, metavar="N...", type=COUNTED)
@click.option("--yes", is_flag=True, help="Do not ask.")
@recorded
def delete(**options: Any) -> None:
    """Delete games for good. Nothing else ever removes one."""
    from boardfw.cli.games.maintenance import delete_games

    delete_games(**options)


@games.command()
@recorded
def rescue(**options: Any) -> None:
    """Set a damaged database aside, and save its readable games in a new one.

    'boardfw run' does so by itself. The damaged file stays as it is, beside the new one.
    """
    from boardfw.cli.games.maintenance import rescue_record

    rescue_record(**options)
