"""What became of many games, for each kind of hands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from boardfw.shell.accuracy.score import GameScore


@dataclass(frozen=True, slots=True)
class KindSummary:
    """All games of one kind of hands. Times in microseconds; None where nothing was recorded.

    ``games`` leaves out those of which nothing can tell how they ended, ``unseen``.
    """

    kind: str
    games: int
    unseen: int
    games_exact: int
    plies: int
    plies_exact: int
    provisional: int
    amended: int
    take_backs: int
    unmade: int
    asked: int
    finals: int
    wrong_finals: int
    finals_undone: int
    wrong_long: int
    delay_50_us: int | None
    delay_95_us: int | None
    delay_99_us: int | None
    cost_us: int
    """Processor time of all games together."""
    slowest_us: int


def summarise(scores: Iterable[GameScore]) -> list[KindSummary]:
    """One summary for each kind of hands, in the order in which the kinds first come."""
    kinds: dict[str, list[GameScore]] = {}
    for score in scores:
        kinds.setdefault(score.kind, []).append(score)
    return [_summary(kind, games) for kind, games in kinds.items()]


def _summary(kind: str, games: Sequence[GameScore]) -> KindSummary:
    unseen = sum(game.is_unseen for game in games)
    delays = sorted(delay for game in games for delay in game.delays_us)
    return KindSummary(
        kind=kind,
        games=len(games) - unseen,
        unseen=unseen,
        games_exact=sum(game.exact for game in games),
        plies=sum(game.plies for game in games),
        plies_exact=sum(game.plies_exact for game in games),
        provisional=sum(game.provisional for game in games),
        amended=sum(game.amended for game in games),
        take_backs=sum(game.take_backs for game in games),
        unmade=sum(game.unmade for game in games),
        asked=sum(game.asked for game in games),
        finals=sum(game.finals for game in games),
        wrong_finals=sum(len(game.wrong_finals) for game in games),
        finals_undone=sum(game.finals_undone for game in games),
        wrong_long=sum(len(game.wrong_long) for game in games),
        delay_50_us=percentile(delays, 50),
        delay_95_us=percentile(delays, 95),
        delay_99_us=percentile(delays, 99),
        cost_us=sum(game.cost.total_us for game in games),
        slowest_us=max(game.cost.slowest_us for game in games),
    )


def percentile(ordered: Sequence[int], percent: int) -> int | None:
    """The smallest value that so many in a hundred do not exceed; None of none."""
    return ordered[-(-len(ordered) * percent // 100) - 1] if ordered else None
