"""What players do besides moving: each habit is something between two plies of the game."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import chess

from tests.foreign_hands.games import likely_move
from tests.foreign_hands.hand import Spot
from tests.foreign_hands.motion import Motion
from tests.foreign_hands.moves import make_move
from tests.foreign_hands.scene import Scene, Tried
from tests.foreign_hands.switches import PITCH_MM
from tests.foreign_hands.table import Thing, centre

GRAVITY_MM_S2 = 9810.0
RING_STRENGTH = 0.5
"""A clasp holds with a magnet smaller than a piece's (guess)."""


def adjust(scene: Scene) -> None:
    """One piece, of either side, is put into the middle of its square."""
    square = scene.chance.choice(sorted(scene.table.on))
    height = scene.chance.choice((6.0, 15.0, 40.0))
    thing = scene.table.on[square]
    scene.now = scene.hand.adjust(thing, centre(square), scene.now, height)
    scene.wait(0.1, 0.8)


def adjust_several(scene: Scene) -> None:
    """Two to four pieces are adjusted, two of them at the same time by both hands."""
    squares = scene.chance.sample(sorted(scene.table.on), k=scene.chance.randint(2, 4))
    start = scene.now
    for square in squares:
        thing = scene.table.on[square]
        end = scene.hand.adjust(thing, centre(square), start, 40.0)
        start = end - scene.chance.choice((0.3, 0.0, -0.3))
        scene.now = max(scene.now, end)
    scene.wait(0.2, 1.0)


def nudge(scene: Scene) -> None:
    """Pieces are shoved a little without being lifted."""
    for square in scene.chance.sample(sorted(scene.table.on), k=2):
        thing = scene.table.on[square]
        scene.now = scene.hand.adjust(thing, centre(square), scene.now, 0.0)
        scene.wait(0.1, 0.5)


def hover(scene: Scene) -> None:
    """A piece is lifted, held over a square where it might go, and put back."""
    move = likely_move(scene.board, scene.chance)
    if move is None:
        return
    hand, thing = scene.hand, scene.table.on[move.from_square]
    high = scene.chance.uniform(25, 80)
    scene.now = hand.carry(thing, scene.home(move.to_square), scene.now, end_mm=high)
    scene.now = hand.hold(thing, scene.now, scene.chance.uniform(0.3, 4))
    scene.now = hand.carry(thing, scene.home(move.from_square), scene.now)
    scene.wait(0.3, 2)


def long_think(scene: Scene) -> None:
    """Nothing is touched for a while."""
    scene.wait(20, 180)


def second_thoughts(scene: Scene) -> None:
    """A piece stands on another legal square for a moment, and then goes on to its own."""
    plan = scene.plan
    if plan is None or scene.board.is_castling(plan) or plan.promotion:
        another_piece(scene)
        return
    move = likely_move(scene.board, scene.chance, origin=plan.from_square)
    if move is None or move == plan or scene.parked:
        return
    scene.now = scene.hand.carry(
        scene.table.on[move.from_square], scene.home(move.to_square), scene.now
    )
    shown = scene.now
    scene.wait(0.3, 3)
    scene.tried.append(Tried(scene.ply, move.uci(), shown, scene.now))


def another_piece(scene: Scene) -> None:
    """A legal move is made, stands for a moment, and is put back for another one."""
    _play_and_undo(scene, 1, 0.3, 3)


def take_back(scene: Scene) -> None:
    """One to three plies are played and undone, last mover first."""
    _play_and_undo(scene, scene.chance.choice((1, 2, 2, 3)), 1, 6)


def illegal_try(scene: Scene) -> None:
    """A piece is put on an empty square that it may not go to, and is taken back after a while."""
    own = [s for s, t in scene.table.on.items() if scene.board.color_at(s) == scene.board.turn]
    origin = scene.chance.choice(sorted(own))
    legal = {move.to_square for move in scene.board.legal_moves if move.from_square == origin}
    targets = [
        s
        for s in chess.SQUARES
        if scene.empty(s) and s not in legal and chess.square_distance(origin, s) < 4
    ]
    if not targets or scene.board.piece_type_at(origin) == chess.KING:
        return
    thing, target = scene.table.on[origin], scene.chance.choice(targets)
    scene.now = scene.hand.carry(thing, scene.home(target), scene.now)
    scene.wait(1, 6)
    scene.now = scene.hand.carry(thing, scene.home(origin), scene.now)
    scene.wait(0.5, 2)


def hold(scene: Scene) -> None:
    """The piece that will be moved is lifted and held for 8 to 300 s."""
    plan = scene.plan
    if plan is None or scene.board.is_castling(plan):
        return
    thing = scene.table.on[plan.from_square]
    lifted = scene.hand.lift(thing, scene.now, 80.0)
    lasts = math.exp(scene.chance.uniform(math.log(8), math.log(300)))
    scene.now = scene.hand.hold(thing, lifted, lasts)


def border(scene: Scene) -> None:
    """A piece is dragged to the border of its square, rests there, and is dragged back."""
    square = scene.chance.choice(sorted(scene.table.on))
    thing = scene.table.on[square]
    x, y = centre(square)
    angle = scene.chance.choice((0.0, 0.5, 1.0, 1.5)) * math.pi
    away = scene.chance.uniform(0.3, 0.5) * PITCH_MM
    spot = (x + away * math.cos(angle), y + away * math.sin(angle))
    scene.now = scene.hand.slide(thing, spot, scene.now)
    scene.wait(0.3, 3)
    scene.now = scene.hand.slide(thing, scene.home(square), scene.now)
    scene.wait(0.3, 1)


def bump(scene: Scene) -> None:
    """Somebody bumps the table: pieces hop a few millimetres and come down a little aside."""
    shove = scene.chance.uniform(0.5, 3)
    start = scene.now
    for square, thing in sorted(scene.table.on.items()):
        high = scene.chance.uniform(0.2, 6)
        spot = _shoved(scene, square, scene.chance.gauss(0, shove), scene.chance.gauss(0, shove))
        begin = max(start, scene.table.free_s[thing])
        top = begin + math.sqrt(2 * high / GRAVITY_MM_S2)
        end = 2 * top - begin
        plane = ((begin, *scene.table.at[thing]), (end, *spot))
        height = ((begin, 0.0), (top, high), (end, 0.0))
        scene.now = max(scene.now, scene.table.move(Motion(thing, plane, height)))
    scene.wait(0.5, 2)


def sleeve(scene: Scene) -> None:
    """A sleeve brushes over neighbouring pieces and shoves them a little, all at once."""
    square = scene.chance.choice(sorted(scene.table.on))
    near = [s for s in sorted(scene.table.on) if chess.square_distance(s, square) <= 1]
    angle, far = scene.chance.uniform(0, 2 * math.pi), scene.chance.uniform(2, 7)
    start = scene.now
    for other in near[:3]:
        spot = _shoved(scene, other, far * math.cos(angle), far * math.sin(angle))
        end = scene.hand.slide(scene.table.on[other], spot, start)
        scene.now = max(scene.now, end)
    scene.wait(0.2, 1)


def topple(scene: Scene) -> None:
    """A piece falls over, lies there, and is put up again."""
    square = scene.chance.choice(sorted(scene.table.on))
    thing = scene.table.on[square]
    start = max(scene.now, scene.table.free_s[thing])
    down = start + 0.35  # a pendulum of 5 to 10 cm needs a few tenths of a second
    lies = down + scene.chance.uniform(0.5, 3)
    end = lies + scene.chance.uniform(0.3, 0.8)
    spot = scene.table.at[thing]
    tilt = ((start, 0.0), (down, math.pi / 2), (lies, math.pi / 2), (end, 0.0))
    motion = Motion(
        thing,
        plane=((start, *spot), (end, *scene.home(square))),
        height=((start, 0.0),),
        tilt=tilt,
        heading=scene.chance.uniform(0, 2 * math.pi),
    )
    scene.now = scene.table.move(motion)
    scene.wait(0.5, 2)


def ring(scene: Scene) -> None:
    """A hand with a magnetic clasp comes to rest over the board's edge, and goes again."""
    edge = list(chess.SquareSet(chess.BB_FILE_A | chess.BB_FILE_H))
    x, y = centre(scene.chance.choice(edge))
    clasp = scene.table.add(Thing(None, RING_STRENGTH), (-200.0, y), 60.0)
    spot = (x + scene.chance.gauss(0, 12), y + scene.chance.gauss(0, 12))
    start = scene.hand.carry(clasp, spot, scene.now, height_mm=60, end_mm=4.0)
    scene.now = start + scene.chance.uniform(1, 20)
    scene.now = scene.hand.carry(clasp, (-200.0, y), scene.now, end_mm=60.0)


LAST = ("hold", "second thoughts")
"""After these the piece is not on its square, so the move follows at once."""
HABITS: Mapping[str, Callable[[Scene], None]] = {
    "adjust": adjust,
    "adjust several": adjust_several,
    "nudge": nudge,
    "hover": hover,
    "long think": long_think,
    "second thoughts": second_thoughts,
    "another piece": another_piece,
    "take back": take_back,
    "illegal try": illegal_try,
    "hold": hold,
    "border": border,
    "bump": bump,
    "topple": topple,
    "ring": ring,
    "sleeve": sleeve,
}


def _shoved(scene: Scene, square: chess.Square, dx: float, dy: float) -> Spot:
    """Return where a piece is after a shove; one that is 8 mm off, people put back at once."""
    (x, y), (at_x, at_y) = centre(square), scene.table.at[scene.table.on[square]]
    return min(x + 8, max(x - 8, at_x + dx)), min(y + 8, max(y - 8, at_y + dy))


def _play_and_undo(scene: Scene, plies: int, shortest_s: float, longest_s: float) -> None:
    """Play so many plies, each of which stands for a moment, and undo them."""
    played: list[tuple[chess.Move, int | None, float]] = []
    for _ in range(plies):
        move = likely_move(scene.board, scene.chance, captures=True)
        if move is None:
            break
        victim = scene.table.on.get(move.to_square)
        make_move(scene, move)
        played.append((move, victim, scene.now))
        scene.wait(shortest_s, longest_s)
    for move, victim, shown in reversed(played):
        scene.board.pop()
        begun = scene.now
        _undo(scene, move, victim)
        scene.tried.append(Tried(scene.ply, move.uci(), shown, begun))
        scene.wait(0.3, 2)


def _undo(scene: Scene, move: chess.Move, victim: int | None) -> None:
    """Bring a piece back to where it came from, and then what it had captured."""
    hand, on = scene.hand, scene.table.on
    thing = on.pop(move.to_square)
    on[move.from_square] = thing
    scene.now = hand.carry(thing, scene.home(move.from_square), scene.now)
    if victim is not None:
        for square in [s for s, parked in scene.parked.items() if parked == victim]:
            del scene.parked[square]
        on[move.to_square] = victim
        scene.now = hand.carry(victim, scene.home(move.to_square), scene.now + 0.2)
