"""The course of a calibration: samples and answers in, requests and lit LEDs out; pure.

Requests say what the person is asked to do and which answers they may give, both in words.

Every square is named once and every LED is lit once, in that order. The names come first and in
the dark: a person who sees a light follows it and reads no name. Then the light alone tells where
to go, so that no belief about the strip can creep in, and each switch is closed a second time.

Whatever does not fit (nothing closes, two squares close one input, a square has no light) is asked
once more before it is believed: mostly the piece stood beside its square. So is a name that may
have been misread: of a few squares whose switches and lights are exchanged alike.

The quick procedure names only the squares of both diagonals, where all turned and mirrored boards
and all exchanged ranks, files or quarters differ. Another square needs no name if its light and
its switch are both where the board file has them; whatever contradicts the file is named.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeAlias

from boardfw.squares import EVERY_SWITCH, NAMES, SWITCH_BY_NAME, Switch, file_of, rank_of
from hardware.calibration.inputs import Inputs
from hardware.calibration.measures import Measures, Settling, Touch
from hardware.calibration.owners import owners_of

MANY = "*"
"""The answer that several squares are lit."""


@dataclass(frozen=True, slots=True)
class Clear:
    """Take everything off the board. Said '': nothing is on it, whatever is closed."""

    closed: Inputs


@dataclass(frozen=True, slots=True)
class PutOn:
    """Put the piece on this square. Said '': it stands there, and nothing happens."""

    square: Switch
    again: bool = False


@dataclass(frozen=True, slots=True)
class PutOnLit:
    """Put the piece on the lit square. Said '': no square is lit; its name; or ``MANY``."""

    leds: tuple[int, ...]
    """Numbers of the LEDs that are lit, the strip's first is 0."""
    again: bool = False


@dataclass(frozen=True, slots=True)
class NameLit:
    """Say the name of the lit square: its switch alone does not tell."""

    leds: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TryPieces:
    """Put the pieces that will be used on the board, one after the other. Said '': enough."""


Request: TypeAlias = Clear | PutOn | PutOnLit | NameLit | TryPieces


@dataclass(frozen=True, slots=True)
class Sampled:
    """One reading of all inputs."""

    t_us: int
    closed: Inputs


@dataclass(frozen=True, slots=True)
class Said:
    """What the person typed: '' for Enter alone."""

    text: str


def in_words(request: Request) -> str:
    """One line for the person."""
    match request:
        case Clear(closed=0):
            return "Take everything off the board."
        case Clear():
            return "Something reads closed: take everything off; Enter if nothing is on the board."
        case PutOn(square=square, again=again):
            once_more = ", once more" if again else ""
            return f"Put the piece on {NAMES[square]}{once_more}.  (Enter: it stands there)"
        case PutOnLit(again=again):
            once_more = ", once more" if again else ""
            return (
                f"Lift the piece and put it on the lit square{once_more}.  "
                f"(Enter: no square is lit; its name: nothing happens; {MANY}: several are lit)"
            )
        case NameLit():
            return "This switch does not tell which square that is: type its name."
        case TryPieces():
            return (
                "Try the pieces that you will use: each on some squares, one after the other, and "
                "let it stand for a moment.  (Enter: enough)"
            )


DIAGONALS = tuple(s for s in EVERY_SWITCH if file_of(s) in (rank_of(s), 7 - rank_of(s)))

FEW = 8
"""More squares than this are not misnamed by mistake: the board file was a guess."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A piece came to rest; ``closed``: what it closed."""

    closed: Inputs


Script: TypeAlias = Generator[Request, Placed | Said, None]
Asking: TypeAlias = Generator[Request, Placed | Said, Placed | Said]


class Calibration:
    """``places``: each square's input, and ``leds``: each LED's square, as the board file has them.

    Neither is believed; they tell how many lights there are, and what a quick one may confirm.
    """

    def __init__(
        self,
        places: Mapping[Switch, int],
        leds: Sequence[Switch | None],
        *,
        quick: bool = False,
    ) -> None:
        self.seen: dict[Switch, Inputs] = {}
        """What closes when a piece stands on a square."""
        self.lit: dict[int, Switch | None] = {}
        """The square over each LED that was lit; None: the person saw no light."""
        self.stuck: Inputs = 0
        """What reads closed on the empty board."""
        self.measures = Measures()
        self.asked = 0
        """How many requests there have been."""
        self.request: Request | None = None
        """What the person is asked to do now; None: all is known."""
        self._places = places
        self._leds = leds
        self._quick = quick
        self._settling = Settling()
        self._before: Placed | Said | None = None
        self._script = self._whole()
        self._ask(next(self._script))

    @property
    def lights(self) -> tuple[int, ...]:
        """The LEDs to light now."""
        return self.request.leds if isinstance(self.request, PutOnLit | NameLit) else ()

    @property
    def deadline_us(self) -> int | None:
        """When a sample is wanted though nothing changes; None: never."""
        return self._settling.deadline_us

    def take(self, event: Sampled | Said) -> None:
        """The next thing that happened."""
        if isinstance(event, Said):
            self._answer(Said(event.text.strip().lower()))
            return
        touch = self._settling.feed(event.t_us, event.closed & ~self.stuck)
        if touch is not None:
            self._touched(touch)

    def _touched(self, touch: Touch) -> None:
        if isinstance(self.request, Clear):
            self._answer(Placed(touch.closed))
            return
        self.measures.feed(touch)
        if touch.new:
            self._answer(Placed(touch.new))

    def _answer(self, answer: Placed | Said) -> None:
        if self.request is None:
            return
        try:
            self._ask(self._script.send(answer))
        except StopIteration:
            self._ask(None)

    def _ask(self, request: Request | None) -> None:
        goes_on = request == TryPieces() == self.request
        if not goes_on:
            self.asked += 1
        self.request = request

    # --- the course

    def _whole(self) -> Script:
        yield from self._clear()
        yield from self._name_all()
        if any(square is not None for square in self._leds):
            yield from self._light_all()
        while isinstance((yield TryPieces()), Placed):
            pass

    def _clear(self) -> Script:
        closed: Inputs | None = None
        while closed != 0:
            answer = yield Clear(closed or 0)
            if isinstance(answer, Placed):
                closed = answer.closed
            elif closed is not None:
                self.stuck = closed
                return

    def _name_all(self) -> Script:
        yield from self._name(DIAGONALS if self._quick else EVERY_SWITCH)
        if not self._quick or self._contradicts() or not any(s is not None for s in self._leds):
            yield from self._name(EVERY_SWITCH)

    def _contradicts(self) -> bool:
        """True if some square named so far is not where the board file has it."""
        return any(seen != self._expected(square) for square, seen in self.seen.items())

    def _expected(self, square: Switch) -> Inputs:
        return 1 << self._places[square] if square in self._places else 0

    def _name(self, squares: Iterable[Switch]) -> Script:
        """Learn what these close that are not known yet; what does not fit, once more."""
        queue = [square for square in squares if square not in self.seen]
        again: set[Switch] = set()
        for square in queue:
            yield from self._name_one(square)
        while queue:  # one that stood wrong may have hidden others
            queue = [s for s in owners_of(self.seen).doubtful if s not in again]
            again.update(queue)
            for square in queue:
                yield from self._name_one(square, again=True)

    def _name_one(self, square: Switch, *, again: bool = False) -> Script:
        answer: Placed | Said = Said("?")
        while isinstance(answer, Said) and answer.text:
            answer = yield from self._placed(PutOn(square, again), PutOn(square, again=True))
        self.seen[square] = answer.closed if isinstance(answer, Placed) else 0

    def _placed(self, request: Request, once_more: Request) -> Asking:
        """Ask; once more, if just the same closes as before: the contact may have been lost."""
        answer = yield request
        if isinstance(answer, Placed) and answer == self._before:
            answer = yield once_more
        self._before = answer
        return answer

    def _light_all(self) -> Script:
        yield from self._light(self._groups())
        yield from self._name(EVERY_SWITCH)  # the quick procedure may have left some
        yield from self._light((led,) for led in self._doubtful_leds())
        if self._unlit():
            idle = [led for led in range(len(self._leds)) if led not in self.lit]
            yield from self._light((led,) for led in idle)
        yield from self._doubt_names()

    def _doubt_names(self) -> Script:
        """A few lights and switches that fit each other and not their names were misnamed."""
        own = owners_of(self.seen).own
        was = {number: square for square, number in self._places.items()}
        misnamed = {
            led: square
            for led, square in self.lit.items()
            if square is not None
            and square in own
            and was.get(own[square]) == self._leds[led] != square
        }
        if len(misnamed) <= FEW:
            for square in sorted({*misnamed.values()}):
                yield from self._name_one(square, again=True)
            yield from self._light((led,) for led in misnamed)

    def _groups(self) -> list[tuple[int, ...]]:
        """LEDs that follow each other under one square, as the board file has them."""
        runs = groupby(range(len(self._leds)), key=lambda led: self._leds[led])
        return [tuple(leds) for square, leds in runs if square is not None]

    def _light(self, groups: Iterable[tuple[int, ...]]) -> Script:
        queue = deque(groups)
        while queue:
            leds = queue.popleft()
            answer = yield from self._placed(PutOnLit(leds), PutOnLit(leds, again=True))
            if answer == Said(MANY):
                queue.extendleft((led,) for led in reversed(leds))
                continue
            square = self._square(leds, answer)
            if square is None and isinstance(answer, Placed) and len(self.seen) < 64:
                yield from self._name(EVERY_SWITCH)  # quick no more: the file is wrong
                queue.appendleft(leds)
                continue
            while square is None and answer != Said(""):
                answer = yield NameLit(leds)
                square = self._square(leds, answer)
            self.lit.update(dict.fromkeys(leds, square))

    def _square(self, leds: tuple[int, ...], answer: Placed | Said) -> Switch | None:
        if isinstance(answer, Said):
            return SWITCH_BY_NAME.get(answer.text)
        believed = self._leds[leds[0]]
        unnamed = believed is not None and believed not in self.seen
        if believed is not None and unnamed and answer.closed == self._expected(believed):
            self.seen[believed] = answer.closed
            return believed
        return owners_of(self.seen).square_of(answer.closed)

    def _doubtful_leds(self) -> list[int]:
        """Dark LEDs and those of squares with too many, if some square has no LED."""
        if not self._unlit():
            return []
        count = Counter(self.lit.values())
        usual = max(1, len([s for s in self._leds if s is not None]) // 64)
        return [led for led, at in self.lit.items() if at is None or count[at] > usual]

    def _unlit(self) -> bool:
        return len({square for square in self.lit.values() if square is not None}) < 64
