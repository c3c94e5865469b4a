"""A repertoire read from PGN: which moves you want to play where, as a graph of positions.

Moves of yours that the book calls mistakes are kept in it, but lead nowhere: what is only reached
through them belongs to no line. The opponent's mistakes are moves like any other, to be answered.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from boardfw.errors import NotationError
from boardfw.learning.trainers.sentences import card_of
from boardfw.notation.errors import quoted
from boardfw.notation.pgn import NULL, Fault, Game, Node, read_games
from boardfw.notation.pgn.notes import prose
from boardfw.rules import Color, Move, Position
from boardfw.rules.board import COLOR_NAMES

MISTAKES = frozenset({2, 4})
"""The NAGs of ``?`` and ``??``."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One move of the book."""

    move: Move
    target: str
    """The card of the position after it."""
    is_mistake: bool
    """The book has it with ``?`` or ``??``, wherever that stands."""
    said: str
    """The book's comments on it."""


@dataclass(frozen=True, slots=True)
class Place:
    """A position of the book, and what may be played there; the main move comes first."""

    position: Position
    """As it was reached first; the counters of other paths may differ."""
    entries: tuple[Entry, ...]

    def find(self, move: Move) -> Entry | None:
        """What the book says of a move, None: nothing."""
        return next((entry for entry in self.entries if entry.move == move), None)


@dataclass(frozen=True, slots=True)
class Book:
    """The repertoire of one colour. ``places``: by their cards, all that lines may reach."""

    you: Color
    starts: Mapping[str, Position]
    """Where lines begin, by their cards."""
    places: Mapping[str, Place]
    faults: tuple[Fault, ...] = ()
    """What was wrong with the text, where moves could still be read."""

    def right(self, card: str) -> tuple[Entry, ...]:
        """The moves that lines may go on with: of yours those that are no mistakes."""
        place = self.places.get(card)
        return () if place is None else _right(place, self.you)

    def targets(self, card: str) -> list[str]:
        """Where those moves lead."""
        return [entry.target for entry in self.right(card)]

    @property
    def cards(self) -> list[str]:
        """The positions in which you can be asked, in the order of the book."""
        yours = (card for card, place in self.places.items() if place.position.turn == self.you)
        return [card for card in yours if self.right(card)]


def book_of(games: Iterable[Game], you: Color) -> Book:
    """The book that these games and their variations make, seen by one colour."""
    games = [*games]
    read = [game for game in games if game.children]
    starts = {card_of(game.start): game.start for game in read}
    gathered: dict[str, tuple[Position, dict[Move, list[Node]]]] = {}
    for game in read:
        for position, node in _edges(game):
            _, moves = gathered.setdefault(card_of(position), (position, {}))
            moves.setdefault(node.move, []).append(node)
    everything = {
        card: Place(position, tuple(_entry(position, *said) for said in moves.items()))
        for card, (position, moves) in gathered.items()
    }
    faults = tuple(fault for game in games for fault in game.faults)
    return Book(you, starts, _reachable(everything, starts, you), faults)


def _right(place: Place, you: Color) -> tuple[Entry, ...]:
    if place.position.turn != you:
        return place.entries
    return tuple(entry for entry in place.entries if not entry.is_mistake)


def _edges(game: Game) -> Iterator[tuple[Position, Node]]:
    """Every move with the position before it. A null move only shows a threat: it and what
    follows it can never be played."""
    waiting = [(game.start, node) for node in reversed(game.children)]
    while waiting:
        position, node = waiting.pop()
        if node.move is NULL:
            continue
        yield position, node
        there = position.play_unchecked(node.move)
        waiting += [(there, child) for child in reversed(node.children)]


def _reachable(places: Mapping[str, Place], starts: Iterable[str], you: Color) -> dict[str, Place]:
    reached: dict[str, Place] = {}
    waiting = [*starts]
    while waiting:
        card = waiting.pop()
        place = places.get(card)
        if place is not None and card not in reached:
            reached[card] = place
            waiting += [entry.target for entry in reversed(_right(place, you))]
    return reached


def _entry(position: Position, move: Move, nodes: Sequence[Node]) -> Entry:
    """What several places of a text say of one move."""
    said = dict.fromkeys(text for node in nodes for text in _said(node))
    is_mistake = any(MISTAKES.intersection(node.nags) for node in nodes)
    return Entry(move, card_of(position.play_unchecked(move)), is_mistake, " ".join(said))


def _said(node: Node) -> Iterator[str]:
    """What people are told of a move."""
    yield from filter(None, (*map(prose, node.before), node.text))


TAG = "Repertoire"
"""Names the colour that a game of a repertoire is for."""


def read_book(texts: Mapping[str, str], you: Color | None = None) -> Book:
    """The book of these PGN texts, by the names of their files.

    ``you``: the side it is for; None: as the tags ``[Repertoire "White"]`` say. Games that are
    tagged for the other colour are left out. Raises NotationError with one line for a person.
    What is broken within a game is in ``faults``; the moves before it count.
    """
    games = [
        (game, _colour(name, text, game))
        for name, text in texts.items()
        for game in read_games(text, name)
    ]
    where = f"{next(iter(texts), 'PGN')}:1"
    if not any(game.children for game, _ in games):
        raise NotationError(_empty(where, games))
    if you is None:
        you = _said_by_tags(where, {colour for _, colour in games if colour is not None})
    book = book_of((game for game, colour in games if colour in (None, you)), you)
    if not book.cards:
        raise NotationError(
            f"{where}: no move of {COLOR_NAMES[you]}'s is to be learnt here; "
            f"add some without ? or ??, or say that the book is {COLOR_NAMES[1 - you]}'s"
        )
    return book


def _colour(name: str, text: str, game: Game) -> Color | None:
    """The colour that a game's tag names."""
    value = game.tags.get(TAG)
    if value is None:
        return None
    names = [colour.lower() for colour in COLOR_NAMES]
    if value.strip().lower() not in names:
        raise NotationError(
            f"{name}:{_line_of(text, value)}: {quoted(value)} is no colour; "
            f'write [{TAG} "White"] or [{TAG} "Black"]'
        )
    return names.index(value.strip().lower())


def _line_of(text: str, value: str) -> int:
    lines = enumerate(text.splitlines(), 1)
    found = (number for number, line in lines if f"[{TAG}" in line and value in line)
    return next(found, 1)


def _said_by_tags(where: str, colours: set[Color]) -> Color:
    if len(colours) == 1:
        return colours.pop()
    if colours:
        raise NotationError(f"{where}: games for White and for Black; say which are to be learnt")
    raise NotationError(
        f"{where}: which side is this repertoire for? Give --as white or --as black,"
        f' or add [{TAG} "White"] or [{TAG} "Black"]'
    )


def _empty(where: str, games: Iterable[tuple[Game, Color | None]]) -> str:
    """No move at all: the first fault says why, if there is one."""
    faults = (str(fault) for game, _ in games for fault in game.faults)
    return next(faults, f"{where}: the book is empty; write its lines as moves in PGN")
