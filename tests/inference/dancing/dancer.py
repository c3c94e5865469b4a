"""The dancer: turns a plan into touches on a stage. What each of them means is fixed by the rules
of the table (a move is what stands when the hands are off, a put-back is none, and so on), so the
game that the hands have played is known whatever the order and the times.

Left out, since nobody could tell the truth from the switches:

* a man pushed off unseen while the taker had another victim, or had stood elsewhere on his way; or
  where the reply goes to the square whence the taker came: he may have been put back there;
* a man pushed off, or swapped in an instant, by a pawn that is promoted: the first put-back shows
  him taken;
* a double step with a stop half way, or corrected to half of it, where it may be taken in passing;
* another victim of the taker touched, or out of contact, while the taker is in the air or before
  the hands have been off the board: he might be the one taken. Hands wait, noise is left away;
* a wrong capture that goes on to another capture without the taker going home in between;
* contact lost under a man who is being chosen by put-backs: it is a put-back;
* a man put where he may go, or whence he came, as an "illegal move", or where the board then shows
  another ply in place of the last one: the second man of a castling is known by nothing else;
* the man who moved last taken by mistake: he may be lifted by his own player, who thinks again;
* contact lost under one man while another one is chosen: he may have taken him;
* contact lost under a man who has just come and is lifted again before he has been seen to stand
  for 0.25 s: he was sliding on;
* contact lost under a man who is to be taken in passing;
* a man lifted within 0.1 s after another one was put back beside him whom he may take: he may have
  been slid over to that square;
* three men out of contact at once just before the start of a game stands: it is set up.

Left out, since it seemed beyond hands, or rarer than what it was told as. Times are judgements:

* men lifted, or taken in passing, within 0.25 s of their arrival, taken back within 0.12 s of it,
  or put back by a take-back after less than 0.2 s;
* a pawn's choice made by standing for less than 0.06 s, or a man slid over the border on to one who
  is being chosen;
* a slide with more than one rest of half a second, or off the straight way of who goes straight;
* a slide across the board from a wrong square, or with a stop that may be final.

Left out, and told wrong now and then: here the firmware could still learn:

* a man pushed off while the hands hurry on, or lifted again before a reply could be answered;
* contact lost under a man who has just come, while another one is put down: he comes after him;
* a stop where somebody came from in the last plies: they may be taken back;
* a stop where the same man could have gone with his last ply: he may be going on from there;
* a reply that goes to where the man before it stood on his way;
* a man who was promoted put where only another could go: he may be that other one.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle

from boardfw.notation.fen import parse_fen
from boardfw.squares import NAMES, Occupancy, Square, squares_in
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
from tests.inference.dancing.ways import carry, displace


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
    """The men of the last ply go back; the man taken comes back last, or before the taker."""
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
    """Touch men and put them back; if there are two, both are in the air at once."""
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
    """A man goes where he may not, or takes whom he may not, and comes back."""
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
    allowed |= {(origin, stage.choosing) for origin in range(64) if stage.choosing is not None}
    takers = {move.origin for move in legal if move.captured is not None}
    own, others = position.pieces(position.turn), position.pieces(1 - position.turn)
    # Whoever moved last may think better of it, which is a move; one being chosen counts touches.
    untouchable = {target for _, target in stage.moves[-1].steps()} if stage.moves else set()
    just_moved = untouchable
    untouchable = untouchable | {move.target for move in stage.moves if move.promotion}
    instead = _instead(stage)
    for origin in squares_in(stage.stands):
        if origin in untouchable or (takes and (not own >> origin & 1 or origin in takers)):
            continue
        for square in squares_in(others & stage.stands) if takes else range(64):
            if square in just_moved:
                continue
            shown = stage.stands & ~(1 << origin) | 1 << square
            is_told = shown in instead or (origin, square) in allowed
            if stage.has(square) == takes and not is_told:
                yield origin, square


def _instead(stage: Stage) -> set[Occupancy]:
    """What would stand after any other ply in place of the last one."""
    if not stage.moves:
        return set()
    before = stage.positions[-2]
    return {before.play(move).occupied for move in before.legal_moves()}
