"""How well the reader on trial reads hands, and how well it knows that: a row for each kind.

    python -m tests.bench.reading_row --hands club,elder --foreign elder --games 10 --seed 1

Prints two tables in Markdown. In the first: exact games, wrong finals for an engine and for a
server, seconds until plies are final for both (median, 95 and 99 of 100), and the calibration
error. In the second, the reliability diagram: of the plies announced at about such a probability,
the mean of it, how many of 100 were right, and how many there were.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby, pairwise

from boardfw.accuracy.playing import Recorded
from boardfw.accuracy.report import percentile
from boardfw.accuracy.score import Cost, score_game
from tests.bench.reading_games import foreign_games, simulated_games
from tests.bench.reading_trial import read_recording
from tests.bench.two_readers import BINS, Reliability, final_delays

PARTS = (50, 95, 99)


class Row:
    """What the reader made of some games."""

    def __init__(self) -> None:
        self.games = self.exact = self.plies = 0
        self.wrong = [0, 0]
        """Wrong finals, for an engine and for a server."""
        self.delays_us: tuple[list[int], list[int]] = ([], [])
        self.reliability = Reliability()

    @classmethod
    def of(cls, games: Iterable[Recorded]) -> Row:
        """Read games."""
        row = cls()
        for game in games:
            row.read(game)
        for delays_us in row.delays_us:
            delays_us.sort()
        return row

    def read(self, game: Recorded) -> None:
        """Read a game and count it."""
        truth, trial = game.truth, read_recording(game.recording())
        score = score_game(truth, trial.said, Cost())
        self.games += 1
        self.plies += len(truth.plies)
        self.exact += score.exact or score.is_unseen
        self.wrong[0] += sum(
            not truth.is_played(final.ply - 1, final.uci)
            and not truth.was_shown(final.ply - 1, final.uci, final.t_us)
            for final in trial.engine
        )
        self.wrong[1] += len(score.wrong_finals)
        self.delays_us[0].extend(final_delays(truth, trial.engine))
        self.delays_us[1].extend(final_delays(truth, chain.from_iterable(trial.said)))
        self.reliability.add(truth, trial)

    def delay_s(self, consumer: int, part: int) -> float:
        """Return within how many seconds so many of 100 plies were final; 1: for a server."""
        return (percentile(self.delays_us[consumer], part) or 0) / 1e6

    def __str__(self) -> str:
        engine, server = (
            " ".join(f"{self.delay_s(consumer, part):.2f}" for part in PARTS) for consumer in (0, 1)
        )
        return (
            f"{self.exact} of {self.games} | {self.wrong[0]} / {self.wrong[1]} of {self.plies:,} | "
            f"{engine} | {server} | {100 * self.reliability.error:.1f} %"
        )


def tables(rows: Sequence[tuple[str, Row]]) -> Iterator[str]:
    """Yield the lines of both tables."""
    yield "| hands | exact | wrong finals | engine waits | server waits | calibration error |"
    yield "|---" * 6 + "|"
    yield from (f"| {kind} | {row} |" for kind, row in rows)
    yield ""
    tenths = [100 // BINS * n for n in range(BINS + 1)]
    heads = (f"{low}-{high} %" for low, high in pairwise(tenths))
    yield f"| announced at | {' | '.join(heads)} |"
    yield "|---" * (BINS + 1) + "|"
    for kind, row in rows:
        bins = (
            f"{100 * said:.0f} → {100 * right:.0f} ({count:.0f})" if count else ""
            for count, said, right in row.reliability.bins
        )
        yield f"| {kind} | {' | '.join(bins)} |"


def main() -> None:
    """Read the command line, play the games, and print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--hands", default="", help="kinds of simulated hands, with commas")
    parser.add_argument("--foreign", default="", help="kinds of foreign hands, with commas")
    parser.add_argument("--games", type=int, default=3, help="of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--play", nargs="*", default=[], help="files of games for --hands")
    given = parser.parse_args()
    simulated, foreign = (
        [kind for kind in kinds.split(",") if kind] for kinds in (given.hands, given.foreign)
    )
    rows: list[tuple[str, Row]] = []
    for what, games in (
        ("", simulated_games(simulated, given.games, given.seed, given.play)),
        ("foreign ", foreign_games(foreign, given.games, given.seed)),
    ):
        rows += [
            (what + kind, Row.of(some)) for kind, some in groupby(games, lambda one: one.truth.kind)
        ]
    print(*tables(rows), sep="\n")


if __name__ == "__main__":
    main()
