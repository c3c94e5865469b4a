"""The reader: scans in, an interpretation out. It knows no clock: time is an argument."""

from __future__ import annotations

from boardfw.inference.reading import constants
from boardfw.inference.reading.beam import Beam
from boardfw.inference.reading.constants import cost
from boardfw.inference.reading.faults import Fault, announced, is_paused
from boardfw.inference.reading.finality import (
    p_truth_missing,
    ply_color,
    rival_weights,
    unfinished,
    when_final,
)
from boardfw.inference.reading.habits import Habits
from boardfw.inference.reading.hypothesis import Hypothesis
from boardfw.inference.reading.interpretation import Interpretation, ReadPly, Rival
from boardfw.inference.reading.suspecting import certain_faults, has_changed_at_once, p_unproved
from boardfw.inference.reading.touches import Touch, Touches
from boardfw.inference.reading.wiring import YOUNG_PLIES, Wirings
from boardfw.rules.position import Position
from boardfw.squares import Bitboard, Occupancy, Orientation

LIMITS = (1e-3, 5e-5)
"""Doubts at which a ply is final: for an engine, and for a server, a result and the record."""
FIRST_LOOK_US = 100_000
"""Doubts that fall slowly are reckoned anew at growing distances, from this one on."""
STUCK_US = 3_000_000
"""A game that makes no sense for so long may do so because of wrong wires: they never mend."""
LAST_LOOK_US = 300_000_000


class Reader:
    """Reads the moves of one game from the scans of a board.

    ``feed`` takes scans, ``pass_time`` lets time go by; times in microseconds never decrease. Call
    ``pass_time`` at ``deadline_us``, when something may become known without a scan.
    """

    def __init__(
        self,
        start: Position,
        occupancy: Occupancy,
        *,
        t_us: int = 0,
        orientation: Orientation = Orientation.AS_WIRED,
        dead: Bitboard = 0,
        limits: tuple[float, ...] = LIMITS,
    ) -> None:
        """Begin to read. ``dead``: squares whose switch is known to show nothing."""
        self._touches = Touches(occupancy, orientation)
        self._beam = Beam(start, self._touches.shown, announced(dead))
        self._habits = Habits()
        self._limits = limits
        self._final = [0] * len(limits)
        """For each limit: so many plies of the game are final."""
        self._learnt = 0
        self._now_us = self._touched_us = t_us
        self._look_us: int | None = None
        self._suspected_us = -1
        self._wirings: Wirings | None = Wirings(start, self._touches.shown)
        self._wrong_wiring: Fault | None = None
        self._game: Hypothesis = self._beam.best
        self._doubts: list[float] = []
        self._missing = 0.0

    @property
    def deadline_us(self) -> int | None:
        """When something may become known if no switch changes before; None: never."""
        known_us = self._touches.deadline_us
        if known_us is None or self._look_us is None:
            return self._look_us if known_us is None else known_us
        return min(known_us, self._look_us)

    def feed(self, t_us: int, occupancy: Occupancy, since_us: int | None = None) -> None:
        """Take one raw scan. ``since_us``: the switches could not be read since then."""
        self._now_us = t_us
        self._take(self._touches.read(t_us, occupancy, since_us))

    def pass_time(self, t_us: int) -> None:
        """Let time go by until ``t_us``, without a change of any switch."""
        self._now_us = t_us
        touches = self._touches.wait(t_us)
        if touches:
            self._take(touches)
        elif self._look_us is not None and t_us >= self._look_us:
            self._decide()

    def interpretation(self) -> Interpretation:
        """Return what the reader makes of the board now."""
        game = self._game
        first = game.depth - len(self._doubts)
        plies = tuple(
            ReadPly(
                move,
                self._doubts[n - first] if n >= first else 0.0,
                sum(n < final for final in self._final),
            )
            for n, move in enumerate(game.moves())
        )
        weighed = list(zip(self._beam.games, self._beam.weights(), strict=True))
        return Interpretation(
            t_us=self._now_us,
            plies=plies,
            probability=sum(weight for other, weight in weighed if other is game),
            p_missing=self._missing,
            rivals=tuple(
                _rival(game, other, weight) for other, weight in weighed if other is not game
            ),
            lifted=game.occupied & ~self._beam.shown,
            faults=self.faults,
            paused=self.is_paused,
            handling=self._is_handling(),
        )

    @property
    def game(self) -> Hypothesis:
        """The game that is announced."""
        return self._game

    @property
    def faults(self) -> tuple[Fault, ...]:
        """The faults of the board that all credible games share, or its wrong wiring."""
        if self._wrong_wiring:
            return (self._wrong_wiring,)
        if not self._beam.best.faults:
            return ()
        return certain_faults(self._beam.games, self._beam.weights())

    @property
    def final(self) -> tuple[int, ...]:
        """How many plies of the announced game are final, for each limit."""
        return tuple(self._final)

    def _take(self, touches: list[Touch]) -> None:
        if not touches:
            return
        shown = self._beam.shown
        for touch in touches:
            if touch.is_settled:
                shown ^= 1 << touch.square
            self._beam.take(touch, shown, self._now_us, self._habits)
            if self._wirings:
                self._wirings.note(touch, self._now_us, self._habits)
        self._touched_us = self._now_us
        self._decide()

    def _decide(self) -> None:
        """Choose the game to announce, and what of it is final."""
        beam = self._beam
        beam.weigh(self._now_us)
        self._suspect()
        best = beam.best
        if self._wirings:
            self._watch_wiring(self._wirings)
        if self._is_announceable(best):
            self._announce(best)
        self._look_us = None
        self._finalise()

    def _is_announceable(self, best: Hypothesis) -> bool:
        """True if the board shows the game, but for pieces of the next player."""
        if self.is_paused:
            return False
        shown = best.seen(self._beam.shown)
        if shown & ~best.occupied or best.others & ~shown:
            return False
        # contract: not before the reply has landed
        return not (best.is_unseen or best.is_hidden)

    def _suspect(self) -> None:
        """Think of faults of the board where no game makes sense: the truth seems to be missing."""
        beam, first = self._beam, self._final[-1]
        if self.is_paused or self._suspected_us == self._touched_us or beam.best.depth < first:
            return
        best = beam.best
        surprise = beam.prices[0] - best.at(first).paid - self._usual(first) * (best.depth - first)
        if surprise > cost(constants.P_DEAD) or has_changed_at_once(best):
            self._suspected_us = self._touched_us
            is_stuck = not best.at_rest and self._now_us - best.off_us > STUCK_US
            if self._wirings and is_stuck:
                self._wirings.suspect(best, beam.shown, self._habits)
            beam.suspect(self._now_us, self._habits)
            beam.weigh(self._now_us)

    def _watch_wiring(self, wirings: Wirings) -> None:
        """Find out whether another wiring makes more sense, as long as the game is young."""
        if self._final[-1] >= YOUNG_PLIES:
            self._wirings = None
        elif self._wrong_wiring is None:
            price, ply = self._beam.prices[0], self._game.depth
            self._wrong_wiring = wirings.found(price, ply, self._now_us)

    @property
    def is_paused(self) -> bool:
        """True while plies would be guesses: a line has failed, or the wiring is wrong."""
        return self._wrong_wiring is not None or is_paused(self._beam.best.faults)

    def _announce(self, game: Hypothesis) -> None:
        if game is self._game:
            return
        shared = self._game.shared_with(game)
        if game.depth > shared < self._game.depth:
            self._habits.of(ply_color(self._game.at(shared + 1))).minds += 1
        self._game = game
        self._final = [min(final, shared) for final in self._final]
        self._learnt = min(self._learnt, shared)

    def _is_handling(self) -> bool:
        burst_us = self._touches.burst_us
        return burst_us is not None and self._now_us - burst_us < 2 * constants.BURST_US

    def _finalise(self) -> None:
        """Reckon the doubts of all plies that are not final for everybody."""
        game, beam = self._game, self._beam
        first = self._final[-1]
        if self.is_paused or game is not beam.best or game.depth <= first or self._is_handling():
            self._doubts = [1.0] * (game.depth - first)
            if self._now_us - self._touched_us < LAST_LOOK_US:
                self._look_us = self._later_us()
            return
        shown = game.seen(beam.shown)
        steady = rival_weights(beam, first)
        price, usual = beam.prices[0], self._usual(first)
        for n in range(len(steady)):
            self._missing = p_truth_missing(game, price, first + n, usual) + p_unproved(game)
            steady[n] += self._missing
        doubts = [
            doubt + unfinished(game, first + n, shown, self._now_us, self._habits)
            for n, doubt in enumerate(steady)
        ]
        for at, limit in enumerate(self._limits):
            while self._final[at] < game.depth and doubts[self._final[at] - first] < limit:
                self._final[at] += 1
        self._plan_look(steady, first)
        self._doubts = doubts[self._final[-1] - first :]
        if self._final[-1] > first:
            self._settle(first)

    def _settle(self, first: int) -> None:
        """What is final for everybody has no rivals any more, and players are known by it."""
        final = self._final[-1]
        mine = self._game.at(final).moves(first)
        beam = self._beam
        beam.keep_only(lambda game: game.depth >= final and game.at(final).moves(first) == mine)
        for ply in range(max(first, self._learnt), final):
            node = self._game.at(ply + 1)
            self._learn(node)
        self._learnt = final

    def _learn(self, node: Hypothesis) -> None:
        last = node.before.before if node.before else None
        rest_us = node.landed_us - last.landed_us if last and last.move else 10**9
        self._habits.of(ply_color(node)).add_ply(
            rest_us,
            node.way.stops_us,
            stays=node.goes_on is not None and node.goes_on.by_slide,
        )
        if node.move is not None and node.move.captured is not None:
            self._habits.add_capture(unseen=node.is_unseen)

    def _usual(self, ply: int) -> float:
        """What a ply of this game usually costs."""
        paid = self._game.at(ply).paid
        return max(0.0, (constants.USUAL_PRICE * constants.PRIOR + paid) / (constants.PRIOR + ply))

    def _plan_look(self, steady: list[float], first: int) -> None:
        """Find out when the next ply becomes final if no switch changes."""
        looks_us = []
        for at, limit in enumerate(self._limits):
            ply = self._final[at]
            if ply == self._game.depth:
                continue
            look_us = when_final(
                self._game,
                ply,
                self._game.seen(self._beam.shown),
                self._now_us,
                limit - steady[ply - first],
                self._habits,
            )
            looks_us.append(look_us or self._later_us())
        self._look_us = min(looks_us, default=None)

    def _later_us(self) -> int:
        """When doubts that fall slowly are worth another look."""
        return self._now_us + max(FIRST_LOOK_US, (self._now_us - self._touched_us) // 2)


def _rival(game: Hypothesis, other: Hypothesis, weight: float) -> Rival:
    shared = game.shared_with(other)
    return Rival(weight, shared, other.moves(shared))
