"""The hypotheses that are still credible, and how their probabilities are reckoned."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import exp

from boardfw.inference.reading.faults import Fault
from boardfw.inference.reading.gaps import reordered
from boardfw.inference.reading.growing import choose_again, continued
from boardfw.inference.reading.habits import Habits
from boardfw.inference.reading.hands import charge_straightened_victim, explain_passing
from boardfw.inference.reading.hypothesis import Hypothesis
from boardfw.inference.reading.standing import price_of, watch_board
from boardfw.inference.reading.suspecting import is_disbelieved, suspects
from boardfw.inference.reading.touches import Touch
from boardfw.rules.position import Position
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

    def __init__(self, start: Position, shown: Bitboard, faults: tuple[Fault, ...] = ()) -> None:
        self.games = [Hypothesis(start, 0.0, None, None, faults)]
        self.prices = [0.0]
        """Nats for each of the games."""
        self.shown = shown
        self.since_us = 0
        self.touched_us: dict[Square, int] = {}
        """When the switches that have changed since the game began did so last."""
        root = self.games[0]
        watch_board(root, root.occupied, root.seen(shown), 0, 0)

    @property
    def best(self) -> Hypothesis:
        """The most probable hypothesis."""
        return self.games[0]

    def take(self, touch: Touch, shown: Bitboard, now_us: int, habits: Habits) -> None:
        """Let every hypothesis explain a touch, as it can; the board shows ``shown`` then."""
        before, since_us = self.shown, self.since_us
        t_us = max(touch.t_us, since_us)
        self.touched_us[touch.square] = touch.t_us
        games = []
        for game in self.games:
            if game.faults and is_disbelieved(game, touch, shown):
                games.append(game)
                continue
            seen = shown & ~game.dead
            if game.at_rest:
                game.settle_touches(touch.t_us)
            game.loose += (touch,)
            explain_passing(game, touch, seen, habits)
            watch_board(game, before & ~game.dead, seen, t_us, since_us)
            games.append(choose_again(game, touch))
        self.shown, self.since_us = shown, t_us
        self.games = games
        self._grow(self.games, touch, now_us, habits)

    def weigh(self, now_us: int) -> None:
        """Reckon all prices anew and put the best game first."""
        priced = sorted(
            ((self._price(game, now_us), n) for n, game in enumerate(self.games)),
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

    def _price(self, game: Hypothesis, now_us: int) -> float:
        seen = self.shown & ~game.dead
        return game.paid + game.loose_price + price_of(game, seen, now_us, self.since_us)

    def suspect(self, now_us: int, habits: Habits) -> None:
        """Let faults of the board explain what the best games do not."""
        found: list[Hypothesis] = []
        for game in self.games[:MOST_SUSPECTED]:
            found += suspects(game, self.shown, self.touched_us, now_us)
        limit = min(self.prices) + SUSPECT_CUTOFF
        found = [game for game in found if self._price(game, now_us) < limit]
        self.games = [*self.games, *found]
        self._grow(found, None, now_us, habits)

    def _grow(
        self, games: list[Hypothesis], touch: Touch | None, now_us: int, habits: Habits
    ) -> None:
        """Let games go on by what the board shows; ``touch``: the newest, which is new to them."""
        shown = self.shown
        fresh = games
        held = games if touch else []
        for _ in range(2):  # a ply, and what its reply has shown already
            new: list[Hypothesis] = []
            for game in fresh:
                new += continued(game, shown & ~game.dead, now_us, self.since_us, habits)
            new += [other for game in new for other in reordered(game)]
            for game in new:
                seen = shown & ~game.dead
                watch_board(game, game.occupied, seen, self.since_us, self.since_us)
            for game in held:
                assert touch is not None  # noqa: S101  # nothing is held without one
                charge_straightened_victim(game, touch, shown & ~game.dead)
            held = []
            kept = self._prune(self.games + new, now_us)
            fresh = [game for game in new if id(game) in kept and not game.at_rest]
            if not fresh:
                break

    def _prune(self, games: Iterable[Hypothesis], now_us: int) -> set[int]:
        """Keep the credible games, each once; return their identities."""
        priced = sorted(
            ((self._price(game, now_us), n, game) for n, game in enumerate(games)),
        )
        limit = priced[0][0] + CUTOFF
        kept: dict[object, tuple[float, Hypothesis]] = {}
        for price, _, game in priced:
            if price > limit or len(kept) == WIDTH:
                break
            identity = _identity(game)
            if game.faults and _is_needless(game, self.shown, kept.values()):
                continue
            if game.faults or game.is_vague:
                # Other plies may have gone before, of which nothing was seen.
                identity = identity, game.line, game.dead
            kept.setdefault(identity, (price, game))
        self.prices = [price for price, _ in kept.values()]
        self.games = [game for _, game in kept.values()]
        return {id(game) for game in self.games}


def _is_needless(
    game: Hypothesis, shown: Bitboard, kept: Iterable[tuple[float, Hypothesis]]
) -> bool:
    """True if one of its faults makes no difference now: it may be thought of again."""
    wrong = game.position.occupied ^ shown
    return any(
        other.line == game.line
        and other.dead != game.dead
        and not other.dead & ~game.dead
        and not game.dead & ~other.dead & wrong
        for _, other in kept
    )


def _identity(game: Hypothesis) -> object:
    """What makes two hypotheses the same for all that may follow."""
    before = game.before
    return (
        game.position.key,
        game.depth & 1,
        game.move,
        before.move if before else None,
        game.landed_us // SAME_US,
    )
