"""How exercises are solved: what a pupil knows, and for each type of task the acts of its hands.

Each solution checks that the board has confirmed an act before it goes on, and repeats acts that
the board has not seen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial, singledispatch
from random import Random
from typing import NamedTuple, TypeAlias

from boardfw.learning.course import Exercise
from boardfw.learning.lone_piece import moved, way
from boardfw.learning.queries import meant
from boardfw.learning.task import (
    All,
    Find,
    Line,
    May,
    OneMove,
    Place,
    Play,
    Reach,
    Stars,
    State,
    Touch,
    Verdict,
)
from boardfw.players.game_player import hand_move, pieces_on
from boardfw.rules import KING, PAWN, Move, Position
from boardfw.rules.board import Placement, piece_at
from boardfw.rules.move import Step
from boardfw.rules.planner import KINDS
from boardfw.squares import Bitboard, Orientation, Square, Switch, distance, squares_in
from hardware.sim.answering import put_back, put_back_together, visit
from hardware.sim.between_games import clear_away, set_up
from hardware.sim.gesture import Gesture
from hardware.sim.hands import Hands
from hardware.sim.moving import HandMove, undo

UNANSWERED_US = 2_500_000
"""Longer than the time an answer needs to count; after this silence the pupil answers again."""
JUDGED_US = 6_000_000
"""Longer than the judgement of any move takes."""
REFUSED_US = 800_000
"""Time after a ply was read until a refusal is known."""
REPLY_US = 60_000_000
"""Longest wait for the move of the other side."""
SWITCH = Orientation.AS_WIRED.switch
"""The switch under a square: hands set up each exercise on a board that stands as it was wired."""

Pieces: TypeAlias = Mapping[Switch, str]
Act: TypeAlias = Callable[[int, Pieces], Gesture]
"""A gesture of the hands, given its start time and the pieces on the board."""
Choice: TypeAlias = Callable[[Position], Move]


class Heard(NamedTuple):
    """What the board has said of the exercise so far."""

    right: Bitboard = 0
    """Squares that were right answers."""
    answers: int = 0
    """Number of right answers; in a line or a game, the number of plies played."""
    shown: Step | None = None
    """The other side's move that the lights show; None: they show none."""
    asked: Bitboard = 0
    """Squares on which pieces are wanted next."""
    stars: Bitboard = 0
    """Squares still to be visited."""
    is_misplaced: bool = False
    """Pieces have to go back before anything else is judged."""
    is_over: bool = False


class Wait(NamedTuple):
    """Wait until this is true, or until nothing was done or heard for ``patience_us``."""

    until: Callable[[], bool]
    patience_us: int = UNANSWERED_US


Acts: TypeAlias = Iterator[Act | Wait]


@dataclass
class Mind:
    """A pupil's state: the exercise, the hands, and what the board has said."""

    exercise: Exercise
    hands: Hands
    random: Random
    choose: Choice
    """Chooses the pupil's moves in a game."""
    heard: Heard = field(default_factory=Heard)

    def put_back(self, squares: Sequence[Square]) -> Act:
        """Lift these pieces and put them back, one after the other."""
        return partial(self.hands.do, partial(put_back, squares=[*map(SWITCH, squares)]))

    def visit(self, origin: Square, squares: Sequence[Square]) -> Act:
        """Touch these squares with a piece and bring it back."""
        home, goals = SWITCH(origin), [*map(SWITCH, squares)]
        return partial(self.hands.do, partial(visit, origin=home, squares=goals, home=home))

    def play(self, position: Position, move: Move) -> Act:
        """Make a move."""
        return partial(self.hands.play, hand_move(position, move))

    def has_heard(self, answers: int) -> Wait:
        """Wait for this number of right answers."""
        return Wait(lambda: self.heard.answers >= answers)

    def has_right(self, squares: Bitboard) -> Wait:
        """Wait until all these squares are right."""
        return Wait(lambda: not squares & ~self.heard.right)

    def left(self, squares: Bitboard) -> list[Square]:
        """The squares not yet confirmed, in random order."""
        left = [*squares_in(squares & ~self.heard.right)]
        self.random.shuffle(left)
        return left


@singledispatch
def acts(task: object, _mind: Mind) -> Acts:
    """The acts that solve an exercise with this task; they end when the task is done."""
    raise TypeError(f"no solution for a task of this type: {task!r}")


@acts.register
def _find(task: Find, mind: Mind) -> Acts:
    """The learner's nearest piece goes from square to square."""
    position = mind.exercise.position
    own = position.pieces(mind.exercise.you) & ~position.placement[KING]
    free = [square for square in squares_in(own) if square not in task.squares]
    while left := task.squares[mind.heard.answers :]:
        yield mind.visit(min(free, key=partial(_far, position, left[0])), left)
        yield mind.has_heard(len(task.squares))


def _far(position: Position, goal: Square, piece: Square) -> tuple[bool, int]:
    """Pawns first, near ones first."""
    return not position.placement[PAWN] >> piece & 1, distance(goal, piece)


@acts.register
def _place(task: Place, mind: Mind) -> Acts:
    """Clear the board, set up the pieces asked for or type by type, and lift them as proof."""
    position = mind.exercise.position
    labels = pieces_on(position)
    yield partial(mind.hands.do, clear_away)
    standing: dict[Switch, str] = {}
    while len(standing) < len(labels):
        wanted = mind.heard.asked or _next_piece_type(position, standing)
        standing |= {switch: labels[switch] for switch in map(SWITCH, squares_in(wanted))}
        yield partial(mind.hands.do, partial(set_up, wanted=dict(standing)))
        yield Wait(lambda wanted=wanted: mind.heard.asked != wanted)  # type: ignore[misc]
    proved = 1  # the complete set-up was the first answer
    for pieces in task.proof:
        proved += pieces.bit_count()
        while mind.heard.answers < proved:
            yield mind.put_back(mind.left(pieces))
            yield mind.has_heard(proved)


def _next_piece_type(position: Position, standing: Pieces) -> Bitboard:
    sets = (position.placement[piece_type] & position.placement[side] for piece_type, side in KINDS)
    return next(
        pieces
        for pieces in sets
        if any(SWITCH(square) not in standing for square in squares_in(pieces))
    )


@acts.register
def _touch(task: Touch, mind: Mind) -> Acts:
    yield from _answer_all(mind, task.squares, mind.put_back)


@acts.register
def _reach(task: Reach, mind: Mind) -> Acts:
    yield from _answer_all(mind, task.targets, partial(mind.visit, task.origin))


def _answer_all(mind: Mind, squares: Bitboard, show: Callable[[list[Square]], Act]) -> Acts:
    """Show all squares; if there are none, lift the opponent's king."""
    if not squares:
        squares = 1 << mind.exercise.position.king(1 - mind.exercise.you)
        show = mind.put_back
    while left := mind.left(squares):
        if mind.heard.is_misplaced:
            yield from _go_home(mind, mind.exercise.position)
        yield show(left)
        yield mind.has_right(squares)


@acts.register
def _stars(task: Stars, mind: Mind) -> Acts:
    """A shortest path; moves that the board has not seen are repeated."""
    position = mind.exercise.position
    placement = position.placement
    lit = mind.heard.stars or task.squares  # a dead switch is no star
    for step in way(position, lit) or ():
        star = lit & 1 << step[1]
        before, placement = placement, moved(placement, *step)
        while True:
            yield partial(mind.hands.play, _alone(before, placement, step))
            yield (
                mind.has_right(star) if star else Wait(lambda: mind.heard.is_misplaced, REFUSED_US)
            )
            if not (star & ~mind.heard.right or mind.heard.is_misplaced):
                break
            yield partial(mind.hands.do, partial(set_up, wanted=_labels(before)))
            yield Wait(lambda: not mind.heard.is_misplaced)


def _alone(before: Placement, after: Placement, step: Step) -> HandMove:
    """The move of a lone piece, as hands make it."""
    origin, target = map(SWITCH, step)
    removed = (target,) if piece_at(before, step[1]) else ()
    new = _labels(after)[target]
    if new == _labels(before)[origin]:
        return HandMove(((origin, target),), removed)
    return HandMove(((origin, target),), removed, 0, new)


def _labels(placement: Placement) -> dict[Switch, str]:
    occupied = squares_in(placement[0] | placement[7])
    pieces = ((square, piece_at(placement, square)) for square in occupied)
    return {SWITCH(square): piece.letter for square, piece in pieces if piece is not None}


@acts.register
def _one_move(task: OneMove, mind: Mind) -> Acts:
    yield from _move(mind, task.accepted)


def _move(mind: Mind, moves: Sequence[Move]) -> Acts:
    """One of these moves; another one if the board has refused it."""

    def is_judged() -> bool:
        return mind.heard.is_over or mind.heard.is_misplaced

    position = mind.exercise.position
    while not mind.heard.is_over:
        move = mind.random.choice(moves)
        yield mind.play(position, move)
        yield Wait(lambda: is_judged() or bool(mind.heard.asked), JUDGED_US)
        if mind.heard.asked and not is_judged():  # the board has not seen the pawn exchanged
            yield mind.put_back([move.target])
            yield Wait(is_judged, JUDGED_US)
        yield from _go_home(mind, position)


def _go_home(mind: Mind, position: Position) -> Acts:
    """Put the pieces back where they belong."""
    if not mind.heard.is_over:
        yield partial(mind.hands.do, partial(set_up, wanted=pieces_on(position)))
        yield Wait(lambda: not mind.heard.is_misplaced)


@acts.register
def _all(task: All, mind: Mind) -> Acts:
    """Each move is played and taken back, and repeated if the board has not confirmed it.

    The board may have confirmed a square that was only passed; then all moves are played again.
    """
    position = mind.exercise.position
    before = pieces_on(position)
    left: list[Move] = []
    while not mind.heard.is_over:
        left = left or mind.random.sample(task.accepted, len(task.accepted))
        move, answers = left.pop(0), mind.heard.answers
        yield mind.play(position, move)
        yield mind.has_heard(answers + 1)
        if mind.heard.answers == answers:
            left.append(move)
        back = partial(undo, move=hand_move(position, move), before=before)
        yield partial(mind.hands.do, back)


@acts.register
def _may(task: May, mind: Mind) -> Acts:
    position = mind.exercise.position
    if task.is_allowed:
        yield from _move(mind, [_known(meant(position, task.origin, task.target))])
    else:
        yield from _say(mind, mind.put_back([position.king(1 - mind.exercise.you)]))


@acts.register
def _verdict(task: Verdict, mind: Mind) -> Acts:
    position = mind.exercise.position
    if task.state is State.GOES_ON:
        yield from _move(mind, position.legal_moves())
    elif task.state is State.MATE:
        yield from _say(mind, mind.put_back([position.king(position.turn)]))
    else:
        yield from _say(mind, _both_kings(mind, position))


def _say(mind: Mind, act: Act) -> Acts:
    """Repeat an act until the board has understood it."""
    while not mind.heard.is_over:
        yield act
        yield Wait(lambda: mind.heard.is_over)


def _both_kings(mind: Mind, position: Position) -> Act:
    kings = [position.king(color) for color in (0, 1)]
    mind.random.shuffle(kings)
    together = partial(put_back_together, squares=[*map(SWITCH, kings)])
    return partial(mind.hands.do, together)


@acts.register
def _line(task: Line, mind: Mind) -> Acts:
    """Any right move at the last ply; before it the move with which the line continues."""
    position = mind.exercise.position
    for n, moves in enumerate(task.plies):
        if n < mind.heard.answers:  # played already
            position = position.play(moves[0])
            continue
        is_asked = task.you in (None, position.turn)
        if not is_asked:
            yield from _until_shown(mind, position)
        is_last = n == len(task.plies) - 1
        move = mind.random.choice(moves) if is_last and is_asked else moves[0]
        yield from _ply(mind, position, move, n + 1)
        position = position.play(move)
    if task.claims:
        yield from _say(mind, _both_kings(mind, position))
    elif task.claims is not None:
        yield mind.play(position, mind.random.choice(position.legal_moves()))


@acts.register
def _play(task: Play, mind: Mind) -> Acts:
    """The learner's moves as chosen by the pupil, the other side's as the lights show them."""
    position = mind.exercise.position
    for n in range(task.plies):
        if position.turn == task.you:
            move = mind.choose(position)
        else:
            yield from _until_shown(mind, position)
            move = _known(_shown(mind, position))
        yield from _ply(mind, position, move, n + 1)
        position = position.play(move)


def _ply(mind: Mind, position: Position, move: Move, plies: int) -> Acts:
    """Play a move as ply number ``plies``; again if the board has refused it."""
    while True:
        yield mind.play(position, move)
        yield Wait(lambda: mind.heard.answers >= plies or mind.heard.is_over, JUDGED_US)
        yield Wait(lambda: mind.heard.is_misplaced or mind.heard.is_over, REFUSED_US)
        if not mind.heard.is_misplaced:
            return
        yield from _go_home(mind, position)


def _until_shown(mind: Mind, position: Position) -> Acts:
    while _shown(mind, position) is None:
        yield Wait(lambda: _shown(mind, position) is not None, REPLY_US)


def _shown(mind: Mind, position: Position) -> Move | None:
    """The legal move that the lights show, if any; a pawn becomes a queen."""
    return mind.heard.shown and meant(position, *mind.heard.shown)


def _known(move: Move | None) -> Move:
    """This move, which must not be None."""
    if move is None:
        raise ValueError("no legal move has these squares")
    return move
