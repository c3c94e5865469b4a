"""The dancer: turns a plan into touches on a stage.

What each touch means is fixed by rules (a move is what stands when the hands are off, a put-back is
no move, and so on), so the game that was played is known whatever the order and the times.

Left out, since the switches cannot tell the truth:

* a piece pushed off unseen while the capturing piece could have captured another, or had stood
  elsewhere on its path; or where the reply goes to the square that the capturing piece left: it
  may have been put back there;
* a piece pushed off, or swapped in an instant, by a pawn that is promoted: the first put-back shows
  that it was captured;
* a double step with a stop half way, or corrected to half of it, where en passant is possible; and
  a single one with a contact where the double one ends;
* another piece that could be captured touched, or out of contact, while the capturing piece is in
  the air or before the hands have been off the board: it might be the captured one. Hands wait,
  noise is left away;
* a wrong capture that goes on to another capture without the piece going home in between;
* contact lost under a piece that is being chosen by put-backs: it is a put-back;
* a piece put where it may go, or where it came from, as an "illegal move", or where the board then
  shows another ply in place of the last one: nothing else shows the second piece of a castling;
* the piece that moved last captured by mistake: its own player may lift it to think again;
* contact lost under one piece while another one is chosen: that may have captured it;
* contact lost under a piece that has just come and is lifted again before it has been seen to stand
  for 0.25 s: it was sliding on;
* contact lost under a pawn that is to be captured en passant;
* a piece lifted within 0.1 s after another one that it may capture was put back beside it: it may
  have been slid over to that square;
* three pieces out of contact at once just before the start of a game stands: it is set up.

Left out, since it seemed beyond hands, or rarer than what it was told as. Times are judgements:

* pieces lifted, or captured en passant, within 0.25 s of their arrival, taken back within 0.12 s of
  it, or put back by a take-back after less than 0.2 s;
* a promotion chosen by standing for less than 0.06 s, or a piece slid over the border onto one that
  is being chosen;
* a slide with more than one rest of half a second, or off the straight path of a straight mover;
* a slide across the board from a wrong square, or with a stop that may be final.

Left out, and told wrong now and then: here the firmware could still learn:

* a piece pushed off while the hands hurry on, or lifted again before a reply could be answered;
* contact lost under a piece that has just come, while another one is put down: it comes after it;
* a stop where a piece came from in the last plies: they may be taken back;
* a stop where the same piece could have gone with its last ply: it may be going on from there;
* a reply that goes to where the piece before it stood on its path;
* a promoted piece put where only another type could go: it may be of that type.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle

from boardfw.notation.fen import parse_fen
from boardfw.squares import EVERY_SQUARE, NAMES, Bitboard, Square, squares_in
from tests.inference.dancing.paths import carry, displace
from tests.inference.dancing.plans import (
    ANSWERED_MS,
    POSITIONS,
    PUT_BACK_MS,
    Adjust,
    Episode,
    Illegal,
    Plan,
    Play,
    TakeBack,
)
from tests.inference.dancing.plies import play
from tests.inference.dancing.stage import Stage


def dance(plan: Plan) -> Stage:
    """Dance a plan."""
    stage = Stage(parse_fen(POSITIONS[plan.start]), plan.period_ms)
    for episode in plan.episodes:
        _perform(stage, episode)
    return stage


def _perform(stage: Stage, episode: Episode) -> None:
    if isinstance(episode, Play):
        play(stage, episode)
        return
    stage.is_hurried = False
    if isinstance(episode, TakeBack):
        _take_back(stage, episode)
    elif isinstance(episode, Adjust):
        _adjust(stage, episode)
    else:
        _stray(stage, episode)


def _take_back(stage: Stage, plan: TakeBack) -> None:
    """Undo plies, the last mover first."""
    beats = cycle(plan.beats)
    for n in range(min(plan.plies, len(stage.moves))):
        stage.note(f"take back {stage.moves[-1].uci()}")
        stage.wait(next(beats) if n else plan.wait_ms)
        landed_ms = max(stage.arrived_ms(target) for _, target in stage.moves[-1].steps())
        stage.t_ms = since_ms = max(stage.t_ms, landed_ms + ANSWERED_MS)
        _undo(stage, plan.order, beats)
        stage.settle_choice()
        stage.wrong.append((since_ms, stage.t_ms))
        stage.undo(since_ms)


def _undo(stage: Stage, order: int, beats: Iterator[int]) -> None:
    """The pieces of the last ply go back; the captured one last, or before the capturing one."""
    move = stage.moves[-1]
    if move.captured == move.target and order % 2:
        stage.lift(move.target)
        stage.wait(max(next(beats), PUT_BACK_MS))
        stage.drop(move.target)
        stage.wait(next(beats))
        stage.drop(move.origin)
        return
    displace(stage, tuple((target, origin) for origin, target in move.steps()), order, beats)
    if move.captured is not None:
        stage.wait(next(beats))
        stage.drop(move.captured)


def _adjust(stage: Stage, plan: Adjust) -> None:
    """Touch pieces and put them back; if there are two, both are in the air at once."""
    beats = cycle(plan.beats)
    pieces = [square for square in squares_in(stage.stands) if square != stage.choosing]
    touched = list(dict.fromkeys(pieces[n % len(pieces)] for n in plan.pieces))
    stage.note("adjust " + " ".join(NAMES[square] for square in touched))
    stage.wait(plan.wait_ms)
    for square in touched:
        stage.until_sturdy(square)
    for square in touched:
        stage.lift(square)
        stage.wait(next(beats))
    for n, square in enumerate(touched):
        if n:
            stage.wait(next(beats))
        stage.drop(square)


def _stray(stage: Stage, plan: Illegal) -> None:
    """A piece goes where it may not, or captures what it may not, and comes back."""
    ways = list(_forbidden(stage, takes=plan.takes))
    if not ways:
        return
    origins = sorted({origin for origin, _ in ways})
    origin = origins[plan.piece % len(origins)]
    squares = [square for start, square in ways if start == origin]
    square = squares[plan.square % len(squares)]
    stage.note(f"illegal {NAMES[origin]}{NAMES[square]}")
    stage.wait(plan.wait_ms)
    for touched in (origin, square):
        stage.until_sturdy(touched)
    since_ms = stage.t_ms
    _there_and_back(stage, origin, square, plan)
    stage.wrong.append((since_ms, stage.t_ms))


def _there_and_back(stage: Stage, origin: Square, square: Square, plan: Illegal) -> None:
    beats, takes = cycle(plan.beats), stage.has(square)
    stage.lift(origin)
    stage.wait(next(beats))
    if takes:
        stage.lift(square)
        stage.wait(next(beats))
    stage.drop(square)
    stage.wait(plan.stood_ms)
    carry(stage, square, origin, beats)
    if takes:
        stage.wait(next(beats))
        stage.drop(square)


def _forbidden(stage: Stage, *, takes: bool) -> Iterator[tuple[Square, Square]]:
    """(origin, target) that no ply and no second thought explains."""
    position = stage.position
    legal = position.legal_moves()
    allowed = {step for move in legal for step in move.steps()}
    allowed |= {(origin, stage.choosing) for origin in EVERY_SQUARE if stage.choosing is not None}
    takers = {move.origin for move in legal if move.captured is not None}
    own, others = position.pieces(position.turn), position.pieces(1 - position.turn)
    # The piece moved last may go on, which is a move; one being chosen counts touches.
    untouchable = {target for _, target in stage.moves[-1].steps()} if stage.moves else set()
    just_moved = untouchable
    untouchable = untouchable | {move.target for move in stage.moves if move.promotion}
    instead = _instead(stage)
    for origin in squares_in(stage.stands):
        if origin in untouchable or (takes and (not own >> origin & 1 or origin in takers)):
            continue
        for square in squares_in(others & stage.stands) if takes else EVERY_SQUARE:
            if square in just_moved:
                continue
            shown = stage.stands & ~(1 << origin) | 1 << square
            is_told = shown in instead or (origin, square) in allowed
            if stage.has(Square(square)) == takes and not is_told:
                yield origin, square


def _instead(stage: Stage) -> set[Bitboard]:
    """What would stand after any other ply in place of the last one."""
    if not stage.moves:
        return set()
    before = stage.positions[-2]
    return {before.play(move).occupied for move in before.legal_moves()}
