"""A session with a book: the fewest lines that ask all due cards, and what they cost the hands."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile
from typing import TypeAlias

from boardfw.inference.planner import plan
from boardfw.learning.trainers.cards import card_of
from boardfw.learning.trainers.cover import fewest_walks
from boardfw.learning.trainers.repertoire import Book
from boardfw.rules import Move, Position


@dataclass(frozen=True, slots=True)
class Ply:
    """One ply of a line. ``is_asked``: you are to find it; else it is shown."""

    card: str
    position: Position
    """Before the move."""
    move: Move
    is_asked: bool = False


Line: TypeAlias = tuple[Ply, ...]
"""From where the book begins to the last ply that is asked."""


def lines(book: Book, due: Collection[str], path: Sequence[str] = ()) -> list[Line]:
    """The fewest lines in which every due card that the book has is asked once.

    Their order is depth-first, so that from line to line only the tail is taken back.
    ``path``: cards of what has been played already; the lines that share most of it come first.
    """
    found = _lines(book, due, book.starts)
    return _asking(sorted(found, key=lambda line: _turn(book, line, path)), due)


def line_from(book: Book, due: Collection[str], position: Position) -> Line:
    """The line that asks most due cards from a position on; empty if none can be reached."""
    found = _asking(_lines(book, due, {card_of(position): position}), due)
    return max(found, key=lambda line: sum(ply.is_asked for ply in line), default=())


def hand_actions(found: Iterable[Line]) -> int:
    """How many men are carried while these lines are played one after the other.

    The board stands where the first one begins.
    """
    found = [*found]
    played = sum(
        len(plan(one.placement, other.placement))
        for here, line in _visited(found)
        for one, other in pairwise(line[here:])
    )
    return played + take_back_actions(found)


def take_back_actions(found: Iterable[Line]) -> int:
    """How many of them lead back to where the next line leaves the one before."""
    return sum(
        len(plan(last[-1].placement, line[here].placement))
        for (_, last), (here, line) in pairwise(_visited(found))
    )


def fork(path: Sequence[str], line: Line) -> int:
    """At which of its plies a line leaves a path of cards, which ends with what stands."""
    pairs = zip(path, line, strict=False)
    shared = [*takewhile(lambda pair: pair[0] == pair[1].card, pairs)]
    return max(0, len(shared) - 1)


def _visited(found: Iterable[Line]) -> Iterable[tuple[int, list[Position]]]:
    """The positions of each line, and at which of them it leaves the line before."""
    path: list[str] = []
    for line in found:
        here = fork(path, line)
        last = line[-1].position.play(line[-1].move)
        yield here, [*(ply.position for ply in line), last]
        path = [*(ply.card for ply in line), card_of(last)]


def _lines(book: Book, due: Collection[str], starts: Mapping[str, Position]) -> list[Line]:
    wanted = [card for card in book.cards if card in due]
    walks = fewest_walks([*starts], book.targets, wanted)
    return [_played(book, starts[walk[0]], walk) for walk in walks]


def _played(book: Book, position: Position, walk: Sequence[str]) -> Line:
    """The plies of a walk, and the answer at its end."""
    plies = []
    for card, then in zip(walk, [*walk[1:], book.targets(walk[-1])[0]], strict=True):
        move = next(entry.move for entry in book.right(card) if entry.target == then)
        plies.append(Ply(card, position, move))
        position = position.play(move)
    return tuple(plies)


def _turn(book: Book, line: Line, path: Sequence[str]) -> list[int]:
    """What a depth-first order goes by: the number of each choice, the path's own before all."""
    is_on_path = [line[0].card] == [*path[:1]]
    turn = [-1 if is_on_path else [*book.starts].index(line[0].card)]
    for number, ply in enumerate(line, 1):
        targets = [entry.target for entry in book.places[ply.card].entries]
        choice = [entry.move for entry in book.places[ply.card].entries].index(ply.move)
        is_on_path = is_on_path and [targets[choice]] == [*path[number : number + 1]]
        turn.append(-1 if is_on_path else choice)
    return turn


def _asking(found: Iterable[Line], due: Collection[str]) -> list[Line]:
    """The lines with their questions: each due card where it is met first."""
    left = set(due)
    asking = []
    for line in found:
        asked = []
        for ply in line:
            asked.append(replace(ply, is_asked=ply.card in left))
            left.discard(ply.card)
        asking.append(tuple(asked))
    return asking
