"""``boardfw learn``: the commands. What they do is imported when they run."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import wraps
from inspect import cleandoc
from pathlib import Path
from typing import Any

import click

from boardfw.cli.options import CONFIG, COUNTED, NOT_NEGATIVE, RECORD


@dataclass(frozen=True, slots=True)
class Place:
    """The options that say where, and how, lessons are given."""

    url: str | None
    hands: str
    by_hand: bool
    log: Path | None
    config: Path | None


_OPTIONS = (
    click.option("--board", "url", metavar="URL", help="Which board, as of 'boardfw run'."),
    click.option(
        "--hands",
        default="club",
        metavar="KIND",
        show_default=True,
        help="Simulated hands that set up the pieces on the simulated board.",
    ),
    click.option("--by-hand", is_flag=True, help="Set up the pieces yourself, on that board too."),
    click.option(
        "--log",
        metavar="FILE",
        type=click.Path(path_type=Path),
        help="Every sentence goes there as well, a line each, for speech or a screen reader.",
    ),
    CONFIG,
)
_STATUS = """
Exit status 0: it was given to its end, or left at a terminal or by a button; 1: stopped before its
end; 2: something given cannot be used; 75: the board cannot be reached, or scanning has broken
down; 130: Ctrl-C before it began.
"""


def at_place(command: Callable[..., None]) -> Callable[..., None]:
    """The options that say where lessons are given; they come as one, ``place``.

    The exit statuses are the same for all of them, and added to their help.
    """

    @wraps(command)
    def gathered(**options: Any) -> None:
        names = [field.name for field in fields(Place)]
        command(place=Place(**{name: options.pop(name) for name in names}), **options)

    gathered.__doc__ = f"{cleandoc(command.__doc__ or '')}\n{_STATUS}"
    for option in reversed(_OPTIONS):
        gathered = option(gathered)
    return gathered


COURSE = click.option(
    "--course",
    "directory",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Lessons of your own (docs/authoring.md).  [default: the course of the board]",
)
LANGUAGE = click.option(
    "--language",
    metavar="NAME",
    default="en",
    show_default=True,
    help="What lessons say, as far as they have it: de. The rest stays English.",
)
FAULTY = 2
"""Exit status when a lesson cannot be taught."""

PROFILE = click.option(
    "--profile", default="guest", metavar="NAME", show_default=True, help="The learner's profile."
)


@click.command("list")
@COURSE
@PROFILE
@RECORD
@CONFIG
def list_(**options: Any) -> None:
    """List the lessons: what each teaches, and which are passed."""
    from boardfw.cli.learn.lessons import lines_of_lessons

    for line in lines_of_lessons(**options):
        click.echo(line)


@click.command()
@click.argument("lesson", metavar="[LESSON]", required=False)
@COURSE
@LANGUAGE
@PROFILE
@RECORD
@at_place
def start(place: Place, **options: Any) -> None:
    """Start or continue a lesson; without LESSON, the same as 'next'.

    In a terminal: the terminal board, with the words beside the lights. Without one the words
    are printed, a line each.
    """
    from boardfw.cli.learn.lessons import give

    sys.exit(give(place, **options))


@click.command("next")
@COURSE
@LANGUAGE
@PROFILE
@RECORD
@at_place
def next_(place: Place, **options: Any) -> None:
    """Repeat what is due, then continue the course."""
    from boardfw.cli.learn.lessons import give

    sys.exit(give(place, lesson=None, **options))


@click.command()
@click.argument("key", metavar="LESSON.EXERCISE")
@COURSE
@LANGUAGE
@at_place
def play(key: str, directory: Path | None, language: str, place: Place) -> None:
    """Try one exercise, for example rook.stopped or rook.stopped/mirror; nothing is kept."""
    from boardfw.cli.learn.lessons import try_out

    sys.exit(try_out(place, key, directory, language))


@click.command()
@PROFILE
@click.option("--csv", "as_csv", is_flag=True, help="Every answer as CSV, a line each.")
@click.option("--json", "as_json", is_flag=True, help="All of it as one JSON object.")
@click.option(
    "--course",
    metavar="DIR",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="The lessons.  [default: those that boardfw brings]",
)
@RECORD
@CONFIG
def progress(**options: Any) -> None:
    """Show which lessons are passed, what is to be repeated, and what comes next.

    A lesson is passed when each of its exercises was solved, and gold when each was solved
    once without an error and without help.
    """
    from boardfw.cli.learn.learners import show_progress

    show_progress(**options)


@click.command("profiles")
@click.argument("action", required=False, type=click.Choice(["add", "delete"]))
@click.argument("name", required=False)
@click.option("--yes", is_flag=True, help="Do not ask before deleting.")
@RECORD
@CONFIG
def profiles_(**options: Any) -> None:
    """List the profiles; add NAME, or delete NAME with all answers.

    Profiles are kept in the database of games and nowhere else. Without a profile you are the
    guest, and the guest's answers can be deleted like any others.
    """
    from boardfw.cli.learn.learners import profiles

    profiles(**options)


COLOURS = click.Choice(["white", "black"])
PGN = click.argument("pgn", metavar="PGN")
GAME = click.option(
    "--game",
    "number",
    type=COUNTED,
    default=1,
    show_default=True,
    help="Number of the game.",
)


@click.command()
@click.argument("files", metavar="PGN...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--as",
    "colour",
    type=COLOURS,
    help='Which side the repertoire is for.  [default: as its tag [Repertoire "White"] says]',
)
@click.option(
    "--new",
    "new",
    type=NOT_NEGATIVE,
    default=10,
    show_default=True,
    help="At most this many new positions.",
)
@PROFILE
@RECORD
@at_place
def openings(**options: Any) -> None:
    """Learn your openings: a PGN with variations becomes cards, asked when they are due.

    Each position in which you are to move is a card, whatever order led to it; all moves of the
    book are right there. Moves with ? or ?? are never asked for.
    """
    from boardfw.cli.learn.trainers import train_openings

    sys.exit(train_openings(**options))


@click.command()
@click.argument("files", metavar="PGN...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--as", "colour", type=COLOURS, help="Whose mistakes.  [default: both sides']")
@click.option(
    "--new",
    "new",
    type=NOT_NEGATIVE,
    default=10,
    show_default=True,
    help="At most this many new positions.",
)
@click.option(
    "--show",
    is_flag=True,
    help="Do not ask: show by lights what was played, what it allowed, and what was better.",
)
@PROFILE
@RECORD
@at_place
def mistakes(**options: Any) -> None:
    """Put your own mistakes right: annotated games become cards, asked when they are due.

    'boardfw games analyse N --out FILE' writes such a game. A mistake is a move with ? or ??
    beside which a variation has something better.
    """
    from boardfw.cli.learn.trainers import learn_mistakes

    sys.exit(learn_mistakes(**options))


@click.command()
@PGN
@GAME
@at_place
def replay(**options: Any) -> None:
    """Play a game over: the lights show each move, your hand makes it. 'famous' is built in."""
    from boardfw.cli.learn.trainers import replay_game

    sys.exit(replay_game(**options))


@click.command()
@PGN
@GAME
@click.option(
    *("--as", "colour"),
    type=COLOURS,
    default="white",
    show_default=True,
    help="The side whose moves you guess.",
)
@at_place
def guess(**options: Any) -> None:
    """Guess the moves of one side of a game: three points at the first try. 'famous' is one."""
    from boardfw.cli.learn.trainers import guess_game

    sys.exit(guess_game(**options))


@click.command()
@click.argument("ending", type=click.Choice(["KQK", "KRK", "KPK"], case_sensitive=False))
@click.option("--count", type=COUNTED, default=5, show_default=True, help="Number of endings.")
@PROFILE
@RECORD
@at_place
def endings(**options: Any) -> None:
    """Win with queen, rook or pawn against a lone king that defends perfectly."""
    from boardfw.cli.learn.trainers import train_endings

    sys.exit(train_endings(**options))


@click.command("setup")
@click.argument("file", metavar="[FILE]", required=False, type=click.Path(path_type=Path))
@click.option("--alone", is_flag=True, help="Without lights for one piece type after the other.")
@PROFILE
@RECORD
@at_place
def set_up(**options: Any) -> None:
    """Practise setting up the pieces: the usual start, or the positions (FEN) of a file."""
    from boardfw.cli.learn.trainers import practise_setting_up

    sys.exit(practise_setting_up(**options))


@click.command()
@click.argument("directory", metavar="[DIR]", required=False, type=click.Path(path_type=Path))
def check(directory: Path | None) -> None:
    """Look through lessons: DIR/course/*.toml, and their texts in DIR/text/en.toml and, in other
    languages, beside it.

    Without DIR the course that comes with the board. Each fault is a line, FILE:LINE and what to
    mend; what could be better follows, and then which statements of the rule documents the
    lessons meet, which they do not, and how many exercises there are of each type.

    Exit status 0: every lesson can be taught; 2: one cannot.
    """
    from boardfw.learning.checking.coverage import matrix
    from boardfw.learning.checking.text_checks import remarks_on
    from boardfw.shell.learning.course_files import read_library

    library = read_library(directory)
    for complaint in library.complaints:
        click.echo(complaint, err=True)
    for remark in remarks_on(library.drafts, library.statements):
        click.echo(f"{remark.line()} (a remark)")
    for line in matrix(library.drafts, library.statements):
        click.echo(line)
    for line in library.in_languages():
        click.echo(line)
    sys.exit(FAULTY if library.complaints else 0)


@click.group()
def learn() -> None:
    """Learn chess at the board: lights ask, hands answer. docs/learning.md."""


TRAINERS = (openings, mistakes, replay, guess, endings, set_up)

for command in (list_, start, next_, progress, profiles_, *TRAINERS, play, check):
    learn.add_command(command)
