"""The hypotheses that are still credible, and how their probabilities are reckoned."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import exp

from boardfw.inference.reading.growing import continued
from boardfw.inference.reading.habits import Habits
from boardfw.inference.reading.hands import charge_straightened_victim, explain_passing
from boardfw.inference.reading.hypothesis import Hypothesis
from boardfw.inference.reading.parking import with_parked
from boardfw.inference.reading.promoting import chosen_again
from boardfw.inference.reading.standing import price_of, watch_board
from boardfw.inference.reading.suspecting import is_reviving, revive, suspects
from boardfw.inference.reading.touches import Touch
from boardfw.inference.reading.unseen_plies import games_unseen
from boardfw.squares import Bitboard, Square

WIDTH = 24
"""Hypotheses that are kept at most."""
CUTOFF = 22.0
"""Nats by which a hypothesis may cost more than the best one: a part in four thousand million."""
MOST_SUSPECTED = 4
"""Of the games that make no sense, so many are thought about on boards with faults."""
SUSPECT_CUTOFF = 16.0
"""A fault that costs more does not count yet: it may be thought of again at the next touch."""
SAME_US = 500_000
"""A game whose last ply landed at another time is another explanation of the touches."""


class Beam:
    """The credible hypotheses, the best one first, on a board that shows something since when."""

    def __init__(
        self, games: Iterable[Hypothesis], shown: Bitboard, t_us: int, width: int = WIDTH
    ) -> None:
        """One of ``games``, the likeliest first, is watched; ``width`` of them are kept at most."""
        self._width = width
        self.games = list(games)
        self.prices = [game.paid for game in self.games]
        """Nats for each of the games."""
        self.shown = shown
        self.since_us = t_us
        self._touched_us: dict[Square, int] = {}
        """When the switches that have changed since then did so last."""
        for game in self.games:
            watch_board(game, game.occupied, game.as_shown(shown), t_us, t_us)

    @property
    def best(self) -> Hypothesis:
        """The most probable hypothesis."""
        return self.games[0]

    def take(self, touch: Touch, shown: Bitboard, now_us: int, habits: Habits) -> None:
        """Let every hypothesis explain a touch, as it can; the board shows ``shown`` then."""
        before, since_us = self.shown, self.since_us
        t_us = max(touch.t_us, since_us) if shown != before else since_us
        games: list[Hypothesis] = []
        for game in self.games:
            if game.dead >> touch.square & 1:
                revive(game, touch)
            seen = game.as_shown(shown)
            is_told = not (game.faults and is_reviving(game, touch, shown))
            if is_told:
                if game.at_rest:
                    game.settle_touches(touch.t_us)
                game.loose += (touch,)
                explain_passing(game, touch, seen, habits)
            if shown != before:
                watch_board(game, game.as_shown(before), seen, t_us, since_us)
            games += chosen_again(game, touch, seen) if is_told else [game]
            if is_told and (parked := with_parked(game, touch, shown)):
                games.append(parked)
        self.shown, self.since_us = shown, t_us
        self._touched_us[touch.square] = touch.t_us
        self.games = games
        self.grow(now_us, habits, touch)

    def suspect(self, now_us: int, habits: Habits) -> None:
        """Let faults of the board explain what the best games do not."""
        limit = min(self.prices) + SUSPECT_CUTOFF
        found = [
            one
            for game in self.games[:MOST_SUSPECTED]
            for one in suspects(game, self.shown, self._touched_us, now_us)
            if self.price_of(one, now_us) < limit
        ]
        if found:
            self.games += found
            self.grow(now_us, habits)

    def bridge_gap(self, now_us: int) -> None:
        """Add the games with plies that were made while nobody watched, and look for the next."""
        new = [found for game in self.games for found in games_unseen(game, self.shown, now_us)]
        for game in new:
            watch_board(game, game.occupied, self.shown_of(game), now_us, now_us)
        self._prune(self.games + new, now_us)

    def weigh(self, now_us: int) -> None:
        """Reckon all prices anew and put the best game first."""
        priced = sorted(
            ((self.price_of(game, now_us), n) for n, game in enumerate(self.games)),
        )
        self.games = [self.games[n] for _, n in priced]
        self.prices = [price for price, _ in priced]

    def keep_only(self, agrees: Callable[[Hypothesis], bool]) -> None:
        """Drop the hypotheses that do not agree with what is certain; the best one does."""
        kept = [n for n, game in enumerate(self.games) if agrees(game)]
        self.games = [self.games[n] for n in kept]
        self.prices = [self.prices[n] for n in kept]

    def weights(self) -> list[float]:
        """Return the probability of each of the games, as of when they were weighed."""
        best = self.prices[0]
        weights = [exp(best - price) for price in self.prices]
        total = sum(weights)
        return [weight / total for weight in weights]

    def shown_of(self, game: Hypothesis) -> Bitboard:
        """Return what the board shows of a game."""
        return game.as_shown(self.shown)

    def price_of(self, game: Hypothesis, now_us: int) -> float:
        """Return what a game costs now, in nats."""
        standing = price_of(game, self.shown_of(game), now_us, self.since_us)
        return game.paid + game.loose_price + standing

    def grow(self, now_us: int, habits: Habits, touch: Touch | None = None) -> None:
        """Add the games that may have come of these; ``touch``: the newest, if it is new."""
        fresh = held = self.games
        for _ in range(2):  # a ply, and what its reply has shown already
            new: list[Hypothesis] = []
            for game in fresh:
                new += continued(game, self.shown, now_us, self.since_us, habits)
            for game in new:
                watch_board(game, game.occupied, self.shown_of(game), self.since_us, self.since_us)
            if touch:
                for game in held:
                    charge_straightened_victim(game, touch, self.shown_of(game))
            held = []
            kept = self._prune(self.games + new, now_us)
            fresh = [game for game in new if id(game) in kept and not game.at_rest]
            if not fresh:
                break

    def _prune(self, games: Iterable[Hypothesis], now_us: int) -> set[int]:
        """Keep the credible games, each once; return their identities."""
        priced = sorted(
            ((self.price_of(game, now_us), n, game) for n, game in enumerate(games)),
        )
        limit = priced[0][0] + CUTOFF
        kept: dict[object, tuple[float, Hypothesis]] = {}
        for price, _, game in priced:
            if price > limit or len(kept) == self._width:
                break
            if game.faults and _is_needless(game, self.shown, kept.values()):
                continue
            kept.setdefault(_identity(game), (price, game))
        self.prices = [price for price, _ in kept.values()]
        self.games = [game for _, game in kept.values()]
        return {id(game) for game in self.games}


def _is_needless(
    game: Hypothesis, board: Bitboard, kept: Iterable[tuple[float, Hypothesis]]
) -> bool:
    """True if one of its faults makes no difference now: it may be thought of again."""
    wrong = game.occupied ^ board
    return any(
        other.dead != game.dead
        and not other.dead & ~game.dead
        and not game.dead & ~other.dead & wrong
        and other.line == game.line
        for _, other in kept
    )


def _identity(game: Hypothesis) -> object:
    """What makes two hypotheses the same for all that may follow.

    Two that differ in a ply never become one: they stay rivals until it is final.
    """
    return (
        game.line,
        game.landed_us // SAME_US,
        game.choice.put_back if game.choice else 0,
        game.dead,
    )
