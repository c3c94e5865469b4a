"""What a legal move does instead of what was asked, in words: the reason why it is not right."""

from __future__ import annotations

from collections.abc import Callable, Collection

from boardfw.rules import Move, Position
from boardfw.rules.board import COLOR_NAMES, KIND_NAMES, KING
from boardfw.rules.exchange import loss
from boardfw.rules.mates import mates
from boardfw.squares import NAMES


def consequence(position: Position, move: Move, accepted: Collection[Move]) -> str:
    """A sentence about ``move``, which is none of the ``accepted`` ones; never empty."""
    after = position.play_unchecked(move)
    if after.is_stalemate():
        return "then it is stalemate, and nobody wins"
    wants_mate = _all(accepted, lambda one: position.play_unchecked(one).is_checkmate())
    if wants_mate and after.is_check():
        return _answered(after)
    if costs := _cost(position, move, after):
        return costs
    if wants_mate:
        return f"that gives no check, so {COLOR_NAMES[after.turn]} may do anything"
    return _lacking(position, move, accepted)


def _all(moves: Collection[Move], is_so: Callable[[Move], bool]) -> bool:
    return bool(moves) and all(map(is_so, moves))


def _answered(after: Position) -> str:
    """How a check is answered."""
    reply = min(after.legal_moves(), key=lambda one: (one.kind != KING, one.uci()))
    kind, taken = KIND_NAMES[reply.kind], reply.victim is not None
    if reply.kind == KING:
        where = NAMES[reply.target]
        return f"the king takes on {where}" if taken else f"the king escapes to {where}"
    if taken:
        return f"the {kind} on {NAMES[reply.origin]} takes, and the check is over"
    return f"the {kind} on {NAMES[reply.origin]} steps in between on {NAMES[reply.target]}"


def _cost(position: Position, move: Move, after: Position) -> str:
    """What the other side wins by its reply; empty: nothing that is seen at a glance."""
    for mate in mates(after):
        return f"then {_whose(mate)} mates on {NAMES[mate.target]}"
    reply = loss(position, move).reply
    if reply is None:
        return ""
    taken = None if reply.victim is None else after.piece_at(reply.victim)
    if taken is None:
        return f"then {_whose(reply)} promotes"
    return f"it loses the {KIND_NAMES[taken.kind]} to {_whose(reply)}"


def _whose(reply: Move) -> str:
    return f"the {KIND_NAMES[reply.kind]} on {NAMES[reply.origin]}"


def _lacking(position: Position, move: Move, accepted: Collection[Move]) -> str:
    """What the right moves do that this one does not."""
    wanted: tuple[tuple[Callable[[Move], bool], str], ...] = (
        (lambda one: one.is_castling, "that is no castling"),
        (lambda one: bool(one.promotion), "that promotes nobody"),
        (position.gives_check, "that gives no check"),
        (_takes, "that takes nothing"),
    )
    for does, text in wanted:
        if _all(accepted, does) and not does(move):
            return text
    if move.victim is not None:
        return "that takes the wrong piece" if _all(accepted, _takes) else "nothing is to be taken"
    if position.is_check():
        return "that answers the check, but not as it was asked"
    return "that is allowed, but does not do what was asked"


def _takes(move: Move) -> bool:
    return move.victim is not None
