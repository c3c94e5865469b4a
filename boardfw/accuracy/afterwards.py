"""What players do with a game that they have ended: they go back, try other moves, and tidy up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate

from boardfw.accuracy.games import random_game
from boardfw.players.game_player import hand_move, pieces_on
from boardfw.rules import Move, Position
from boardfw.squares import EVERY_SWITCH
from hardware.sim.between_games import clear_away, set_up
from hardware.sim.motion import Motion
from hardware.sim.moving import carry_out, undo

MOST_BACK = 8
"""How many plies they go back at most."""
MOST_TRIED = 8
"""How many plies they try at most."""
ANYWHERE = (0, 12)
"""How many pieces are then moved to anywhere."""
CLEARED = 0.5
"""How often all is cleared away in the end, and not put back."""
LOOK_MS = (300, 4_000)


def analysed(start: Position, moves: Sequence[Move]) -> Callable[[Motion], None]:
    """What hands do after this game."""

    def analyse(motion: Motion) -> None:
        motion.tag("analysis")
        ending = dict(motion.pieces)
        _try_another_line(motion, start, moves)
        for _ in range(motion.random.randint(*ANYWHERE)):
            _move_anywhere(motion)
        if motion.chance(CLEARED):
            clear_away(motion)
        else:
            set_up(motion, ending)

    return analyse


def _try_another_line(motion: Motion, start: Position, moves: Sequence[Move]) -> None:
    """Take plies back, the last one first, and play others. Pawns are not promoted."""
    positions = list(accumulate(moves, Position.play_unchecked, initial=start))
    at = len(moves)
    for _ in range(motion.random.randint(1, MOST_BACK)):
        if not at or moves[at - 1].promotion:
            break
        at -= 1
        undo(motion, hand_move(positions[at], moves[at]), pieces_on(positions[at]))
        motion.wait(LOOK_MS)
    position = positions[at]
    for move in random_game(motion.random.getrandbits(30), MOST_TRIED, position):
        if move.promotion:
            break
        carry_out(motion, hand_move(position, move))
        motion.wait(LOOK_MS)
        position = position.play_unchecked(move)


def _move_anywhere(motion: Motion) -> None:
    """A piece of either side goes to any empty square."""
    if not motion.pieces:
        return
    origin = motion.random.choice(sorted(motion.pieces))
    target = motion.random.choice([one for one in EVERY_SWITCH if one not in motion.pieces])
    motion.put(motion.lift(origin), target)
    motion.wait(LOOK_MS)
