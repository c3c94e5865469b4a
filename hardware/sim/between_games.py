"""What hands do between games: show the result by the kings, clear the board, set the pieces up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random

from boardfw.squares import SWITCH_BY_NAME, Switch, distance, file_of, rank_of
from hardware.sim.faults import Range
from hardware.sim.hand_profiles import Habit
from hardware.sim.magnets import HIGH, Place
from hardware.sim.motion import Motion, is_clear, line_between

CLEARS: Habit = {"one_by_one": 4, "two_hands": 2, "handfuls": 2, "ranks": 1, "slid_off": 1}
SETS_UP: Habit = {"wrong_off_first": 2, "handfuls": 1}
KINGS: Habit = {"together": 3, "room_first": 1, "one_after_the_other": 3, "first_adjusted": 1}
SLID_KING = 0.3
"""How often a king with a clear path is slid to the centre."""
ROOM_FIRST = 0.5
"""How often the piece in the way leaves before the king for which it makes room."""
CENTRE: tuple[Switch, ...] = tuple(SWITCH_BY_NAME[name] for name in ("d4", "e4", "d5", "e5"))
APART_MS = (300, 8_000)
"""From one king's landing in the centre to the first touch for the other king."""
HANDFUL = 4
"""How many pieces a hand holds at once."""
BESIDE = 1.5
"""How far beside the border squares a piece that is slid off the board comes to rest."""
SWEPT_MS = (400, 1_200)
"""How long it takes to slide a piece off the board."""


def clear_away(motion: Motion) -> None:
    """All pieces leave the board: in any order, or rank by rank, some of them over its edge."""
    motion.tag("clear_away")
    habit = motion.habit(CLEARS)
    squares = shuffled(motion.random, motion.pieces)
    if habit == "slid_off":
        _slide_off(motion)
    elif habit == "ranks":
        _take_off(motion, sorted(squares), motion.random.randint(1, 3))
    else:
        _take_off(motion, squares, {"two_hands": 2, "handfuls": HANDFUL}.get(habit, 1))


def set_up(motion: Motion, wanted: Mapping[Switch, str]) -> None:
    """Every piece that stands wrong leaves its square, and every missing one is put there.

    Either all leave first, or a few are taken in the hand and put where they belong, as often as
    it takes.
    """
    motion.tag("set_up")
    habit = motion.habit(SETS_UP)
    wrong = [square for square, label in motion.pieces.items() if label != wanted.get(square)]
    wrong = shuffled(motion.random, wrong)
    if habit == "handfuls":
        for squares in _parts(wrong, HANDFUL):
            _rearrange(motion, squares, wanted)
    else:
        _take_off(motion, wrong, motion.random.randint(1, 2))
    missing = [square for square in wanted if square not in motion.pieces]
    for square in shuffled(motion.random, missing):
        motion.wait(motion.profile.pause_ms)
        motion.put(motion.from_box(wanted[square], square), square)
    motion.landed()


def kings_to_centre(motion: Motion, result: str, kings: Iterable[Switch]) -> None:
    """Both kings to the centre squares that stand for the result, together or one by one."""
    motion.tag("kings")
    habit = motion.habit(KINGS)
    kings = shuffled(motion.random, kings)
    centre = shuffled(motion.random, motion.random.choice(_centre(result)))
    # One step to the centre would be a king's move, and it could not be told which was meant.
    near = any(distance(king, square) < 2 for king in kings for square in CENTRE)
    if near or habit in ("together", "room_first"):
        _together(motion, kings, centre, room_first=habit == "room_first")
    else:
        _one_by_one(motion, kings, centre, adjusts=habit == "first_adjusted")
    motion.landed()


def _together(
    motion: Motion, kings: Sequence[Switch], centre: Sequence[Switch], *, room_first: bool
) -> None:
    """Both kings are in the air before either is put down."""
    if room_first:
        _make_room(motion, set(centre) - set(kings))
    lifted = [motion.take_up(king, motion.profile.pause_ms, HIGH) for king in kings]
    motion.wait_until(lifted[-1].path[-1].t_us)  # both are off before anything makes room for them
    _make_room(motion, centre)
    for piece, square in zip(lifted, centre, strict=True):
        motion.put(piece, square)


def _one_by_one(
    motion: Motion, kings: Sequence[Switch], centre: Sequence[Switch], *, adjusts: bool
) -> None:
    """One king is put in the centre, the other one follows after a while."""
    for n, (king, square) in enumerate(zip(kings, centre, strict=True)):
        if n:
            motion.wait(APART_MS)
        _one_king(motion, king, square)
        if adjusts and not n:
            motion.wait(motion.profile.pause_ms)
            motion.touch(square, motion.profile.adjust_ms, HIGH)


def _one_king(motion: Motion, king: Switch, square: Switch) -> None:
    if motion.chance(ROOM_FIRST):
        _make_room(motion, [square])
    line = line_between(king, square)
    is_free = square not in motion.pieces and bool(line) and is_clear(motion.pieces, line)
    if is_free and motion.chance(SLID_KING):
        motion.tag("slide")
        motion.drag(motion.lift(king), square)
        return
    lifted = motion.lift(king)
    motion.raise_up(lifted, motion.profile.raise_ms, HIGH)
    motion.wait_until(lifted.path[-1].t_us)
    _make_room(motion, [square])
    motion.put(lifted, square)


def _make_room(motion: Motion, squares: Iterable[Switch]) -> None:
    """Pieces in the way leave the board."""
    for square in squares:
        if square in motion.pieces:
            motion.take_away(motion.lift(square))
            motion.wait(motion.profile.pause_ms)


def _take_off(motion: Motion, squares: Sequence[Switch], at_once: int) -> None:
    """These pieces leave the board, some of them nearly at once."""
    for together in _parts(squares, at_once):
        for square in together:
            motion.take_away(motion.lift(square))
            motion.wait(motion.profile.two_hands_ms if at_once > 1 else (0, 0))
        motion.wait(motion.profile.pause_ms)


def _slide_off(motion: Motion) -> None:
    """Each piece is slid over the nearer side of the board, those at the side first."""
    by_side = sorted(motion.pieces, key=lambda square: min(file_of(square), 7 - file_of(square)))
    for square in by_side:
        piece = motion.lift(square)
        side = -BESIDE if file_of(square) < 4 else 7 + BESIDE
        motion.shove(piece, Place(side, rank_of(square)), motion.draw_us(SWEPT_MS))
        motion.wait(motion.profile.pause_ms)


def _rearrange(motion: Motion, squares: Sequence[Switch], wanted: Mapping[Switch, str]) -> None:
    """A few pieces are taken in the hand, and each is put where it is wanted, if it is."""
    pause_ms = _quick(motion.profile.pause_ms)
    held = [motion.take_up(square, pause_ms, HIGH) for square in squares]
    motion.wait_until(max(piece.path[-1].t_us for piece in held))
    for piece in held:
        home = next(
            (s for s, label in wanted.items() if label == piece.label and s not in motion.pieces),
            None,
        )
        if home is None:
            motion.take_away(piece)
        else:
            motion.put(piece, home)
        motion.wait(motion.profile.pause_ms)


def _quick(pause_ms: Range) -> Range:
    return pause_ms[0], (pause_ms[0] + pause_ms[1]) // 2


def _parts(squares: Sequence[Switch], size: int) -> Iterator[Sequence[Switch]]:
    return (squares[at : at + size] for at in range(0, len(squares), size))


def shuffled(random: Random, squares: Iterable[Switch]) -> list[Switch]:
    """These squares in any order."""
    mixed = sorted(squares)
    random.shuffle(mixed)
    return mixed


def _centre(result: str) -> list[tuple[Switch, Switch]]:
    d4, e4, d5, e5 = CENTRE
    if result == "1-0":
        return [(e4, d5)]
    if result == "0-1":
        return [(d4, e5)]
    if result == "1/2-1/2":
        return [(light, dark) for light in (e4, d5) for dark in (d4, e5)]
    raise ValueError(f"no kings stand for the result {result!r}")
