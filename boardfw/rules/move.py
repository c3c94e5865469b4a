"""A move: what it does to the squares, independent of the position around it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from boardfw.rules.attacks import BETWEEN
from boardfw.rules.board import KING, LETTERS, PAWN, PieceType
from boardfw.squares import NAMES, Bitboard, Square, file_of, rank_of, square_at

KINGS_FILE = 4
ROOKS_FILES = (0, 7)
"""Files of the king and the rooks that castle in standard chess."""

Step: TypeAlias = tuple[Square, Square]
"""Origin and target of one piece that is moved."""


class _Features:
    """What a move consists of, while it is made: writing to a ``Move`` is refused."""

    __slots__ = (
        "_code",
        "_steps",
        "captured",
        "change",
        "is_castling",
        "is_en_passant",
        "origin",
        "piece_type",
        "promotion",
        "rook_step",
        "skipped",
        "target",
        "targets",
        "touched",
    )

    _code: int
    _steps: tuple[Step, ...] | None
    """In castling, the result of ``steps()``; None: built from origin and target when needed."""
    piece_type: PieceType
    origin: Square
    target: Square
    promotion: PieceType
    captured: Square | None
    is_castling: bool
    is_en_passant: bool
    rook_step: Step | None
    """In castling, the rook's origin and target; None: not castling."""
    skipped: Square | None
    """The square that a pawn's double step jumps; None: no double step."""
    change: Bitboard
    """Bitboard of the squares that the piece leaves and enters; 0 if it stays where it is."""
    targets: tuple[Square, ...]
    """The squares on which its pieces end up."""
    touched: Bitboard
    """Bitboard of the origins and targets of all its pieces."""


class Move(_Features):
    """One legal move of some position. Immutable and interned: equal moves are one object.

    ``origin`` and ``target`` are the squares of the piece that moves, of the king in castling.
    ``promotion`` is 0 or the piece type (KNIGHT..QUEEN) that the pawn becomes. ``captured`` is the
    square of the captured piece, or None; it differs from ``target`` only in en passant.
    ``piece_type`` is the type of the piece that moves, before a promotion. ``steps()`` lists the
    pieces that a player's hands move, so that callers need not treat castling apart.
    """

    __slots__ = ()

    @classmethod
    def of(
        cls,
        piece_type: PieceType,
        origin: Square,
        target: Square,
        promotion: PieceType = 0,
        captured: Square | None = None,
        rook_step: Step | None = None,
    ) -> Move:
        """The one move with these features. Only the rules make moves; callers find them."""
        code = piece_type | origin << 3 | target << 9 | promotion << 15
        code |= (0 if captured is None else captured + 1) << 18
        if rook_step is not None:
            code |= (rook_step[0] + 1) << 25 | rook_step[1] << 32
        known = _MOVES.get(code)
        if known is None:
            move = _made(code, piece_type, origin, target, promotion, captured, rook_step)
            # Two threads may make it at once; both then use the same one of the two.
            known = _MOVES.setdefault(code, move)
        return known

    def steps(self) -> tuple[Step, ...]:
        """(origin, target) of every piece that is moved: one, or king and rook in castling.

        A piece that stays where it is in castling (possible in Chess960) has no step.
        """
        return ((self.origin, self.target),) if self._steps is None else self._steps

    @property
    def passed(self) -> Bitboard:
        """The squares that its pieces pass over if they are slid."""
        passed = 0
        for origin, target in self.steps():
            passed |= BETWEEN[origin][target]
        return passed

    def uci(self) -> str:
        """The move as the UCI protocol writes it: ``e2e4``, ``e1g1``, ``e7e8q``.

        If king and rook are not placed as in standard chess, castling is king takes rook: the
        king's squares alone might be those of a plain step.
        """
        if self.rook_step is not None:
            rook = self.rook_step[0]
            if file_of(self.origin) != KINGS_FILE or file_of(rook) not in ROOKS_FILES:
                return NAMES[self.origin] + NAMES[rook]
        letter = LETTERS[self.promotion].lower() if self.promotion else ""
        return NAMES[self.origin] + NAMES[self.target] + letter

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a move is immutable: {name} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a move is immutable: {name} cannot be deleted")

    def __hash__(self) -> int:
        # Not the address: sets of moves then iterate alike in every run, and replays agree.
        return self._code

    def __repr__(self) -> str:
        return f"<Move {self.uci()}>"

    def __reduce__(self) -> tuple[object, ...]:
        features = (self.piece_type, self.origin, self.target, self.promotion, self.captured)
        return Move.of, (*features, self.rook_step)


def _made(
    code: int,
    piece_type: PieceType,
    origin: Square,
    target: Square,
    promotion: PieceType,
    captured: Square | None,
    rook_step: Step | None,
) -> Move:
    """A new move. A program makes many right after its start, so this is plain and quick."""
    made = _Features()
    made._code = code  # noqa: SLF001  # of its own class
    made.piece_type = piece_type
    made.origin = origin
    made.target = target
    made.promotion = promotion
    made.captured = captured
    made.rook_step = rook_step
    made.is_castling = rook_step is not None
    made.is_en_passant = captured is not None and captured != target
    is_double_step = piece_type == PAWN and abs(target - origin) == 16
    made.skipped = Square((origin + target) // 2) if is_double_step else None
    made.change = 1 << origin ^ 1 << target
    if rook_step is None:
        steps = None
        made.targets = (target,)
        made.touched = 1 << origin | 1 << target
    else:
        steps = _steps_of((origin, target), rook_step)
        made.targets = tuple(step[1] for step in steps)
        made.touched = 1 << origin | 1 << target | 1 << rook_step[0] | 1 << rook_step[1]
    made._steps = steps  # noqa: SLF001
    return _frozen(made)


def _frozen(made: _Features) -> Move:
    """The same object as a ``Move``, which cannot be written to."""
    made.__class__ = Move
    return made  # type: ignore[return-value]  # since the line before


def _steps_of(step: Step, rook_step: Step) -> tuple[Step, ...]:
    return tuple(one for one in (step, rook_step) if one[0] != one[1])


_MOVES: dict[int, Move] = {}
"""Every move met so far; chess has fewer than 20,000."""


def castling_move(king: Square, rook: Square) -> Move:
    """Castling of the king on ``king`` with the rook on ``rook`` of the same rank."""
    rank = square_at(0, rank_of(king))
    is_kingside = rook > king
    king_target, rook_target = (rank + 6, rank + 5) if is_kingside else (rank + 2, rank + 3)
    return Move.of(KING, king, king_target, rook_step=(rook, rook_target))


def alike(one: tuple[Move, ...], other: tuple[Move, ...]) -> bool:
    """Whether two games are the same.

    Most are either the same tuple or differ in their last ply, which is seen at once, while ``==``
    compares ply by ply.
    """
    return one is other or (one[-1:] == other[-1:] and one == other)


def common(one: Sequence[object], other: Sequence[object]) -> int:
    """How many plies two games have in common from the start."""
    if one is other:
        return len(one)
    least, most = 0, min(len(one), len(other))
    if one[:most] == other[:most]:
        return most  # nearly always, and many times a ply
    while least < most:
        middle = (least + most + 1) // 2
        if one[:middle] == other[:middle]:
            least = middle
        else:
            most = middle - 1
    return least
