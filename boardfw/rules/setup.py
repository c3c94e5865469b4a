"""A set-up position that may be nonsense, and what must change to make it legal."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

from boardfw.errors import BoardError
from boardfw.rules.attacks import INNER_FILES, LAST_RANKS, RANK_1, RANK_8
from boardfw.rules.board import (
    EMPTY,
    HOME_RANK,
    KING,
    PAWN,
    ROOK,
    SIDE,
    WHITE,
    Color,
    Placement,
    attackers,
)
from boardfw.rules.faults import (
    MOST_PAWNS,
    PAWNS_START,
    UNREACHABLE,
    Fault,
    Problem,
    castling_faults,
    check_faults,
    counter_faults,
    en_passant_faults,
    king_faults,
    number_faults,
    pawn_faults,
)
from boardfw.rules.movegen import en_passant_moves
from boardfw.rules.position import Position
from boardfw.squares import LIGHT, NAMES, Bitboard, Square

__all__ = ["UNREACHABLE", "Fault", "Problem", "Setup", "SetupError"]


def _discard(_: str) -> None:
    """Discard the line: the default of ``tell``."""


class SetupError(BoardError):
    """A set-up position is not legal; ``problems`` holds every fault."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("; ".join(problem.text for problem in problems))
        self.problems = problems


class Setup(NamedTuple):
    """An unchecked position; fields as in ``Position``."""

    placement: Placement = EMPTY
    turn: Color = WHITE
    castling: Bitboard = 0
    en_passant: Square | None = None
    halfmove_clock: int = 0
    fullmove_number: int = 1

    def problems(self) -> tuple[Problem, ...]:
        """Every fault found, the most serious first; empty if this is a legal position.

        Unless each side has one king, only faults of the pieces are looked for.
        """
        placement = self.placement
        faults = list(king_faults(placement))
        has_kings = not faults
        faults += [*pawn_faults(placement), *number_faults(placement)]
        if has_kings:
            faults += check_faults(placement, self.turn)
            faults += castling_faults(placement, self.castling)
            faults += en_passant_faults(placement, self.turn, self.en_passant)
            faults += counter_faults(self.halfmove_clock, self.fullmove_number)
        return tuple(faults)

    def position(
        self, *, ignore: Collection[str] = (), tell: Callable[[str], None] = _discard
    ) -> Position:
        """This as a legal position. Raises SetupError with every problem that is not ignored.

        ``ignore`` names the faults that do not matter here, out of ``UNREACHABLE``; any other
        raises ValueError. An en passant square on which no capture is legal is dropped: the
        position is the same without it, and is then written in one way only. ``tell`` is called
        with a line for each problem that was ignored, and for a square that was dropped.
        """
        ignored = _ignorable(ignore)
        # Most set-ups are sound, and this quick test takes a third of the time of the full list.
        if not _is_sound_at_a_glance(self) and (problems := self.problems()):
            if grave := tuple(problem for problem in problems if problem.fault not in ignored):
                raise SetupError(grave)
            for problem in problems:
                tell(f"ignored ({problem.fault}): {problem.text}")
        target = self.en_passant
        if target is not None and not en_passant_moves(self.placement, self.turn, target):
            tell(f"the en passant square {NAMES[target]} is dropped: no pawn may capture there")
            target = None
        return Position(
            self.placement,
            self.turn,
            self.castling,
            target,
            self.halfmove_clock,
            self.fullmove_number,
        )


def _ignorable(names: Collection[str]) -> frozenset[Fault]:
    """The faults with these names. Raises ValueError for one that cannot be ignored."""
    for name in names:
        if name not in UNREACHABLE:
            known = ", ".join(sorted(UNREACHABLE))
            raise ValueError(
                f"{str(name)!a} is not a problem that can be ignored; write one of {known}"
            )
    return frozenset(map(Fault, names))


def _is_sound_at_a_glance(setup: Setup) -> bool:
    """Whether there are certainly no problems; False says nothing."""
    placement = setup.placement
    return (
        setup.en_passant is None
        and setup.halfmove_clock >= 0
        and setup.fullmove_number >= 1
        and not placement[PAWN] & LAST_RANKS
        and _has_ordinary_pieces(placement, placement[0])
        and _has_ordinary_pieces(placement, placement[7])
        and _has_ordinary_checks(placement, setup.turn)
        and (not setup.castling or _has_ordinary_rights(placement, setup.castling))
    )


def _has_ordinary_pieces(placement: Placement, pieces: Bitboard) -> bool:
    """One king, and no more of any other piece type than at the start."""
    _, pawns, knights, bishops, rooks, queens, kings, _ = placement
    return (
        (kings & pieces).bit_count() == 1
        and (pawns & pieces).bit_count() <= MOST_PAWNS
        and (knights & pieces).bit_count() <= 2
        and (bishops & LIGHT & pieces).bit_count() <= 1
        and (bishops & ~LIGHT & pieces).bit_count() <= 1
        and (rooks & pieces).bit_count() <= 2
        and (queens & pieces).bit_count() <= 1
    )


def _has_ordinary_checks(placement: Placement, turn: Color) -> bool:
    """No check, or a single one to the side to move."""
    occupied = placement[0] | placement[7]
    own, idle = placement[KING] & placement[SIDE[turn]], placement[KING] & placement[SIDE[1 - turn]]
    if attackers(placement, Square(idle.bit_length() - 1), turn, occupied):
        return False
    checkers = attackers(placement, Square(own.bit_length() - 1), 1 - turn, occupied)
    return not checkers & (checkers - 1) and not checkers & placement[PAWN] & PAWNS_START[1 - turn]


def _has_ordinary_rights(placement: Placement, castling: Bitboard) -> bool:
    """Every right has its rook, at most one on each side of a king on its home rank."""
    home = RANK_1 & placement[0] | RANK_8 & placement[7]
    kings = placement[KING] & home & INNER_FILES
    if castling & ~(placement[ROOK] & home):
        return False
    for rank in HOME_RANK:
        rights, king = castling & rank, kings & rank
        left, right = rights & (king - 1), rights & -king
        if rights and (not king or left & (left - 1) or right & (right - 1)):
            return False
    return True
