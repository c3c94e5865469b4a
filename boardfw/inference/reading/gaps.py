"""Plies that were played while the board was not read: nobody has seen in which order."""

from __future__ import annotations

from collections.abc import Iterator

from boardfw.inference.reading.hypothesis import Hypothesis


def reordered(game: Hypothesis) -> Iterator[Hypothesis]:
    """Yield the game with its last ply and the one of the same player before it exchanged.

    Both belong to one gap, in which all touches have the time of its end.
    """
    reply = game.before
    first = reply.before if reply else None
    if not game.is_vague or first is None or reply is None or first.before is None:
        return
    if first.landed_us != game.landed_us:
        return
    node, end = first.before, game.position
    for like, paid in zip((game, reply, first), (first.paid, reply.paid, game.paid), strict=True):
        move = like.move
        if move is None or move not in node.position.legal_moves():
            return
        after = node.position.play_unchecked(move)
        node = Hypothesis(after, paid, node, move, game.faults)
        node.landed_us, node.is_vague = game.landed_us, True
    if node.occupied != game.occupied or node.position.placement != end.placement:
        return
    node.loose, node.at_rest, node.off_us = game.loose, game.at_rest, game.off_us
    yield node
