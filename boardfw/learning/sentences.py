"""Sentences of a lesson: what is set up, asked, refused and shown."""

from __future__ import annotations

from boardfw.inference.planner import Step
from boardfw.learning.course import Exercise
from boardfw.learning.judge.base import Right, Wrong
from boardfw.learning.lesson import Marks
from boardfw.rules import BLACK, WHITE, Piece, Position
from boardfw.rules.board import COLOR_NAMES, KING, PIECE_NAMES, Color, Placement, piece_at
from boardfw.rules.faults import listed
from boardfw.squares import NAMES, Bitboard, Square, distance, squares_in


def setting_up(position: Position) -> str:
    """The set-up, for learners who cannot see the lights: ``White: king a1, rook d5.``"""
    if position.occupied.bit_count() == 32:
        return "Set up the pieces. All as at the start of a game."
    return " ".join(("Set up the pieces.", *(_pieces_of(position, c) for c in (WHITE, BLACK))))


def _pieces_of(position: Position, color: Color) -> str:
    names = (
        f"{PIECE_NAMES[piece_type]} {NAMES[square]}"
        for piece_type in range(KING, 0, -1)
        for square in squares_in(position.pieces_of(piece_type, color))
    )
    return f"{COLOR_NAMES[color]}: {', '.join(names)}."


STANDS_ALREADY = "The lights show which piece is missing. If it is there already, press pause."
LEFT_OUT = "This exercise needs that, and is left for another time."


def silent(dead: Bitboard) -> str:
    """That switches tell nothing: ``The board cannot see e4.``; 0: all of them work again."""
    return f"The board cannot see {listed(dead)}." if dead else "The board sees every square again."


def ask_again(exercise: Exercise, pieces: Placement, off: Bitboard) -> str:
    """The task, and which squares are empty that should not be."""
    if not off:
        return exercise.words.say
    found = ((square, piece_at(pieces, square)) for square in squares_in(off))
    named = [
        f"{PIECE_NAMES[piece.piece_type]} {NAMES[square]}"
        for square, piece in found
        if piece is not None
    ]
    return f"{exercise.words.say} Off the board: {', '.join(named)}."


FOUND = {
    "all": "Yes, {}. Put it back; {} more to find.",
    "touch": "Yes, {}.",
    "place": "Yes, {}.",
    "line": "Yes, {}.",
    "stars": "A star, {}. {} more.",
}
"""By the type of the task, where it is not ``Yes, e4. 3 more.``: in some it is a secret."""


def found(exercise: Exercise, right: Right) -> str:
    """That an answer is right, and how many are still to come, where that is no secret."""
    if right.wanted:
        pieces = _types_of(exercise.position, right.wanted)
        return f"All right so far. Now lift and put back {pieces}."
    more = "Yes, {}. {} more." if right.left else "Yes, {}. That is all: bring it home."
    return FOUND.get(exercise.type, more).format(NAMES[right.square], right.left)


def _types_of(position: Position, squares: Bitboard) -> str:
    """``both queens``, ``White's two bishops``: without their squares."""
    pieces = [piece for piece in map(position.piece_at, squares_in(squares)) if piece is not None]
    name = PIECE_NAMES[pieces[0].piece_type] + ("s" if len(pieces) > 1 else "")
    colours = {piece.color for piece in pieces}
    whose = "" if len(colours) > 1 else f"{COLOR_NAMES[pieces[0].color]}'s "
    count = {1: "", 2: "both " if len(colours) > 1 else "two "}.get(
        len(pieces), f"all {len(pieces)} "
    )
    return f"{whose}{count}{name}"


def refused(wrong: Wrong) -> str:
    """What is wrong with an answer, without the right one."""
    if wrong.sentence:
        return f"No: {wrong.sentence}."
    return wrong.text or f"Not {listed(wrong.squares)}."


def to_make(pieces: Placement, origin: Square, target: Square) -> str:
    """The move that the lights show: ``Make Black's move: pawn e7 to e5.``"""
    piece = piece_at(pieces, origin)
    if piece is None:
        return ""
    castles = piece.piece_type == KING and distance(origin, target) > 1
    how = "castling, " if castles else ""
    steps = f"{PIECE_NAMES[piece.piece_type]} {NAMES[origin]} to {NAMES[target]}"
    return f"Make {COLOR_NAMES[piece.color]}'s move: {how}{steps}."


def to_carry(pieces: Placement, home: Placement, step: Step) -> str:
    """One step of the way home: ``Put the queen on e6 back on d4.``"""
    origin, target = step
    piece = None if origin is None else piece_at(pieces, origin)
    if piece is None and target is not None:
        piece = piece_at(home, target)
    name = "piece" if piece is None else PIECE_NAMES[piece.piece_type]
    if origin is None:
        whose = "the" if piece is None else f"{COLOR_NAMES[piece.color]}'s"
        return "" if target is None else f"Put {whose} {name} on {NAMES[target]}."
    if target is None:
        return f"Take the {name} on {NAMES[origin]} off the board."
    return f"Put the {name} on {NAMES[origin]} back on {NAMES[target]}."


def to_put(piece: Piece, squares: Bitboard) -> str:
    """What is set up next: ``Put White's rooks on a1 and h1.``"""
    name = PIECE_NAMES[piece.piece_type] + ("s" if squares.bit_count() > 1 else "")
    return f"Put {COLOR_NAMES[piece.color]}'s {name} on {listed(squares)}."


def to_exchange(piece: Piece, square: Bitboard) -> str:
    """What a pawn that has arrived is exchanged for; switches do not tell which of them stands."""
    name = PIECE_NAMES[piece.piece_type]
    return (
        f"Take the pawn off {listed(square)} and put {COLOR_NAMES[piece.color]}'s {name} there. "
        f"If the {name} is there already, lift it and put it back."
    )


def first_off(wrong: Bitboard) -> str:
    """That a piece that was left on a wrong square is lifted first."""
    return f"First lift the piece on {listed(wrong)}."


def shown(solution: Marks) -> str:
    """The next answer."""
    if solution.put and solution.asked:
        return f"The answer: from {listed(solution.asked)} to {listed(solution.put)}."
    if solution.surplus:
        return "Take off the pieces that are lit. Then the lights show what goes where."
    squares = solution.put or solution.asked
    return f"The answer: {listed(squares)}." if squares else "No short path is known from here."
