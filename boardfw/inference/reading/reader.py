"""The reader: settled changes in, an interpretation out. It knows no clock: time is an argument."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from boardfw.inference.reading import constants
from boardfw.inference.reading.asking import Answer, Asking, Question, confirmable
from boardfw.inference.reading.beam import Beam
from boardfw.inference.reading.constants import cost
from boardfw.inference.reading.faults import Fault, is_paused
from boardfw.inference.reading.finality import (
    p_truth_missing,
    ply_color,
    rival_weights,
    unfinished,
    usual_price,
    when_final,
)
from boardfw.inference.reading.habits import Habits
from boardfw.inference.reading.hypothesis import Hypothesis
from boardfw.inference.reading.kings import (
    Kings,
    are_in_the_centre,
    are_on_their_way,
    doubts_by_kings,
)
from boardfw.inference.reading.learning import learn_ply
from boardfw.inference.reading.standing import unshown
from boardfw.inference.reading.suspecting import (
    certain_faults,
    has_changed_at_once,
    p_unproved,
)
from boardfw.inference.reading.touches import Kind, Touches
from boardfw.inference.reading.wiring import YOUNG_PLIES, Wirings
from boardfw.ports import earliest
from boardfw.rules.board import Color
from boardfw.rules.move import Move
from boardfw.sensing.debounce import Blip, Edge
from boardfw.squares import Bitboard, Occupancy

LIMITS = (1e-3, 5e-5)
"""Doubts at which a ply is final: for an engine, and for a server, a result and the record."""
FIRST_LOOK_US = 100_000
"""Doubts that fall slowly are reckoned anew at growing distances, from this one on."""
LAST_LOOK_US = 300_000_000
STUCK_US = 3_000_000
"""A game that makes no sense for so long may do so because of wrong wires: they never mend."""


class Reader:
    """Reads the moves of one game, on a board that lies one way round, from what switches do.

    Times in microseconds never decrease. Call ``pass_time`` at ``deadline_us``, when something may
    become known without a change.
    """

    def __init__(
        self,
        games: Sequence[Hypothesis],
        standing: Occupancy,
        *,
        t_us: int = 0,
        final: int = 0,
        limits: tuple[float, ...] = LIMITS,
    ) -> None:
        """One of ``games``, the likeliest first, goes on; ``final`` of its plies are certain."""
        orientation = games[0].seating.orientation
        is_new = len(games) == 1 and not games[0].depth
        self._touches = Touches(orientation)
        self._beam = Beam(games, orientation.squares(standing), t_us)
        self._habits = Habits()
        self._asking = Asking(limits[-1])
        self._kings = Kings(limits[-1])
        self._confirmed = 0
        """Players have confirmed so many plies, by a clock or an answer."""
        self._limits = limits
        self._final = [final] * len(limits)
        """For each limit: so many plies of the game are final."""
        self._learnt = final
        self._now_us = self._touched_us = t_us
        self._look_us: int | None = t_us
        self._wirings = Wirings(games[0], self._beam.shown, t_us) if is_new else None
        self._wrong_wiring: Fault | None = None
        self._suspects = True
        """False if plies were made unseen, so that faults are not thought of."""
        self._suspected_us = -1
        """The last touch after which faults were thought of."""
        self._game: Hypothesis = self._beam.best
        self._doubts: list[float] = []

    @property
    def deadline_us(self) -> int | None:
        """When something may become known if no switch changes before; None: never."""
        return earliest(self._look_us, self._asking.deadline_us)

    def note_changes(self, t_us: int, known: Iterable[Edge | Blip]) -> None:
        """Let the games explain what is known by now of what switches did; do not decide yet."""
        self._now_us = max(self._now_us, t_us)
        for change in known:
            touch = self._touches.touch(change)
            if touch is None:
                continue
            shown = self._beam.shown
            if touch.is_settled:
                shown ^= 1 << touch.square
            else:
                touch.price = min(touch.price, self._habits.blink_price)
            self._touched_us = self._look_us = self._now_us
            self._asking.note(touch, self._game, self._beam, shown)
            self._beam.take(touch, shown, self._now_us, self._habits)
            if self._wirings:
                self._wirings.note(touch, self._now_us, self._habits)
            if touch.kind is Kind.GRAZE and touch in self._beam.best.loose:
                self._habits.add_noise()

    def try_again(self, t_us: int) -> None:
        """Look for plies once more: other moves have become legal by hand."""
        self._now_us = max(self._now_us, t_us)
        self._beam.grow(self._now_us, self._habits)
        self._look_us = self._now_us

    def bridge_gap(self, t_us: int) -> None:
        """Look for plies that were made while nobody watched, until ``t_us``.

        What was not seen is no fault of a switch: none is suspected any more.
        """
        self._suspects, self._wirings = False, None
        self._now_us = max(self._now_us, t_us)
        self._beam.bridge_gap(self._now_us)
        self._look_us = self._now_us

    def leave(self) -> None:
        """Nobody is at the board any more: a ply whose piece was lifted again was none."""
        held = self._beam.best
        if held.is_unseen and held.before:
            held = held.before
        if self._is_earlier(held):
            self._announce(held)

    def restart(self, game: Hypothesis) -> None:
        """Let it be this game, whatever the hands have done since."""
        alone = Hypothesis(game.position, 0.0, game.before, game.move, game.seating)
        alone.landed_us, alone.view = game.landed_us, game.view
        alone.believe(self._beam.best.faults)
        shared = self._game.shared_with(game)
        self._final = [min(final, shared) for final in self._final]
        self._learnt = min(self._learnt, shared)
        self._beam = Beam([alone], self._beam.shown, self._now_us)
        self._asking, self._kings = Asking(self._limits[-1]), Kings(self._limits[-1])
        self._game, self._look_us = alone, self._now_us

    def pass_time(self, t_us: int) -> None:
        """Let time go by until ``t_us``; decide what is known by then."""
        self._now_us = max(self._now_us, t_us)
        if answer := self._asking.answer(t_us):
            self._use_answer(answer)
        elif self._look_us is not None and t_us >= self._look_us:
            self._decide()

    def answer(self, index: int) -> None:
        """Players have chosen a move of the question, 0 = the first; there may be fewer."""
        if answer := self._asking.answer_by_button(index):
            self._use_answer(answer)

    def press_clock(self, color: Color) -> None:
        """This player has pressed the clock, so their piece is not in the hand any more."""
        beam = self._beam
        if beam.best.occupied == beam.shown_of(beam.best):
            return
        moved = [game for game in beam.games if _has_moved(game, color, beam.shown_of(game))]
        if moved:
            beam.keep_only(lambda game: game in moved)
            self._confirmed = beam.best.depth
            self._decide()

    @property
    def price(self) -> float:
        """Nats for the best game, as of when the reader last decided."""
        return self._beam.prices[0]

    @property
    def shown(self) -> Bitboard:
        """The squares whose switch has settled closed."""
        return self._beam.shown

    @property
    def credible(self) -> list[tuple[Hypothesis, float]]:
        """The games of the beam and the probability of each, as of when it last decided."""
        return list(zip(self._beam.games, self._beam.weights(), strict=True))

    @property
    def is_handling(self) -> bool:
        """True while what happens is handling rather than play."""
        burst_us = self._touches.burst_us
        return burst_us is not None and self._now_us - burst_us < 2 * constants.BURST_US

    @property
    def faults(self) -> tuple[Fault, ...]:
        """The faults of the board on which all credible games agree, or its wrong wiring."""
        if self._wrong_wiring:
            return (self._wrong_wiring,)
        if not self._beam.best.faults:
            return ()
        return certain_faults(self._beam.games, self._beam.weights())

    @property
    def is_paused(self) -> bool:
        """True while so many switches show nothing that plies would be guesses."""
        return self._wrong_wiring is not None or is_paused(self._beam.best.faults)

    @property
    def game(self) -> Hypothesis:
        """The game that is announced."""
        return self._game

    @property
    def final(self) -> tuple[int, ...]:
        """How many plies of the announced game are final, for each limit."""
        return tuple(self._final)

    @property
    def undisputed(self) -> int:
        """How many plies of the announced game are beyond doubt if no hand goes on with them."""
        plies = self._final[-1]
        if self._game is self._beam.best:
            for doubt in self._doubts_by_rivals():
                if doubt >= self._limits[-1]:
                    break
                plies += 1
        return plies

    @property
    def doubts(self) -> tuple[float, ...]:
        """The doubts about the last plies of the announced game: all that are not final yet."""
        return tuple(self._doubts)

    @property
    def question(self) -> Question | None:
        """What the players are asked at the moment."""
        return self._asking.question

    @property
    def result(self) -> str | None:
        """The result that the kings show, as in PGN; None while the game goes on."""
        return self._kings.result

    @property
    def confirmable(self) -> tuple[Move, ...]:
        """The captures that a lifted piece may have made unseen; a lift of a target confirms it."""
        return confirmable(self._beam, self._limits[-1])

    def _decide(self) -> None:
        """Choose the game to announce, and what of it is final."""
        beam = self._beam
        beam.weigh(self._now_us)
        self._suspect()
        self._watch_wiring()
        self._kings.go_home(beam)
        if not self.is_handling:
            self._kings.end_game(beam, self._final[-1], self._now_us, self._habits)
        if self._kings.result is not None:
            self._conclude()
            return
        if self._is_announceable(beam.best):
            self._announce(beam.best)
        self._look_us = None
        is_stuck = self._finalise()
        self._asking.watch(beam, self._final[-1], self._now_us, is_stuck=is_stuck)
        if are_in_the_centre(beam.best, beam.shown_of(beam.best)):
            self._look_us = earliest(self._look_us, self._later_us())

    def _suspect(self) -> None:
        """Think of faults of the board where no game makes sense: the truth seems to be missing."""
        beam, first = self._beam, self._final[-1]
        best = beam.best
        is_news = self._suspects and self._suspected_us != self._touched_us
        if self.is_paused or not is_news or best.depth < first:
            return
        if are_on_their_way(best, beam.shown_of(best)):
            return  # what they mean makes sense
        usual = usual_price(best, first) * (best.depth - first)
        surprise = beam.prices[0] - best.at(first).paid - usual
        # From here on a fault is probable enough to keep a ply from being final.
        matters = cost(constants.P_DEAD) - cost(self._limits[-1])
        if surprise > matters or has_changed_at_once(best):
            self._suspected_us = self._touched_us
            is_stuck = not best.at_rest and self._now_us - best.off_us > STUCK_US
            if self._wirings and is_stuck:
                self._wirings.suspect(best, beam.shown, self._habits)
            beam.suspect(self._now_us, self._habits)
            beam.weigh(self._now_us)

    def _watch_wiring(self) -> None:
        """Find out whether another wiring makes more sense, as long as the game is young."""
        if self._wirings is None or self._wrong_wiring is not None:
            return
        if self._final[-1] >= YOUNG_PLIES:
            self._wirings = None
        else:
            price, ply = self._beam.prices[0], self._game.depth
            self._wrong_wiring = self._wirings.found(price, ply, self._now_us)

    def _conclude(self) -> None:
        """The kings have ended a game: its plies are final but those that are still doubtful."""
        game, first = self._kings.games[0], self._final[-1]
        self._announce(game)
        self._final = [max(final, self._kings.sure) for final in self._final]
        self._doubts = [1.0] * (game.depth - self._final[-1])
        self._settle(first)
        is_fresh = self._now_us - self._touched_us < LAST_LOOK_US
        self._look_us = self._later_us() if is_fresh else None

    def _use_answer(self, answer: Answer) -> None:
        """Keep the games that agree with an answer; all plies up to it are final."""
        beam, first = self._beam, self._final[-1]
        if not any(map(answer.agrees, beam.games)):
            return  # play has answered meanwhile
        plies = self._confirmed = answer.ply + 1
        beam.keep_only(answer.agrees)
        self._kings.keep_only(answer.agrees)
        self._asking.close()
        sure = beam.best.at(plies)
        if self._game.shared_with(sure) < plies:
            self._announce(sure)
        self._final = [max(final, plies) for final in self._final]
        self._settle(first)
        self._decide()

    def _is_announceable(self, best: Hypothesis) -> bool:
        """True if the board shows the game, but for pieces of the next player."""
        if self.is_paused:
            return False
        shown = self._beam.shown_of(best)
        if shown & ~best.occupied or best.others & ~shown:
            return False
        if best.occupied != shown and self._is_earlier(best):
            return False  # a piece is in the hand again: what becomes of its ply will be seen
        # Contract: not before the reply has landed, or a player has confirmed it.
        is_shown = not (best.is_unseen or best.is_hidden)
        return is_shown or best.depth <= self._confirmed

    def _is_earlier(self, best: Hypothesis) -> bool:
        """True if the announced game has come from this one."""
        game = self._game
        return game.depth > best.depth and game.at(best.depth) is best

    def _announce(self, game: Hypothesis) -> None:
        if game is self._game:
            return
        shared = self._game.shared_with(game)
        if game.depth > shared < self._game.depth:
            was, now = self._game.at(shared + 1), game.at(shared + 1)
            if not (was.move and now.way.passed >> was.move.target & 1):
                self._habits.of(ply_color(was)).minds += 1
        self._game = game
        self._final = [min(final, shared) for final in self._final]
        self._learnt = min(self._learnt, shared)
        self._confirmed = min(self._confirmed, max(shared, game.depth))

    def _finalise(self) -> bool:
        """Reckon the doubts of all plies that are not final for everybody.

        Return True if a ply is stuck: hands are done with it, but rivals forbid that it is final.
        """
        game, beam = self._game, self._beam
        first, shown = self._final[-1], beam.shown_of(game)
        is_read = game is beam.best and not self.is_paused
        if not is_read or game.depth <= first or unshown(game, shown).handled:
            self._doubts = [1.0] * (game.depth - first)
            if self._now_us - self._touched_us < LAST_LOOK_US:
                self._look_us = self._later_us()
            return False
        steady = self._doubts_by_rivals()
        doubts = [
            doubt + unfinished(game, first + n, shown, self._now_us, self._habits)
            for n, doubt in enumerate(steady)
        ]
        is_stuck = False
        if self.is_handling:
            self._look_us = self._later_us()
        else:
            for at, limit in enumerate(self._limits):
                while self._final[at] < game.depth and doubts[self._final[at] - first] < limit:
                    self._final[at] += 1
            is_stuck = self._is_stuck(doubts, steady, first)
            self._plan_look(steady, first)
        self._doubts = doubts[self._final[-1] - first :]
        self._settle(first)
        return is_stuck and game.occupied == shown

    def _doubts_by_rivals(self) -> list[float]:
        """Return the doubts about each ply of the best game that time does not change."""
        beam, first = self._beam, self._final[-1]
        by_kings = doubts_by_kings(beam, first, self._now_us, self._habits)
        steady = [sum(doubts) for doubts in zip(rival_weights(beam, first), by_kings, strict=True)]
        price, usual = beam.prices[0], usual_price(beam.best, first)
        for n in range(len(steady)):
            steady[n] += p_truth_missing(beam.best, price, first + n, usual)
            steady[n] += p_unproved(beam.best)
        return steady

    def _is_stuck(self, doubts: list[float], steady: list[float], first: int) -> bool:
        """True if rivals alone keep a ply from being final; doubts are those since ``first``."""
        if self._now_us - self._game.landed_us < constants.MIND_US * 3 // 2:
            return False  # the hand is still at the last ply
        return any(
            doubts[final - first] - steady[final - first] < limit <= steady[final - first]
            for limit, final in zip(self._limits, self._final, strict=True)
            if final < self._game.depth
        )

    def _settle(self, first: int) -> None:
        """What is final for everybody has no rivals any more, and players are known by it."""
        final = self._final[-1]
        if final == first:
            return
        mine = self._game.at(final).moves(first)
        beam = self._beam
        beam.keep_only(lambda game: game.depth >= final and game.at(final).moves(first) == mine)
        for ply in range(max(first, self._learnt), final):
            learn_ply(self._game.at(ply + 1), self._habits)
        self._learnt = final

    def _plan_look(self, steady: list[float], first: int) -> None:
        """Find out when the next ply becomes final if no switch changes."""
        looks_us = []
        for at, limit in enumerate(self._limits):
            ply = self._final[at]
            if ply == self._game.depth:
                continue
            left = limit - steady[ply - first]
            shown = self._beam.shown_of(self._game)
            look_us = when_final(self._game, ply, shown, self._now_us, left, self._habits)
            looks_us.append(look_us or self._later_us())
        self._look_us = min(looks_us, default=None)

    def _later_us(self) -> int:
        """When doubts that fall slowly are worth another look."""
        return self._now_us + max(FIRST_LOOK_US, (self._now_us - self._touched_us) // 2)


def _has_moved(game: Hypothesis, color: Color, shown: Bitboard) -> bool:
    """True if this player has made the last ply of a game and the board shows it."""
    return game.position.turn != color and game.move is not None and game.occupied == shown
