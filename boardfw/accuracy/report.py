"""The scores of many games, summed for each kind of hands, as a table and a line per failure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import msgspec

from boardfw.accuracy.chain_score import ChainScore
from boardfw.accuracy.playing import Score
from boardfw.accuracy.score import GameScore, Wrong


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
    *("finals", "finals_undone"),
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


GAP = "  "
WIDEST = 100
"""Letters in a line; where more kinds of hands were asked for, the table goes on below."""
UNSEEN = "not counted: capture unseen"
"""The row of games, and of chains, of which no switch and no later ply tells what was taken."""
Column = dict[str, str]
"""What is said of a kind of hands, by the name of the row."""


def table(summaries: Sequence[KindSummary]) -> Iterator[str]:
    """The lines of the table."""
    return _table([_column(summary) for summary in summaries])


def chain_table(summaries: Sequence[ChainSummary]) -> Iterator[str]:
    """The same of chains of games."""
    return _table([_chain_column(summary) for summary in summaries])


def _table(columns: Sequence[Column]) -> Iterator[str]:
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


def _column(all_of: KindSummary) -> Column:
    return {
        "hands": all_of.kind,
        "games exact": f"{all_of.games_exact}/{all_of.games}",
        UNSEEN: str(all_of.unseen),
        "plies exact": f"{all_of.plies_exact}/{all_of.plies}",
        "wrong finals": f"{all_of.wrong_finals} of {all_of.finals:,}",
        "finals undone": str(all_of.finals_undone),
        "wrong for 1 s or longer": str(all_of.wrong_long),
        "false take-backs": str(all_of.unmade),
        "questions": str(all_of.asked),
        "amendments a game": _a_game(all_of.amended, all_of),
        "provisional plies a game": _a_game(all_of.provisional, all_of),
        "announced after, median": _ms(all_of.delay_50_us),
        "95 of 100 by": _ms(all_of.delay_95_us),
        "99 of 100 by": _ms(all_of.delay_99_us),
        "processor time a game": _ms(all_of.cost_us // (all_of.games + all_of.unseen)),
        "slowest event": _ms(all_of.slowest_us, places=1),
    }


def _chain_column(all_of: ChainSummary) -> Column:
    return {
        "hands": all_of.kind,
        "chains exact": f"{all_of.chains_exact}/{all_of.chains}",
        "plies played": str(all_of.plies),
        "plies too many": str(all_of.too_many),
        "plies too few": str(all_of.too_few),
        "wrong results": str(all_of.results_wrong),
        "wrong finals": f"{all_of.wrong_finals} of {all_of.finals:,}",
        "a switch called stuck": str(all_of.stuck),
        UNSEEN: str(all_of.unseen),
    }


def _a_game(count: int, all_of: KindSummary) -> str:
    return f"{count / (all_of.games + all_of.unseen):.1f}"


def _ms(time_us: int | None, places: int = 0) -> str:
    return "-" if time_us is None else f"{time_us / 1000:.{places}f} ms"


def failures(scores: Iterable[GameScore]) -> Iterator[str]:
    """A line for each game that was not recorded exactly, or of which something wrong was sent."""
    for score in scores:
        wrong = [*_partings(score), *_several(score), *_wrong_finals(score.wrong_finals)]
        if wrong:
            who = f"{score.kind} game {score.number} ({score.name}, seed {score.seed})"
            yield f"{who}: {'; '.join(wrong)}"


def _partings(score: GameScore) -> Iterator[str]:
    parting = score.parting
    if parting is None:
        return
    tags = f" [{', '.join(parting.tags)}]" if parting.tags else ""
    played, recorded = parting.played or "nothing", parting.recorded or "nothing"
    yield f"ply {parting.ply} was {played}{tags}, recorded {recorded}"
    yield "the board asked" if parting.asked else "no question"


def _several(score: GameScore) -> Iterator[str]:
    if score.games > 1:
        yield f"{score.games} games recorded"


def chain_failures(scores: Iterable[ChainScore]) -> Iterator[str]:
    """A line for each chain that was not recorded exactly though it could be."""
    for score in scores:
        if not (score.exact or score.is_unseen):
            who = f"{score.kind} chain {score.number} (seed {score.seed})"
            yield f"{who}: {'; '.join(_chain_faults(score))}"


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
    summaries: Sequence[KindSummary], scores: Sequence[GameScore], given: dict[str, Any]
) -> str:
    """Everything, as one JSON object: ``given``, ``kinds``, ``games``; times in microseconds."""
    return _json(given, summaries, "games", scores)


def chains_as_json(
    summaries: Sequence[ChainSummary], scores: Sequence[ChainScore], given: dict[str, Any]
) -> str:
    """The same of chains: ``given``, ``kinds``, ``chains``."""
    return _json(given, summaries, "chains", scores)


def _json(
    given: dict[str, Any],
    summaries: Sequence[KindSummary | ChainSummary],
    name: str,
    scores: Sequence[GameScore | ChainScore],
) -> str:
    each = [asdict(score) | {"exact": score.exact} for score in scores]
    whole = {"given": given, "kinds": [asdict(one) for one in summaries], name: each}
    return msgspec.json.format(msgspec.json.encode(whole), indent=1).decode()
