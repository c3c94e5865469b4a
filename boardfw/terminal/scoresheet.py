"""The moves so far, as two columns of SAN, and how the opening is called."""

from __future__ import annotations

from rich.text import Text
from textual.containers import VerticalScroll
from textual.widgets import Static

from boardfw.game.record import Record
from boardfw.notation.openings import Opening, name_of
from boardfw.notation.san import format_san, move_number
from boardfw.rules import Move, Position
from boardfw.rules.move import common

COLUMN = 8  # characters: Qa1xb2+ and a space; a promotion that takes is longer and pushes on
PROVISIONAL = "…"
"""Behind a ply that may yet become another one."""


class Scoresheet:
    """Remembers what it wrote: a ply is put into words once, not at every ply after it."""

    def __init__(self) -> None:
        self._start: Position | None = None
        self._moves: tuple[Move, ...] = ()
        self._sans: list[str] = []
        self._positions: list[Position] = []
        self._openings: list[Opening | None] = [None]

    def follow(self, record: Record) -> list[str]:
        """The plies of the game in SAN."""
        if record.start is not self._start:
            self._start, self._moves = record.start, ()
            self._sans, self._positions = [], [record.start]
            self._openings = [name_of(record.start)]
        kept = common(self._moves, record.moves)
        del self._sans[kept:], self._positions[kept + 1 :], self._openings[kept + 1 :]
        for move in record.moves[kept:]:
            position = self._positions[-1]
            self._sans.append(format_san(position, move))
            self._positions.append(position.play_unchecked(move))
            self._openings.append(name_of(self._positions[-1]) or self._openings[-1])
        self._moves = record.moves
        return self._sans

    @property
    def opening(self) -> Opening | None:
        """What the game followed last is called."""
        return self._openings[-1]


def columns(sans: list[str], start: Position, result: str, *, provisional: bool) -> list[str]:
    """Lines of move number, White's ply and Black's ply, and the result after them."""
    plies = [*sans[:-1], sans[-1] + PROVISIONAL] if provisional and sans else list(sans)
    plies = ["..."] * start.turn + plies
    lines = []
    for index in range(0, len(plies), 2):
        number = move_number(start, index + 1 - start.turn)
        cells = [ply.ljust(COLUMN) for ply in plies[index : index + 2]]
        lines.append(f"{number:>3} {''.join(cells)}".rstrip())
    return [*lines, *([f"    {result}"] if result else [])]


class Moves(VerticalScroll):
    """The moves of the game being played; the last one is always in sight."""

    can_focus = False

    def __init__(self) -> None:
        super().__init__()
        self._sheet = Scoresheet()
        self._text = Static()
        self._shown: list[str] | None = None

    def on_mount(self) -> None:
        """Put the paper down."""
        self.mount(self._text)

    @property
    def opening(self) -> Opening | None:
        """What the game shown is called."""
        return self._sheet.opening

    def show(self, record: Record, *, provisional: bool) -> None:
        """Write the game as it stands now."""
        result = record.outcome.result if record.outcome else ""
        sans = self._sheet.follow(record)
        lines = columns(sans, record.start, result, provisional=provisional)
        if lines != self._shown:
            self._shown = lines
            self._text.update(_marked(lines))
            self.scroll_end(animate=False)


def _marked(lines: list[str]) -> Text:
    text = Text(
        "\n".join(lines) or "no move yet",
        style="" if lines else "dim",
        no_wrap=True,
        overflow="crop",
    )
    text.highlight_regex(r"(?m)^ *\d+\.", "rgb(128,134,146)")
    text.highlight_regex(r"\S+…", "italic rgb(255,190,90)")
    text.highlight_regex(r"(?m)^ +(1-0|0-1|1/2-1/2)$", "bold")
    return text
