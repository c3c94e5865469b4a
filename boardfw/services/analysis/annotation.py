"""A weighed game in words, signs and variations, as PGN has them."""

from __future__ import annotations

from collections.abc import Sequence

from boardfw.notation.pgn import Evaluation, Game, Spot
from boardfw.rules import Move
from boardfw.services.analysis.game_analysis import WeighedPly

LINE_PLIES = 6
"""Of a variation: what comes later is nobody's plan."""


def annotate(game: Game, found: Sequence[WeighedPly], annotator: str) -> None:
    """Write what was found into a game with these plies.

    After each ply its evaluation; at a mistake its sign, what it cost, what was better, and what
    it allowed if that did not happen.
    """
    game.tags.setdefault("Annotator", annotator)
    spot: Spot = game
    for node, weighed in zip(list(game.mainline()), found, strict=True):
        mate, cp = weighed.white_mate, weighed.white_cp
        if mate or cp is not None:
            node.evaluation = Evaluation(cp, mate)
        if weighed.judgement is not None:
            node.nags = (*node.nags, weighed.judgement.nag)
            node.comments = (*node.comments, cost(weighed))
            _add(spot, "better", weighed.best.line)
            for move in weighed.also:
                _add(spot, "also good", (move,))
        if weighed.turns_the_game:
            _add(node, "it allowed", weighed.allowed)
        spot = node


def cost(weighed: WeighedPly) -> str:
    """What a move cost its player: ``mistake: winning chance 62% to 41%``."""
    before, after = (round(100 * one.chance) for one in (weighed.best, weighed.played))
    word = weighed.judgement.word if weighed.judgement else "fine"
    return f"{word}: winning chance {before}% to {after}%"


def _add(spot: Spot, word: str, line: tuple[Move, ...]) -> None:
    """Add a variation beside what was played here; none where nothing was, or just that."""
    known = [child.move for child in spot.children]
    if not line or not known or line[0] in known:
        return
    first = spot.add(line[0])
    first.before = (word,)
    first.extend(line[1:LINE_PLIES])
