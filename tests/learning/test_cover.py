"""The fewest walks through a graph: against every way of parting small ones."""

from __future__ import annotations

from itertools import combinations, pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from boardfw.learning.trainers.line_choice import fewest_walks

NODES = "abcdefgh"

graphs = st.fixed_dictionaries(
    {node: st.lists(st.sampled_from(NODES), max_size=3, unique=True) for node in NODES}
)


def closure(graph: dict[str, list[str]]) -> set[tuple[str, str]]:
    """The nodes that each node reaches, itself among them."""
    pairs = {(node, node) for node in graph} | {(a, b) for a in graph for b in graph[a]}
    for middle in graph:
        pairs |= {(a, b) for a in graph for b in graph if {(a, middle), (middle, b)} <= pairs}
    return pairs


def fewest(graph: dict[str, list[str]], starts: list[str], wanted: set[str]) -> int:
    """How many walks are needed: as many as there are nodes none of which reaches another."""
    pairs = closure(graph)
    due = [node for node in wanted if any((start, node) in pairs for start in starts)]
    return max(
        size
        for size in range(len(due) + 1)
        for some in combinations(due, size)
        if not any((a, b) in pairs or (b, a) in pairs for a, b in combinations(some, 2))
    )


@given(
    graphs,
    st.lists(st.sampled_from(NODES), min_size=1, unique=True),
    st.sets(st.sampled_from(NODES)),
)
@example({**{node: [] for node in NODES}, "a": ["b"], "b": ["a"]}, ["a"], {"a", "b"})
def test_all_wanted_nodes_are_passed_in_the_fewest_walks(
    graph: dict[str, list[str]], starts: list[str], wanted: set[str]
) -> None:
    walks = fewest_walks(starts, graph.__getitem__, wanted)
    pairs = closure(graph)
    reachable = {node for node in wanted if any((start, node) in pairs for start in starts)}
    assert len(walks) == fewest(graph, starts, wanted)
    assert reachable <= {node for walk in walks for node in walk}
    for number, walk in enumerate(walks):
        assert walk[0] in starts
        assert walk[-1] in wanted
        assert not any(walk[-1] in other for other in walks[:number] + walks[number + 1 :])
        assert all(there in graph[here] for here, there in pairwise(walk))


def test_a_long_line_is_one_walk() -> None:
    names = [str(number) for number in range(1200)]
    then = dict(pairwise(names))
    walks = fewest_walks(["0"], lambda name: [then[name]] if name in then else [], names)
    assert walks == [names]


def test_a_follower_may_have_to_follow_another_one() -> None:
    graph = {"s": ["a", "b"], "a": ["c", "d"], "b": ["c"], "c": [], "d": []}
    walks = fewest_walks(["s"], graph.__getitem__, "abcd")
    assert sorted(walks) == [["s", "a", "d"], ["s", "b", "c"]]
