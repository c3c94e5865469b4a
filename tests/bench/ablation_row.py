"""One row of the ablation: the firmware of this folder watches games that were recorded before.

    python ablation_row.py GAMES

GAMES holds one pickled ``Recorded`` after the other. Prints a list with the summary of each kind of
hands as JSON.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec

from boardfw.accuracy.playing import Recorded
from boardfw.accuracy.report import summarise
from boardfw.accuracy.score import GameScore, score_game
from boardfw.game.events import Action
from boardfw.shell.config import Settings
from boardfw.shell.replay import Replay


def recorded_in(path: Path) -> Iterator[Recorded]:
    """The games of a file, one at a time: there may be more than memory holds."""
    with path.open("rb") as file:
        while file.peek(1):
            yield pickle.load(file)


def judge(recorded: Recorded) -> GameScore:
    """Let the firmware watch a game that hands have played, and score it; costs are not told."""
    said: list[list[Action]] = []
    Replay(recorded.recording(), Settings(), hear=said.append).play()
    return score_game(recorded.truth, filter(None, said))


if __name__ == "__main__":
    scores = map(judge, recorded_in(Path(sys.argv[1])))
    print(msgspec.json.encode(summarise(scores)).decode())
