"""Two readers over the same recordings: the firmware, and the reader that is on trial.

    python -m tests.bench.two_readers --hands club,blitz+bumps --games 10 --play GAMES.pgn
    python -m tests.bench.two_readers TRACE...

Prints a row for each kind of hands and each reader: exact games, wrong finals (for a server), plies
that the board never showed (ghosts, of more than half a second), switches wrongly called stuck, the
delay of finals (median, 95 and 99 of 100, seconds after the last contact of the ply), questions,
and the processor time of 80 plies. ``--keep DIR`` keeps the traces of games that a reader got
wrong. Traces get a row each; where a file ``truth.jsonl`` beside them says what was played (``id``,
``moves``), it is compared.
``--reliability`` adds how often plies that were announced with such a probability were right.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from boardfw.accuracy.games import games_of
from boardfw.accuracy.playing import Recorded, Task, _watched, record
from boardfw.accuracy.report import percentile
from boardfw.accuracy.score import Cost, GameScore, score_game
from boardfw.accuracy.truth import GameTruth
from boardfw.game.events import Action, Asked, Finalised
from boardfw.recording import Recording
from boardfw.shell.config import Settings
from boardfw.shell.replay import Replay, load, stem_of
from hardware.sim.hand_profiles import ANY, HAND_PROFILES
from tests.bench.reading_trial import Trial, read_recording

NEVER_US = 60_000_000
"""What a ply that never became final counts as."""
BINS = 10
TRUTHS = "truth.jsonl"


@dataclass(slots=True)
class Row:
    """What one reader made of the games of one kind of hands."""

    name: str
    scores: list[GameScore] = field(default_factory=list)
    finals_us: list[int] = field(default_factory=list)
    asked: int = 0
    """Questions to the players,"""
    asked_right: int = 0
    """and those with the move that was played among the answers."""

    def add(self, game: Recorded, said: Sequence[Sequence[Action]], cost_us: int) -> None:
        """Count a game."""
        truth = game.truth
        self.scores.append(score_game(truth, said, Cost(cost_us, 0), game.watched.scans))
        actions = [one for together in said for one in together]
        self.finals_us += final_delays(truth, actions)
        asked = [one for one in actions if isinstance(one, Asked)]
        self.asked += len(asked)
        self.asked_right += sum(bool({*one.candidates} & {*truth.moves}) for one in asked)

    def __str__(self) -> str:
        scores = self.scores
        plies = max(1, sum(score.plies for score in scores))
        exact = sum(score.exact or score.is_unseen for score in scores)
        delays = [percentile(sorted(self.finals_us), part) or 0 for part in (50, 95, 99)]
        cost_ms = 80 * sum(score.cost.total_us for score in scores) / plies / 1000
        return (
            f"{self.name:20} exact {exact}/{len(scores)}"
            f"  wrong finals {sum(len(score.wrong_finals) for score in scores)}"
            f"  ghosts {sum(len(score.ghosts) for score in scores)}"
            f"  stuck {sum(score.stuck_wrong for score in scores)}"
            f"  final after {' '.join(f'{delay / 1e6:.2f}' for delay in delays)} s"
            f"  asked {self.asked}, truth among the answers {self.asked_right}"
            f"  {cost_ms:.0f} ms"
        )


def final_delays(truth: GameTruth, said: Iterable[Action]) -> list[int]:
    """How long after its last contact each ply became final, as it was to stay."""
    final_us = {
        one.ply - 1: one.t_us
        for one in said
        if isinstance(one, Finalised) and truth.is_played(one.ply - 1, one.uci)
    }
    return [
        max(0, final_us[n] - ply.contact_us) if n in final_us else NEVER_US
        for n, ply in enumerate(truth.plies)
    ]


class Reliability:
    """Plies by the probability with which they were announced, and how many were right."""

    def __init__(self) -> None:
        self._bins = [[0, 0.0, 0] for _ in range(BINS)]

    def add(self, truth: GameTruth, trial: Trial) -> None:
        """Count the plies announced in a game; what the hands let stand is right too."""
        for ply, probability in trial.announced:
            one = self._bins[min(BINS - 1, int(probability * BINS))]
            one[0] += 1
            one[1] += probability
            at, uci = ply.ply - 1, ply.uci
            one[2] += truth.is_played(at, uci) or truth.was_shown(at, uci, ply.t_us)

    @property
    def error(self) -> float:
        """The calibration error: how far said and right are apart, over all bins."""
        total = sum(count for count, _, _ in self._bins) or 1
        return sum(abs(said - right) for _, said, right in self._bins) / total

    @property
    def bins(self) -> list[tuple[float, float, float]]:
        """For each bin: plies, and the shares of them announced and right (0 without plies)."""
        return [
            (count, said / max(1, count), right / max(1, count))
            for count, said, right in self._bins
        ]

    def __str__(self) -> str:
        parts = [
            f"{100 * said / count:.1f}:{100 * right / count:.1f} ({count})"
            for count, said, right in self._bins
            if count
        ]
        error = f"calibration error {100 * self.error:.2f} %"
        return f"  said:right % (plies)  {'  '.join(parts)}  {error}"


def compare_hands(
    kind: str,
    recorded: Iterable[Recorded],
    keep: Path | None,
    *,
    reliability: bool,
    answers: bool = False,
) -> None:
    """Let both readers read the games of one kind of hands, and print their rows.

    ``answers``: players tell the reader on trial what it asks.
    """
    firmware, trial_row, diagram = Row(f"{kind} firmware"), Row(f"{kind} trial"), Reliability()
    misses = []
    for game in recorded:
        said, cost = _watched(game)
        firmware.add(game, said, cost.total_us)
        trial = read_recording(game.recording(), game.truth.moves if answers else ())
        trial_row.add(game, trial.said, trial.cost_us)
        diagram.add(game.truth, trial)
        for row in (firmware, trial_row):
            score = row.scores[-1]
            if not score.is_good:
                misses.append(f"    {row.name} {score.label}: {_fault(score)}")
                if keep is not None:
                    _keep_trace(keep, game, score.label)
    print(firmware, trial_row, *misses, sep="\n", flush=True)
    if reliability:
        print(diagram, flush=True)


def _fault(score: GameScore) -> str:
    if score.parting:
        return f"{score.parting}"
    return f"{score.wrong_finals[0]}" if score.wrong_finals else f"{score.games} games"


def _keep_trace(directory: Path, game: Recorded, label: str) -> None:
    """Write a trace, and its truth into the list of what was played in the traces beside it."""
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / f"{label}.trace.jsonl"
    if not path.exists():
        path.write_text(game.watched.trace(game.truth.start_fen), encoding="ascii")
        with (directory / TRUTHS).open("a", encoding="utf-8") as truths:
            truths.write(json.dumps({"id": label, "moves": game.truth.moves}) + "\n")


def compare_trace(path: Path) -> None:
    """Let both readers read a trace, and print what they made of it."""
    recording = load(path)
    played = truth_of(path)
    trial = read_recording(recording)
    for name, moves in (("firmware", firmware_moves(recording)), ("trial", trial.record)):
        verdict = "" if played is None else "  exact" if moves == played else "  NOT EXACT"
        print(f"{stem_of(path)} {name}: {len(moves)} plies ... {' '.join(moves[-4:])}{verdict}")


def firmware_moves(recording: Recording) -> list[str]:
    """Return the moves that the firmware records of the first game."""
    replay = Replay(recording, Settings())
    replay.play()
    game = replay.desk.session.games[0]
    return [move.uci() for move in game.moves]


def truth_of(path: Path) -> list[str] | None:
    """Return the moves that were played, if a file beside the trace tells them."""
    beside = path.with_name(TRUTHS)
    if not beside.is_file():
        return None
    for line in beside.read_text(encoding="utf-8").splitlines():
        truth = json.loads(line)
        if truth["id"] == stem_of(path):
            return list(truth["moves"])
    return None


def recordings(kind: str, games: int, seed: int, play: Sequence[str]) -> Iterable[Recorded]:
    """Let hands of this kind play so many games."""
    for number, game in enumerate(games_of(play, games, seed)):
        yield record(Task((game,), kind, number + 1, seed + number))


def main() -> None:
    """Read the command line and compare."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("traces", nargs="*", type=Path)
    parser.add_argument("--hands", default=",".join([*HAND_PROFILES, ANY]))
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--play", nargs="*", default=[], help="files of games; without: famous ones"
    )
    parser.add_argument("--reliability", action="store_true")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--answers", action="store_true", help="players answer what is asked")
    given = parser.parse_args()
    for path in given.traces:
        compare_trace(path)
    for kind in () if given.traces else given.hands.split(","):
        games = recordings(kind, given.games, given.seed, given.play)
        compare_hands(kind, games, given.keep, reliability=given.reliability, answers=given.answers)


if __name__ == "__main__":
    main()
