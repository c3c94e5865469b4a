"""What the hands do: lines of a story to changes of switches."""

from __future__ import annotations

import re

from boardfw.ports import BUTTONS
from boardfw.squares import (
    BY_NAME,
    NAMES,
    Bitboard,
    Square,
    file_of,
    half_turned,
    rank_of,
    square_at,
)
from tests.stories.story import Button, Change, Chosen, Glitch, Happening, Line, Turn

SEEN_US = 50_000
"""What a touch means is looked at so soon after it; what a wait has brought, at its end."""
GAP_US = 300_000
"""Between two touches, unless the story says otherwise."""
SLIDE_US = 80_000
"""From one square to the next, unless the story says otherwise."""
FIRST_US = 1_000_000
"""The board is watched for so long before the first touch."""

_UNITS_US = {"ms": 1_000, "s": 1_000_000}
_TIME = r"(\d+(?:\.\d+)?) (ms|s)"
_MOVE = re.compile(r"([a-h][1-8])([-x])([a-h][1-8])$")


class Hands:
    """Writes down what hands do, line after line; knows where pieces stand, not which."""

    def __init__(self, standing: Bitboard) -> None:
        self.standing = standing
        self.t_us = FIRST_US
        self.happenings: list[Happening] = []
        self._waited = True

    @property
    def seen_us(self) -> int:
        """When to look at what the board makes of it all."""
        return self.t_us + (0 if self._waited else SEEN_US)

    def do(self, line: Line) -> None:
        """One line. Raises StoryError where it cannot be done."""
        text, after_us = _cut(line.text, "after")
        text, within_us = _cut(text, "in")
        text, for_us = _cut(text, "for")
        text, square_us = _cut(text.removesuffix(" a square"), "at")
        verb, *names = text.split()
        first_us = 0 if self._waited else GAP_US
        gap_us = first_us if after_us is None else after_us
        self._waited = False
        if move := _MOVE.match(text):
            self._move(line, move, gap_us, within_us)
        elif verb in ("lift", "put", "swap", "adjust", "glitch"):
            for square in self._squares(line, names):
                self._single(line, verb, square, gap_us, within_us)
                gap_us = GAP_US if after_us is None else after_us
        elif verb == "slide":
            path = self._path(line, self._squares(line, " ".join(names).replace("-", " ").split()))
            self._slide(line, path, gap_us, SLIDE_US if square_us is None else square_us)
        elif verb in ("lose", "ghost"):
            if for_us is None:
                raise line.error(f"for how long? {text} for 40 ms")
            self._flicker(line, names, verb == "ghost", gap_us, for_us)
        else:
            self._other(line, verb, text, gap_us)

    def play(self, line: Line, steps: list[tuple[Square, Square]], captured: Square | None) -> None:
        """A move before the story begins, in its plainest order, and a moment of rest."""
        if captured is not None:
            self._touch(line, captured, False, GAP_US)
        for origin, target in steps:
            self._touch(line, origin, False, GAP_US)
            self._touch(line, target, True, GAP_US)
        self.t_us += 800_000

    def _single(
        self, line: Line, verb: str, square: Square, gap_us: int, within_us: int | None
    ) -> None:
        """What is done to one square: ``swap`` and ``adjust`` open it and close it again."""
        if verb == "glitch":
            self.t_us += gap_us
            self.happenings.append(Glitch(self.t_us, square))
            return
        self._touch(line, square, verb == "put", gap_us)
        if verb in ("swap", "adjust"):
            self._touch(line, square, True, GAP_US if within_us is None else within_us)

    def _other(self, line: Line, verb: str, text: str, gap_us: int) -> None:
        if verb == "wait":
            self.t_us += _duration(line, text.removeprefix("wait "))
            self._waited = True
        elif verb == "press":
            self.t_us += gap_us
            if move := _MOVE.match(text.removeprefix("press answer ")):
                origin, target = BY_NAME[move[1]], BY_NAME[move[3]]
                self.happenings.append(Chosen(self.t_us, line, origin, target))
                return
            name = text.removeprefix("press ").replace(" ", "_")
            if name not in BUTTONS:
                raise line.error(f"no button {name}; there are {', '.join(BUTTONS)}")
            self.happenings.append(Button(self.t_us, name))
        elif text == "turn the board":
            self.happenings.append(Turn(self.t_us))
            self.standing = half_turned(self.standing)
        else:
            raise line.error(
                f"hands cannot {text!r}; they lift, put, swap, adjust, slide, wait, press, "
                "or move as in e2-e4 and e4xd5; contacts are lost, ghost or glitch"
            )

    def _squares(self, line: Line, names: list[str]) -> list[Square]:
        unknown = [name for name in names if name not in BY_NAME]
        if unknown or not names:
            raise line.error(f"no square {unknown[0]!r}" if unknown else "which square?")
        return [BY_NAME[name] for name in names]

    def _touch(self, line: Line, square: Square, closes: bool, gap_us: int) -> None:
        self.t_us += gap_us
        self._stand(line, square, closes)
        self.happenings.append(Change(self.t_us, square))

    def _stand(self, line: Line, square: Square, closes: bool) -> None:
        if bool(self.standing >> square & 1) == closes:
            raise line.error(
                f"{'a piece stands' if closes else 'no piece stands'} on {NAMES[square]}"
            )
        self.standing ^= 1 << square

    def _move(self, line: Line, move: re.Match[str], gap_us: int, within_us: int | None) -> None:
        origin, target = BY_NAME[move[1]], BY_NAME[move[3]]
        within_us = GAP_US if within_us is None else within_us
        if move[2] == "x":
            self._touch(line, target, False, gap_us)
            gap_us = within_us
        self._touch(line, origin, False, gap_us)
        self._touch(line, target, True, within_us)

    def _path(self, line: Line, squares: list[Square]) -> list[Square]:
        """The squares of a slide; between two that are not neighbours, those of the line."""
        path = squares[:1]
        for square in squares[1:]:
            across = file_of(square) - file_of(path[-1]), rank_of(square) - rank_of(path[-1])
            length = max(map(abs, across))
            if not length or any(step % length for step in across):
                raise line.error("a slide goes along lines: slide g1-g3-f3")
            file, rank = file_of(path[-1]), rank_of(path[-1])
            path += [
                square_at(file + across[0] // length * step, rank + across[1] // length * step)
                for step in range(1, length + 1)
            ]
        return path

    def _slide(self, line: Line, path: list[Square], gap_us: int, square_us: int) -> None:
        self.t_us += gap_us
        self._stand(line, path[0], False)
        self.happenings.append(Change(self.t_us, path[0], square_us))
        for square in path[1:-1]:
            self.t_us += square_us
            if not self.standing >> square & 1:  # over a piece nothing changes
                self.happenings.append(Change(self.t_us, square, -square_us))
                self.happenings.append(Change(self.t_us, square, square_us))
        self.t_us += square_us
        self._stand(line, path[-1], True)
        self.happenings.append(Change(self.t_us, path[-1], -square_us))

    def _flicker(
        self, line: Line, names: list[str], closes: bool, gap_us: int, for_us: int
    ) -> None:
        """A contact shows the wrong level for a while; the hands go on meanwhile."""
        self.t_us += gap_us
        for square in self._squares(line, names):
            if bool(self.standing >> square & 1) == closes:
                raise line.error(f"{NAMES[square]} is {'closed' if closes else 'open'} already")
            self.happenings.append(Change(self.t_us, square))
            self.happenings.append(Change(self.t_us + for_us, square))


def _cut(text: str, word: str) -> tuple[str, int | None]:
    """The text without "WORD 80 ms", and that time."""
    found = re.search(rf" {word} {_TIME}", text)
    if found is None:
        return text, None
    return text[: found.start()] + text[found.end() :], _us(found[1], found[2])


def _duration(line: Line, text: str) -> int:
    found = re.fullmatch(_TIME, text)
    if found is None:
        raise line.error(f"no time {text!r}; write 80 ms or 2.5 s")
    return _us(found[1], found[2])


def _us(number: str, unit: str) -> int:
    return round(float(number) * _UNITS_US[unit])
