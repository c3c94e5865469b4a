"""Reads a story: one file of ``tests/scenarios``, written as ``docs/scenarios.md`` says."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from boardfw.errors import NotationError
from boardfw.lights.cue import Cue
from boardfw.notation.fen import parse_fen
from boardfw.notation.san import parse_san
from boardfw.rules import Move, Position
from boardfw.squares import BY_NAME, Square
from tests.stories.story import NOISES, RATES_HZ, Heard, Line, Lit, Says, SoFar, Story
from tests.stories.touches import Hands

KINDS = (
    *("move", "amend", "final", "take back", "ask", "mismatch", "cleared"),
    *("result", "new game", "check"),
)
CUES = {cue.name.lower().replace("_", " "): cue for cue in Cue if cue is not Cue.RESTING}

_KEY = re.compile(r"([a-z][a-z ]*?):\s*(.*)$")
_NUMBER = re.compile(r"(\d+)(\.\.\.|\.)")
_SQUARE = re.compile(r"[a-h][1-8]")
_BECOMING = re.compile(r"([a-h][1-8])([nbrq](?![1-8]))?")
"""A square, and what a pawn became there."""


def read_story(path: Path) -> Story:
    """A story from its file. Raises StoryError, which names file and line."""
    return parse_story(path.name, path.read_text(encoding="utf-8"))


def parse_story(file: str, text: str) -> Story:
    """A story from its text; ``file`` is what errors call it. Raises StoryError."""
    return _Reader(file, text).read()


class _Reader:
    def __init__(self, file: str, text: str) -> None:
        self._sections = _sections(file, text)
        self._story = Story(file, next(_titles(text), ""))
        self._text = text

    def read(self) -> Story:
        unknown = [key for key in self._sections if key not in _KEYS]
        if unknown:
            line = self._sections[unknown[0]][0]
            raise line.error(f"no such part {unknown[0]!r}; there are {', '.join(_KEYS)}")
        for key in ("hands", "game"):
            if key not in self._sections:
                raise Line(self._story.file, len(self._text.splitlines()), "").error(
                    f"the story has no {key!r}"
                )
        # In the order of the table: hands and words need the position and the games.
        for key, read in _KEYS.items():
            if key in self._sections:
                read(self, self._sections[key])
        return self._story

    def _position(self, lines: list[Line]) -> None:
        try:
            self._story.start = parse_fen(lines[0].text)
        except NotationError as error:
            raise lines[0].error(str(error)) from error

    def _game(self, lines: list[Line]) -> None:
        for number, line in enumerate(lines):
            start = self._story.start if number == 0 else Position.start()
            self._story.games.append(_moves(line, start))

    def _once(self, lines: list[Line]) -> None:
        self._story.once += [_moves(line, self._story.start) for line in lines]

    def _hands(self, lines: list[Line]) -> None:
        story = self._story
        hands = Hands(story.start.occupied)
        for line in self._sections.get("moves", []):
            for move in _moves(line, story.start):
                hands.play(line, list(move.steps()), move.captured)
        story.begin_us = hands.t_us
        for line in lines:
            verb, _, rest = line.text.partition(" ")
            if verb in ("says", "silence"):
                hands.happenings.append(Says(hands.seen_us, line, self._words(line, rest)))
            elif verb == "so" and rest.startswith("far"):
                game = Line(line.file, line.number, rest.removeprefix("far"))
                start = story.start if len(story.games) == 1 else Position.start()
                hands.happenings.append(SoFar(hands.seen_us, line, _moves(game, start)))
            elif verb == "lights":
                hands.happenings.append(Lit(hands.seen_us, line, _cues(line, rest)))
            else:
                hands.do(line)
        story.happenings, story.end_us = hands.happenings, hands.t_us

    def _result(self, lines: list[Line]) -> None:
        self._story.result = lines[0].text.replace(" by ", " ")

    def _says(self, lines: list[Line]) -> None:
        self._story.says = tuple(word for line in lines for word in self._words(line, line.text))

    def _may_say(self, lines: list[Line]) -> None:
        kinds = _listed(lines)
        self._story.may_say = frozenset(_known(lines[0], kinds, KINDS))

    def _noise(self, lines: list[Line]) -> None:
        self._story.noises = _known(lines[0], _listed(lines), NOISES)

    def _scans(self, lines: list[Line]) -> None:
        rates = [word.removesuffix(" Hz") for word in _listed(lines)]
        known = _known(lines[0], rates, tuple(map(str, RATES_HZ)))
        self._story.rates_hz = tuple(map(int, known))

    def _fails_today(self, lines: list[Line]) -> None:
        self._story.fails_today = " ".join(line.text for line in lines)

    def _words(self, line: Line, text: str) -> tuple[Heard, ...]:
        return tuple(self._word(line, word.strip()) for word in text.split(";") if word.strip())

    def _word(self, line: Line, text: str) -> Heard:
        kind = next((kind for kind in KINDS if re.match(kind + r"\b", text)), None)
        if kind is None:
            raise line.error(f"the board never says {text!r}; it says {', '.join(KINDS)}")
        about = text.removeprefix(kind).strip()
        if kind in ("move", "amend", "final"):
            ply, move = self._ply(line, about)
            return Heard(kind, str(ply), move)
        if kind == "mismatch":
            squares = re.findall(r"(missing|extra)((?: [a-h][1-8])+)", about)
            named = [(sign, BY_NAME[name]) for sign, names in squares for name in names.split()]
            return Heard(kind, squares=tuple(named))
        if kind in ("ask", "check"):
            named = [(piece, BY_NAME[name]) for name, piece in _BECOMING.findall(about)]
            return Heard(kind, squares=tuple(named))
        return Heard(kind, about.replace(" by ", " "))

    def _ply(self, line: Line, text: str) -> tuple[int, Move]:
        """Which ply "3... Nf6" is, read in the first game told that has its position."""
        number = _NUMBER.match(text)
        if number is None:
            raise line.error(f"which move? write 3. Nf3 or 3... Nf6, not {text!r}")
        start = self._story.start
        half = 2 * (int(number[1]) - start.fullmove_number) + (number[2] == "...") - start.turn
        errors = []
        for game in [*self._story.games, *self._story.once]:
            if half <= len(game):
                try:
                    return half + 1, parse_san(
                        _after(start, game[:half]), text[number.end() :].strip()
                    )
                except NotationError as error:
                    errors.append(str(error))
        raise line.error(errors[0] if errors else f"no game told here has a move {text}")


_KEYS: dict[str, Callable[[_Reader, list[Line]], None]] = {
    "position": _Reader._position,
    "moves": lambda reader, lines: None,
    "game": _Reader._game,
    "once": _Reader._once,
    "hands": _Reader._hands,
    "says": _Reader._says,
    "may say": _Reader._may_say,
    "result": _Reader._result,
    "noise": _Reader._noise,
    "scans": _Reader._scans,
    "fails today": _Reader._fails_today,
}


def _titles(text: str) -> Iterator[str]:
    return (line.lstrip("# ") for line in text.splitlines() if line.startswith("#"))


def _sections(file: str, text: str) -> dict[str, list[Line]]:
    """Every part of a story with its lines; ``game`` may come several times."""
    sections: dict[str, list[Line]] = {}
    lines: list[Line] | None = None
    for number, raw in enumerate(text.splitlines(), 1):
        line = Line(file, number, re.sub(r"(^|\s)#(\s.*)?$", "", raw).strip())
        key = None if raw[:1].isspace() else _KEY.match(line.text)
        if key:
            lines = sections.setdefault(key[1], [])
            if lines and key[1] not in ("game", "once"):
                raise line.error(f"{key[1]!r} is told already")
            if key[2] or key[1] in ("game", "once"):
                lines.append(Line(file, number, key[2]))
            elif key[1] != "hands":
                lines.append(Line(file, number, ""))
        elif line.text and lines is None:
            raise line.error("a story begins with a part, such as hands:")
        elif line.text and not raw[:1].isspace():
            raise line.error(
                "lines of a part are indented; a part begins with its name and a colon"
            )
        elif line.text and lines is not None:
            lines.append(line)
    return sections


def _moves(line: Line, start: Position) -> tuple[Move, ...]:
    position, moves = start, []
    for word in _NUMBER.sub(" ", line.text).split():
        try:
            moves.append(parse_san(position, word))
        except NotationError as error:
            raise line.error(str(error)) from error
        position = position.play(moves[-1])
    return tuple(moves)


def _after(start: Position, moves: tuple[Move, ...]) -> Position:
    for move in moves:
        start = start.play(move)
    return start


def _listed(lines: list[Line]) -> list[str]:
    return [word.strip() for line in lines for word in line.text.split(",") if word.strip()]


def _known(line: Line, words: list[str], known: tuple[str, ...]) -> tuple[str, ...]:
    for word in words:
        if word not in known:
            raise line.error(f"no {word!r}; there are {', '.join(known)}")
    return tuple(words)


def _cues(line: Line, text: str) -> tuple[tuple[str, frozenset[Square]], ...]:
    """``f3 h3`` (all that glows), ``off``, or ``capture d5; quiet e5`` (squares of these cues)."""
    if text == "off":
        return (("", frozenset()),)
    cues = []
    for part in text.split(";"):
        squares = frozenset(BY_NAME[name] for name in _SQUARE.findall(part))
        name = _SQUARE.sub("", part).replace("none", "").strip()
        if name and name not in CUES:
            raise line.error(f"no light says {name!r}; there are {', '.join(CUES)}")
        cues.append((name, squares))
    return tuple(cues)
