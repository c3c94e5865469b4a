"""What a legal move does instead of what was asked, in words: the reason why it is not right."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from typing import TypeVar

from boardfw.learning.judge.base import Because
from boardfw.notation.san import format_san
from boardfw.phrase import Phrase, linked
from boardfw.rules import Move, Position
from boardfw.rules.board import COLOR_NAMES, KING, PIECE_NAMES
from boardfw.rules.outcome import mates
from boardfw.rules.reasons import piece_on
from boardfw.rules.static_exchange import loss
from boardfw.squares import NAMES

T = TypeVar("T")
CASTLING_ASKED = "that is not castling"
NO_CHECK = "that gives no check"
NOT_SHORTEST = "mate still comes, but one move later, so it is not the shortest way"


def consequence(position: Position, move: Move, accepted: Collection[Move]) -> Because:
    """What ``move`` does, which is not one of ``accepted``; its text is never empty."""
    after = position.play_unchecked(move)
    if after.is_stalemate():
        return Because("then it is stalemate, a draw")
    if later := _mates_later(position, after, accepted):
        return later
    wants_mate = _all(accepted, lambda one: position.play_unchecked(one).is_checkmate())
    if wants_mate and after.is_check():
        return _answered(after)
    if _all(accepted, lambda one: one.is_castling) and not move.is_castling:
        return Because(CASTLING_ASKED)
    if costs := cost(position, move):
        return costs
    if wants_mate:
        return Because(Phrase("{0}, so {1} may do anything", NO_CHECK, COLOR_NAMES[after.turn]))
    return Because(_lacking(position, move, accepted))


def _all(found: Collection[T], is_so: Callable[[T], bool]) -> bool:
    return bool(found) and all(map(is_so, found))


MOST_MOVES = 2
"""The longest mate that counts as asked for, in moves; one move more is looked for."""
MOST_LOOKED_AT = 600
"""Positions in which a later mate is looked for: about a second on a slow machine."""


class _MateSearch:
    """Looks for forced mates in a few positions; what it does not find may be there."""

    def __init__(self) -> None:
        self._left = MOST_LOOKED_AT

    def loses(self, position: Position, moves: int) -> bool:
        """Whether the side to move is mated by so many moves of the other; 0: it is mate."""
        self._left -= 1
        replies = position.legal_moves()
        if not replies or not moves:
            return not replies and position.is_check()
        return self._left > 0 and all(
            self._wins(position.play_unchecked(reply), moves) for reply in replies
        )

    def _wins(self, position: Position, moves: int) -> bool:
        if mates(position):
            return True
        return moves > 1 and any(
            self.loses(position.play_unchecked(move), moves - 1) for move in position.legal_moves()
        )


def _mates_later(position: Position, after: Position, accepted: Collection[Move]) -> Because | None:
    """That a move mates as well, but later than the right ones; None: it does not, as far as is
    seen, or no mate is asked for."""
    right = [position.play_unchecked(move) for move in accepted]
    moves = next((n for n in range(MOST_MOVES) if _all(right, partial(_is_mated_in, n))), None)
    if moves is None:
        return None
    if _is_mated_in(moves, after):
        return Because("mate comes as soon, but another move is asked for")
    if not _is_mated_in(moves + 1, after):
        return None
    answered = _answered(after) if after.is_check() else Because(NO_CHECK)
    return answered._replace(text=linked((answered.text, NOT_SHORTEST), "; "))


def _is_mated_in(moves: int, position: Position) -> bool:
    """Whether the side to move is surely mated by so many moves of the other; 0: it is mate."""
    return _MateSearch().loses(position, moves)


def _answered(after: Position) -> Because:
    """How a check is answered."""
    reply = min(after.legal_moves(), key=lambda one: (one.piece_type != KING, one.uci()))
    taken = reply.captured is not None
    if reply.piece_type == KING:
        where = NAMES[reply.target]
        text = Phrase("the king takes on {0}" if taken else "the king escapes to {0}", where)
    elif taken:
        text = Phrase("{0} takes, and the check is over", piece_on(after, reply.origin))
    else:
        text = Phrase(
            "{0} steps in between on {1}", piece_on(after, reply.origin), NAMES[reply.target]
        )
    return Because(text, reply=reply)


def cost(position: Position, move: Move) -> Because | None:
    """What the other side wins by its reply; None: nothing that a simple look-ahead sees."""
    after = position.play_unchecked(move)
    for mate in mates(after):
        text = Phrase("then {0} mates on {1}", piece_on(after, mate.origin), NAMES[mate.target])
        return Because(text, reply=mate)
    reply = loss(position, move).reply
    if reply is None:
        return None
    taken = None if reply.captured is None else after.piece_at(reply.captured)
    if taken is None:
        return Because(Phrase("then {0} promotes", piece_on(after, reply.origin)), reply=reply)
    name = PIECE_NAMES[taken.piece_type]
    return Because(
        Phrase("it loses the {0} to {1}", name, piece_on(after, reply.origin)), reply=reply
    )


def _lacking(position: Position, move: Move, accepted: Collection[Move]) -> str:
    """What the right moves do that this one does not."""
    wanted: tuple[tuple[Callable[[Move], bool], str], ...] = (
        (lambda one: bool(one.promotion), "that does not promote the pawn"),
        (position.gives_check, NO_CHECK),
        (_takes, "that takes nothing"),
    )
    for does, text in wanted:
        if _all(accepted, does) and not does(move):
            return text
    if move.captured is not None:
        return "that takes the wrong piece" if _all(accepted, _takes) else "nothing is to be taken"
    if position.is_check():
        return "that answers the check, but not as it was asked"
    return Phrase("that is {0}, and another move is asked for", format_san(position, move))


def _takes(move: Move) -> bool:
    return move.captured is not None
