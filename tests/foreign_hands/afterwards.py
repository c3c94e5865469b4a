"""What follows the last ply: nothing, the kings in the centre, or analysis and another game."""

from __future__ import annotations

import math

import chess

from tests.foreign_hands.scene import Scene, Tried
from tests.foreign_hands.switches import PITCH_MM
from tests.foreign_hands.table import centre

ENDINGS = ("stop", "kings", "analysis")
CENTRES = {
    "1-0": (chess.E4, chess.D5),
    "0-1": (chess.E5, chess.D4),
    "1/2-1/2": (chess.E4, chess.E5),
}
"""Squares of the white and of the black king, by the contract of the board."""


def show_result(scene: Scene, result: str) -> None:
    """Put both kings on squares of the centre, one after the other or both at once."""
    targets = dict(zip((chess.WHITE, chess.BLACK), CENTRES[result], strict=True))
    homes = {colour: _king(scene, colour) for colour in targets}
    things = {colour: scene.table.on.pop(home) for colour, home in homes.items()}
    both_at_once = scene.chance.random() < 0.3
    for square in targets.values():
        thing = scene.table.on.pop(square, None)
        if thing is not None:
            scene.now = scene.hand.take_off(thing, scene.now)
            scene.wait(0.2, 0.8)
    start = scene.now
    for colour, square in targets.items():
        thing = things[colour]
        scene.table.on[square] = thing
        end = scene.hands[colour].carry(thing, scene.home(square), start)
        start = start + 0.1 if both_at_once else end + scene.chance.uniform(0.3, 3)
        scene.now = max(scene.now, end)
        step = chess.Move(homes[colour], square)
        if colour and step in scene.board.legal_moves:
            # It may be final before the other king is lifted, and is then kept by the contract.
            scene.tried.append(Tried(scene.ply, step.uci(), end, start))
    scene.wait(4, 8)


def analyse(scene: Scene) -> None:
    """Both players move pieces of either colour to wherever they like."""
    for _ in range(scene.chance.randint(6, 20)):
        origin = scene.chance.choice(sorted(scene.table.on))
        target = scene.chance.choice([s for s in chess.SQUARES if scene.empty(s)])
        thing = scene.table.on[target] = scene.table.on.pop(origin)
        hand = scene.hands[scene.chance.random() < 0.5]
        scene.now = hand.carry(thing, scene.home(target), scene.now)
        scene.wait(0.1, 3)


def set_up_again(scene: Scene) -> None:
    """Both players put their pieces to where a game begins, at the same time."""
    table = scene.table
    for square in sorted(scene.parked):
        scene.clear(square)
    start = scene.now
    free = {chess.WHITE: start, chess.BLACK: start + 0.4}
    wanted = chess.Board().piece_map()
    open_squares = [s for s in wanted if not _stands(scene, s, wanted[s])]
    scene.chance.shuffle(open_squares)
    in_the_way = [s for s in table.on if not _stands(scene, s, wanted.get(s))]
    for square in in_the_way:  # what is not where it belongs is first swept off the board
        thing = table.on.pop(square)
        colour = bool(square < 32)
        free[colour] = scene.hands[colour].take_off(thing, free[colour])
    last_swept = max(free.values())
    free = {colour: max(end, last_swept) for colour, end in free.items()}
    for square in open_squares:
        piece = wanted[square]
        thing = table.spare(piece)
        table.on[square] = thing
        spot = scene.hand.aimed(centre(square))
        end = scene.hands[piece.color].carry(thing, spot, free[piece.color])
        free[piece.color] = end + scene.chance.uniform(0.05, 0.3)
    scene.now = max(free.values())
    scene.board.reset()
    scene.wait(3, 10)


def _stands(scene: Scene, square: chess.Square, piece: chess.Piece | None) -> bool:
    """Return True if a piece of this kind is where it belongs."""
    thing = scene.table.on.get(square)
    if thing is None or scene.table.things[thing].piece != piece:
        return False
    return math.dist(scene.table.at[thing], centre(square)) < PITCH_MM / 4


def _king(scene: Scene, colour: chess.Color) -> chess.Square:
    king = chess.Piece(chess.KING, colour)
    return next(s for s, t in scene.table.on.items() if scene.table.things[t].piece == king)
