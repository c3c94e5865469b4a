"""A game weighed ply by ply, in a bounded number of nodes, and where it turned.

The positions are weighed from the last to the first, so that what the engine remembers of a
position helps with the one before it. A ply that seems to have cost something is weighed again,
more closely and beside the best one, before anybody is told that it was a mistake.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from boardfw.rules import WHITE, Color, Move, Position
from boardfw.services.analysis.analyst import Analyst, Weighed
from boardfw.services.analysis.judgement import Judgement, judged
from boardfw.services.uci.replies import Score

NODES = 30_000
"""For each position."""
CLOSER = 10
"""How many times as closely a ply is weighed that seems to have cost something."""
CLOSEST = 4 * CLOSER
"""The same for a mistake that is no blunder: half a pawn more or less would make it none."""

SEVERAL = 5
"""Moves that are weighed at a turning point."""
MARGIN = 0.015
"""By so much a loss has to exceed a limit: a search of this depth errs by it, and a deeper one
would often take back what lies between."""
DOUBTFUL = 0.04
"""A loss of winning chance from which a ply is weighed again."""


class WeighedPly(NamedTuple):
    """A ply of a game, and what it was worth for the player who made it."""

    ply: int
    """1 = the first of the game."""
    before: Position
    move: Move
    color: Color
    best: Weighed
    """What could be reached."""
    played: Weighed
    """What was reached; its line begins with the move."""
    judgement: Judgement | None
    """None: the move was fine."""
    also: tuple[Move, ...] = ()
    """At a turning point other moves that are nearly as good as the best, the better first."""

    @property
    def allowed(self) -> tuple[Move, ...]:
        """What the move allowed: the best that could follow it."""
        return self.played.line[1:]

    @property
    def turns_the_game(self) -> bool:
        """Whether it was a mistake or a blunder."""
        return self.judgement is not None and self.judgement.turns_the_game

    @property
    def white_cp(self) -> int | None:
        """Hundredths of a pawn after the ply, as White sees it; None: somebody mates."""
        cp = self.played.score.cp
        return cp if cp is None or self.color == WHITE else -cp

    @property
    def white_mate(self) -> int | None:
        """Moves to mate after the ply, negative if Black mates; None: nobody does, 0: it is."""
        mate = self.played.score.mate
        if mate is None:
            return None
        left = mate - 1 if mate > 0 else mate
        return left if self.color == WHITE else -left


async def analyse(
    analyst: Analyst,
    start: Position,
    moves: tuple[Move, ...],
    nodes: int = NODES,
    advance: Callable[[], None] = lambda: None,
) -> list[WeighedPly]:
    """Every ply of a game, ``nodes`` for each position; ``advance`` is called after each ply.

    Raises ServiceError.
    """
    positions = [start]
    for move in moves:
        positions.append(positions[-1].play_unchecked(move))
    found: list[WeighedPly] = []
    after = await analyst.weigh(start, moves, nodes)
    for ply in range(len(moves), 0, -1):
        earlier, move, before = moves[: ply - 1], moves[ply - 1], positions[ply - 1]
        here = await analyst.weigh(start, earlier, nodes)
        best, played = here, here if here.line[:1] == (move,) else turned(after, move)
        has_gone_on = len(played.line) > 1  # what ended the game is not to be searched
        if best.chance - played.chance >= DOUBTFUL and has_gone_on:
            best, played = await _weigh(analyst, start, earlier, move, CLOSER * nodes)
            if judged(_loss(best, played)) is Judgement.MISTAKE:
                best, played = await _weigh(analyst, start, earlier, move, CLOSEST * nodes)
        if played.chance > best.chance:  # no search is perfect
            best = played
        judgement = judged(_loss(best, played))
        one = WeighedPly(ply, before, move, before.turn, best, played, judgement)
        if one.turns_the_game:
            one = one._replace(also=await _also(analyst, start, earlier, one, CLOSER * nodes))
        found.append(one)
        after = here
        advance()
    return found[::-1]


async def _weigh(
    analyst: Analyst, start: Position, moves: tuple[Move, ...], move: Move, nodes: int
) -> tuple[Weighed, Weighed]:
    """What could be reached after these moves, and what is by this one."""
    best = await analyst.weigh(start, moves, nodes)
    if best.line[0] == move:
        return best, best
    return best, await analyst.weigh(start, moves, nodes, only=move)


def _loss(best: Weighed, played: Weighed) -> float:
    """What a ply cost of the winning chance, beyond what such a search errs by."""
    return best.chance - played.chance - MARGIN


async def _also(
    analyst: Analyst, start: Position, moves: tuple[Move, ...], one: WeighedPly, nodes: int
) -> tuple[Move, ...]:
    """Moves that cost less than an inaccuracy, beside the best one."""
    lines = await analyst.best(start, moves, nodes, SEVERAL)
    top = max(one.best.chance, *(line.chance for line in lines))
    known = (one.best.line[0], one.move)
    good = [line.line[0] for line in lines if judged(top - line.chance) is None]
    return tuple(move for move in good if move not in known)


def turned(reply: Weighed, move: Move) -> Weighed:
    """What a move is worth, by what the position after it is worth for the other side."""
    cp, mate = reply.score.cp, reply.score.mate
    if mate is None:
        return Weighed(Score(cp=-(cp or 0)), (move, *reply.line))
    return Weighed(Score(mate=-mate if mate > 0 else 1 - mate), (move, *reply.line))
