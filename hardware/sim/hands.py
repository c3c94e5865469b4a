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
from hardware.sim.lingering import clear_parked, hold_long, parking_place
from hardware.sim.magnets import Place

from .gesture import Gesture
from .motion import Motion
from .moving import HandMove, carry_out, meaning, needed_by, undo

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
        self._parked: set[Switch] = set()

    def play(self, move: HandMove, t_us: int, pieces: Mapping[Switch, str]) -> Gesture:
        """The touches of one move, the first at ``t_us``; ``pieces``: by square, before it."""
        motion = self._motion(pieces, t_us)
        origin, target = move.steps[0]
        if self._parked:
            clear_parked(motion, self._parked, needed_by(move))
        untouched = sorted(set(motion.pieces) - move.squares - {self._promoted})
        mishaps.before(motion, origin, untouched)
        mishaps.illegal(motion, origin, untouched, move.illegal)
        # A piece just promoted is not lifted and put back: that would choose again.
        is_usual = self._promoted is None and not self._parked
        if is_usual and motion.chance(self._profile.instead):
            _play_instead(motion, move.instead())
        if self._profile.long_hold and motion.chance(self._profile.long_hold):
            hold_long(motion, origin, untouched)
        parks_on = self._parking_place(motion, move)
        carry_out(motion, move)
        if parks_on is not None and parks_on in motion.pieces:  # a swap does not park
            self._parked.add(parks_on)
        self._remember(move, pieces)
        if self._profile.brush and motion.chance(self._profile.brush):
            mishaps.brush(motion, target, untouched)
        if self._played and motion.chance(self._profile.take_back):
            _play_again(motion, self._played[-self._random.choice(PLIES_BACK) :])
        return self._done(motion)

    def _parking_place(self, motion: Motion, move: HandMove) -> Switch | None:
        """Where a piece that this move captures is parked, if it is."""
        if not (move.removed and self._profile.park and motion.chance(self._profile.park)):
            return None
        motion.park_on = parking_place(motion.pieces, needed_by(move), motion.random)
        return motion.park_on

    def game(
        self, moves: Iterable[HandMove], t_us: int, pieces: Mapping[Switch, str]
    ) -> Iterator[Gesture]:
        """A gesture for each move, thinking before each; a reply may begin while a move ends."""
        standing = dict(pieces)
        last_touch: dict[Switch, int] = {}
        last = before_last = Gesture((), t_us, t_us)
        for move in moves:
            replies = bool(last.actions) and self._promoted is None
            overlaps = replies and self._random.random() < self._profile.overlap
            gesture = self.play(move, 0, standing)
            start_us = self._start_us(gesture, last, last_touch, overlaps)
            # Two hands may be at the board at a time, not three.
            free_us = max(before_last.landed_us, _way_is_free_us(move, last))
            gesture = gesture.shifted(max(start_us, free_us))
            yield gesture
            perform(standing, gesture.actions)
            last_touch |= gesture.last_touches()
            before_last, last = last, gesture

    def do(
        self, what: Callable[[Motion], None], t_us: int, pieces: Mapping[Switch, str]
    ) -> Gesture:
        """Do something else than play, such as ``between_games.clear_away``, beginning then."""
        motion = self._motion(pieces, t_us)
        what(motion)
        self._parked.clear()  # the game is over, and whatever is set up may stand there
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
        if move.promotion is None and not self._parked:
            self._played.append((move, dict(pieces)))
        else:
            self._played = []

    def _start_us(
        self, gesture: Gesture, last: Gesture, last_touch: Mapping[Switch, int], overlaps: bool
    ) -> int:
        """When a gesture planned for time 0 begins: never before a square it needs is free."""
        if overlaps:
            start_us = last.end_us + self._random.randint(*self._profile.overlap_us)
            start_us = max(start_us, last.begin_us)
        else:
            start_us = last.end_us + self.think_us()
        free_us = [
            last_touch[square] + self._random.randint(*self._profile.follow_us) - first
            for square, first in gesture.first_touches().items()
            if square in last_touch
        ]
        return max([start_us, last.landed_us + 1_000 - gesture.landed_us, *free_us])


def _way_is_free_us(move: HandMove, last: Gesture) -> int:
    """When the pieces that stood in the way of a move have left it, by the gesture before."""
    way = needed_by(move) - move.squares
    lifts = (action for action in last.actions if action.kind == "lift" and action.square in way)
    return max((action.t_us for action in lifts), default=0)


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
