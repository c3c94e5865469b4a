"""Three games on one board, one of them unfinished: no ply too many, none too few."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import pytest

from boardfw.cli.accuracy.games import random_game
from boardfw.game.ending import automatic_end
from boardfw.game.events import Action, Finalised, NewGame, Stuck
from boardfw.inference.line import Line
from boardfw.recording import START_FEN, End, Entry, Recording, Scan
from boardfw.rules import BLACK, WHITE, Move, Position
from boardfw.shell.config import Settings
from boardfw.shell.replay import Replay
from boardfw.squares import HALF_TURN
from boardfw.terminal.player import hand_move
from hardware.sim.board import men_of
from hardware.sim.evening import Evening, HandGame, play_evening

USUAL = men_of(START_FEN)
TURNED = {square ^ HALF_TURN: label for square, label in USUAL.items()}
RESULTS = ("1-0", "0-1", "1/2-1/2")
GAMES = 3


class Truth(NamedTuple):
    """What was played, and what the kings have shown."""

    moves: tuple[Move, ...]
    result: str | None


def chain(seed: int) -> list[tuple[HandGame, Truth]]:
    """Three games and what they are; the boards of later ones may be turned round."""
    random = Random(f"chain {seed}")
    unfinished = random.randrange(GAMES)
    games = []
    for number in range(GAMES):
        moves, position, turned = [], Position.start(), number > 0 and random.random() < 0.35
        hands = []
        for move in random_game(random.randrange(10**6), random.randint(8, 30)):
            hands.append(hand_move(position, move, turned=turned))
            moves.append(move)
            position = position.play(move)
        is_over = automatic_end(Line.told(Position.start(), tuple(moves), 0)) is not None
        result = None if is_over or number == unfinished else random.choice(RESULTS)
        turn = HALF_TURN if turned else 0
        kings = (position.king(WHITE) ^ turn, position.king(BLACK) ^ turn)
        men = TURNED if turned else USUAL
        games.append((HandGame(tuple(hands), men, result, kings), Truth(tuple(moves), result)))
    return games


def watched(evening: Evening) -> tuple[list[Truth], list[Action]]:
    """The games that were recorded, and all that was said."""
    entries: list[Entry] = [Scan(t_us, occupancy) for t_us, occupancy in evening.scans]
    said: list[Action] = []
    replay = Replay(
        Recording(START_FEN, [*entries, End(evening.end_us)]), Settings(), hear=said.extend
    )
    replay.play()
    records = [game for game in replay.desk.session.games if game.moves]
    return [
        Truth(
            record.moves,
            record.outcome.result
            if record.outcome and record.outcome.termination == "kings"
            else None,
        )
        for record in records
    ], said


def wrong_finals(said: list[Action], truths: list[Truth]) -> list[str]:
    """Plies called final that belong to no game."""
    wrong, number = [], 0
    for action in said:
        number += isinstance(action, NewGame)
        if isinstance(action, Finalised):
            moves = truths[number].moves if number < len(truths) else ()
            if action.ply > len(moves):
                wrong.append(f"game {number + 1}: {action.ply} {action.uci}")
    return wrong


def faults(kind: str, seed: int) -> list[str]:
    """What goes wrong with a chain of games."""
    games = chain(seed)
    last = HandGame((), USUAL, cleared=False)
    evening = play_evening([*(game for game, _ in games), last], kind, seed)
    if any("never_open" in played[-1].tags for played in evening.games[:GAMES]):
        return []  # a capture that no switch has seen, and no later ply tells of
    truths = [truth for _, truth in games]
    told, said = watched(evening)
    wrong = wrong_finals(said, truths)
    if told != truths:
        wrong.append(f"{[(len(t.moves), t.result) for t in told]} were recorded")
    if any(isinstance(action, Stuck) for action in said):
        wrong.append("a switch was called stuck")
    return [f"{kind} {seed}: {fault}" for fault in wrong]


@pytest.mark.parametrize("kind", ["careful", "club", "blitz"])
def test_a_few_chains_of_games_are_recorded_ply_by_ply(kind: str) -> None:
    assert [fault for seed in range(3) for fault in faults(kind, seed)] == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["careful", "club", "wooden"])
def test_chains_of_games_gain_and_lose_no_ply(kind: str, *, full: bool) -> None:
    count = 200 if full else 20
    assert [fault for seed in range(1000, 1000 + count) for fault in faults(kind, seed)] == []
