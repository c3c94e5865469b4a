"""What a legal move does instead of what was asked, in words: the reason why it is not right."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

from boardfw.notation.san import format_san
from boardfw.rules import Move, Position
from boardfw.rules.board import COLOR_NAMES, KING, PIECE_NAMES
from boardfw.rules.outcome import mates
from boardfw.rules.static_exchange import loss
from boardfw.squares import NAMES

CASTLING_ASKED = "that is not castling"


class Consequence(NamedTuple):
    """What a move does: ``text`` is a part of a sentence, ``reply`` the move that shows it, or None
    where no single move does."""

    text: str
    reply: Move | None = None


def consequence(position: Position, move: Move, accepted: Collection[Move]) -> Consequence:
    """What ``move`` does, which is not one of ``accepted``; its text is never empty."""
    after = position.play_unchecked(move)
    if after.is_stalemate():
        return Consequence("then it is stalemate, a draw")
    wants_mate = _all(accepted, lambda one: position.play_unchecked(one).is_checkmate())
    if wants_mate and after.is_check():
        return _answered(after)
    if _all(accepted, lambda one: one.is_castling) and not move.is_castling:
        return Consequence(CASTLING_ASKED)
    if costs := cost(position, move):
        return costs
    if wants_mate:
        return Consequence(f"that gives no check, so {COLOR_NAMES[after.turn]} may do anything")
    return Consequence(_lacking(position, move, accepted))


def _all(moves: Collection[Move], is_so: Callable[[Move], bool]) -> bool:
    return bool(moves) and all(map(is_so, moves))


def _answered(after: Position) -> Consequence:
    """How a check is answered."""
    reply = min(after.legal_moves(), key=lambda one: (one.piece_type != KING, one.uci()))
    name, taken = PIECE_NAMES[reply.piece_type], reply.captured is not None
    if reply.piece_type == KING:
        where = NAMES[reply.target]
        text = f"the king takes on {where}" if taken else f"the king escapes to {where}"
    elif taken:
        text = f"the {name} on {NAMES[reply.origin]} takes, and the check is over"
    else:
        where = NAMES[reply.target]
        text = f"the {name} on {NAMES[reply.origin]} steps in between on {where}"
    return Consequence(text, reply)


def cost(position: Position, move: Move) -> Consequence | None:
    """What the other side wins by its reply; None: nothing that a simple look-ahead sees."""
    after = position.play_unchecked(move)
    for mate in mates(after):
        return Consequence(f"then {_piece_of(mate)} mates on {NAMES[mate.target]}", mate)
    reply = loss(position, move).reply
    if reply is None:
        return None
    taken = None if reply.captured is None else after.piece_at(reply.captured)
    if taken is None:
        return Consequence(f"then {_piece_of(reply)} promotes", reply)
    return Consequence(f"it loses the {PIECE_NAMES[taken.piece_type]} to {_piece_of(reply)}", reply)


def _piece_of(reply: Move) -> str:
    """``the rook on a8``: the piece that moves."""
    return f"the {PIECE_NAMES[reply.piece_type]} on {NAMES[reply.origin]}"


def _lacking(position: Position, move: Move, accepted: Collection[Move]) -> str:
    """What the right moves do that this one does not."""
    wanted: tuple[tuple[Callable[[Move], bool], str], ...] = (
        (lambda one: bool(one.promotion), "that does not promote the pawn"),
        (position.gives_check, "that gives no check"),
        (_takes, "that takes nothing"),
    )
    for does, text in wanted:
        if _all(accepted, does) and not does(move):
            return text
    if move.captured is not None:
        return "that takes the wrong piece" if _all(accepted, _takes) else "nothing is to be taken"
    if position.is_check():
        return "that answers the check, but not as it was asked"
    return f"that is {format_san(position, move)}, and another move is asked for"


def _takes(move: Move) -> bool:
    return move.captured is not None
