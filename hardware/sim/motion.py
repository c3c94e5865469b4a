"""A gesture while it is planned: what the hands do one after the other, with times and paths."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from boardfw.squares import Switch, file_of, rank_of, switch_at
from hardware.sim.gesture import HandAction
from hardware.sim.hand_profiles import Habit, HandProfile
from hardware.sim.magnets import (
    HIGH,
    Place,
    around,
    landing,
    middle,
    reach,
    rocking,
    slide,
    trembling,
)

from .faults import Range
from .gesture import Gesture
from .magnets import Point, Reach, crossings

SLOWEST_US = 60_000
"""The least time of a carry, to which ``A_SQUARE_US`` is added for each square."""
A_SQUARE_US = 25_000
"""The least time a square: 2 m/s over squares of 5 cm is a blow, not a move."""
SEEN_US = 250_000
"""A piece that rests on a square for this long has shown a move there."""
FALL_US = (80_000, 200_000)
"""How long a piece of 5 to 9 cm takes to fall over."""
USUAL = Reach(0.46, 0.55)
"""How near a usual piece must come to close a usual switch, and how far it must go to open it."""


@dataclass(eq=False, slots=True)
class Carried:
    """A piece off its square: in a hand, or out of the box (``lifted`` None)."""

    label: str
    path: list[Point]
    lifted: int | None = None

    @property
    def where(self) -> Place:
        """The place it is over."""
        return Place(self.path[-1].x, self.path[-1].y)


class Motion:
    """A timeline that grows: hands do things at ``now_us``, waiting moves it on.

    ``pieces``: by square, at that point of the plan; ``places``: where on its square each piece
    stands that does not stand in the middle.
    """

    def __init__(
        self,
        random: Random,
        profile: HandProfile,
        pieces: Mapping[Switch, str],
        t_us: int,
        places: Mapping[Switch, Place] | None = None,
    ) -> None:
        self.random = random
        self.profile = profile
        self.pieces = dict(pieces)
        self.places = dict(places or {})
        self.now_us = t_us
        self.landed_us = t_us
        self.settled_us = t_us
        self.showed_another = False
        self.tags: list[str] = []
        self.held: dict[Switch, Carried] = {}
        """Pieces already in the hand, by the square from which they will be lifted next."""
        self.park_on: Switch | None = None
        """Where a captured piece is put for a while; None: it leaves the board."""
        self._actions: list[HandAction] = []

    # -------------------------------------------------------------------------- time and chance

    def wait(self, limits_ms: Range) -> None:
        """Let a time from this range pass; short ones are more likely."""
        self.wait_us(self.draw_us(limits_ms))

    def wait_us(self, duration_us: int) -> None:
        """Let this time pass."""
        self.now_us += duration_us

    def wait_until(self, t_us: int) -> None:
        """Let time pass until then, if it is still to come."""
        self.now_us = max(self.now_us, t_us)

    def draw_us(self, limits_ms: Range) -> int:
        """A time from this range, in us; short ones are more likely."""
        low, high = limits_ms
        return int(self.random.triangular(low, high, low + (high - low) / 4) * 1000)

    def chance(self, probability: float) -> bool:
        """True if something of this probability happens."""
        return self.random.random() < probability

    def habit(self, weights: Habit) -> str:
        """One of these habits, by their weights; it becomes a tag."""
        habit = self.random.choices(list(weights), list(weights.values()))[0]
        self.tags.append(habit)
        return habit

    def tag(self, word: str) -> None:
        """Note that this happened."""
        self.tags.append(word)

    # ------------------------------------------------------------------------------ up and down

    def lift(self, square: Switch) -> Carried:
        """Take hold of the piece on a square; its magnet stays there until the piece is moved.

        A piece that is already in the hand stays there.
        """
        if square in self.held:
            return self.held.pop(square)
        label = self.pieces.pop(square)
        place = self.places.pop(square, middle(square))
        self._actions.append(HandAction(self.now_us, "lift", square, label, ()))
        return Carried(label, [Point(self.now_us, *place, 0.0)], len(self._actions) - 1)

    def label_of(self, square: Switch) -> str:
        """Return the label of the piece on a square, or of the one that was lifted there."""
        return self.held[square].label if square in self.held else self.pieces[square]

    def from_box(self, label: str, square: Switch) -> Carried:
        """Take a piece from beside the board, and hold it over a square."""
        return Carried(label, [Point(self.now_us, *middle(square), HIGH)])

    def raise_up(self, piece: Carried, by_ms: Range, height: float | None = None) -> None:
        """Lift a piece off the board; time does not pass, so other things may happen meanwhile."""
        self._reach(piece, piece.where, height or self._height(), self.draw_us(by_ms))

    def take_up(self, square: Switch, pause_ms: Range, height: float | None = None) -> Carried:
        """Lift a piece off its square, and pause; None: as high as these hands do."""
        piece = self.lift(square)
        self.raise_up(piece, self.profile.raise_ms, height)
        self.wait(pause_ms)
        return piece

    def hold_over(self, piece: Carried, place: Place, end_z: float) -> None:
        """Carry a piece through the air over a place and keep it there."""
        duration_us = self.hand_us(piece, place)
        start = self._from(piece)
        piece.path += self._shaken(start, reach(start, place, end_z, self._height(), duration_us))
        self.now_us = piece.path[-1].t_us
        self._remember(piece)

    def take_away(self, piece: Carried) -> None:
        """Take a piece off the board; time does not pass, so other things may happen meanwhile."""
        place = around(piece.where, self.random, 0.5)
        away_us = max(self.draw_us(self.profile.carry_ms) // 2, SLOWEST_US)
        self._reach(piece, place, HIGH, away_us)

    def topple(self, piece: Carried) -> None:
        """A piece falls over: its foot comes up and goes aside; time does not pass."""
        place = around(piece.where, self.random, self.random.uniform(0.3, 0.5))
        self._reach(piece, place, self.random.uniform(0.1, 0.35), self.random.randint(*FALL_US))

    def put(self, piece: Carried, square: Switch, *, duration_us: int | None = None) -> None:
        """Carry a piece to a square and set it down; ``now_us`` becomes when it stands."""
        place = landing(square, self.random, self.profile.off_centre)
        self._set_down(piece, square, place, duration_us or self.hand_us(piece, place))

    def put_straight(self, piece: Carried, square: Switch, duration_us: int) -> None:
        """Set a piece down with care, near the middle."""
        place = landing(square, self.random, self.profile.off_centre / 3)
        self._set_down(piece, square, place, duration_us, rocks=False)

    def hold_up(self, piece: Carried, duration_us: int) -> None:
        """Lift a piece clear of the board."""
        self._reach(piece, piece.where, HIGH, duration_us)
        self.now_us = piece.path[-1].t_us

    def felt_until_us(self, piece: Carried, square: Switch) -> int:
        """When a usual switch no longer feels a piece that leaves its square."""
        found = crossings(piece.path, [USUAL] * 64, {square})
        return next((one.t_us for one in found if one.square == square), self.now_us)

    def felt_after(self, piece: Carried, square: Switch) -> float:
        """After which share of its path to a square a usual switch there feels a piece."""
        start = piece.path[-1]._replace(t_us=0)
        path = [start, *reach(start, middle(square), 0.0, start.z, 1_000_000)]
        found = crossings(path, [USUAL] * 64, ())
        return next(one.t_us for one in found if one.square == square) / 1_000_000

    def place(self, square: Switch) -> Place:
        """Where on a square its piece stands."""
        return self.places.get(square, middle(square))

    def hand_us(self, piece: Carried, place: Place) -> int:
        """How long a hand carries a piece to a place."""
        least = SLOWEST_US + int(A_SQUARE_US * piece.where.to(place))
        return max(self.draw_us(self.profile.carry_ms), least)

    def _height(self) -> float:
        return self.random.uniform(*self.profile.height)

    def _reach(self, piece: Carried, place: Place, end_z: float, duration_us: int) -> None:
        start = self._from(piece)
        piece.path += self._shaken(start, reach(start, place, end_z, 0.0, duration_us))
        self._remember(piece)

    def _from(self, piece: Carried) -> Point:
        """Where a piece is when the hand that held it still goes on."""
        last = piece.path[-1]
        if last.t_us < self.now_us:
            piece.path.append(last._replace(t_us=self.now_us))
        return piece.path[-1]

    def _set_down(
        self, piece: Carried, square: Switch, place: Place, duration_us: int, *, rocks: bool = True
    ) -> None:
        start = self._from(piece)
        over = place == piece.where or start.z > 0
        height = start.z if over else self._height()
        piece.path += self._shaken(start, reach(start, place, 0.0, height, duration_us))
        self._stand(piece, square, place)
        if rocks and self.chance(self.profile.rock):
            self.tag("rock")
            piece.path += rocking(
                piece.path[-1], self.random, self.random.uniform(*self.profile.swing)
            )
        self._remember(piece)

    def _stand(self, piece: Carried, square: Switch, place: Place) -> None:
        """A piece stands where its path has brought it."""
        self.now_us = piece.path[-1].t_us
        self.pieces[square] = piece.label
        self.places[square] = place
        begins_us = self.now_us
        if piece.lifted is None:  # its path begins with this touch, not with a lift
            begins_us, piece.lifted = piece.path[0].t_us, len(self._actions)
        self._actions.append(HandAction(begins_us, "drop", square, piece.label, ()))

    def _remember(self, piece: Carried) -> None:
        """Give a piece's path to the touch with which it began."""
        self.settled_us = max(self.settled_us, piece.path[-1].t_us)
        if piece.lifted is not None:
            self._actions[piece.lifted] = replace(
                self._actions[piece.lifted], path=tuple(piece.path)
            )

    # -------------------------------------------------------------------------- over the board

    def drag(self, piece: Carried, square: Switch) -> None:
        """Push a piece over the board to a square, resting now and then."""
        place = landing(square, self.random, self.profile.off_centre * 1.5)
        stops = self._stops(piece.where, place)
        if any(rest_us >= SEEN_US for _, _, rest_us in stops):
            self.showed_another = True
        start = self._from(piece)
        piece.path += self._shaken(start, slide(start, stops))
        self._stand(piece, square, place)
        self._remember(piece)

    def _stops(self, start: Place, end: Place) -> list[tuple[Place, int, int]]:
        """Where a dragged piece stops, how long it takes to get there and rests there, in us."""
        squares = max(round(max(abs(end.x - start.x), abs(end.y - start.y))), 1)
        a_square_us = max(self.draw_us(self.profile.pass_ms), A_SQUARE_US)
        stops: list[tuple[Place, int, int]] = []
        at = 0.0
        for n in range(1, squares + 1):
            if self.profile.border_rest and self.chance(self.profile.border_rest / squares):
                self.tag("border_rest")
                rest_us = self.draw_us(self.profile.border_rest_ms)
                took_us = int((n - 0.5 - at) * a_square_us) + SLOWEST_US
                stops.append((start.towards(end, (n - 0.5) / squares), took_us, rest_us))
                at = n - 0.5
            if n == squares:
                break
            if self.chance(self.profile.slide_pause):
                self.tag("pause")
                wobble = min(abs(self.random.gauss(0.0, self.profile.off_centre)), 0.25)
                place = around(start.towards(end, n / squares), self.random, wobble)
                rest_us = self.draw_us(self.profile.slide_rest_ms)
                stops.append((place, int((n - at) * a_square_us) + SLOWEST_US, rest_us))
                at = n
        return [*stops, (end, int((squares - at) * a_square_us) + SLOWEST_US, 0)]

    def _shaken(self, start: Point, points: list[Point]) -> list[Point]:
        """The path that a trembling hand makes of these points."""
        least, most = self.profile.tremor
        if not most:
            return points
        return trembling(start, points, self.random, self.random.uniform(least, most))

    def come_up_to(self, piece: Carried, place: Place, *, low: bool) -> None:
        """Bring a piece beside the one that it will push, over the board or through the air."""
        height = 0.0 if low else self._height()
        piece.path += reach(self._from(piece), place, 0.0, height, self.hand_us(piece, place))
        self.now_us = piece.path[-1].t_us
        self._remember(piece)

    def shove(self, piece: Carried, away: Place, duration_us: int) -> None:
        """Push a piece aside over the board; time does not pass."""
        self._reach(piece, away, 0.0, duration_us)

    def shove_in(self, piece: Carried, square: Switch, duration_us: int) -> None:
        """Push a piece over the board onto its square; ``now_us`` becomes when it stands."""
        place = landing(square, self.random, self.profile.off_centre)
        self._reach(piece, place, 0.0, duration_us)
        self._stand(piece, square, place)
        self._remember(piece)

    # --------------------------------------------------------------------------------- the whole

    def landed(self) -> None:
        """The moving piece stands where it belongs, now."""
        self.landed_us = self.now_us

    def touch(self, square: Switch, hold_ms: Range, height: float) -> None:
        """Lift a piece, or only straighten it, and put it back."""
        piece = self.lift(square)
        self.raise_up(piece, (hold_ms[0] // 3, hold_ms[1] // 3), height)
        self.put(piece, square, duration_us=self.draw_us(hold_ms) // 2)

    def exchange(self, piece: Carried, square: Switch, arriving: str) -> None:
        """A piece goes off the board and another one comes to a square instead."""
        self.take_away(piece)
        self.wait(self.profile.carry_ms)
        new = self.from_box(arriving, square)
        self.put_straight(new, square, self.draw_us(self.profile.raise_ms) + SLOWEST_US)

    def gesture(self) -> Gesture:
        """The gesture that was planned."""
        actions = sorted(self._actions, key=lambda action: action.t_us)
        return Gesture(
            tuple(actions),
            self.landed_us,
            self.now_us,
            tuple(self.tags),
            max(self.settled_us, self.now_us),
            self.showed_another,
        )


def line_between(origin: Switch, target: Switch) -> list[Switch]:
    """Squares between two on a straight or diagonal line, in order; empty if there is no line."""
    files, ranks = file_of(target) - file_of(origin), rank_of(target) - rank_of(origin)
    if files and ranks and abs(files) != abs(ranks):
        return []
    length = max(abs(files), abs(ranks))
    return [
        switch_at(
            file_of(origin) + n * files // length,
            rank_of(origin) + n * ranks // length,
        )
        for n in range(1, length)
    ]


def is_clear(pieces: Mapping[Switch, str], path: Sequence[Switch]) -> bool:
    """True if a piece can be dragged over these squares."""
    return all(square not in pieces for square in path)
