"""Games whose truth is known, by simulated and foreign hands, to measure the reader on trial."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from boardfw.accuracy.games import games_of
from boardfw.accuracy.playing import Recorded, Task, record
from boardfw.accuracy.truth import GameTruth, PlyTruth, Shown
from boardfw.recording import START_FEN
from boardfw.squares import Occupancy
from hardware.sim.record import Watched
from tests.foreign_hands.scoring import Case, case

AROUND_US = 500_000
"""A move that foreign hands tried may be seen so long before and after they say so."""
AFTER_US = 1_000_000
"""Where the kings show a result, the trace is cut so long after the last ply."""
PROMOTIONS = "qrbn"


def simulated_games(
    kinds: Sequence[str], games: int, seed: int, play: Sequence[str] = ()
) -> Iterator[Recorded]:
    """Let simulated hands of these kinds play so many games each."""
    for kind in kinds:
        for number, game in enumerate(games_of(play, games, seed)):
            yield record(Task((game,), kind, number + 1, seed + number))


def foreign_games(kinds: Sequence[str], games: int, seed: int) -> Iterator[Recorded]:
    """Let foreign hands of these kinds play so many games each; of a sitting, the first game."""
    for kind in kinds:
        for number in range(games):
            yield _first_game(case(kind, seed, number), number + 1, seed)


def _first_game(case: Case, number: int, seed: int) -> Recorded:
    played, plies = case.sitting.games[0], case.games[0]
    end_us = round(case.sitting.end_s * 1e6)
    if len(case.games) > 1 or played.result != "*":
        end_us = plies[-1].let_go_us + AFTER_US
    truth = GameTruth(
        kind=case.sitting.kind,
        number=number,
        name=case.sitting.name,
        seed=seed,
        start_fen=START_FEN,
        plies=tuple(
            PlyTruth(
                ply.uci,
                ply.touched_us,
                ply.let_go_us,
                ply.shown_us[0] if ply.shown_us else ply.let_go_us,
                ply.did,
                tuple(
                    ply.uci[:4] + piece for piece in PROMOTIONS if ply.uci[4:] not in ("", piece)
                ),
            )
            for ply in plies
        ),
        end_us=end_us,
        shown=tuple(
            Shown(
                tried.ply - 1,
                tried.uci,
                round(tried.from_s * 1e6) - AROUND_US,
                round(tried.to_s * 1e6) + AROUND_US,
            )
            for tried in played.tried
        ),
    )
    scans = [(t_us, Occupancy(occupancy)) for t_us, occupancy in case.scans if t_us <= end_us]
    return Recorded(truth, Watched(scans, end_us))
