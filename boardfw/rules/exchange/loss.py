"""What a move loses by exchange: the best capture that it allows, less what is won and won back.

Two plies are played and the rest is counted out square by square, so threats and combinations are
not seen, but for mate in one. It warns of what hangs; what is good it does not know.
"""

from __future__ import annotations

from typing import NamedTuple

from boardfw.rules.exchange.pins import pins_of
from boardfw.rules.exchange.swap import won
from boardfw.rules.exchange.worth import WORTH, taken_worth
from boardfw.rules.mates import mates
from boardfw.rules.move import Move
from boardfw.rules.position import Position

GRAVE = 2
"""From so many pawns on a loss is worth a warning; a single one may be a gambit."""


class Loss(NamedTuple):
    """What a move costs."""

    pawns: int = 0
    """How much, in pawns; never less than 0."""
    reply: Move | None = None
    """The capture, or the promotion, that wins it."""


NOTHING = Loss()


def exchange(position: Position, move: Move) -> int:
    """What a move wins on its own square, in pawns, if the enemy takes back as well as he can.

    Less than 0: the man is lost, wholly or in part.
    """
    after = position.play_unchecked(move)
    placement = after.placement
    risked = WORTH[move.promotion or move.kind]
    back = won(placement, move.target, after.turn, risked, pins_of(placement)) if risked else 0
    return taken_worth(position, move) - back


def loss(position: Position, move: Move) -> Loss:
    """What ``move`` loses if the enemy takes what costs most, and is answered by a capture.

    A capture that is answered by mate costs nothing. A man who hung before counts while he hangs.
    """
    after, gained = position.play_unchecked(move), taken_worth(position, move)
    worst = NOTHING
    for reply in _greedy(after):
        taken = taken_worth(after, reply) - gained
        if taken <= worst.pawns:
            continue
        answered = after.play_unchecked(reply)
        pawns = taken - _best(answered)
        if pawns > worst.pawns and not mates(answered):
            worst = Loss(pawns, reply)
    return worst


def needless_loss(position: Position, move: Move, at_least: int = GRAVE) -> Loss:
    """The ``loss`` of a move where another move would have lost ``at_least`` less; else none.

    Where one of two men is lost whatever is played, nobody needs a warning.
    """
    found = loss(position, move)
    spared = found.pawns - at_least
    if spared < 0 or all(loss(position, other).pawns > spared for other in position.legal_moves()):
        return NOTHING
    return found


def _best(position: Position) -> int:
    """The most that one capture wins; 0: none does."""
    return max((0, *(exchange(position, move) for move in _greedy(position))))


def _greedy(position: Position) -> list[Move]:
    """Captures and promotions."""
    return [m for m in position.legal_moves() if m.victim is not None or m.promotion]
