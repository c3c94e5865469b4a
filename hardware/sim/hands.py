"""Human hands: plain squares in, timed lifts, slides and drops out, in any order people use.

Hands know no chess. The caller says which pieces go where and which leave the board; how it is
done, and what goes wrong meanwhile, is decided by the hands, from a seed. Of a label they know
its case, upper for the pieces of one side and lower for those of the other: hands that err move
a wrong piece of their own side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random

from boardfw.squares import Switch
from hardware.sim import mishaps
from hardware.sim.gesture import perform
from hardware.sim.hand_profiles import EVERYBODY, HandProfile
from hardware.sim.magnets import Place

from .gesture import Gesture
from .motion import Motion
from .moving import HandMove, carry_out, meaning, undo

Ply = tuple[HandMove, dict[Switch, str]]
"""A move, and the pieces by square before it."""
PLIES_BACK = (1, 1, 1, 1, 2, 2, 3)
"""How many plies are taken back at once; one is the most usual."""


class Hands:
    """One person's hands, by profile or its name; the same seed always does the same."""

    def __init__(self, kind: str | HandProfile, seed: int = 0) -> None:
        self._profile = profile_of(kind)
        self.kind = self._profile.name
        self._random = Random(f"{self.kind} {seed}")
        self._places: dict[Switch, Place] = {}
        self._played: list[Ply] = []
        # A promoted piece touched again would be stepped down: it is not adjusted for a while.
        self._promoted: Switch | None = None

    def play(self, move: HandMove, t_us: int, pieces: Mapping[Switch, str]) -> Gesture:
        """The touches of one move, the first at ``t_us``; ``pieces``: by square, before it."""
        motion = self._motion(pieces, t_us)
        untouched = sorted(set(pieces) - move.squares - {self._promoted})
        mishaps.before(motion, move.steps[0][0], untouched)
        mishaps.illegal(motion, move.steps[0][0], untouched, move.illegal)
        # A piece just promoted is not lifted and put back: that would choose again.
        if self._promoted is None and motion.chance(self._profile.instead):
            _play_instead(motion, move.instead())
        carry_out(motion, move)
        self._remember(move, pieces)
        if self._played and motion.chance(self._profile.take_back):
            _play_again(motion, self._played[-self._random.choice(PLIES_BACK) :])
        return self._done(motion)

    def game(
        self, moves: Iterable[HandMove], t_us: int, pieces: Mapping[Switch, str]
    ) -> Iterator[Gesture]:
        """A gesture for each move, thinking before each; a reply may begin while a move ends."""
        standing = dict(pieces)
        last_touch: dict[Switch, int] = {}
        last = Gesture((), t_us, t_us)
        for move in moves:
            replies = bool(last.actions) and self._promoted is None
            overlaps = replies and self._random.random() < self._profile.overlap
            gesture = self.play(move, 0, standing)
            gesture = gesture.shifted(self._start_us(gesture, last, last_touch, overlaps))
            yield gesture
            perform(standing, gesture.actions)
            last_touch |= gesture.last_touches()
            last = gesture

    def do(
        self, what: Callable[[Motion], None], t_us: int, pieces: Mapping[Switch, str]
    ) -> Gesture:
        """Do something else than play, such as ``between_games.clear_away``, beginning then."""
        motion = self._motion(pieces, t_us)
        what(motion)
        return self._done(motion)

    def happens(self, probability: float) -> bool:
        """True if something of this probability happens, by the seed of these hands."""
        return self._random.random() < probability

    def think_us(self) -> int:
        """How long this person thinks before the next gesture, this time."""
        low, high = self._profile.think_ms
        return int(self._random.triangular(low, high, low) * 1000)

    def _motion(self, pieces: Mapping[Switch, str], t_us: int) -> Motion:
        return Motion(self._random, self._profile, pieces, t_us, self._places)

    def _done(self, motion: Motion) -> Gesture:
        self._places = motion.places
        return motion.gesture()

    def _remember(self, move: HandMove, pieces: Mapping[Switch, str]) -> None:
        """Keep the plies that may be taken back: in sequence, no promotion among them."""
        follows = bool(self._played) and meaning(self._played[-1][1], self._played[-1][0]) == pieces
        self._played = self._played[-2:] if follows else []
        self._promoted = move.steps[0][1] if move.promotion is not None else None
        if move.promotion is None:
            self._played.append((move, dict(pieces)))
        else:
            self._played = []

    def _start_us(
        self, gesture: Gesture, last: Gesture, last_touch: Mapping[Switch, int], overlaps: bool
    ) -> int:
        """When a gesture planned for time 0 begins: never before a square it needs is free."""
        if overlaps:
            start_us = last.end_us + self._random.randint(*self._profile.overlap_us)
        else:
            start_us = last.end_us + self.think_us()
        free_us = [
            last_touch[square] + self._random.randint(*self._profile.follow_us) - first
            for square, first in gesture.first_touches().items()
            if square in last_touch
        ]
        return max([start_us, last.landed_us + 1_000 - gesture.landed_us, *free_us])


def profile_of(kind: str | HandProfile) -> HandProfile:
    """The profile of a kind of hands. Raises ValueError for an unknown name."""
    if isinstance(kind, HandProfile):
        return kind
    if kind not in EVERYBODY:
        raise ValueError(f"no hands {kind!r}; there are {', '.join(EVERYBODY)}")
    return EVERYBODY[kind]


def _play_instead(motion: Motion, lines: Sequence[Sequence[HandMove]]) -> None:
    """Play other plies, look at them, and take them all back, the last one first."""
    played: list[Ply] = []
    if not lines:
        return
    for move in motion.random.choice(lines):
        played.append((move, dict(motion.pieces)))
        carry_out(motion, move)
        motion.wait(motion.profile.rest_ms)
    motion.tag("instead")
    _take_back(motion, played)


def _play_again(motion: Motion, played: Sequence[Ply]) -> None:
    """Take played plies back, and play the same ones again."""
    motion.wait(motion.profile.rest_ms)
    _take_back(motion, played)
    for move, _ in played:
        carry_out(motion, move)
        motion.wait(motion.profile.pause_ms)


def _take_back(motion: Motion, played: Sequence[Ply]) -> None:
    """Undo plies, the last mover first; ``plies_back_2`` says that there were two."""
    motion.tag("take_back")
    motion.tag(f"plies_back_{len(played)}")
    motion.showed_another = True
    for move, before in reversed(played):
        undo(motion, move, before)
        motion.wait(motion.profile.rest_ms)
