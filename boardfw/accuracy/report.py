"""The scores of many games, summed for each kind of hands, as a table and a line per failure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import msgspec

from boardfw.accuracy.chain_score import ChainScore
from boardfw.accuracy.playing import Score
from boardfw.accuracy.score import GameScore, Wrong

GAP = "  "
WIDEST = 100
"""Letters in a line; where more kinds of hands were asked for, the table goes on below."""
UNSEEN = "not counted: unseen"
"""The row of games, and of chains, of which no switch and no later ply tells which they were."""
Column = dict[str, str]
"""What is said of a kind of hands, by the name of the row."""


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
    ghosts: int
    stuck_wrong: int
    delay_50_us: int | None
    delay_95_us: int | None
    delay_99_us: int | None
    cost_us: int
    """Processor time of all games together."""
    slowest_us: int

    def column(self) -> Column:
        """What the table says of it."""
        played = self.games + self.unseen
        return {
            "hands": self.kind,
            "games exact": f"{self.games_exact}/{self.games}",
            UNSEEN: str(self.unseen),
            "plies exact": f"{self.plies_exact}/{self.plies}",
            "wrong finals": f"{self.wrong_finals} of {self.finals:,}",
            "finals undone": str(self.finals_undone),
            "wrong for 1 s or longer": str(self.wrong_long),
            "ghosts": str(self.ghosts),
            "wrongly called stuck": str(self.stuck_wrong),
            "false take-backs": str(self.unmade),
            "questions": str(self.asked),
            "amendments a game": f"{self.amended / played:.1f}",
            "provisional plies a game": f"{self.provisional / played:.1f}",
            "announced after, median": _ms(self.delay_50_us),
            "95 of 100 by": _ms(self.delay_95_us),
            "99 of 100 by": _ms(self.delay_99_us),
            "processor time a game": _ms(self.cost_us // played),
            "slowest event": _ms(self.slowest_us, places=1),
        }


@dataclass(frozen=True, slots=True)
class ChainSummary:
    """All chains of one kind of hands.

    Those that end with a capture which no switch has seen are counted, ``unseen``, and nothing
    else is counted of them.
    """

    kind: str
    chains: int
    chains_exact: int
    plies: int
    too_many: int
    too_few: int
    results_wrong: int
    finals: int
    wrong_finals: int
    stuck: int
    """Chains in which a switch was called stuck that is not."""
    unseen: int

    def column(self) -> Column:
        """What the table says of it."""
        return {
            "hands": self.kind,
            "chains exact": f"{self.chains_exact}/{self.chains}",
            "plies played": str(self.plies),
            "plies too many": str(self.too_many),
            "plies too few": str(self.too_few),
            "wrong results": str(self.results_wrong),
            "wrong finals": f"{self.wrong_finals} of {self.finals:,}",
            "a switch called stuck": str(self.stuck),
            UNSEEN: str(self.unseen),
        }


def summarise(scores: Iterable[GameScore]) -> list[KindSummary]:
    """One summary for each kind of hands, in the order in which the kinds first come."""
    return [_summary(kind, games) for kind, games in _by_kind(scores).items()]


def summarise_chains(scores: Iterable[ChainScore]) -> list[ChainSummary]:
    """The same of chains of games."""
    return [_chain_summary(kind, chains) for kind, chains in _by_kind(scores).items()]


def _by_kind(scores: Iterable[Score]) -> dict[str, list[Score]]:
    kinds: dict[str, list[Score]] = {}
    for score in scores:
        kinds.setdefault(score.kind, []).append(score)
    return kinds


COUNTED = (
    *("plies", "plies_exact", "provisional", "amended", "take_backs", "unmade", "asked"),
    *("finals", "finals_undone", "stuck_wrong"),
)
"""What is summed of games."""


def _summary(kind: str, games: Sequence[GameScore]) -> KindSummary:
    unseen = sum(game.is_unseen for game in games)
    delays = sorted(delay for game in games for delay in game.delays_us)
    return KindSummary(
        kind=kind,
        games=len(games) - unseen,
        unseen=unseen,
        games_exact=sum(game.exact for game in games),
        wrong_finals=sum(len(game.wrong_finals) for game in games),
        wrong_long=sum(len(game.wrong_long) for game in games),
        ghosts=sum(len(game.ghosts) for game in games),
        delay_50_us=percentile(delays, 50),
        delay_95_us=percentile(delays, 95),
        delay_99_us=percentile(delays, 99),
        cost_us=sum(game.cost.total_us for game in games),
        slowest_us=max(game.cost.slowest_us for game in games),
        **_sums(games, *COUNTED),
    )


def _chain_summary(kind: str, chains: Sequence[ChainScore]) -> ChainSummary:
    seen = [chain for chain in chains if not chain.is_unseen]
    return ChainSummary(
        kind=kind,
        chains=len(seen),
        chains_exact=sum(chain.exact for chain in seen),
        wrong_finals=sum(len(chain.wrong_finals) for chain in seen),
        stuck=sum(chain.is_stuck for chain in seen),
        unseen=len(chains) - len(seen),
        **_sums(seen, "plies", "too_many", "too_few", "results_wrong", "finals"),
    )


def _sums(scores: Sequence[Score], *names: str) -> dict[str, int]:
    """What the scores have of these, all together."""
    return {name: sum(getattr(score, name) for score in scores) for name in names}


def percentile(ordered: Sequence[int], percent: int) -> int | None:
    """The smallest value that so many in a hundred do not exceed; None of none."""
    return ordered[-(-len(ordered) * percent // 100) - 1] if ordered else None


def table(summaries: Sequence[KindSummary | ChainSummary]) -> Iterator[str]:
    """The lines of the table."""
    columns = [summary.column() for summary in summaries]
    names = list(columns[0])
    first = max(map(len, names))
    for n, part in enumerate(_parts(columns, WIDEST - first)):
        if n:
            yield ""
        widths = list(map(_width, part))
        for name in names:
            cells = [column[name].rjust(width) for column, width in zip(part, widths, strict=True)]
            yield GAP.join([name.ljust(first), *cells])


def _parts(columns: Sequence[Column], room: int) -> Iterator[list[Column]]:
    """As many columns as there is room for beside one another, then the next ones."""
    part: list[Column] = []
    for column in columns:
        if part and sum(len(GAP) + _width(one) for one in [*part, column]) > room:
            yield part
            part = []
        part.append(column)
    yield part


def _width(column: Column) -> int:
    return max(map(len, column.values()))


def _ms(time_us: int | None, places: int = 0) -> str:
    return "-" if time_us is None else f"{time_us / 1000:.{places}f} ms"


def failures(scores: Iterable[GameScore | ChainScore]) -> Iterator[str]:
    """A line for each game, or chain, that was not recorded exactly though it could be, or of which
    something wrong was sent."""
    for score in scores:
        if isinstance(score, ChainScore):
            wrong = [] if score.is_good else [*_chain_faults(score)]
            who = f"{score.kind} chain {score.number} (seed {score.seed})"
        else:
            wrong = [*_partings(score), *_wrong_finals(score.wrong_finals)]
            who = f"{score.kind} game {score.number} ({score.name}, seed {score.seed})"
        if wrong:
            yield f"{who}: {'; '.join(wrong)}"


def _partings(score: GameScore) -> Iterator[str]:
    if parting := score.parting:
        tags = f" [{', '.join(parting.tags)}]" if parting.tags else ""
        played, recorded = parting.played or "nothing", parting.recorded or "nothing"
        yield f"ply {parting.ply} was {played}{tags}, recorded {recorded}"
        yield "the board asked" if parting.asked else "no question"
    if score.games > 1:
        yield f"{score.games} games recorded"


def _chain_faults(score: ChainScore) -> Iterator[str]:
    counted = (
        (score.too_many, "plies too many"),
        (score.too_few, "plies too few"),
        (score.results_wrong, "wrong results"),
    )
    yield from (f"{what}: {count}" for count, what in counted if count)
    yield from _wrong_finals(score.wrong_finals)
    if score.is_stuck:
        yield "a switch was called stuck"


def _wrong_finals(finals: Sequence[Wrong]) -> Iterator[str]:
    for wrong in finals[:1]:
        when = f"at {wrong.t_us / 1_000_000:.2f} s"
        many = f"wrong finals: {len(finals)}, the first"
        yield f"{many} of ply {wrong.ply}, {wrong.uci} for {wrong.played or 'nothing'} {when}"


def as_json(
    name: str,
    summaries: Sequence[KindSummary | ChainSummary],
    scores: Sequence[GameScore | ChainScore],
    given: dict[str, Any],
) -> str:
    """Everything as one JSON object, times in microseconds: ``given``, ``kinds``, and the scores by
    this ``name``."""
    each = [asdict(score) | {"exact": score.exact} for score in scores]
    whole = {"given": given, "kinds": [asdict(one) for one in summaries], name: each}
    return msgspec.json.format(msgspec.json.encode(whole), indent=1).decode()
