"""The player: lets simulated hands play a game of chess on the simulated board.

Hands know squares but no rules; the rules know moves but no hands. This module translates.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from importlib import resources
from itertools import islice

from boardfw.errors import NotationError
from boardfw.game.events import Action, Outage, Restored
from boardfw.inference import ORDER
from boardfw.notation.pgn import MainLine, file_lines, scan_games
from boardfw.notation.san import parse_san
from boardfw.notation.uci import parse_uci
from boardfw.rules import Move, Piece, Position
from boardfw.squares import ALL, Orientation, Square, Switch, bitboard_of, distance, squares_in
from hardware.sim.between_games import set_up
from hardware.sim.board import SimBoard
from hardware.sim.gesture import Gesture, HandAction, perform
from hardware.sim.hand_profiles import HandProfile
from hardware.sim.hands import Hands
from hardware.sim.moving import HandMove

FAMOUS = "famous"
"""Name of the built-in game."""
BEGIN_US = 1_500_000
"""Time before the first hand comes, in which nothing is touched."""
REACTION_US = 500_000
"""Time from the lights' permission until hands go on."""
AHEAD_US = 6_000_000
"""Gestures are planned this far ahead, so that hands go on while the program is delayed."""
MOST_BYTES = 64 << 20
"""Largest PGN file that is read: about a hundred thousand games."""
CARRY_US = 400_000
SHOWN_US = 1_000_000
"""How long a piece takes to a square that it shows, and how long it rests there."""
WRONG_SQUARES = 3
"""Number of illegal targets offered to hands that make mistakes."""
VARIATION_PLIES = (1, 1, 1, 2, 2, 3)
"""Lengths, in plies, of the variations offered to hands that change their mind."""


def read_game(name: str) -> MainLine:
    """The first game of a PGN file, or the built-in one. Raises NotationError.

    A game with an unreadable move is refused: hands would stop in the middle of it.
    """
    game = next(scan_games(_lines_of(name), name), None)
    if game is None:
        raise NotationError(f"{name}: holds no game")
    for fault in game.faults:
        if fault.breaks:
            raise NotationError(str(fault))
    if not (game.moves or game.tags):  # almost any text is a PGN of nothing but remarks
        raise NotationError(f"{name}: holds no game")
    return game


def read_move(position: Position, text: str) -> Move:
    """The legal move of a text in UCI or SAN. Raises NotationError."""
    try:
        return parse_uci(position, text)
    except NotationError:
        return parse_san(position, text)


def famous_game() -> list[str]:
    """The lines of the built-in game."""
    famous = resources.files("boardfw.players").joinpath("famous.pgn")
    return famous.read_text(encoding="utf-8").splitlines()


def _lines_of(name: str) -> Iterable[str]:
    if name == FAMOUS:
        return famous_game()
    return file_lines(name, MOST_BYTES)


def pieces_on(
    position: Position, orientation: Orientation = Orientation.AS_WIRED
) -> dict[Switch, str]:
    """The labels of a position's pieces, by the switches over which they stand.

    In the order of a FEN, in which hands draw lots.
    """
    squares = sorted(squares_in(position.occupied), key=lambda square: square ^ 56)
    pieces = ((square, position.piece_at(square)) for square in squares)
    return {orientation.switch(square): piece.letter for square, piece in pieces if piece}


def hand_move(
    position: Position, move: Move, orientation: Orientation = Orientation.AS_WIRED
) -> HandMove:
    """A legal move as hands make it."""
    switch = orientation.switch
    return HandMove(
        steps=tuple((switch(origin), switch(target)) for origin, target in move.steps()),
        removed=() if move.captured is None else (switch(move.captured),),
        promotion=ORDER.index(move.promotion) if move.promotion else None,
        promoted=Piece(move.promotion, position.turn).letter if move.promotion else "",
        illegal=tuple(map(switch, _illegal_targets(position, move))),
        instead=partial(_variations, position, move, orientation),
    )


def hand_moves(
    start: Position, moves: Iterable[Move], orientation: Orientation = Orientation.AS_WIRED
) -> Iterator[HandMove]:
    """The moves of a game as hands make them."""
    position = start
    for move in moves:
        yield hand_move(position, move, orientation)
        position = position.play_unchecked(move)


class Player:
    """Plays moves on a simulated board, planning a few seconds ahead, until the user takes over."""

    def __init__(self, board: SimBoard, kind: str | HandProfile, seed: int = 0) -> None:
        self.board = board
        self._seed = seed
        self._hands = Hands(kind, seed)
        self._moves: Iterator[HandMove] = iter(())
        self._gestures: Iterator[Gesture] | None = None
        self._last: Gesture | None = None
        self._planned: list[tuple[HandAction, ...]] = []

    @property
    def kind(self) -> str:
        """The kind of hands that play."""
        return self._hands.kind

    def begin(self, start: Position, moves: Iterable[Move], now_us: int) -> None:
        """Play these moves from now on, from the pieces as they stand on the board."""
        self._moves = hand_moves(start, moves)
        self._go_on(now_us + BEGIN_US, self.board.pieces)

    def set_up(self, pieces: Mapping[Switch, str], now_us: int) -> int:
        """Let the hands set up these pieces; returns when they will be done."""
        gesture = self._hands.do(partial(set_up, wanted=pieces), now_us, self.board.pieces)
        self._schedule(gesture.actions)
        return gesture.end_us

    def restart(self, start: Position, moves: Iterable[Move], now_us: int) -> None:
        """Set up the starting position, whatever stands on the board, and play these moves."""
        pieces = pieces_on(start)
        ready_us = self.set_up(pieces, now_us + BEGIN_US)
        self._moves = hand_moves(start, moves)
        self._go_on(ready_us + BEGIN_US, pieces)

    def change_hands(self, kind: str, now_us: int) -> None:
        """Let hands of another kind go on. Raises ValueError for an unknown kind."""
        self._hands = Hands(kind, self._seed)
        if self._gestures is None:
            return
        pieces = self.board.pieces
        perform(pieces, self._pending(now_us))
        self._go_on(max([now_us, *(action.t_us for action in self._pending(now_us))]), pieces)

    def keep_up(self, now_us: int) -> None:
        """Plan the next gesture before the one planned last begins; to be called often."""
        while self._gestures is not None and self._begun(now_us):
            gesture = next(self._gestures, None)
            if gesture is None:
                self._gestures = None
                return
            self._last = gesture
            self._schedule(gesture.actions)

    def hear(self, action: Action) -> None:
        """Pause the planned gestures while the board cannot read its switches."""
        if isinstance(action, Outage):
            self.board.hold()
        elif isinstance(action, Restored):
            self.board.release(REACTION_US)

    def play_all(self) -> None:
        """Plan everything at once."""
        for gesture in self._gestures or ():
            self._schedule(gesture.actions)
        self._gestures = None

    def play_one(
        self, position: Position, move: Move, now_us: int, orientation: Orientation
    ) -> None:
        """Play one move now."""
        plan = hand_move(position, move, orientation)
        self._schedule(self._hands.play(plan, now_us, self.board.pieces).actions)

    def show(self, origin: Switch, target: Switch, now_us: int) -> None:
        """Let a piece visit an empty square, rest there until that is judged, and go back."""
        label = self.board.pieces[origin]
        back_us = now_us + CARRY_US + SHOWN_US
        self._schedule(
            (
                HandAction(now_us, "lift", origin, label),
                HandAction(now_us + CARRY_US, "drop", target, label),
                HandAction(back_us, "lift", target, label),
                HandAction(back_us + CARRY_US, "drop", origin, label),
            )
        )

    def is_playing(self, now_us: int) -> bool:
        """Whether hands move, or will."""
        return self._gestures is not None or bool(self._pending(now_us))

    @property
    def has_game(self) -> bool:
        """Whether hands play a game, not just one move."""
        return self._gestures is not None

    def in_the_air(self, now_us: int) -> list[str]:
        """Labels of lifted pieces that the hands will still put down."""
        begun = (actions for actions in self._planned if actions[0].t_us <= now_us)
        return [label for actions in begun for label in _in_the_air(actions, now_us)]

    def take_over(self, now_us: int) -> list[str]:
        """Stop playing for another hand. Returns the labels of the lifted pieces."""
        air = self.in_the_air(now_us)
        self._gestures = None
        self._planned = []
        self.board.cancel()
        return air

    def _go_on(self, t_us: int, pieces: Mapping[Switch, str]) -> None:
        self._gestures = self._hands.game(self._moves, t_us, pieces)
        self._last = None

    def _begun(self, now_us: int) -> bool:
        return self._last is None or self._last.actions[0].t_us <= now_us + AHEAD_US

    def _schedule(self, actions: Iterable[HandAction]) -> None:
        actions = tuple(actions)
        self._planned += [actions] if actions else []
        self.board.schedule(actions)

    def _pending(self, now_us: int) -> list[HandAction]:
        """Touches still to come, in the order of time."""
        self._planned = [actions for actions in self._planned if actions[-1].t_us > now_us]
        pending = [a for actions in self._planned for a in actions if a.t_us > now_us]
        return sorted(pending, key=lambda action: action.t_us)


def _in_the_air(actions: tuple[HandAction, ...], now_us: int) -> list[str]:
    """Pieces that a gesture has lifted and will put down; a lifted one may also go into the box,
    and one that is put down may come out of it."""
    lifted, to_come = Counter[str](), Counter[str]()
    for action in actions:
        if action.t_us > now_us:
            to_come[action.label] += action.kind == "drop"
        elif action.kind == "lift":
            lifted[action.label] += 1
        elif lifted[action.label]:
            lifted[action.label] -= 1
    return list((lifted & to_come).elements())


def _variations(position: Position, move: Move, orientation: Orientation) -> list[list[HandMove]]:
    """Variations that begin with another move, chosen evenly from the legal moves."""
    others = [one for one in _going_on(position) if one.steps() != move.steps()]
    lines = []
    for n, length in enumerate(VARIATION_PLIES if others else ()):
        first = others[n * len(others) // len(VARIATION_PLIES)]
        lines.append(list(_line(position, first, length, orientation)))
    return lines


def _line(
    position: Position, move: Move, length: int, orientation: Orientation
) -> Iterator[HandMove]:
    yield hand_move(position, move, orientation)
    after = position.play(move)
    if length > 1 and (replies := list(_going_on(after))):
        yield from _line(after, replies[len(replies) // 2], length - 1, orientation)


def _going_on(position: Position) -> Iterator[Move]:
    """Moves without promotion after which the game goes on."""
    return (
        move
        for move in position.legal_moves()
        if not move.promotion and position.play_unchecked(move).legal_moves()
    )


def _illegal_targets(position: Position, move: Move) -> tuple[Square, ...]:
    """Empty squares near the right one to which the piece may not move."""
    legal = bitboard_of(m.target for m in position.legal_moves() if m.origin == move.origin)
    empty = ALL & ~(position.occupied | legal)
    near = sorted(squares_in(empty), key=lambda square: distance(square, move.target))
    return tuple(islice(near, WRONG_SQUARES))
