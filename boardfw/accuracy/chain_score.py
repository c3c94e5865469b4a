"""What became of several games that were played on one board, one after the other.

Hands clear away and set up in between, and one game may be left unfinished: no ply may be gained by
it and none be lost. Pure functions, as for one game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from boardfw.accuracy.score import Wrong, score_game
from boardfw.accuracy.truth import GameTruth
from boardfw.game.events import Action, Moved, NewGame, TakenBack

Said = list[list[Action]]
"""What was said, event by event."""


@dataclass(frozen=True, slots=True)
class ChainTruth:
    """Games as they were played one after the other, by these hands, with this seed."""

    kind: str
    number: int
    """Of the chains that this kind of hands played, 1 = the first."""
    seed: int
    games: tuple[GameTruth, ...]
    results: tuple[str | None, ...]
    """For each game the result that the kings have shown; None: they have not."""
    is_unseen: bool = False
    """Whether a game ended with a capture that no switch has seen: nothing can tell of it."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """One game as it was recorded, and the result by kings, if that was recorded."""

    moves: tuple[str, ...]
    result: str | None = None


@dataclass(frozen=True, slots=True)
class ChainScore:
    """What became of one chain."""

    kind: str
    number: int
    seed: int
    games: int
    """Games that were recorded."""
    plies: int
    too_many: int
    """Plies that were recorded and not played."""
    too_few: int
    """Plies that were played and not recorded."""
    results_wrong: int
    finals: int
    """How often a ply was called final."""
    wrong_finals: tuple[Wrong, ...]
    is_stuck: bool
    """Whether a switch was called stuck that is not."""
    is_unseen: bool
    """Whether one game ended with a capture that no switch has seen, or differs from its record in
    such a capture alone."""

    @property
    def label(self) -> str:
        """Which chain it was, for the names of its files."""
        return f"{self.kind}-chain-{self.number:04}"

    @property
    def is_good(self) -> bool:
        """Whether the chain is exact, or its end could not be seen."""
        return self.exact or self.is_unseen

    @property
    def exact(self) -> bool:
        """Whether nothing was gained or lost, and nothing was said that is not so."""
        wrong = self.too_many, self.too_few, self.results_wrong, len(self.wrong_finals)
        return not any(wrong) and not self.is_stuck


def score_chain(
    truth: ChainTruth,
    recorded: Sequence[Recorded],
    said: Iterable[Sequence[Action]],
    *,
    is_stuck: bool,
) -> ChainScore:
    """The score of a chain; games of which nothing was played do not stand in ``recorded``."""
    parts = list(_by_game(said))
    nothing = GameTruth(truth.kind, truth.number, "", truth.seed, "", (), truth.games[-1].end_us)
    too_many = too_few = results_wrong = finals = 0
    wrong_finals: list[Wrong] = []
    is_unseen = truth.is_unseen
    played = [game.moves for game in truth.games]
    for game, record in _paired(played, [one.moves for one in recorded]):
        there = nothing if game is None else truth.games[game]
        told = Recorded(()) if record is None else recorded[record]
        alike = _alike(there.moves, told.moves)
        too_many += len(told.moves) - alike
        too_few += len(there.moves) - alike
        results_wrong += told.result != (None if game is None else truth.results[game])
        if record is not None:
            score = score_game(there, parts[record])
            finals += score.finals
            wrong_finals += score.wrong_finals
            is_unseen |= score.is_unseen
    return ChainScore(
        kind=truth.kind,
        number=truth.number,
        seed=truth.seed,
        games=len(recorded),
        plies=sum(map(len, played)),
        too_many=too_many,
        too_few=too_few,
        results_wrong=results_wrong,
        finals=finals,
        wrong_finals=tuple(wrong_finals),
        is_stuck=is_stuck,
        is_unseen=is_unseen,
    )


def _by_game(said: Iterable[Sequence[Action]]) -> Iterator[Said]:
    """What was said of each game; a new one begins where the one before has a ply."""
    part: Said = []
    plies = 0
    for together in said:
        part.append([])
        for action in together:
            match action:
                case Moved():
                    plies += 1
                case TakenBack(plies=back):
                    plies -= back
                case NewGame() if plies:
                    yield [one for one in part if one]
                    part, plies = [[]], 0
            part[-1].append(action)
    yield [one for one in part if one]


def _paired(
    played: Sequence[tuple[str, ...]], recorded: Sequence[tuple[str, ...]]
) -> list[tuple[int | None, int | None]]:
    """Which game was recorded as which, in their order, so that the fewest plies are wrong."""

    @cache
    def best(game: int, record: int) -> tuple[int, list[tuple[int | None, int | None]]]:
        ways = []
        if game < len(played):
            wrong, rest = best(game + 1, record)
            ways.append((wrong + len(played[game]), [(game, None), *rest]))
        if record < len(recorded):
            wrong, rest = best(game, record + 1)
            ways.append((wrong + len(recorded[record]), [(None, record), *rest]))
        if game < len(played) and record < len(recorded):
            wrong, rest = best(game + 1, record + 1)
            here = len(played[game]) + len(recorded[record])
            here -= 2 * _alike(played[game], recorded[record])
            ways.append((wrong + here, [(game, record), *rest]))
        return min(ways, key=lambda way: way[0], default=(0, []))

    return best(0, 0)[1]


def _alike(one: Sequence[str], other: Sequence[str]) -> int:
    """How many plies two games have in common from their first on."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((n for n, (a, b) in pairs if a != b), min(len(one), len(other)))
