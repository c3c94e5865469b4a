"""Writes the rhythms of the lights into the style sheet of the web pages.

Run ``make docs``. A test compares the committed file with what this would write, so that a light
on a phone beats as the one on the board does.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from boardfw.lights.cue import Cue
from boardfw.lights.patterns import STEADY
from docs.drawing.pages import write
from docs.drawing.picture import frames, pace
from docs.drawing.rhythms import RHYTHMS

SHEET = Path(__file__).resolve().parents[1] / "boardfw/services/web/pages/app.css"
START, END = "/* <rhythms> */\n", "/* </rhythms> */"


def rhythm_rules() -> Iterable[str]:
    """An animation for each rhythm that a light of the table has, and the lights that have it."""
    used = {cue.look.rhythm for cue in Cue} - {STEADY}
    for name, rhythm in RHYTHMS.items():
        if rhythm in used:
            yield f"@keyframes {name} {{{frames(rhythm)} }}"
            animation = f"{name} {pace(rhythm)} var(--phase) infinite"
            yield f'.light[data-rhythm="{name}"]::before {{ animation: {animation}; }}'


def style_sheet() -> str:
    """The whole style sheet with these rules in their place."""
    text = SHEET.read_text(encoding="utf-8")
    head, _, rest = text.partition(START)
    return "".join(
        [head, START, *(f"{rule}\n" for rule in rhythm_rules()), END, rest.partition(END)[2]]
    )


if __name__ == "__main__":
    write({SHEET: style_sheet()})
