"""The board as a page without script: it is loaded anew by the browser every few seconds."""

from __future__ import annotations

from html import escape

from boardfw.services.web.fold import State

REFRESH_S = 5

_WORDS = {
    "en": {"title": "Board", "w": "White to move", "b": "Black to move", "moves": "Moves"},
    "de": {"title": "Brett", "w": "Weiß am Zug", "b": "Schwarz am Zug", "moves": "Züge"},
}


def plain(state: State, language: str) -> str:
    """The whole page. Whatever people have written in it is text, never markup."""
    words = _WORDS[language]
    name = escape(str(state["board"]))
    rows = "\n".join(" ".join(_row(row)) for row in state["placement"].split("/"))
    sans = " ".join(escape(ply[1]) for ply in state["game"]["plies"])
    to_move = words[state["turn"]] if state["phase"] == "play" else escape(state["phase"])
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8">'
        f'<meta http-equiv="refresh" content="{REFRESH_S}">'
        f'<meta name="viewport" content="width=device-width">'
        f"<title>{to_move} - {words['title']} {name}</title></head><body>"
        f"<main><h1>{words['title']} {name}</h1><p>{to_move}. {escape(state['game']['result'])}</p>"
        f"<pre>{rows}</pre><h2>{words['moves']}</h2><p>{sans}</p></main></body></html>"
    )


def _row(row: str) -> list[str]:
    letters: list[str] = []
    for letter in row:
        letters += ["."] * int(letter) if letter.isdigit() else [letter]
    return letters
