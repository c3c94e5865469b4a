"""What the switches read of a dance: bounce, glitches, lost contacts and neighbours included."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate, pairwise

from boardfw.squares import EVERY_SQUARE, NAMES, START, Bitboard, Square, distance, squares_in
from tests.inference.dancing.plans import ANSWERED_MS, Noise, Plan
from tests.inference.dancing.stage import LAST_MS, Stage

STEADY_MS = 15
"""A level that lasts no longer than this is not drowned in bounce."""
ALL_BUT_TWO = 30
EDGE_MS = 30
"""Noise keeps so far from a doubtful instant."""


@dataclass(frozen=True)
class Forced:
    """For a while a switch reads what is not so. From ``from_ms`` until before ``to_ms``."""

    kind: str
    square: Square
    from_ms: int
    to_ms: int

    def __str__(self) -> str:
        return f"{self.kind} {NAMES[self.square]} {self.from_ms}-{self.to_ms}"


def end_ms(stage: Stage) -> int:
    """Until when the board is watched."""
    return (stage.touches[-1].t_ms if stage.touches else stage.t_ms) + LAST_MS


def forced(stage: Stage, plan: Plan) -> list[Forced]:
    """The noise of a plan, as far as the truth remains decidable."""
    found = [_forced(stage, noise) for noise in plan.noises if stage.touches]
    return [noise for noise in found if noise is not None]


def _forced(stage: Stage, noise: Noise) -> Forced | None:
    touch = stage.touches[noise.touch % len(stage.touches)]
    t_ms = max(touch.t_ms + noise.after_ms, 1)
    if noise.kind == "glitch":
        square = noise.square % 64
        t_ms -= t_ms % stage.period_ms
        if stage.is_frail(Square(square), t_ms - EDGE_MS, t_ms + EDGE_MS, blip=True):
            return None
        return Forced("glitch", Square(square), t_ms, t_ms + stage.period_ms)
    if noise.kind == "near":
        near = [s for s in EVERY_SQUARE if distance(s, touch.square) == 1]
        square = Square(near[noise.square % len(near)])
        if _is_double_step(stage, square):
            return None
        return Forced("near", square, t_ms, t_ms + noise.for_ms)
    return _lost(stage, noise, t_ms)


def _is_double_step(stage: Stage, square: Square) -> bool:
    """True if a pawn that is captured after one step would have been captured here en passant.

    A contact here makes both games end with the same pieces on the same squares.
    """
    return any(
        step.target - step.origin == square - step.target
        and abs(step.target - step.origin) == 8
        and reply.target == reply.captured == step.target
        and distance(reply.origin, square) == 1
        for step, reply in pairwise(stage.moves)
    )


def _lost(stage: Stage, noise: Noise, t_ms: int) -> Forced | None:
    """No contact under a piece, unless it might as well have been lifted."""
    pieces = list(squares_in(standing(stage, t_ms)))
    if len(pieces) <= ALL_BUT_TWO and _comes_to_the_start(stage, t_ms):
        return None  # three in the air, then the start of a game: that is how a new one is set up
    square, to_ms = pieces[noise.square % len(pieces)], t_ms + noise.for_ms
    from_ms, until_ms = t_ms - EDGE_MS, to_ms + EDGE_MS
    is_doubtful = (
        stage.is_frail(square, from_ms, until_ms)
        or _is_chosen_meanwhile(stage, from_ms, until_ms)
        or _is_passing(stage, square, t_ms, to_ms)
    )
    return None if is_doubtful else Forced("lost", square, t_ms, to_ms)


def _is_chosen_meanwhile(stage: Stage, from_ms: int, to_ms: int) -> bool:
    """Whether a put-back chooses a piece: one that is gone then may have captured it."""
    return any(
        touch.square == chosen.square
        and from_ms <= touch.t_ms <= to_ms
        and chosen.from_ms <= touch.t_ms <= chosen.to_ms
        for touch in stage.touches
        for chosen in stage.chosen
    )


def _is_passing(stage: Stage, square: Square, from_ms: int, to_ms: int) -> bool:
    """Whether it came just before, and goes, or is replied to, when it was hardly seen to stand."""
    came = any(
        touch.closed and touch.square == square and from_ms - ANSWERED_MS < touch.t_ms <= from_ms
        for touch in stage.touches
    )
    until_ms = to_ms + ANSWERED_MS
    goes = any(t.square == square and from_ms < t.t_ms <= until_ms for t in stage.touches)
    return came and (goes or any(t.closed and from_ms < t.t_ms <= to_ms for t in stage.touches))


def _comes_to_the_start(stage: Stage, t_ms: int) -> bool:
    return any(standing(stage, touch.t_ms) == START for touch in stage.touches if touch.t_ms > t_ms)


def standing(stage: Stage, t_ms: int) -> Bitboard:
    """Where pieces really stand at an instant."""
    occupancy = stage.start.occupied
    for touch in stage.touches:
        if touch.t_ms <= t_ms:
            occupancy ^= 1 << touch.square
    return occupancy


def flips(stage: Stage, bounce: tuple[int, ...]) -> list[tuple[int, Square]]:
    """Every change of a contact, with its bounce."""
    last: dict[Square, int] = {}
    found: list[tuple[int, Square]] = []
    for touch in reversed(stage.touches):
        lasts_ms = last.get(touch.square, 1 << 40) - touch.t_ms
        last[touch.square] = touch.t_ms
        times = [0, *accumulate(bounce)] if lasts_ms > STEADY_MS else [0]
        found += [(touch.t_ms + after_ms, touch.square) for after_ms in times]
    return sorted(found)


def scans(stage: Stage, plan: Plan) -> list[tuple[int, Bitboard]]:
    """(t ms, occupancy) of every scan that read something new, the first at 0."""
    noises, period = forced(stage, plan), stage.period_ms
    changes = flips(stage, plan.bounce)
    times = {t for t, _ in changes} | {t for n in noises for t in (n.from_ms, n.to_ms)}
    pieces, read, at = stage.start.occupied, stage.start.occupied, 0
    found = [(0, read)]
    for t_ms in sorted({-(-t // period) * period for t in times}):
        while at < len(changes) and changes[at][0] <= t_ms:
            pieces ^= 1 << changes[at][1]
            at += 1
        now = _read(Bitboard(pieces), [n for n in noises if n.from_ms <= t_ms < n.to_ms])
        if now != read:
            found.append((t_ms, now))
            read = now
    return found


def _read(pieces: Bitboard, noises: list[Forced]) -> Bitboard:
    read = pieces
    for noise in noises:
        bit = 1 << noise.square
        if noise.kind == "near":
            read |= bit
        elif noise.kind == "lost":
            read &= ~bit
        else:
            read ^= bit
    return read
