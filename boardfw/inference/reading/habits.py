"""What a game has shown of its players: how often they stop, rest, and change their minds.

All figures are means of what was seen and of a prior that counts as a few plies; so the first plies
are read by the prior, and no habit is ever certain.
"""

from __future__ import annotations

from boardfw.inference.reading import constants
from boardfw.inference.reading.constants import cost
from boardfw.rules.board import Color


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
        return (constants.P_STOP * constants.PRIOR + self.stops) / (constants.PRIOR + seen)

    @property
    def stop_us(self) -> float:
        """Mean length of such a stop, microseconds."""
        return (constants.STOP_US * constants.PRIOR + self.stops_us) / (
            constants.PRIOR + self.stops
        )

    @property
    def rest_us(self) -> float:
        """A shorter rest of a piece between two plies of its player is unusual."""
        rest_us = (constants.USUAL_REST_US * constants.PRIOR + self.rests_us) / (
            constants.PRIOR + self.plies
        )
        return min(constants.USUAL_REST_US, rest_us) / constants.HASTE

    def add_ply(self, rest_us: int, stops_us: tuple[int, ...], *, stays: bool) -> None:
        """Learn from a ply: the rest before it, its stops, and whether it could have gone on."""
        self.stays += stays
        self.plies += 1
        self.rests_us += min(max(0, rest_us), 3 * constants.USUAL_REST_US)
        self.stops += len(stops_us)
        self.stops_us += sum(stops_us)


class Habits:
    """The habits of both players, and of the board."""

    def __init__(self) -> None:
        self._players = (PlayerHabits(), PlayerHabits())
        self._captures = 0
        self._unseen = 0
        self._noise = 0

    def of(self, color: Color) -> PlayerHabits:
        """The habits of one player."""
        return self._players[color]

    @property
    def unseen_price(self) -> float:
        """Nats for a capture whose switch never opened."""
        unseen = constants.P_UNSEEN * constants.PRIOR_CAPTURES + self._unseen
        return cost(unseen / (constants.PRIOR_CAPTURES + self._captures))

    @property
    def blink_price(self) -> float:
        """Nats for a switch that changes for a moment without a cause."""
        plies = constants.PRIOR_NOISE + sum(player.plies for player in self._players)
        p_blink = (constants.P_BLINK * constants.PRIOR_NOISE + self._noise) / plies
        return cost(min(p_blink, constants.P_BLINK_NOISY))

    def add_noise(self) -> None:
        """Learn that a switch has changed for a moment without a cause."""
        self._noise += 1

    def add_capture(self, *, unseen: bool) -> None:
        """Learn whether the switch under a captured piece opened."""
        self._captures += 1
        self._unseen += unseen
