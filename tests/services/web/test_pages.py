"""The pages know the lights as they are, and the page without script shows text as text."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import boardfw
from boardfw.lights.cue import Cue
from boardfw.services.levels import LEVELS
from boardfw.services.web.plain_page import plain, text, texts
from docs.draw_web import SHEET, style_sheet
from docs.drawing.rhythms import NAMES
from tests.services.web.watched import game

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
_CUE = re.compile(r"^  (\w+): cue\('(\w+)', ([\d.]+), '([\w-]+)', '[^']+'\),$", re.MULTILINE)


def told_cues() -> dict[str, tuple[str, float, str, str]]:
    """Name -> hue, level, rhythm and sentence of each cue in the table of the pages."""
    source = (SHEET.parent / "labels.js").read_text(encoding="utf-8")
    return {
        name: (hue, float(level), rhythm, text(f"cue {re.sub('_[0-9]$', '', name)}", "en"))
        for name, hue, level, rhythm in _CUE.findall(source)
    }


def test_the_pages_know_each_light_as_the_board_does() -> None:
    dark = {Cue.RESTING, Cue.ORIGIN}  # of which a page is told nothing
    ours = {
        cue.name.lower(): (
            cue.look.hue.name.lower(),
            cue.look.level,
            NAMES[cue.look.rhythm],
            cue.sentence,
        )
        for cue in Cue
        if cue not in dark
    }
    assert told_cues() == ours


def test_the_pages_call_each_level_as_the_board_does() -> None:
    names = [text(f"level {level.number}", "en") for level in LEVELS]
    assert names == [level.name for level in LEVELS]


def test_a_notice_that_the_pages_know_in_other_words_is_one_that_the_board_gives() -> None:
    sources = "".join(
        path.read_text("utf-8") for path in Path(boardfw.__file__).parent.rglob("*.py")
    )
    notices = [key.removeprefix("notice ") for key in texts() if key.startswith("notice ")]
    assert notices
    assert [one for one in notices if f'"{one}"' not in sources] == []


@pytest.mark.parametrize("kind", ["careful", "child"])
def test_of_each_light_that_a_page_is_told_it_knows_the_words(kind: str) -> None:
    told = {cue for state, _ in game(1, kind, 12) for cue in state["cues"] or ()}
    assert "quiet" in told
    assert told <= told_cues().keys()


def test_the_rhythms_of_the_style_sheet_are_those_of_the_lights() -> None:
    assert SHEET.read_text(encoding="utf-8") == style_sheet()


class Reader(HTMLParser):
    """Keeps the words of a page and the names of its elements."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.words = ""
        self.tags: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.words += data


def state(**changes: Any) -> dict[str, Any]:
    game = {"start_fen": f"{START} w KQkq - 0 1", "tags": {}, "plies": [], "result": "*"}
    return {
        "board": "b7",
        "phase": "play",
        "turn": "w",
        "game": game,
        "placement": START,
        "shown": None,
        "cues": None,
        "clock": None,
        "mismatch": None,
        "ask": None,
        "blind": [],
        **changes,
    }


@pytest.mark.parametrize("lang", ["en", "de"])
def test_names_and_moves_are_text_whatever_is_in_them(lang: str) -> None:
    hostile = "<script>alert('&amp;')</script>"
    tags = {"White": hostile, "Black": '"><img src=x>'}
    plies = [["e2e4", hostile, "p", None]]
    game = {**state()["game"], "tags": tags, "plies": plies}
    page = Reader(plain(state(board=hostile, game=game), lang))
    assert page.words.count(hostile) == 3
    assert tags["Black"] in page.words
    assert not {"script", "img"} & set(page.tags)


def test_the_page_without_script_says_what_stands_and_what_is_wrong() -> None:
    wrong = {"missing": ["g1"], "extra": ["h3"], "repair": [], "why": None}
    page = Reader(plain(state(mismatch=wrong, placement="4k3/8/8/8/8/8/8/4K3"), "en"))
    assert "white king" in page.words
    assert "black king" in page.words
    assert "g1" in page.words
    assert "h3" in page.words


def test_black_begins_where_the_position_says_so() -> None:
    game = {**state()["game"], "start_fen": "4k3/8/8/8/8/8/8/4K3 b - - 0 17"}
    game["plies"] = [["e8e7", "Ke7", "f", None], ["e1e2", "Ke2", "f", None]]
    words = Reader(plain(state(game=game, turn="b"), "en")).words
    assert "17... Ke7 18. Ke2" in words
