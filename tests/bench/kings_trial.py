"""Results that the kings show, as the reader on trial reads them.

    python -m tests.bench.kings_trial --hands club,child --games 10 --seed 1

Hands of each kind play the first plies of a game, then put the kings in the centre. Prints how
often the result and the game are right, how long the result took after the last king had landed,
and what was read instead.
"""

from __future__ import annotations

import argparse
from functools import reduce
from random import Random

from boardfw.accuracy.games import games_of
from boardfw.accuracy.playing import moves_of
from boardfw.accuracy.report import percentile
from boardfw.inference.reading import ScanReader
from boardfw.players.game_player import hand_moves, pieces_on
from boardfw.recording import START_FEN
from boardfw.rules import BLACK, WHITE, Move, Position
from boardfw.squares import Switch
from hardware.sim.hand_profiles import ANY, HAND_PROFILES, person
from hardware.sim.record import Evening, HandGame, play_evening

RESULTS = ("1-0", "0-1", "1/2-1/2")
LEAST_PLIES = 8
WATCHED_US = 20_000_000
"""For so long the board is watched after the kings have landed."""


def evening_of(moves: list[Move], kind: str, seed: int, result: str) -> Evening:
    """Let hands play these moves and put the kings in the centre."""
    start = Position.start()
    end = reduce(Position.play_unchecked, moves, start)
    kings = Switch(end.king(WHITE)), Switch(end.king(BLACK))
    game = HandGame(tuple(hand_moves(start, moves)), pieces_on(start), result, kings, cleared=False)
    return play_evening([game], person(kind, seed), seed)


def read_evening(evening: Evening) -> tuple[ScanReader, list[tuple[int, str | None]]]:
    """Read an evening; return the reader, and each result that it read, with the time."""
    scans = evening.scans
    reader, said = ScanReader(Position.start(), scans[0][1]), []
    said = [(0, reader.result)]
    for t_us, occupancy in [*scans[1:], (evening.end_us + WATCHED_US, scans[-1][1])]:
        while (due_us := reader.deadline_us) is not None and due_us < t_us:
            reader.pass_time(due_us)
            if reader.result != said[-1][1]:
                said.append((due_us, reader.result))
        reader.feed(t_us, occupancy)
        if reader.result != said[-1][1]:
            said.append((t_us, reader.result))
    return reader, said


def try_hands(kind: str, games: int, seed: int, play: list[str]) -> None:
    """Print what became of so many games by these hands."""
    right_results = right_games = false = 0
    delays_us, misses = [], []
    usual = [game for game in games_of(play, games, seed) if game.start_fen == START_FEN]
    for number, game in enumerate(usual):
        random = Random(seed + number)
        result = random.choice(RESULTS)
        moves = moves_of(Position.start(), game.moves[: random.randint(LEAST_PLIES, 80)])
        evening = evening_of(moves, kind, seed + number, result)
        reader, said = read_evening(evening)
        ended_us = max(gesture.settled_us for gesture in evening.between)
        right_results += reader.result == result
        right_games += reader.game.moves() == tuple(moves)
        false += sum(read not in (None, result) for _, read in said)
        delays_us.append(max(0, said[-1][0] - ended_us))
        if reader.result != result or reader.game.moves() != tuple(moves):
            played, read = (
                " ".join(move.uci() for move in those[-4:])
                for those in (moves, reader.game.moves())
            )
            tags = {gesture.tags for gesture in evening.between}
            misses.append(f"  {number}: {result} read {said[1:]}; {played} read {read} {tags}")
    delays = [(percentile(sorted(delays_us), part) or 0) / 1e6 for part in (50, 95, 99)]
    print(
        f"{kind:8} results {right_results}/{len(usual)}  games {right_games}/{len(usual)}  "
        f"false results meanwhile {false}  after {' '.join(f'{delay:.1f}' for delay in delays)} s",
        *misses,
        sep="\n",
        flush=True,
    )


def main() -> None:
    """Read the command line and let the hands play."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--hands", default=",".join([*HAND_PROFILES, ANY]))
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--play", nargs="*", default=[], help="files of games")
    given = parser.parse_args()
    for kind in given.hands.split(","):
        try_hands(kind, given.games, given.seed, given.play)


if __name__ == "__main__":
    main()
