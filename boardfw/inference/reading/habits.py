"""What a game has shown of its players: how often they stop, rest, and change their minds.

All figures are means of what was seen and of a prior that counts as a few plies; so the first plies
are read by the prior, and no habit is ever certain.
"""

from __future__ import annotations

from boardfw.inference.reading import constants
from boardfw.inference.reading.constants import cost
from boardfw.rules.board import Color

PRIOR_PLIES = 10
"""The prior counts as so many plies."""
PRIOR_STOPS = 3
"""The prior of the length of stops counts as so many."""
PRIOR_CAPTURES = 100
"""The prior of unseen captures counts as so many captures."""
USUAL_REST_US = 3_000_000
"""Between two plies of a player, before anything is known of them."""
HASTE = 3
"""A rest is short below this part of the usual one."""
LONGEST_REST_US = 1_000_000
"""No rest is short beyond this."""


class PlayerHabits:
    """What one player has done so far."""

    __slots__ = ("minds", "plies", "rests_us", "stays", "stops", "stops_us")

    def __init__(self) -> None:
        self.plies = 0
        self.minds = 0
        """How often they put the piece elsewhere after all."""
        self.stops = 0
        """Stops of pieces that they slid."""
        self.stops_us = 0
        self.stays = 0
        """How often a piece that could have been slid on did not go on."""
        self.rests_us = 0
        """Time between their plies, all together."""

    @property
    def p_mind(self) -> float:
        """Probability that a ply is replaced by another one of the same player."""
        weight = 1 / constants.P_MIND
        return (1 + self.minds) / (weight + self.plies)

    @property
    def p_stop(self) -> float:
        """Probability that a piece that can be slid further has only stopped."""
        seen = self.stops + self.stays
        return (constants.P_STOP * PRIOR_PLIES + self.stops) / (PRIOR_PLIES + seen)

    @property
    def stop_us(self) -> float:
        """Mean length of such a stop, microseconds."""
        return (constants.STOP_US * PRIOR_STOPS + self.stops_us) / (PRIOR_STOPS + self.stops)

    @property
    def rest_us(self) -> float:
        """A shorter rest of a piece between two plies of its player is unusual."""
        rests_us = USUAL_REST_US * PRIOR_PLIES / 2 + self.rests_us
        return min(LONGEST_REST_US, rests_us / (PRIOR_PLIES / 2 + self.plies) / HASTE)

    def add_ply(self, rest_us: int, stops_us: list[int], *, stays: bool) -> None:
        """Learn from a ply: the rest before it, its stops, and whether it could have gone on."""
        self.stays += stays
        self.plies += 1
        self.rests_us += min(max(0, rest_us), 3 * USUAL_REST_US)
        self.stops += len(stops_us)
        self.stops_us += sum(stops_us)


class Habits:
    """The habits of both players, and of the board."""

    def __init__(self) -> None:
        self._players = (PlayerHabits(), PlayerHabits())
        self._captures = 0
        self._unseen = 0

    def of(self, color: Color) -> PlayerHabits:
        """The habits of one player."""
        return self._players[color]

    @property
    def unseen_price(self) -> float:
        """Nats for a capture whose switch never opened."""
        unseen = constants.P_UNSEEN * PRIOR_CAPTURES + self._unseen
        return cost(unseen / (PRIOR_CAPTURES + self._captures))

    def add_capture(self, *, unseen: bool) -> None:
        """Learn whether the switch under a captured piece opened."""
        self._captures += 1
        self._unseen += unseen
