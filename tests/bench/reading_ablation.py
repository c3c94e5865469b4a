"""How much hangs on each constant of the reader on trial: every one halved, and doubled.

    python -m tests.bench.reading_ablation --games 2 --seed 1 --play GAMES.pgn

The same games are read again in each row: --games of each kind of simulated and of foreign hands,
and eight scenes in which a piece is held. A row shows how many games were exact, how many finals
were wrong for an engine and for a server, in how many scenes the held piece was announced, after
how many seconds plies were final for a server (median and 95 of 100), the calibration error, and in
what the row is worse than the first one, in which nothing is changed.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from boardfw.accuracy.playing import Recorded
from boardfw.accuracy.reading_evidence import constants_in_use
from boardfw.accuracy.report import percentile
from boardfw.accuracy.score import Cost, score_game
from boardfw.inference.reading import constants
from hardware.sim.hand_profiles import ANY, HAND_PROFILES
from tests.bench.reading_games import foreign_games, simulated_games
from tests.bench.reading_trial import read_recording
from tests.bench.two_readers import Reliability, final_delays
from tests.inference.reading.table import table_after

FACTORS = (0.5, 2.0)
FOREIGN = "careful,club,clock,dragger,blitz,holder,fidget,changer,child,clumsy,elder,strong,hall"
PROBABLE = 0.95
"""No probability is doubled beyond this."""


class Row(NamedTuple):
    """What the reader made of all games."""

    exact: int
    wrong_engine: int
    wrong_server: int
    ghosts: int
    median_s: float
    late_s: float
    error: float

    def __str__(self) -> str:
        return (
            f"{self.exact} | {self.wrong_engine} / {self.wrong_server} | {self.ghosts} | "
            f"{self.median_s:.2f} / {self.late_s:.2f} | {100 * self.error:.2f} %"
        )

    def cost_against(self, usual: Row) -> str:
        """Return what this row is worse in than the usual one."""
        worse = []
        if self.exact < usual.exact:
            worse.append("games")
        if self.wrong_engine > usual.wrong_engine or self.wrong_server > usual.wrong_server:
            worse.append("finals")
        if self.ghosts > usual.ghosts:
            worse.append("held pieces")
        if self.median_s > 1.1 * usual.median_s or self.late_s > 1.1 * usual.late_s:
            worse.append("delay")
        if self.error > usual.error + 0.002:
            worse.append("calibration")
        return ", ".join(worse)


@contextmanager
def changed(name: str, factor: float) -> Iterator[None]:
    """Let a constant be so many times what it is."""
    value = getattr(constants, name)
    new = value * factor
    if name.startswith("P_"):
        new = min(new, PROBABLE)
    elif isinstance(value, int):
        new = max(1, round(new))
    setattr(constants, name, new)
    try:
        yield
    finally:
        setattr(constants, name, value)


def ghosts() -> int:
    """Return in how many scenes a piece that is only held is announced as a ply."""
    found = 0
    for held_s in (2, 200):
        for straightened in ("", "h2 h2", "a7 a7", "b1 b1 h7 h7"):
            table = table_after("e2e4 e7e5 g1f3 b8c6").touch("f3").wait(500 * held_s)
            table.touch(straightened, every_ms=500).wait(500 * held_s).touch("f3").wait(3_000)
            found += len(table.seen) != 5
    return found


def row_of(games: Iterable[Recorded]) -> Row:
    """Read all games and the scenes."""
    exact = wrong_engine = wrong_server = 0
    delays: list[int] = []
    reliability = Reliability()
    for game in games:
        truth, trial = game.truth, read_recording(game.recording())
        score = score_game(truth, trial.said, Cost())
        exact += score.exact or score.is_unseen
        wrong_server += len(score.wrong_finals)
        wrong_engine += sum(
            not truth.is_played(final.ply - 1, final.uci)
            and not truth.was_shown(final.ply - 1, final.uci, final.t_us)
            for final in trial.engine
        )
        delays += final_delays(truth, (one for together in trial.said for one in together))
        reliability.add(truth, trial)
    delays.sort()
    median_us, late_us = (percentile(delays, part) or 0 for part in (50, 95))
    return Row(
        exact,
        wrong_engine,
        wrong_server,
        ghosts(),
        median_us / 1e6,
        late_us / 1e6,
        reliability.error,
    )


def rows(games: Sequence[Recorded], names: Sequence[str]) -> Iterator[str]:
    """Yield the lines of the table, in Markdown."""
    yield "| | exact | wrong finals | ghosts | final after | calibration | worse in |"
    yield "|---|---|---|---|---|---|---|"
    usual = row_of(games)
    yield f"| as it is, of {len(games)} games | {usual} | |"
    for name in names:
        for factor in FACTORS:
            with changed(name, factor):
                row = row_of(games)
            yield f"| `{name}` × {factor:g} | {row} | {row.cost_against(usual)} |"


def main() -> None:
    """Read the command line, play the games, and print a row for each change."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--hands", default=",".join([*HAND_PROFILES, ANY]))
    parser.add_argument("--foreign", default=FOREIGN)
    parser.add_argument("--games", type=int, default=1, help="of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--play", nargs="*", default=[], help="files of games for --hands")
    parser.add_argument("--only", help="names of constants, with commas")
    given = parser.parse_args()
    played = [
        *simulated_games(given.hands.split(","), given.games, given.seed, given.play),
        *foreign_games(given.foreign.split(","), given.games, given.seed),
    ]
    names = given.only.split(",") if given.only else [one.name for one in constants_in_use()]
    for line in rows(played, names):
        print(line, flush=True)


if __name__ == "__main__":
    main()
