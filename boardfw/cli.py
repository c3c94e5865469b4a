"""The command line: the composition root. Commands import what they need when they run."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from boardfw import __version__
from boardfw.errors import BoardError

BAD_INPUT = 2
"""Exit status when something the user gave cannot be used."""


class BoardGroup(click.Group):
    """Commands whose BoardErrors become one line and exit status 2."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; a BoardError is told in one line."""
        try:
            return super().invoke(ctx)
        except BoardError as error:
            click.echo(str(error), err=True)
            ctx.exit(BAD_INPUT)


@click.group(cls=BoardGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="boardfw")
def main() -> None:
    """Firmware of an electronic chessboard: reads hands, answers with light."""


@main.command()
@click.option("--board", "url", help="Which board, by URL.  [default: from the configuration]")
@click.option("--play", metavar="PGN", help="A game for the simulated hands; 'famous' is built in.")
@click.option("--speed", default="1", help="How fast time runs: a number, or 'max'.")
@click.option("--hands", default="club", show_default=True, help="Kind of simulated hands.")
@click.option("--seed", default=1, show_default=True, help="What chance the simulation takes.")
@click.option("--pgn", type=click.Path(path_type=Path), help="Where the PGN is written.")
@click.option("--trace", type=click.Path(path_type=Path), help="Record the switches to this file.")
@click.option("--config", type=click.Path(path_type=Path), help="Configuration (TOML).")
def run(**options: Any) -> None:
    """Play on a board: the terminal board, or without a terminal a printed game."""
    from boardfw.running import Running

    sys.exit(Running(**options).run())


@main.command()
@click.argument("traces", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--out", required=True, type=click.Path(path_type=Path), help="Directory for the files."
)
@click.option("--events", is_flag=True, help="Also write what the firmware said, and when.")
@click.option("--frames", is_flag=True, help="Also write what the lights showed.")
@click.option("--config", type=click.Path(path_type=Path), help="Configuration (TOML).")
def replay(
    traces: tuple[Path, ...], out: Path, events: bool, frames: bool, config: Path | None
) -> None:
    """Play recorded traces through the firmware and write the games they tell."""
    from boardfw.shell.config import load_config
    from boardfw.shell.files import make_directory
    from boardfw.shell.replay import replay_file

    settings = load_config(config)
    make_directory(out)
    failed = False
    for trace in traces:
        try:
            warnings = replay_file(trace, out, settings, events=events, frames=frames)
        except BoardError as error:
            click.echo(str(error), err=True)
            failed = True
        else:
            for warning in warnings:
                click.echo(warning, err=True)
    sys.exit(BAD_INPUT if failed else 0)


@main.command()
@click.argument("trace", type=click.Path(path_type=Path))
@click.option("--ply", type=int, help="This ply alone, 1 = the first of a game.  [default: all]")
@click.option("--json", "as_lines", is_flag=True, help="One JSON object a ply, one a line.")
@click.option("--config", type=click.Path(path_type=Path), help="Configuration (TOML).")
def explain(trace: Path, ply: int | None, as_lines: bool, config: Path | None) -> None:
    """Tell why the plies of a recorded game were believed.

    For each ply: what the switches did, what that says for the move, which other games were
    considered at that moment and what they lost by, and what the board said of the ply.
    """
    from boardfw.recording import read_trace
    from boardfw.shell.config import load_config
    from boardfw.shell.story import tell
    from boardfw.shell.telling import as_json, as_text

    stories = tell(read_trace(trace), load_config(config))
    chosen = [story for story in stories if ply in (None, story.ply)]
    if ply is not None and not chosen:
        longest = max((story.ply for story in stories), default=0)
        raise BoardError(f"--ply {ply}: the plies of {trace} are 1 to {longest}")
    for story in chosen:
        click.echo(as_json(story) if as_lines else f"{as_text(story)}\n", nl=False)


@main.command()
@click.argument("fen")
@click.argument("depth", type=click.IntRange(min=0))
@click.option("--divide", "divided", is_flag=True, help="Count for each first move apart.")
def perft(fen: str, depth: int, divided: bool) -> None:
    """Count the positions DEPTH plies after FEN ('start' for the usual start)."""
    from boardfw.notation.fen import START_FEN, parse_fen
    from boardfw.rules.perft import divide
    from boardfw.rules.perft import perft as count

    position = parse_fen(START_FEN if fen == "start" else fen)
    if divided and depth:
        counts = divide(position, depth)
        for move in sorted(counts, key=lambda move: move.uci()):
            click.echo(f"{move.uci()}: {counts[move]}")
        click.echo(f"\n{sum(counts.values())}")
    else:
        click.echo(str(count(position, depth)))
