"""Write traces of foreign hands, play them through the firmware, and print a table.

python -m tests.foreign_hands --kind club --games 100 --seed 7 --out traces
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path

import click

from tests.foreign_hands.people import KINDS
from tests.foreign_hands.scoring import Case, Score, case, score, table


def truth_text(case: Case) -> str:
    """Return the truth of a sitting as JSON; times are microseconds of the trace's clock."""
    games = [
        {
            "moves": played.moves,
            "result": played.result,
            "plies": [asdict(ply) for ply in plies],
            "tried": [
                {
                    "ply": tried.ply,
                    "uci": tried.uci,
                    "shown_us": [round(tried.from_s * 1e6), round(tried.to_s * 1e6)],
                }
                for tried in played.tried
            ],
        }
        for played, plies in zip(case.sitting.games, case.games, strict=True)
    ]
    return json.dumps({"id": case.sitting.name, "kind": case.sitting.kind, "games": games}) + "\n"


def write(case: Case, out: Path) -> None:
    """Write a trace, and its truth in a file beside it."""
    (out / f"{case.sitting.name}.trace.jsonl").write_text(case.text, encoding="utf-8")
    (out / f"{case.sitting.name}.truth.json").write_text(truth_text(case), encoding="utf-8")


@click.command()
@click.option("--kind", "kinds", multiple=True, type=click.Choice(sorted(KINDS)))
@click.option("--games", default=10, show_default=True, type=click.IntRange(1))
@click.option("--seed", default=1, show_default=True)
@click.option("--out", type=click.Path(path_type=Path, file_okay=False))
@click.option("--play/--no-play", default=True, help="Play the traces through the firmware.")
@click.option("--list-faults", is_flag=True, help="Name the games that were misread, and where.")
def main(
    kinds: tuple[str, ...], games: int, seed: int, out: Path | None, play: bool, list_faults: bool
) -> None:
    """Generate traces of these kinds of players (without --kind: of all) and score them."""
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
    scores: dict[str, list[Score]] = {}
    for kind in kinds or KINDS:
        for number in range(games):
            made = case(kind, seed, number)
            if out is not None:
                write(made, out)
            if play:
                scores.setdefault(kind, []).append(score(made))
                if list_faults:
                    _list_faults(scores[kind][-1])
    if play:
        click.echo(table(scores))


def _list_faults(score: Score) -> None:
    faults = [f"wrong final at {final}" for final in score.wrong_finals]
    faults += [f"ghost at {ghost}" for ghost in score.ghosts]
    faults += [] if score.exact else ["not exact"]
    for fault in faults:
        click.echo(f"{score.name}: {fault}", err=True)


if __name__ == "__main__":
    sys.exit(main())
