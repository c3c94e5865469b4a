"""``boardfw explain``: stories of plies, as text of 80 columns or as JSON."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from textwrap import wrap

import click
import msgspec

from boardfw.cli.games.open_collection import place_of
from boardfw.errors import BoardError
from boardfw.inference.account import Term, total
from boardfw.shell.config import Settings, load_config
from boardfw.shell.replay import load
from boardfw.shell.store.game_traces import tapes_of
from boardfw.shell.story import PlyStory, Rival, tell
from boardfw.shell.touches import Touch

_GAME = re.compile(r"game:(\d+)")


def explain_plies(
    trace: str, ply: int | None, as_lines: bool, record: Path | None, config: Path | None
) -> None:
    """Tell the stories that are asked for. Raises BoardError."""
    settings, tapes = load_config(config), _tapes(trace, record, config)
    stories = [story for path, first in tapes for story in _told(path, first, settings)]
    chosen = [story for story in stories if ply in (None, story.ply)]
    if ply is not None and not chosen:
        if not stories:
            raise BoardError(f"--ply {ply}: no ply was played in {trace}")
        first, last = (f(story.ply for story in stories) for f in (min, max))
        raise BoardError(f"--ply {ply}: the plies of {trace} are {first} to {last}")
    for story in chosen:
        click.echo(as_json(story) if as_lines else f"{as_text(story)}\n", nl=False)


def _tapes(trace: str, record: Path | None, config: Path | None) -> Iterator[tuple[Path, int]]:
    """The recordings, and the ply of the game with which each begins."""
    if (name := _GAME.fullmatch(trace)) is None:
        yield Path(trace), 1
        return
    place = place_of(record, config)
    tapes = tapes_of(place, int(name[1]))
    if not tapes:
        raise BoardError(
            f"{trace}: {place} does not keep the switches of that game; they are of the "
            "last games that were played on the board (record.traces_mb)"
        )
    for first, path in tapes.items():
        yield path, first


def stories_of(record: Path, game: int, settings: Settings) -> list[PlyStory]:
    """The stories of a kept game, as far as its switches are kept. Raises BoardError."""
    tapes = tapes_of(record, game)
    if not tapes:
        raise BoardError(
            f"game {game}: its switches are not kept; they are of the last games that were "
            "played on the board (record.traces_mb)"
        )
    return [story for first, path in tapes.items() for story in _told(path, first, settings)]


def _told(path: Path, first: int, settings: Settings) -> Iterator[PlyStory]:
    """The stories of a recording, counted as the plies of its game."""
    for story in tell(load(path), settings):
        yield replace(story, ply=story.ply + first - 1)


COLUMNS = 80
REASONS = 4
"""Differences printed of a rival one by one, the greatest losses first; the rest as a sum."""
INDENT = 12
"""Where the text behind times and points begins."""
TOUCHES = 24
"""Switch changes printed of one ply; a set-up after a fall has more, and they are not read."""


def as_text(story: PlyStory) -> str:
    """The story of a ply as lines for a person, newlines included."""
    return "\n".join(_lines(story)) + "\n"


def as_json(story: PlyStory) -> str:
    """The story of a ply as one line with a JSON object, newline included."""
    fields = {
        "game": story.game,
        "ply": story.ply,
        "san": story.san,
        "uci": story.uci,
        "t": story.t_us,
        "left": story.left_us,
        "switches": [_touch_fields(touch, story.left_us) for touch in story.touches],
        "points": round(story.points, 3),
        "evidence": _terms_fields(story.terms),
        "rivals": [_rival_fields(rival) for rival in story.rivals],
        "said": [{"t": s.t_us, "event": s.event, "text": s.text} for s in story.said],
    }
    return msgspec.json.encode(fields).decode() + "\n"


def _lines(story: PlyStory) -> Iterator[str]:
    yield f"Ply {story.ply}: {story.name} ({story.uci}), said at {_clock(story.t_us)}"
    if story.touches:
        yield f"  What the switches did, in ms since {_clock(story.left_us)}:"
    for touch in story.touches[-TOUCHES:]:
        yield from _touch(touch, story.left_us)
    if story.terms:
        yield f"  What that says for {story.name}, 1 point for each change that it explains:"
        yield from _terms(story.terms)
        yield f"{story.points:+9.1f}   in all"
    if story.rivals:
        yield "  What else was considered, and what it lost by:"
    elif story.terms:
        yield "  Nothing else was near enough to be considered."
    for rival in story.rivals:
        yield from _rival(rival)
    if story.said:
        yield "  What the board said of this ply:"
    for said in story.said:
        yield from _hung(_clock(said.t_us), said.text)


def _touch(touch: Touch, zero_us: int) -> Iterator[str]:
    when = f"{(touch.t_us - zero_us) / 1000:+.0f}"
    what = f"{touch.square} {touch.did}"
    yield from _hung(when, f"{what:<12}  {touch.meaning}".rstrip())


def _rival(rival: Rival) -> Iterator[str]:
    lead = f"{rival.behind:.1f} points behind" if rival.behind >= 0.05 else "level with it"
    yield from _wrapped(f"    {rival.moves}: {lead}", "      ")
    yield from _terms(_shortened(rival.why))


def _shortened(why: tuple[Term, ...]) -> Iterable[Term]:
    """What the rival lost and won most by, and the rest as one; all, if that is no longer."""
    if len(why) <= REASONS + 1:
        return why
    *losses, win = sorted(why, key=lambda term: term.points)
    shown = [*losses[: REASONS - 1], win]
    rest = losses[REASONS - 1 :]
    return [*shown, Term(total(rest), f"{len(rest)} other differences")]


def _terms(terms: Iterable[Term]) -> Iterator[str]:
    for term in terms:
        yield from _hung(f"{term.points:+.1f}", term.text)


def _hung(head: str, text: str) -> Iterator[str]:
    yield from _wrapped(f"{head:>{INDENT - 3}}   {text}", " " * INDENT)


def _wrapped(text: str, hang: str) -> list[str]:
    return wrap(text, COLUMNS, subsequent_indent=hang, replace_whitespace=False) or [""]


def _clock(t_us: int) -> str:
    """Minutes, seconds and thousandths since the start of the trace."""
    ms = t_us // 1000
    return f"{ms // 60_000}:{ms // 1000 % 60:02}.{ms % 1000:03}"


def _touch_fields(touch: Touch, zero_us: int) -> dict[str, object]:
    return {
        "t": touch.t_us,
        "ms": (touch.t_us - zero_us) / 1000,
        "square": touch.square,
        "did": touch.did,
        "meaning": touch.meaning,
    }


def _rival_fields(rival: Rival) -> dict[str, object]:
    return {
        "moves": rival.moves,
        "uci": rival.uci,
        "behind": round(rival.behind, 3),
        "why": _terms_fields(rival.why),
    }


def _terms_fields(terms: Iterable[Term]) -> list[dict[str, object]]:
    return [{"points": round(term.points, 3), "text": term.text} for term in terms]
