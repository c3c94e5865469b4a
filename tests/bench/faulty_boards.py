"""Both readers over games on boards with faults: what is read, what is wrong, what is named.

    python -m tests.bench.faulty_boards --hands blitz,club --faults open,row --games 10 --seed 1

Simulated hands play; the scans are changed as the fault would change them. A row for each fault,
kind of hands and reader: exact games (+ those that lack only the last ply, which a dead switch may
hide), games that are right as far as they go, wrong finals for a server, ghosts of a second or
more, and in how many games the right fault was named, or a wrong one.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from boardfw.accuracy.games import games_of
from boardfw.accuracy.playing import Task, record
from boardfw.accuracy.report import percentile
from boardfw.accuracy.score import GameScore, score_game
from boardfw.accuracy.truth import GameTruth
from boardfw.game.events import Action, Stuck
from boardfw.recording import End, Recording, Scan
from boardfw.shell.config import Settings
from boardfw.shell.replay import Replay
from boardfw.squares import NAMES, Occupancy
from tests.bench.reading_trial import Trial, read_recording
from tests.bench.two_readers import final_delays
from tests.foreign_hands import board_faults
from tests.foreign_hands.trace import Scans


@dataclass(frozen=True, slots=True)
class Faulty:
    """The scans of a board with a fault, and what is faulty."""

    scans: Scans
    switches: int = 0
    announced: bool = False
    unread: dict[int, int] = field(default_factory=dict)
    """By the time of a scan: since when nothing was read before it."""

    def recording(self, start_fen: str, end_us: int) -> Recording:
        """Return what the board would have recorded."""
        scans = [Scan(t, Occupancy(occ), self.unread.get(t)) for t, occ in self.scans]
        dead = Occupancy(self.switches if self.announced else 0)
        return Recording(start_fen, [*scans, End(max(end_us, scans[-1].t_us))], dead=dead)


def _dead(
    scans: Scans, chance: Random, levels: tuple[bool, ...], *, announced: bool = False
) -> Faulty:
    squares = chance.sample(range(64), len(levels))
    for square, closed in zip(squares, levels, strict=True):
        scans = board_faults.stuck(scans, 1 << square, closed=closed)
    return Faulty(scans, sum(1 << square for square in squares), announced)


def _middle_us(scans: Scans, chance: Random) -> int:
    return round(scans[-1][0] * chance.uniform(0.25, 0.6))


def _row(scans: Scans, chance: Random, *, closed: bool, lasts_us: int | None = None) -> Faulty:
    row, from_us = chance.choice(board_faults.lines()[:16]), _middle_us(scans, chance)
    changed = board_faults.stuck(scans, row, closed=closed, from_us=from_us)
    if lasts_us is not None:
        until_us = from_us + lasts_us
        good = [one for one in scans if one[0] <= until_us][-1][1]
        changed = [one for one in changed if one[0] < until_us]
        changed += [(until_us, good), *(one for one in scans if one[0] > until_us)]
    return Faulty(changed, row)


def _frozen(scans: Scans, chance: Random) -> Faulty:
    chip, from_us = chance.choice(board_faults.lines()[16:]), _middle_us(scans, chance)
    return Faulty(board_faults.frozen(scans, chip, from_us, from_us + 20_000_000), chip)


def _bridged(scans: Scans, chance: Random) -> Faulty:
    one = chance.randrange(64)
    other = one + 1 if one % 8 < 7 else one - 1
    return Faulty(board_faults.bridged(scans, one, other), 1 << one | 1 << other)


def _swapped(scans: Scans, chance: Random) -> Faulty:
    one, other = chance.sample(range(64), 2)
    wiring = board_faults.swapped(one, other)
    return Faulty(board_faults.rewired(scans, wiring), 1 << one | 1 << other)


def _gaps(scans: Scans, chance: Random, lasts_us: int) -> Faulty:
    unread = {}
    for _ in range(4):
        from_us = round(scans[-1][0] * chance.uniform(0.05, 0.9))
        scans, at_us = board_faults.unread(scans, from_us, from_us + lasts_us)
        if at_us is not None:
            unread[at_us] = from_us
    return Faulty(scans, unread=unread)


FAULTS: dict[str, Callable[[Scans, Random], Faulty]] = {
    "none": lambda scans, _: Faulty(scans),
    "open": lambda scans, chance: _dead(scans, chance, (False,)),
    "closed": lambda scans, chance: _dead(scans, chance, (True,)),
    "two": lambda scans, chance: _dead(scans, chance, (False, chance.random() < 0.5)),
    "known": lambda scans, chance: _dead(scans, chance, (chance.random() < 0.5,), announced=True),
    "known two": lambda scans, chance: _dead(scans, chance, (False, True), announced=True),
    "row": lambda scans, chance: _row(scans, chance, closed=False),
    "row closed": lambda scans, chance: _row(scans, chance, closed=True),
    "row 5 s": lambda scans, chance: _row(scans, chance, closed=False, lasts_us=5_000_000),
    "frozen 20 s": _frozen,
    "bridged": _bridged,
    "mirrored": lambda scans, _: Faulty(
        board_faults.rewired(scans, board_faults.mirrored), (1 << 64) - 1
    ),
    "swapped": _swapped,
    "gaps 0.3 s": lambda scans, chance: _gaps(scans, chance, 300_000),
    "gaps 2 s": lambda scans, chance: _gaps(scans, chance, 2_000_000),
}


@dataclass(slots=True)
class Row:
    """What one reader made of all games."""

    name: str
    scores: list[GameScore] = field(default_factory=list)
    exact: int = 0
    but_last: int = 0
    so_far: int = 0
    named: int = 0
    misnamed: int = 0
    cost_us: int = 0
    finals_us: list[int] = field(default_factory=list)

    def add(
        self, truth: GameTruth, said: list[list[Action]], moves: list[str], cost_us: int
    ) -> None:
        """Count a game."""
        self.scores.append(score_game(truth, said))
        self.finals_us += final_delays(truth, (one for together in said for one in together))
        played = list(truth.moves)
        self.exact += moves == played
        self.but_last += moves == played[:-1]
        self.so_far += moves == played[: len(moves)]
        self.cost_us += cost_us

    def __str__(self) -> str:
        n = len(self.scores)
        delays = [percentile(sorted(self.finals_us), part) or 0 for part in (50, 95, 99)]
        return (
            f"{self.name:32} exact {self.exact}+{self.but_last} of {n}  right so far {self.so_far}"
            f"  wrong finals {sum(len(one.wrong_finals) for one in self.scores)}"
            f"  ghosts {sum(len(one.wrong_long) for one in self.scores)}"
            f"  final after {' '.join(f'{delay / 1e6:.1f}' for delay in delays)} s"
            f"  named {self.named}  misnamed {self.misnamed}"
            f"  {80 * self.cost_us / max(1, sum(one.plies for one in self.scores)) / 1000:.0f} ms"
        )


def firmware(recording: Recording) -> tuple[list[list[Action]], list[str], int]:
    """Return what the firmware says of a recording, the first game, and the stuck switches."""
    said: list[list[Action]] = []
    replay = Replay(recording, Settings(), hear=lambda some: said.append(some) if some else None)
    replay.play()
    games = replay.desk.session.games
    moves = [move.uci() for move in games[0].moves] if games else []
    stuck = {one.square for some in said for one in some if isinstance(one, Stuck)}
    return said, moves, sum(1 << square for square in stuck)


def compare(fault: str, kind: str, games: int, seed: int, *, old: bool, verbose: bool) -> None:
    """Let the readers read games on boards with a fault, and print their rows."""
    rows = [Row(f"{fault}, {kind}: trial")]
    if old:
        rows.append(Row(f"{fault}, {kind}: firmware"))
    for number, game in enumerate(games_of([], games, seed)):
        recorded = record(Task((game,), kind, number + 1, seed + number))
        truth = recorded.truth
        scans = [(t_us, int(occupancy)) for t_us, occupancy in recorded.watched.scans]
        faulty = FAULTS[fault](scans, Random(f"{fault} {kind} {seed} {number}"))
        recording = faulty.recording(truth.start_fen, recorded.watched.end_us)
        trial = read_recording(recording)
        rows[0].add(truth, trial.said, trial.record, trial.cost_us)
        _count_named(rows[0], trial, faulty)
        if verbose:
            _tell(rows[0], trial, faulty)
        if old:
            said, moves, stuck = firmware(recording)
            rows[1].add(truth, said, moves, 0)
            rows[1].named += bool(stuck & faulty.switches)
            rows[1].misnamed += bool(stuck & ~faulty.switches)
    print(*rows, sep="\n", flush=True)


def _count_named(row: Row, trial: Trial, faulty: Faulty) -> None:
    named = 0
    for squares in trial.faults:
        named |= squares
    row.named += bool(named & faulty.switches)
    row.misnamed += bool(named & ~faulty.switches)


def _tell(row: Row, trial: Trial, faulty: Faulty) -> None:
    score = row.scores[-1]
    squares = " ".join(NAMES[n] for n in range(64) if faulty.switches >> n & 1)
    print(f"    {score.label} {score.name}: faulty {squares}; {score.parting or 'exact'}")
    for wrong in (*score.wrong_finals, *score.wrong_long):
        print(f"        {wrong}")
    print(f"        {getattr(trial, 'faults', ())}")


def main() -> None:
    """Read the command line and compare."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--hands", default="blitz,club")
    parser.add_argument("--faults", default=",".join(FAULTS))
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--old", action="store_true", help="let the firmware read them too")
    parser.add_argument("--verbose", action="store_true")
    given = parser.parse_args()
    for fault in given.faults.split(","):
        for kind in given.hands.split(","):
            compare(fault, kind, given.games, given.seed, old=given.old, verbose=given.verbose)


if __name__ == "__main__":
    main()
