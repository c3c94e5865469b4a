"""Sentences of a lesson: what is set up, asked, refused and shown."""

from __future__ import annotations

from boardfw.learning.course import Exercise
from boardfw.learning.judge.base import Right, Wrong
from boardfw.learning.lesson import Marks
from boardfw.phrase import Phrase, joined, linked
from boardfw.rules import BLACK, WHITE, Piece, Position
from boardfw.rules.board import COLOR_NAMES, KING, PIECE_NAMES, Color, Placement, piece_at
from boardfw.rules.planner import Step
from boardfw.squares import NAMES, Bitboard, Square, distance, names_of, squares_in


def setting_up(position: Position) -> Phrase:
    """The set-up, for learners who cannot see the lights: ``White: king a1, rook d5.``"""
    if position.occupied.bit_count() == 32:
        return Phrase("Set up the pieces. All as at the start of a game.")
    return linked(("Set up the pieces.", *(_pieces_of(position, c) for c in (WHITE, BLACK))))


def _pieces_of(position: Position, color: Color) -> Phrase:
    names = (
        _at(PIECE_NAMES[piece_type], square)
        for piece_type in range(KING, 0, -1)
        for square in squares_in(position.pieces_of(piece_type, color))
    )
    return Phrase("{0}: {1}.", COLOR_NAMES[color], linked(names, ", "))


def _at(name: str, square: Square) -> Phrase:
    """``rook d5``."""
    return Phrase("{0} {1}", name, NAMES[square])


STANDS_ALREADY = "The lights show which piece is missing. If it is there already, press pause."
LEFT_OUT = "This exercise needs that, and is left for another time."
LEFT = "This one is left for another time."
LONGER = "Hold it for a second and put it back: then it counts."


def silent(dead: Bitboard) -> Phrase:
    """That switches tell nothing: ``The board cannot see e4.``; 0: all of them work again."""
    if not dead:
        return Phrase("The board sees every square again.")
    return Phrase("The board cannot see {0}.", _listed(dead))


def _listed(squares: Bitboard) -> Phrase:
    return joined(names_of(squares))


def your_turn(color: Color) -> Phrase:
    """That the learner is asked, after a move of the other side."""
    return Phrase("Now you: {0} to move.", COLOR_NAMES[color])


def off_board(pieces: Placement, off: Bitboard) -> str:
    """Which pieces are gone that should not be; empty: none is."""
    if not off:
        return ""
    found = ((square, piece_at(pieces, square)) for square in squares_in(off))
    named = [_at(PIECE_NAMES[piece.piece_type], square) for square, piece in found if piece]
    return Phrase("Off the board: {0}.", linked(named, ", "))


FOUND = {
    "all": "Yes, {0}. Put it back; {1} more to find.",
    "touch": "Yes, {0}.",
    "place": "Yes, {0}.",
    "line": "Yes, {0}.",
    "stars": "A star, {0}. {1} more.",
}
"""By the type of the task, where it is not ``Yes, e4. 3 more.``: in some it is a secret."""


def found(exercise: Exercise, right: Right) -> Phrase:
    """That an answer is right, and how many are still to come, where that is no secret."""
    if right.wanted:
        pieces = _types_of(exercise.position, right.wanted)
        return Phrase("All right so far. Now lift and put back {0}.", pieces)
    more = "Yes, {0}. {1} more." if right.left else "Yes, {0}. That is all: bring it home."
    return Phrase(FOUND.get(exercise.type, more), NAMES[right.square], str(right.left))


def _types_of(position: Position, squares: Bitboard) -> Phrase:
    """``both queens``, ``White's two bishops``: without their squares."""
    pieces = [piece for piece in map(position.piece_at, squares_in(squares)) if piece is not None]
    count, color = len(pieces), COLOR_NAMES[pieces[0].color]
    name = _named(pieces[0], is_one=count == 1)
    are_of_both = len({piece.color for piece in pieces}) > 1
    if are_of_both:
        return Phrase("both {0}" if count == 2 else "all {1} {0}", name, str(count))
    patterns = {1: "{0}'s {1}", 2: "{0}'s two {1}"}
    return Phrase(patterns.get(count, "{0}'s all {2} {1}"), color, name, str(count))


def _named(piece: Piece, *, is_one: bool) -> str:
    return PIECE_NAMES[piece.piece_type] + ("" if is_one else "s")


def refused(wrong: Wrong) -> str:
    """What is wrong with an answer, without the right one."""
    if wrong.sentence:
        return Phrase("No: {0}.", wrong.sentence)
    return wrong.text or Phrase("Not {0}.", _listed(wrong.squares))


def to_make(pieces: Placement, origin: Square, target: Square) -> str:
    """The move that the lights show: ``Make Black's move: pawn e7 to e5.``"""
    piece = piece_at(pieces, origin)
    if piece is None:
        return ""
    castles = piece.piece_type == KING and distance(origin, target) > 1
    return Phrase(
        "Make {0}'s move: castling, {1} to {2}." if castles else "Make {0}'s move: {1} to {2}.",
        COLOR_NAMES[piece.color],
        _at(PIECE_NAMES[piece.piece_type], origin),
        NAMES[target],
    )


def to_carry(pieces: Placement, home: Placement, step: Step) -> str:
    """One step of the way home: ``Put the queen on e6 back on d4.``"""
    origin, target = step
    piece = None if origin is None else piece_at(pieces, origin)
    if piece is None and target is not None:
        piece = piece_at(home, target)
    name = "piece" if piece is None else PIECE_NAMES[piece.piece_type]
    if origin is None:
        if target is None:
            return ""
        if piece is None:
            return Phrase("Put the piece on {0}.", NAMES[target])
        return Phrase("Put {0}'s {1} on {2}.", COLOR_NAMES[piece.color], name, NAMES[target])
    if target is None:
        return Phrase("Take the {0} on {1} off the board.", name, NAMES[origin])
    return Phrase("Put the {0} on {1} back on {2}.", name, NAMES[origin], NAMES[target])


def to_put(piece: Piece, squares: Bitboard) -> Phrase:
    """What is set up next: ``Put White's rooks on a1 and h1.``"""
    name = _named(piece, is_one=squares.bit_count() == 1)
    return Phrase("Put {0}'s {1} on {2}.", COLOR_NAMES[piece.color], name, _listed(squares))


def to_exchange(piece: Piece, square: Bitboard) -> Phrase:
    """What a pawn that has arrived is exchanged for; switches do not tell which of them stands."""
    return Phrase(
        "Take the pawn off {0} and put {1}'s {2} there. "
        "If the {2} is there already, lift it and put it back.",
        _listed(square),
        COLOR_NAMES[piece.color],
        PIECE_NAMES[piece.piece_type],
    )


def first_off(wrong: Bitboard) -> Phrase:
    """That a piece that was left on a wrong square is lifted first."""
    return Phrase("First lift the piece on {0}.", _listed(wrong))


def shown(solution: Marks) -> Phrase:
    """The next answer."""
    if solution.put and solution.asked:
        steps = _listed(solution.asked), _listed(solution.put)
        return Phrase("The answer: from {0} to {1}.", *steps)
    if solution.surplus:
        return Phrase("Take off the pieces that are lit. Then the lights show what goes where.")
    squares = solution.put or solution.asked
    if not squares:
        return Phrase("No short path is known from here.")
    return Phrase("The answer: {0}.", _listed(squares))
