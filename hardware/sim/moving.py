"""One move carried out in one of the orders that people use; no mishaps but a wrong square.

Captures are made with one hand or two, by a swap, or by pushing the captured piece off its square.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from boardfw.squares import Switch, distance, switch_at
from hardware.sim import mishaps
from hardware.sim.magnets import Place, middle
from hardware.sim.motion import Carried, Motion, is_clear, line_between

FOOT = 0.66
"""From middle to middle of two pieces that touch: feet are two thirds of a square wide."""
DRAGGED = ("captured_first", "push")
"""Habits of capture in which the capturing piece need not leave the board."""
LOW = 0.25
"""Height of the piece in the hand while the other fingers take the captured piece."""


@dataclass(frozen=True, slots=True)
class HandMove:
    """A move as squares.

    ``steps``: (origin, target) of every piece displaced, one or two. ``removed``: squares of the
    pieces taken off, the target included if a piece is captured there. ``promotion``: None, or how
    often the new piece is stepped down (0 to 3); ``promoted``: the label of the new piece.
    ``illegal``: targets known to be wrong for the first piece, for hands that err. ``instead``:
    returns sequences of one to three legal plies, without promotions and without an end of the
    game, that hands may play here before they take them all back and play the move itself.
    """

    steps: tuple[tuple[Switch, Switch], ...]
    removed: tuple[Switch, ...] = ()
    promotion: int | None = None
    promoted: str = ""
    illegal: tuple[Switch, ...] = ()
    instead: Callable[[], Sequence[Sequence[HandMove]]] = field(default=tuple, compare=False)

    @property
    def squares(self) -> frozenset[Switch]:
        """Every square that the move is about."""
        return frozenset([square for step in self.steps for square in step] + list(self.removed))


def needed_by(move: HandMove) -> frozenset[Switch]:
    """The squares of a move, and those that its pieces pass in a straight line."""
    passed = (square for step in move.steps for square in line_between(*step))
    return move.squares.union(passed)


def meaning(pieces: Mapping[Switch, str], move: HandMove) -> dict[Switch, str]:
    """The pieces by square after a move."""
    gone = set(move.removed) | {origin for origin, _ in move.steps}
    after = {square: label for square, label in pieces.items() if square not in gone}
    arriving = {target: pieces[origin] for origin, target in move.steps}
    if move.promotion is not None and move.promoted:
        arriving = dict.fromkeys(arriving, move.promoted)
    return after | arriving


def carry_out(motion: Motion, move: HandMove) -> None:
    """Carry out the move itself."""
    if len(move.steps) > 1:
        _two_pieces(motion, move)
    elif move.promotion is not None:
        _promote(motion, move)
    else:
        _one_piece(motion, move, "")
        if motion.chance(motion.profile.nudge):
            nudge(motion, move.steps[0][1])


def nudge(motion: Motion, target: Switch) -> None:
    """Push the piece that has just come straight."""
    motion.tag("nudge")
    motion.wait(motion.profile.nudge_ms)
    motion.touch(target, motion.profile.nudge_ms, motion.random.uniform(0.05, 0.7))


def _one_piece(motion: Motion, move: HandMove, arriving: str) -> None:
    """Move one piece, captures included; ``arriving``: the label put down instead, or ""."""
    origin, target = move.steps[0]
    aside = [square for square in move.removed if square != target]
    when = motion.habit(motion.profile.aside) if aside else ""
    if when == "before":
        _take_off(motion, aside)
    drags = not arriving and when != "during" and may_drag(motion, origin, target)
    lying = None
    if target in move.removed:
        lying = capture(motion, move.steps[0], move.squares, arriving, drags=drags)
    elif drags:
        motion.tag("slide")
        motion.drag(motion.lift(origin), target)
    else:
        _carry(motion, move, arriving, aside if when == "during" else [])
    motion.landed()
    if lying is not None:
        motion.wait(motion.profile.pause_ms)
        _lay_aside(motion, lying)
    if when == "after":
        motion.wait(motion.profile.pause_ms)
        _take_off(motion, aside)


def may_drag(motion: Motion, origin: Switch, target: Switch) -> bool:
    """True if this piece is pushed over the board; a knight goes between the others."""
    line = line_between(origin, target)
    leaps = not line and distance(origin, target) > 1
    usual = motion.profile.slide_leap if leaps else motion.profile.slide
    if origin in motion.held:
        return False
    return is_clear(motion.pieces, line) and motion.chance(usual)


def _carry(motion: Motion, move: HandMove, arriving: str, during: list[Switch]) -> None:
    origin, target = move.steps[0]
    piece = motion.lift(origin)
    if arriving:
        motion.exchange(piece, target, arriving)
        return
    if during:
        motion.raise_up(piece, motion.profile.raise_ms)
        _take_off(motion, during)
    else:
        piece = mishaps.wrong_square(motion, target, piece, move.squares)
    motion.put(piece, target)


def _take_off(motion: Motion, squares: Iterable[Switch]) -> None:
    for square in squares:
        motion.take_away(motion.lift(square))
        motion.wait(motion.profile.pause_ms)


# ------------------------------------------------------------------------------------- two pieces


def _two_pieces(motion: Motion, move: HandMove) -> None:
    steps = list(move.steps)
    habit = motion.habit(motion.profile.two_pieces)
    crossing = {target for _, target in steps} & {origin for origin, _ in steps}
    if habit == "second_first":
        steps.reverse()
    if habit == "both_in_air" or crossing:
        _both_in_air(motion, steps)
        return
    for n, (origin, target) in enumerate(steps):
        if n:
            _pause_between(motion)
            motion.showed_another |= habit == "second_first"
        if may_drag(motion, origin, target):
            motion.tag("slide")
            motion.drag(motion.lift(origin), target)
        else:
            motion.put(motion.lift(origin), target)
    motion.landed()


def _pause_between(motion: Motion) -> None:
    if motion.chance(motion.profile.two_pieces_pause):
        motion.tag("second_waits")
        motion.wait(motion.profile.two_pieces_pause_ms)
    else:
        motion.wait(motion.profile.pause_ms)


def _both_in_air(motion: Motion, steps: Iterable[tuple[Switch, Switch]]) -> None:
    pieces = [
        (motion.take_up(origin, motion.profile.two_hands_ms), target) for origin, target in steps
    ]
    for piece, target in pieces:
        motion.wait(motion.profile.pause_ms)
        motion.put(piece, target)
    motion.landed()


# ----------------------------------------------------------------------------------- promotion


def _promote(motion: Motion, move: HandMove) -> None:
    """Arrive, then exchange and step down by as many put-backs as that takes.

    Pieces are set down with care here: a contact lost by itself would count as a choice.
    """
    target = move.steps[0][1]
    stepped = move.promotion or 0
    habit = motion.habit(motion.profile.exchanges)
    new = move.promoted or motion.label_of(move.steps[0][0])
    _one_piece(motion, move, new if habit == "direct" else "")
    motion.landed()
    # The first put-back is the exchange and keeps the queen; each further one steps down.
    for n in range(stepped + 1 if stepped or habit == "exchange" else 0):
        motion.wait(motion.profile.put_back_ms if n else motion.profile.exchange_ms)
        _put_back(motion, target, new)
    if stepped:
        motion.tag("steps_down")


def _put_back(motion: Motion, target: Switch, new: str) -> None:
    """A piece goes up from the square of promotion and one comes down on it."""
    each_us = motion.draw_us(motion.profile.put_back_ms) // 2
    piece = motion.lift(target)
    if piece.label == new:
        motion.hold_up(piece, each_us)
        motion.put_straight(piece, target, each_us)
        return
    motion.take_away(piece)
    motion.wait_us(each_us)
    motion.put_straight(motion.from_box(new, target), target, each_us + 60_000)


# ---------------------------------------------------------------------------------------- captures


def capture(
    motion: Motion,
    step: tuple[Switch, Switch],
    squares: Collection[Switch],
    arriving: str,
    *,
    drags: bool,
) -> Carried | None:
    """The piece of this step captures the one on its target.

    ``arriving``: the label that lands instead, or "". Returns the captured piece if it still
    stands beside its square.
    """
    origin, target = step
    habit = motion.habit(motion.profile.captures)
    drags = drags and habit in DRAGGED
    if drags:
        motion.tag("slide")
    if habit == "push" and not arriving:
        return _push(motion, origin, target, drags=drags)
    if drags or habit == "captured_first":
        _captured_first(motion, origin, target, arriving, drags=drags)
    elif habit == "two_hands":
        _two_hands(motion, origin, target, arriving)
    elif habit == "swap" and not arriving:
        _swap(motion, origin, target, squares)
    else:
        _attacker_first(motion, origin, target, squares, arriving)
    return None


def _captured_first(
    motion: Motion, origin: Switch, target: Switch, arriving: str, *, drags: bool
) -> None:
    _lay_aside(motion, motion.lift(target))
    motion.wait(motion.profile.pause_ms)
    piece = motion.lift(origin)
    if drags and not arriving:
        motion.drag(piece, target)
    else:
        _arrive(motion, piece, target, arriving)


def _two_hands(motion: Motion, origin: Switch, target: Switch, arriving: str) -> None:
    """One hand takes the captured piece while the other brings the attacker."""
    first, second = (origin, target) if motion.chance(0.5) else (target, origin)
    pieces = {first: motion.lift(first)}
    motion.wait(motion.profile.two_hands_ms)
    pieces[second] = motion.lift(second)
    lifted_us = motion.now_us
    _lay_aside(motion, pieces[target])
    motion.now_us = lifted_us  # the other hand does not wait
    _arrive(motion, pieces[origin], target, arriving)


def _attacker_first(
    motion: Motion, origin: Switch, target: Switch, squares: Collection[Switch], arriving: str
) -> None:
    piece = motion.lift(origin)
    if not arriving:
        piece = mishaps.wrong_square(motion, target, piece, squares)
    motion.hold_over(piece, middle(target).towards(piece.where, 0.2), 1.0)
    _lay_aside(motion, motion.lift(target))
    motion.wait(motion.profile.pause_ms)
    _arrive(motion, piece, target, arriving)


def _lay_aside(motion: Motion, captured: Carried) -> None:
    """Take a captured piece off the board, or put it where captured pieces wait."""
    if motion.park_on is None:
        motion.take_away(captured)
        return
    motion.tag("parked")
    motion.put(captured, motion.park_on)
    motion.park_on = None


def _arrive(motion: Motion, piece: Carried, target: Switch, arriving: str) -> None:
    if arriving:
        motion.exchange(piece, target, arriving)
    else:
        motion.put(piece, target)


def _swap(motion: Motion, origin: Switch, target: Switch, squares: Collection[Switch]) -> None:
    """One hand brings the attacker, takes the captured piece with its free fingers, sets it down.

    The switch opens for about as long as ``swap_ms`` says; where pieces and switches are strong, a
    short gap does not open it at all.
    """
    piece = mishaps.wrong_square(motion, target, motion.lift(origin), squares)
    motion.hold_over(piece, middle(target).beyond(piece.where, -FOOT), LOW)
    captured = motion.lift(target)
    motion.take_away(captured)
    meets_us = motion.felt_until_us(captured, target) + motion.draw_us(motion.profile.swap_ms)
    felt = motion.felt_after(piece, target)
    in_us = min(motion.draw_us(motion.profile.raise_ms), round((meets_us - motion.now_us) / felt))
    motion.wait_until(meets_us - round(felt * in_us))
    motion.put(piece, target, duration_us=in_us)


def _push(motion: Motion, origin: Switch, target: Switch, *, drags: bool) -> Carried | None:
    """The attacker comes low and shoves the captured piece aside, to be taken away later."""
    start = motion.place(origin)
    away = _free_side(motion, target, start)
    if away is None:
        _captured_first(motion, origin, target, "", drags=drags)
        return None
    piece = motion.lift(origin)
    motion.come_up_to(piece, middle(target).beyond(start, -FOOT), low=drags)
    captured = motion.lift(target)
    together_us = motion.draw_us(motion.profile.raise_ms)
    motion.shove(captured, away, together_us)
    motion.shove_in(piece, target, together_us)
    return captured


def _free_side(motion: Motion, target: Switch, come_from: Place) -> Place | None:
    """Where a piece that is shoved straight on goes; None if a piece stands there."""
    next_door = middle(target).beyond(come_from, 1.0)
    file, rank = round(next_door.x), round(next_door.y)
    if 0 <= file < 8 and 0 <= rank < 8 and switch_at(file, rank) in motion.pieces:
        return None
    return middle(target).beyond(come_from, FOOT)


# ------------------------------------------------------------------------------------ undoing


def undo(motion: Motion, move: HandMove, before: Mapping[Switch, str]) -> None:
    """The pieces go back to where they stood ``before``, then the pieces taken off come back."""
    pieces = [(motion.take_up(now, motion.profile.two_hands_ms), then) for then, now in move.steps]
    for piece, then in reversed(pieces):
        motion.put(piece, then)
    motion.landed()
    for square in move.removed:
        motion.wait(motion.profile.pause_ms)
        motion.put(motion.from_box(before[square], square), square)
