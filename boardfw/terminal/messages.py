"""The messages of the terminal: news, the situation, reasons, threats and the level of help."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from boardfw.game.clock import SECOND_US, control_in_words
from boardfw.game.events import (
    Action,
    Amended,
    Claimed,
    Doubted,
    HelpOffered,
    Misplaced,
    NewGame,
    Notified,
    Offered,
    Outage,
    Owed,
    Picked,
    Ready,
    Restored,
    Ruled,
    Stuck,
    TakenBack,
    Unruled,
    Unstuck,
    Unwatched,
)
from boardfw.game.help import LEVELS
from boardfw.game.phase import GamePhase
from boardfw.game.record import Record
from boardfw.game.view import View
from boardfw.inference import CHOICE_US, ORDER
from boardfw.notation.san import format_san, move_number, numbered_san
from boardfw.rules import BLACK, WHITE, Move, Position
from boardfw.rules.board import COLOR_NAMES, PIECE_NAMES, Piece
from boardfw.rules.claim import FIFTY_MOVES, THREEFOLD
from boardfw.rules.faults import listed
from boardfw.rules.reasons import in_words
from boardfw.shell.desk import Desk
from boardfw.shell.scanner import duration
from boardfw.squares import ALL, NAMES, Bitboard, Square, names_of, squares_in

COLORS = {"white": (WHITE,), "black": (BLACK,), "": (WHITE, BLACK)}
NAMED = {str(level): level for level in LEVELS}
WHICH = "level: write a level from 0 to 4, for example 'level 2' or 'level white 1'"


def choose_level(desk: Desk, text: str) -> str:
    """Set the help level of one player or both: ``white 2``, ``1``; empty: report the levels."""
    color, _, level = f" {text.lower()}".rpartition(" ")
    colors = COLORS.get(color.strip())
    if not text:
        return levels_in_words(desk)
    if colors is None or level not in NAMED:
        return WHICH
    refused = [told for one in colors if (told := desk.help(one, NAMED[level]))]
    return "; ".join(refused) or levels_in_words(desk)


def levels_in_words(desk: Desk) -> str:
    """``help: White level 1, Black level 0``."""
    told = (
        f"{COLOR_NAMES[color]} level {desk.help_policy.helps[color].level}" for color in COLORS[""]
    )
    return f"help: {', '.join(told)}"


def reason_of(view: View) -> list[str]:
    """Why the placement on the board is not a legal move, or why the held piece has none."""
    if view.reason is None or view.tried is None:
        return []
    return [in_words(view.position, view.reason, view.tried)]


def threats_of(view: View) -> list[str]:
    """Threats and defenders of the held piece, and hanging pieces."""
    told = {
        "lost on": view.dangers,
        "attacked by": view.attackers,
        "defended by": view.defenders,
        "hanging:": view.hanging,
    }
    return [f"{words} {' '.join(names_of(squares))}" for words, squares in told.items() if squares]


MOST_STEPS = 5
"""Steps of a repair that are listed at a time."""

CHECK_MOVES = "check the list of moves; 'ruling' corrects it"

MOST_S = CHOICE_US // SECOND_US
WITHIN = ", ".join(PIECE_NAMES[piece_type] for piece_type in ORDER[1:])
"""The pieces for further put-backs of a promoted pawn."""
MOST_SQUARES = 8
"""Squares that are named; the lights show all."""

TERMINATIONS = {
    "agreement": "by agreement",
    "checkmate": "by checkmate",
    "resignation": "by resignation",
    "time": "on time",
    "kings": "as shown by the kings",
    "fifty_moves": "by the fifty-move rule",
    "seventyfive_moves": "by the seventy-five-move rule",
    "threefold_repetition": "by threefold repetition",
    "fivefold_repetition": "by fivefold repetition",
    "insufficient_material": "by insufficient material",
    "stalemate": "by stalemate",
}


def piece_name(piece: Piece | None) -> str:
    """``white knight``; ``piece`` if it is unknown."""
    return (
        "piece"
        if piece is None
        else f"{COLOR_NAMES[piece.color].lower()} {PIECE_NAMES[piece.piece_type]}"
    )


def wanted_in_words(piece: Piece, squares: Bitboard) -> str:
    """``white knights to b1 and g1``."""
    plural = "s" if squares.bit_count() > 1 else ""
    return f"{piece_name(piece)}{plural} to {listed(squares)}"


def result_in_words(result: str, termination: str) -> str:
    """``White won by checkmate``."""
    winner = {"1-0": "White won", "0-1": "Black won"}.get(result, "A draw")
    return f"{winner} {TERMINATIONS.get(termination, termination.replace('_', ' '))}"


def news(action: Action, record: Record) -> str:
    """What has just happened, unless the moves or the situation show it; else empty."""
    match action:
        case TakenBack(plies=plies):
            return "a ply was taken back" if plies == 1 else f"{plies} plies were taken back"
        case Amended(ply=ply, san=san) if ply < len(record.moves):
            return f"correction: ply {ply} was {san}"
        case Misplaced(square=square):
            return f"no piece belongs on {NAMES[square]}: take it off"
        case Ready():
            turn = COLOR_NAMES[record.positions()[-1].turn]
            return f"the pieces are set up: {turn} to move"
        case Offered() | Claimed() | Owed() | Notified() | Picked():
            return _players_news(action, record)
    return _rare_news(action) or _switch_news(action)


def _players_news(action: Offered | Claimed | Owed | Notified | Picked, record: Record) -> str:
    """What a player has said: a draw, or the move of an opponent that is not at the board."""
    match action:
        case Owed(ply=ply, san=san):
            return f"the opponent plays {move_number(record.start, ply)}{san}"
        case Notified(text=text):
            return text
        case Picked(side=side, level=level):
            against = "another person" if level is None else f"an opponent of level {level}"
            return f"{side} plays on the board, against {against}"
        case Offered():
            return "a draw is offered: draw once more agrees, a move declines"
    return _claim_news(action, record)


def beginning_news(record: Record) -> str:
    """The first message: an interrupted game that goes on, and the time control; or empty."""
    said = []
    if record.moves:
        *_, before, after = record.positions()
        played = numbered_san(before, record.moves[-1:])
        said.append(f"the game goes on after {played}: {COLOR_NAMES[after.turn]} to move")
    if record.control is not None:
        said.append(f"clock: {control_in_words(record.control)}")
    return "; ".join(said)


def _rare_news(action: Action) -> str:
    """A new game, an arbiter's ruling or why it was refused, doubts and offers of less help."""
    match action:
        case NewGame():
            return "a new game"
        case Ruled(who=who, why=why, what=what):
            return f"{what}, by {who}: {why}"
        case Unruled(text=text):
            return f"nothing was changed: {text}"
        case Doubted(text=text):
            return text
        case HelpOffered(player=player, level=level):
            return f"{player} hardly needs help any more: 'level {player} {level}'"
    return ""


def _switch_news(action: Action) -> str:
    """A switch is stuck, or switches were not read, and what that means for the players."""
    match action:
        case Stuck(square=square, closed=closed):
            what = f"does not {'open' if closed else 'close'}: play goes on without it"
            return f"the switch of {NAMES[square]} {what}"
        case Unstuck(square=square):
            return f"the switch of {NAMES[square]} works again"
        case Outage(text=text):
            return f"not all switches can be read, wait please: {text}"
        case Restored():
            return "all switches can be read again: play on"
        case Unwatched(t_us=t_us, since_us=since_us):
            gap = duration(t_us - since_us)
            return f"the board was not read for {gap}, and several pieces moved: {CHECK_MOVES}"
    return ""


def _claim_news(action: Claimed, record: Record) -> str:
    """Whether a claimed draw is correct, and on what grounds."""
    if action.kind == THREEFOLD:
        *before, _ = (_after(ply, record) for ply in action.plies)
        return f"the claim is correct: this position occurred {', '.join(before)}, and again now"
    quiet = f"{action.quiet} plies without capture or pawn move"
    if action.kind:
        return f"the claim is correct: {quiet}"
    if action.awaits_move:
        return "a draw is claimed with the next move: make the move that you intend"
    times = {1: "once", 2: "twice"}.get(len(action.plies), f"{len(action.plies)} times")
    return (
        f"the claim is wrong: the position has occurred {times}, {quiet} ({FIFTY_MOVES} are needed)"
    )


def _after(ply: int, record: Record) -> str:
    if ply == 0:
        return "at the start"
    return f"after {numbered_san(record.positions()[ply - 1], record.moves[ply - 1 : ply])}"


def situation(
    view: View, record: Record, t_us: int | None = None, *, is_simulated: bool = False
) -> list[str]:
    """The situation in lines, the most important first; the first line is the headline.

    ``t_us``: the session's time now; None: the time left for a choice is not shown.
    ``is_simulated``: simulated hands make the opponent's moves.
    """
    choosing = partial(_choosing, t_us=t_us)
    opponent = partial(_opponent, is_simulated=is_simulated)
    for told in (_blind, _setting_up, _picking, _wrong, _question, _over, choosing, opponent):
        if lines := told(view, record):
            return [*lines, *unwritten(view, "plies"), *_unwatched(view), *_stuck(view)]
    return [*_playing(view), *unwritten(view, "plies"), *_unwatched(view), *_stuck(view)]


def _blind(view: View, _: Record) -> list[str]:
    if not view.blind:
        return []
    unseen = "all" if view.blind == ALL else " ".join(names_of(view.blind))
    return ["Please wait: not all switches can be read", f"unseen: {unseen}"]


def _picking(view: View, _: Record) -> list[str]:
    """An opponent is being chosen on the board."""
    if view.picking is None or view.picking.is_done:
        return []
    level = view.picking.level.bit_count()
    return [
        "Choose an opponent",
        f"level {level}" if level else "put the king or the queen on a lit square",
        "both at home again: so it is",
    ]


def _opponent(view: View, _: Record, *, is_simulated: bool = False) -> list[str]:
    """What an opponent that is not at the board has played, or that it is still to play."""
    name = COLOR_NAMES[view.position.turn]
    if view.owed is not None:
        what = f"{name} plays" if is_simulated else f"Make {name}'s move:"
        return [f"{what} {format_san(view.position, view.owed)}", *_lifted(view)]
    return [f"{name} is thinking", *_lifted(view)] if view.is_awaited else []


def unwritten(view: View, what: str) -> list[str]:
    """That these wait in memory, and why; empty if none does."""
    if not view.unwritten:
        return []
    return [f"{what} wait in memory: do not switch off", view.unwritten]


def _unwatched(view: View) -> list[str]:
    """Moves that were missed, and why more may be."""
    unseen = [f"some moves were not seen: {CHECK_MOVES}"] if view.is_clouded else []
    return [*unseen, *view.notes]


def _stuck(view: View) -> list[str]:
    if not view.stuck:
        return []
    names = names_of(view.stuck)
    return [f"stuck switch{'es' if len(names) > 1 else ''}, not needed: {' '.join(names)}"]


def _setting_up(view: View, _: Record) -> list[str]:
    if view.phase is not GamePhase.SETUP:
        return []
    if view.problems:
        texts = [problem.text for problem in view.problems[:MOST_STEPS]]
        return ["No game can start like this", *texts, "'new' starts from the usual position"]
    to_go = view.to_go
    lines = [f"Set up the pieces: {to_go} to go" if to_go else "Set up the pieces"]
    if view.asked:
        lines.append(wanted_in_words(*view.asked))
    return [*lines, f"take off {_few(view.surplus)}"] if view.surplus else lines


def _few(squares: Bitboard) -> str:
    names = names_of(squares)
    more = f" and {len(names) - MOST_SQUARES} more" if len(names) > MOST_SQUARES else ""
    return " ".join(names[:MOST_SQUARES]) + more


def _wrong(view: View, _: Record) -> list[str]:
    if not view.extra:
        return []
    return ["The board and the game differ", *reason_of(view), *_steps(view, view.position)]


def _steps(view: View, position: Position) -> list[str]:
    steps = [_step(position, origin, target) for origin, target in view.repair[:MOST_STEPS]]
    rest = len(view.repair) - len(steps)
    return [*steps, *([f"and {rest} more"] if rest else [])]


def _step(position: Position, origin: Square | None, target: Square | None) -> str:
    name = "piece" if target is None else piece_name(position.piece_at(target))
    from_ = "box" if origin is None else NAMES[origin]
    return f"{name} {from_} -> {'box' if target is None else NAMES[target]}"


def _question(view: View, record: Record) -> list[str]:
    if not view.candidates:
        return []
    before = _before(record, view.candidates)
    names = [format_san(before, move) if before else move.uci() for move in view.candidates]
    numbered = [f"{number} {name}" for number, name in enumerate(names, 1)]
    what, answer = "move", "Lift that piece"
    if view.asks_which_piece:
        what, answer = "piece", "Type its number"
    return [
        f"Which {what} was it?",
        "   ".join(numbered),
        f"{answer}, or play on: it may become clear",
    ]


def _before(record: Record, candidates: Iterable[Move]) -> Position | None:
    """The last position of the game in which all these moves are legal."""
    wanted = set(candidates)
    for position in reversed(record.positions()):
        if wanted <= set(position.legal_moves()):
            return position
    return None


def _over(view: View, _: Record) -> list[str]:
    if view.outcome is None:
        return []
    told = result_in_words(*view.outcome)
    return [f"{view.outcome.result}  {told}", "Set up the pieces for another game"]


def _choosing(view: View, _: Record, t_us: int | None = None) -> list[str]:
    if view.promotion is None or view.choosing is None or view.last_move is None:
        return []
    now, then = PIECE_NAMES[view.promotion], PIECE_NAMES[view.choosing.then]
    target = NAMES[view.last_move.target]
    if not view.choosing.is_exchanged:
        how = f"Lift and replace on {target} to swap in the {now}"
        return [f"The pawn becomes a {now}", how, f"again within {MOST_S} s for {WITHIN}"]
    left_s = MOST_S if t_us is None else choice_seconds(view, t_us)
    return [
        f"The pawn becomes a {now} ({left_s} s left)",
        f"Replace on {target} again for a {then}",
    ]


def choice_seconds(view: View, t_us: int) -> int | None:
    """Whole seconds, rounded up, in which another piece can still be chosen; None: no choice."""
    if view.choosing is None:
        return None
    return max(-(-(view.choosing.until_us - t_us) // SECOND_US), 0)


def _playing(view: View) -> list[str]:
    to_move = COLOR_NAMES[view.position.turn]
    check = ": check!" if view.position.is_check() else ""
    doubted = [view.doubted.text] if view.doubted else []
    return [f"{to_move} to move{check}", *doubted, *_lifted(view)]


def _lifted(view: View) -> list[str]:
    if view.in_hand is not None:
        return [
            f"{named(view.position, view.in_hand)} {_may_go(view)}",
            *reason_of(view),
            *threats_of(view),
        ]
    lifted = view.position.occupied & ~view.standing
    return [f"lifted: {_all_named(view.position, lifted)}", *threats_of(view)] if lifted else []


def _may_go(view: View) -> str:
    if not any(move.origin == view.in_hand for move in view.position.legal_moves()):
        return "cannot move"
    targets = dict.fromkeys(NAMES[move.target] for move in view.destinations)
    return f"to {' '.join(targets)}" if targets else "is lifted"


def named(position: Position, square: Square) -> str:
    """``white knight g1``."""
    return f"{piece_name(position.piece_at(square))} {NAMES[square]}"


def _all_named(position: Position, squares: Bitboard) -> str:
    names = [named(position, square) for square in squares_in(squares)]
    more = f" and {len(names) - MOST_STEPS} more" if len(names) > MOST_STEPS else ""
    return ", ".join(names[:MOST_STEPS]) + more
