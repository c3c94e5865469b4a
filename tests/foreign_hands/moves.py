"""How a chess move is made by hand: a carry or a slide, a capture, castling, a promotion."""

from __future__ import annotations

import math

import chess

from tests.foreign_hands.hand import Spot
from tests.foreign_hands.scene import Scene
from tests.foreign_hands.switches import PITCH_MM
from tests.foreign_hands.table import centre

PROMOTIONS = (chess.QUEEN, chess.KNIGHT, chess.ROOK, chess.BISHOP)
"""Each lift of the new piece within 4 s chooses the next one, by the contract of the board."""


def make_move(scene: Scene, move: chess.Move) -> None:
    """Let the side to move make a legal move on the table and in the position."""
    for square in {move.to_square, *_between(move)}:
        scene.clear(square)
    if scene.board.is_castling(move):
        _castle(scene, move)
    else:
        victim = captured_on(scene.board, move)
        if victim is None:
            _go(scene, move)
        else:
            _capture(scene, move, victim)
        if move.promotion:
            _promote(scene, move)
    scene.board.push(move)


def captured_on(board: chess.Board, move: chess.Move) -> chess.Square | None:
    """Return the square of the piece that a move captures; None where it captures none."""
    if board.is_en_passant(move):
        return chess.square(chess.square_file(move.to_square), chess.square_rank(move.from_square))
    return move.to_square if board.is_capture(move) else None


def rook_path(move: chess.Move) -> tuple[chess.Square, chess.Square]:
    """Return from where to where the rook goes when the king makes this castling move."""
    rank = chess.square_rank(move.from_square)
    long = move.to_square < move.from_square
    return chess.square(0 if long else 7, rank), chess.square(3 if long else 5, rank)


def step(scene: Scene, origin: chess.Square, target: chess.Square, *, at: float) -> float:
    """Bring the piece of a square to another one, lifted or slid; return the end."""
    table, hand = scene.table, scene.hand
    thing = table.on.pop(origin)
    table.on[target] = thing
    spot = scene.home(target)
    straight = _is_line(origin, target)
    is_free = all(scene.empty(s) for s in chess.SquareSet(chess.between(origin, target)))
    rests = table.z[thing] == 0 and math.dist(table.at[thing], centre(origin)) < PITCH_MM / 2
    if rests and straight and is_free and scene.chance.random() < hand.manner.slides:
        scene.did.append("slide")
        return hand.slide(thing, spot, at)
    return hand.carry(thing, spot, at)


def _is_line(origin: chess.Square, target: chess.Square) -> bool:
    files = abs(chess.square_file(origin) - chess.square_file(target))
    ranks = abs(chess.square_rank(origin) - chess.square_rank(target))
    return files == ranks or not files or not ranks


def _between(move: chess.Move) -> chess.SquareSet:
    return chess.SquareSet(chess.between(move.from_square, move.to_square))


def _go(scene: Scene, move: chess.Move) -> None:
    scene.now = step(scene, move.from_square, move.to_square, at=scene.now)


def _castle(scene: Scene, move: chess.Move) -> None:
    king, rook = (move.from_square, move.to_square), rook_path(move)
    chance, person = scene.chance, scene.person
    if chance.random() < person.two_handed_castling:
        scene.did.append("castling with two hands")
        ends = [step(scene, *king, at=scene.now)]
        ends.append(step(scene, *rook, at=scene.now + chance.uniform(0, 0.2)))
        scene.now = max(ends)
        return
    first, second = (king, rook)
    if chance.random() < person.rook_first:
        scene.did.append("rook first")
        first, second = second, first
    scene.now = step(scene, *first, at=scene.now)
    scene.wait(0.1 * person.manner.slowness, 0.6 * person.manner.slowness)
    scene.now = step(scene, *second, at=scene.now)


def _capture(scene: Scene, move: chess.Move, square: chess.Square) -> None:
    ways = scene.person.captures
    way = scene.chance.choices(list(ways), list(ways.values()))[0]
    can_push = way == "push" and square == move.to_square
    direction = _push_direction(scene, move) if can_push else None
    if way == "push" and direction is None:
        way = "victim first"
    scene.did.append(f"capture: {way}")
    victim = scene.table.on.pop(square)
    if direction is not None:
        _push_off(scene, move, victim, direction)
    elif way == "two hands":
        _take_with_both(scene, move, victim)
    elif way == "one hand":
        _take_in_passing(scene, move, victim)
    elif square != move.to_square and scene.chance.random() < 0.7:
        _go(scene, move)  # most people move the pawn before they take the other one en passant
        scene.wait(0.1, 0.5)
        _put_away(scene, victim)
    else:
        _put_away(scene, victim)
        scene.wait(0.05, 0.3)
        _go(scene, move)


def _take_with_both(scene: Scene, move: chess.Move, victim: int) -> None:
    """One hand takes the victim while the other brings the piece; they do not go through it."""
    hand, table = scene.hand, scene.table
    start = scene.now
    begun = max(start + scene.chance.uniform(-0.05, 0.2), table.free_s[victim])
    _put_away(scene, victim, at=begun)
    gone = table.leaves_s(victim, table.contact(victim, table.on[move.from_square]))
    lands = gone + scene.chance.uniform(0, 0.15) * hand.manner.slowness
    thing = table.on.pop(move.from_square)
    table.on[move.to_square] = thing
    needs = hand.seconds(math.dist(table.at[thing], centre(move.to_square)))
    start = max(start, table.free_s[thing], lands - needs)
    hand.carry(thing, scene.home(move.to_square), start, seconds=needs)
    scene.now = max(table.free_s[thing], table.free_s[victim])


def _take_in_passing(scene: Scene, move: chess.Move, victim: int) -> None:
    """The hand comes with its piece, takes the victim with the same fingers, and puts it down."""
    hand, table = scene.hand, scene.table
    x, y = centre(move.to_square)
    thing = table.on.pop(move.from_square)
    table.on[move.to_square] = thing
    above = (x + scene.chance.gauss(0, 10), y + scene.chance.gauss(0, 10))
    high = max(55.0, hand.manner.height_mm)
    arrived = hand.carry(thing, above, scene.now, height_mm=high, end_mm=high)
    away = scene.chance.uniform(25, 45) * scene.chance.choice((-1, 1))
    begun = max(arrived, table.free_s[victim])
    lasts = 0.2 * hand.manner.slowness
    lifted = hand.carry(victim, (x + away, y), begun, height_mm=60, end_mm=60, seconds=lasts)
    scene.now = hand.carry(
        thing, scene.home(move.to_square), begun + 0.6 * lasts, end_mm=0.0, seconds=lasts
    )
    _put_away(scene, victim, at=max(lifted, scene.now))


def _push_direction(scene: Scene, move: chess.Move) -> Spot | None:
    """Return where the victim can be pushed: onward or aside, where no piece is in its way."""
    (x0, y0), (x1, y1) = centre(move.from_square), centre(move.to_square)
    length = math.hypot(x1 - x0, y1 - y0)
    onward = ((x1 - x0) / length, (y1 - y0) / length)
    contact = scene.table.contact(scene.table.on[move.from_square], scene.table.on[move.to_square])
    for dx, dy in (onward, (-onward[1], onward[0]), (onward[1], -onward[0])):
        x, y = x1 + contact * dx, y1 + contact * dy
        others = [s for s in (*scene.table.on, *scene.parked) if s != move.to_square]
        if all(math.dist(centre(s), (x, y)) > 0.8 * contact for s in others):
            return dx, dy
    return None


def _push_off(scene: Scene, move: chess.Move, victim: int, direction: Spot) -> None:
    """The piece slides in from the side away from ``direction`` and shoves the victim out."""
    hand, table = scene.hand, scene.table
    x, y = centre(move.to_square)
    thing = table.on.pop(move.from_square)
    table.on[move.to_square] = thing
    start = max(scene.now, table.free_s[victim])
    contact = 1.2 * table.contact(thing, victim)
    door = (x - contact * direction[0], y - contact * direction[1])
    if math.dist(table.at[thing], door) > PITCH_MM / 2:
        start = hand.carry(thing, door, start, end_mm=3.0)
    scene.now = hand.slide(thing, scene.home(move.to_square), max(start, table.free_s[victim]))
    pushed = hand.push(victim, table.motions[-1], direction)
    # The other hand, or the same one, takes it from there.
    slowness = hand.manner.slowness
    _put_away(scene, victim, at=max(pushed, scene.now) + scene.chance.uniform(0.1, 0.7) * slowness)


def _put_away(scene: Scene, victim: int, at: float | None = None) -> None:
    """Take a captured piece off the board, or park it on an empty square at the edge."""
    start = scene.now if at is None else at
    edge = [s for s in chess.SquareSet(chess.BB_FILE_A | chess.BB_FILE_H) if scene.empty(s)]
    if edge and scene.chance.random() < scene.person.parks:
        square = scene.chance.choice(edge)
        scene.parked[square] = victim
        scene.did.append(f"parked on {chess.square_name(square)}")
        end = scene.hand.carry(victim, scene.home(square), start)
    else:
        end = scene.hand.take_off(victim, start)
    scene.now = max(scene.now, end)


def _promote(scene: Scene, move: chess.Move) -> None:
    """Exchange the pawn for a piece; choose another than a queen by lifting it again."""
    hand, table, slowness = scene.hand, scene.table, scene.person.manner.slowness
    scene.wait(0.2 * slowness, 1.5 * slowness)
    pawn = table.on.pop(move.to_square)
    kind = move.promotion or chess.QUEEN
    piece = table.spare(chess.Piece(kind, scene.board.turn))
    if scene.chance.random() < 0.3:  # one hand takes the pawn, the other has the piece ready
        end = hand.take_off(pawn, scene.now)
        scene.now += 0.3 * slowness
    else:
        end = scene.now = hand.take_off(pawn, scene.now)
        scene.wait(0.1 * slowness, 0.5 * slowness)
    table.on[move.to_square] = piece
    scene.now = max(end, hand.carry(piece, scene.home(move.to_square), scene.now))
    for _ in range(PROMOTIONS.index(kind)):
        scene.did.append("chooses")
        scene.wait(0.4, 1.0)
        scene.now = hand.adjust(piece, centre(move.to_square), scene.now, 45.0)
