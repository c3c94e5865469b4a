"""Asks a person to play a known game, move by move, with lights.

A plain function of its arguments, like a session: scans and time go in, a scene comes out. It
decides nothing about the record; ``known_game`` finds in the whole recording when each ply was
made.
"""

from __future__ import annotations

from collections.abc import Sequence

from boardfw.accuracy.known_game import Ply, Stretch, is_undisturbed, plies_of
from boardfw.lights.cue import Cue
from boardfw.lights.scene import Scene, composed
from boardfw.ports import earliest
from boardfw.rules import Move, Position
from boardfw.squares import Bitboard, Occupancy, Orientation

UNSEEN_US = 4_000_000
"""A capture whose contact did not open is taken for made when all has been still for so long."""
AHEAD = 4
"""So many plies may be made before the lights ask for them."""
AHEAD_US = 500_000
"""Pieces that stand as after a later ply for so long show that it was made."""
WRONG_US = 3_000_000
"""What is wrong for so long is lit."""
OVER_US = 3_000_000
"""So long the board is watched after the last ply."""


class Guide:
    """``ply``: how many plies have been made."""

    def __init__(self, start: Position, moves: Sequence[Move]) -> None:
        self.ply = 0
        self._start = start.occupied
        self._plies = plies_of(start, moves)
        self._read: Bitboard | None = None
        self._changed_us = 0
        self._is_set_up = False
        self._stretch = self._next_stretch()

    @property
    def is_over(self) -> bool:
        """True if all plies have been made."""
        return self.ply == len(self._plies)

    @property
    def is_set_up(self) -> bool:
        """True once all pieces have stood where the game begins."""
        return self._is_set_up

    def see(self, t_us: int, occupancy: Occupancy) -> None:
        """Note a scan. Times do not decrease."""
        read = Orientation.AS_WIRED.squares(occupancy)
        if read != self._read:
            self._read, self._changed_us = read, t_us
            self._is_set_up |= read == self._start
            if self._is_set_up:
                self._stretch.add(read)
        self.pass_time(t_us)

    def pass_time(self, t_us: int) -> None:
        """Ask for the next ply if one has been made."""
        while made := self._made(t_us):
            self.ply += made
            self._stretch = self._next_stretch()
            if self._read is not None:
                self._stretch.add(self._read)

    def _made(self, t_us: int) -> int:
        """Return how many plies were made since; more than one where they were not asked for."""
        if self._read is None or not self._is_set_up or self.is_over:
            return 0
        still_us = t_us - self._changed_us
        ply, following = self._plies[self.ply], self._at(self.ply + 1)
        shows = self._stretch.shows(self._read, seen=still_us < UNSEEN_US)
        if shows and is_undisturbed(self._read, ply, following):
            return 1
        if still_us < AHEAD_US:
            return 0
        if shows:
            return 1
        later = self._plies[self.ply + 1 : self.ply + AHEAD]
        return next((n for n, ply in enumerate(later, 2) if ply.after == self._read), 0)

    def _next_stretch(self) -> Stretch:
        """What is read from now on, until the next ply; of the last ply, when all were made."""
        number = min(self.ply, len(self._plies) - 1)
        return Stretch(self._plies[number], self._at(number + 1))

    def _at(self, number: int) -> Ply | None:
        return self._plies[number] if number < len(self._plies) else None

    def next_us(self, t_us: int) -> int | None:
        """When something may follow from time alone, after an instant; None: never."""
        waits = (AHEAD_US, WRONG_US, UNSEEN_US, OVER_US)
        return earliest(*(self._changed_us + wait for wait in waits), after_us=t_us)

    def is_done(self, t_us: int) -> bool:
        """True if the game is over and the board has been still since."""
        return self.is_over and t_us - self._changed_us >= OVER_US

    def scene(self, t_us: int) -> Scene:
        """Return what the lights say: where a piece is to go, or what stands wrong."""
        read = self._read or 0
        if not self._is_set_up:
            return _wrong(self._start, read)
        if self.is_over:
            return Scene()
        ply = self._plies[self.ply]
        if t_us - self._changed_us >= WRONG_US and (read ^ ply.before) & ~ply.squares:
            return _wrong(ply.before & ~ply.squares, read & ~ply.squares)
        lifted = ply.before & ~ply.after & ~ply.aside | 1 << ply.origin
        return composed(
            [(Cue.THIS_ONE, lifted), (Cue.PUT_HERE, _targets(ply)), (Cue.SURPLUS, ply.aside)]
        )


def _targets(ply: Ply) -> Bitboard:
    return ply.after & ply.squares | 1 << ply.target


def _wrong(wanted: Bitboard, read: Bitboard) -> Scene:
    return composed([(Cue.WANTED, wanted & ~read), (Cue.SURPLUS, read & ~wanted)])
