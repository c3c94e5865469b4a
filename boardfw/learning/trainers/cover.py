"""The fewest walks through a graph that pass all of its wanted nodes.

Which wanted nodes can be passed one after the other is an order (who reaches whom), and the
fewest chains that hold all of them come from a maximum matching (Fulkerson): each chain but for
its end is a node matched with the one that follows. Nodes that reach each other stand in it as
one; a walk passes all of them before it goes on.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TypeAlias

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
    nodes = _leaves_first(starts, onwards)
    reached = set(nodes)
    due = [node for node in dict.fromkeys(wanted) if node in reached]
    reach = _reaches(nodes, onwards, due)
    groups: dict[int, list[Node]] = {}
    for node in due:
        groups.setdefault(reach[node], []).append(node)  # alike: each reaches all the others
    sets = sorted(groups, key=lambda one: -one.bit_count())
    chains = [[groups[sets[number]] for number in chain] for chain in _chains(sets)]
    return [_walk(starts, onwards, chain) for chain in chains]


def _leaves_first(starts: Iterable[Node], onwards: Onwards) -> list[Node]:
    """All nodes, each after those it leads to, as far as cycles allow."""
    order: list[Node] = []
    seen: set[Node] = set()
    waiting = [(start, False) for start in starts]
    while waiting:
        node, is_done = waiting.pop()
        if is_done:
            order.append(node)
        elif node not in seen:
            seen.add(node)
            waiting.append((node, True))
            waiting += [(there, False) for there in onwards(node)]
    return order


def _reaches(nodes: Sequence[Node], onwards: Onwards, due: Sequence[Node]) -> dict[Node, int]:
    """For each node the set of due ones that it reaches, itself among them, as bits."""
    reach = dict.fromkeys(nodes, 0)
    reach |= {node: 1 << number for number, node in enumerate(due)}
    is_settled = False
    while not is_settled:  # once, and once more for each cycle within a cycle
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

    ``sets``: different ones, the largest first. The small ones choose first who follows: so what
    follows a chain's end is taken by nobody who comes before it, and no walk goes past that end.
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
    """Find somebody to follow ``first``, though others may have to be followed by somebody else."""
    found_from: dict[int, int] = {}
    waiting = deque([first])
    while waiting:
        a = waiting.popleft()
        for b in below[a]:
            if b in found_from:
                continue
            found_from[b] = a
            if b not in before:
                _rematch(b, found_from, after, before)
                return
            waiting.append(before[b])


def _rematch(
    free: int, found_from: dict[int, int], after: dict[int, int], before: dict[int, int]
) -> None:
    b: int | None = free
    while b is not None:
        a = found_from[b]
        left = after.get(a)
        after[a], before[b] = b, a
        b = left


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
            way = _shortest(walk[-1:] or starts, onwards, left)
            walk += way[1:] if walk else way
            left.difference_update(way)
    return walk


def _shortest(origins: Iterable[Node], onwards: Onwards, goals: Collection[Node]) -> list[Node]:
    """The nodes of the shortest way, origin and goal among them; there is one."""
    came_from: dict[Node, Node | None] = dict.fromkeys(origins)
    waiting = deque(came_from)
    while waiting[0] not in goals:
        node = waiting.popleft()
        for there in onwards(node):
            if there not in came_from:
                came_from[there] = node
                waiting.append(there)
    way: list[Node] = []
    node_back: Node | None = waiting[0]
    while node_back is not None:
        way.append(node_back)
        node_back = came_from[node_back]
    return way[::-1]
