"""Why a move is illegal, worked out with python-chess: from its lists, its pushes, its sets.

Slow and roundabout on purpose: what is tested must not be tested against itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import chess

Told: TypeAlias = tuple[str, int]
"""The name of the reason and its pieces."""


class Refusals:
    """What the oracle says about every pair of squares of one position."""

    def __init__(self, board: chess.Board) -> None:
        self.board = board
        self.own = board.occupied_co[board.turn]
        king = board.king(board.turn)
        assert king is not None
        self.king = king
        self.legal = set(self._legal())

    def _legal(self) -> Iterator[tuple[int, int]]:
        for move in self.board.legal_moves:
            yield move.from_square, move.to_square
            if self.board.is_castling(move):
                rook = self._rook_of(move)
                yield move.from_square, rook
                yield move.from_square, _castled(move.from_square, rook)

    def _rook_of(self, move: chess.Move) -> int:
        if 1 << move.to_square & self.board.rooks & self.own:
            return move.to_square
        return chess.square(7 if move.to_square > move.from_square else 0, self.king >> 3)

    def told(self, origin: int, target: int) -> Told | None:
        """The reason for this pair; None: it is legal."""
        board = self.board
        if (origin, target) in self.legal:
            return None
        if not self.own >> origin & 1:
            return "wrong_piece", 1 << self.king
        if board.king(not board.turn) == target:
            return "king_taken", 1 << target
        rook = self._castling(origin, target)
        if self.own >> target & 1 and (rook is None or target not in (rook, origin)):
            return "own_piece", 1 << target
        if origin == self.king:
            return self._of_king(target, rook)
        kind = board.piece_type_at(origin)
        pawn = self._of_pawn(origin, target) if kind == chess.PAWN else None
        return pawn or self._of_any(origin, target)

    # --- the king

    def _castling(self, origin: int, target: int) -> int | None:
        """The rook with which this king's move castles, if it has the right."""
        rights = self.board.castling_rights & self.own
        if origin != self.king or not rights:
            return None
        if rights >> target & 1:
            return target
        if chess.square_distance(origin, target) == 1:
            return None
        rooks = (rook for rook in chess.scan_forward(rights) if _castled(origin, rook) == target)
        return next(rooks, None)

    def _of_king(self, target: int, rook: int | None) -> Told:
        if rook is not None:
            return self._castling_refused(rook)
        home = 0 if self.board.turn else 7
        names = [chess.square(2, home), chess.square(6, home)]
        if target in names and self.king >> 3 == home and abs(self.king - target) > 1:
            rights = self.board.castling_rights & self.own
            if self.king & 7 == 4 or rights:
                corner = 1 << chess.square(7 if target > self.king else 0, home)
                return "castle_right_lost", 1 << self.king | corner & self.board.rooks & self.own
        if chess.square_distance(self.king, target) > 1:
            return "not_like_that", 0
        return "king_attacked", self._looking(target, without=1 << self.king)

    def _castling_refused(self, rook: int) -> Told:
        king_to = _castled(self.king, rook)
        rook_to = king_to + (1 if rook < self.king else -1)
        both = 1 << self.king | 1 << rook
        way = _from_to(self.king, king_to) | _from_to(rook, rook_to)
        if standing := way & self.board.occupied & ~both:
            return "castle_way_blocked", standing
        if checkers := self._looking(self.king):
            return "castle_in_check", checkers
        passed = _from_to(self.king, king_to) & ~(1 << self.king | 1 << king_to)
        if pieces := self._looking_at_any(passed, 1 << self.king):
            return "castle_through_check", pieces
        return "castle_into_check", self._looking(king_to, without=both)

    def _looking(self, square: int, without: int = 0) -> int:
        board = self.board
        occupied = chess.SquareSet(board.occupied & ~without)
        return int(board.attackers(not board.turn, square, occupied))

    def _looking_at_any(self, squares: int, without: int) -> int:
        pieces = 0
        for square in chess.scan_forward(squares):
            pieces |= self._looking(square, without)
        return pieces

    # --- pawns

    def _of_pawn(self, origin: int, target: int) -> Told | None:
        board = self.board
        ahead = 1 if board.turn else -1
        files, ranks = (target & 7) - (origin & 7), ((target >> 3) - (origin >> 3)) * ahead
        is_first = origin >> 3 == (1 if board.turn else 6)
        if files == 0 and ranks in (1, 2):
            if board.occupied >> target & 1 and (ranks == 1 or is_first):
                return "pawn_takes_straight", 1 << target
            between = board.occupied & 1 << origin + 8 * ahead
            if ranks == 2 and (between or not is_first):
                return "pawn_double_step", between
            return None
        if abs(files) == 1 and ranks == 1:
            return self._slantwise(origin, target)
        return "not_like_that", 0

    def _slantwise(self, origin: int, target: int) -> Told | None:
        board = self.board
        beside = chess.square(target & 7, origin >> 3)
        if target == board.ep_square:
            before = self._looking(self.king)
            new = self._after(origin, target) & ~before
            return ("en_passant_bares_king", new) if new else None
        if board.occupied >> target & 1:
            return None
        is_fifth = origin >> 3 == (4 if board.turn else 3)
        if is_fifth and board.piece_at(beside) == chess.Piece(chess.PAWN, not board.turn):
            return "en_passant_too_late", 1 << beside
        return "pawn_nothing_to_take", 0

    # --- all but kings

    def _of_any(self, origin: int, target: int) -> Told:
        board = self.board
        if not self._is_pseudo_legal(origin, target):
            line = chess.SquareSet.between(origin, target) & board.occupied
            alone = chess.BaseBoard.empty()
            alone.set_piece_at(origin, board.piece_at(origin))
            if target not in alone.attacks(origin):
                return "not_like_that", 0
            nearest = min(line, key=lambda square: chess.square_distance(origin, square))
            return "blocked", 1 << nearest
        before, after = self._looking(self.king), self._after(origin, target)
        if after & before:
            return "check_not_answered", after & before
        return "pinned", after

    def _is_pseudo_legal(self, origin: int, target: int) -> bool:
        moves = (chess.Move(origin, target), chess.Move(origin, target, chess.QUEEN))
        return any(self.board.is_pseudo_legal(move) for move in moves)

    def _after(self, origin: int, target: int) -> int:
        """The pieces that attack the king after the move."""
        after = self.board.copy(stack=False)
        after.push(chess.Move(origin, target))
        return int(after.attackers(after.turn, self.king))


def _castled(king: int, rook: int) -> int:
    return chess.square(2 if rook < king else 6, king >> 3)


def _from_to(origin: int, target: int) -> int:
    return int(chess.SquareSet.between(origin, target)) | 1 << origin | 1 << target
