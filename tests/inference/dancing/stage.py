"""The stage of a dance: pieces that really stand on squares, and what was done to them when."""

from __future__ import annotations

from dataclasses import dataclass, field

from boardfw.rules import Move, Position
from boardfw.squares import NAMES, Bitboard, Square

FIRST_MS = 1_000
"""The board is watched for so long before the first touch."""
LAST_MS = 6_500
"""And after the last one: longer than a piece can be chosen, or a hand hovers over its choice."""
EVER_MS = 1 << 40
OFF_MS = 700
"""The hands have been off the board for half a second, however the contacts bounce."""
SETTLED_MS = 20
"""A touch is believed by then, however the contact bounces."""
RESTING_MS = 450
"""The board may say so when an illegal position has stood for nearly half a second."""


@dataclass(frozen=True)
class Touch:
    """A piece leaves a square, or comes to stand on it."""

    t_ms: int
    square: Square
    closed: bool

    def __str__(self) -> str:
        return f"{'+' if self.closed else '-'}{NAMES[self.square]}"


@dataclass
class Frail:
    """While this lasts, an opening of a switch would make the truth a matter of opinion."""

    square: Square
    from_ms: int
    to_ms: int = EVER_MS
    blips: bool = False
    """Whether one that is too short to settle would do so, too."""


@dataclass(frozen=True)
class Tempting:
    """Contact lost under this piece meanwhile looks as if the last ply had captured it."""

    square: Square
    from_ms: int
    to_ms: int
    game: tuple[str, ...]


@dataclass(frozen=True)
class Undone:
    """Between two instants, the hands took plies off a game until so many were left."""

    since_ms: int
    until_ms: int
    plies: int


@dataclass
class Stage:
    """What the hands have done so far, and which game they have played by it."""

    start: Position
    period_ms: int
    t_ms: int = FIRST_MS
    touches: list[Touch] = field(default_factory=list)
    positions: list[Position] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    stands: Bitboard = 0
    frail: list[Frail] = field(default_factory=list)
    chosen: list[Frail] = field(default_factory=list)
    """Where, and for how long, put-backs chose a piece."""
    played: list[tuple[int, tuple[str, ...]]] = field(default_factory=list)
    """Games that have really stood on the board, and since when."""
    tempting: list[Tempting] = field(default_factory=list)
    undone: list[Undone] = field(default_factory=list)
    wrong: list[tuple[int, int]] = field(default_factory=list)
    """From when to when something stood, or was missing, that no game explains."""
    notes: list[tuple[int, str]] = field(default_factory=list)
    """What each part of the dance is meant to be, by the number of touches before it."""
    strayed: set[Square] = field(default_factory=set)
    """Where the piece of the last ply stood on its path."""
    vacated: set[Square] = field(default_factory=set)
    """The origin of the last ply's piece, if it pushed a piece off unseen."""
    is_hurried: bool = False
    """Whether the next piece may be lifted before the last one has landed."""

    def __post_init__(self) -> None:
        self.positions.append(self.start)
        self.stands = self.start.occupied
        self.played.append((0, ()))

    @property
    def position(self) -> Position:
        return self.positions[-1]

    @property
    def game(self) -> tuple[str, ...]:
        return tuple(move.uci() for move in self.moves)

    def has(self, square: Square) -> bool:
        return bool(self.stands >> square & 1)

    def arrived_ms(self, square: Square) -> int:
        """When a piece was last put down on a square; long ago, if none was."""
        times = (touch.t_ms for touch in self.touches if touch.square == square and touch.closed)
        return max(times, default=-EVER_MS)

    def wait(self, duration_ms: int) -> None:
        self.t_ms += duration_ms

    def rest(self, duration_ms: int) -> None:
        """A piece stands on its path, where it may not be allowed to stand."""
        if duration_ms >= RESTING_MS:
            self.wrong.append((self.t_ms, self.t_ms + duration_ms))
        self.wait(duration_ms)

    def lift(self, square: Square) -> None:
        assert self.has(square), f"{NAMES[square]} is empty"
        self._touch(square, closed=False)

    def drop(self, square: Square) -> None:
        assert not self.has(square), f"{NAMES[square]} is occupied"
        self._touch(square, closed=True)

    def _touch(self, square: Square, *, closed: bool) -> None:
        # Two changes in one scan have no order, so hands are a scan apart at the least.
        if self.touches and self.t_ms < self.touches[-1].t_ms + self.period_ms:
            self.t_ms = self.touches[-1].t_ms + self.period_ms
        if self.touches and self.t_ms >= self.touches[-1].t_ms + OFF_MS:
            self._calm_down(self.touches[-1].t_ms + OFF_MS)
        self.stands ^= 1 << square
        self.touches.append(Touch(self.t_ms, square, closed))

    def _calm_down(self, t_ms: int) -> None:
        """The last ply is over: what is touched from now on is not part of it."""
        for frail in self.frail:
            frail.to_ms = min(frail.to_ms, t_ms)

    def lift_before(self, square: Square, ahead_ms: int) -> bool:
        """Lift a piece before the last one was put down; whether that is possible."""
        if len(self.touches) < 2:
            return False
        *_, lifted, landed = self.touches
        t_ms = landed.t_ms - ahead_ms
        earliest_ms = lifted.t_ms + self.period_ms
        latest_ms = landed.t_ms - self.period_ms
        if not landed.closed or square in (lifted.square, landed.square) or not self.has(square):
            return False
        if lifted.closed or earliest_ms > latest_ms:
            return False
        t_ms = min(max(t_ms, earliest_ms), latest_ms)
        self.stands ^= 1 << square
        self.touches.insert(-1, Touch(t_ms, square, closed=False))
        return True

    def note(self, text: str) -> None:
        self.notes.append((len(self.touches), text))

    def play(self, move: Move, since_ms: int) -> None:
        """The hands have made this ply, begun at ``since_ms``."""
        self._calm_down(self.t_ms)
        self.moves.append(move)
        self.positions.append(self.position.play(move))
        self.played.append((since_ms, self.game))

    def undo(self, since_ms: int) -> Move:
        """The hands have undone the last ply, begun at ``since_ms``."""
        self.positions.pop()
        move = self.moves.pop()
        self.undone.append(Undone(since_ms, self.t_ms, len(self.moves)))
        return move

    def is_frail(self, square: Square, from_ms: int, to_ms: int, *, blip: bool = False) -> bool:
        """Whether an opening (``blip``: a short one) meanwhile would leave the truth open."""
        frail = self.frail if blip else [*self.frail, *self.chosen]
        return any(
            f.square == square and from_ms <= f.to_ms and to_ms >= f.from_ms
            for f in frail
            if f.blips or not blip
        )

    def until_sturdy(self, square: Square) -> None:
        """Wait until touching this piece cannot be read as part of the last ply."""
        if self.is_frail(square, self.t_ms, self.t_ms):
            self.t_ms = max(self.t_ms, self.touches[-1].t_ms + OFF_MS)

    def stood_for_a_while(self, move: Move, since_ms: int) -> None:
        """A piece stood where it may stand, and goes on now."""
        self.played.append((since_ms, (*self.game, move.uci())))
        self.undone.append(Undone(self.t_ms, self.t_ms + SETTLED_MS, len(self.moves)))

    @property
    def choosing(self) -> Square | None:
        """Where the piece stands that put-backs choose."""
        is_open = self.chosen and self.chosen[-1].to_ms == EVER_MS
        return self.chosen[-1].square if is_open else None

    def was_taken(self, square: Square, from_ms: int, to_ms: int) -> None:
        """Contact was lost under a piece: for an instant it may well have been captured."""
        for tempting in self.tempting:
            meanwhile = tempting.from_ms <= to_ms and from_ms <= tempting.to_ms
            if meanwhile and tempting.square == square:
                self.played.append((from_ms, tempting.game))
                self.undone.append(Undone(from_ms, EVER_MS, len(tempting.game) - 1))

    def begin_choice(self, square: Square) -> None:
        """From now on put-backs on this square choose a piece."""
        self.chosen.append(Frail(square, self.t_ms))

    def settle_choice(self) -> None:
        """The next ply has landed, or the last one is undone: nothing is chosen any more."""
        if self.chosen:
            self.chosen[-1].to_ms = min(self.chosen[-1].to_ms, self.t_ms)
