"""Whether a colour can still win: by any sequence of legal moves, the worst ones included.

FIDE Laws 5.2.2 ends the game when neither can; 5.1.2 and 6.9 give half a point to a player who
resigns or oversteps the time against an opponent who cannot. An answer is proved or not given.
"""

from __future__ import annotations

from boardfw.rules.blockade import bars_mate, is_walled
from boardfw.rules.board import BLACK, WHITE, Color
from boardfw.rules.helpmate import Chance, Verdict, seek_mate
from boardfw.rules.material import is_insufficient_material, lacks_mating_material
from boardfw.rules.memo import Memo
from boardfw.rules.position import Key, Position

BUDGET = 5_000  # positions looked at; a tenth of a second on a laptop, a second on a Pi Zero 2
FORCED_BUDGET = 60  # positions; looked at in the middle of a game, where nobody waits for it
FORCED_MOVES = 2  # so few legal moves, and the end of the game may be forced
COLORS = (WHITE, BLACK)


def chance(position: Position, color: Color, budget: int = BUDGET) -> Verdict:
    """Whether ``color`` can still win, with the moves to a mate where one was found.

    Looks at up to ``budget`` positions; more of them leave less unknown.
    """
    if _is_ruled_out(position, color):
        return Verdict(Chance.DEAD)
    return seek_mate(position, color, budget)


def cannot_win(position: Position, color: Color, budget: int = BUDGET) -> bool:
    """Whether it is proved that no sequence of legal moves ends in a mate by ``color``."""
    return chance(position, color, budget).chance is Chance.DEAD


def is_dead(position: Position) -> bool:
    """Whether it is proved that neither colour can win; cheap enough for every ply.

    Proves less than ``cannot_win`` of both would: blockades, and what a few forced moves lead to.
    """
    if is_insufficient_material(position.placement):
        return True
    if is_walled(position) or len(position.legal_moves()) <= FORCED_MOVES:
        return _DEAD[position.key]
    return False


def _is_dead(key: Key) -> bool:
    position = Position(*key)
    if _is_blockaded(position):
        return True
    return len(position.legal_moves()) <= FORCED_MOVES and _leads_nowhere(position)


_DEAD = Memo(_is_dead, 1 << 10)
"""A position at rest is asked about time and again."""


def _leads_nowhere(position: Position) -> bool:
    """Whether the few positions that can follow hold no mate: the players have no choice."""
    met = {position.key}
    queue = [position]
    for here in queue:
        moves = here.legal_moves()
        is_mate = not moves and here.is_check()
        if is_mate or len(met) + len(moves) > FORCED_BUDGET:
            return False
        for move in moves:
            there = here.play_unchecked(move)
            if there.key not in met:
                met.add(there.key)
                if not (is_insufficient_material(there.placement) or _is_blockaded(there)):
                    queue.append(there)
    return True


def _is_blockaded(position: Position) -> bool:
    return is_walled(position) and all(bars_mate(position, color) for color in COLORS)


def _is_ruled_out(position: Position, color: Color) -> bool:
    """Whether material, or walls that nobody passes, rule out a mate."""
    return lacks_mating_material(position.placement, color) or bars_mate(position, color)
