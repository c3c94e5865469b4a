"""The games one of which begins or goes on: what the reader on trial starts from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from boardfw.inference.interpretation import AwaySide
from boardfw.inference.reading.constants import P_TURNED, cost
from boardfw.inference.reading.faults import announced
from boardfw.inference.reading.hypothesis import Hypothesis
from boardfw.inference.reading.seating import Seating
from boardfw.rules.move import Move
from boardfw.rules.position import Position
from boardfw.squares import NO_SWITCHES, Occupancy, Orientation, half_turned


@dataclass(frozen=True, slots=True)
class StartingGames:
    """Games that may be played from now on; the reader decides between them."""

    start: Position
    games: tuple[tuple[Move, ...], ...]
    """The plies so far of each, the likeliest first."""
    t_us: int
    orientation: Orientation
    dead: Occupancy = NO_SWITCHES
    """Switches known to be stuck."""
    may_be_turned: bool = False
    """True if the first moves may show that the board lies the other way round."""

    @classmethod
    def new(
        cls,
        start: Position,
        t_us: int,
        orientation: Orientation = Orientation.AS_WIRED,
        dead: Occupancy = NO_SWITCHES,
    ) -> StartingGames:
        """A game without plies. ``dead``: switches known to be stuck."""
        is_alike = start.occupied == half_turned(start.occupied)
        return cls(start, ((),), t_us, orientation, dead, is_alike)

    @classmethod
    def known(
        cls,
        start: Position,
        games: Sequence[tuple[Move, ...]],
        t_us: int,
        orientation: Orientation = Orientation.AS_WIRED,
        dead: Occupancy = NO_SWITCHES,
    ) -> StartingGames:
        """A game that had come so far when it was cut off; several: it is one of these."""
        return cls(start, tuple(games), t_us, orientation, dead)

    def one_ply_on(self, standing: Occupancy) -> StartingGames | None:
        """The games with a ply that was made unseen; None if no legal one shows what stands.

        They may have another last ply than the first of these games, or lack it: it may have been
        in progress. Where several games show what stands they are rivals, and the board asks.
        """
        known = self.games[0]
        for before in (known, known[:-1])[: 1 + bool(known)]:
            position = self._position_after(before)
            games = [before, *((*before, move) for move in position.legal_moves())]
            shown = tuple(game for game in games if not self._wrong(game, standing))
            if shown:
                return replace(self, games=shown)
        return None

    def differing(self, t_us: int, standing: Occupancy) -> Occupancy:  # noqa: ARG002  # a door
        """The switches that stand otherwise at ``t_us`` than the likeliest game has them."""
        return self._wrong(self.games[0], standing)

    def hypotheses(self, away: AwaySide | None) -> Iterator[list[Hypothesis]]:
        """Yield the games to choose from, for each way round that the board may lie.

        ``away``: the side whose player is not at the board.
        """
        yield [self._hypothesis(game, Seating(self.orientation, away)) for game in self.games]
        if self.may_be_turned:
            turned = self._hypothesis((), Seating(self.orientation.other, away))
            turned.paid = cost(P_TURNED)
            yield [turned]

    def _hypothesis(self, game: tuple[Move, ...], seating: Seating) -> Hypothesis:
        node = Hypothesis(self.start, 0.0, None, None, seating)
        node.landed_us = self.t_us
        node.believe(announced(seating.orientation.squares(self.dead), len(game)))
        for move in game:
            node = Hypothesis(node.position.play_unchecked(move), 0.0, node, move)
            node.landed_us = self.t_us
        return node

    def _position_after(self, game: tuple[Move, ...]) -> Position:
        position = self.start
        for move in game:
            position = position.play_unchecked(move)
        return position

    def _wrong(self, game: tuple[Move, ...], standing: Occupancy) -> Occupancy:
        expected = self.orientation.switches(self._position_after(game).occupied)
        return (expected ^ standing) & ~self.dead
