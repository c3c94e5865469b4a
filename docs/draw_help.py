"""The views of help in docs/lights.md: illegal moves with reasons, hanging pieces, doubts."""

from __future__ import annotations

from boardfw.game.help import contact_of, dangers, doubt, hanging, held_fast
from boardfw.game.view import View
from boardfw.notation.fen import parse_fen
from boardfw.notation.uci import parse_uci
from boardfw.rules import Piece, Position
from boardfw.rules.reasons import why_not
from boardfw.squares import BY_NAME, EVERY_SQUARE, Square, bitboard_of

PINNED = "4k3/pb3ppp/8/8/8/5R2/PP4KP/8 w - - 0 1"
THROUGH_CHECK = "3rk3/ppp2ppp/8/8/8/8/PPP2PPP/R3K3 w Q - 0 1"
QUEEN = "r3kb1r/pp3ppp/2p2n2/8/8/5N2/PPP2PPP/R2QKB1R w KQkq - 0 10"
KNIGHT = "4k3/ppp2ppp/8/3p4/4N3/3P4/PPP2PPP/4K3 w - - 0 1"
HANGING = "4k3/ppp2ppp/8/3p4/4N3/8/PPP3Pr/R3K3 w - - 0 1"
HOME = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def pieces_of(position: Position) -> dict[Square, Piece]:
    """Square -> piece."""
    pieces = ((square, position.piece_at(square)) for square in EVERY_SQUARE)
    return {square: piece for square, piece in pieces if piece is not None}


def refused(fen: str, step: str) -> tuple[View, dict[Square, Piece]]:
    """The view and the pieces after an illegal step like "f3f1"."""
    position = parse_fen(fen)
    origin, target = BY_NAME[step[:2]], BY_NAME[step[2:]]
    view = View(
        position,
        missing=1 << origin,
        extra=1 << target,
        repair=((target, origin),),
        reason=why_not(position, origin, target),
        tried=origin,
    )
    pieces = pieces_of(position)
    pieces[target] = pieces.pop(origin)
    return view, pieces


def held(fen: str, name: str) -> View:
    """The view while a piece is held, at level 1."""
    position, origin = parse_fen(fen), BY_NAME[name]
    moves = tuple(move for move in position.legal_moves() if move.origin == origin)
    return View(position, in_hand=origin, destinations=moves, reason=held_fast(position, origin))


def with_dangers(fen: str, name: str) -> View:
    """The same at level 2."""
    view = held(fen, name)
    return view._replace(dangers=dangers(view.position, BY_NAME[name]))


def with_contact(fen: str, name: str) -> View:
    """The same, with the piece held for long."""
    view = with_dangers(fen, name)
    looks, _ = contact_of(view.position, BY_NAME[name])
    return view._replace(attackers=looks.attackers, defenders=looks.defenders)


def with_hanging(fen: str, name: str) -> View:
    """The same, it being the king."""
    view = with_dangers(fen, name)
    return view._replace(hanging=hanging(view.position, view.position.turn))


def coached(fen: str, name: str, *classes: str) -> View:
    """The view while a piece is held at level 4; the squares of each class, such as "e4 e5"."""
    targets = [bitboard_of(BY_NAME[square] for square in names.split()) for names in classes]
    good, doubtful, losing = targets
    return held(fen, name)._replace(coached=(good, doubtful, losing))


def hinted(fen: str, uci: str) -> View:
    """The view after the button for a hint was pressed."""
    position = parse_fen(fen)
    return View(position, hint=parse_uci(position, uci))


def doubted(fen: str, uci: str) -> View:
    """The view after this move, which the help doubts."""
    position = parse_fen(fen)
    move = parse_uci(position, uci)
    return View(position.play(move), last_move=move, doubted=doubt(position, move))
