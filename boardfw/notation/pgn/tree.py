"""A game as a tree: the moves played, and variations.

A ``Spot`` is a place in the game from which moves go on: the ``Game`` itself before the first
move, and a ``Node`` after its move. Spots hold no position and no link to the spot before, so a
tree is as small as its moves, and walking it plays them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from itertools import zip_longest

from boardfw.notation.pgn.faults import Fault
from boardfw.notation.pgn.notes import (
    Note,
    format_arrows,
    format_evaluation,
    format_marks,
    format_time,
    parse_arrows,
    parse_evaluation,
    parse_marks,
    parse_time,
    prose,
)
from boardfw.notation.pgn.tags import START, clean_comment, written_tags
from boardfw.rules.board import KING
from boardfw.rules.move import Move
from boardfw.rules.position import Position
from boardfw.squares import EVERY_SQUARE

NULL = Move.of(KING, EVERY_SQUARE[0], EVERY_SQUARE[0])
"""The null move ``--`` of annotators: the side to move passes, to show a threat. It occurs in
variations only, and no position can play it: use ``after``."""


def after(position: Position, move: Move) -> Position:
    """The position after a move of a tree, which may be the null move."""
    if move is not NULL:
        return position.play_unchecked(move)
    return Position(
        position.placement,
        1 - position.turn,
        position.castling,
        None,
        position.halfmove_clock + 1,
        position.fullmove_number + position.turn,
    )


class Spot:
    """A place in a game: its comments, and the moves that go on from it.

    ``children``: the first is the main line, the others are variations. ``comments``: those right
    after the move, or before the first. Data in them (such as ``[%clk]``) are attributes, None if
    missing; assigning changes the comment.
    """

    __slots__ = ("children", "comments")

    children: list[Node]
    comments: tuple[str, ...]

    clock_ms = Note("clk", parse_time, format_time)
    """Time left on the clock of the side that has moved."""
    elapsed_ms = Note("emt", parse_time, format_time)
    """Time that the move took."""
    evaluation = Note("eval", parse_evaluation, format_evaluation)
    marks = Note("csl", parse_marks, format_marks)
    arrows = Note("cal", parse_arrows, format_arrows)

    @property
    def text(self) -> str:
        """The text of the comments, without data."""
        return " ".join(filter(None, map(prose, self.comments)))

    def add(self, move: Move) -> Node:
        """Add a move here, as a variation if there is one already; return the spot after it."""
        node = Node(move)
        self.children.append(node)
        return node

    def extend(self, moves: Iterable[Move]) -> Spot:
        """Add these moves here, one after the other; return the spot after the last."""
        spot: Spot = self
        for move in moves:
            spot = spot.add(move)
        return spot

    def mainline(self) -> Iterator[Node]:
        """The nodes that follow, without variations."""
        spot: Spot = self
        while spot.children:
            spot = spot.children[0]
            yield spot


class Node(Spot):
    """A move, and the spot after it.

    ``nags``: annotations as numbers (``notation.nag`` has their meanings). If the move begins a
    variation, ``before`` are the comments in front of it, and ``behind`` those that follow the
    whole variation.
    """

    __slots__ = ("before", "behind", "move", "nags")

    def __init__(self, move: Move) -> None:
        self.move = move
        self.children = []
        self.nags: tuple[int, ...] = ()
        self.comments = self.before = self.behind = ()

    before: tuple[str, ...]
    behind: tuple[str, ...]

    def __repr__(self) -> str:
        return f"<Node {self.move.uci()}, {len(self.children)} children>"


class Game(Spot):
    """A game as PGN holds it.

    ``tags``: values by name; ``SetUp``, ``FEN`` and ``Result`` are as read, while ``start`` and
    ``result`` are what is written. ``closing``: comments after the result. ``faults``: what was
    wrong in the text; moves that could be read are here. ``letters``: the language whose letters
    the pieces had in the text, empty for English. Two games are equal if they are written alike.
    """

    __slots__ = ("closing", "faults", "letters", "result", "start", "tags")

    def __init__(
        self,
        tags: dict[str, str] | None = None,
        start: Position = START,
        moves: Iterable[Move] = (),
        result: str = "*",
    ) -> None:
        self.tags: dict[str, str] = {} if tags is None else tags
        self.start = start
        self.result = result
        self.children = []
        self.comments = ()
        self.closing: tuple[str, ...] = ()
        self.faults: tuple[Fault, ...] = ()
        self.letters = ""
        self.extend(moves)

    @property
    def moves(self) -> list[Move]:
        """The moves that were played."""
        return [node.move for node in self.mainline()]

    def positions(self) -> Iterator[Position]:
        """The positions of the moves that were played, the start first."""
        position = self.start
        yield position
        for node in self.mainline():
            position = after(position, node.move)
            yield position

    def walk(self) -> Iterator[tuple[Position, Node]]:
        """Every node in the order of writing, variations too, with the position before it."""
        for step, position, node in tour(self):
            if step is Step.MOVE:
                yield position, node

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        pairs = zip_longest(_parts(self), _parts(other))
        return all(one == another for one, another in pairs)

    __hash__ = None  # type: ignore[assignment]  # games are mutable

    def __repr__(self) -> str:
        sides = " - ".join(self.tags.get(side, "?") for side in ("White", "Black"))
        return f"<Game {sides} {self.result}, {len(self.moves)} plies>"


class Step(Enum):
    """A step on a walk through a tree."""

    OPEN = "a variation begins; its first move is next"
    MOVE = "a move"
    CLOSE = "the variation that began with this move is over"
    REST = "whatever follows this move"


def tour(game: Game) -> Iterator[tuple[Step, Position, Node]]:
    """Walk through a game in the order of writing, with the position before each move.

    Yields OPEN, MOVE and CLOSE; there is no recursion, however deeply variations are nested.
    """
    before = position = game.start
    outer: list[tuple[Position, Position]] = []
    for step, node in _steps(game):
        if step is Step.OPEN:
            outer.append((before, position))
            position = before
        elif step is Step.CLOSE:
            before, position = outer.pop()
        yield step, position, node
        if step is Step.MOVE:
            before, position = position, after(position, node.move)


def _steps(spot: Spot) -> Iterator[tuple[Step, Node]]:
    todo = _next_steps(spot)
    while todo:
        step, node = todo.pop()
        if step is Step.REST:
            while len(node.children) == 1:  # nearly always: nothing to remember
                node = node.children[0]
                yield Step.MOVE, node
            todo += _next_steps(node)
            continue
        yield step, node
        if step is Step.OPEN:
            todo += [(Step.CLOSE, node), (Step.REST, node)]
            yield Step.MOVE, node


def _next_steps(spot: Spot) -> list[tuple[Step, Node]]:
    """The steps from here, the next one last: a move, the variations beside it, and the rest."""
    if not spot.children:
        return []
    main, *others = spot.children
    variations = ((Step.OPEN, node) for node in reversed(others))
    return [(Step.REST, main), *variations, (Step.MOVE, main)]


def _parts(game: Game) -> Iterator[tuple[object, ...]]:
    """Everything by which games are compared, part by part."""
    tags = written_tags(game.tags, game.start, game.result)
    yield tags, game.start, _cleaned(game.comments), _cleaned(game.closing)
    for step, node in _steps(game):
        yield step, node.move
        if step is Step.MOVE:
            yield (
                tuple(node.nags),
                _cleaned(node.before),
                _cleaned(node.comments),
                _cleaned(node.behind),
            )


def _cleaned(comments: Iterable[str]) -> tuple[str, ...]:
    """Comments as they are written."""
    return tuple(filter(None, map(clean_comment, comments)))
