"""The memory of the switches: what happened on each square, and when."""

from __future__ import annotations

from boardfw.sensing.debounce import Blip, Edge
from boardfw.sensing.trace import BLINK_US, EDGES_KEPT, Trace
from boardfw.squares import Occupancy, Switch

A, B = 0, 1


def trace(*known: Edge | Blip, occupancy: int = 0b11) -> Trace:
    memory = Trace(0, Occupancy(occupancy))
    for one in known:
        memory.append(one)
    return memory


def lift(t_us: int, square: int = A) -> Edge:
    return Edge(t_us, Switch(square), closed=False)


def drop(t_us: int, square: int = A) -> Edge:
    return Edge(t_us, Switch(square), closed=True)


def test_it_knows_what_stands_now() -> None:
    memory = trace(lift(10), drop(20), lift(30))
    assert memory.now == 0b10
    assert not memory.is_closed(Switch(A))
    assert memory.is_closed(Switch(B))
    assert memory.t_us == 30
    assert memory.edges(Switch(A)) == (lift(10), drop(20), lift(30))
    assert memory.last_edge_us(Switch(A)) == 30
    assert memory.last_edge_us(Switch(B)) is None


def test_a_late_edge_does_not_turn_time_back() -> None:
    memory = trace(lift(30, A), lift(10, B))
    assert memory.t_us == 30
    assert memory.now == 0


def test_the_last_opening_between_two_instants() -> None:
    memory = trace(lift(10), drop(20), lift(30), drop(40))
    assert memory.opened(Switch(A), 0, 100) == 30
    assert memory.opened(Switch(A), 0, 30) == 30
    assert memory.opened(Switch(A), 0, 29) == 10
    assert memory.opened(Switch(A), 10, 29) is None
    assert memory.opened(Switch(A), 9, 29) == 10
    assert memory.opened(Switch(A), 30, 100) is None
    assert memory.opened(Switch(B), 0, 100) is None


def test_the_first_closing_after_an_instant() -> None:
    memory = trace(lift(10), drop(20), lift(30), drop(40))
    assert memory.closed(Switch(A), 0) == 20
    assert memory.closed(Switch(A), 19) == 20
    assert memory.closed(Switch(A), 20) == 40
    assert memory.closed(Switch(A), 40) is None


def test_a_blip_is_remembered_and_moves_nothing() -> None:
    memory = trace(Blip(10, Switch(A), closed=False, length_us=BLINK_US))
    assert memory.now == 0b11
    assert memory.edges(Switch(A)) == ()
    assert memory.blinked(Switch(A), 9)
    assert not memory.blinked(Switch(A), 10)
    assert not memory.blinked(Switch(B), 0)


def test_what_one_scan_saw_is_no_opening() -> None:
    assert not trace(Blip(10, Switch(A), closed=False, length_us=BLINK_US - 1)).blinked(
        Switch(A), 0
    )


def test_an_empty_square_that_blips_has_not_been_opened() -> None:
    assert not trace(Blip(10, Switch(A), closed=True, length_us=BLINK_US), occupancy=0).blinked(
        Switch(A), 0
    )


def test_a_trembling_contact_does_not_push_out_what_the_switch_did_before() -> None:
    trembling = [(drop if t % 2 else lift)(10**6 + t * 10_000) for t in range(100)]
    memory = trace(lift(5), drop(500_000), *trembling)
    assert memory.edges(Switch(A))[:2] == (lift(5), drop(500_000))
    assert memory.opened(Switch(A), 0, 10**7) == trembling[-2].t_us
    levels = [edge.closed for edge in memory.edges(Switch(A))]
    assert levels == [index % 2 == 1 for index in range(EDGES_KEPT)]


def test_old_edges_are_forgotten_one_square_at_a_time() -> None:
    edges = [drop(t * 10**6) if t % 2 else lift(t * 10**6) for t in range(100)]
    memory = trace(lift(5, B), *edges)
    assert memory.edges(Switch(A)) == tuple(edges[-EDGES_KEPT:])
    assert memory.edges(Switch(B)) == (lift(5, B),)
    assert memory.is_closed(Switch(A))
