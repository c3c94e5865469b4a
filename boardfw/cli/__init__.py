"""The command line: the composition root. Commands import what they need when they run."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from boardfw import __version__
from boardfw.cli.games import games
from boardfw.cli.journal import complain
from boardfw.cli.learn import learn
from boardfw.cli.options import CONFIG, COUNTED, FORCE, FROM, NOT_NEGATIVE, RECORD, Measure
from boardfw.cli.service_commands import backup, calibrate, doctor, pair, status, web
from boardfw.errors import MOST_QUOTED, BoardError, BusError, StorageError, shortened

if TYPE_CHECKING:
    from boardfw.rules.position import Position

BAD_INPUT = 2
"""Exit status when something the user gave cannot be used."""
BROKEN = 75
"""Exit status when the board failed, not what was given: to start again may help.

EX_TEMPFAIL of sysexits.h, by which name systemd's messages call it.
"""
UNREAD = 141
"""Exit status when the output is not read to its end, as shells have it: 128 + SIGPIPE."""
STOPPED = 130
"""Exit status after Ctrl-C, as shells have it: 128 + SIGINT."""


_UNMARKED = re.compile(rf"(extra arguments? )(.{{{MOST_QUOTED + 1},}})", re.DOTALL)
"""Click writes no quotation marks here."""


@contextmanager
def _short_usage_errors() -> Iterator[None]:
    """Let click quote no more of what was given than we do."""
    try:
        yield
    except click.UsageError as error:
        said = error.format_message()
        short = shortened(_UNMARKED.sub(lambda found: f"{found[1]}{found[2]!r}", said))
        if short == said:
            raise
        raise click.UsageError(short, error.ctx) from error


class BoardGroup(click.Group):
    """Commands whose BoardErrors become one line and exit status 2 or 75; Ctrl-C becomes 130."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the options before the command."""
        with _short_usage_errors():
            return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; a BoardError is told in one line."""
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, TextIOWrapper):  # a file's name need not be text
                stream.reconfigure(errors="backslashreplace")
        try:
            with _short_usage_errors():
                return super().invoke(ctx)
        except BoardError as error:
            complain(str(error))
            ctx.exit(BROKEN if isinstance(error, BusError) else BAD_INPUT)
        except UnicodeEncodeError as error:  # bytes that are no text, as a file's name may be
            complain(shortened(f"{error.object!a} is no text in UTF-8; write it in letters"))
            ctx.exit(BAD_INPUT)
        except KeyboardInterrupt:  # before or after what a command itself can be stopped in
            click.echo("stopped", err=True)
            ctx.exit(STOPPED)
        except BrokenPipeError:  # head, or a pager that was left: its reader has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for what is buffered
            ctx.exit(UNREAD)
        except OSError as error:  # a full disk behind the output
            with suppress(OSError):
                click.echo(f"the output cannot be written: {error.strerror}", err=True)
            ctx.exit(BROKEN if ctx.invoked_subcommand == "run" else BAD_INPUT)


@click.group(cls=BoardGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="boardfw")
def main() -> None:
    """Firmware of an electronic chessboard: it follows the pieces and answers with lights."""


@main.command()
@click.option(
    "--board",
    "url",
    metavar="URL",
    help="Which board: 'sim:', 'sim-i2c:BOARD', 'i2c:BOARD', 'replay:FILE' or 'spy:FILE,URL'.  "
    "[default: board.url of the configuration, else sim:]",
)
@FROM
@click.option(
    "--white",
    metavar="NAME",
    help="Who plays White, or 'engine', 'engine:NAME?level=3'.  [default: tags.white]",
)
@click.option("--black", metavar="NAME", help="Who plays Black, likewise.  [default: tags.black]")
@click.option(
    "--clock",
    metavar="CONTROL",
    help="Time control: 5+3 has 5 minutes and 3 seconds for each move; docs/clocks.md has all "
    "kinds.  [default: clock.control of the configuration, else none]",
)
@click.option(
    "--play",
    metavar="PGN",
    help="Let simulated hands play the first game of this file; 'famous' is built in.",
)
@click.option(
    "--speed",
    metavar="N|max",
    default="1",
    show_default=True,
    help="How many times as fast as real time, up to 50; 'max': in virtual time, "
    "as fast as the machine allows, which a game played without a terminal always is.",
)
@click.option(
    "--hands",
    metavar="KIND",
    default="club",
    show_default=True,
    help="Simulated hands: careful, club, blitz, child, wooden (a board with poor contacts), "
    "elder, hot, weak, tremor or any (docs/hands.md).",
)
@click.option(
    "--seed",
    type=NOT_NEGATIVE,
    default=1,
    show_default=True,
    help="Seed of the simulated hands; the same seed plays the same way.",
)
@click.option(
    "--pgn",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Where the games are written; one of an earlier run is replaced.  [default: a new file "
    "named after the time, in record.pgn of the configuration, else in games]",
)
@click.option(
    "--record",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="The database of games: a game that was cut off goes on.  [default: record.database of "
    "the configuration; none for a recording]",
)
@click.option(
    "--trace",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Record what the switches did, for 'boardfw replay' and 'boardfw explain'.  "
    "[default: record.trace of the configuration, else nothing is recorded]",
)
@click.option(
    "--web",
    metavar="[HOST:]PORT|auto|apart|off",
    is_flag=False,
    flag_value="auto",
    help="Serve the board's page at this address; 'auto', as without an address: for this machine "
    "alone, at a free port; 'apart': 'boardfw web' does.  [default: web.address of the "
    "configuration, else at the terminal board 'auto', as a service 'apart', else 'off']",
)
@FORCE
@CONFIG
def run(**options: Any) -> None:
    """Play on a board, real or simulated.

    In a terminal: the terminal board. Without one (a pipe, a service): what is played is
    printed, a line each. Ctrl-C leaves a PGN of what was played.

    Exit status 0: all went well; 1: the hands' game was recorded otherwise; 2: something given
    cannot be used; 75: the board cannot be reached, scanning has broken down, or a disk has not
    taken the games: to start again may help; 130: Ctrl-C before the end of a game played without a
    terminal.
    """
    from boardfw.cli.run_game import Running
    from boardfw.cli.waiting import while_no_board
    from boardfw.shell.store.record_lock import TakenError

    try:
        status = while_no_board(Running(**options).run)
    except (StorageError, TakenError) as error:  # nothing that was given is wrong
        complain(str(error))
        status = BROKEN
    sys.exit(status)


@main.command()
@click.argument("traces", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--out",
    metavar="DIR",
    required=True,
    type=click.Path(path_type=Path),
    help="Directory for the files; made when it is missing.",
)
@click.option(
    "--events", is_flag=True, help="Also write NAME.events.jsonl: what the firmware said, when."
)
@click.option(
    "--frames", is_flag=True, help="Also write NAME.frames.jsonl: what the 64 lights showed, when."
)
@FORCE
@CONFIG
def replay(
    traces: tuple[Path, ...],
    out: Path,
    events: bool,
    frames: bool,
    force: bool,
    config: Path | None,
) -> None:
    """Play recorded traces through the firmware and write the games they tell.

    Each NAME.trace.jsonl becomes DIR/NAME.pgn, in virtual time and the same in every run. A
    trace that was cut off is played as far as it goes; one that is broken is refused with
    FILE:LINE and what is wrong, and the others are played.

    Exit status 0: every trace was played; 2: one could not be.
    """
    from boardfw.shell.config import load_config
    from boardfw.shell.files import make_directory
    from boardfw.shell.replay import replay_file, stem_of

    settings = load_config(config)
    make_directory(out)
    written: dict[str, Path] = {}
    failed = False
    for trace in traces:
        try:
            if other := written.get(stem_of(trace)):
                raise BoardError(f"{trace}: its files would replace those of {other}; rename one")
            asked = {"events": events, "frames": frames, "force": force}
            warnings = replay_file(trace, out, settings, **asked)
        except BoardError as error:
            click.echo(str(error), err=True)
            failed = True
        else:
            written[stem_of(trace)] = trace
            for warning in warnings:
                click.echo(warning, err=True)
    sys.exit(BAD_INPUT if failed else 0)


@main.command()
@click.argument("trace")
@click.option("--ply", type=int, help="This ply alone, 1 = the first of a game.  [default: all]")
@click.option("--json", "as_lines", is_flag=True, help="One JSON object a ply, one a line.")
@RECORD
@CONFIG
def explain(**options: Any) -> None:
    """Explain why each ply of a recorded game was chosen.

    For each ply: what the switches did, what speaks for the move, which other hypotheses were
    considered and why they lost, and what the board said about the ply.
    Times are minutes:seconds since the start of the recording. TRACE is one (NAME.trace.jsonl),
    or game:N: game N of the database, of the last of which the switches are kept.
    """
    from boardfw.cli.explain_plies import explain_plies

    explain_plies(**options)


@main.command()
@click.argument("more", nargs=-1, metavar="[PGN]...")
@click.option(
    "--games",
    "games",
    metavar="PGN...",
    multiple=True,
    help="Play the games of these files; 'famous' and 'random' are built in.  "
    "[default: 14 famous games, then random ones]",
)
@click.option(
    "--hands",
    metavar="KIND,...",
    help="Simulated hands: as in 'boardfw run', bullet (0.15 s a move) and postal (minutes), and "
    "heavy, nervous or dragger, which test the limits. After them '+' and what happens besides: "
    "KIND+bumps, KIND+holding+wide, ... (listed below).  "
    "[default: every kind that 'boardfw run' has]",
)
@click.option(
    "--seed",
    type=NOT_NEGATIVE,
    default=1,
    show_default=True,
    help="Seed of the hands in the first game; each further game takes the next number.",
)
@click.option(
    "--count",
    type=COUNTED,
    help="Games for each kind of hands; where there are fewer, they are played again by other "
    "hands.  [default: all games of the files, else 30]",
)
@click.option(
    "--chains",
    type=COUNTED,
    help="Instead of single games, so many chains of three for each kind of hands: one after the "
    "other on one board, one of them unfinished.",
)
@click.option(
    "--jobs",
    type=COUNTED,
    help="Games played at once; what comes of them does not depend on it.  [default: as many as "
    "the machine has cores]",
)
@click.option(
    "--keep",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Keep KIND-NUMBER.trace.jsonl of every game that was not recorded exactly, for "
    "'boardfw explain', and the truth beside it.",
)
@click.option("--json", "as_lines", is_flag=True, help="Print everything as one JSON object.")
@click.option(
    "--scan-hz",
    metavar="HZ",
    type=Measure(10, 10_000),
    help="How often the switches are read.  [default: 500; in a world of halls 50]",
)
@click.option(
    "--scale",
    metavar="F",
    multiple=True,
    help="All times of the hands multiplied by F, 0.5 = twice as quick; chances=F multiplies the "
    "chances of mishaps and poor contacts, bounce=F the time for which contacts are unsteady; "
    "may be given several times.",
)
@click.option(
    "--stuck",
    metavar="SQUARE=open|closed",
    multiple=True,
    help="A switch that never closes, or never opens; each=open: another one in each game; "
    "may be given several times.",
)
@click.option(
    "--live",
    metavar="PGN",
    help="Ask a person, by lights, to play the first game of this file at a board, and keep the "
    "recording and what was played in the folder of --keep (docs/recording.md).",
)
@click.option(
    "--board",
    "board",
    metavar="URL",
    help="With --live: the board; on a simulated one --hands play.  [default: board.url of the "
    "configuration]",
)
@click.option(
    "--recorded",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Score the recordings of a folder that --keep has filled, and play nothing.",
)
@CONFIG
def accuracy(
    more: tuple[str, ...],
    games: tuple[str, ...],
    live: str | None,
    board: str | None,
    recorded: Path | None,
    config: Path | None,
    **options: Any,
) -> None:
    """Measure how exactly games are recorded.

    Simulated hands play games of chess, the firmware watches in virtual time, and what it
    recorded is compared with what was played: a table, and a line for each game that went
    wrong. docs/accuracy.md says what is measured.

    What may happen besides, as in KIND+bumps: holding, bumps, both (players slide at once),
    parking, rings, sleeves, toppling, analysis, wide (halls); or something is broken: lost-row,
    bridged, frozen, dead, swapped, mirrored.

    Exit status 0: the games were played, however they were recorded; 2: something given cannot
    be used; 130: Ctrl-C before the last game.
    """
    from boardfw.cli.live_recording import LiveRecording, score_folder
    from boardfw.cli.measure_accuracy import Measuring

    if recorded is not None:
        sys.exit(score_folder(recorded))
    if live is not None:
        keep, hands, seed = options["keep"], options["hands"], options["seed"]
        sys.exit(LiveRecording(live, keep, board, hands, seed, config).run())
    sys.exit(Measuring(games=games + more, **options).run())


@main.command()
@click.argument("fen")
@click.argument("depth", type=click.IntRange(0, 99))
@click.option(
    "--divide", "divided", is_flag=True, help="Count for each first move, then the total."
)
@click.option(
    "--ignore",
    multiple=True,
    metavar="NAME",
    help="Count also where no game can reach FEN: too-many, impossible-check, en-passant-check.",
)
def perft(fen: str, depth: int, divided: bool, ignore: tuple[str, ...]) -> None:
    """Count the games of DEPTH plies from FEN.

    FEN in quotes, fields missing at its end taking their usual values; 'start' is the usual
    start. Problems that are ignored, and an en passant square that is dropped, are told on the
    error output.
    """
    from boardfw.rules.perft import divide
    from boardfw.rules.perft import perft as count

    position = _counted_from(fen, ignore)
    if divided and depth:
        counts = divide(position, depth)
        for move in sorted(counts, key=lambda move: move.uci()):
            click.echo(f"{move.uci()}: {counts[move]}")
        click.echo(f"\n{sum(counts.values())}")
    else:
        click.echo(str(count(position, depth)))


def _counted_from(fen: str, ignore: tuple[str, ...]) -> Position:
    """Raises BoardError."""
    from boardfw.errors import ConfigError, NotationError
    from boardfw.notation.fen import parse_fen
    from boardfw.recording import START_FEN
    from boardfw.rules.setup import UNREACHABLE, SetupError

    try:
        return parse_fen(START_FEN if fen == "start" else fen, ignore=ignore, tell=complain)
    except ValueError as error:
        raise ConfigError(f"--ignore: {error}") from error
    except NotationError as error:
        if isinstance(error.__cause__, SetupError):
            faults = {problem.fault for problem in error.__cause__.problems}
            if faults <= UNREACHABLE:
                options = " ".join(f"--ignore {fault}" for fault in sorted(faults))
                raise NotationError(f"{error}; to count all the same: {options}") from error
        raise


@main.command()
@click.option(
    "--board",
    "url",
    metavar="URL",
    help="Which board, as of 'boardfw run'; on a simulated one simulated hands play.",
)
@click.option(
    "--hands",
    metavar="KIND",
    default="club",
    show_default=True,
    help="Simulated hands, as of 'boardfw run'.",
)
@click.option(
    "--level",
    metavar="LEVEL",
    default="4",
    show_default=True,
    help="How well the simulated player plays (docs/opponents.md).",
)
@click.option(
    "--speed",
    metavar="N",
    type=Measure(1, 50),
    default=1,
    show_default=True,
    help="How many times as fast as real time a simulated board runs, up to 50.",
)
@click.option(
    "--seed", type=NOT_NEGATIVE, default=1, show_default=True, help="Seed of the simulated player."
)
@CONFIG
def uci(**options: Any) -> None:
    """Be an engine for a program that speaks UCI: who plays at the board answers.

    The program starts it, as any engine: its moves are lit, and what is played at the board is
    its answer (docs/opponents.md).
    """
    from boardfw.cli.uci_engine import serve

    sys.exit(serve(**options))


for command in (doctor, calibrate, backup, pair, web, status, games, learn):
    main.add_command(command)
