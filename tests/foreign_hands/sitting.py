"""A sitting: two players of a kind play one game, or two, and the truth about it is kept."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import chess

from tests.foreign_hands.afterwards import analyse, set_up_again, show_result
from tests.foreign_hands.besides import HABITS, LAST
from tests.foreign_hands.games import game, random_game
from tests.foreign_hands.hand import Hand
from tests.foreign_hands.moves import make_move
from tests.foreign_hands.people import KINDS, Person
from tests.foreign_hands.scene import Scene, Tried
from tests.foreign_hands.table import Table

REST_AT_END_S = 8.0


@dataclass(frozen=True, slots=True)
class PlayedPly:
    """A ply as the hands made it."""

    uci: str
    touched_s: float
    """When its first piece left its place at the earliest."""
    let_go_s: float
    """When the hands let go of its last piece."""
    did: tuple[str, ...]
    """What happened since the ply before, in words."""


@dataclass(slots=True)
class PlayedGame:
    """A game as it was played."""

    plies: list[PlayedPly] = field(default_factory=list)
    tried: list[Tried] = field(default_factory=list)
    result: str = "*"
    """The result that the kings showed; `*` where they showed none."""

    @property
    def moves(self) -> list[str]:
        """The moves that were kept, UCI."""
        return [ply.uci for ply in self.plies]


@dataclass(slots=True)
class Sitting:
    """What happened at a table, with all that its switches will need."""

    kind: str
    name: str
    table: Table
    games: list[PlayedGame]
    presses: list[tuple[float, str]]
    end_s: float

    @property
    def person(self) -> Person:
        """The kind of players."""
        return KINDS[self.kind]


def sit(kind: str, seed: int, number: int) -> Sitting:
    """Let two players of a kind play a sitting. The same arguments make the same sitting."""
    person = KINDS[kind]
    name = f"{kind.replace(' ', '-')}-{seed}-{number}"
    chance = random.Random(name)
    board = chess.Board()
    table = Table(board, chance, min(3.0, person.manner.aim_mm))
    hands = {colour: Hand(table, person.manner, chance) for colour in chess.COLORS}
    scene = Scene(person, table, board, hands, chance)
    games = [_play(scene, game(chance))]
    ending = chance.choices(list(person.endings), list(person.endings.values()))[0]
    if ending != "stop":
        scene.wait(1, 5)
        games[0].result = _result(scene)
        show_result(scene, games[0].result)
    if ending == "analysis":
        analyse(scene)
        set_up_again(scene)
        games.append(_play(scene, random_game(chance, 16)))
    return Sitting(kind, name, table, games, scene.presses, scene.now + REST_AT_END_S)


def _result(scene: Scene) -> str:
    """Return a result for the kings to show; a mate has been decided already."""
    if scene.board.is_game_over():
        return scene.board.result()
    return scene.chance.choice(("1-0", "0-1", "1/2-1/2"))


def _play(scene: Scene, moves: list[chess.Move]) -> PlayedGame:
    played = PlayedGame()
    scene.tried = played.tried
    for move in moves:
        scene.plan = move
        _before(scene)
        touched = scene.now
        make_move(scene, move)
        played.plies.append(PlayedPly(move.uci(), touched, scene.now, tuple(scene.did)))
        scene.did.clear()
        if scene.person.presses_clock:
            who = "black" if scene.board.turn else "white"
            scene.presses.append((scene.now + 0.25, f"clock_{who}"))
        scene.wait(*scene.person.think_s)
    return played


def _before(scene: Scene) -> None:
    """Let the players do what they do besides moving."""
    habits = scene.person.habits
    due = [name for name in sorted(habits) if scene.chance.random() < habits[name]]
    for name in [n for n in due if n not in LAST] + [n for n in due if n in LAST][:1]:
        scene.did.append(name)
        HABITS[name](scene)
    if scene.parked and scene.chance.random() < 0.3:
        scene.clear(scene.chance.choice(sorted(scene.parked)))
