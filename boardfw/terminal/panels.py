"""The panels around the board: situation, message, switches, hand and box, clocks and moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from textwrap import fill, wrap

from rich.text import Text
from textual import events, message
from textual.containers import VerticalScroll
from textual.widgets import Static

from boardfw.game.clock import SECOND_US, ChessClock, shown_step_us
from boardfw.game.record import Record
from boardfw.lights.cue import Cue
from boardfw.lights.palette import Settings, ramp
from boardfw.notation.opening_names import Opening, name_of
from boardfw.notation.san import format_san, move_number
from boardfw.rules import Move, Position
from boardfw.rules.board import BLACK, COLOR_NAMES, WHITE, Color
from boardfw.rules.move import common
from boardfw.squares import EVERY_SWITCH, FILES, NAMES, Occupancy, Orientation, Switch, switch_at
from boardfw.terminal.drawn_board import GLYPHS
from boardfw.terminal.paint import Ground, ManyColours, Paint, style

COLUMNS = 37  # beside a board of the smallest full size, on a screen of 80
MOST_LINES = 3
"""Lines of a message: it has one, and can take the lines around it."""
QUIET = "rgb(128,134,146)"
ORDER = "QRBNPqrbnpKk"
"""Order of the pieces in the box, White's first."""


def lines_of(sentence: str) -> int:
    """How many lines a sentence takes beside the board."""
    return _filled(sentence).count("\n") + 1


def _filled(sentence: str) -> str:
    return fill(sentence, COLUMNS, subsequent_indent="  ")


class Situation(Static):
    """The situation in words, and a legend of the lights."""

    def show(self, lines: Sequence[str], lights: Mapping[str, Ground]) -> None:
        """Write these lines, and the meaning of each of these lights."""
        text = Text()
        for number, line in enumerate(lines):
            text.append(f"{_filled(line)}\n", style="" if number else "bold")
        for sentence, ground in lights.items():
            text.append(ground.fill * 2, style=style(ground.ink, ground.paper))
            text.append(f" {fill(sentence, COLUMNS - 3, subsequent_indent='   ')}\n", style=QUIET)
        self.update(text, layout=False)


class Message(Static):
    """The last message, on up to ``MOST_LINES`` lines."""

    def __init__(self) -> None:
        super().__init__(id="message", markup=False)
        self.text = ""
        """The whole message."""

    def show(self, text: str, width: int) -> int:
        """Write this on lines of ``width`` columns; returns the number of lines."""
        self.text = text
        width = max(width, 1)
        lines = [part for line in text.splitlines() for part in wrap(line, width)] or [""]
        rest = " ".join(lines[MOST_LINES - 1 :])
        lines[MOST_LINES - 1 :] = wrap(rest, width, max_lines=1, placeholder=" …")
        if self.styles.height is None or self.styles.height.value != len(lines):
            self.styles.height = len(lines)
        self.update("\n".join(lines), layout=False)
        return len(lines)


def legend(cues: Sequence[Cue], settings: Settings, paint: Paint) -> dict[str, Ground]:
    """Sentence of each cue -> a dark square lit by it, at its brightest."""
    told = {}
    for cue in reversed(cues):
        red, green, blue = max(ramp(cue, settings), key=sum)
        if red or green or blue:
            told[cue.sentence] = paint.ground((red, green, blue), is_light_square=False)
    return told


class Switches(Static):
    """The 64 switches: closed, open, stuck, and those whose last reading has not settled."""

    def __init__(self) -> None:
        super().__init__()
        self._shown: tuple[Occupancy, Occupancy, Occupancy, Orientation] | None = None

    def show(
        self, settled: Occupancy, raw: Occupancy, stuck: Occupancy, orientation: Orientation
    ) -> None:
        """Draw these switches, and the names of the squares over them."""
        if (settled, raw, stuck, orientation) == self._shown:
            return
        self._shown = settled, raw, stuck, orientation
        files = " ".join(
            NAMES[orientation.square(switch)][0] for switch in EVERY_SWITCH[: len(FILES)]
        )
        rows = [_row(settled, raw, stuck, orientation, rank) for rank in range(7, -1, -1)]
        text = Text("switches\n", style=QUIET)
        text.append("\n".join(rows), style="rgb(200,205,212)")
        text.append(f"\n  {files}", style=QUIET)
        text.highlight_regex(r"(?m)^[1-8] ", QUIET)
        text.highlight_regex(r"[◌×]", "bold rgb(255,190,90)")
        self.update(text, layout=False)


def _row(
    settled: Occupancy, raw: Occupancy, stuck: Occupancy, orientation: Orientation, rank: int
) -> str:
    dots = (_dot(settled, raw, stuck, switch_at(file, rank)) for file in range(8))
    return f"{NAMES[orientation.square(switch_at(0, rank))][1]} {' '.join(dots)}"


def _dot(settled: Occupancy, raw: Occupancy, stuck: Occupancy, switch: Switch) -> str:
    if stuck >> switch & 1:
        return "×"
    if (settled ^ raw) >> switch & 1:
        return "◌"
    return "●" if settled >> switch & 1 else "·"


class Tray(Static):
    """The hand and the box; a click on a piece in the box takes it into the hand."""

    class Wanted(message.Message):
        """A piece in the box was clicked."""

        def __init__(self, label: str) -> None:
            super().__init__()
            self.label = label

    def __init__(self, *, letters: bool = False) -> None:
        super().__init__()
        self.letters = letters
        self.paint: Paint = ManyColours()
        self._places: list[str] = []
        self._shown: tuple[tuple[str, ...], Counter[str], bool] | None = None

    def show(self, held: Sequence[str], box: Counter[str]) -> None:
        """Draw these pieces; the last one held is the next to put down."""
        if (tuple(held), box, self.letters) == self._shown:
            return
        self._shown = tuple(held), Counter(box), self.letters
        text = Text("hand ", style=QUIET)
        for label in reversed(held):
            text.append_text(self._token(label))
        text.append("  box ".rjust(20 - len(text)), style=QUIET)
        self._places = [""] * len(text)
        for label in sorted(box, key=ORDER.index):
            text.append_text(self._token(label))
            text.append(f"{box[label]} " if box[label] > 1 else " ", style=QUIET)
            self._places += [label] * (len(text) - len(self._places))
        self.update(text, layout=False)

    class LetGo(message.Message):
        """The button of the mouse came up beside the board."""

    def on_mouse_up(self) -> None:
        """A dragged piece is let go here."""
        self.post_message(self.LetGo())

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """A click on a piece asks for it."""
        label = self._places[event.x] if event.x < len(self._places) else ""
        if label:
            self.post_message(self.Wanted(label))

    def _token(self, label: str) -> Text:
        symbol = label if self.letters else GLYPHS[label]
        return Text(f" {symbol} ", style=self.paint.piece(is_black=label.islower()))


RUNNING = "►"


def clock_words(clock: ChessClock, t_us: int) -> str:
    """``►White 4:59  Black 9.5 +2`` at an instant.

    The number after the time counts the periods of byo-yomi left.
    """
    return "  ".join(_side(clock, color, t_us) for color in (WHITE, BLACK))


def _side(clock: ChessClock, color: Color, t_us: int) -> str:
    fallen = clock.flag_fallen(t_us)
    mark = RUNNING if clock.is_running and clock.turn == color and fallen is None else ""
    flag = " flag" if fallen == color else ""
    periods = clock.periods(color, t_us)
    left = f" +{periods}" if periods else ""
    return f"{mark}{COLOR_NAMES[color]} {time_words(clock.remaining_us(color, t_us))}{left}{flag}"


def time_words(time_us: int) -> str:
    """``1:30:00``, ``4:59``, and below ten seconds ``9.5``; rounded up, so 0 means no time left."""
    step_us = shown_step_us(time_us)
    steps = -(-time_us // step_us)
    if step_us < SECOND_US:
        return f"{steps // 10}.{steps % 10}"
    minutes, seconds = divmod(steps, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


COLUMN = 8  # characters: Qa1xb2+ and a space; a capture with promotion is longer
PROVISIONAL = "…"
"""Follows a ply that may still change."""


class Scoresheet:
    """The plies in SAN and the opening's name, computed once for each ply."""

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
        """The opening of the game followed last; None: unknown."""
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
        """Add the text."""
        self.mount(self._text)

    @property
    def opening(self) -> Opening | None:
        """The opening of the game shown; None: unknown."""
        return self._sheet.opening

    def show(self, record: Record, *, provisional: bool) -> None:
        """Write the game as it is now."""
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
