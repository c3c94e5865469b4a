"""Chooses what the lights show: from a session's view to a cue for every square.

The layers and their order are one table, ``LAYERS``. On each square the first layer that paints it
wins; a layer that paints anything hides every later layer that it does not name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import zip_longest
from typing import NamedTuple, TypeAlias

from boardfw.game.view import View
from boardfw.lights.cue import WAYS, Cue
from boardfw.lights.patterns import EDGE, EQUALS, HALVES, LETTERS, RINGS
from boardfw.rules import BLACK, WHITE, Move, Piece
from boardfw.rules.reasons import Why
from boardfw.rules.reasons.reason import Way
from boardfw.squares import ALL, Bitboard, Orientation, Square, bitboard_of, half_turned

MAX_IDEAS = 3  # nobody can read more than three kinds of light at a time

Paint: TypeAlias = tuple[Cue, Bitboard]


@dataclass(frozen=True, slots=True)
class Scene:
    """The cue of every square. ``lit``: each cue and its squares, the most important first.

    ``orientation``: which lights lie under the squares.
    """

    lit: tuple[Paint, ...] = ()
    orientation: Orientation = Orientation.AS_WIRED

    def __getitem__(self, square: Square) -> Cue:
        return next((cue for cue, where in self.lit if where >> square & 1), Cue.RESTING)


RESTING = Scene()


def scene(view: View) -> Scene:
    """The scene for the present view of a session."""
    return composed(_layered(view), view.orientation)


def composed(painted: Iterable[Paint], orientation: Orientation = Orientation.AS_WIRED) -> Scene:
    """One scene from many paints, the most important first: no square twice, no fourth idea."""
    return Scene(tuple(sparing(first_wins(painted))), orientation)


class Layer(NamedTuple):
    """A group of cues. ``beside``: later layers that may still be seen with this one."""

    name: str
    beside: frozenset[str]
    paint: Callable[[View], Iterable[Paint]]


def _layered(view: View) -> list[Paint]:
    painted: list[Paint] = []
    visible = frozenset(layer.name for layer in LAYERS)
    for layer in LAYERS:
        if layer.name in visible:
            paints = [paint for paint in layer.paint(view) if paint[1]]
            painted += paints
            if paints:
                visible &= layer.beside
    return painted


def first_wins(painted: Iterable[Paint]) -> list[Paint]:
    """The paints without squares that an earlier paint covers."""
    covered = 0
    result = []
    for cue, where in painted:
        if free := where & ~covered:
            result.append((cue, free))
        covered |= where
    return result


def sparing(painted: Iterable[Paint]) -> list[Paint]:
    """The paints without those that would show a fourth idea."""
    ideas = {""}
    result = []
    for cue, where in painted:
        if cue.idea in ideas or len(ideas) <= MAX_IDEAS:
            ideas.add(cue.idea)
            result.append((cue, where))
    return result


def _good_bye(view: View) -> Iterable[Paint]:
    step = view.good_bye
    return () if step is None else ((Cue.GOOD_BYE, RINGS[min(step, len(RINGS) - 1)]),)


def _letter(view: View) -> Iterable[Paint]:
    """Upright for the player who promotes; hidden once the reply is lifted."""
    if view.promotion is None or _is_reply_in_hand(view):
        return ()
    letter = LETTERS[Piece(view.promotion, WHITE).letter]
    is_whites = view.position.turn == BLACK
    return ((Cue.LETTER, letter if is_whites else half_turned(letter)),)


def _is_reply_in_hand(view: View) -> bool:
    return bool(view.destinations) and not (
        view.last_move and view.in_hand == view.last_move.target
    )


def _faulty(view: View) -> Iterable[Paint]:
    """A problem without a square, like a missing king, lights the edge of the board."""
    squares = 0
    for problem in view.problems:
        squares |= problem.squares or EDGE
    return ((Cue.FAULTY, squares),)


def _setting_up(view: View) -> Iterable[Paint]:
    if view.asked is None:
        return ((Cue.SURPLUS, view.surplus),)
    return (Cue.SURPLUS, view.surplus), *wanted(*view.asked)


def wanted(piece: Piece, squares: Bitboard) -> tuple[Paint, Paint]:
    """The squares, and the piece's letter: lit for White's pieces, left dark for Black's."""
    letter = LETTERS[piece.letter.upper()]
    lit = (Cue.BLACKS_LETTER, ALL & ~letter) if piece.color else (Cue.WHITES_LETTER, letter)
    return (Cue.WANTED, squares), lit


def _mismatch(view: View) -> Iterable[Paint]:
    if not view.missing | view.extra:
        return ()
    origin, target = view.repair[0] if view.repair else (None, None)
    return (
        (Cue.REPAIR_FROM, _bit(origin)),
        (Cue.REPAIR_TO, _bit(target)),
        (Cue.EXTRA, view.extra),
        (Cue.MISSING, view.missing),
    )


def _reason(view: View) -> Iterable[Paint]:
    """Shown beside the repair, or for a lifted piece that has no legal move."""
    reason = view.reason
    if reason is None:
        return ()
    if reason.why is Why.WRONG_PIECE:
        return ((Cue.WHO_MOVES, reason.pieces),)
    if reason.why is Why.NOT_LIKE_THAT:
        empty = ~view.position.occupied
        return (Cue.QUIET, reason.squares & empty), (Cue.CAPTURE, reason.squares & ~empty)
    return (
        (Cue.REASON_PIECE, reason.pieces),
        *((WAYS[number], where) for number, where in enumerate(_running(reason.ways))),
        (Cue.REASON_SQUARE, reason.squares),
    )


def _running(ways: Iterable[Way]) -> list[Bitboard]:
    """The first squares of all paths, the second ones, and so on."""
    steps = zip_longest(*ways)
    return [bitboard_of(square for square in step if square is not None) for step in steps]


def _question(view: View) -> Iterable[Paint]:
    """The squares on which the candidate moves differ: targets if they do, else origins."""
    if view.asks_which_piece:
        return ()
    targets = {move.target for move in view.candidates}
    origins = {move.origin for move in view.candidates}
    differing = origins if len(targets) == 1 < len(origins) else targets
    return ((Cue.CANDIDATE, bitboard_of(differing)),)


def _hand(view: View) -> Iterable[Paint]:
    """Nothing for a piece without legal moves: the earlier lights stay."""
    moves = view.destinations
    if not moves:
        return ()
    return (
        (Cue.ORIGIN, _bit(view.in_hand)),
        (Cue.CASTLING, _targets(move for move in moves if move.is_castling)),
        (Cue.EN_PASSANT, _captured_pieces(move for move in moves if move.is_en_passant)),
        (Cue.DANGER, view.dangers),
        (Cue.CAPTURE, _targets(move for move in moves if move.captured is not None)),
        (Cue.QUIET, _targets(move for move in moves if move.captured is None)),
    )


def _coach(view: View) -> Iterable[Paint]:
    """What each move of the piece in the hand is worth, whatever else it is."""
    if not any(view.coached):
        return ()
    good, doubtful, losing = view.coached
    return (
        (Cue.ORIGIN, _bit(view.in_hand)),
        (Cue.GOOD, good),
        (Cue.DOUBTFUL, doubtful),
        (Cue.LOSING, losing),
    )


def _hint(view: View) -> Iterable[Paint]:
    """The piece of the best move, and when it is in the hand, where it goes."""
    if view.hint is None:
        return ()
    if view.in_hand == view.hint.origin:
        return ((Cue.PUT_HERE, _bit(view.hint.target)),)
    return () if view.in_hand is not None else ((Cue.THIS_ONE, _bit(view.hint.origin)),)


def _picking(view: View) -> Iterable[Paint]:
    """An opponent is being chosen, and its level is."""
    shown = view.picking
    if shown is None or shown.is_done or not shown.level:
        return ()
    return (Cue.LEVEL, shown.level), (Cue.PUT_HERE, shown.home)


def _places(view: View) -> Iterable[Paint]:
    """An opponent is being chosen: where the pieces may go."""
    shown = view.picking
    return () if shown is None else ((Cue.PUT_HERE, shown.home), (Cue.QUIET, shown.places))


def _picked(view: View) -> Iterable[Paint]:
    """An opponent was chosen."""
    shown = view.picking
    return () if shown is None or not shown.is_done else ((Cue.DONE, shown.level),)


def _owed(view: View) -> Iterable[Paint]:
    """The opponent's move: a captured piece goes off, then one piece after the other is moved."""
    move = view.owed
    if move is None:
        return ()
    stands = view.standing
    captured = move.captured is not None and stands >> move.captured & 1
    steps = (step for step in move.steps() if stands >> step[0] & 1 or not stands >> step[1] & 1)
    origin, target = next(steps, (None, None))
    return (
        (Cue.REPAIR_FROM, _bit(move.captured) if captured else 0),
        (Cue.THIS_ONE, _bit(origin) & stands),
        (Cue.PUT_HERE, _bit(target)),
    )


def _really(view: View) -> Iterable[Paint]:
    return () if view.doubted is None else ((Cue.REALLY, _touched(view.doubted.move)),)


def _hanging(view: View) -> Iterable[Paint]:
    return ((Cue.HANGS, view.hanging),)


def _contact(view: View) -> Iterable[Paint]:
    return (Cue.ATTACKER, view.attackers), (Cue.GUARD, view.defenders)


def _end(view: View) -> Iterable[Paint]:
    if view.outcome is None or view.outcome.result not in _ENDS:
        return ()
    return _ENDS[view.outcome.result](view)


def _won(view: View, winner: int) -> Iterable[Paint]:
    return (
        (Cue.WINNERS_KING, _king(view, winner)),
        (Cue.LOSERS_KING, _king(view, 1 - winner)),
        (Cue.WINNERS_HALF, HALVES[winner]),
    )


def _drawn(view: View) -> Iterable[Paint]:
    kings = _king(view, WHITE) | _king(view, BLACK)
    return (Cue.DRAWN_KING, kings), (Cue.DRAWN, EQUALS)


_ENDS: dict[str, Callable[[View], Iterable[Paint]]] = {
    "1-0": lambda view: _won(view, WHITE),
    "0-1": lambda view: _won(view, BLACK),
    "1/2-1/2": _drawn,
}


def _king(view: View, color: int) -> Bitboard:
    """The king's square; empty if the kings were moved to show the result."""
    if view.outcome is not None and view.outcome.termination == "kings":
        return 0
    return 1 << view.position.king(color)


def _check(view: View) -> Iterable[Paint]:
    if not view.position.checkers():
        return ()
    return ((Cue.CHECK, 1 << view.position.king(view.position.turn)),)


def _checker(view: View) -> Iterable[Paint]:
    return ((Cue.CHECKER, view.position.checkers()),)


def _last_move(view: View) -> Iterable[Paint]:
    if view.last_move is None or view.unkept:  # this light promises that the move is saved
        return ()
    cue = Cue.LAST_MOVE_PROVISIONAL if view.provisional else Cue.LAST_MOVE
    return ((cue, _touched(view.last_move)),)


def _stuck(view: View) -> Iterable[Paint]:
    """Shown only while no piece is in a hand or missing from its square."""
    away = view.position.occupied & ~view.standing
    return () if away or view.in_hand is not None else ((Cue.STUCK, view.stuck),)


def _touched(move: Move) -> Bitboard:
    return bitboard_of(square for step in move.steps() for square in step)


def _targets(moves: Iterable[Move]) -> Bitboard:
    return bitboard_of(move.target for move in moves)


def _captured_pieces(moves: Iterable[Move]) -> Bitboard:
    return bitboard_of(move.captured for move in moves if move.captured is not None)


def _bit(square: Square | None) -> Bitboard:
    return 0 if square is None else 1 << square


LAYERS: tuple[Layer, ...] = (
    Layer("good-bye", frozenset(), _good_bye),
    Layer("blind", frozenset(), lambda view: ((Cue.BLIND, view.blind),)),
    Layer("letter", frozenset(), _letter),
    Layer("faulty", frozenset(), _faulty),
    Layer("setting up", frozenset(), _setting_up),
    Layer("level", frozenset(), _picking),
    Layer("places", frozenset(), _places),
    Layer("mismatch", frozenset({"reason", "check"}), _mismatch),
    Layer("reason", frozenset({"check", "last move"}), _reason),
    Layer("question", frozenset({"last move"}), _question),
    Layer("owed", frozenset({"check", "last move"}), _owed),
    Layer("picked", frozenset(), _picked),
    Layer("doubt", frozenset({"check", "checker"}), _really),
    Layer("hint", frozenset({"check", "last move"}), _hint),
    Layer("coach", frozenset({"check", "last move"}), _coach),
    Layer("hanging", frozenset({"hand", "check", "last move"}), _hanging),
    Layer("hand", frozenset({"contact", "check", "checker", "last move"}), _hand),
    Layer("contact", frozenset({"check", "last move"}), _contact),
    Layer("end", frozenset(), _end),
    Layer("check", frozenset({"checker", "last move", "stuck"}), _check),
    Layer("checker", frozenset({"last move", "stuck"}), _checker),
    Layer("last move", frozenset({"stuck"}), _last_move),
    Layer("stuck", frozenset(), _stuck),
)
"""Every layer, the most important first."""
