"""Chains of games: several on one board, and one of them never finished.

Between two games the kings show a result or nobody does, the board is cleared or not, and the
pieces are set up from either side. What is recorded is held against what was played: no ply may be
gained by it, and none be lost.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from boardfw.cli.accuracy.games import Played
from boardfw.game.ending import automatic_end
from boardfw.game.events import Action, Finalised, NewGame, Stuck
from boardfw.inference.line import Line
from boardfw.notation.uci import parse_uci
from boardfw.recording import START_FEN, End, Entry, Recording, Scan
from boardfw.rules import BLACK, WHITE, Move, Position
from boardfw.rules.move import common
from boardfw.shell.config import Settings
from boardfw.shell.replay import Replay
from boardfw.squares import HALF_TURN
from boardfw.terminal.player import hand_move
from hardware.sim.board import men_of
from hardware.sim.evening import Evening, HandGame, play_evening
from hardware.sim.manners import person

GAMES = 3
PLIES = (8, 60)
"""A game of a chain has so many plies, from the least to the most."""
TURNED = 0.35
"""How often the pieces are set up from the other side: a guess."""
RESULTS = ("1-0", "0-1", "1/2-1/2")
USUAL_MEN = men_of(START_FEN)
TURNED_MEN = {square ^ HALF_TURN: label for square, label in USUAL_MEN.items()}


@dataclass(frozen=True, slots=True)
class Chain:
    """Games to be played one after the other, by which hands, with which seed."""

    kind: str
    number: int
    seed: int
    games: tuple[Played, ...]


class Told(NamedTuple):
    """A game, and the result that the kings have shown; None: they have not."""

    moves: tuple[Move, ...]
    result: str | None


@dataclass(frozen=True, slots=True)
class ChainScore:
    """What became of one chain."""

    kind: str
    number: int
    seed: int
    too_many: int
    """Plies that were recorded and not played."""
    too_few: int
    """Plies that were played and not recorded."""
    results_wrong: int
    finals_wrong: int
    """Plies called final that belong to no game."""
    is_stuck: bool
    """Whether a switch was called stuck."""
    is_unseen: bool
    """Whether a game ended with a capture that no switch has seen: nothing tells of it."""

    @property
    def is_exact(self) -> bool:
        """Whether nothing was gained, lost, or said that is not so."""
        wrong = self.too_many, self.too_few, self.results_wrong, self.finals_wrong
        return not any(wrong) and not self.is_stuck


def chains_of(games: Sequence[Played], kinds: Sequence[str], seed: int, count: int) -> list[Chain]:
    """So many chains for each kind of hands, of those of the games that begin as usual."""
    usual = [game for game in games if game.start_fen == START_FEN]
    chosen = [usual[at % len(usual)] for at in range(count * GAMES)] if usual else []
    threes = [tuple(chosen[at : at + GAMES]) for at in range(0, len(chosen), GAMES)]
    return [
        Chain(kind, number, seed + number - 1, three)
        for kind in kinds
        for number, three in enumerate(threes, 1)
    ]


def play_chain(chain: Chain) -> ChainScore:
    """Play these games and score what was recorded."""
    random = Random(f"chain {chain.seed}")
    unfinished = random.randrange(GAMES)
    hands, truths = [], []
    for number, game in enumerate(chain.games):
        turned = number > 0 and random.random() < TURNED
        shows = random.choice(RESULTS) if number != unfinished else None
        one, truth = _game(game, random.randint(*PLIES), shows, turned=turned)
        hands.append(one)
        truths.append(truth)
    who = person(chain.kind, chain.seed)
    last = HandGame((), USUAL_MEN, cleared=False)
    evening = play_evening([*hands, last], who, chain.seed, faults=who.board)
    is_unseen = any("never_open" in one[-1].tags for one in evening.games[: len(hands)] if one)
    told, said = _watched(evening)
    return _scored(chain, truths, told, said, is_unseen=is_unseen)


def _game(game: Played, plies: int, result: str | None, *, turned: bool) -> tuple[HandGame, Told]:
    position, moves, hands = Position.start(), [], []
    for text in game.moves[:plies]:
        move = parse_uci(position, text)
        hands.append(hand_move(position, move, turned=turned))
        moves.append(move)
        position = position.play(move)
    if automatic_end(Line.told(Position.start(), tuple(moves), 0)) is not None:
        result = None
    turn = HALF_TURN if turned else 0
    kings = (position.king(WHITE) ^ turn, position.king(BLACK) ^ turn)
    men = TURNED_MEN if turned else USUAL_MEN
    return HandGame(tuple(hands), men, result, kings), Told(tuple(moves), result)


def _watched(evening: Evening) -> tuple[list[Told], list[Action]]:
    """The games that were recorded, and all that was said."""
    entries: list[Entry] = [Scan(t_us, occupancy) for t_us, occupancy in evening.scans]
    entries.append(End(evening.end_us))
    said: list[Action] = []
    replay = Replay(Recording(START_FEN, entries), Settings(), hear=said.extend)
    replay.play()
    told = []
    for record in replay.desk.session.games:
        ended = record.outcome if record.outcome and record.outcome.termination == "kings" else None
        told.append(Told(record.moves, ended.result if ended else None))
    return [one for one in told if one.moves], said


def _scored(
    chain: Chain, truths: list[Told], told: list[Told], said: list[Action], *, is_unseen: bool
) -> ChainScore:
    too_many = sum(len(game.moves) for game in told[len(truths) :])
    too_few = sum(len(game.moves) for game in truths[len(told) :])
    results_wrong = 0
    for truth, game in zip(truths, told, strict=False):
        alike = common(truth.moves, game.moves)
        too_many += len(game.moves) - alike
        too_few += len(truth.moves) - alike
        results_wrong += game.result != truth.result
    return ChainScore(
        kind=chain.kind,
        number=chain.number,
        seed=chain.seed,
        too_many=too_many,
        too_few=too_few,
        results_wrong=results_wrong,
        finals_wrong=_finals_wrong(said, truths),
        is_stuck=any(isinstance(action, Stuck) for action in said),
        is_unseen=is_unseen,
    )


def _finals_wrong(said: list[Action], truths: list[Told]) -> int:
    wrong = number = 0
    for action in said:
        number += isinstance(action, NewGame)
        if isinstance(action, Finalised):
            moves = truths[number].moves if number < len(truths) else ()
            wrong += action.ply > len(moves)
    return wrong


def told_chains(scores: Sequence[ChainScore]) -> Iterator[str]:
    """A line for each kind of hands, and one for each chain that was not recorded exactly."""
    for kind in dict.fromkeys(score.kind for score in scores):
        mine = [score for score in scores if score.kind == kind]
        seen = [score for score in mine if not score.is_unseen]
        exact = sum(score.is_exact for score in seen)
        unseen = len(mine) - len(seen)
        yield (
            f"{kind}: {exact} of {len(seen)} chains exact; "
            f"{sum(score.too_many for score in seen)} plies too many, "
            f"{sum(score.too_few for score in seen)} too few, "
            f"{sum(score.results_wrong for score in seen)} results wrong, "
            f"{sum(score.finals_wrong for score in seen)} wrong finals, "
            f"{sum(score.is_stuck for score in seen)} with a switch called stuck; "
            f"{unseen} ended with a capture that no switch has seen"
        )
    for score in scores:
        if not (score.is_exact or score.is_unseen):
            yield f"{score.kind} chain {score.number} (seed {score.seed}): {_fault(score)}"


def _fault(score: ChainScore) -> str:
    counted = (
        (score.too_many, "plies too many"),
        (score.too_few, "plies too few"),
        (score.results_wrong, "results wrong"),
        (score.finals_wrong, "wrong finals"),
        (score.is_stuck, "switch called stuck"),
    )
    return ", ".join(f"{int(count)} {what}" for count, what in counted if count)
