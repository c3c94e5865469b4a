"""Which input belongs to which square: from what closed while one piece stood there; pure.

A piece may close the switch of a neighbour too, where magnets are strong. So an input that closes
on several squares is told apart by distance: neighbours share it by magnets, others by wires.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from boardfw.squares import Switch, distance

from .inputs import Inputs, inputs_in, inputs_of

STICKING = 10
"""An input that is closed with a piece on this many squares stays closed by itself: a square has
eight neighbours at most."""


def owners_of(seen: Mapping[Switch, Inputs]) -> Owners:
    """The owners of all inputs, as far as they can be known."""
    counts = Counter(number for inputs in seen.values() for number in inputs_in(inputs))
    sticking = inputs_of(number for number, count in counts.items() if count >= STICKING)
    return Owners({square: inputs & ~sticking for square, inputs in seen.items()}, sticking)


@dataclass(frozen=True)
class Owners:
    """``seen``: what closes on each square, without what sticks."""

    seen: Mapping[Switch, Inputs]
    sticking: Inputs

    @cached_property
    def shared(self) -> dict[int, list[Switch]]:
        """Inputs that are all that closes on each of several squares."""
        return {number: squares for number, squares in self._alone.items() if len(squares) > 1}

    @cached_property
    def own(self) -> dict[Switch, int]:
        """The input of each square where it is beyond doubt."""
        own = {squares[0]: n for n, squares in self._alone.items() if len(squares) == 1}
        found = True
        while found:
            found = False
            for square, inputs in self.seen.items():
                left = inputs_in(inputs & ~self._near(square, own))
                if square not in own and len(left) == 1 and left[0] not in self._taken(own):
                    own[square] = left[0]
                    found = True
        return own

    @cached_property
    def bridged(self) -> dict[Switch, list[int]]:
        """Of squares that close several inputs, those that belong to no other square."""
        return {square: free for square, free in self._free.items() if self._is_alone(square, free)}

    @cached_property
    def joined(self) -> list[tuple[list[Switch], list[int]]]:
        """Squares that close several inputs in no order that magnets could explain, and those."""
        groups: dict[Inputs, list[Switch]] = {}
        for square in self._free.keys() - self.bridged.keys():
            groups.setdefault(self.seen[square], []).append(square)
        owner = {number: square for square, number in self.own.items()}
        return [
            (
                sorted({*squares, *(owner[n] for n in inputs_in(inputs) if n in owner)}),
                inputs_in(inputs),
            )
            for inputs, squares in sorted(groups.items())
        ]

    @cached_property
    def missing(self) -> list[Switch]:
        """Squares on which nothing of their own closes."""
        known = self.own.keys() | {s for squares in self.shared.values() for s in squares}
        return [s for s in self.seen if s not in known and s not in self._free]

    @cached_property
    def near(self) -> dict[Switch, list[Switch]]:
        """For a square, the neighbours whose input closes too: the magnet reaches that far."""
        owner = {number: square for square, number in self.own.items()}
        beside = {
            square: [
                owner[n] for n in inputs_in(self.seen[square]) if owner.get(n, square) != square
            ]
            for square in self.own
        }
        return {square: others for square, others in beside.items() if others}

    @property
    def doubtful(self) -> list[Switch]:
        """Squares to be asked about again."""
        odd = {s for squares in self.shared.values() for s in squares} | {*self.missing}
        odd |= {s for squares, _ in self.joined for s in squares}
        odd |= self.bridged.keys() | self.near.keys()
        return sorted(odd)

    def square_of(self, closed: Inputs) -> Switch | None:
        """The square on which a piece closes these; None where several, or no square, fit."""
        exact = [square for square, inputs in self.seen.items() if inputs and inputs == closed]
        if len(exact) == 1:
            return exact[0]
        named = [square for square, number in self.own.items() if closed >> number & 1]
        return named[0] if len(named) == 1 and not exact else None

    # --- how they are found

    @cached_property
    def _alone(self) -> dict[int, list[Switch]]:
        """Inputs that close alone, and on which squares."""
        alone: dict[int, list[Switch]] = {}
        for square, inputs in self.seen.items():
            if inputs.bit_count() == 1:
                alone.setdefault(inputs.bit_length() - 1, []).append(square)
        return alone

    def _taken(self, own: Mapping[Switch, int]) -> set[int]:
        return {*own.values(), *self.shared}

    def _near(self, square: Switch, own: Mapping[Switch, int]) -> Inputs:
        """Inputs of the neighbours."""
        shared = (n for n, at in self.shared.items() if any(distance(square, s) == 1 for s in at))
        owned = (n for other, n in own.items() if distance(square, other) == 1)
        return inputs_of([*shared, *owned])

    @cached_property
    def _free(self) -> dict[Switch, list[int]]:
        """Of squares without an input of their own, those that close and belong to no square."""
        taken = inputs_of(self._taken(self.own))
        left = {s: inputs_in(inputs & ~taken) for s, inputs in self.seen.items()}
        return {s: numbers for s, numbers in left.items() if numbers and s not in self.own}

    def _is_alone(self, square: Switch, free: Iterable[int]) -> bool:
        """True if no other square closes these, and only neighbours close the rest."""
        return not any(
            other != square
            and inputs & (inputs_of(free) if distance(square, other) == 1 else self.seen[square])
            for other, inputs in self.seen.items()
        )
