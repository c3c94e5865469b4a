"""How much hangs on each constant of the reader on trial: every one halved, and doubled.

    python -m tests.bench.reading_ablation --games 2 --seed 1 --play GAMES.pgn

The same games are read again in each row: --games of each kind of simulated and of foreign hands,
and eight scenes in which a piece is held. A row shows how many games were exact, how many finals
were wrong for an engine and for a server, in how many scenes the held piece was announced, after
how many seconds plies were final for a server (median and 95 of 100), the calibration error, and
in what the row is worse than the first one, in which nothing is changed.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from boardfw.accuracy.playing import Recorded
from boardfw.accuracy.reading_evidence import constants_in_use
from boardfw.inference.reading import constants
from hardware.sim.hand_profiles import ANY, HAND_PROFILES
from tests.bench.reading_games import foreign_games, simulated_games
from tests.bench.reading_row import Row
from tests.inference.reading.table import table_after

FACTORS = (0.5, 2.0)
FOREIGN = "club,clock,dragger,blitz,holder,changer,child,elder,strong,hall"
PROBABLE = 0.95
"""No probability is doubled beyond this."""
SLOWER = 1.1
LESS_CALIBRATED = 0.002
"""From here on a delay, or a calibration error, is worse."""


@contextmanager
def changed(name: str, factor: float) -> Iterator[None]:
    """Let a constant be so many times what it is, and all that take its value."""
    value = getattr(constants, name)
    new = value * factor
    names = [name, *(one.name for one in constants_in_use() if one.class_of == name)]
    if isinstance(value, int):
        new = max(1, round(new))
    elif value < 1:
        new = min(new, PROBABLE)
    for one in names:
        setattr(constants, one, new)
    try:
        yield
    finally:
        for one in names:
            setattr(constants, one, value)


def ghosts() -> int:
    """Return in how many scenes a piece that is only held is announced as a ply."""
    found = 0
    for held_s in (2, 200):
        for straightened in ("", "h2 h2", "a7 a7", "b1 b1 h7 h7"):
            table = table_after("e2e4 e7e5 g1f3 b8c6").touch("f3").wait(500 * held_s)
            table.touch(straightened, every_ms=500).wait(500 * held_s).touch("f3").wait(3_000)
            found += len(table.seen) != 5
    return found


def worse_in(row: Row, usual: Row) -> str:
    """Return in what a row is worse than the usual one."""
    slower = [row.delay_s(1, part) > SLOWER * usual.delay_s(1, part) for part in (50, 95)]
    faults = {
        "games": row.exact < usual.exact,
        "finals": any(now > before for now, before in zip(row.wrong, usual.wrong, strict=True)),
        "delay": any(slower),
        "calibration": row.reliability.error > usual.reliability.error + LESS_CALIBRATED,
    }
    return ", ".join(name for name, is_worse in faults.items() if is_worse)


def line(name: str, row: Row, held: int, worse: str) -> str:
    """Return a line of the table."""
    return (
        f"| {name} | {row.exact} | {row.wrong[0]} / {row.wrong[1]} | {held} | "
        f"{row.delay_s(1, 50):.2f} / {row.delay_s(1, 95):.2f} | "
        f"{100 * row.reliability.error:.2f} % | {worse} |"
    )


def lines(games: Sequence[Recorded], names: Sequence[str]) -> Iterator[str]:
    """Yield the lines of the table, in Markdown."""
    yield "| | exact | wrong finals | ghosts | final after | calibration | worse in |"
    yield "|---|---|---|---|---|---|---|"
    usual, held_usually = Row.of(games), ghosts()
    yield line(f"as it is, of {len(games)} games", usual, held_usually, "")
    for name in names:
        for factor in FACTORS:
            with changed(name, factor):
                row, held = Row.of(games), ghosts()
            worse = worse_in(row, usual) + (", held pieces" if held > held_usually else "")
            yield line(f"`{name}` × {factor:g}", row, held, worse.removeprefix(", "))


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
    games = [
        *simulated_games(given.hands.split(","), given.games, given.seed, given.play),
        *foreign_games(given.foreign.split(","), given.games, given.seed),
    ]
    names = (
        given.only.split(",")
        if given.only
        else [one.name for one in constants_in_use() if not one.class_of]
    )
    for text in lines(games, names):
        print(text, flush=True)


if __name__ == "__main__":
    main()
