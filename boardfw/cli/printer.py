"""The printed game: what was played and what went wrong, a line each, for pipes and logs."""

from __future__ import annotations

from pathlib import Path
from textwrap import fill

import click

from boardfw.cli.journal import WARNING, marked
from boardfw.game.events import (
    Action,
    Amended,
    Asked,
    Ended,
    Mismatched,
    Moved,
    NewGame,
    Outage,
    Restored,
    Stuck,
    TakenBack,
    Unwatched,
    Wanted,
)
from boardfw.notation.opening_names import opening_of
from boardfw.notation.san import move_number, numbered_san
from boardfw.rules import Move, Piece
from boardfw.rules.move import common
from boardfw.sensing.health import SwitchHealth, Verdict
from boardfw.shell.desk import Desk
from boardfw.squares import NAMES, names_of
from boardfw.terminal.messages import beginning_news, news, reason_of, wanted_in_words

COLUMNS = 79
"""Of a terminal that only writes lines."""
MEND = {
    False: "look at its reed and its wire, and at the magnet of the piece on it",
    True: "look at its reed, and for a short in its wire",
}
"""What to look at under a switch that is stuck open, and one that is stuck closed."""


class Printer:
    """Prints what a session says, and at the end the game as it stands."""

    def __init__(self, desk: Desk, columns: int | None = None) -> None:
        self._desk = desk
        self._columns = columns
        """How wide the lines may be; None: as wide as they are, as in a pipe."""

    def begin(self) -> None:
        """Print what is worth knowing before the first touch, if anything is."""
        if text := beginning_news(self._desk.session.record):
            self._write(text)

    def hear(self, action: Action) -> None:
        """Print one action, if a reader wants to know it."""
        text = _sentence(action, self._desk)
        if text:
            self._write(f"{action.t_us / 1_000_000:8.2f} s  {text}", indent=12)

    def _write(self, text: str, indent: int = 0) -> None:
        """Print a text, in lines that are not too wide."""
        if self._columns is not None:
            text = fill(text, self._columns, subsequent_indent=" " * indent)
        click.echo(text)

    def conclude(self, path: Path, played: tuple[Move, ...] | None) -> int:
        """Print the games and where they lie; 0 if the first is the game ``played``, else 1."""
        games = self._desk.session.games
        for record in games:
            result = record.outcome.result if record.outcome else "*"
            if opening := opening_of(record.positions()):
                self._write(" ".join(opening))
            if record.moves or len(games) == 1:
                self._write(
                    " ".join(filter(None, [numbered_san(record.start, record.moves), result]))
                )
        self._tell_health()
        click.echo(f"PGN: {path}")
        moves = games[0].moves
        if played is None or moves == played:
            return 0
        ply = common(moves, played)
        click.echo(f"the recorded game differs from the played one from ply {ply + 1} on", err=True)
        return 1

    def _tell_health(self) -> None:
        """Print which switches move and are not good; nothing if all are."""
        session = self._desk.session
        health = session.senses.health
        for switch in health.ailing():
            name = NAMES[session.game.orientation.square(switch)]
            click.echo(f"the switch of {name} {_ailment(health[switch])}; {MEND[False]}")


class JournalPrinter(Printer):
    """The same for the journal of a service, which knows the time of each line itself."""

    def hear(self, action: Action) -> None:
        """Print one action, if a reader wants to know it. Outages are in the log, with remedies."""
        text = _sentence(action, self._desk)
        if text and not isinstance(action, Outage | Restored):
            click.echo(marked(WARNING, text) if isinstance(action, Stuck | Unwatched) else text)


def _ailment(switch: SwitchHealth) -> str:
    """What is wrong with a switch that moves."""
    if switch.verdict is Verdict.LOSES_CONTACT:
        times = f"{switch.lost} time{'s' if switch.lost > 1 else ''}"
        return f"loses contact: it opened under a standing piece {times}"
    usual_ms, longest_ms = switch.bounce_us / 1000, switch.longest_bounce_us / 1000
    return f"bounces long: {usual_ms:.0f} ms as a rule, {longest_ms:.0f} ms at most"


def _sentence(action: Action, desk: Desk) -> str:
    match action:
        case Moved() | Amended() | TakenBack():
            return _ply(action, desk)
        case Asked(candidates=candidates):
            return f"which one? {' or '.join(candidates)}"
        case Mismatched(missing=missing, extra=extra):
            what = f"wrong: missing {_list(missing)}, too many {_list(extra)}"
            return "; ".join([what, *reason_of(desk.view)])
        case Ended(result=result, termination=termination):
            return f"{result} ({termination.replace('_', ' ')})"
        case Wanted(piece=piece, squares=squares):
            return wanted_in_words(Piece.of(piece), squares)
    told = news(action, desk.session.record)
    if isinstance(action, NewGame):
        return told.removeprefix("a ")
    return f"{told}; {MEND[action.closed]}" if isinstance(action, Stuck) else told


def _ply(action: Moved | Amended | TakenBack, desk: Desk) -> str:
    if isinstance(action, TakenBack):
        return f"taken back: {action.plies}"
    start = desk.session.record.start
    number = move_number(start, action.ply)
    return f"{number}{action.san}{' (amended)' if isinstance(action, Amended) else ''}"


def _list(squares: int) -> str:
    return " ".join(names_of(squares)) or "nothing"
