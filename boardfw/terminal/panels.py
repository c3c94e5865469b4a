"""What stands around the drawn board: the situation, the switches, the hand and the box."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from textwrap import fill, wrap

from rich.text import Text
from textual import events, message
from textual.widgets import Static

from boardfw.lights.cue import MEANINGS, Cue
from boardfw.lights.palette import Settings, ramp
from boardfw.squares import FILES, NAMES, Occupancy, Square, square_at
from boardfw.terminal.paint import Ground, ManyColours, Paint, style
from boardfw.terminal.squares import GLYPHS

COLUMNS = 37  # beside a board of the smallest full size, on a screen of 80
MOST_LINES = 3
"""Lines of a message: so many are its own, or can be had from those around it."""
QUIET = "rgb(128,134,146)"
ORDER = "QRBNPqrbnpKk"
"""Men in the box, White's first."""


def lines_of(sentence: str) -> int:
    """How many lines a sentence takes beside the board."""
    return _filled(sentence).count("\n") + 1


def _filled(sentence: str) -> str:
    return fill(sentence, COLUMNS, subsequent_indent="  ")


class Situation(Static):
    """What the board asks for, and what its lights mean."""

    def show(self, lines: Sequence[str], lights: Mapping[str, Ground]) -> None:
        """Write these lines, and what each of these lights says."""
        text = Text()
        for number, line in enumerate(lines):
            text.append(f"{_filled(line)}\n", style="" if number else "bold")
        for sentence, ground in lights.items():
            text.append(ground.fill * 2, style=style(ground.ink, ground.paper))
            text.append(f" {fill(sentence, COLUMNS - 3, subsequent_indent='   ')}\n", style=QUIET)
        self.update(text, layout=False)


class Message(Static):
    """What was last answered or told: as many lines as it needs, up to ``MOST_LINES``."""

    def __init__(self) -> None:
        super().__init__(id="message", markup=False)
        self.text = ""
        """All of it."""

    def show(self, text: str, width: int) -> int:
        """Write this on lines of so many columns; how many lines it takes."""
        self.text = text
        lines = wrap(text, max(width, 1), max_lines=MOST_LINES, placeholder=" …") or [""]
        if self.styles.height is None or self.styles.height.value != len(lines):
            self.styles.height = len(lines)
        self.update("\n".join(lines), layout=False)
        return len(lines)


def legend(cues: Sequence[Cue], settings: Settings, paint: Paint) -> dict[str, Ground]:
    """What these lights say and how a dark square looks under each, at its brightest."""
    told = {}
    for cue in reversed(cues):
        red, green, blue = max(ramp(cue, settings), key=sum)
        if red or green or blue:
            told[MEANINGS[cue].sentence] = paint.ground((red, green, blue), False)
    return told


class Switches(Static):
    """The 64 switches: closed, open, stuck, and those whose last reading has not settled."""

    def __init__(self) -> None:
        super().__init__()
        self._shown: tuple[Occupancy, Occupancy, Occupancy, int] | None = None

    def show(self, settled: Occupancy, raw: Occupancy, stuck: Occupancy, turn: int) -> None:
        """Draw these switches; ``square ^ turn`` is the name of a square."""
        if (settled, raw, stuck, turn) == self._shown:
            return
        self._shown = settled, raw, stuck, turn
        files = " ".join(NAMES[file ^ turn][0] for file in range(len(FILES)))
        rows = [_row(settled, raw, stuck, turn, rank) for rank in range(7, -1, -1)]
        text = Text("switches\n", style=QUIET)
        text.append("\n".join(rows), style="rgb(200,205,212)")
        text.append(f"\n  {files}", style=QUIET)
        text.highlight_regex(r"(?m)^[1-8] ", QUIET)
        text.highlight_regex(r"[◌×]", "bold rgb(255,190,90)")
        self.update(text, layout=False)


def _row(settled: Occupancy, raw: Occupancy, stuck: Occupancy, turn: int, rank: int) -> str:
    dots = (_dot(settled, raw, stuck, square_at(file, rank)) for file in range(8))
    return f"{NAMES[8 * rank ^ turn][1]} {' '.join(dots)}"


def _dot(settled: Occupancy, raw: Occupancy, stuck: Occupancy, square: Square) -> str:
    if stuck >> square & 1:
        return "×"
    if (settled ^ raw) >> square & 1:
        return "◌"
    return "●" if settled >> square & 1 else "·"


class Tray(Static):
    """The hand and the box; a man in the box is taken up by a click."""

    class Wanted(message.Message):
        """A man in the box was clicked."""

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
        """Draw these men; the last one held is the next to be put down."""
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
        """Who has dragged a piece here lets go of it."""
        self.post_message(self.LetGo())

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Whoever is clicked is wanted."""
        label = self._places[event.x] if event.x < len(self._places) else ""
        if label:
            self.post_message(self.Wanted(label))

    def place_of(self, label: str) -> int:
        """The column in which a man stands. Raises ValueError where he does not."""
        return self._places.index(label) + 1

    def _token(self, label: str) -> Text:
        symbol = label if self.letters else GLYPHS[label]
        return Text(f" {symbol} ", style=self.paint.man(label.islower()))
