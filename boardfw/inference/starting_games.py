"""The games one of which begins or goes on: what a reader starts from."""

from __future__ import annotations

from collections.abc import Sequence

from boardfw.inference.evidence import TURNED
from boardfw.inference.hypothesis import Hypothesis
from boardfw.inference.tracker import Tracker
from boardfw.rules import Move, Position
from boardfw.sensing.trace import Trace
from boardfw.squares import NO_SWITCHES, Occupancy, Orientation, half_turned


class StartingGames:
    """Games that may be played from now on; the reader decides between them."""

    def __init__(self, hypotheses: list[Hypothesis]) -> None:
        self.hypotheses = hypotheses

    @classmethod
    def new(
        cls,
        start: Position,
        t_us: int,
        orientation: Orientation = Orientation.AS_WIRED,
        dead: Occupancy = NO_SWITCHES,
    ) -> StartingGames:
        """A game without plies. ``dead``: switches known to be stuck.

        Where the same squares are occupied from either side, the first moves may show that the
        board lies the other way round.
        """
        roots = [Hypothesis.root(start, t_us, orientation=orientation, dead=dead)]
        if start.occupied == half_turned(start.occupied):
            other = orientation.other
            roots.append(Hypothesis.root(start, t_us, orientation=other, cost=TURNED, dead=dead))
        return cls(roots)

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
        return cls(
            [
                Hypothesis.told(start, game, t_us, orientation=orientation, dead=dead)
                for game in games
            ]
        )

    def one_ply_on(self, standing: Occupancy) -> StartingGames | None:
        """The games with a ply that was made unseen; None if no legal one shows what stands.

        They may have another last ply than the first of these games, or lack it: it may have been
        in progress. Where several games show what stands they are rivals, and the board asks.
        """
        known = self.hypotheses[0]
        for before in (known, known.parent):
            if before is None:
                break
            moves = before.legal_moves()
            games = [before, *(before.played(move, before.state.copy()) for move in moves)]
            if shown := [game for game in games if not game.wrong(standing)]:
                return StartingGames(shown)
        return None

    def differing(self, t_us: int, standing: Occupancy) -> Occupancy:
        """The switches that stand otherwise than the most credible of these games has them."""
        return Tracker(self.hypotheses, Trace(t_us, standing)).best.wrong(standing)
