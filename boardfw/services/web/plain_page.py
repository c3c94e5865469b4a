"""The page without script: the board in words and signs, as it was when it was asked for.

It does not load itself again: that would take whoever listens to it back to its beginning. Its
words are those of the table of the other pages, so that both say the same.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from boardfw.squares import EVERY_SQUARE, FILES, NAMES, rank_of

TEXTS = Path(__file__).parent / "pages" / "texts.json"
GLYPHS = dict(zip("KQRBNPkqrbnp", "♔♕♖♗♘♙♚♛♜♝♞♟", strict=True))


@cache
def texts() -> Mapping[str, tuple[str, str]]:
    """Each text of the pages by its key, in English and in German."""
    table = json.loads(TEXTS.read_text(encoding="utf-8"))
    return {key: (english, german) for key, (english, german) in table.items()}


def text(key: str, lang: str, *values: object) -> str:
    """A text of the pages with these values in it; its key where there is no such text."""
    english, german = texts().get(key, (key, key))
    found = german if lang == "de" else english
    return re.sub(r"\{(\d)\}", lambda place: str(values[int(place[1])]), found)


def plain(state: Mapping[str, Any], lang: str) -> str:
    """The whole page of a state of the board; ``lang`` is "de" or anything else for English."""
    lang = "de" if lang.startswith("de") else "en"
    title = _situation(state, lang)
    board = text("board named", lang, state["board"])
    parts = [
        "<!doctype html>",
        f'<html lang="{lang}"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(f'{title} - {board}')}</title>",
        '<link rel="icon" href="data:,"><link rel="stylesheet" href="/s/0/app.css">',
        f'</head><body><main class="plain"><h1>{escape(title)}</h1>',
        *_notices(state, lang),
        _board(state, lang),
        f"<p>{escape(_players(state, lang))}</p>",
        f"<h2>{escape(text('moves', lang))}</h2>",
        _moves(state, lang),
        f'<p><a class="button main" href="/plain">{escape(text("plain again", lang))}</a></p>',
        f'<p><a href="/">{escape(text("nav play", lang))}</a></p>',
        "</main></body></html>",
    ]
    return "\n".join(parts) + "\n"


def _situation(state: Mapping[str, Any], lang: str) -> str:
    game = state["game"]
    if state["phase"] == "setup":
        return text("setting up", lang)
    if game["result"] != "*":
        return text(f"result {game['result']}", lang)
    fields = game["start_fen"].split(" ")
    black_begins = int(fields[1] == "b")
    move = int(fields[5]) + (len(game["plies"]) + black_begins) // 2
    return text("to move", lang, text(f"side {state['turn']}", lang), move)


def _players(state: Mapping[str, Any], lang: str) -> str:
    """Names, and the time on the clocks when this was written."""
    told = []
    for side, tag in (("w", "White"), ("b", "Black")):
        name = state["game"]["tags"].get(tag, "?")
        shown = text(f"side {side}", lang)
        line = shown if name == "?" else f"{shown}: {name}"
        clock = state["clock"]
        told.append(line if clock is None else f"{line}, {_time(clock[side])}")
    return " · ".join(told)


def _time(left_ms: int) -> str:
    minutes, seconds = divmod(-(-left_ms // 1000), 60)
    return f"{minutes}:{seconds:02}"


def _notices(state: Mapping[str, Any], lang: str) -> Iterable[str]:
    """What stands wrong, and what the board asks."""
    wrong = state["mismatch"]
    if wrong is not None:
        parts = [
            text(key, lang, ", ".join(wrong[key])) for key in ("missing", "extra") if wrong[key]
        ]
        yield _card("trouble", text("differ", lang, ", ".join(parts)))
    if state["ask"]:
        moves = [candidate["san"] for candidate in state["ask"]]
        yield _card("ask", text("asks", lang, len(moves), text("or", lang).join(moves)))
    if state["blind"]:
        yield _card("trouble", text("blind", lang, ", ".join(state["blind"])))


def _card(kind: str, words: str) -> str:
    return f'<p class="card {kind}">{escape(words)}</p>'


def _board(state: Mapping[str, Any], lang: str) -> str:
    pieces = _pieces(state.get("shown") or state["placement"])
    lit = {name for names in (state["cues"] or {}).values() for name in names}
    rows = []
    for rank in range(7, -1, -1):
        cells = (
            _cell(pieces.get(NAMES[square], ""), NAMES[square] in lit, lang)
            for square in EVERY_SQUARE
            if rank_of(square) == rank
        )
        rows.append(f'<tr><th scope="row">{rank + 1}</th>{"".join(cells)}</tr>')
    files = "".join(f'<th scope="col">{letter}</th>' for letter in FILES)
    return f'<table class="plain-board">{"".join(rows)}<tr><td></td>{files}</tr></table>'


def _cell(letter: str, is_lit: bool, lang: str) -> str:
    """A square: a sign for the eye, and words for the ear."""
    light = " *" if is_lit else ""
    if not letter:
        return f"<td>{light}</td>"
    side = "w" if letter.isupper() else "b"
    words = text(f"piece {side}{letter.lower()}", lang)
    hidden = f'<span class="unseen">{escape(words)}</span>'
    return f'<td><span aria-hidden="true">{GLYPHS[letter]}</span>{hidden}{light}</td>'


def _pieces(placement: str) -> dict[str, str]:
    """Name of a square -> letter of the piece there."""
    found: dict[str, str] = {}
    for row, line in enumerate(placement.split("/")):
        file = 0
        for letter in line:
            if letter.isdigit():
                file += int(letter)
            else:
                found[f"{FILES[file]}{8 - row}"] = letter
                file += 1
    return found


def _moves(state: Mapping[str, Any], lang: str) -> str:
    plies: Sequence[Sequence[str]] = state["game"]["plies"]
    if not plies:
        return f"<p>{escape(text('no move yet', lang))}</p>"
    fields = state["game"]["start_fen"].split(" ")
    offset = int(fields[1] == "b")
    words: list[str] = []
    for at, (_, san, kind, *_rest) in enumerate(plies, offset):
        if at % 2 == 0 or not words:
            words.append(f"{int(fields[5]) + at // 2}.{'..' if at % 2 else ''}")
        shown = escape(san)
        words.append(f"<em>{shown}?</em>" if "p" in kind else shown)
    return f"<p>{' '.join(words)}</p>"
