"""A session with a book: the fewest lines that ask all due cards, and what they cost the hands.

The lines are the fewest walks through a graph that pass all of its wanted nodes. Which wanted nodes
can be passed one after the other is an order (which reaches which), and the fewest chains that hold
all of them come from a maximum matching (Fulkerson): each chain but for its end is a node matched
with the one that follows. Nodes that reach each other stand in it as one; a walk passes all of them
before it goes on.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import TypeAlias

from boardfw.learning.trainers.repertoire import Book
from boardfw.learning.trainers.sentences import card_of
from boardfw.rules import Move, Position

Node: TypeAlias = str
Onwards: TypeAlias = Callable[[Node], Sequence[Node]]
"""Where a walk can go from a node, the preferred way first."""
Chain: TypeAlias = list[list[Node]]
"""Groups of wanted nodes in the order in which a walk passes them."""


def fewest_walks(
    starts: Collection[Node], onwards: Onwards, wanted: Iterable[Node]
) -> list[list[Node]]:
    """Walks from the starts, node by node, each as short as its chain lets it be.

    A walk ends with a wanted node that no other walk passes. What no walk can reach is passed over.
    Cycles do no harm.
    """
    nodes = _from_the_end(starts, onwards)
    reached = set(nodes)
    due = [node for node in dict.fromkeys(wanted) if node in reached]
    reach = _reaches(nodes, onwards, due)
    groups: dict[int, list[Node]] = {}
    for node in due:
        groups.setdefault(reach[node], []).append(node)  # alike: each reaches all the others
    sets = sorted(groups, key=lambda one: -one.bit_count())
    chains = [[groups[sets[number]] for number in chain] for chain in _chains(sets)]
    return [_walk(starts, onwards, chain) for chain in chains]


def _from_the_end(starts: Iterable[Node], onwards: Onwards) -> list[Node]:
    """All nodes that are reached, mostly after those they lead to."""
    nodes = dict.fromkeys(starts)
    queue = [*nodes]
    for node in queue:
        new = [there for there in onwards(node) if there not in nodes]
        nodes |= dict.fromkeys(new)
        queue += dict.fromkeys(new)
    return queue[::-1]


def _reaches(nodes: Sequence[Node], onwards: Onwards, due: Sequence[Node]) -> dict[Node, int]:
    """For each node the set of due ones that it reaches, itself among them, as bits."""
    reach = dict.fromkeys(nodes, 0)
    reach |= {node: 1 << number for number, node in enumerate(due)}
    is_settled = False
    while not is_settled:  # mostly once, and once more for each cycle within a cycle
        is_settled = True
        for node in nodes:
            before = found = reach[node]
            for there in onwards(node):
                found |= reach[there]
            reach[node] = found
            is_settled &= found == before
    return reach


def _chains(sets: Sequence[int]) -> list[list[int]]:
    """The fewest chains, as numbers of sets; each set holds all that follow it in its chain.

    ``sets``: different ones, the largest first. The small ones choose their followers first: so
    no earlier set takes what follows a chain's end, and no walk goes past that end.
    """
    below = [
        [b for b in range(a + 1, len(sets)) if not sets[b] & ~sets[a]] for a in range(len(sets))
    ]
    after: dict[int, int] = {}
    before: dict[int, int] = {}
    for a in reversed(range(len(sets))):
        _match(a, below, after, before)
    heads = [a for a in range(len(sets)) if a not in before]
    return [_followed(head, after) for head in heads]


def _match(
    first: int, below: Sequence[Sequence[int]], after: dict[int, int], before: dict[int, int]
) -> None:
    """Find a follower for ``first``, though others may have to take other followers."""
    found_from: dict[int, int] = {}
    waiting = deque([first])
    while waiting:
        a = waiting.popleft()
        for b in below[a]:
            if b in found_from:
                continue
            found_from[b] = a
            if b in before:
                waiting.append(before[b])
                continue
            free: int | None = b
            while free is not None:  # each takes the follower that was found for it
                a = found_from[free]
                left = after.get(a)
                after[a], before[free], free = free, a, left
            return


def _followed(head: int, after: dict[int, int]) -> list[int]:
    chain = [head]
    while chain[-1] in after:
        chain.append(after[chain[-1]])
    return chain


def _walk(starts: Collection[Node], onwards: Onwards, chain: Chain) -> list[Node]:
    walk: list[Node] = []
    for group in chain:
        left = set(group)
        while left:
            path = _shortest(walk[-1:] or starts, onwards, left)
            walk += path[1:] if walk else path
            left.difference_update(path)
    return walk


def _shortest(origins: Iterable[Node], onwards: Onwards, goals: Collection[Node]) -> list[Node]:
    """The nodes of the shortest path, origin and goal among them; there is one."""
    came_from: dict[Node, Node | None] = dict.fromkeys(origins)
    waiting = deque(came_from)
    while waiting[0] not in goals:
        node = waiting.popleft()
        for there in onwards(node):
            if there not in came_from:
                came_from[there] = node
                waiting.append(there)
    path: list[Node] = []
    node_back: Node | None = waiting[0]
    while node_back is not None:
        path.append(node_back)
        node_back = came_from[node_back]
    return path[::-1]


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
    return _asking(sorted(found, key=lambda line: _order_key(book, line, path)), due)


def line_from(book: Book, due: Collection[str], position: Position) -> Line:
    """The line that asks most due cards from a position on; empty if none can be reached."""
    found = _asking(_lines(book, due, {card_of(position): position}), due)
    return max(found, key=lambda line: sum(ply.is_asked for ply in line), default=())


def fork(path: Sequence[str], line: Line) -> int:
    """At which of its plies a line leaves a path of cards, which ends with what stands."""
    pairs = zip(path, line, strict=False)
    shared = [*takewhile(lambda pair: pair[0] == pair[1].card, pairs)]
    return max(0, len(shared) - 1)


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


def _order_key(book: Book, line: Line, path: Sequence[str]) -> list[int]:
    """What a depth-first order goes by: the number of each choice, the path's own before all."""
    is_on_path = [line[0].card] == [*path[:1]]
    key = [-1 if is_on_path else [*book.starts].index(line[0].card)]
    for number, ply in enumerate(line, 1):
        targets = [entry.target for entry in book.places[ply.card].entries]
        choice = [entry.move for entry in book.places[ply.card].entries].index(ply.move)
        is_on_path = is_on_path and [targets[choice]] == [*path[number : number + 1]]
        key.append(-1 if is_on_path else choice)
    return key


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
