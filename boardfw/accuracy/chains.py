"""Chains of games: several on one board by the same hands, and one of them never finished.

Between two games the kings show a result or not, the board is cleared or not, and the
pieces are set up from either side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from random import Random

from boardfw.accuracy.chain_score import ChainScore, ChainTruth, Recorded, score_chain
from boardfw.accuracy.games import Played
from boardfw.accuracy.playing import Result, Task, as_wired, moves_of
from boardfw.game.ending import automatic_end
from boardfw.game.events import Action, Stuck
from boardfw.game.record import Record
from boardfw.inference.hypothesis import Hypothesis
from boardfw.players.game_player import hand_moves, pieces_on
from boardfw.recording import START_FEN
from boardfw.rules import BLACK, WHITE, Move, Position
from boardfw.shell.config import Settings
from boardfw.shell.replay import Replay
from boardfw.squares import Orientation
from hardware.sim.record import Evening, HandGame, Watched, play_evening
from hardware.sim.worlds import split

GAMES = 3
PLIES = (8, 60)
"""A game of a chain has so many plies, from the least to the most."""
TURNED = 0.35
"""How often the pieces are set up from the other side: a guess."""
RESULTS = ("1-0", "0-1", "1/2-1/2")


@dataclass(frozen=True, slots=True)
class _Planned:
    """One game as hands will play it, on a board that lies this way round."""

    game: Played
    moves: list[Move]
    orientation: Orientation
    result: str | None

    def hand_game(self) -> HandGame:
        start, orientation = Position.start(), self.orientation
        end = reduce(Position.play_unchecked, self.moves, start)
        kings = orientation.switch(end.king(WHITE)), orientation.switch(end.king(BLACK))
        hands = tuple(hand_moves(start, self.moves, orientation))
        return HandGame(hands, pieces_on(start, orientation), self.result, kings)


def threes_of(games: Sequence[Played], count: int) -> list[tuple[Played, ...]]:
    """The games of so many chains, of those from the usual start that are long enough.

    Empty if there is none. One or two plies that are put back were taken back, by the rules of the
    board, and are no unfinished game.
    """
    least, _ = PLIES
    usual = [one for one in games if one.start_fen == START_FEN and len(one.moves) >= least]
    chosen = [usual[at % len(usual)] for at in range(count * GAMES)] if usual else []
    return [tuple(chosen[at : at + GAMES]) for at in range(0, len(chosen), GAMES)]


def play_chain(chain: Task) -> Result[ChainScore, ChainTruth]:
    """Play these games and score what was recorded."""
    planned = _planned(chain)
    there, (_, setting) = chain.circumstances, split(chain.kind)
    # The last game is over when the pieces stand for another one.
    last = HandGame((), pieces_on(Position.start()), cleared=False)
    evening = play_evening(
        [*(one.hand_game() for one in planned), last],
        there.hands(chain.kind, chain.seed),
        chain.seed,
        scan_period_us=there.period_us(setting),
        interferences=setting.interferences,
    )
    read, wrong = setting.wired(chain.seed)
    truth = _truth(chain, planned, evening)
    watched = as_wired(evening, read)
    recorded, said = _watched(watched)
    stuck = there.stuck_open | there.stuck_closed | evening.broken | wrong
    known = Orientation.AS_WIRED.squares(stuck) | Orientation.TURNED.squares(stuck)
    is_stuck = any(
        isinstance(action, Stuck) and not known >> action.square & 1
        for together in said
        for action in together
    )
    score = score_chain(truth, recorded, said, is_stuck=is_stuck)
    return Result(score, truth, watched.trace())


def _planned(chain: Task) -> list[_Planned]:
    random = Random(f"chain {chain.seed}")
    unfinished = random.randrange(GAMES)
    planned = []
    for number, game in enumerate(chain.games):
        orientation = Orientation.of(turned=number > 0 and random.random() < TURNED)
        result = random.choice(RESULTS) if number != unfinished else None
        moves = moves_of(Position.start(), game.moves[: random.randint(*PLIES)])
        if automatic_end(Hypothesis.told(Position.start(), tuple(moves), 0)) is not None:
            result = None
        planned.append(_Planned(game, moves, orientation, result))
    return planned


def _truth(chain: Task, planned: Sequence[_Planned], evening: Evening) -> ChainTruth:
    games = tuple(
        chain.truth(one.game, one.moves, evening.game(at), one.orientation)
        for at, one in enumerate(planned)
    )
    return ChainTruth(
        kind=chain.kind,
        number=chain.number,
        seed=chain.seed,
        games=games,
        results=tuple(one.result for one in planned),
        is_unseen=any("never_open" in game.plies[-1].tags for game in games),
    )


def _watched(evening: Watched) -> tuple[list[Recorded], list[list[Action]]]:
    """The games that were recorded, and what was said at each event."""
    said: list[list[Action]] = []
    replay = Replay(evening.recording(), Settings(), hear=said.append)
    replay.play()
    return [_recorded(record) for record in replay.desk.session.games if record.moves], said


def _recorded(record: Record) -> Recorded:
    by_kings = record.outcome is not None and record.outcome.termination == "kings"
    result = record.outcome.result if record.outcome is not None and by_kings else None
    return Recorded(tuple(move.uci() for move in record.moves), result)
