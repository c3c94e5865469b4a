"""Scores in words: a table with a column for each kind of hands, and a line for each failure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

import msgspec

from boardfw.shell.accuracy.score import GameScore
from boardfw.shell.accuracy.summary import KindSummary

GAP = "  "


def table(summaries: Sequence[KindSummary]) -> Iterator[str]:
    """The lines of the table."""
    columns = [_column(summary) for summary in summaries]
    names = list(columns[0])
    first = max(map(len, names))
    widths = [max(map(len, column.values())) for column in columns]
    for name in names:
        cells = [column[name].rjust(w) for column, w in zip(columns, widths, strict=True)]
        yield GAP.join([name.ljust(first), *cells])


def _column(all_of: KindSummary) -> dict[str, str]:
    """What is said of a kind of hands, by the name of the row."""
    return {
        "hands": all_of.kind,
        "games exact": f"{all_of.games_exact}/{all_of.games}",
        "plies exact": f"{all_of.plies_exact}/{all_of.plies}",
        "finals": str(all_of.finals),
        "wrong finals": str(all_of.wrong_finals),
        "finals undone": str(all_of.finals_undone),
        "wrong for 1 s or longer": str(all_of.wrong_long),
        "take-backs nobody made": str(all_of.unmade),
        "questions": str(all_of.asked),
        "amendments a game": _a_game(all_of.amended, all_of),
        "provisional plies a game": _a_game(all_of.provisional, all_of),
        "announced after, median": _ms(all_of.delay_50_us),
        "95 of 100 by": _ms(all_of.delay_95_us),
        "99 of 100 by": _ms(all_of.delay_99_us),
        "processor time a game": _ms(all_of.cost_us // all_of.games),
        "slowest event": _ms(all_of.slowest_us, places=1),
    }


def _a_game(count: int, all_of: KindSummary) -> str:
    return f"{count / all_of.games:.1f}"


def _ms(time_us: int | None, places: int = 0) -> str:
    return "-" if time_us is None else f"{time_us / 1000:.{places}f} ms"


def failures(scores: Iterable[GameScore]) -> Iterator[str]:
    """A line for each game that was not recorded exactly, or of which something wrong was sent."""
    for score in scores:
        wrong = [*_partings(score), *_several(score), *_wrong_finals(score)]
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


def _wrong_finals(score: GameScore) -> Iterator[str]:
    for wrong in score.wrong_finals[:1]:
        when = f"at {wrong.t_us / 1_000_000:.2f} s"
        many = f"wrong finals: {len(score.wrong_finals)}, the first"
        yield f"{many} of ply {wrong.ply}, {wrong.uci} for {wrong.played or 'nothing'} {when}"


def as_json(
    summaries: Sequence[KindSummary], scores: Sequence[GameScore], given: dict[str, Any]
) -> str:
    """Everything, as one JSON object: ``given``, ``kinds``, ``games``; times in microseconds."""
    games = [asdict(score) | {"exact": score.exact} for score in scores]
    whole = {"given": given, "kinds": [asdict(one) for one in summaries], "games": games}
    return msgspec.json.format(msgspec.json.encode(whole), indent=1).decode()
