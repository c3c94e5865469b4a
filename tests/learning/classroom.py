"""A board at lessons whose time is moved by the test: dances in, sentences and lights out.

A dance is words: ``-e2`` lifts, ``+e4`` puts down, a number waits so many milliseconds.
"""

from __future__ import annotations

from boardfw.game.events import Event, Tick
from boardfw.learning.course import Exercise, Words
from boardfw.learning.lesson import Kind, Phase, Told
from boardfw.learning.source import InOrder
from boardfw.learning.task import Task
from boardfw.learning.tutor import Tutor
from boardfw.lights.cue import Cue
from boardfw.lights.lesson_scene import lesson_scene
from boardfw.notation.fen import parse_fen
from boardfw.notation.san import parse_san
from boardfw.ports import Pressed
from boardfw.recording import START_FEN, Press, Scan
from boardfw.rules import Color, Move
from boardfw.squares import BY_NAME, Bitboard, Occupancy, bitboard_of
from tests.lights.shown import squares_of

START = START_FEN
WORDS = Words("Do it.", "First hint.", "Second hint.", "Well done.")
BETWEEN_MS = 30
"""Between two touches that follow each other in a dance."""


def squares(names: str) -> Bitboard:
    """``squares("e2 e4")``."""
    return bitboard_of(BY_NAME[name] for name in names.split())


def exercise(fen: str, task: Task, *, you: Color | None = None, lights: bool = True) -> Exercise:
    """An exercise whose words are known."""
    position = parse_fen(fen)
    asked = position.turn if you is None else you
    return Exercise("test.one", position, task, WORDS, you=asked, lights=lights)


def move(fen: str, san: str) -> Move:
    """A legal move of a position."""
    return parse_san(parse_fen(fen), san)


class Classroom:
    """A tutor with these exercises, and a hand. The pieces of the first one stand already."""

    def __init__(self, *exercises: Exercise, standing: Bitboard | None = None) -> None:
        self.t_us = 0
        self.tutor = Tutor(InOrder(exercises))
        self.told: list[Told] = []
        self.raw = exercises[0].position.occupied if standing is None else standing
        self.feel(Scan(0, Occupancy(self.raw)))

    def dance(self, steps: str) -> list[str]:
        """Dance; what was said meanwhile, as ``right: Yes, e4.``"""
        said = len(self.told)
        for step in steps.split():
            if step.isdigit():
                self.wait(int(step))
                continue
            self.wait(BETWEEN_MS)
            bit = 1 << BY_NAME[step[1:]]
            assert bool(self.raw & bit) == (step[0] == "-"), f"{step}: so it stands already"
            self.raw ^= bit
            self.feel(Scan(self.t_us, Occupancy(self.raw)))
        return [f"{told.kind.value}: {told.text}" for told in self.told[said:]]

    def kinds(self, steps: str) -> list[str]:
        """Dance; the kinds of what was said, without what was asked."""
        said = len(self.told)
        self.dance(steps)
        asked = (Kind.ASK, Kind.PUT)
        return [told.kind.value for told in self.told[said:] if told.kind not in asked]

    def wait(self, duration_ms: int) -> None:
        """Let time pass; the tutor sees every instant that it waits for."""
        until_us = self.t_us + duration_ms * 1000
        while (due_us := self.tutor.deadline_us) is not None and due_us < until_us:
            self.t_us = due_us
            self.feel(Tick(due_us))
        self.t_us = until_us
        self.feel(Tick(until_us))

    def press(self, button: Pressed) -> None:
        """Press a button of the panel."""
        self.feel(Press(self.t_us, button))

    @property
    def phase(self) -> Phase:
        """What goes on."""
        return self.tutor.phase

    def when(self, kind: Kind) -> int:
        """When something of this kind was said last, microseconds."""
        return next(told.t_us for told in reversed(self.told) if told.kind is kind)

    def lit(self, cue: Cue) -> Bitboard:
        """The squares that say this now."""
        return squares_of(lesson_scene(self.tutor.lesson()), cue)

    def feel(self, event: Event) -> None:
        """Let the tutor have an event."""
        self.tutor.handle(event)
        self.told += self.tutor.told()
        due_us = self.tutor.deadline_us
        assert due_us is None or due_us > event.t_us, "a deadline that has passed already"
