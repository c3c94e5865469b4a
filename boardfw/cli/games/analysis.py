"""``boardfw games analyse``: where a game turned, and the game with all that was found."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

import click

from boardfw.cli.games.open_collection import reading
from boardfw.cli.interaction import progress
from boardfw.errors import BoardError
from boardfw.notation.pgn import Game, format_game
from boardfw.notation.san import numbered_san
from boardfw.rules import Move, Position
from boardfw.services.analysis.analyst import find_analyst
from boardfw.services.analysis.annotation import LINE_PLIES, annotate, cost
from boardfw.services.analysis.game_analysis import WeighedPly, analyse
from boardfw.shell.files import place_for, write_whole


def analyse_game(
    number: int, engine: str | None, nodes: int, out: Path | None, force: bool, place: Path
) -> None:
    """Analyse a game, as ``analyse`` says. Raises BoardError."""
    if out is not None:
        if os.path.realpath(out) == os.path.realpath(place):
            raise BoardError(f"{out}: is the database itself; name another file")
        if place_for(out).exists() and not force:
            raise BoardError(f"{out}: is there already; name another file, or add --force")
    with reading(place) as collection:
        chronicle = collection.game(number)
    game = chronicle.timed().to_pgn(chronicle.tags)
    if not game.moves:
        raise BoardError(f"game {number} has no plies that could be analysed")
    name, found = asyncio.run(_weighed(game, engine or "", nodes))
    if out is not None:  # first: who reads the lines may stop at any
        annotate(game, found, name)
        write_whole(out, [format_game(game)])
        click.echo(f"{out}: the game with evaluations and variations", err=True)
    players = f"{game.tags.get('White', '?')} - {game.tags.get('Black', '?')}"
    click.echo(f"game {number}: {players} {game.result}, analysed by {name}")
    lines = [line for one in found if one.turns_the_game for line in told(one)]
    for line in lines or ["no mistakes were found"]:
        click.echo(line)


async def _weighed(game: Game, engine: str, nodes: int) -> tuple[str, list[WeighedPly]]:
    analyst = find_analyst(engine)
    try:
        with progress(len(game.moves), unit="plies") as advance:
            found = await analyse(analyst, game.start, tuple(game.moves), nodes, advance)
        return analyst.name, found
    finally:
        await analyst.close()


def told(weighed: WeighedPly) -> Iterator[str]:
    """A turning point in lines: the move and what it cost, what it allowed, what was better."""
    before, move = weighed.before, weighed.move
    sign = weighed.judgement.sign if weighed.judgement else ""
    yield f"{numbered_san(before, [move])}{sign}  {cost(weighed)}"
    if weighed.allowed:
        yield f"    allowed {_line(before.play_unchecked(move), weighed.allowed)}"
    yield f"    better  {_line(before, weighed.best.line)}"


def _line(position: Position, moves: tuple[Move, ...]) -> str:
    return numbered_san(position, moves[:LINE_PLIES])
