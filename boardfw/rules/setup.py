"""An arrangement of men that may be nonsense, and what would have to change to make it legal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from boardfw.errors import BoardError
from boardfw.rules.attacks import RANK_1, RANK_8
from boardfw.rules.board import (
    BISHOP,
    BLACK,
    COLOR_NAMES,
    EMPTY,
    KING,
    KNIGHT,
    PAWN,
    QUEEN,
    ROOK,
    SIDE,
    WHITE,
    Color,
    Placement,
    attackers,
)
from boardfw.rules.position import Position
from boardfw.squares import LIGHT, NAMES, Occupancy, Square, names_of, rank_of

KING_HOME = (4, 60)  # e1, e8
CORNERS_OF = (0x81, 0x81 << 56)
MOST_PAWNS = 8
MOST_MEN = 16


class Problem(NamedTuple):
    """One fault: a line that says what is wrong and how to mend it, and the squares concerned."""

    text: str
    squares: Occupancy


class SetupError(BoardError):
    """An arrangement is no legal position; ``problems`` holds every fault."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("; ".join(problem.text for problem in problems))
        self.problems = problems


@dataclass(frozen=True, slots=True)
class Setup:
    """An unchecked arrangement; fields as in ``Position``."""

    placement: Placement = EMPTY
    turn: Color = WHITE
    castling: Occupancy = 0
    en_passant: Square | None = None
    halfmove_clock: int = 0
    fullmove_number: int = 1

    def problems(self) -> tuple[Problem, ...]:
        """Every fault found, the gravest first; empty when this is a legal position.

        Without one king each nothing more is looked for than what is wrong with the men.
        """
        faults = [problem for check in _MEN_CHECKS for problem in check(self)]
        if not any(_king_faults(self)):
            faults += [problem for check in _STATE_CHECKS for problem in check(self)]
        return tuple(faults)

    def position(self) -> Position:
        """The legal position that this is. Raises SetupError with every problem."""
        problems = self.problems()
        if problems:
            raise SetupError(problems)
        return Position(
            self.placement,
            self.turn,
            self.castling,
            self.en_passant,
            self.halfmove_clock,
            self.fullmove_number,
        )


def _men(setup: Setup, kind: int, color: Color) -> Occupancy:
    return setup.placement[kind] & setup.placement[SIDE[color]]


def _listed(squares: Occupancy) -> str:
    return ", ".join(names_of(squares))


def _king_faults(setup: Setup) -> Iterator[Problem]:
    for color, name in enumerate(COLOR_NAMES):
        kings = _men(setup, KING, color)
        if not kings:
            yield Problem(f"{name} has no king: add it", 0)
        elif kings.bit_count() > 1:
            yield Problem(f"{name} has kings on {_listed(kings)}: leave only one", kings)


def _pawn_faults(setup: Setup) -> Iterator[Problem]:
    stranded = setup.placement[PAWN] & (RANK_1 | RANK_8)
    if stranded:
        where = _listed(stranded)
        yield Problem(f"no pawn can stand on {where}: move or remove it", stranded)


def _number_faults(setup: Setup) -> Iterator[Problem]:
    for color, name in enumerate(COLOR_NAMES):
        pawns = _men(setup, PAWN, color)
        men = setup.placement[SIDE[color]]
        if pawns.bit_count() > MOST_PAWNS:
            yield Problem(f"{name} has {pawns.bit_count()} pawns: 8 are the most", pawns)
        elif men.bit_count() > MOST_MEN:
            yield Problem(f"{name} has {men.bit_count()} men: 16 are the most", men)
        elif _promoted(setup, color) > MOST_PAWNS - pawns.bit_count():
            spare = MOST_PAWNS - pawns.bit_count()
            officers = men & ~pawns & ~setup.placement[KING]
            yield Problem(
                f"{name} would need {_promoted(setup, color)} promoted men, but only {spare} "
                f"pawns are missing: remove a man",
                officers,
            )


def _promoted(setup: Setup, color: Color) -> int:
    """How many men at least must have been pawns."""
    bishops = _men(setup, BISHOP, color)
    groups = (
        (bishops & LIGHT, 1),
        (bishops & ~LIGHT, 1),
        (_men(setup, KNIGHT, color), 2),
        (_men(setup, ROOK, color), 2),
        (_men(setup, QUEEN, color), 1),
    )
    return sum(max(0, men.bit_count() - usual) for men, usual in groups)


def _check_faults(setup: Setup) -> Iterator[Problem]:
    occupied = setup.placement[0] | setup.placement[7]
    idle = 1 - setup.turn
    king = _men(setup, KING, idle)
    where = king.bit_length() - 1
    if checkers := attackers(setup.placement, where, setup.turn, occupied):
        yield Problem(
            f"{COLOR_NAMES[idle]}'s king on {NAMES[where]} is in check by {_listed(checkers)} "
            f"though {COLOR_NAMES[setup.turn]} is to move: change the turn or the men",
            king | checkers,
        )
    own_king = _men(setup, KING, setup.turn)
    where = own_king.bit_length() - 1
    checkers = attackers(setup.placement, where, idle, occupied)
    if checkers.bit_count() > 2:
        yield Problem(
            f"{checkers.bit_count()} men ({_listed(checkers)}) give check to the king on "
            f"{NAMES[where]}: no move gives check with more than two",
            own_king | checkers,
        )


def _castling_faults(setup: Setup) -> Iterator[Problem]:
    for color, name in enumerate(COLOR_NAMES):
        rights = setup.castling & CORNERS_OF[color]
        if rights and _men(setup, KING, color) != 1 << KING_HOME[color]:
            home = NAMES[KING_HOME[color]]
            yield Problem(
                f"{name} cannot castle: the king is not on {home}; drop the castling right",
                _men(setup, KING, color) | 1 << KING_HOME[color],
            )
        elif bare := rights & ~_men(setup, ROOK, color):
            yield Problem(
                f"{name} cannot castle with {_listed(bare)}: no rook stands there; "
                f"drop the castling right",
                bare,
            )
    if stray := setup.castling & ~(CORNERS_OF[WHITE] | CORNERS_OF[BLACK]):
        yield Problem(f"no rook castles from {_listed(stray)}: drop the castling right", stray)


def _en_passant_faults(setup: Setup) -> Iterator[Problem]:
    target = setup.en_passant
    if target is None:
        return
    ahead, rank = (8, 2) if setup.turn else (-8, 5)
    if rank_of(target) != rank:
        yield Problem(
            f"{NAMES[target]} is no en passant square when {COLOR_NAMES[setup.turn]} is to move: "
            f"it lies on rank {rank + 1}; write -",
            1 << target,
        )
        return
    pawn, way = 1 << target + ahead, 1 << target | 1 << target - ahead
    occupied = setup.placement[0] | setup.placement[7]
    if not _men(setup, PAWN, 1 - setup.turn) & pawn or occupied & way:
        yield Problem(
            f"no pawn can just have jumped over {NAMES[target]}: write - for en passant",
            pawn | way,
        )


def _counter_faults(setup: Setup) -> Iterator[Problem]:
    if setup.halfmove_clock < 0:
        yield Problem(f"the halfmove clock is {setup.halfmove_clock}: write 0 or more", 0)
    if setup.fullmove_number < 1:
        yield Problem(f"the move number is {setup.fullmove_number}: write 1 or more", 0)


_Check = Callable[[Setup], Iterator[Problem]]
_MEN_CHECKS: tuple[_Check, ...] = (_king_faults, _pawn_faults, _number_faults)
_STATE_CHECKS: tuple[_Check, ...] = (
    _check_faults,
    _castling_faults,
    _en_passant_faults,
    _counter_faults,
)
