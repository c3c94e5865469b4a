"""Re-estimate the constants of the reader on trial from games that are known.

    python -m tests.bench.estimate --hands club,elder --games 5 --seed 1
    python -m tests.bench.estimate --foreign club,elder --games 5 --seed 1
    python -m tests.bench.estimate TRACE...     # beside each TRACE.trace.jsonl lies TRACE.pgn

Prints a row of Markdown for each constant: its value in the code, its source, and for each group
of games the estimate and how many cases it rests on. A row without an estimate is a constant of
which traces say nothing: a limit, or a price of what hardly ever happens.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from boardfw.accuracy.games import games_of
from boardfw.accuracy.reading_evidence import Estimate, cases_of, constants_in_use, estimate
from boardfw.recording import Recording
from boardfw.shell.replay import load, stem_of
from tests.bench.reading_games import foreign_games, simulated_games
from tests.bench.two_readers import truth_of

LONG_US = 1_000_000
Game = tuple[Recording, Sequence[str]]


def recorded_games(traces: Iterable[Path]) -> Iterator[Game]:
    """Yield traces and the games in the PGN files beside them."""
    for trace in traces:
        beside = trace.with_name(f"{stem_of(trace)}.pgn")
        if beside.is_file():
            (played,) = islice(games_of([str(beside)], None, 0), 1)
            moves: Sequence[str] | None = played.moves
        else:
            moves = truth_of(trace)
        if moves is None:
            raise SystemExit(f"{trace}: there is no {beside.name} beside it")
        yield load(trace), moves


def shown(value: float, unit: str) -> str:
    """Return a value as text, times in seconds or milliseconds."""
    if unit != "us":
        return f"{value:.3g}"
    return f"{value / 1e6:.3g} s" if value >= LONG_US else f"{value / 1000:.3g} ms"


def table(groups: dict[str, dict[str, Estimate]]) -> Iterator[str]:
    """Yield the lines of the table: a row for each constant, a column for each group of games."""
    yield " | ".join(["| constant", "value", "source", *groups]) + " |"
    yield "|---" * (3 + len(groups)) + "|"
    for one in constants_in_use():
        cells = [f"`{one.name}`", one.class_of or shown(one.value, one.unit), one.source]
        for found in groups.values():
            known = found.get(one.name)
            cells.append(f"{shown(known.value, one.unit)} ({known.cases:,})" if known else "")
        yield f"| {' | '.join(cells)} |"


def main() -> None:
    """Read the command line, read the games, and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("traces", nargs="*", type=Path)
    parser.add_argument("--hands", help="kinds of simulated hands, with commas")
    parser.add_argument("--foreign", help="kinds of foreign hands, with commas")
    parser.add_argument("--games", type=int, default=3, help="of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--play", nargs="*", default=[], help="files of games for --hands")
    given = parser.parse_args()
    groups: dict[str, Iterator[Game]] = {}
    if given.hands:
        played = simulated_games(given.hands.split(","), given.games, given.seed, given.play)
        groups["simulated"] = ((game.recording(), game.truth.moves) for game in played)
    if given.foreign:
        played = foreign_games(given.foreign.split(","), given.games, given.seed)
        groups["foreign"] = ((game.recording(), game.truth.moves) for game in played)
    if given.traces:
        groups["traces"] = recorded_games(given.traces)
    found = {name: estimate(cases_of(games)) for name, games in groups.items()}
    print(*table(found), sep="\n")


if __name__ == "__main__":
    main()
