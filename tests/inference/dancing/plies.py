"""A legal ply as hands make it: in any order, by any path, with wrong stops, begun too early."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import cycle

from boardfw.inference.choice import ORDER
from boardfw.rules import PAWN, Move, Position
from boardfw.rules.attacks import BETWEEN
from boardfw.squares import EVERY_SQUARE, Square, distance, squares_in
from tests.inference.dancing.paths import carry, displace, free_paths, pause_at, slide
from tests.inference.dancing.plans import ANSWERED_MS, BRIDGED_MS, Play, Slide
from tests.inference.dancing.stage import Frail, Stage, Tempting

SHORT_MS = 12
"""An opening that may not settle."""
AROUND_MS = 40
"""Before and after such an opening nothing else may happen on its switch."""
NEAR = 2
"""How far from its square a piece that stands wrong may be slid there, in squares."""
PUSHED_MS = 600
"""A piece pushed off is taken from the board, and the hands have been off it, before the reply."""
LATELY = 6
"""A piece that stands where one came from this many plies ago may be taking plies back."""
SNATCHED_MS = 120
"""A piece that has stood for less is not taken back."""
SOONEST_MS = 10
"""A reply that waits for the piece before it to stand."""


def play(stage: Stage, plan: Play) -> None:
    """Make the ply of a plan, if the game has not ended."""
    move = chosen(stage.position, plan)
    if move is None or move.target in stage.strayed | stage.vacated:
        return
    if move.promotion and plan.swap_ms <= SHORT_MS:
        plan = replace(plan, swap_ms=0)
    stage.strayed.clear()
    stage.vacated.clear()
    stage.note(f"{len(stage.moves) + 1}. {move.uci()}")
    early = _is_lifted_early(stage, plan, move)
    if not early:
        stage.wait(max(plan.wait_ms, SOONEST_MS, _answered_ms(stage, move) - stage.t_ms))
    since_ms, since = stage.t_ms, len(stage.touches) - 2 * early
    _Hands(stage, plan, move, cycle(plan.beats), in_hand=early).play()
    stage.settle_choice()
    stage.is_hurried = not move.promotion
    stage.play(move, since_ms)
    _guard(stage, plan, move, since)
    if move.promotion:
        _choose(stage, plan, move)


def chosen(position: Position, plan: Play) -> Move | None:
    """The move that a plan means here; None: there is none."""
    legal = position.legal_moves()
    special = [m for m in legal if m.is_castling or m.is_en_passant or m.promotion]
    liked = [legal, [m for m in legal if m.captured is not None], special][plan.liking] or legal
    if not liked:
        return None
    move = liked[plan.move % len(liked)]
    if not move.promotion:
        return move
    kind = ORDER[max(len(plan.put_backs) - 1, 0) % len(ORDER)]
    twins = [m for m in legal if (m.origin, m.target) == (move.origin, move.target)]
    return next(m for m in twins if m.promotion == kind)


def _is_lifted_early(stage: Stage, plan: Play, move: Move) -> bool:
    """Whether the piece is lifted while the piece of the ply before is still in the air."""
    if plan.wait_ms >= 0 or move.is_castling or not stage.is_hurried:
        return False
    if stage.t_ms + plan.wait_ms < _answered_ms(stage, move):
        return False
    return stage.lift_before(move.origin, -plan.wait_ms)


def _answered_ms(stage: Stage, move: Move) -> int:
    """Since when the pieces of a ply, and one captured en passant, are known to stand."""
    pieces = [move.origin]
    if move.captured not in (None, move.target):
        pieces.append(move.captured)
    stood_ms = max(map(stage.arrived_ms, pieces)) + ANSWERED_MS
    return max(
        [stood_ms, *(stage.arrived_ms(s) + BRIDGED_MS for s in _put_back_beside(stage, move))]
    )


def _put_back_beside(stage: Stage, move: Move) -> set[Square]:
    """Squares beside a piece on which it may capture, and where the last ply put no piece."""
    just_moved = {target for _, target in stage.moves[-1].steps()} if stage.moves else set()
    capturable = {
        other.target
        for other in stage.position.legal_moves()
        if other.origin == move.origin and other.captured == other.target
    }
    return {square for square in capturable - just_moved if distance(square, move.origin) == 1}


@dataclass
class _Hands:
    """Hands that make one ply."""

    stage: Stage
    plan: Play
    move: Move
    beats: Iterator[int]
    in_hand: bool
    """Whether the piece has been lifted already."""

    def play(self) -> None:
        if self.move.is_castling:
            displace(self.stage, self.move.steps(), self.plan.order, self.beats)
        elif self.move.is_en_passant:
            self._take_in_passing()
        elif self.move.captured is not None:
            self._take()
        else:
            self._travel()

    def _beat(self) -> None:
        self.stage.wait(next(self.beats))

    def _travel(self) -> None:
        """The piece goes its path and comes to stand on a free square."""
        at = self._stray_about()
        if at is None:
            self._beat()
            self.stage.drop(self.move.target)
        elif slid := self._slide_from(at):
            slide(self.stage, slid, self.move, at, self.move.target)
        else:
            carry(self.stage, at, self.move.target, self.beats)

    def _stray_about(self) -> Square | None:
        """Let the piece stand on wrong squares first; return where it is then, None: in the air."""
        at = None if self.in_hand else self.move.origin
        for detour in self.plan.detours:
            free = [square for square in EVERY_SQUARE if self._is_harmless(Square(square))]
            square = free[detour.square % len(free)]
            if at is not None:
                self.stage.lift(at)
            self._beat()
            self.stage.drop(Square(square))
            self.stage.strayed.add(Square(square))
            pause_at(self.stage, self.move, Square(square), detour.dwell_ms)
            at = square
        return at

    def _slide_from(self, at: Square) -> Slide | None:
        """How the piece is slid from where it stands; one that is far off is carried back.

        The stops of a slide across the board may tell another ply as well as this one.
        """
        if self.move.target in steps_taken_in_passing(self.stage.position, self.move):
            return None
        if self.move.piece_type == PAWN and self.move.captured is not None:
            return None  # round a corner it looks like an en passant capture
        if self.move.target == self.stage.choosing:
            return None  # over the border it looks like the other one, put back
        misplaced = at != self.move.origin and distance(at, self.move.target) > NEAR
        return None if misplaced else self.plan.slide

    def _is_harmless(self, square: Square) -> bool:
        """Whether the piece may stand on a free square meanwhile, and the truth stay clear."""
        stage = self.stage
        if stage.has(square) or stage.is_frail(square, stage.t_ms, stage.t_ms):
            return False
        if square in steps_taken_in_passing(stage.position, self.move):
            return False
        if square in {move.origin for move in stage.moves[-LATELY:]} | self._instead():
            return False
        return not (self.move.promotion and square == self.move.target)

    def _instead(self) -> set[Square]:
        """Where the piece could have gone with the ply before, had it gone on from there."""
        stage = self.stage
        if len(stage.moves) < 2 or stage.moves[-2].target != self.move.origin:
            return set()
        before, last = stage.positions[-3], stage.moves[-2]
        return {move.target for move in before.legal_moves() if move.origin == last.origin}

    def _take(self) -> None:
        """The captured piece goes first, or last, or is pushed off."""
        target, plan = self.move.target, self.plan
        self.stage.wait(max(0, self.stage.arrived_ms(target) + SNATCHED_MS - self.stage.t_ms))
        if self._is_pushed():
            # Had it stood where it may stand, it might as well have been lifted there again.
            self.stage.lift(self.move.origin)
            self.stage.vacated.add(self.move.origin)
            self._beat()
            self.stage.wait(PUSHED_MS)
            return
        if not self.in_hand and plan.order % 2 == 0 and not plan.swap_ms:
            self.stage.lift(target)
            self._beat()
            self._travel()
            return
        self._come_near()
        self._beat()
        self.stage.lift(target)
        self.stage.wait(plan.swap_ms or next(self.beats))
        self.stage.drop(target)

    def _is_pushed(self) -> bool:
        """Whether the captured piece leaves unseen; after a promotion, put-backs show it."""
        if not self.plan.pushed or self.in_hand or self.move.promotion:
            return False
        return not other_capturable(worlds(self.stage), self.move)

    def _come_near(self) -> None:
        """Come up to the piece to be captured, with the capturing piece in the hand at the end."""
        at = self._stray_about()
        if at is None:
            return
        if slid := self._slide_from(at):
            free = [way for way in free_paths(self.stage, at, self.move.target) if way]
            if free:
                way = free[slid.path % len(free)]
                slide(self.stage, slid, self.move, at, way[-1])
                pause_at(self.stage, self.move, way[-1], slid.dwells_ms[-1])
                at = way[-1]
        self.stage.lift(at)

    def _take_in_passing(self) -> None:
        """The captured piece goes before, meanwhile, or after."""
        assert self.move.captured is not None
        when = self.plan.order % 3
        if when == 2:
            self._travel()
            self._beat()
            self.stage.lift(self.move.captured)
            return
        if when == 1 and not self.in_hand:
            self.stage.lift(self.move.origin)
            self.in_hand = True
        if self.in_hand:
            self._beat()
        self.stage.lift(self.move.captured)
        self._beat()
        self._travel()


def steps_taken_in_passing(position: Position, move: Move) -> set[Square]:
    """Where a pawn comes by a double step that may be answered en passant, and by half of it.

    Had it stood on both, the same pieces would be gone and stand whether it is captured there or en
    passant.
    """
    for step in position.legal_moves():
        if step.origin == move.origin and distance(step.origin, step.target) == 2:
            replies = position.play(step).legal_moves()
            if any(reply.is_en_passant for reply in replies):
                return {step.target, *squares_in(BETWEEN[step.origin][step.target])}
    return set()


def other_capturable(positions: list[Position], move: Move) -> set[Square]:
    """The other pieces that the piece might have captured."""
    return {
        m.captured
        for position in positions
        for m in position.legal_moves()
        if m.origin == move.origin and m.captured is not None and m.captured != move.captured
    }


def worlds(stage: Stage, ago: int = 0) -> list[Position]:
    """The position some plies ago; what a pawn just promoted has become is not seen."""
    at = len(stage.moves) - ago
    if not at or not stage.moves[at - 1].promotion:
        return [stage.positions[at]]
    last, before = stage.moves[at - 1], stage.positions[at - 1]
    step = (last.origin, last.target)
    return [before.play(m) for m in before.legal_moves() if (m.origin, m.target) == step]


def _guard(stage: Stage, plan: Play, move: Move, since: int) -> None:
    """Note which switches must hold still for the ply to be told."""
    own = stage.touches[since:]
    from_ms, landed_ms = min(touch.t_ms for touch in own), own[-1].t_ms
    before = stage.positions[-2]
    for other in before.legal_moves():
        if other.origin == move.origin and other.captured not in (None, move.captured):
            game = (*stage.game[:-1], other.uci())
            stage.tempting.append(Tempting(other.target, from_ms, landed_ms, game))
    if move.captured is None:
        return
    if move.is_en_passant:  # a piece that was gone once and stands again is one too many
        stage.frail.append(Frail(move.captured, from_ms, landed_ms))
        return
    short = 0 < plan.swap_ms <= SHORT_MS
    stage.frail += [
        Frail(square, from_ms, blips=short) for square in other_capturable(worlds(stage, 1), move)
    ]
    if short:
        around = Frail(move.target, landed_ms - AROUND_MS, landed_ms + AROUND_MS, blips=True)
        stage.frail.append(around)


def _choose(stage: Stage, plan: Play, move: Move) -> None:
    """Put-backs say what the pawn has become."""
    stage.begin_choice(move.target)
    late = ((plan.late_ms, 200),) if plan.late_ms else ()
    for stands_ms, air_ms in (*plan.put_backs, *late):
        stage.wait(stands_ms)
        stage.lift(move.target)
        stage.wait(air_ms)
        stage.drop(move.target)
